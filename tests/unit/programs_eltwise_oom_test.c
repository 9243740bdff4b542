/*
 * programs_eltwise_oom_test.c - every allocation of element-wise arithmetic can fail: each run is
 * made with its first, second, ... allocation refused until all have been; each time it says so,
 * the output stays as it was, and the machine serves the next run.
 */
#include "programs_util.h"
#include "refuse.h"

enum { N = 256, LIMBS = 3, LIMIT = 100000 };

/* The planner's own allocations are the last ones of a run; the assembler's have a test of their
 * own, and every 23rd of them is refused. */
static void refuse_each(const char *map, enum fh_eltwise_op op) {
    static const uint64_t q[LIMBS] = {268369921, 268361729, 97}, scalars[LIMBS] = {2, 3, 96};
    static uint64_t a[LIMBS * N], want[LIMBS * N], out[LIMBS * N];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    size_t bytes = LIMBS * N * fh_map_find(map)->word_bits / 8;
    struct fh_eltwise_params params = {.map = map,
                                       .op = op,
                                       .n = N,
                                       .limbs = LIMBS,
                                       .q = q,
                                       .scalars = scalars,
                                       .addend = a,
                                       .galois = 5};
    struct fh_error error;
    for (size_t i = 0; i < COUNT_OF(a); i++)
        a[i] = i % 97;
    if (bytes < sizeof a)
        for (size_t i = 0; i < COUNT_OF(a); i++)
            ((uint32_t *)a)[i] = (uint32_t)i % 97;
    assert_int_equal(fh_eltwise_run(machine, &params, a, a, bytes, want, &error), FHEC_OK);
    refuse_after(REFUSE_NONE, true);
    assert_int_equal(fh_eltwise_run(machine, &params, a, a, bytes, want, &error), FHEC_OK);
    (void)refuse_end();
    long total = refuse_asked();
    assert_true(total > 20 && total < LIMIT);
    for (long allowed = 0; allowed < total;
         allowed += allowed < 20 || allowed > total - 40 ? 1 : 23) {
        memset(out, 0x5a, sizeof out);
        refuse_after(allowed, true);
        fhec_status status = fh_eltwise_run(machine, &params, a, a, bytes, out, &error);
        assert_true(refuse_end());
        if (status == FHEC_OK) { /* an allocation that the machine can do without */
            assert_memory_equal(out, want, bytes);
            continue;
        }
        if (status != FHEC_HOST_ERROR || !error.text[0])
            fail_msg("%s, operation %d, allocation %ld refused: status %d, \"%s\"", map, (int)op,
                     allowed, (int)status, error.text);
        for (size_t i = 0; i < COUNT_OF(out); i++)
            assert_true(out[i] == UINT64_C(0x5a5a5a5a5a5a5a5a));
    }
    assert_int_equal(fh_eltwise_run(machine, &params, a, a, bytes, out, &error), FHEC_OK);
    assert_memory_equal(out, want, bytes);
    fhec_machine_free(machine);
}

static void eltwise_out_of_memory(void **state) {
    (void)state;
    refuse_each("cuda32", FH_ELTWISE_MAC);
    refuse_each("cuda64", FH_ELTWISE_MUL_SCALAR);
    refuse_each("gme64", FH_ELTWISE_AUTOMORPHISM);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(eltwise_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
