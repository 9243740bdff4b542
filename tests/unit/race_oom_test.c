/*
 * race_oom_test.c - every allocation of the checkers `race`, `sync` and `async` can fail: they say
 * so in the end, and lose nothing.
 */
#include "race_util.h"

#include "checkers.h"
#include "refuse.h"

enum {
    STEP = 7,
    LIMIT = 100000,
    CHECKED = 1 << FH_CHECK_RACE | 1 << FH_CHECK_SYNC | 1 << FH_CHECK_ASYNC
};

/* All that is remembered is remembered in it: copies, signals, fences, lists of readers, bytes, a
 * race, a part of a warp at a barrier. */
static const char source[] =
    ".target sm_80\n.kernel k\n.param x, 8\n.shared s, 4096\nS2R R0, SR_TID.X ;\nMOV R11, 0x4 ;\n"
    "MOV R10, RZ ;\nIMAD.WIDE.U32 R2, RZ, R11, x ;\nIMAD.WIDE.U32 R14, R0, 0x10, R2 ;\n"
    "IMAD R9, R0, 0x10, RZ ;\nLDGSTS.E.BYPASS.128 [R9], [R14.64] ;\nLDGDEPBAR ;\n"
    "DEPBAR.LE SB0, 0x0 ;\nBAR.SYNC 0x0 ;\nLDS.U8 R4, [R9] ;\nMEMBAR.SC.GPU ;\n"
    "WARPSYNC 0xffffffff ;\nRED.E.ADD.STRONG.GPU [R2.64+URZ], R0 ;\nATOMS.ADD R5, [R10+0x800], R0 "
    ";\n"
    "LDG.E R4, [R2.64+0x100] ;\nBAR.SYNC 0x1, 0x40 ;\nSTS [R9], R0 ;\nLDS R4, [R10] ;\n"
    "ISETP.NE.U32.AND P0, PT, R0, RZ, PT ;\n@P0 BAR.SYNC 0x3 ;\nEXIT ;\n.end\n";

static void each_allocation_fails(void **state) {
    const fhec_machine_options options = {.threads = 1};
    fhec_program *program;
    unsigned said = 0;
    bool met = true;
    (void)state;
    assert_int_equal(fhec_assemble("a.sass", source, sizeof source - 1, NULL, &program), FHEC_OK);
    for (long granted = 0; met && granted < LIMIT; granted += STEP) {
        struct fh_findings *findings = fh_findings_new();
        struct fh_checkers *checkers;
        fhec_machine *machine;
        uint64_t x;
        assert_non_null(findings);
        assert_int_equal(fhec_machine_new(&options, &machine), FHEC_OK);
        assert_int_equal(fhec_alloc(machine, "x", 4096, 0, &x), FHEC_OK);
        const fhec_launch launch = {.program = program,
                                    .grid = {3, 1, 1},
                                    .block = {64, 1, 1},
                                    .params = &x,
                                    .param_bytes = sizeof x,
                                    .max_steps = 10000};
        refuse_after(granted, true);
        fhec_status status = fh_checkers_begin(machine, CHECKED, findings, &checkers),
                    ran = FHEC_OK;
        if (status == FHEC_OK) {
            ran = fhec_run(machine, &launch);
            status = fh_checkers_end(checkers);
        }
        met = refuse_end();
        said += status == FHEC_HOST_ERROR || ran == FHEC_HOST_ERROR;
        if (!met) {
            assert_int_equal(status, FHEC_OK);
            assert_true(fh_findings_count(findings) >= 2);
        }
        fh_findings_free(findings);
        fhec_machine_free(machine);
    }
    assert_false(met);
    assert_true(said > 50);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests_name("race_oom", tests, NULL, NULL);
}
