/*
 * emu_launch_test.c - launches: which are possible and what is said of those that are not, special
 * registers, exact counts, engines and SIMD levels, machines that are used again.
 */
#include "emu_util.h"
#include "program.h"

static const fhec_engine engines[] = {FHEC_ENGINE_FAST, FHEC_ENGINE_REF};

static const char three_words[] = ".target sm_80\n.kernel K\n.param a, 8\n.param b, 4\n"
                                  ".shared s, 36\nEXIT ;\n.end\n";

struct launch_case {
    uint32_t grid[3], block[3], dynamic_shared;
    size_t param_bytes;
    const char *message; /* NULL: possible */
};

static void check_launch(fhec_machine *m, const fhec_program *program, size_t i,
                         const struct launch_case *c) {
    const uint32_t params[3] = {1, 2, 3};
    fhec_launch launch = {
        .program = program,
        .dynamic_shared = c->dynamic_shared,
        .params = params,
        .param_bytes = c->param_bytes,
    };
    memcpy(launch.grid, c->grid, sizeof launch.grid);
    memcpy(launch.block, c->block, sizeof launch.block);
    fhec_status status = fhec_run(m, &launch);
    if (!c->message && status != FHEC_OK)
        fail_msg("case %zu: %d: %s", i, status, fhec_machine_error(m));
    if (c->message && (status != FHEC_BAD_INPUT || !strstr(fhec_machine_error(m), c->message)))
        fail_msg("case %zu: status %d, \"%s\" does not say \"%s\"", i, status,
                 fhec_machine_error(m), c->message);
    assert_null(fhec_machine_fault(m));
}

