/* Which of 32 or 64 elements each instruction of small kernels has a part in, worked out by hand:
 * element i is out[i], which thread i stores last. */
#include "emu_util.h"

#include "spectrum.h"

enum { MOST = 48 };

/* Of instruction `pc` of the body: elements computed from it, and those that depend on it. */
struct marks {
    int pc;
    uint64_t values, all;
};

/* Before the body: R0 the thread, R6 the address of out[thread]. Behind it R3 is stored there. */
static const char head[] =
    ".target sm_80, fhec\n.kernel k\n.param out, 8\n.shared s, 2048\n.local 64\n"
    "S2R R0, SR_TID.X ;\nMOV R4, 0x4 ;\nIMAD.WIDE.U32 R6, R0, R4, out ;\n";
enum { BEFORE = 3 };

static void marked(const char *body, const char *last, uint32_t threads, const struct marks *want) {
    char text[8192];
    struct fh_spectrum_element elements[64];
    struct fh_spectrum_marks marks[MOST] = {{0, 0}};
    struct fh_journal *journal;
    uint64_t out;
    snprintf(text, sizeof text, "%s%s%sEXIT ;\n.end\n", head, body, last);
    fhec_program *program = emu_assemble(text);
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(fhec_alloc(machine, "out", 4096, 0, &out), FHEC_OK);
    assert_int_equal(fh_journal_begin(machine, 1 << 24, &journal), FHEC_OK);
    emu_run_ok(machine, program, 1, threads, &out, 1);
    for (uint32_t i = 0; i < threads; i++)
        elements[i] = (struct fh_spectrum_element){out + 4 * i, 4};
    assert_true(fh_spectrum_make(journal, elements, threads, marks));
    for (; want->pc > -9; want++)
        for (size_t i = 0; i < fh_journal_site_count(journal); i++) {
            const fhec_instruction *x = &fh_journal_site_get(journal, i)->instruction;
            if (x->pc == 16 * (uint64_t)(BEFORE + want->pc) &&
                (marks[i].values != want->values || marks[i].all != want->all))
                fail_msg("%s\n%s: 0x%llx of 0x%llx, not 0x%llx of 0x%llx", body, x->text,
                         (unsigned long long)marks[i].values, (unsigned long long)marks[i].all,
                         (unsigned long long)want->values, (unsigned long long)want->all);
        }
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

#define STORE             "STG.E [R6.64], R3 ;\n"
#define A                 UINT32_MAX
#define B                 UINT64_MAX
#define MARKED(body, ...) marked((body), STORE, 32, (const struct marks[]){__VA_ARGS__, {-9, 0, 0}})

static void registers(void **state) {
    (void)state;
    MARKED("MOV R3, R0 ;\n", {-3, A, A}, {-2, 0, A}, {-1, 0, A}, {0, A, A}, {1, A, A});
    MARKED("MOV R3, 0x5 ;\n", {-3, 0, A}, {0, A, A});
    MARKED("MOV R3, R0 ;\nMOV R3, 0x1 ;\n", {-3, 0, A}, {0, 0, 0}, {1, A, A});
    /* the guard leads to it; lanes 0 to 3 have the first value, the others the second */
    MARKED("ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\n@!P0 MOV R3, 0x1 ;\n@P0 MOV R3, 0x2 ;\n",
           {0, 0, A}, {1, 0xfffffff0, 0xfffffff0}, {2, 0xf, 0xf});
    MARKED("ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R3, 0x1 ;\n@P0 MOV R3, 0x2 ;\n",
           {0, 0, 0xf}, {1, 0xfffffff0, 0xfffffff0}, {2, 0xf, 0xf});
    MARKED("ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R3, 0x1 ;\n@P0 IADD3 R3, R3, 0x2, RZ ;\n",
           {0, 0, 0xf}, {1, A, A}, {2, 0xf, 0xf});
    /* a predicate that is data */
    MARKED("ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nSEL R3, R0, R4, P0 ;\n", {0, A, A});
    /* both of a pair; one of a pair */
    MARKED("MOV R10, 0x1 ;\nMOV R11, 0x2 ;\nIMAD.WIDE.U32 R8, R0, 0x3, R10 ;\nMOV R3, R8 ;\n",
           {0, A, A}, {1, A, A}, {2, A, A});
    MARKED("UMOV UR4, 0x5 ;\nUMOV UR5, 0x5 ;\nIADD3 R3, R0, UR4, RZ ;\n", {0, A, A}, {1, 0, 0});
    MARKED("UMOV UR4, 0x5 ;\nUIADD3 UR6, UR4, 0x1, URZ ;\nMOV R3, UR6 ;\n", {0, A, A}, {1, A, A});
    MARKED("UISETP.LT.AND UP1, UPT, URZ, 0x5, UPT ;\nUMOV UR6, 0x2 ;\n"
           "@UP1 UMOV UR6, 0x3 ;\nMOV R3, UR6 ;\n",
           {0, 0, A}, {1, 0, 0}, {2, A, A});
    MARKED("UMOV UR4, 0x0 ;\nUMOV UR5, 0x0 ;\nLDG.E R3, [R6.64+UR4] ;\n", {0, 0, A}, {1, 0, A},
           {2, A, A});
    MARKED("UMOV UR4, 0x0 ;\nUMOV UR5, 0x0 ;\nLDS R3, [R0.X4+UR4] ;\n", {0, 0, A}, {1, 0, 0},
           {2, A, A});
    MARKED("P2R R3, PR, RZ, 0x7f ;\n", {0, A, A});
    MARKED("ISETP.LT.U32.AND P0, P1, R0, 0x4, PT ;\nP2R R3, PR, RZ, 0x2 ;\n", {0, A, A});
}

static void lanes(void **state) {
    (void)state;
    static const struct {
        const char *mode;
        uint64_t from; /* elements that lane 3's value goes to */
    } modes[] = {
        {"SHFL.IDX PT, R3, R2, 0x3, 0x1f", A},
        {"SHFL.IDX PT, R3, R2, 0x4, 0x1f", 0},
        {"SHFL.UP PT, R3, R2, 0x2, 0x0", 1u << 5},
        {"SHFL.UP PT, R3, R2, 0x1d, 0x0", 1u << 3}, /* it has no lane so far below */
        {"SHFL.DOWN PT, R3, R2, 0x2, 0x1f", 1u << 1},
        {"SHFL.DOWN PT, R3, R2, 0x1d, 0x1f", 1u << 3},
        {"SHFL.DOWN PT, R3, R2, 0x3, 0x1f", 1u << 0},
        {"SHFL.BFLY PT, R3, R2, 0x6, 0x1f", 1u << 5},
        {"SHFL.IDX PT, R3, R2, 0x3, 0x181f", 0xffu},              /* segments of eight lanes */
        {"SHFL.UP PT, R3, R2, 0x5, 0x1800", 1u << 3},             /* 3 - 5 is not in lane 3's */
        {"SHFL.DOWN PT, R3, R2, 0x1, 0x1c03", 1u << 2 | 1u << 3}, /* four; the last keeps its own */
    };
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        char body[300];
        snprintf(body, sizeof body,
                 "ISETP.EQ.U32.AND P0, PT, R0, 0x3, PT ;\nMOV R2, 0x1 ;\n@P0 MOV R2, 0x7 ;\n%s ;\n",
                 modes[i].mode);
        MARKED(body, {2, modes[i].from, modes[i].from}, {1, A ^ modes[i].from, A ^ modes[i].from});
    }
#define ONE "ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\n@P0 MOV R2, 0x7 ;\n@!P0 MOV R2, 0x8 ;\n"
    MARKED(ONE "R2UR UR4, R2 ;\nMOV R3, UR4 ;\n", {1, A, A}, {2, 0, 0}, {3, A, A});
    MARKED(ONE "@!P0 R2UR UR4, R2 ;\nMOV R3, UR4 ;\n", {1, 0, 0}, {2, A, A}, {3, A, A});
    MARKED(ONE "VOTE.ANY R3, PT, P0 ;\n", {0, A, A}, {1, 0, 0});
    MARKED(ONE "REDUX.SUM UR4, R2 ;\nMOV R3, UR4 ;\n", {1, A, A}, {2, A, A});
    MARKED(ONE "@P0 REDUX.SUM UR4, R2 ;\nMOV R3, UR4 ;\n", {1, A, A}, {2, 0, 0});
}

