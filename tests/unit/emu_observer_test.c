/*
 * emu_observer_test.c - what observers are told, event by event, with all values, on kernels whose
 * every event has been worked out by hand; filters; that looking changes nothing.
 */
#include "event_log.h"

static const struct {
    fhec_engine engine;
    fhec_simd simd;
} levels[] = {
    {FHEC_ENGINE_FAST, FHEC_SIMD_BEST},
    {FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
    {FHEC_ENGINE_REF, FHEC_SIMD_BEST},
};

/* Runs the kernel with a buffer of 4096 bytes as its parameter, observed with the filter, and
 * compares what is told with `expected`; NULL: any; the log is the caller's then. */
static struct event_log *observe(const char *text, uint32_t blocks, uint32_t threads,
                                 const fhec_filter *filter, fhec_status status,
                                 const char *expected) {
    fhec_program *program = emu_assemble(text);
    struct event_log *log = NULL;
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        fhec_machine *m = emu_machine(levels[i].engine, levels[i].simd, 2);
        uint64_t out;
        if (log)
            event_log_free(log);
        log = event_log_new(SIZE_MAX);
        fhec_observer observer = event_log_observer(log, false);
        observer.filter = *filter;
        assert_int_equal(fhec_alloc(m, "out", 4096, 0, &out), FHEC_OK);
        assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
        assert_int_equal(emu_run(m, program, blocks, threads, &out, 1), status);
        if (expected && strcmp(log->text, expected) != 0)
            fail_msg("level %zu told\n%s\nand not\n%s", i, log->text, expected);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
    return log;
}

static void expect(const char *text, uint32_t blocks, uint32_t threads, uint32_t kinds,
                   const char *expected) {
    const fhec_filter filter = {.kinds = kinds};
    event_log_free(observe(text, blocks, threads, &filter, FHEC_OK, expected));
}

#define BIT(kind) FHEC_EVENT_BIT(FHEC_EVENT_##kind)
/* Loads of the parameter, as operands: whole, and one half after the other. */
#define WIDE_OUT                                                                                   \
    "  constant load of 8, lanes ffffffff: 160 .. 160, 00007f0000000000 .. 00000000 out+0\n"
#define HALVES_OUT                                                                                 \
    "  constant load of 4, lanes ffffffff: 160 .. 160, 00000000 .. 00000000 out+0\n"               \
    "  constant load of 4, lanes ffffffff: 164 .. 164, 00007f00 .. 00007f00 out+4\n"
enum { VALUES = BIT(ISSUE) | BIT(ACCESS) | BIT(RETIRE) };

/* Every kind of register and memory; lanes 0-15 store at l * l in the end, which is misaligned for
 * odd lanes. */
static void test_events(void **unused) {
    (void)unused;
    static const char kernel[] = ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 128\n"
                                 "S2R R0, SR_LANEID ;\n"
                                 "IADD3 R1, P1, R0, -0x10, RZ ;\n"
                                 "@!P1 MOV R2, 0x7 ;\n"
                                 "@P2 MOV R3, 0x7 ;\n"
                                 "UMOV UR3, 0x99 ;\n"
                                 "UISETP.EQ.AND UP1, UPT, UR3, 0x99, UPT ;\n"
                                 "@!UP1 UMOV UR3, 0x1 ;\n"
                                 "IMAD.WIDE.U32 R4, R0, R0, c[0x0][0x160] ;\n"
                                 "STS [R0.X4], R1 ;\n"
                                 "@!P1 STG.E [R4.64+-0x0], R0 ;\n"
                                 "EXIT ;\n.end\n";
    static const char expected[] =
        "launch 1\n"
        "block begins 0,0,0\n"
        "warp begins 0: ffffffff\n"
        "0,0,0 w0 000 ffffffff S2R R0, SR_LANEID\n"
        "->\n  R0 = 0 1 .. 1f\ndone 000\n"
        "0,0,0 w0 010 ffffffff IADD3 R1, P1, R0, -0x10, RZ\n"
        "  R0 = 0 1 .. 1f\n"
        "->\n  R1 = fffffff0 fffffff1 .. f\n  P1 = ffff0000\ndone 010\n"
        "0,0,0 w0 020 0000ffff @!P1 MOV R2, 0x7\n"
        "  P1 = ffff0000\n"
        "->\n  R2 = 7 7 .. 0\ndone 020\n"
        "0,0,0 w0 030 00000000 @P2 MOV R3, 0x7\n"
        "  P2 = 0\n"
        "->\ndone 030\n"
        "0,0,0 w0 040 ffffffff UMOV UR3, 0x99\n"
        "->\n  UR3 = 99\ndone 040\n"
        "0,0,0 w0 050 ffffffff UISETP.EQ.AND UP1, UPT, UR3, 0x99, UPT\n"
        "  UR3 = 99\n"
        "->\n  UP1 = 1\ndone 050\n"
        "0,0,0 w0 060 00000000 @!UP1 UMOV UR3, 0x1\n"
        "  UP1 = 1\n"
        "->\ndone 060\n"
        "0,0,0 w0 070 ffffffff IMAD.WIDE.U32 R4, R0, R0, c[0x0][0x160]\n"
        "  R0 = 0 1 .. 1f\n  R0 = 0 1 .. 1f\n" WIDE_OUT
        "->\n  R4 = 0 1 .. 3c1\n  R5 = 7f00 7f00 .. 7f00\ndone 070\n"
        "0,0,0 w0 080 ffffffff STS [R0.X4], R1\n"
        "  R0 = 0 1 .. 1f\n  R1 = fffffff0 fffffff1 .. f\n"
        "  shared store of 4, lanes ffffffff: 0 .. 7c, fffffff0 .. 0000000f s+124\n"
        "->\ndone 080\n"
        "0,0,0 w0 090 0000ffff @!P1 STG.E [R4.64], R0\n"
        "  P1 = ffff0000\n  R4 = 0 1 .. 3c1\n  R5 = 7f00 7f00 .. 7f00\n  R0 = 0 1 .. 1f\n"
        "fault misaligned address at 090, w0, lanes 0000aaaa\n"
        "launch 1 ends with 3, 9 instructions\n";
    const fhec_filter filter = {.kinds = 0};
    event_log_free(observe(kernel, 1, 32, &filter, FHEC_GUEST_FAULT, expected));
}

/* Loads and stores of every width, with their values and where in which object they are. Addresses
 * are taken before the load that overwrites them. */
static void test_accesses(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 1024\n.local 16\n"
           "S2R R0, SR_LANEID ;\n"
           "IMAD R1, R0, 0x10, RZ ;\nMOV R4, 0x11223384 ;\nMOV R5, 0x55667788 ;\n"
           "MOV R6, 0x99aabbcc ;\nIADD3 R7, R0, 0x70, RZ ;\n"
           "MOV R2, out ;\nMOV R3, out+4 ;\n"
           "STS.128 [R1], R4 ;\n"
           "LDS.U8 R8, [R1] ;\n"
           "LDS.S8 R9, [R1] ;\n"
           "LDS.U16 R10, [R1+0x2] ;\n"
           "LDS.64 R12, [R1+0x8] ;\n"
           "STL [RZ+0x4], R7 ;\n"
           "LDL R14, [RZ+0x4] ;\n"
           "STG.E.U8 [R2.64+0x9], R7 ;\n"
           "LDG.E R2, [R2.64+0x8] ;\n"
           "MOV R16, 0x160 ;\n"
           "LDC R17, c[0x0][R16] ;\n"
           "EXIT ;\n.end\n",
           1, 32, BIT(ACCESS),
           HALVES_OUT
           "  shared store of 16, lanes ffffffff: 0 .. 1f0, "
           "0000007099aabbcc5566778811223384 .. 11223384 s+496\n"
           "  shared load of 1, lanes ffffffff: 0 .. 1f0, 00000084 .. 00000084 s+496\n"
           "  shared load of 1, lanes ffffffff: 0 .. 1f0, 00000084 .. 00000084 s+496\n"
           "  shared load of 2, lanes ffffffff: 2 .. 1f2, 00001122 .. 00001122 s+498\n"
           "  shared load of 8, lanes ffffffff: 8 .. 1f8, 0000007099aabbcc .. 99aabbcc s+504\n"
           "  local store of 4, lanes ffffffff: 4 .. 4, 00000070 .. 0000008f\n"
           "  local load of 4, lanes ffffffff: 4 .. 4, 00000070 .. 0000008f\n"
           "  global store of 1, lanes ffffffff: 7f0000000009 .. 7f0000000009, "
           "00000070 .. 0000008f out+9\n"
           "  global load of 4, lanes ffffffff: 7f0000000008 .. 7f0000000008, "
           "00008f00 .. 00008f00 out+8\n"
           "  constant load of 4, lanes ffffffff: 160 .. 160, 00000000 .. 00000000 out+0\n");
}

