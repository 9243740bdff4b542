/*
 * emu_fault_test.c - every kind of guest fault, with the place, lanes, address and words that it is
 * reported with; that nothing of the faulting instruction happened; that the machine goes on.
 */
#include "emu_util.h"
#include "program.h"

#define BEGIN ".target sm_80, fhec, gme\n.kernel K\n.param out, 8\n"
#define POINT "MOV R4, c[0x0][0x160] ;\nMOV R5, c[0x0][0x164] ;\n"

struct expected {
    fhec_fault_kind kind;
    uint64_t pc;
    uint32_t line, warp, lanes;
    const char *space; /* NULL: no address */
    uint64_t address;  /* of global memory: from the allocation's start on, unless told */
    const char *message, *nearest;
};

static void require_text(const char *what, const char *text, const char *piece) {
    if (piece && (!text || !strstr(text, piece)))
        fail_msg("the %s \"%s\" does not say \"%s\"", what, text ? text : "(none)", piece);
}

static void expect_steps(const char *text, uint32_t threads, uint64_t max_steps, bool absolute,
                         const struct expected *want) {
    fhec_machine *m;
    const fhec_fault *got;
    char whole[2000], small[40];
    emu_fault(text, threads, 256, max_steps, &m, &got);
    size_t length = fhec_format_fault(got, whole, sizeof whole);
    if (got->kind != want->kind || got->pc != want->pc || got->warp != want->warp ||
        got->lanes != want->lanes || got->source.line != want->line)
        fail_msg("not kind %d, pc 0x%llx, line %u, warp %u, lanes 0x%08x:\n%s%s", want->kind,
                 (unsigned long long)want->pc, want->line, want->warp, want->lanes, whole, text);
    assert_string_equal(got->kernel, "K");
    if (want->line)
        assert_string_equal(got->source.file, "test.sass");
    else
        assert_null(got->source.file);
    assert_int_equal(got->has_address, want->space != NULL);
    if (want->space) {
        assert_string_equal(got->space, want->space);
        bool offset = strcmp(want->space, "global") == 0 && !absolute;
        if (got->address != want->address + (offset ? UINT64_C(0x7f0000000000) : 0))
            fail_msg("the address is 0x%llx", (unsigned long long)got->address);
    }
    require_text("message", got->message, want->message);
    require_text("nearest allocation", got->nearest, want->nearest);
    require_text("text", whole, got->text);
    require_text("text", whole, fhec_fault_name(got->kind));
    require_text("text", whole, got->message);
    /* The text says how long it is, whatever room it is given. */
    assert_int_equal(length, strlen(whole));
    assert_int_equal(fhec_format_fault(got, small, sizeof small), length);
    assert_int_equal(strlen(small), sizeof small - 1);
    assert_memory_equal(small, whole, sizeof small - 1);
    assert_int_equal(fhec_format_fault(got, NULL, 0), length);
    fhec_machine_free(m);
}

static void expect(const char *text, uint32_t threads, struct expected want) {
    expect_steps(text, threads, 0, false, &want);
}

static void expect_absolute(const char *text, uint32_t threads, struct expected want) {
    expect_steps(text, threads, 0, true, &want);
}

