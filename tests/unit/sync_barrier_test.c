/*
 * sync_barrier_test.c - barriers and shuffles with lanes missing, and who waits for whom.
 */
#include "race_util.h"

static void barriers(void **state) {
    static const struct race_case cases[] = {
        {"all of them", 1, 64, "BAR.SYNC 0x0 ;\n", ""},
        {"a block that ends within a warp", 1, 48, "BAR.SYNC 0x0 ;\nBAR.SYNC 0x0 ;\n", ""},
        {"half a warp", 1, 64, "@P3 BAR.SYNC 0x0 ;\n@!P3 BAR.SYNC 0x0 ;\n", "C030"},
        {"halves at two barriers of one number", 1, 32,
         "BSSY B0, out ;\n@P3 BRA low ;\nBAR.SYNC 0x0 ;\nBRA out ;\nlow: BAR.SYNC 0x0 ;\n"
         "out: BSYNC B0 ;\n",
         "C030"},
        {"warps apart", 1, 64, "@P1 BAR.SYNC 0x0 ;\n@!P1 BAR.SYNC 0x0 ;\n", ""},
        {"lanes that have ended", 1, 64, "@P0 EXIT ;\nBAR.SYNC 0x0 ;\n", "C031"},
        {"a warp that has ended", 1, 64, "@P1 EXIT ;\nBAR.SYNC 0x0 ;\n", ""},
        {"a count of 48", 1, 64, "@P1 BAR.ARV 0x1, 0x30 ;\n@!P1 BAR.SYNC 0x1, 0x30 ;\n", "C032"},
        {"a count of more than there are", 1, 64, "BAR.SYNC 0x1, 0x60 ;\n", "C032 C036"},
        {"a count of those that come", 1, 64, "BAR.SYNC 0x1, 0x40 ;\n", ""},
        {"two counts", 1, 96, "@P1 BAR.SYNC 0x1, 0x60 ;\n@!P1 BAR.SYNC 0x1, 0x40 ;\n", "C032"},
        {"another count in the next round", 1, 64,
         "BAR.SYNC 0x1, 0x40 ;\n@P1 BAR.SYNC 0x1, 0x20 ;\n", ""},
        {"a count and none", 1, 64, "@P1 BAR.SYNC 0x1, 0x40 ;\n@!P1 BAR.SYNC 0x1 ;\n", "C032"},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

static void warps(void **state) {
    static const struct race_case cases[] = {
        {"WARPSYNC", 1, 32, "WARPSYNC 0xffffffff ;\n", ""},
        {"halves with masks of their own", 1, 32,
         "MOV R9, 0xffff ;\n@!P3 MOV R9, 0xffff0000 ;\nWARPSYNC R9 ;\n", ""},
        {"a mask without the lane", 1, 32, "WARPSYNC 0xffff ;\n", "C033"},
        {"only those that it names", 1, 32, "@P3 WARPSYNC 0xffff ;\n", ""},
        {"masks that overlap", 1, 32,
         "MOV R9, 0x1ffff ;\n@!P3 MOV R9, 0xffff0000 ;\nWARPSYNC R9 ;\n", "C033"},
        {"a mask with lanes that end", 1, 32, "@!P3 BRA out ;\nWARPSYNC 0xffffffff ;\nout: NOP ;\n",
         "C034"},
        {"lanes that end behind it", 1, 32, "WARPSYNC 0xffffffff ;\n@!P3 EXIT ;\n", ""},
        {"lanes that have ended before", 1, 32, "@!P3 EXIT ;\nWARPSYNC 0xffffffff ;\n", ""},
        {"a shuffle", 1, 32, "SHFL.BFLY PT, R9, R7, 0x10, 0x1f ;\n", ""},
        {"from lanes that are not active", 1, 32,
         "@P3 SHFL.BFLY PT, R9, R7, 0x10, 0x1f ;\nSTG.E [R4.64], R9 ;\n", "C035"},
        {"within those that are", 1, 32, "@P3 SHFL.BFLY PT, R9, R7, 0x8, 0x1f ;\n", ""},
        {"up, from below the segment", 1, 32, "@P3 SHFL.UP PT, R9, R7, 0x1, 0x0 ;\n", ""},
        {"down, over the border", 1, 32,
         "@P3 SHFL.DOWN PT, R9, R7, 0x1, 0x1f ;\nSTG.E [R4.64], R9 ;\n", "C035"},
        {"into what nobody uses", 1, 32,
         "@P3 SHFL.DOWN PT, R9, R7, 0x8, 0x1f ;\nIADD3 R9, R9, R7, RZ ;\n"
         "@P3 SHFL.DOWN PT, R12, R9, 0x4, 0x1f ;\n@P0 STG.E [R4.64], R12 ;\n",
         ""},
        {"into what decides a branch", 1, 32,
         "@P3 SHFL.DOWN PT, R9, R7, 0x1, 0x1f ;\nISETP.EQ.U32.AND P5, PT, R9, RZ, P3 ;\n"
         "@P5 BRA out ;\nout: NOP ;\n",
         "C035"},
        {"what nobody wrote is the business of init", 1, 32, "STG.E [R4.64], R20 ;\n", ""},
        {"a segment of 16", 1, 32, "@P3 SHFL.DOWN PT, R9, R7, 0x1, 0x100f ;\n", ""},
        {"from one lane, by register", 1, 32,
         "MOV R9, 0x11 ;\n@P3 SHFL.IDX PT, R9, R7, R9, 0x1f ;\nSTG.E [R4.64], R9 ;\n", "C035"},
        {"from a lane that the block does not have", 1, 20,
         "SHFL.IDX PT, R9, R7, 0x14, 0x1f ;\nSTG.E [R4.64], R9 ;\n", "C035"},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

/* Who waits for whom. */
static void deadlock(void **state) {
    const struct race_case c = {"deadlock", 1, 64,
                                "@P1 BAR.SYNC 0x1, 0x40 ;\n@!P1 BAR.SYNC 0x2, 0x40 ;\n", "C036"};
    (void)state;
    struct fh_findings *findings = race_findings(&c);
    assert_int_equal(fh_findings_count(findings), 2);
    for (size_t i = 0; i < 2; i++) {
        const struct fh_finding *f = fh_findings_get(findings, i);
        assert_string_equal(fh_finding_id(f->kind), "C036");
        assert_int_equal(race_instruction(&f->at), i);
        assert_int_equal(race_instruction(&f->other), 1 - i);
        assert_int_equal(f->at.warp, i);
        assert_int_equal(f->at.lanes, UINT32_MAX);
    }
    const char *message = fh_findings_get(findings, 0)->message;
    assert_non_null(strstr(message, "waits at barrier 1, where 32 of 64 threads have come"));
    assert_non_null(strstr(message, "lane 0 of warp 1 waits at barrier 2"));
    fh_findings_free(findings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers),
        cmocka_unit_test(warps),
        cmocka_unit_test(deadlock),
    };
    return cmocka_run_group_tests_name("sync_barrier", tests, NULL, NULL);
}
