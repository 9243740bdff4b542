/*
 * kernel_cache_oom_test.c - assembled kernels that are kept: what is taken is what was kept under
 * the key, programs in use stay, the one taken longest ago goes; runs that share them have golden's
 * results, whatever their kernels differ in, also where one replaces its program or an allocation
 * fails.
 */
#include "kernel_cache.h"

#include "golden_util.h"
#include "programs_util.h"
#include "refuse.h"

enum { N = 256, LIMBS = 2, PLACES = 64 };

static fhec_program *assemble(unsigned number) {
    fhec_program *program = NULL;
    char text[160];
    int length = snprintf(text, sizeof text,
                          ".target sm_80\n.kernel k%u\n    MOV R0, 0x%x ;\n    EXIT ;\n.end\n",
                          number, number);
    const fhec_assemble_options none = {0};
    assert_int_equal(fhec_assemble("k.sass", text, (size_t)length, &none, &program), FHEC_OK);
    return program;
}

static const char *key_of(unsigned number) {
    static char key[16];
    snprintf(key, sizeof key, "key %u", number);
    return key;
}

/* Whether the cache has the kernel of that number under its key; gives it back. */
static bool has(struct fh_kernel_cache *cache, unsigned number) {
    char name[16];
    size_t kernel;
    fhec_program *program = fh_kernel_cache_take(cache, key_of(number));
    if (!program)
        return false;
    snprintf(name, sizeof name, "k%u", number);
    assert_int_equal(fhec_kernel_find(program, name, &kernel), FHEC_OK);
    fh_kernel_cache_give_back(cache, program);
    return true;
}

static void keys_and_places(void **state) {
    (void)state;
    struct fh_kernel_cache *cache = fh_kernel_cache_new();
    fhec_program *programs[PLACES + 2];
    assert_non_null(cache);
    assert_null(fh_kernel_cache_take(cache, "key 0"));
    for (unsigned i = 0; i < PLACES; i++) {
        programs[i] = assemble(i);
        assert_true(fh_kernel_cache_keep(cache, key_of(i), programs[i]));
    }
    programs[PLACES] = assemble(PLACES);
    assert_false(fh_kernel_cache_keep(cache, key_of(PLACES), programs[PLACES])); /* all in use */
    assert_ptr_equal(fh_kernel_cache_take(cache, key_of(7)), programs[7]);
    for (unsigned i = 0; i < PLACES; i++)
        fh_kernel_cache_give_back(cache, programs[i]); /* of number 7 one of two */
    assert_true(has(cache, 0));
    assert_true(fh_kernel_cache_keep(cache, key_of(PLACES), programs[PLACES])); /* in 1's place */
    assert_true(has(cache, 0) && !has(cache, 1) && has(cache, 2) && has(cache, PLACES));
    for (unsigned i = 2; i < PLACES; i++) {
        fhec_program *more = assemble(100 + i);
        assert_true(fh_kernel_cache_keep(cache, key_of(100 + i), more));
        fh_kernel_cache_give_back(cache, more);
    }
    assert_true(has(cache, 7) && !has(cache, 6) && !has(cache, 8));
    fh_kernel_cache_free(cache);
    fh_kernel_cache_free(NULL);
}

/* LIMBS transforms of n elements. */
static fhec_status transform(fhec_machine *machine, const char *map, bool inverse, size_t n,
                             struct fh_run_options options, const uint64_t *in, uint64_t *out) {
    static const uint64_t q[LIMBS] = {268369921, 268361729};
    struct fh_ntt_params params = {.map = map,
                                   .n = n,
                                   .limbs = LIMBS,
                                   .q = q,
                                   .inverse = inverse,
                                   .order = FH_GOLDEN_NATURAL,
                                   .options = options};
    struct fh_error error;
    static uint32_t words[2 * LIMBS * N];
    for (size_t i = 0; i < LIMBS * n; i++)
        words[i] = (uint32_t)in[i];
    fhec_status status =
        fh_ntt_run(machine, &params, words, LIMBS * n * sizeof *words, words, &error);
    for (size_t i = 0; i < LIMBS * n && status == FHEC_OK; i++)
        out[i] = words[i];
    return status;
}

static void expected(bool inverse, size_t n, const uint64_t *in, uint64_t *out) {
    static const uint64_t q[LIMBS] = {268369921, 268361729};
    assert_int_equal(fh_golden_ntt_limbs(inverse, FH_GOLDEN_NATURAL, n, LIMBS, q, NULL, in, out),
                     FH_GOLDEN_OK);
}

static void fill(uint64_t *in) {
    for (size_t i = 0; i < 2 * LIMBS * N; i++)
        in[i] = (i * 7919 + i * i * 104729 + 1) % 268361729;
}

static fhec_status broken(void *user, fhec_program **program) {
    ++*(unsigned *)user;
    fhec_program_free(*program);
    *program = NULL;
    return FHEC_BAD_INPUT;
}

static void shared_runs(void **state) {
    (void)state;
    static uint64_t in[2 * LIMBS * N], out[2 * LIMBS * N], want[2 * LIMBS * N];
    static const char *const maps[] = {"fhec16", "cuda32", "imma16"};
    struct fh_kernel_cache *cache = fh_kernel_cache_new();
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    unsigned edits = 0;
    assert_non_null(cache);
    fill(in);
    for (unsigned run = 0; run < 48; run++) {
        const bool inverse = run & 1;
        const size_t n = run & 2 ? 2 * N : N;
        struct fh_run_options options = {.kernels = cache, .contracts = run / 4 & 1};
        expected(inverse, n, in, want);
        assert_int_equal(transform(machine, maps[run % 3], inverse, n, options, in, out), FHEC_OK);
        assert_memory_equal(out, want, LIMBS * n * sizeof *out);
        options.edit = broken;
        options.edit_user = &edits;
        assert_true(transform(machine, maps[run % 3], inverse, n, options, in, out) != FHEC_OK);
        assert_int_equal(edits, run + 1);
    }
    fhec_machine_free(machine);
    fh_kernel_cache_free(cache);
}

/* Two runs of a new cache, the second of which finds what the first has left: how many end well. */
static unsigned run_twice(fhec_machine *machine, const uint64_t *in, uint64_t *out) {
    struct fh_kernel_cache *cache = fh_kernel_cache_new();
    const struct fh_run_options options = {.kernels = cache};
    unsigned good = 0;
    for (unsigned run = 0; run < 2; run++)
        good += transform(machine, "fhec16", false, N, options, in, out) == FHEC_OK;
    fh_kernel_cache_free(cache);
    return good;
}

static void out_of_memory(void **state) {
    (void)state;
    static uint64_t in[2 * LIMBS * N], out[2 * LIMBS * N], want[2 * LIMBS * N];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    fill(in);
    expected(false, N, in, want);
    assert_int_equal(run_twice(machine, in, out), 2); /* the machine's own, once */
    refuse_after(REFUSE_NONE, true);
    assert_int_equal(run_twice(machine, in, out), 2);
    (void)refuse_end();
    const long total = refuse_asked();
    assert_true(total > 100);
    for (long allowed = 0; allowed < total;
         allowed += allowed < 40 || allowed > total - 60 ? 1 : 31) {
        refuse_after(allowed, true);
        assert_true(run_twice(machine, in, out) >= 1);
        if (!refuse_end()) { /* the machine has kept some of what it asked for */
            assert_true(allowed > total - 8);
            break;
        }
        assert_memory_equal(out, want, LIMBS * N * sizeof *out);
    }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_places),
        cmocka_unit_test(shared_runs),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("kernel_cache", tests, NULL, NULL);
}
