/*
 * Every allocation of a transform or base conversion can fail, on every map: the planners', and
 * what they ask of assembler and machine. Each run is made with its first, second, ... allocation
 * refused until one succeeds; each time it says so, the output stays as it was, and the machine
 * serves the next run.
 */
#include "programs_util.h"
#include "refuse.h"

enum { N = 512, LIMBS = 3 };

/* One planner's run: two limbs transformed, or three converted to two. */
struct job {
    const struct fh_map *map;
    enum fh_workload workload;
    bool inverse;
};

static fhec_status run(fhec_machine *machine, const struct job *job, const void *in, void *out,
                       struct fh_error *error) {
    static const uint64_t primes[] = {268369921, 268361729, 268271617, 268238849, 268107777};
    size_t word = job->map->word_bits / 8;
    const struct fh_bconv_params conversion = {.map = job->map->name,
                                               .n = N,
                                               .alpha = LIMBS,
                                               .target = 2,
                                               .from = primes,
                                               .to = primes + LIMBS};
    const struct fh_ntt_params transform = {
        .map = job->map->name, .n = N, .limbs = 2, .q = primes, .inverse = job->inverse};
    if (job->workload == FH_WORKLOAD_BCONV)
        return fh_bconv_run(machine, &conversion, in, LIMBS * N * word, out, error);
    return fh_ntt_run(machine, &transform, in, 2 * N * word, out, error);
}

/* The assembler's allocations are many and alike, and have a test of their own: of those in the
 * middle every 37th (149th with a sanitizer) is refused. */
static long next_refusal(long allowed, long total) {
    bool near = allowed < 20 || allowed > total - (SLOW_BUILD ? 10 : 40);
    return allowed + (near ? 1 : SLOW_BUILD ? 149 : 37);
}

/* Returns how many allocations a run makes. */
static long refuse_each(const struct job *job, bool only_once) {
    static uint64_t in[LIMBS * N], want[2 * N], out[2 * N];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct fh_error error;
    for (size_t i = 0; i < COUNT_OF(in); i++)
        in[i] = i * UINT64_C(7919000007919);
    memset(want, 0x5a, sizeof want);
    assert_int_equal(run(machine, job, in, want, &error), FHEC_OK); /* the machine's own, once */
    refuse_after(REFUSE_NONE, true);
    assert_int_equal(run(machine, job, in, want, &error), FHEC_OK);
    (void)refuse_end();
    long total = refuse_asked();
    for (long allowed = 0; allowed < total; allowed = next_refusal(allowed, total)) {
        memset(out, 0x5a, sizeof out);
        refuse_after(allowed, only_once);
        fhec_status status = run(machine, job, in, out, &error);
        assert_true(refuse_end());
        if (status == FHEC_OK) { /* an allocation that the machine can do without */
            assert_memory_equal(out, want, sizeof out);
            continue;
        }
        if (status != FHEC_HOST_ERROR || !error.text[0])
            fail_msg("%s, workload %d, allocation %ld refused: status %d, \"%s\"", job->map->name,
                     (int)job->workload, allowed, (int)status, error.text);
        for (size_t i = 0; i < COUNT_OF(out); i++)
            assert_true(out[i] == UINT64_C(0x5a5a5a5a5a5a5a5a));
    }
    fhec_machine_free(machine);
    return total;
}

static void check_workload(enum fh_workload workload) {
    struct job job = {.workload = workload};
    for (size_t m = 0; (job.map = programs_map(workload, m)) != NULL; m++) {
        job.inverse = m & 1;
        assert_true(refuse_each(&job, true) > 20);
        job.inverse = !job.inverse;
        if (!SLOW_BUILD)
            assert_true(refuse_each(&job, false) > 20);
    }
}

static void transforms(void **state) {
    (void)state;
    check_workload(FH_WORKLOAD_NTT);
}

static void conversions(void **state) {
    (void)state;
    check_workload(FH_WORKLOAD_BCONV);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(transforms), cmocka_unit_test(conversions)};
    return cmocka_run_group_tests_name("programs_oom", tests, NULL, NULL);
}
