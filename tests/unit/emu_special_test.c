/*
 * emu_special_test.c - special registers that the vectors cannot know: places in blocks of three
 * dimensions, windows and sizes of memory, reserved shared memory, clocks.
 */
#include "emu_words.h"

static uint32_t place_value(uint32_t t) {
    return t % 5 | t / 5 % 4 << 8 | t / 20 << 16;
}

/* 5 x 4 x 3 threads: TID counts x first. */
static void test_places_in_a_block(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                     "S2R R0, SR_TID.X ;\nS2R R1, SR_TID.Y ;\nS2R R2, SR_TID.Z ;\n"
                     "S2R R9, SR_CTAID.X ;\nS2R R10, SR_CTAID.Y ;\nS2R R11, SR_CTAID.Z ;\n"
                     "IMAD R3, R2, 0x4, R1 ;\nIMAD R3, R3, 0x5, R0 ;\n"
                     "IMAD R12, R11, 0x3, R10 ;\nIMAD R12, R12, 0x2, R9 ;\n"
                     "IMAD R3, R12, 0x3c, R3 ;\nMOV R6, 0x4 ;\n"
                     "IMAD.WIDE.U32 R4, R3, R6, c[0x0][0x160] ;\n"
                     "IMAD R8, R1, 0x100, R0 ;\nIMAD R8, R2, 0x10000, R8 ;\n"
                     "IMAD R8, R12, 0x1000000, R8 ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n");
    enum { BLOCKS = 2 * 3 * 2, THREADS = 60 };
    for (int engine = 0; engine < 2; engine++) {
        fhec_machine *machine =
            emu_machine(engine ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint32_t out[BLOCKS * THREADS];
        uint64_t address;
        assert_int_equal(fhec_alloc(machine, "out", sizeof out, 0, &address), FHEC_OK);
        fhec_launch launch = {.program = program,
                              .grid = {2, 3, 2},
                              .block = {5, 4, 3},
                              .params = &address,
                              .param_bytes = 8};
        assert_int_equal(fhec_run(machine, &launch), FHEC_OK);
        assert_int_equal(fhec_read(machine, address, out, sizeof out), FHEC_OK);
        for (uint32_t i = 0; i < COUNT_OF(out); i++)
            assert_int_equal(out[i], place_value(i % THREADS) | i / THREADS << 24);
        fhec_machine_free(machine);
    }
    fhec_program_free(program);
}

/* Numbers of threads in blocks of many shapes, at every SIMD level. */
static void test_shapes_of_blocks(void **unused) {
    (void)unused;
    static const uint32_t shapes[][3] = {{1024, 1, 1}, {1, 1024, 1}, {16, 1, 64}, {1, 1, 64},
                                         {33, 31, 1},  {3, 341, 1},  {2, 7, 64},  {32, 32, 1},
                                         {511, 2, 1},  {1023, 1, 1}, {8, 8, 16},  {31, 3, 11}};
    static const fhec_simd levels[] = {FHEC_SIMD_PORTABLE, FHEC_SIMD_AVX2, FHEC_SIMD_AVX512};
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                     "S2R R0, SR_TID.X ;\nS2R R1, SR_TID.Y ;\nS2R R2, SR_TID.Z ;\n"
                     "IMAD R3, R2, c[0x0][0x4], R1 ;\nIMAD R3, R3, c[0x0][0x0], R0 ;\n"
                     "MOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R3, R6, c[0x0][0x160] ;\n"
                     "IMAD R8, R2, 0x400, R1 ;\nIMAD R8, R8, 0x400, R0 ;\n"
                     "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n");
    for (size_t k = 0; k < COUNT_OF(levels) * COUNT_OF(shapes); k++) {
        const uint32_t *side = shapes[k % COUNT_OF(shapes)];
        const uint32_t threads = side[0] * side[1] * side[2];
        fhec_machine *machine;
        const fhec_machine_options options = {.simd = levels[k / COUNT_OF(shapes)], .threads = 1};
        if (fhec_machine_new(&options, &machine) != FHEC_OK)
            continue; /* this host has no such level */
        uint32_t out[1024];
        uint64_t address;
        assert_int_equal(fhec_alloc(machine, "out", sizeof out, 0, &address), FHEC_OK);
        const fhec_launch launch = {.program = program,
                                    .grid = {1, 1, 1},
                                    .block = {side[0], side[1], side[2]},
                                    .params = &address,
                                    .param_bytes = 8};
        assert_int_equal(fhec_run(machine, &launch), FHEC_OK);
        assert_int_equal(fhec_read(machine, address, out, sizeof out), FHEC_OK);
        for (uint32_t t = 0; t < threads; t++)
            assert_int_equal(out[t], t % side[0] | t / side[0] % side[1] << 10 |
                                         t / side[0] / side[1] << 20);
        fhec_machine_free(machine);
    }
    fhec_program_free(program);
}