/* Lanes act one after another: lane l finds l + 3 in the word and leaves l + 4. A comparison that
 * fails leaves what was there. */
static void test_atomics(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 16\n"
           "S2R R0, SR_LANEID ;\nMOV R1, 0x3 ;\nMOV R2, 0x1 ;\nMOV R6, out ;\nMOV R7, out+4 ;\n"
           "STS [RZ], R1 ;\n"
           "ATOMS.ADD R4, [RZ], R2 ;\n"
           "MOV R3, 0x23 ;\nMOV R4, 0x99 ;\n"
           "ATOMS.CAS R5, [RZ], R3, R4 ;\n"
           "RED.E.MAX.STRONG.GPU [R6.64], R0 ;\n"
           "EXIT ;\n.end\n",
           1, 32, BIT(ACCESS),
           HALVES_OUT
           "  shared store of 4, lanes ffffffff: 0 .. 0, 00000003 .. 00000003 s+0\n"
           "  shared atomic of 4, lanes ffffffff: 0 .. 0, 00000004 was 00000003 .. 00000023 s+0\n"
           "  shared atomic of 4, lanes ffffffff: 0 .. 0, 00000099 was 00000023 .. 00000099 s+0\n"
           "  global atomic of 4, lanes ffffffff: 7f0000000000 .. 7f0000000000, "
           "00000000 was 00000000 .. 0000001f out+0\n");
}

