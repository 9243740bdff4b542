/*
 * emu_constant_test.c - constant memory: what bank 0 holds, banks that a kernel brings along, and
 * every way to read them.
 */
#include "emu_util.h"
#include "program.h"

static const fhec_engine engines[] = {FHEC_ENGINE_FAST, FHEC_ENGINE_REF};

/* Gives kernel 0 the constant banks first, first + 1, ... of `size` bytes each. */
static void add_banks(fhec_program *program, uint8_t first, uint32_t count, const void *bytes,
                      size_t size) {
    struct fh_kernel *kernel = &program->kernels[0];
    kernel->banks = calloc(count, sizeof *kernel->banks);
    assert_non_null(kernel->banks);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, (const uint8_t *)bytes + i * size, size);
        kernel->banks[i] = (struct fh_constant_bank){
            .bank = (uint8_t)(first + i), .bytes = copy, .size = (uint32_t)size};
    }
    kernel->bank_count = count;
}

/* Register halves and carries out of 16 bits that count banks: c[2] has "ab..", c[3] "12..". Bank 3
 * does not reach beyond its 12 bytes, nor does any bank after it. */
static void test_modes(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                     "MOV R30, c[0x0][0x160] ;\nMOV R31, c[0x0][0x164] ;\n"
                     "MOV R0, 0x30004 ;\nMOV R1, 0x1fffc ;\nMOV R2, 0x10008 ;\n"
                     "LDC.IS R8, c[0x0][R0+0x4] ;\n"      /* bank 3, 4 + 4 */
                     "LDC.IL R9, c[0x1][R1+0x4] ;\n"      /* 0x20000: bank 1 + 2, 0 */
                     "LDC.ISL R10, c[0x1][R2-0x4] ;\n"    /* bank 2, 4 */
                     "LDC.ISL.U8 R11, c[0x1][R1+0x6] ;\n" /* bank 2 and 0x10002: bank 3, 2 */
                     "STG.E.128 [R30.64], R8 ;\n"
                     "MOV R0, 0xffff0000 ;\nLDC.IS R8, c[0x3][R0] ;\nEXIT ;\n.end\n");
    static const char text[2][12] = {"abcdefghijkl", "123456789:;<"};
    add_banks(program, 2, 2, text, sizeof text[0]);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        uint64_t out;
        char got[16];
        assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, 1, &out, 1), FHEC_GUEST_FAULT);
        const fhec_fault *fault = fhec_machine_fault(m);
        assert_int_equal(fault->kind, FHEC_FAULT_OUT_OF_BOUNDS);
        assert_non_null(strstr(fault->message, "constant bank 65538"));
        assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
        assert_memory_equal(got, "9:;<1234efgh3\0\0", sizeof got);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* Stores what the sheet says of bank 0, and bank 3, by each way to read a constant. */