static void test_launch_checks(void **unused) {
    (void)unused;
    static const struct launch_case cases[] = {
        {{1, 1, 1}, {1, 1, 1}, 0, 12, NULL},
        {{1, 1, 1}, {1024, 1, 1}, 0, 12, NULL},
        {{1, 1, 1}, {4, 4, 64}, 0, 12, NULL},
        {{2, 3, 4}, {32, 1, 1}, 163 * 1024 - 36, 12, NULL},
        {{0, 1, 1}, {1, 1, 1}, 0, 12, "the grid is 0 x 1 x 1 blocks; side x must be 1 to"},
        {{1, 0, 1}, {1, 1, 1}, 0, 12, "side y must be 1 to 65535"},
        {{1, 1, 65536}, {1, 1, 1}, 0, 12, "side z must be 1 to 65535"},
        {{1, 1, 1}, {0, 1, 1}, 0, 12, "the block is 0 x 1 x 1 threads; side x must be 1 to 1024"},
        {{1, 1, 1}, {2048, 1, 1}, 0, 12, "the block is 2048 x 1 x 1 threads"},
        {{1, 1, 1}, {1, 1, 65}, 0, 12, "side z must be 1 to 64"},
        {{1, 1, 1}, {33, 32, 1}, 0, 12, "33 x 32 x 1 = 1056 threads; at most 1024"},
        {{1, 1, 1}, {1, 1, 1}, 163 * 1024 - 35, 12, "166913 bytes of shared memory (36 static"},
        {{1, 1, 1}, {1, 1, 1}, UINT32_MAX, 12, "at most 166912"},
        {{1, 1, 1}, {1, 1, 1}, 0, 8, "kernel K takes 12 bytes of parameters, not 8"},
        {{1, 1, 1}, {1, 1, 1}, 0, 0, "kernel K takes 12 bytes of parameters, not 0"},
    };
    fhec_program *program = emu_assemble(three_words);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_launch(m, program, i, &cases[i]);
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* What is asked of the kernel itself: that it is there, its registers and local memory. */
static void test_kernel_checks(void **unused) {
    (void)unused;
    const uint32_t params[3] = {1, 2, 3};
    fhec_program *program = emu_assemble(three_words);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    fhec_launch launch = {.program = program, .kernel = 1, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    assert_int_equal(fhec_run(m, &launch), FHEC_BAD_INPUT);
    assert_non_null(strstr(fhec_machine_error(m), "no kernel number 1"));
    launch.kernel = 0;
    launch.param_bytes = 12;
    assert_int_equal(fhec_run(m, &launch), FHEC_BAD_INPUT); /* no parameters given */
    launch.params = params;
    program->kernels[0].registers = 256;
    assert_int_equal(fhec_run(m, &launch), FHEC_BAD_INPUT);
    assert_non_null(strstr(fhec_machine_error(m), "256 registers"));
    program->kernels[0].registers = 255;
    program->kernels[0].local_bytes = 512 * 1024 + 1;
    assert_int_equal(fhec_run(m, &launch), FHEC_BAD_INPUT);
    program->kernels[0].local_bytes = 0;
    assert_int_equal(fhec_run(m, &launch), FHEC_OK);
    assert_string_equal(fhec_machine_error(m), "");
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* Each thread of a block of three dimensions stores 16 special registers. */
static void test_special_registers(void **unused) {
    (void)unused;
    static const char *const names[] = {
        "SR_TID.X",   "SR_TID.Y",  "SR_TID.Z",  "SR_CTAID.X", "SR_CTAID.Y",
        "SR_CTAID.Z", "SR_LANEID", "SR_EQMASK", "SR_LTMASK",  "SR_LEMASK",
        "SR_GTMASK",  "SR_GEMASK", "SR_SMEMSZ", "SRZ",
    };
    enum { NAMES = COUNT_OF(names), THREADS = 7 * 3 * 4, BLOCKS = 2 * 2 * 3 };
    char text[4000];
    int n = snprintf(text, sizeof text,
                     ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 20\n"
                     "S2R R0, SR_TID.X ;\nS2R R1, SR_TID.Y ;\nS2R R2, SR_TID.Z ;\n"
                     "IMAD R2, R2, c[0x0][0x4], R1 ;\nIMAD R0, R2, c[0x0][0x0], R0 ;\n"
                     "S2UR UR4, SR_CTAID.X ;\nS2UR UR5, SR_CTAID.Y ;\nS2UR UR6, SR_CTAID.Z ;\n"
                     "MOV R3, c[0x0][0x10] ;\nMOV R6, UR5 ;\nIMAD R3, R3, UR6, R6 ;\n"
                     "MOV R6, UR4 ;\n"
                     "IMAD R3, R3, c[0x0][0xc], R6 ;\n"
                     "IMAD R0, R3, %d, R0 ;\nMOV R6, %d ;\n"
                     "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n",
                     THREADS, 4 * NAMES);
    for (int i = 0; i < NAMES; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "MOV R8, 0xbad ;\nS2R R8, %s ;\nSTG.E [R4.64+%d], R8 ;\n", names[i], 4 * i);
    snprintf(text + n, sizeof text - (size_t)n, "EXIT ;\n.end\n");
    fhec_program *program = emu_assemble(text);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 2);
        uint64_t out;
        static uint32_t got[BLOCKS][THREADS][NAMES];
        assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
        fhec_launch launch = {
            .program = program,
            .grid = {2, 2, 3},
            .block = {7, 3, 4},
            .dynamic_shared = 12,
            .params = &out,
            .param_bytes = 8,
        };
        if (fhec_run(m, &launch) != FHEC_OK)
            fail_msg("%s", fhec_machine_fault(m)->message);
        assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
        for (uint32_t b = 0; b < BLOCKS; b++) {
            for (uint32_t t = 0; t < THREADS; t++) {
                uint32_t lane = t % 32, bit = UINT32_C(1) << lane;
                const uint32_t want[NAMES] = {
                    t % 7, t / 7 % 3, t / 21,  b % 2,           b / 2 % 2,          b / 4,
                    lane,  bit,       bit - 1, bit | (bit - 1), ~(bit | (bit - 1)), ~(bit - 1),
                    32,    0};
                for (int i = 0; i < NAMES; i++)
                    if (got[b][t][i] != want[i])
                        fail_msg("engine %zu, block %u, thread %u, %s: 0x%x, want 0x%x", e, b, t,
                                 names[i], got[b][t][i], want[i]);
            }
        }
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* The clock grows by the instructions issued between, and is the same in every run. */
static void test_clock(void **unused) {
    (void)unused;
    uint32_t out[4];
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n"
             "MOV R4, c[0x0][0x160] ;\nMOV R5, c[0x0][0x164] ;\n"
             "CS2R R8, SR_CLOCKLO ;\n" /* 2 */
             "NOP ;\nNOP ;\nBRA on ;\nNOP ;\n"
             "on: NOP ;\n"
             "CS2R.32 R10, SR_CLOCKLO ;\n" /* 2 + 1 + 4 */
             "S2R R11, SR_CLOCKLO ;\n"
             "STG.E.128 [R4.64], R8 ;\nEXIT ;\n.end\n",
             1, out, 4);
    const uint32_t want[4] = {2, 0, 7, 8};
    assert_memory_equal(out, want, sizeof want);
}

static const fhec_count *count_of(const fhec_stats *stats, const char *mnemonic) {
    for (size_t i = 0; i < stats->count_count; i++)
        if (strcmp(stats->counts[i].mnemonic, mnemonic) == 0)
            return &stats->counts[i];
    fail_msg("%s was not counted", mnemonic);
    return NULL;
}

/* For a block of 40 threads: warps of 32 and 8 lanes. */
static const char counted[] =
    ".target sm_80\n.kernel K\n.param out, 8\n"
    "S2R R0, SR_TID.X ;\n"                    /* 2 warps, 40 threads */
    "MOV R1, 0x3 ;\n"                         /* 2, 40 */
    "loop: IADD3 R1, R1, -0x1, RZ ;\n"        /* 2 * 3, 40 * 3 */
    "ISETP.NE.U32.AND P0, PT, R1, RZ, PT ;\n" /* 2 * 3, 40 * 3 */
    "@P0 BRA loop ;\n"                        /* 2 * 3, 40 * 2 */
    "ISETP.LT.AND P1, PT, R0, 0x20, PT ;\n"   /* 2, 40 */
    "@P1 IADD3.X R2, R0, R0, RZ, P0, !PT ;\n" /* 2, 32: issued by warp 1, too */
    "UMOV UR4, 0x1 ;\n"                       /* 2, 40: the lanes it is issued for */
    "ISETP.EQ.AND P2, PT, R0, 0x7, PT ;\n"    /* 2, 40 */
    "BSSY B0, end ;\n"                        /* 2, 40 */
    "@P2 BRA other ;\n"                       /* 2, 1 */
    "IMAD R3, R0, R0, R0 ;\n"                 /* 2, 39 */
    "BRA sync ;\n"                            /* 2, 39 */
    "other: IMAD.SHL.U32 R3, R0, 0x4, RZ ;\n" /* 1, 1 */
    "sync: BSYNC B0 ;\n"                      /* 2, 40: the group of 31 and the one
                                                 lane come there together */
    "end: EXIT ;\n.end\n";                    /* 2, 40 */
static const fhec_count counts[] = {
    {"BRA", "control", 6 + 2 + 2, 80 + 1 + 39, "branch"},
    {"BSSY", "control", 2, 40, "control"},
    {"BSYNC", "control", 2, 40, "branch"},
    {"EXIT", "control", 2, 40, "branch"},
    {"IADD3", "integer", 6, 120, "alu"},
    {"IADD3.X", "integer", 2, 32, "alu"},
    {"IMAD", "integer", 2, 39, "fma"},
    {"IMAD.SHL.U32", "integer", 1, 1, "fma"},
    {"ISETP.EQ.AND", "integer", 2, 40, "alu"},
    {"ISETP.LT.AND", "integer", 2, 40, "alu"},
    {"ISETP.NE.U32.AND", "integer", 6, 120, "alu"},
    {"MOV", "move", 2, 40, "alu"},
    {"S2R", "move", 2, 40, "memory"},
    {"UMOV", "uniform", 2, 40, "umove"},
};

/* What the machine has counted in `launches` launches of `blocks` blocks altogether. */
static void check_counts(fhec_machine *m, uint64_t launches, uint64_t blocks) {
    fhec_stats stats;
    uint64_t warp = 0, thread = 0;
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    assert_int_equal(stats.launches, launches);
    assert_int_equal(stats.fhec_cycles, 0);
    assert_int_equal(stats.count_count, COUNT_OF(counts));
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const fhec_count *got = &stats.counts[i], *one = &counts[i];
        assert_string_equal(got->mnemonic, one->mnemonic); /* sorted */
        assert_string_equal(got->klass, one->klass);
        assert_string_equal(got->pipe, one->pipe);
        if (got->warp != blocks * one->warp || got->thread != blocks * one->thread)
            fail_msg("%s: %llu and %llu", one->mnemonic, (unsigned long long)got->warp,
                     (unsigned long long)got->thread);
        warp += got->warp;
        thread += got->thread;
    }
    assert_int_equal(stats.warp_insts, warp);
    assert_int_equal(stats.thread_insts, thread);
}

static void test_counts(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(counted);
    for (unsigned threads = 1; threads <= 4; threads++) {
        for (size_t e = 0; e < COUNT_OF(engines); e++) {
            fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, threads);
            fhec_stats stats;
            emu_run_ok(m, program, 2, 40, (uint64_t[]){0}, 1); /* not counting */
            fhec_machine_count(m, true);
            emu_run_ok(m, program, 2, 40, (uint64_t[]){0}, 1);
            emu_run_ok(m, program, 3, 40, (uint64_t[]){0}, 1);
            fhec_machine_count(m, false);
            emu_run_ok(m, program, 2, 40, (uint64_t[]){0}, 1);
            check_counts(m, 2, 5);
            fhec_machine_clear_stats(m);
            assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
            assert_int_equal(stats.warp_insts + stats.launches + stats.count_count, 0);
            fhec_machine_free(m);
        }
    }
    fhec_program_free(program);
}