#define BYTES "IMAD R9, R0, 0x4, RZ ;\n"

static void memory(void **state) {
    (void)state;
    /* thread t's word comes from thread 31 - t */
    MARKED(BYTES
           "IADD3 R2, R0, 0x7, RZ ;\nSTS [R9], R2 ;\nLOP3.LUT R10, R9, 0x7c, RZ, 0x3c, !PT ;\n"
           "LDS R3, [R10] ;\n",
           {-3, A, A}, {0, 0, A}, {1, A, A}, {2, A, A}, {3, 0, A}, {4, A, A}, {5, A, A});
    MARKED(BYTES "ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R2, 0x1 ;\n@P0 MOV R2, 0x2 ;\n"
                 "STS [R9], R2 ;\nLOP3.LUT R10, R9, 0x7c, RZ, 0x3c, !PT ;\nLDS R3, [R10] ;\n",
           {1, 0, 0xf0000000}, {2, 0x0fffffff, 0x0fffffff}, {3, 0xf0000000, 0xf0000000});
    /* word k of a pair, or of four, is in register k */
    MARKED("IMAD R8, R0, 0x8, RZ ;\nMOV R10, 0x1 ;\nMOV R11, 0x2 ;\nSTS.64 [R8], R10 ;\n" BYTES
           "LDS R3, [R9] ;\n",
           {0, 0, A}, {1, 0x55555555, 0x55555555}, {2, 0xaaaaaaaa, 0xaaaaaaaa}, {3, A, A});
    MARKED(
        "IMAD R8, R0, 0x10, RZ ;\nMOV R12, 0x1 ;\nMOV R13, 0x2 ;\nMOV R14, 0x1 ;\nMOV R15, 0x2 ;\n"
        "STS.128 [R8], R12 ;\n" BYTES "LDS R3, [R9] ;\n",
        {1, 0x11111111, 0x11111111}, {2, 0x22222222, 0x22222222}, {3, 0x44444444, 0x44444444},
        {4, 0x88888888, 0x88888888});
    MARKED("MOV R12, 0x1 ;\nMOV R13, 0x2 ;\nSTS [RZ], R12 ;\nSTS [RZ+0x4], R13 ;\n"
           "LDS.64 R10, [RZ] ;\nMOV R3, R11 ;\n",
           {0, 0, 0}, {1, A, A}, {2, 0, 0}, {3, A, A}, {4, A, A});
    /* what is overwritten has no part; what is left of a word has */
    MARKED(BYTES "STS [R9], R0 ;\nSTS [R9], R4 ;\nLDS R3, [R9] ;\n", {1, 0, 0}, {2, A, A});
    MARKED(BYTES "STS [R9], R0 ;\nSTS.U8 [R9+0x3], R4 ;\nLDS R3, [R9] ;\n", {1, A, A}, {2, A, A});
    MARKED(BYTES "STS [R9], R0 ;\nSTS.U16 [R9], R4 ;\nLDS R3, [R9] ;\n", {1, A, A}, {2, A, A});
    MARKED(BYTES "STS [R9], R0 ;\nSTS.U8 [R9+0x203], R4 ;\nLDS R3, [R9] ;\n", {1, A, A}, {2, 0, 0});
    /* an atomic operation reads what it writes */
    MARKED(BYTES "STS [R9], R0 ;\nATOMS.ADD RZ, [R9], R4 ;\nLDS R3, [R9] ;\n", {1, A, A},
           {2, A, A});
    MARKED(BYTES "STS [R9], R0 ;\nATOMS.ADD R3, [R9], R4 ;\n", {1, A, A}, {2, A, A});
    /* a lane's own */
    MARKED("STL [RZ+0x8], R0 ;\nLDL R3, [RZ+0x8] ;\n", {-3, A, A}, {0, A, A}, {1, A, A});
    MARKED(
        "ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\n@!P0 STL [RZ+0x8], R0 ;\n@P0 STL [RZ+0x8], R4 ;\n"
        "LDL R3, [RZ+0x8] ;\n",
        {1, 0xfffffff0, 0xfffffff0}, {2, 0xf, 0xf});
    MARKED("STL [RZ+0x8], R0 ;\nLDL R3, [RZ+0xc] ;\n", {0, 0, 0}, {1, A, A});
    /* global memory is one for all */
    MARKED("STG.E [R6.64+0x400], R0 ;\nLDG.E R3, [R6.64+0x400] ;\n", {0, A, A}, {1, A, A});
    MARKED("STG.E [R6.64+0x404], R0 ;\nLDG.E R3, [R6.64+0x400] ;\n", {0, 0xfffffffe, 0xfffffffe});
    MARKED("MOV R3, R0 ;\nSTG.E [R6.64], R4 ;\n", {0, A, A}, {1, 0, 0});
}

