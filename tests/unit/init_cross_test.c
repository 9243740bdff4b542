/*
 * init_cross_test.c - undefined bits between lanes: in which lanes, and in which bits, what a
 * shuffle, a transposition, a load of a matrix or a predicate gives is undefined, lane by lane.
 */
#include "init_util.h"

#define LANE_3 "ISETP.NE.U32.AND P3, PT, R0, 0x3, PT ;\n@P3 MOV R20, R0 ;\n"

/* Who gets what lane 3 has, the only one that has nothing. */
static void shuffles(void **state) {
    (void)state;
    static const struct {
        const char *mode;
        uint32_t lanes;
    } modes[] = {
        {"SHFL.IDX PT, R6, R20, 0x3, 0x1f", UINT32_MAX},
        {"SHFL.IDX PT, R6, R20, 0x4, 0x1f", 0},
        {"SHFL.IDX PT, R6, R20, 0x3, 0x181f", 0xff},
        {"SHFL.IDX PT, R6, R20, R0, 0x1f", 1u << 3},
        {"SHFL.UP PT, R6, R20, 0x2, 0x0", 1u << 5},
        {"SHFL.UP PT, R6, R20, 0x1, 0x0", 1u << 4},
        {"SHFL.UP PT, R6, R20, 0x4, 0x0", 1u << 3 | 1u << 7}, /* it keeps its own */
        {"SHFL.UP PT, R6, R20, 0x3, 0x0", 1u << 6},
        {"SHFL.UP PT, R6, R20, 0x5, 0x1800", 1u << 3},
        {"SHFL.DOWN PT, R6, R20, 0x2, 0x1f", 1u << 1},
        {"SHFL.DOWN PT, R6, R20, 0x1d, 0x1f", 1u << 3},
        {"SHFL.DOWN PT, R6, R20, 0x1c, 0x1f", 0},
        {"SHFL.DOWN PT, R6, R20, 0x3, 0x1f", 1u << 0},
        {"SHFL.DOWN PT, R6, R20, 0x1, 0x1c03", 1u << 2 | 1u << 3},
        {"SHFL.BFLY PT, R6, R20, 0x6, 0x1f", 1u << 5},
        {"SHFL.BFLY PT, R6, R20, 0x0, 0x1f", 1u << 3},
        {"SHFL.BFLY PT, R6, R20, 0x4, 0x1c03", 1u << 3 | 1u << 7}, /* it goes down, too */
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        char body[300];
        snprintf(body, sizeof body, LANE_3 "%s ;\n", modes[i].mode);
        init_undefined_in(body, UINT32_MAX, modes[i].lanes);
    }
    /* Bits 4:0 of B count, and bits 12:8 and 4:0 of C. */
    static const struct {
        const char *operands;
        uint32_t bits;
        uint32_t lanes;
    } counts[] = {{"R21, 0x1f", 0x1f, UINT32_MAX}, {"R21, 0x1f", 0x10, UINT32_MAX},
                  {"R21, 0x1f", 0x1, UINT32_MAX},  {"R21, 0x1f", 0xffffffe0, 0},
                  {"RZ, R21", 0x1f, UINT32_MAX},   {"RZ, R21", 0x1000, UINT32_MAX},
                  {"RZ, R21", 0x100, UINT32_MAX},  {"RZ, R21", 0xffffe0e0, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char body[300];
        snprintf(body, sizeof body,
                 "LOP3.LUT R21, R21, 0x%x, RZ, 0xc0, !PT ;\nSHFL.IDX P5, R6, R0, %s ;\n",
                 counts[i].bits, counts[i].operands);
        init_undefined_in(body, UINT32_MAX, counts[i].lanes);
        /* so with the predicate */
        snprintf(body, sizeof body,
                 "LOP3.LUT R21, R21, 0x%x, RZ, 0xc0, !PT ;\nSHFL.IDX P5, R8, R0, %s ;\n"
                 "P2R R6, PR, RZ, 0x20 ;\n",
                 counts[i].bits, counts[i].operands);
        init_undefined_in(body, UINT32_MAX, counts[i].lanes);
    }
    init_undefined_in("SHFL.IDX P5, R8, R20, RZ, 0x1f ;\nP2R R6, PR, RZ, 0x20 ;\n", UINT32_MAX, 0);
}

/* P5 of lane 0 is 1 (or 0), of lane 1 what is said; of others nobody knows. */
#define YES    "@P0 ISETP.EQ.U32.AND P5, PT, R0, RZ, PT ;\n"
#define NO     "@P0 ISETP.NE.U32.AND P5, PT, R0, RZ, PT ;\n"
#define SECOND "ISETP.EQ.U32.AND P3, PT, R0, 0x1, PT ;\n"
#define YES_1  SECOND "@P3 ISETP.EQ.U32.AND P5, PT, R0, 0x1, PT ;\n"
#define NO_1   SECOND "@P3 ISETP.NE.U32.AND P5, PT, R0, 0x1, PT ;\n"
#define BRANCH "@P6 BRA end ;\nNOP ;\nend:\n"

static void votes(void **state) {
    (void)state;
    static const struct init_case cases[] = {
        {"any of one that is", YES "VOTE.ANY P6, P5 ;\n" BRANCH, ""},
        {"any of one that is not", NO "VOTE.ANY P6, P5 ;\n" BRANCH, "C002"},
        {"any of its opposite", NO "VOTE.ANY P6, !P5 ;\n" BRANCH, ""},
        {"all of one that is", YES "VOTE.ALL P6, P5 ;\n" BRANCH, "C002"},
        {"all of one that is not", NO "VOTE.ALL P6, P5 ;\n" BRANCH, ""},
        {"all of its opposite", YES "VOTE.ALL P6, !P5 ;\n" BRANCH, ""},
        {"equal, of one that is", YES "VOTE.EQ P6, P5 ;\n" BRANCH, "C002"},
        {"equal, of one that is not", NO "VOTE.EQ P6, P5 ;\n" BRANCH, "C002"},
        {"equal, of two that differ", YES NO_1 "VOTE.EQ P6, P5 ;\n" BRANCH, ""},
        {"equal, of two that do not", YES YES_1 "VOTE.EQ P6, P5 ;\n" BRANCH, "C002"},
        {"equal, of two that are not", NO NO_1 "VOTE.EQ P6, P5 ;\n" BRANCH, "C002"},
        {"who does not act has no vote", YES NO_1 "@!P0 VOTE.ANY P6, P5 ;\n@P0 EXIT ;\n" BRANCH,
         "C002"},
        {"nor says no", NO YES_1 "@!P0 VOTE.ALL P6, P5 ;\n@P0 EXIT ;\n" BRANCH, "C002"},
        {"of those who act all are known", YES "@P0 VOTE.ALL P6, P5 ;\n@!P0 EXIT ;\n" BRANCH, ""},
        {"a ballot has nothing of others",
         YES "@P0 VOTE.ANY R6, PT, P5 ;\n@P0 STG.E [R4.64], R6 ;\n", ""},
        {"VOTEU", YES "VOTEU.ANY UP3, P5 ;\nPLOP3.LUT P6, PT, PT, PT, UP3, 0x80, 0x0 ;\n" BRANCH,
         ""},
        {"VOTEU, not decided",
         NO "VOTEU.ANY UP3, P5 ;\nPLOP3.LUT P6, PT, PT, PT, UP3, 0x80, 0x0 ;\n" BRANCH, "C002"},
    };
    init_cases(cases, sizeof cases / sizeof *cases);
    init_undefined_in(YES "VOTE.ANY R6, PT, P5 ;\n", 0x1, 0);
    init_undefined_in(YES "VOTE.ANY R6, PT, P5 ;\n", 0x2, UINT32_MAX);
    init_undefined_in(YES NO_1 "VOTE.ANY R6, PT, P5 ;\n", 0x3, 0);
    init_undefined_in(YES NO_1 "VOTE.ANY R6, PT, P5 ;\n", 0x80000000, UINT32_MAX);
    init_undefined_in(YES "@!P0 VOTE.ANY R6, PT, P5 ;\n@P0 MOV R6, RZ ;\n", 0x1, 0);
}

static void uniform(void **state) {
    (void)state;
    init_undefined_in("@P0 MOV R20, R0 ;\nR2UR UR6, R20 ;\nMOV R6, UR6 ;\n", UINT32_MAX, 0);
    init_undefined_in("@!P0 MOV R20, R0 ;\nR2UR UR6, R20 ;\nMOV R6, UR6 ;\n", UINT32_MAX,
                      UINT32_MAX);
    init_undefined_in("@!P0 MOV R20, R0 ;\n@!P0 R2UR UR6, R20 ;\nMOV R6, UR6 ;\n", UINT32_MAX, 0);
    init_undefined_in("@P0 MOV R20, R0 ;\nR2UR.OR UR6, R20 ;\nMOV R6, UR6 ;\n", UINT32_MAX,
                      UINT32_MAX);
    init_undefined_in(
        "LOP3.LUT R20, R20, 0xf0, RZ, 0xc0, !PT ;\nR2UR.OR UR6, R20 ;\nMOV R6, UR6 ;\n", 0xffffff0f,
        0);
    init_undefined_in(
        "LOP3.LUT R20, R20, 0xf0, RZ, 0xc0, !PT ;\nR2UR.OR UR6, R20 ;\nMOV R6, UR6 ;\n", 0x10,
        UINT32_MAX);
    init_undefined_in("LOP3.LUT R20, R20, 0xf0, RZ, 0xc0, !PT ;\nR2UR UR6, R20 ;\nMOV R6, UR6 ;\n",
                      0x80, UINT32_MAX);
    init_undefined_in("LOP3.LUT R20, R20, 0xf0, RZ, 0xc0, !PT ;\nR2UR UR6, R20 ;\nMOV R6, UR6 ;\n",
                      0x10f, 0);
    init_undefined_in("@P0 MOV R20, R0 ;\nREDUX.SUM UR6, R20 ;\nMOV R6, UR6 ;\n", 1, UINT32_MAX);
    init_undefined_in("@P0 MOV R20, R0 ;\n@P0 REDUX.SUM UR6, R20 ;\nMOV R6, UR6 ;\n", UINT32_MAX,
                      0);
    init_undefined_in("@P0 MOV R20, R0 ;\nMATCH.ANY R6, R20 ;\n", 1, UINT32_MAX);
    init_undefined_in("@P0 MOV R20, R0 ;\n@P0 MATCH.ANY R6, R20 ;\n@!P0 MOV R6, RZ ;\n", UINT32_MAX,
                      0);
    init_undefined_in("UP2UR UR6, UPR, URZ, 0x7e ;\nMOV R6, UR6 ;\n", 0x7e, UINT32_MAX);
    init_undefined_in("UP2UR UR6, UPR, URZ, 0x7e ;\nMOV R6, UR6 ;\n", 0x81, 0);
}

/* Of a matrix of 8 rows of 8 halves lane l has elements 2 (l % 4) and the next of row l / 4. */
static void matrices(void **state) {
    (void)state;
    /* lane 3's two are [0][6] and [0][7]: they become [6][0] and [7][0] */
    init_undefined_in(LANE_3 "MOVM.16.MT88 R6, R20 ;\n", 0xffff, 1u << 24 | 1u << 28);
    init_undefined_in(LANE_3 "MOVM.16.MT88 R6, R20 ;\n", 0xffff0000, 0);
    /* and of lane 7, of row 1, with the other half */
    static const char seven[] = "ISETP.NE.U32.AND P3, PT, R0, 0x7, PT ;\n@P3 MOV R20, R0 ;\n"
                                "MOVM.16.MT88 R6, R20 ;\n";
    init_undefined_in(seven, 0xffff, 0);
    init_undefined_in(seven, 0xffff0000, 1u << 24 | 1u << 28);
    init_undefined_in("LOP3.LUT R20, R20, 0xf0000, RZ, 0xc0, !PT ;\nMOVM.16.MT88 R6, R20 ;\n",
                      0x000f000f, 0xf0f0f0f0);
    /* Rows are at the lanes' addresses; word 2 of each row is written by nobody. */
#define ROWS "IMAD R7, R0, 0x10, RZ ;\nSTS.64 [R7], R2 ;\nSTS [R7+0xc], R4 ;\n"
    init_undefined_in(ROWS "LDSM.16.M88 R6, [R7] ;\n", UINT32_MAX, 0x44444444);
    init_undefined_in(ROWS "LDSM.16.M88.2 R6, [R7] ;\n", UINT32_MAX, 0x44444444);
    init_undefined_in(ROWS "LDSM.16.M88.2 R24, [R7] ;\nMOV R6, R25 ;\n", UINT32_MAX, 0x44444444);
    init_undefined_in(ROWS "LDSM.16.M88.4 R24, [R7] ;\nMOV R6, R27 ;\n", UINT32_MAX, 0x44444444);
    /* transposed: columns 4 and 5, of lanes 16 to 23 */
    init_undefined_in(ROWS "LDSM.16.MT88 R6, [R7] ;\n", 0xffff, 0x00ff0000);
    init_undefined_in(ROWS "LDSM.16.MT88 R6, [R7] ;\n", 0xffff0000, 0x00ff0000);
    init_undefined_in(ROWS "LDSM.16.MT88.4 R24, [R7] ;\nMOV R6, R26 ;\n", UINT32_MAX, 0x00ff0000);
    /* one row of the second matrix: lane 9's */
    static const char row[] = "IMAD R7, R0, 0x10, RZ ;\nISETP.NE.U32.AND P3, PT, R0, 0x9, PT ;\n"
                              "@P3 STS.64 [R7], R2 ;\n@P3 STS.64 [R7+0x8], R4 ;\n"
                              "STS [R7], R4 ;\n";
    char body[600];
    snprintf(body, sizeof body, "%sLDSM.16.M88.2 R24, [R7] ;\nMOV R6, R25 ;\n", row);
    init_undefined_in(body, UINT32_MAX, 0xe0);
    snprintf(body, sizeof body, "%sLDSM.16.M88.2 R24, [R7] ;\nMOV R6, R24 ;\n", row);
    init_undefined_in(body, UINT32_MAX, 0);
    /* row 1 of the second one transposed: the upper halves of lanes 4 k, but of columns 0 and 1 */
    snprintf(body, sizeof body, "%sLDSM.16.MT88.2 R24, [R7] ;\nMOV R6, R25 ;\n", row);
    init_undefined_in(body, 0xffff0000, 0x11111100);
    init_undefined_in(body, 0xffff, 0);
}

/* Which lanes' registers a matrix load needs: eight addresses for each matrix. */
static void addresses(void **state) {
    (void)state;
    static const struct init_case cases[] = {
        {"LDSM, a ninth lane's address",
         "MOV R7, R10 ;\nISETP.LT.U32.AND P3, PT, R0, 0x8, PT ;\nSTS.128 [R10], R24 ;\n"
         "@P3 MOV R20, R10 ;\nLDSM.16.M88 R6, [R20] ;\n",
         ""},
        {"LDSM, the eighth one's",
         "ISETP.LT.U32.AND P3, PT, R0, 0x7, PT ;\n@P3 MOV R20, R10 ;\nLDSM.16.M88 R6, [R20] ;\n",
         "C001"},
        {"LDSM of two, the sixteenth one's",
         "ISETP.LT.U32.AND P3, PT, R0, 0xf, PT ;\n@P3 MOV R20, R10 ;\nLDSM.16.M88.2 R6, [R20] ;\n",
         "C001"},
        {"LDSM of two, the seventeenth one's",
         "ISETP.LT.U32.AND P3, PT, R0, 0x10, PT ;\n@P3 MOV R20, R10 ;\nLDSM.16.M88.2 R6, [R20] ;\n",
         ""},
        {"LDSM of four, the last one's",
         "ISETP.LT.U32.AND P3, PT, R0, 0x1f, PT ;\n@P3 MOV R20, R10 ;\nLDSM.16.M88.4 R24, [R20] "
         ";\n",
         "C001"},
    };
    init_cases(cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffles), cmocka_unit_test(votes),     cmocka_unit_test(uniform),
        cmocka_unit_test(matrices), cmocka_unit_test(addresses),
    };
    return cmocka_run_group_tests_name("init_cross", tests, NULL, NULL);
}
