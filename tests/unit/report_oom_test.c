/*
 * Every allocation of a report can fail: each time it says so, frees what it has, and the machine
 * serves the next one. Allocations by the hundred are alike, so that only some are refused: each of
 * the first ones, then in steps that no period of theirs divides.
 */
#include "programs_util.h"
#include "refuse.h"

#include "comparison.h"

enum { FIRST = 200, STEP = 61, SLOW_STEP = 997, LIMIT = 200000 };

static void each_allocation_fails(void **state) {
    (void)state;
    const struct fh_map *maps[] = {fh_map_find("fhec16"), fh_map_find("cuda32")};
    const uint64_t words = 3;
    const struct fh_comparison_params params = {
        .maps = maps,
        .map_count = 2,
        .chain = {.log2_n = 8, .limbs = 2, .alpha = 1, .dnum = 2},
        .bits_32 = 28,
        .bits_64 = 60,
        .words = &words,
        .word_count = 1,
        .seed = 3,
        .verify = true,
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    unsigned refused = 0;
    for (long allowed = 0; allowed < LIMIT; allowed += allowed < FIRST ? 1
                                                       : SLOW_BUILD    ? SLOW_STEP
                                                                       : STEP) {
        struct fh_comparison report;
        struct fh_error error = {""};
        refuse_after(allowed, refused % 2);
        fhec_status status = fh_comparison_run(machine, &params, &report, &error);
        bool met = refuse_end();
        if (status != FHEC_OK && (status != FHEC_HOST_ERROR || !error.text[0]))
            fail_msg("allocation %ld refused: status %d, \"%s\"", allowed, (int)status, error.text);
        fh_comparison_free(&report);
        refused += met;
        if (!met)
            break;
    }
    assert_true(refused > FIRST);
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests_name("report_oom", tests, NULL, NULL);
}