/* A generic store of lanes into three spaces: lane 0 shared, lane 1 local, the others global. */
static void test_generic(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 16\n.local 16\n"
           "S2R R0, SR_LANEID ;\nMOV R4, 0x4 ;\n"
           "IMAD.WIDE.U32 R2, R0, R4, out ;\n"
           "ISETP.EQ.U32.AND P0, PT, R0, RZ, PT ;\nISETP.EQ.U32.AND P1, PT, R0, 0x1, PT ;\n"
           "@P0 MOV R2, 0x8 ;\n@P0 MOV R3, 0x1 ;\n@P1 MOV R2, 0xc ;\n@P1 MOV R3, 0x2 ;\n"
           "ST.E [R2.64], R0 ;\nEXIT ;\n.end\n",
           1, 32, BIT(ACCESS),
           WIDE_OUT "  global store of 4, lanes fffffffc: 7f0000000008 .. 7f000000007c, "
                    "00000002 .. 0000001f out+124\n"
                    "  shared store of 4, lanes 00000001: 8 .. 8, 00000000 .. 00000000 s+8\n"
                    "  local store of 4, lanes 00000002: c .. c, 00000001 .. 00000001\n");
}

/* Two warps at barrier 0, where the second lets both go; then one half of each arrives at barrier 1
 * without waiting, and nobody else comes. */
static void test_barriers(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n"
           "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\n"
           "BAR.SYNC 0x0 ;\n"
           "@P0 BAR.ARV 0x1, 0x60 ;\n"
           "EXIT ;\n.end\n",
           1, 64,
           BIT(ARRIVE) | BIT(RELEASE) | BIT(WARP_END) | BIT(BLOCK_END) | BIT(BLOCK_BEGIN) |
               BIT(WARP_BEGIN),
           "block begins 0,0,0\n"
           "warp begins 0: ffffffff\n"
           "  arrive at barrier 0: lanes ffffffff, 32 of 64\n"
           "warp begins 1: ffffffff\n"
           "  arrive at barrier 0: lanes ffffffff, 64 of 64\n"
           "  release at barrier 0: lanes 00000000, 64 of 0\n"
           "  arrive at barrier 1: lanes 0000ffff, 16 of 96\n"
           "warp ends 0: ffffffff\n"
           "  arrive at barrier 1: lanes 0000ffff, 32 of 96\n"
           "warp ends 1: ffffffff\n"
           "block ends 0,0,0\n");
}