/* Warps have shared memory in common, and neither registers nor local memory. */
static void warps(void **state) {
    (void)state;
    static const uint64_t low = A, high = B ^ A;
    marked("ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n@P0 MOV R2, 0x1 ;\n@!P0 MOV R2, 0x2 ;\n"
           "STL [RZ], R2 ;\nLDL R3, [RZ] ;\n",
           STORE, 64,
           (const struct marks[]){{0, 0, B}, {1, low, low}, {2, high, high}, {-9, 0, 0}});
    marked("IMAD R9, R0, 0x4, RZ ;\nLOP3.LUT R10, R9, 0xfc, RZ, 0x3c, !PT ;\n"
           "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n@P0 MOV R2, 0x1 ;\n@!P0 MOV R2, 0x2 ;\n"
           "STS [R9], R2 ;\nBAR.SYNC 0x0 ;\nLDS R3, [R10] ;\n",
           STORE, 64, (const struct marks[]){{3, high, high}, {4, low, low}, {-9, 0, 0}});
}

/* Nobody stores the last elements: the guard that keeps lanes from it leads to them. */
static void not_stored(void **state) {
    (void)state;
    marked(
        "ISETP.LT.U32.AND P0, PT, R0, 0x1c, PT ;\nMOV R3, 0x5 ;\nMOV R12, 0x3 ;\n", "@P0 " STORE,
        32,
        (const struct marks[]){{0, 0, A}, {2, 0, 0}, {3, 0x0fffffff, A}, {-1, 0, A}, {-9, 0, 0}});
    marked("ISETP.GE.U32.AND P0, PT, R0, 0x1c, PT ;\nMOV R3, 0x5 ;\nMOV R12, 0x3 ;\n"
           "@P0 EXIT ;\n",
           STORE, 32,
           (const struct marks[]){
               {0, 0, 0xf0000000}, {2, 0, 0}, {3, 0, 0xf0000000}, {4, 0x0fffffff, A}, {-9, 0, 0}});
    /* lanes that do not execute the store have no part in where it goes; the last one that does has
     */
    marked("ISETP.LT.U32.AND P0, PT, R0, 0x1c, PT ;\nMOV R3, 0x5 ;\n@!P0 MOV R6, R6 ;\n"
           "ISETP.EQ.U32.AND P1, PT, R0, 0x1b, PT ;\n@P1 MOV R6, R6 ;\n",
           "@P0 " STORE, 32,
           (const struct marks[]){{2, 0, 0}, {4, 0, 0xf8000000}, {5, 0x0fffffff, A}, {-9, 0, 0}});
    /* a branch leads to all that its warp goes on to do */
    marked("ISETP.GE.U32.AND P0, PT, R0, 0x1c, PT ;\nMOV R3, 0x5 ;\n@P0 BRA next ;\nMOV R3, 0x6 ;\n"
           "next:\n",
           STORE, 32,
           (const struct marks[]){{0, 0, A},
                                  {1, 0xf0000000, 0xf0000000},
                                  {2, 0, A},
                                  {3, 0x0fffffff, 0x0fffffff},
                                  {-9, 0, 0}});
}

