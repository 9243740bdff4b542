/*
 * Every allocation of a transform can fail: the planners', and what they ask of assembler and
 * machine. Each run is made with its first, second, ... allocation refused until one succeeds; each
 * time it says so, the output stays as it was, and the machine serves the next run. The linker
 * sends every allocation of this program through __wrap_*.
 */
#include "programs_util.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* Allocations still to be granted; negative: no limit. After the first refusal all others are
 * granted again when `once` is set, refused otherwise. */
static long granted = -1;
static bool once;

static bool refuse(void) {
    if (granted == 0) {
        granted = once ? -1 : 0;
        return true;
    }
    granted -= granted > 0 ? 1 : 0;
    return false;
}

void *__wrap_malloc(size_t size) {
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return refuse() ? NULL : __real_realloc(old, size);
}

enum { N = 512, LIMIT = 20000 };

/* Returns how many allocations a run makes. */
static long refuse_each(const char *map, bool inverse, bool only_once) {
    static uint32_t in[N], want[N], out[N];
    uint64_t q = programs_prime(N, 28, 0);
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct fh_error error;
    const struct fh_ntt_params params = {
        .map = map, .n = N, .limbs = 1, .q = &q, .inverse = inverse};
    for (size_t i = 0; i < N; i++)
        in[i] = (uint32_t)(i * 7919);
    assert_int_equal(fh_ntt_run(machine, &params, in, sizeof in, want, &error), FHEC_OK);
    for (long allowed = 0; allowed < LIMIT; allowed++) {
        memset(out, 0x5a, sizeof out);
        once = only_once;
        granted = allowed;
        fhec_status status = fh_ntt_run(machine, &params, in, sizeof in, out, &error);
        bool met = only_once ? granted < 0 : granted == 0;
        granted = -1;
        if (status == FHEC_OK) {
            assert_memory_equal(out, want, sizeof out);
            if (!met || allowed + 1 == LIMIT) {
                fhec_machine_free(machine);
                return allowed;
            }
            continue; /* an allocation that the machine can do without */
        }
        if (status != FHEC_HOST_ERROR || !error.text[0])
            fail_msg("%s, allocation %ld refused: status %d, \"%s\"", map, allowed, (int)status,
                     error.text);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(out[i], 0x5a5a5a5a);
    }
    fail_msg("%s: more than %d allocations", map, LIMIT);
    return 0;
}

static void each_allocation_fails(void **state) {
    (void)state;
    for (unsigned c = 0; c < 8; c++) {
        long count = refuse_each(c & 1 ? "fhec256" : "fhec16", c & 2, c & 4);
        assert_true(count > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests_name("programs_oom", tests, NULL, NULL);
}
