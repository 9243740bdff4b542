/*
 * Every allocation of the Tensor Core kernels' planners can fail: each run is made with its first,
 * second, ... allocation refused until one succeeds; each time it says so, the output stays as it
 * was, and the machine serves the next run. The linker sends every allocation of this program
 * through __wrap_*.
 */
#include "programs_util.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* Allocations still to be granted; negative: no limit. One is refused. */
static long granted = -1;

static bool refuse(void) {
    bool refused = granted == 0;
    granted -= granted >= 0 ? 1 : 0;
    return refused;
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

enum { N = 512, LIMBS = 3, LIMIT = 20000 };

enum job { IMMA16, IMMA256, BCONV, JOBS };

static fhec_status run(fhec_machine *machine, enum job job, const uint32_t *in, uint32_t *out,
                       struct fh_error *error) {
    static const uint64_t primes[] = {268369921, 268361729, 268271617, 268238849, 268107777};
    const struct fh_bconv_params conversion = {
        .map = "imma", .n = N, .alpha = LIMBS, .target = 2, .from = primes, .to = primes + LIMBS};
    struct fh_ntt_params transform = {.map = job == IMMA16 ? "imma16" : "imma256",
                                      .n = N,
                                      .limbs = 2,
                                      .q = primes,
                                      .inverse = job == IMMA256};
    if (job == BCONV)
        return fh_bconv_run(machine, &conversion, in, sizeof(uint32_t[LIMBS * N]), out, error);
    return fh_ntt_run(machine, &transform, in, sizeof(uint32_t[2 * N]), out, error);
}

/* Returns how many allocations a run makes. */
static long refuse_each(enum job job) {
    static uint32_t in[LIMBS * N], want[2 * N], out[2 * N];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct fh_error error;
    for (size_t i = 0; i < LIMBS * N; i++)
        in[i] = (uint32_t)(i * 7919);
    assert_int_equal(run(machine, job, in, want, &error), FHEC_OK);
    for (long allowed = 0; allowed < LIMIT; allowed++) {
        memset(out, 0x5a, sizeof out);
        granted = allowed;
        fhec_status status = run(machine, job, in, out, &error);
        bool met = granted < 0;
        granted = -1;
        if (status == FHEC_OK) {
            assert_memory_equal(out, want, sizeof out);
            if (!met) {
                fhec_machine_free(machine);
                return allowed;
            }
            continue; /* an allocation that the machine can do without */
        }
        if (status != FHEC_HOST_ERROR || !error.text[0])
            fail_msg("job %d, allocation %ld refused: status %d, \"%s\"", (int)job, allowed,
                     (int)status, error.text);
        for (size_t i = 0; i < COUNT_OF(out); i++)
            assert_int_equal(out[i], 0x5a5a5a5a);
    }
    fail_msg("job %d: more than %d allocations", (int)job, LIMIT);
    return 0;
}

static void each_allocation_fails(void **state) {
    (void)state;
    for (unsigned job = 0; job < JOBS; job++)
        assert_true(refuse_each((enum job)job) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests_name("programs_imma_oom", tests, NULL, NULL);
}