/* A fault ends the counting where it happened: block 2 of 4, before its second instruction. */
static void test_counts_at_fault(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                                         "S2R R0, SR_CTAID.X ;\n"
                                         "ISETP.EQ.AND P0, PT, R0, 0x2, PT ;\n"
                                         "@P0 STG.E [RZ.64], R0 ;\n"
                                         "EXIT ;\n.end\n");
    for (unsigned threads = 1; threads <= 4; threads++) {
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, threads);
        fhec_stats stats;
        fhec_machine_count(m, true);
        assert_int_equal(emu_run(m, program, 4, 64, (uint64_t[]){0}, 1), FHEC_GUEST_FAULT);
        assert_int_equal(fhec_machine_fault(m)->block[0], 2);
        assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
        /* Blocks 0 and 1 with two warps each, then warp 0 of block 2. */
        assert_int_equal(count_of(&stats, "S2R")->warp, 5);
        assert_int_equal(count_of(&stats, "EXIT")->warp, 4);
        assert_int_equal(count_of(&stats, "STG.E")->warp, 4);
        assert_int_equal(count_of(&stats, "STG.E")->thread, 0);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* The limit is exact: a launch of as many steps as allowed ends well, with one less it does not. */
static void test_step_limit(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                                         "MOV R0, 0x200 ;\n"
                                         "loop: IADD3 R0, R0, -0x1, RZ ;\n"
                                         "ISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
                                         "@P0 BRA loop ;\n"
                                         "EXIT ;\n.end\n");
    const uint64_t zero = 0, steps = 3 * 2 * (1 + 3 * 512 + 1);
    for (unsigned threads = 1; threads <= 4; threads++) {
        for (uint64_t less = 0; less <= steps; less = 3 * less + 1) {
            fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, threads);
            fhec_stats stats;
            fhec_launch launch = {
                .program = program,
                .grid = {3, 1, 1},
                .block = {64, 1, 1},
                .params = &zero,
                .param_bytes = 8,
                .max_steps = steps - less,
            };
            if (!launch.max_steps)
                break;
            fhec_machine_count(m, true);
            fhec_status status = fhec_run(m, &launch);
            assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
            assert_int_equal(stats.warp_insts, steps - less);
            if (less == 0) {
                assert_int_equal(status, FHEC_OK);
            } else {
                assert_int_equal(status, FHEC_GUEST_FAULT);
                assert_int_equal(fhec_machine_fault(m)->kind, FHEC_FAULT_STEP_LIMIT);
            }
            fhec_machine_free(m);
        }
    }
    fhec_program_free(program);
}