/* Lanes 0-7 branch away and come back to the others at BSYNC, where these wait. */
static void test_convergence(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n"
           "S2R R0, SR_LANEID ;\n"                    /* 00 */
           "ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n" /* 10 */
           "BSSY B0, done ;\n"                        /* 20 */
           "@P0 BRA low ;\n"                          /* 30 */
           "MOV R1, 0x1 ;\n"                          /* 40 */
           "BRA done ;\n"                             /* 50 */
           "low: MOV R1, 0x2 ;\n"                     /* 60 */
           "done: BSYNC B0 ;\n"                       /* 70 */
           "EXIT ;\n.end\n",                          /* 80 */
           1, 32, BIT(DIVERGE) | BIT(CONVERGE) | BIT(INSTRUCTION),
           "done 000\ndone 010\ndone 020\n"
           "  lanes ffffffff part: 60 .. 40\ndone 030\n"
           "done 040\ndone 050\n" /* the lowest pc first: 40; then 60 */
           "done 060\n"
           "lanes ffffffff meet at 070, joined by ffffff00\n"
           "done 070\ndone 080\n");
}

/* Copies 1 and 2 in one group, 3 in another: with one group outstanding the first two are done. */
static void test_copies(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 1024\n"
           "S2R R0, SR_LANEID ;\nMOV R1, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R1, out ;\n"
           "IMAD R4, R0, 0x4, RZ ;\n"
           "STG.E [R2.64], R0 ;\n"
           "LDGSTS.E [R4], [R2.64] ;\n"
           "LDGSTS.E [R4+0x80], [R2.64] ;\n"
           "LDGDEPBAR ;\n"
           "LDGSTS.E [R4+0x100], [R2.64] ;\n"
           "LDGDEPBAR ;\n"
           "DEPBAR.LE SB0, 0x1 ;\n"
           "DEPBAR.LE SB0, 0x0 ;\n"
           "DEPBAR.LE SB0, 0x0 ;\n"
           "EXIT ;\n.end\n",
           1, 32, BIT(COPY) | BIT(COPY_DONE) | BIT(ACCESS),
           WIDE_OUT "  global store of 4, lanes ffffffff: 7f0000000000 .. 7f000000007c, "
                    "00000000 .. 0000001f out+124\n"
                    "  copy 1 to 1, lanes ffffffff\n"
                    "  global load of 4, lanes ffffffff: 7f0000000000 .. 7f000000007c, "
                    "00000000 .. 0000001f out+124\n"
                    "  shared store of 4, lanes ffffffff: 0 .. 7c, 00000000 .. 0000001f s+124\n"
                    "  copy 2 to 2, lanes ffffffff\n"
                    "  global load of 4, lanes ffffffff: 7f0000000000 .. 7f000000007c, "
                    "00000000 .. 0000001f out+124\n"
                    "  shared store of 4, lanes ffffffff: 80 .. fc, 00000000 .. 0000001f s+252\n"
                    "  copy 3 to 3, lanes ffffffff\n"
                    "  global load of 4, lanes ffffffff: 7f0000000000 .. 7f000000007c, "
                    "00000000 .. 0000001f out+124\n"
                    "  shared store of 4, lanes ffffffff: 100 .. 17c, 00000000 .. 0000001f s+380\n"
                    "  copy done 1 to 2, lanes ffffffff\n"
                    "  copy done 3 to 3, lanes ffffffff\n");
}

/* ---------------------------------------------------------------- filters, several observers */

static const char small[] = ".target sm_80\n.kernel K\n.param out, 8\n"
                            "S2R R0, SR_TID.X ;\n"
                            "IADD3 R1, R0, 0x1, RZ ;\n"
                            "@!PT IADD3 R2, R1, 0x1, RZ ;\n"
                            "BAR.SYNC 0x0 ;\n"
                            "EXIT ;\n.end\n";

static bool only_exit(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    char text[40];
    assert_non_null(user);
    assert_int_equal(launch->block[0], 64);
    assert_true(fhec_disassemble(word, pc, 0, text, sizeof text) > 0);
    return !strcmp(text, "EXIT");
}