static const char read_banks[] =
    ".target sm_80\n.kernel K\n.param out, 8\n.param small, 4\n.param big, 8\n"
    "MOV R30, c[0x0][0x160] ;\nMOV R31, c[0x0][0x164] ;\n"
    "MOV R0, RZ ;\nMOV R1, 0x4 ;\n"
    "LDC R8, c[0x0][R0] ;\nLDC R9, c[0x0][R1] ;\nLDC R10, c[0x0][R1+0x4] ;\n"
    "MOV R11, c[0x0][0xc] ;\n"
    "STG.E.128 [R30.64], R8 ;\n"
    "MOV R8, c[0x0][0x10] ;\nMOV R9, c[0x0][0x14] ;\n"
    "LDC.64 R10, c[0x0][R0+0x18] ;\n"
    "STG.E.128 [R30.64+0x10], R8 ;\n"
    "ULDC.64 UR4, c[0x0][0x20] ;\n"
    "MOV R8, UR4 ;\nMOV R9, UR5 ;\n"
    "MOV R10, c[0x0][0x28] ;\nMOV R11, c[0x0][0x2c] ;\n"
    "STG.E.128 [R30.64+0x20], R8 ;\n"
    "IMAD.WIDE.U32 R8, R0, R0, c[0x0][0x170] ;\n"
    "MOV R10, c[0x0][0x168] ;\n"
    "ULDC UR6, c[0x0][0x168] ;\n"
    "MOV R11, UR6 ;\n"
    "STG.E.128 [R30.64+0x30], R8 ;\n"
    "LDC.U8 R8, c[0x3][R1+0x1] ;\nLDC.S8 R9, c[0x3][R1+0x1] ;\n"
    "LDC.U16 R10, c[0x3][R1+0x2] ;\nLDC.S16 R11, c[0x3][R1+0x2] ;\n"
    "STG.E.128 [R30.64+0x40], R8 ;\n"
    "MOV R8, c[0x3][0x8] ;\n"
    "ULDC.U8 UR7, c[0x3][0xb] ;\n"
    "MOV R9, UR7 ;\n"
    "UMOV UR8, 0x8 ;\n"
    "ULDC.S16 UR9, c[0x3][UR8+0x2] ;\n"
    "MOV R10, UR9 ;\n"
    "LDC R11, c[0x3][R1] ;\n"
    "STG.E.128 [R30.64+0x50], R8 ;\n"
    "EXIT ;\n.end\n";

/* What they are for the launch below; the windows of shared and local memory are the machine's
 * choice. */
enum { WINDOWS = 6, WINDOW_WORDS = 4 };
static const uint32_t read_values[24] = {
    3,          2,          4,          1,          2, 3, // block, grid
    0,          0,          0,          0,                // the windows
    208,        77, // initial R1, a multiple of 16; dynamic shared memory
    0x55667788, 0x11223344, 0xcafe1234, 0xcafe1234, // parameters
    0xf6,       0xfffffff6, 0xb8a7,     0xffffb8a7, // bank 3
    0xec7b8a99, 0xec,       0xffffec7b, 0xb8a7f605,
};

/* The windows are 16 MB each, apart from each other and from global memory. */
static void check_windows(const uint32_t words[WINDOW_WORDS], uint64_t global) {
    enum { SIZE = 1 << 24 };
    uint64_t shared = (uint64_t)words[1] << 32 | words[0];
    uint64_t local = (uint64_t)words[3] << 32 | words[2];
    assert_true(shared && local && shared % SIZE == 0 && local % SIZE == 0);
    assert_true(local - shared >= SIZE && shared - local >= SIZE);
    assert_true(global - shared >= SIZE && global - local >= SIZE);
}

static void test_banks(void **unused) {
    (void)unused;
    static const uint8_t bytes[12] = {1, 2, 3, 4, 5, 0xf6, 0xa7, 0xb8, 0x99, 0x8a, 0x7b, 0xec};
    fhec_program *program = emu_assemble(read_banks);
    program->kernels[0].local_bytes = 200;
    add_banks(program, 3, 1, bytes, sizeof bytes);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        uint64_t out;
        uint32_t got[COUNT_OF(read_values)];
        assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
        struct {
            uint64_t out;
            uint32_t small, padding;
            uint64_t big;
        } params = {out, 0xcafe1234, 0, UINT64_C(0x1122334455667788)};
        fhec_launch launch = {
            .program = program,
            .grid = {1, 2, 3},
            .block = {3, 2, 4},
            .dynamic_shared = 77,
            .params = &params,
            .param_bytes = sizeof params,
        };
        assert_int_equal(fhec_run(m, &launch), FHEC_OK);
        assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
        check_windows(got + WINDOWS, out);
        memset(got + WINDOWS, 0, WINDOW_WORDS * sizeof *got);
        for (size_t i = 0; i < COUNT_OF(got); i++)
            if (got[i] != read_values[i])
                fail_msg("engine %zu, word %zu: 0x%x, want 0x%x", e, i, got[i], read_values[i]);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_banks), cmocka_unit_test(test_modes)};
    return cmocka_run_group_tests_name("emu_constant", tests, NULL, NULL);
}