static void test_machine_options(void **unused) {
    (void)unused;
    fhec_machine *m;
    assert_int_equal(fhec_machine_new(NULL, &m), FHEC_OK);
    fhec_machine_free(m);
    fhec_machine_options options = {.engine = (fhec_engine)7};
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_BAD_INPUT);
    assert_null(m);
    options = (fhec_machine_options){.simd = (fhec_simd)9};
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_BAD_INPUT);
    assert_null(m);
    assert_true(emu_has_simd(FHEC_SIMD_PORTABLE));
    fhec_machine_free(NULL);
}

/* Registers, predicates and memories of blocks do not leak from one block or launch to the next. */
static void test_fresh_state(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 4\n"
                                         "@P3 IADD3 R20, R20, 0x1, RZ ;\n"
                                         "@UP2 UIADD3 UR9, UR9, 0x1, URZ ;\n"
                                         "LDS R21, [RZ] ;\n"
                                         "MOV R22, UR9 ;\n"
                                         "IADD3 R20, R20, R21, R22 ;\n"
                                         "S2R R0, SR_CTAID.X ;\nMOV R6, 0x4 ;\n"
                                         "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                                         "STG.E [R4.64], R20 ;\n"
                                         "ISETP.EQ.AND P3, PT, RZ, RZ, PT ;\n"
                                         "UISETP.EQ.AND UP2, UPT, URZ, URZ, UPT ;\n"
                                         "MOV R20, 0x77 ;\nUMOV UR9, 0x55 ;\nSTS [RZ], R20 ;\n"
                                         "EXIT ;\n.end\n");
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        uint64_t out;
        uint32_t got[6];
        assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
        for (int run = 0; run < 2; run++) {
            memset(got, 0xff, sizeof got);
            assert_int_equal(fhec_write(m, out, got, sizeof got), FHEC_OK);
            emu_run_ok(m, program, 6, 32, &out, 1);
            assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
            for (size_t i = 0; i < 6; i++)
                assert_int_equal(got[i], 0);
        }
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* RZ and URZ as pairs and quads: what is written is gone, what is read is zero, in every register
 * that they stand for. */