#define FACTORS                                                                                    \
    "MOV R24, R0 ;\nMOV R25, R0 ;\nMOV R26, R0 ;\nMOV R27, R0 ;\nMOV R28, R0 ;\nMOV R29, R0 ;\n"   \
    "MOV R30, R0 ;\nMOV R31, R0 ;\n"                                                               \
    "ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R32, 0x1 ;\n@P0 MOV R32, 0x2 ;\nMOV R33, 0x1 ;\n" \
    "MOV R34, 0x1 ;\nMOV R35, 0x1 ;\n"                                                             \
    "MOV R36, 0x1 ;\n@P0 MOV R36, 0x2 ;\nMOV R37, 0x1 ;\nMOV R38, 0x1 ;\nMOV R39, 0x1 ;\n"         \
    "UMOV UR8, 0x7 ;\nUMOV UR9, 0x0 ;\nUMOV UR10, 0x92492492 ;\nUMOV UR11, 0x24924924 ;\n"         \
    "FHEC.16816.U32.U32 R40, R24.ROW, R32.COL, R36, UR8 ;\n"

/* Of D register 0 of lane l is [l / 4][2 (l % 4)], register 3 [8 + l / 4][2 (l % 4) + 1]. A's even
 * registers have rows 0 to 7, its odd ones the others; of B's lanes l has column l / 4. */