static void test_filters(void **unused) {
    (void)unused;
    static const struct {
        fhec_filter filter;
        const char *expected;
    } cases[] = {
        {{.kinds = BIT(ISSUE),
          .pc_begin = 0x10,
          .pc_end = 0x20,
          .scope = {.one_warp = true, .warp = 1}},
         "0,0,0 w1 010 ffffffff IADD3 R1, R0, 0x1, RZ\n  R0 = 20 21 .. 3f\n"
         "1,0,0 w1 010 ffffffff IADD3 R1, R0, 0x1, RZ\n  R0 = 20 21 .. 3f\n"},
        {{.kinds = BIT(INSTRUCTION),
          .pc_end = 0x30,
          .scope = {.one_block = true, .block = {1, 0, 0}, .one_warp = true}},
         "done 000\ndone 010\ndone 020\n"},
        {{.kinds = BIT(INSTRUCTION),
          .pc_end = 0x30,
          .scope = {.one_block = true, .block = {1, 0, 0}, .one_warp = true, .lanes = 0x10}},
         "done 000\ndone 010\n"}, /* nobody executes the third */
        {{.kinds = BIT(INSTRUCTION), .kernel = "L"}, ""},
        {{.kinds = BIT(LAUNCH_BEGIN) | BIT(LAUNCH_END), .kernel = "K"},
         "launch 1\nlaunch 1 ends with 0, 20 instructions\n"},
        {{.kinds = BIT(INSTRUCTION),
          .scope = {.one_block = true, .one_warp = true},
          .instruction = only_exit},
         "done 040\n"},
        /* A barrier is the block's: whoever releases it. */
        {{.kinds = BIT(RELEASE) | BIT(ARRIVE), .scope = {.one_block = true, .one_warp = true}},
         "  arrive at barrier 0: lanes ffffffff, 32 of 64\n"
         "  release at barrier 0: lanes 00000000, 64 of 0\n"},
        /* What the block does is told whichever lanes are asked for, and names none of them. */
        {{.kinds = BIT(RELEASE), .scope = {.one_block = true, .lanes = 4}},
         "  release at barrier 0: lanes 00000000, 64 of 0\n"},
        {{.kinds = BIT(ARRIVE), .pc_begin = 0x40, .pc_end = 0x50}, ""},
        {{.kinds = BIT(BLOCK_BEGIN) | BIT(WARP_END), .scope = {.one_warp = true, .warp = 1}},
         "block begins 0,0,0\nwarp ends 1: ffffffff\n"
         "block begins 1,0,0\nwarp ends 1: ffffffff\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        event_log_free(observe(small, 2, 64, &cases[i].filter, FHEC_OK, cases[i].expected));
}

/* Accesses to a space are left out where the instruction goes to no other one. */
static void test_spaces(void **unused) {
    (void)unused;
    static const char text[] = ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 256\n"
                               "S2R R0, SR_LANEID ;\nIMAD R4, R0, 0x4, RZ ;\nMOV R1, 0x4 ;\n"
                               "IMAD.WIDE.U32 R2, R0, R1, out ;\nSTS [R4], R0 ;\n"
                               "STG.E [R2.64], R0 ;\nLDGSTS.E [R4+0x80], [R2.64] ;\nEXIT ;\n.end\n";
    static const char shared[] = "  shared store of 4, lanes ffffffff: 0 .. 7c, "
                                 "00000000 .. 0000001f s+124\n";
    static const char global[] = "  global store of 4, lanes ffffffff: 7f0000000000 .. "
                                 "7f000000007c, 00000000 .. 0000001f out+124\n";
    static const char copy[] = "  global load of 4, lanes ffffffff: 7f0000000000 .. 7f000000007c, "
                               "00000000 .. 0000001f out+124\n"
                               "  shared store of 4, lanes ffffffff: 80 .. fc, "
                               "00000000 .. 0000001f s+252\n";
    const struct {
        uint32_t no_access;
        const char *parts[4];
    } cases[] = {
        {0, {WIDE_OUT, shared, global, copy}},
        {1u << FHEC_SPACE_CONSTANT, {shared, global, copy, ""}},
        {1u << FHEC_SPACE_SHARED, {WIDE_OUT, global, copy, ""}},
        {1u << FHEC_SPACE_SHARED | 1u << FHEC_SPACE_GLOBAL, {WIDE_OUT, "", "", ""}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const fhec_filter filter = {.kinds = BIT(ACCESS), .no_access = cases[i].no_access};
        char expected[2000] = "";
        for (unsigned k = 0; k < 4; k++)
            strcat(expected, cases[i].parts[k]);
        event_log_free(observe(text, 1, 32, &filter, FHEC_OK, expected));
    }
}

/* What one observer is told does not depend on the others; no event comes when it has gone. Memory
 * and counts are the same with and without. */
static void test_several(void **unused) {
    (void)unused;
    static const uint32_t kinds[] = {0,      BIT(INSTRUCTION), BIT(RETIRE),
                                     VALUES, BIT(ARRIVE),      BIT(ISSUE)};
    fhec_program *program = emu_assemble(small);
    size_t alone[COUNT_OF(kinds)];
    for (size_t n = 0; n < COUNT_OF(kinds); n++) {
        const fhec_filter filter = {.kinds = kinds[n]};
        struct event_log *log = observe(small, 2, 64, &filter, FHEC_OK, NULL);
        alone[n] = log->count;
        event_log_free(log);
    }
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t out;
    assert_int_equal(fhec_alloc(m, "out", 4096, 0, &out), FHEC_OK);
    struct event_log *logs[COUNT_OF(kinds)];
    unsigned numbers[COUNT_OF(kinds)];
    for (size_t n = 0; n < COUNT_OF(kinds); n++) {
        logs[n] = event_log_new(SIZE_MAX);
        fhec_observer observer = event_log_observer(logs[n], false);
        observer.filter.kinds = kinds[n];
        assert_int_equal(fhec_observe(m, &observer, &numbers[n]), FHEC_OK);
        assert_int_equal(numbers[n], n + 1);
    }
    fhec_machine_count(m, true);
    emu_run_ok(m, program, 2, 64, &out, 1);
    fhec_stats stats;
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    assert_int_equal(stats.warp_insts, 20);
    for (size_t n = 0; n < COUNT_OF(kinds); n++) {
        /* Alone, the first one has seen the allocation, too. */
        assert_int_equal(logs[n]->count, alone[n]);
        assert_int_equal(fhec_unobserve(m, numbers[n]), FHEC_OK);
        assert_int_equal(fhec_unobserve(m, numbers[n]), FHEC_BAD_INPUT);
    }
    emu_run_ok(m, program, 2, 64, &out, 1);
    for (size_t n = 0; n < COUNT_OF(kinds); n++) {
        assert_int_equal(logs[n]->count, alone[n]);
        event_log_free(logs[n]);
    }
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* What the host does; of variables the names are the program's. */
static void test_host(void **unused) {
    (void)unused;
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct event_log *log = event_log_new(SIZE_MAX);
    const fhec_observer observer = event_log_observer(log, false);
    uint64_t a;
    uint32_t word = 7;
    assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "a", 64, 0, &a), FHEC_OK);
    assert_int_equal(fhec_write(m, a + 8, &word, sizeof word), FHEC_OK);
    assert_int_equal(fhec_write(m, a + 61, &word, sizeof word), FHEC_BAD_INPUT); /* not told */
    assert_int_equal(fhec_read(m, a, &word, sizeof word), FHEC_OK);
    assert_int_equal(fhec_release(m, a), FHEC_OK);
    assert_string_equal(log->text, "alloc a+0, 64 bytes\n"
                                   "host write a+8, 4 bytes\n"
                                   "host read a+0, 4 bytes\n"
                                   "free a+0, 0 bytes\n");
    event_log_free(log);
    fhec_machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),   cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_atomics),  cmocka_unit_test(test_generic),
        cmocka_unit_test(test_barriers), cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_filters),
        cmocka_unit_test(test_spaces),   cmocka_unit_test(test_several),
        cmocka_unit_test(test_host),
    };
    return cmocka_run_group_tests_name("emu_observer", tests, NULL, NULL);
}
