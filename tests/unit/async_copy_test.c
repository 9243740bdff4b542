/*
 * async_copy_test.c - asynchronous copies: read before the wait, written over, behind the wrong
 * group, and the barrier that other warps need.
 */
#include "race_util.h"

#define AT    "IMAD R9, R0, 0x10, RZ ;\nIMAD.WIDE.U32 R14, R0, 0x10, R2 ;\n"
#define COPY  "LDGSTS.E.BYPASS.128 [R9], [R14.64] ;\n"
#define CLOSE "LDGDEPBAR ;\n"
#define WAIT  "DEPBAR.LE SB0, 0x0 ;\n"

static void copies(void **state) {
    static const struct race_case cases[] = {
        {"the own copy, waited for", 1, 32, AT COPY CLOSE WAIT "LDS.128 R16, [R9] ;\n", ""},
        {"not waited for", 1, 32, AT COPY CLOSE "LDS.128 R16, [R9] ;\n", "C040"},
        {"one word of it", 1, 32, AT COPY CLOSE "LDS R16, [R9+0xc] ;\n", "C040"},
        {"the last of two, one outstanding", 1, 32,
         AT COPY CLOSE "LDGSTS.E.BYPASS.128 [R9+0x200], [R14.64] ;\n" CLOSE
                       "DEPBAR.LE SB0, 0x1 ;\nLDS.128 R16, [R9+0x200] ;\n",
         "C040"},
        {"the first of two", 1, 32,
         AT COPY CLOSE "LDGSTS.E.BYPASS.128 [R9+0x200], [R14.64] ;\n" CLOSE
                       "DEPBAR.LE SB0, 0x1 ;\nLDS.128 R16, [R9] ;\n",
         ""},
        {"in no group", 1, 32, AT COPY WAIT "LDS.128 R16, [R9] ;\n", "C040"},
        {"a barrier is no wait", 1, 64, AT COPY CLOSE "BAR.SYNC 0x0 ;\nLDS.128 R16, [R9] ;\n",
         "C040"},
        {"others wait for the barrier, too", 1, 64,
         AT COPY CLOSE WAIT "LOP3.LUT R9, R9, 0x200, RZ, 0x3c, !PT ;\nBAR.SYNC 0x0 ;\n"
                            "LDS.128 R16, [R9] ;\n",
         ""},
        {"they do not", 1, 64,
         AT COPY CLOSE WAIT "LOP3.LUT R9, R9, 0x200, RZ, 0x3c, !PT ;\nLDS.128 R16, [R9] ;\n",
         "C021 C042"},
        {"the barrier before the wait", 1, 64,
         AT COPY CLOSE "LOP3.LUT R9, R9, 0x200, RZ, 0x3c, !PT ;\nBAR.SYNC 0x0 ;\n" WAIT
                       "LDS.128 R16, [R9] ;\n",
         "C021 C040"},
        {"written over before the wait", 1, 32, AT COPY CLOSE "STS [R9], R0 ;\n", "C041"},
        {"written over behind it", 1, 32, AT COPY CLOSE WAIT "STS [R9], R0 ;\n", ""},
        {"the next copy while others read", 1, 64,
         AT COPY CLOSE WAIT "BAR.SYNC 0x0 ;\nLOP3.LUT R17, R9, 0x200, RZ, 0x3c, !PT ;\n"
                            "LDS.128 R20, [R17] ;\n" COPY CLOSE WAIT,
         "C021 C042"},
        {"when all have read", 1, 64,
         AT COPY CLOSE WAIT "BAR.SYNC 0x0 ;\nLOP3.LUT R17, R9, 0x200, RZ, 0x3c, !PT ;\n"
                            "LDS.128 R20, [R17] ;\nBAR.SYNC 0x0 ;\n" COPY CLOSE WAIT,
         ""},
        {"a half of the warp waits", 1, 32,
         AT COPY CLOSE "@!P3 BRA read ;\nDEPBAR.LE SB0, 0x0 ;\nread: LDS.128 R16, [R9] ;\n",
         "C040"},
        {"each half waits for its own", 1, 32,
         AT COPY CLOSE "@!P3 BRA other ;\nDEPBAR.LE SB0, 0x0 ;\nLDS.128 R16, [R9] ;\nBRA out ;\n"
                       "other: DEPBAR.LE SB0, 0x0 ;\nLDS.128 R16, [R9] ;\nout: NOP ;\n",
         ""},
        {"a half arrives at an mbarrier", 1, 32,
         AT COPY "@P3 ARRIVES.LDGSTSBAR.64 [R10+URZ+0xc00] ;\nLDS.128 R16, [R9] ;\n", "C040"},
        {"an mbarrier", 1, 64,
         "MOV R20, 0x3fffffc0 ;\nMOV R21, 0x7fffffc0 ;\n@P4 STS.64 [R10+0xc00], R20 ;\n"
         "BAR.SYNC 0x0 ;\n" AT COPY "ARRIVES.LDGSTSBAR.64 [R10+URZ+0xc00] ;\n"
         "spin: LDS.64 R22, [R10+0xc00] ;\nISETP.GE.AND P5, PT, R23, RZ, PT ;\n@P5 BRA spin ;\n"
         "LOP3.LUT R9, R9, 0x200, RZ, 0x3c, !PT ;\nLDS.128 R16, [R9] ;\n",
         ""},
    };
    (void)state;
    race_cases(cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies)};
    return cmocka_run_group_tests_name("async_copy", tests, NULL, NULL);
}