static void matrices(void **state) {
    (void)state;
    MARKED(FACTORS "MOV R3, R40 ;\n", {0, A, A}, {1, 0, 0}, {2, A, A}, {3, 0, 0}, {6, A, A},
           {7, 0, 0}, {8, 0, 0x1111111f}, {9, A ^ 0x11111111, A ^ 0x11111111},
           {10, 0x11111111, 0x11111111}, {11, A, A}, {13, A, A}, {14, 0xfffffff0, 0xfffffff0},
           {15, 0xf, 0xf}, {16, 0, 0}, {17, 0, 0}, {18, 0, 0}, {19, A, A}, {20, A, A}, {21, A, A},
           {22, A, A}, {23, A, A});
    /* column 0 is in none of register 3 */
    MARKED(FACTORS "MOV R3, R43 ;\n", {0, 0, 0}, {1, A, A}, {2, 0, 0}, {3, A, A}, {6, 0, 0},
           {7, A, A}, {9, A, A}, {10, 0, 0}, {11, A, A}, {13, A, A}, {14, 0, 0}, {15, 0, 0},
           {16, 0, 0}, {17, 0, 0}, {18, A, A}, {19, A, A});
    /* one row of A: lanes 4 to 7 have row 1 */
    MARKED("ISETP.GE.U32.AND P0, PT, R0, 0x4, PT ;\nISETP.LT.U32.AND P0, PT, R0, 0x8, P0 ;\n"
           "MOV R24, 0x1 ;\n@P0 MOV R24, 0x2 ;\nMOV R25, 0x0 ;\nMOV R26, 0x3 ;\nMOV R27, 0x0 ;\n"
           "IMMA.16816.U8.U8 R40, R24.ROW, R26.COL, RZ ;\nMOV R3, R40 ;\n",
           {3, 0xf0, 0xf0}, {2, A ^ 0xf0, A ^ 0xf0}, {4, 0, 0}, {5, A, A}, {6, 0, 0});
    /* LDSM: register i of lane l is word l % 4 of row l / 4 of matrix i, at the address of lane
     * 8 i + l / 4 */
    MARKED("IMAD R9, R0, 0x10, RZ ;\nIMAD R8, R0, 0x4, RZ ;\n"
           "ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R2, 0x1 ;\n@P0 MOV R2, 0x2 ;\n"
           "STS [R8], R2 ;\nSTS [R8+0x80], R4 ;\nLDSM.16.M88.2 R10, [R9] ;\nMOV R3, R10 ;\n",
           {4, 0xf, 0xf}, {3, 0xfffffff0, 0xfffffff0}, {5, A, A}, {6, 0, 0}, {7, A, A}, {0, 0, A});
    MARKED("IMAD R9, R0, 0x10, RZ ;\nIMAD R8, R0, 0x4, RZ ;\n"
           "ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R2, 0x1 ;\n@P0 MOV R2, 0x2 ;\n"
           "STS [R8], R2 ;\nSTS [R8+0x80], R4 ;\nLDSM.16.M88.2 R10, [R9] ;\nMOV R3, R11 ;\n",
           {4, 0, 0}, {5, 0, 0}, {6, A, A}, {7, A, A});
    /* .T: halves of rows 2 (l % 4) and the next one, column l / 4: row 0 goes to lanes 4 k */
    MARKED("IMAD R9, R0, 0x10, RZ ;\nIMAD R8, R0, 0x4, RZ ;\n"
           "ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;\nMOV R2, 0x1 ;\n@P0 MOV R2, 0x2 ;\n"
           "STS [R8], R2 ;\nLDSM.16.MT88 R10, [R9] ;\nMOV R3, R10 ;\n",
           {4, 0x11111111, 0x11111111}, {3, A, A}, {5, A, A});
}