static uint32_t window_value(uint32_t t) {
    static const uint32_t want[] = {0, 0, 0, 0, 100, 0x40, 0};
    return t < COUNT_OF(want) ? want[t] : 0;
}

/* A kernel with 100 bytes of shared and 56 of local memory, of which threads have a multiple of 16.
 * The windows are those that bank 0 names, they are equally large, and hold what is in them. */
static void test_memory(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 100\n.local 56\n"
           "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "S2R R10, SR_SWINLO ;\nIADD3 R10, R10, -c[0x0][0x18], RZ ;\n"
           "S2R R11, SR_SWINHI ;\nIADD3 R11, R11, -c[0x0][0x1c], RZ ;\n"
           "S2R R12, SR_LWINLO ;\nIADD3 R12, R12, -c[0x0][0x20], RZ ;\n"
           "S2R R13, SR_LWINHI ;\nIADD3 R13, R13, -c[0x0][0x24], RZ ;\n"
           "S2R R14, SR_SMEMSZ ;\nS2R R15, SR_LMEMLOSZ ;\n"
           "S2R R16, SR_SWINSZ ;\nS2R R17, SR_LWINSZ ;\nIADD3 R16, R16, -R17, RZ ;\n"
           "MOV R8, RZ ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x0, PT ;\n@P0 MOV R8, R10 ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x1, PT ;\n@P0 MOV R8, R11 ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x2, PT ;\n@P0 MOV R8, R12 ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x3, PT ;\n@P0 MOV R8, R13 ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x4, PT ;\n@P0 MOV R8, R14 ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x5, PT ;\n@P0 MOV R8, R15 ;\n"
           "ISETP.EQ.AND P0, PT, R0, 0x6, PT ;\n@P0 MOV R8, R16 ;\n" STORE("R8") TAIL,
           8, window_value);
}

/* A kernel with 100 bytes of shared memory that asks for its reserved part; R10 is where that
 * begins, behind the 128 bytes which are allocated for the 100. */
#define RESERVED                                                                                   \
    ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 100\n"                                    \
    "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"               \
    "S2R R10, SR_SMEMSZ ;\nIADD3 R10, R10, -c[0x0][0x114], RZ ;\n"

static uint32_t reserved_value(uint32_t t) {
    return t < 25 ? 3 * t + 7 : 7;
}

/* Word t of the kernel's own memory and word t of the reserved part, where 32 threads write and
 * count up by shared and by generic addresses, are not the same. All begin as 0. */
static void test_reserved(void **unused) {
    (void)unused;
    expect(RESERVED "IMAD R11, R0, 0x3, RZ ;\nIMAD R12, R0, 0x4, R10 ;\n"
                    "ISETP.LT.AND P0, PT, R0, 0x19, PT ;\n@P0 STS [R0.X4], R11 ;\n"
                    "LDS R13, [R12] ;\nIADD3 R13, R13, 0x4, RZ ;\nSTS [R12], R13 ;\n"
                    "MOV R14, 0x1 ;\nATOMS.ADD RZ, [R12], R14 ;\n"
                    "IADD3 R16, P1, R12, c[0x0][0x18], RZ ;\n"
                    "IADD3.X R17, RZ, c[0x0][0x1c], RZ, P1, !PT ;\n"
                    "LD.E R13, [R16.64] ;\nIADD3 R13, R13, 0x2, RZ ;\nST.E [R16.64], R13 ;\n"
                    "LDS R8, [R12] ;\nMOV R9, RZ ;\n@P0 LDS R9, [R0.X4] ;\n"
                    "IADD3 R8, R8, R9, RZ ;\n" STORE("R8") TAIL,
           32, reserved_value);
}

static uint32_t reserved_word(uint32_t t) {
    static const uint32_t want[] = {128 + 1024, 1024, 128 + 1024, 128 + 512};
    return want[t];
}

