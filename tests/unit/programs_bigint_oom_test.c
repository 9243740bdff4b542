/*
 * Every allocation of a multi-word product can fail: each run is made with its first, second, ...
 * allocation refused until one succeeds; each time it says so, the result stays as it was, and the
 * machine serves the next run.
 */
#include "programs_util.h"
#include "refuse.h"

#include "bigint.h"

enum { WORDS = 3, PAIRS = 5, LIMIT = 20000 };

/* Returns how many allocations a run makes. */
static long refuse_each(const char *map, enum fh_bigint_op op) {
    static const uint32_t modulus[WORDS] = {0xfffffffb, 0x1234, 0x89abcdef};
    uint32_t a[WORDS * PAIRS], b[WORDS * PAIRS], want[2 * WORDS * PAIRS], out[2 * WORDS * PAIRS];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    const struct fh_bigint_params params = {
        .map = map, .op = op, .words = WORDS, .count = PAIRS, .modulus = modulus};
    size_t bytes = fh_bigint_out_words(&params) * PAIRS * sizeof *out;
    struct fh_error error;
    for (size_t i = 0; i < WORDS * PAIRS; i++) {
        a[i] = (uint32_t)i * 0x07654321;
        b[i] = 0x60000000 - (uint32_t)i * 0x01234567;
    }
    assert_int_equal(fh_bigint_run(machine, &params, a, b, want, &error), FHEC_OK);
    for (long allowed = 0; allowed < LIMIT; allowed++) {
        memset(out, 0x5a, sizeof out);
        refuse_after(allowed, false);
        fhec_status status = fh_bigint_run(machine, &params, a, b, out, &error);
        bool met = refuse_end();
        if (status == FHEC_OK) {
            assert_memory_equal(out, want, bytes);
            if (!met) {
                fhec_machine_free(machine);
                return allowed;
            }
            continue; /* an allocation that the machine can do without */
        }
        if (status != FHEC_HOST_ERROR || !error.text[0])
            fail_msg("%s, allocation %ld refused: status %d, \"%s\"", map, allowed, (int)status,
                     error.text);
        for (size_t i = 0; i < COUNT_OF(out); i++)
            assert_int_equal(out[i], 0x5a5a5a5a);
    }
    fail_msg("%s: more than %d allocations", map, LIMIT);
    return 0;
}

static void each_allocation_fails(void **state) {
    (void)state;
    assert_true(refuse_each("cuda32", FH_BIGINT_MUL) > 10);
    assert_true(refuse_each("cuda32", FH_BIGINT_MONTMUL) > 10);
    assert_true(refuse_each("mont", FH_BIGINT_MONTMUL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests_name("programs_bigint_oom", tests, NULL, NULL);
}