static void test_global_bounds(void **unused) {
    (void)unused;
    /* 256 words: threads 0-255 are fine, warp 8's first lane is just past the end. */
    expect(BEGIN "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\n"
                 "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                 "STG.E [R4.64], R0 ;\nEXIT ;\n.end\n",
           260,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x30, 7, 8, 0xf, "global", 0x400,
                             "a store of 4 bytes that no allocation holds",
                             "0 bytes past the end of `out` [0x7f0000000000, 0x7f0000000400)"});
    /* The last byte of 16 is outside; of the lanes 0-3 only the last. */
    expect(BEGIN "S2R R0, SR_TID.X ;\nMOV R6, 0x10 ;\n"
                 "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                 "LDG.E.128 R8, [R4.64+0x3d0] ;\nEXIT ;\n.end\n",
           4,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x30, 7, 0, 8, "global", 0x400,
                             "a load of 16 bytes", "past the end of `out`"});
    expect_absolute(BEGIN POINT "LDG.E.U8 R8, [R4.64+-0x1] ;\nEXIT ;\n.end\n", 3,
                    (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x20, 6, 0, 7, "global",
                                      UINT64_C(0x7effffffffff), "a load of 1 bytes",
                                      "1 bytes before `out`"});
    /* Null, and a pointer that lost its high half. */
    expect_absolute(BEGIN "LDG.E R8, [RZ+0x8] ;\nEXIT ;\n.end\n", 1,
                    (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "global", 8,
                                      "through a null pointer", NULL});
    expect_absolute(
        BEGIN "MOV R4, 0x100 ;\nLDG R8, [R4] ;\nEXIT ;\n.end\n", 1,
        (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x10, 5, 0, 1, "global", 0x100, NULL, NULL});
    /* An address that wraps around 2^64 into nothing. */
    expect_absolute(BEGIN "MOV R4, -0x1 ;\nMOV R5, -0x1 ;\n@P0 EXIT ;\n"
                          "STG.E.U8 [R4.64], R4 ;\nEXIT ;\n.end\n",
                    2,
                    (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x30, 7, 0, 3, "global", UINT64_MAX,
                                      NULL, "past the end of `out`"});
}

static void test_alignment(void **unused) {
    (void)unused;
    static const struct {
        const char *size;
        uint32_t bytes;
    } sizes[] = {{".U16", 2}, {"", 4}, {".64", 8}, {".128", 16}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        char text[600], message[100];
        uint32_t half = sizes[i].bytes / 2;
        /* Lanes 0 and 2 of 0-2 are off by half the size. */
        snprintf(message, sizeof message,
                 "a load of %u bytes needs an address that is a multiple of %u", sizes[i].bytes,
                 sizes[i].bytes);
        snprintf(text, sizeof text,
                 BEGIN "S2R R0, SR_TID.X ;\nMOV R6, %u ;\n"
                       "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                       "LDG.E%s R8, [R4.64+%u] ;\nEXIT ;\n.end\n",
                 half, sizes[i].size, half);
        expect(text, 3,
               (struct expected){FHEC_FAULT_MISALIGNED, 0x30, 7, 0, 5, "global", half, message,
                                 "bytes into `out`"});
        snprintf(text, sizeof text,
                 BEGIN ".shared s, 256\n"
                       "S2R R0, SR_TID.X ;\nIMAD R4, R0, %u, RZ ;\n"
                       "LDS%s R8, [R4+%u] ;\nEXIT ;\n.end\n",
                 half, sizes[i].size, half);
        expect(
            text, 3,
            (struct expected){FHEC_FAULT_MISALIGNED, 0x20, 7, 0, 5, "shared", half, message, NULL});
        snprintf(text, sizeof text, BEGIN "MOV R4, %u ;\nSTL%s [R4], R8 ;\nEXIT ;\n.end\n", half,
                 sizes[i].size);
        expect(text, 1,
               (struct expected){FHEC_FAULT_MISALIGNED, 0x10, 5, 0, 1, "local", half, "a store of",
                                 NULL});
    }
    expect(BEGIN "MOV R0, 0x2 ;\nLDC R8, c[0x0][R0] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_MISALIGNED, 0x10, 5, 0, 1, "constant", 2, NULL, NULL});
}

static void test_small_spaces(void **unused) {
    (void)unused;
    expect(BEGIN ".shared s, 100\nS2R R0, SR_TID.X ;\nNOP ;\n@P0 NOP ;\nSTS [R0.X4], R0 ;\n"
                 "EXIT ;\n.end\n",
           27,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x30, 8, 0, 0x06000000, "shared", 100,
                             "a store of 4 bytes outside the 100 bytes of shared memory", NULL});
    expect(BEGIN ".shared s, 100\nS2R R0, SR_TID.X ;\nLDS.64 R2, [R0.X8] ;\nEXIT ;\n.end\n", 13,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x10, 6, 0, 0x1000, "shared", 96,
                             "a load of 8 bytes outside the 100 bytes", NULL});
    expect(BEGIN "MOV R1, -0x4 ;\nLDS R0, [R1] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x10, 5, 0, 1, "shared", 0xfffffffc,
                             "outside the 0 bytes of shared memory", NULL});
    /* Addresses without registers have no sign. */
    expect(BEGIN "LDS R0, [0xfffffc] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "shared", 0xfffffc, NULL, NULL});
    expect(BEGIN "STL.128 [0xffffd0], R4 ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "local", 0xffffd0, NULL, NULL});
    expect_absolute(
        BEGIN "MOV R4, 0x800000 ;\nMOV R5, RZ ;\nLDG.E R0, [0xfffffc] ;\nEXIT ;\n.end\n", 1,
        (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x20, 6, 0, 1, "global", 0xfffffc, NULL, NULL});
    expect_absolute(
        BEGIN "ST.E [0xfffffffc], R0 ;\nEXIT ;\n.end\n", 1,
        (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "global", 0xfffffffc, NULL, NULL});
    expect(BEGIN "MOV R4, 0x4 ;\nLDS R0, [R4+-0x8] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x10, 5, 0, 1, "shared", 0xfffffffc, NULL,
                             NULL});
    expect(BEGIN "LDL R0, [R1] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "local", 0,
                             "outside the 0 bytes of local memory", NULL});
    /* Bank 0 ends behind the parameters: 0x160 + 8. */
    expect(BEGIN "MOV R0, c[0x0][0x164] ;\nMOV R0, c[0x0][0x168] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x10, 5, 0, 1, "constant", 0x168,
                             "c[0x0][0x168] is outside the 360 bytes of constant bank 0", NULL});
    expect(BEGIN "IMAD.WIDE R2, R0, R0, c[0x0][0x164] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "constant", 0x164, NULL, NULL});
    expect(BEGIN "MOV R0, c[0x2][0x0] ;\nEXIT ;\n.end\n", 1,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0, 4, 0, 1, "constant", 0,
                             "outside the 0 bytes of constant bank 2", NULL});
    expect(BEGIN "S2R R0, SR_TID.X ;\nLDC R1, c[0x0][R0+0x167] ;\nEXIT ;\n.end\n", 2,
           (struct expected){FHEC_FAULT_MISALIGNED, 0x10, 5, 0, 1, "constant", 0x167, NULL, NULL});
    expect(BEGIN "UMOV UR4, 0x168 ;\nULDC UR4, c[0x0][UR4] ;\nEXIT ;\n.end\n", 2,
           (struct expected){FHEC_FAULT_OUT_OF_BOUNDS, 0x10, 5, 0, 3, "constant", 0x168,
                             "outside the 360 bytes", NULL});
}