static void test_reserved_words(void **unused) {
    (void)unused;
    expect(RESERVED "S2R R8, SR_SMEMSZ ;\n"
                    "ISETP.EQ.AND P0, PT, R0, 0x1, PT ;\n@P0 MOV R8, c[0x0][0x114] ;\n"
                    "ISETP.EQ.AND P0, PT, R0, 0x2, PT ;\n@P0 MOV R8, c[0x0][0x120] ;\n"
                    "ISETP.EQ.AND P0, PT, R0, 0x3, PT ;\nULDC UR4, c[0x0][0x124] ;\n"
                    "@P0 MOV R8, UR4 ;\n" STORE("R8") TAIL,
           4, reserved_word);
}

/* Between the kernel's own memory and the reserved part, and behind that, nobody may go; and a
 * kernel that does not ask has no reserved part. */
static void test_beyond_shared(void **unused) {
    (void)unused;
    static const struct {
        const char *access;
        uint64_t address;
    } cases[] = {
        {RESERVED "LDS R8, [0x60] ;\nLDS R8, [0x64] ;\n", 0x64},
        {RESERVED "LDS R8, [R10] ;\nLDS R8, [R10+-0x4] ;\n", 0x7c},
        {RESERVED "STS [R10+0x3fc], R8 ;\nSTS [R10+0x400], R8 ;\n", 0x480},
        {RESERVED "LDS.64 R8, [0x60] ;\n", 0x60},
        {RESERVED "ATOMS.ADD R8, [R10+0x3fc], R8 ;\nATOMS.ADD R8, [R10+0x400], R8 ;\n", 0x480},
        {RESERVED "MOV R17, 0x1 ;\nIADD3 R16, R10, -0x4, RZ ;\nLD.E R8, [R16.64+0x4] ;\n"
                  "LD.E R8, [R16.64] ;\n",
         0x7c},
        {".target sm_80\n.kernel K\n.param out, 8\n.shared s, 100\n"
         "ULDC.64 UR4, c[0x0][0x118] ;\nMOV R10, 0x80 ;\nLDS R8, [R10] ;\n",
         0x80},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[1000];
        fhec_machine *machine;
        const fhec_fault *fault;
        snprintf(text, sizeof text, "%s" TAIL, cases[i].access);
        emu_fault(text, 1, 1, 0, &machine, &fault);
        if (fault->kind != FHEC_FAULT_OUT_OF_BOUNDS || fault->address != cases[i].address)
            fail_msg("fault %d at 0x%llx, in:\n%s", fault->kind, (unsigned long long)fault->address,
                     text);
        assert_non_null(strstr(fault->message, "outside the 100 bytes of shared memory"));
        fhec_machine_free(machine);
    }
}

static uint32_t warp_value(uint32_t t) {
    return t / 32 << 8;
}

/* PTX's %warpid is compiled to bits 14:8 of SR_VIRTID; blocks hold the warps from 0 on. */
static void test_warp(void **unused) {
    (void)unused;
    expect(HEAD "S2R R8, SR_VIRTID ;\n" STORE("R8") TAIL, 96, warp_value);
}

static uint32_t clock_value(uint32_t t) {
    (void)t;
    return 4 | 2 << 8 | 1 << 16;
}

/* Clocks count the instructions of the warp: from one reading to the next there are four, two and
 * one. High words are 0. */
static void test_clocks(void **unused) {
    (void)unused;
    expect(HEAD
           "CS2R R8, SR_CLOCKLO ;\nNOP ;\nNOP ;\nNOP ;\nCS2R R10, SR_CLOCKLO ;\nNOP ;\n"
           "S2R R12, SR_CLOCKLO ;\nCS2R R14, SR_GLOBALTIMERLO ;\nS2R R16, SR_CLOCKHI ;\n"
           "S2R R17, SR_GLOBALTIMERHI ;\n"
           "IADD3 R14, R14, -R12, RZ ;\nIADD3 R12, R12, -R10, RZ ;\nIADD3 R8, R10, -R8, RZ ;\n"
           "IMAD R8, R12, 0x100, R8 ;\nIMAD R8, R14, 0x10000, R8 ;\n"
           "IADD3 R9, R9, R11, R15 ;\nIADD3 R9, R9, R16, R17 ;\nIADD3 R8, R8, R9, RZ ;\n" STORE(
               "R8") TAIL,
           32, clock_value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places_in_a_block),
        cmocka_unit_test(test_shapes_of_blocks),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_reserved_words),
        cmocka_unit_test(test_beyond_shared),
        cmocka_unit_test(test_warp),
        cmocka_unit_test(test_clocks),
    };
    return cmocka_run_group_tests_name("emu_special", tests, NULL, NULL);
}