/* Elements of other sizes; of more than 64 only the first ones are looked at. */
static void elements(void **state) {
    (void)state;
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel k\n.param out, 8\nS2R R0, SR_TID.X ;\nMOV R4, 0x4 ;\n"
                     "IMAD.WIDE.U32 R6, R0, R4, out ;\nISETP.LT.U32.AND P0, PT, R0, 0x2, PT ;\n"
                     "@P0 MOV R3, R0 ;\n@!P0 MOV R3, 0x5 ;\nSTG.E [R6.64], R3 ;\nEXIT ;\n.end\n");
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_journal *journal;
    uint64_t out;
    assert_int_equal(fhec_alloc(machine, "out", 4096, 0, &out), FHEC_OK);
    assert_int_equal(fh_journal_begin(machine, 1 << 24, &journal), FHEC_OK);
    emu_run_ok(machine, program, 1, 32, &out, 1);
    static const struct {
        uint32_t offset, bytes;
        bool first, second; /* of lanes 0 and 1; of others */
    } cases[] = {
        {0, 4, true, false}, {4, 4, true, false}, {8, 4, false, true},
        {4, 8, true, true},  {0, 8, true, false}, {8, 8, false, true},
        {7, 1, true, false}, {8, 1, false, true}, {7, 2, true, true},
    };
    struct fh_spectrum_element list[65];
    struct fh_spectrum_marks marks[16] = {{0, 0}};
    uint64_t first = 0, second = 0;
    for (size_t i = 0; i < 65; i++) {
        const size_t k = i % COUNT_OF(cases);
        list[i] = (struct fh_spectrum_element){out + cases[k].offset, cases[k].bytes};
        first |= i < 64 ? (uint64_t)cases[k].first << i : 0;
        second |= i < 64 ? (uint64_t)cases[k].second << i : 0;
    }
    assert_true(fh_spectrum_make(journal, list, 65, marks));
    assert_int_equal(marks[4].values, first);
    assert_int_equal(marks[5].values, second);
    assert_int_equal(marks[6].values, B);
    memset(marks, 0, sizeof marks);
    assert_true(fh_spectrum_make(journal, list, 3, marks));
    assert_int_equal(marks[4].values, 3);
    assert_int_equal(marks[5].values, 4);
    assert_int_equal(marks[6].all, 7);
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers), cmocka_unit_test(lanes),      cmocka_unit_test(memory),
        cmocka_unit_test(warps),     cmocka_unit_test(not_stored), cmocka_unit_test(matrices),
        cmocka_unit_test(elements),
    };
    return cmocka_run_group_tests_name("difference_spectrum", tests, NULL, NULL);
}