/* Two launches: `use` gets the address of a released and of a read-only allocation. */
static void test_lifetime(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(BEGIN ".param fixed, 8\n" POINT
                                               "MOV R6, c[0x0][0x168] ;\nMOV R7, c[0x0][0x16c] ;\n"
                                               "LDG.E R8, [R6.64] ;\n"
                                               "STG.E [R4.64+0x8], R8 ;\n"
                                               "STG.E [R6.64+0x4], R8 ;\n"
                                               "EXIT ;\n.end\n");
    for (int ref = 0; ref < 2; ref++) {
        fhec_machine *m = emu_machine(ref ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint64_t out, fixed, freed;
        uint32_t words[4] = {0x1234, 0, 0, 0};
        assert_int_equal(fhec_alloc(m, "out", 16, 0, &out), FHEC_OK);
        assert_int_equal(fhec_alloc(m, "fixed", 16, FHEC_MEM_READ_ONLY, &fixed), FHEC_OK);
        assert_int_equal(fhec_alloc(m, "freed", 16, 0, &freed), FHEC_OK);
        assert_int_equal(fhec_write(m, fixed, words, 4), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, 1, (uint64_t[]){out, fixed}, 2), FHEC_GUEST_FAULT);
        const fhec_fault *f = fhec_machine_fault(m);
        assert_int_equal(f->kind, FHEC_FAULT_READ_ONLY);
        assert_int_equal(f->pc, 0x60);
        assert_int_equal(f->address, fixed + 4);
        require_text("nearest", f->nearest, "4 bytes into `fixed`");
        /* What ran before the fault stays. */
        assert_int_equal(fhec_read(m, out, words, 16), FHEC_OK);
        assert_int_equal(words[2], 0x1234);
        assert_int_equal(fhec_read(m, fixed, words, 16), FHEC_OK);
        assert_int_equal(words[1], 0);

        assert_int_equal(emu_run(m, program, 1, 1, (uint64_t[]){out, freed}, 2), FHEC_OK);
        assert_null(fhec_machine_fault(m));
        assert_int_equal(fhec_release(m, freed), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, 1, (uint64_t[]){out, freed}, 2), FHEC_GUEST_FAULT);
        f = fhec_machine_fault(m);
        assert_int_equal(f->kind, FHEC_FAULT_FREED);
        assert_int_equal(f->pc, 0x40);
        assert_int_equal(f->address, freed);
        require_text("message", f->message, "in memory that was released");
        require_text("nearest", f->nearest, "the released `freed`");
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* An allocation may end within an access: the part that is inside does not help. */
static void test_odd_size(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(BEGIN POINT "LDG.E.U16 R8, [R4.64+0x8] ;\n"
                                                     "LDG.E R8, [R4.64+0x8] ;\nEXIT ;\n.end\n");
    for (int ref = 0; ref < 2; ref++) {
        fhec_machine *m = emu_machine(ref ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint64_t out;
        assert_int_equal(fhec_alloc(m, "out", 10, 0, &out), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, 5, &out, 1), FHEC_GUEST_FAULT);
        const fhec_fault *f = fhec_machine_fault(m);
        assert_int_equal(f->kind, FHEC_FAULT_OUT_OF_BOUNDS);
        assert_int_equal(f->pc, 0x30);
        assert_int_equal(f->lanes, 0x1f);
        require_text("nearest", f->nearest, "8 bytes into `out`");
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* Lanes that fault in different ways: the lowest one decides. None of them loads or stores. */
static void test_all_or_nothing(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(BEGIN "S2R R0, SR_TID.X ;\nMOV R6, 0x40 ;\n"
                                               "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                                               "ISETP.EQ.AND P0, PT, R0, 0x3, PT ;\n"
                                               "@P0 IADD3 R4, R4, 0x1, RZ ;\n"
                                               "MOV R8, 0xabcd ;\n"
                                               "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n");
    for (int ref = 0; ref < 2; ref++) {
        fhec_machine *m = emu_machine(ref ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint64_t out, other;
        uint32_t words[80];
        assert_int_equal(fhec_alloc(m, "out", 5 * 64, 0, &out), FHEC_OK);
        assert_int_equal(fhec_alloc(m, "other", 1024, 0, &other), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, 8, &out, 1), FHEC_GUEST_FAULT);
        const fhec_fault *f = fhec_machine_fault(m);
        assert_int_equal(f->kind, FHEC_FAULT_MISALIGNED);
        assert_int_equal(f->lanes, 1 << 3);
        assert_int_equal(f->address, out + 3 * 64 + 1);
        assert_int_equal(fhec_read(m, out, words, sizeof words), FHEC_OK);
        for (size_t i = 0; i < COUNT_OF(words); i++)
            assert_int_equal(words[i], 0);
        /* From lane 0's misaligned address on, lanes 5-7 are out of bounds and not at fault. */
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

static void test_instructions(void **unused) {
    (void)unused;
    expect(BEGIN "S2R R0, SR_TID.X ;\nISETP.NE.AND P0, PT, R0, 0x5, PT ;\n"
                 "BSSY B0, end ;\n@!P0 BRA end ;\n"
                 "FHEC.16816.U32.U32 R8, R16.ROW, R24.COL, R28, UR4 ;\n"
                 "end: EXIT ;\n.end\n",
           32, (struct expected){FHEC_FAULT_LANES, 0x40, 8, 0, 1 << 5, NULL, 0, NULL, NULL});
    expect(BEGIN "S2R R0, SR_TID.X ;\nMODRED.U32 R1, R0, R0 ;\nEXIT ;\n.end\n", 40,
           (struct expected){FHEC_FAULT_MODULUS, 0x10, 5, 0, 1, NULL, 0, "modulus is 0", NULL});
    expect(BEGIN "NOP ;\nFHEC.16816.U32.U32 R8, R16.ROW, R24.COL, R28, UR4 ;\nEXIT ;\n.end\n", 32,
           (struct expected){FHEC_FAULT_MODULUS, 0x10, 5, 0, UINT32_MAX, NULL, 0, "modulus is 0",
                             NULL});
    expect(BEGIN "S2R R4, SR_LANEID ;\nIADD3 R4, R4, -0xc, RZ ;\n"
                 "FHEC.16816.U32.U32.MIX R8, R16.ROW, R24.COL, R28, R4 ;\nEXIT ;\n.end\n",
           32,
           (struct expected){FHEC_FAULT_MODULUS, 0x20, 6, 0, 1 << 12, NULL, 0,
                             "the modulus is 0, that of column 3", NULL});
    expect(BEGIN "BRA far ;\nNOP ;\nfar: NOP ;\n.end\n", 33,
           (struct expected){FHEC_FAULT_ILLEGAL, 0x30, 0, 0, UINT32_MAX, NULL, 0,
                             "ran past the last instruction", NULL});
    struct expected limit = {
        FHEC_FAULT_STEP_LIMIT, 0x10, 5, 0, 1, NULL, 0, "all the 1001 warp instructions", NULL};
    expect_steps(BEGIN "NOP ;\nloop: NOP ;\nBRA loop ;\n.end\n", 1, 1001, false, &limit);
}

/* The source location of a fault past the end is unknown; this one checks such faults alone. */
static const fhec_fault *run_words(fhec_machine **m, fhec_program *program, const char *what) {
    *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t out;
    assert_int_equal(fhec_alloc(*m, "out", 64, 0, &out), FHEC_OK);
    if (emu_run(*m, program, 1, 32, &out, 1) != FHEC_GUEST_FAULT)
        fail_msg("%s did not fault", what);
    return fhec_machine_fault(*m);
}

/* Words that the assembler would not write. */
static void test_words(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(BEGIN "@!PT NOP ;\nMOV R2, R3 ;\nEXIT ;\n.end\n");
    struct fh_kernel *k = &program->kernels[0];
    const fhec_word nop = k->words[0], mov = k->words[1];
    fhec_machine *m;

    k->words[0] = (fhec_word){UINT64_C(0x00000000deadbeef), UINT64_C(0xfedcba9876543210)};
    const fhec_fault *f = run_words(&m, program, "a word that is no instruction");
    assert_int_equal(f->kind, FHEC_FAULT_ILLEGAL);
    assert_int_equal(f->lanes, UINT32_MAX);
    require_text("message", f->message, "0xfedcba987654321000000000deadbeef");
    fhec_machine_free(m);

    /* The same with a guard that never holds: there is no guard to believe. */
    k->words[0].lo = UINT64_C(0xdeadfeef);
    f = run_words(&m, program, "a word that is no instruction, guarded");
    assert_int_equal(f->kind, FHEC_FAULT_ILLEGAL);
    fhec_machine_free(m);

    /* TEX, as a compiler writes it: known by name. */
    k->words[0] = (fhec_word){UINT64_C(0x3000580604057b60), UINT64_C(0x001f4200019e01ff)};
    f = run_words(&m, program, "an instruction of the texture unit");
    assert_int_equal(f->kind, FHEC_FAULT_ILLEGAL);
    require_text("message", f->message, "is TEX: the texture unit is not described");
    fhec_machine_free(m);

    /* More registers than the kernel has: allocation is by eights. */
    k->words[0] = nop;
    k->words[1].lo = (mov.lo & ~(UINT64_C(0xff) << 32)) | UINT64_C(8) << 32;
    k->registers = 8;
    f = run_words(&m, program, "a register past the kernel's");
    assert_int_equal(f->kind, FHEC_FAULT_REGISTER);
    assert_int_equal(f->pc, 0x10);
    require_text("message", f->message, "needs R8, but the kernel has 8 registers");
    fhec_machine_free(m);
    /* Not with a guard that never holds. */
    k->words[1].lo |= UINT64_C(0xf000);
    m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(emu_run(m, program, 1, 32, (uint64_t[]){0}, 1), FHEC_OK);
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* Misaligned registers, which the assembler refuses: bits put into good words. */
static void test_registers(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        unsigned bit; /* to set, below 64 */
        const char *message;
    } cases[] = {
        {"LDG.E.64 R8, [R4.64] ;", 16, "operand Rd is R9, which is not a multiple of 2"},
        {"LDG.E.128 R8, [R4.64] ;", 17, "operand Rd is R10, which is not a multiple of 4"},
        {"LDG.E R8, [R4.64] ;", 24, "R5, which is not a multiple of 2"},
        {"LDG.E R8, [R4] ;", 24, "operand addr is R5, which is not a multiple of 2"},
        {"LDG.E R8, [R4.64+UR4] ;", 32, "even register"},
        {"IMAD.WIDE R8, R2, R3, RZ ;", 16, "operand Rd is R9"},
        {"FHEC.16816.U32.U32 R8, R16.ROW, R24.COL, R28, UR4 ;", 25, "operand A is R18"},
        {"FHEC.16816.U32.U32 R8, R16.ROW, R24.COL, R28, UR4 ;", 41, "operand M is UR6"},
        {"STG.E.128 [R4.64], R8 ;", 34, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[400];
        snprintf(text, sizeof text, BEGIN POINT "UMOV UR4, 0x0 ;\nNOP ;\n%s\nEXIT ;\n.end\n",
                 cases[i].line);
        fhec_program *program = emu_assemble(text);
        struct fh_kernel *k = &program->kernels[0];
        k->words[4].lo |= UINT64_C(1) << cases[i].bit;
        k->registers = 64;
        if (!cases[i].message) { /* R12: a good one, so the test can tell */
            fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
            uint64_t out;
            assert_int_equal(fhec_alloc(m, "out", 64, 0, &out), FHEC_OK);
            emu_run_ok(m, program, 1, 32, &out, 1);
            fhec_machine_free(m);
        } else {
            fhec_machine *m;
            const fhec_fault *f = run_words(&m, program, cases[i].line);
            if (f->kind != FHEC_FAULT_REGISTER || f->pc != 0x40)
                fail_msg("%s: kind %d: %s", cases[i].line, f->kind, f->message);
            require_text(cases[i].line, f->message, cases[i].message);
            fhec_machine_free(m);
        }
        fhec_program_free(program);
    }
}

/* Which block, warp and lanes; in a grid of three dimensions. */
static void test_place(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(BEGIN "S2R R0, SR_CTAID.Z ;\nS2R R1, SR_CTAID.Y ;\nS2R R2, SR_TID.X ;\n"
                           "ISETP.EQ.AND P0, PT, R0, 0x2, PT ;\n"
                           "ISETP.EQ.AND P0, PT, R1, 0x1, P0 ;\n"
                           "ISETP.EQ.AND P0, PT, R2, 0x46, P0 ;\n"
                           "@P0 STG.E [RZ.64], R0 ;\nEXIT ;\n.end\n");
    for (unsigned threads = 1; threads <= 3; threads++) {
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, threads);
        uint64_t zero = 0;
        fhec_launch launch = {
            .program = program,
            .grid = {5, 3, 4},
            .block = {96, 1, 1},
            .params = &zero,
            .param_bytes = 8,
        };
        assert_int_equal(fhec_run(m, &launch), FHEC_GUEST_FAULT);
        const fhec_fault *f = fhec_machine_fault(m);
        assert_int_equal(f->block[0], 0);
        assert_int_equal(f->block[1], 1);
        assert_int_equal(f->block[2], 2);
        assert_int_equal(f->warp, 2);
        assert_int_equal(f->lanes, 1 << 6);
        assert_null(f->nearest); /* there is no allocation */
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_global_bounds), cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_small_spaces),  cmocka_unit_test(test_lifetime),
        cmocka_unit_test(test_odd_size),      cmocka_unit_test(test_all_or_nothing),
        cmocka_unit_test(test_instructions),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_registers),     cmocka_unit_test(test_place),
    };
    return cmocka_run_group_tests_name("emu_fault", tests, NULL, NULL);
}