static void test_zero_registers(void **unused) {
    (void)unused;
    static const uint32_t ones[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                                         "MOV R4, c[0x0][0x160] ;\nMOV R5, c[0x0][0x164] ;\n"
                                         "MOV R2, -0x1 ;\n"
                                         "LDG.E.128 RZ, [R4.64] ;\n"
                                         "MOV RZ, R2 ;\n"
                                         "IMAD.WIDE.U32 RZ, R2, R2, RZ ;\n"
                                         "UMOV URZ, 0x77 ;\n"
                                         "UMOV UR4, 0x3 ;\n"
                                         "ULDC.64 URZ, c[0x0][0x118] ;\n"
                                         "UIMAD.WIDE.U32 UR6, UR4, UR4, URZ ;\n"
                                         "IMAD.WIDE.U32 R8, R2, R2, RZ ;\n"
                                         "MOV R10, UR6 ;\nMOV R11, UR7 ;\n"
                                         "ISETP.EQ.AND PT, PT, R2, RZ, PT ;\n" /* PT stays true */
                                         "@!PT MOV R8, 0xbad ;\n"
                                         "STG.E.128 [R4.64], R8 ;\n"
                                         "STG.E.128 [R4.64+0x10], RZ ;\n"
                                         "STG.E.64 [R4.64+0x28], RZ ;\n"
                                         "EXIT ;\n.end\n");
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        uint64_t out;
        uint32_t got[12];
        assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
        for (size_t i = 0; i < sizeof got; i += sizeof ones)
            assert_int_equal(fhec_write(m, out + i, ones, sizeof ones), FHEC_OK);
        emu_run_ok(m, program, 1, 32, &out, 1);
        assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
        const uint32_t want[12] = {1, 0xfffffffe, 9, 0, 0, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0, 0};
        assert_memory_equal(got, want, sizeof want);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launch_checks),
        cmocka_unit_test(test_kernel_checks),
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_counts_at_fault),
        cmocka_unit_test(test_step_limit),
        cmocka_unit_test(test_machine_options),
        cmocka_unit_test(test_fresh_state),
        cmocka_unit_test(test_zero_registers),
    };
    return cmocka_run_group_tests_name("emu_launch", tests, NULL, NULL);
}
