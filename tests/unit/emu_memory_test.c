/*
 * emu_memory_test.c - the memory spaces: sizes and extension, address modes, the order of lanes,
 * what is in bounds to the byte, and the host's side of global memory.
 */
#include "emu_util.h"
#include "program.h"

static const fhec_engine engines[] = {FHEC_ENGINE_FAST, FHEC_ENGINE_REF};

/* Runs one block with two parameters: in, out. */
struct pair {
    fhec_machine *machine;
    uint64_t in, out;
};

static struct pair make_pair(fhec_engine engine, const void *data, size_t in, size_t out) {
    struct pair p = {.machine = emu_machine(engine, FHEC_SIMD_BEST, 1)};
    assert_int_equal(fhec_alloc(p.machine, "in", in, FHEC_MEM_READ_ONLY, &p.in), FHEC_OK);
    assert_int_equal(fhec_alloc(p.machine, "out", out, 0, &p.out), FHEC_OK);
    assert_int_equal(fhec_write(p.machine, p.in, data, in), FHEC_OK);
    return p;
}

/* Every byte differs from its neighbours and from the byte 32, 64 and 128 places on. */
static void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(i * 151 + (i >> 5) * 29 + 0x83);
}

struct size_case {
    const char *text; /* of the modifier */
    uint32_t bytes, registers;
    bool is_signed;
};

static const struct size_case sizes[] = {
    {".U8", 1, 1, false}, {".S8", 1, 1, true},  {".U16", 2, 1, false},  {".S16", 2, 1, true},
    {"", 4, 1, false},    {".64", 8, 2, false}, {".128", 16, 4, false},
};

/* What register r of a lane holds after a load from `at`. */
static uint32_t loaded(const uint8_t *at, const struct size_case *s, uint32_t r) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4 && i < s->bytes; i++)
        value |= (uint32_t)at[4 * r + i] << (8 * i);
    if (s->is_signed && s->bytes == 1)
        return (uint32_t)(int32_t)(int8_t)value;
    if (s->is_signed && s->bytes == 2)
        return (uint32_t)(int32_t)(int16_t)value;
    return value;
}

/* `permute` is the instruction that makes R1, the lane's element number, from the lane id R0. Each
 * lane stores registers R12.. as words at out[4 * lane ..]. */
static void check_load(fhec_engine engine, const struct size_case *s, const char *permute,
                       uint32_t (*element)(uint32_t lane), const char *guard) {
    char text[1000];
    snprintf(text, sizeof text,
             ".target sm_80\n.kernel K\n.param in, 8\n.param out, 8\n"
             "S2R R0, SR_LANEID ;\n"
             "LOP3.LUT R7, R0, 0x1, RZ, 0xc0, !PT ;\n"
             "ISETP.EQ.AND P0, PT, R7, RZ, PT ;\n"
             "%s"
             "MOV R6, %u ;\n"
             "MOV R12, 0x11 ;\nMOV R13, 0x22 ;\nMOV R14, 0x33 ;\nMOV R15, 0x44 ;\n"
             "IMAD.WIDE.U32 R2, R1, R6, c[0x0][0x160] ;\n"
             "%s LDG.E%s R12, [R2.64+0x10] ;\n"
             "MOV R6, 0x10 ;\n"
             "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x168] ;\n"
             "STG.E.128 [R4.64], R12 ;\n"
             "EXIT ;\n.end\n",
             permute, s->bytes, guard, s->text);
    fhec_program *program = emu_assemble(text);
    uint8_t data[16 + 32 * 16];
    fill(data, sizeof data);
    struct pair p = make_pair(engine, data, sizeof data, 512);
    emu_run_ok(p.machine, program, 1, 32, (uint64_t[]){p.in, p.out}, 2);
    uint32_t out[128];
    assert_int_equal(fhec_read(p.machine, p.out, out, sizeof out), FHEC_OK);
    for (uint32_t lane = 0; lane < 32; lane++) {
        for (uint32_t r = 0; r < 4; r++) {
            bool runs = !*guard || lane % 2 == 0;
            uint32_t want = runs && r < s->registers
                                ? loaded(data + 16 + element(lane) * s->bytes, s, r)
                                : (r + 1) * 0x11;
            if (out[4 * lane + r] != want)
                fail_msg("LDG.E%s engine %d, lane %u, register %u: 0x%x, want 0x%x\n%s", s->text,
                         engine, lane, r, out[4 * lane + r], want, permute);
        }
    }
    fhec_machine_free(p.machine);
    fhec_program_free(program);
}

static uint32_t straight(uint32_t lane) {
    return lane;
}
static uint32_t backward(uint32_t lane) {
    return 31 - lane;
}
static uint32_t same(uint32_t lane) {
    (void)lane;
    return 7;
}
static uint32_t crossed(uint32_t lane) {
    return lane ^ 5;
}

static void test_load_sizes(void **unused) {
    (void)unused;
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            check_load(engines[e], &sizes[i], "MOV R1, R0 ;\n", straight, "");
            check_load(engines[e], &sizes[i], "MOV R1, R0 ;\n", straight, "@P0");
            check_load(engines[e], &sizes[i], "IADD3 R1, -R0, 0x1f, RZ ;\n", backward, "");
            check_load(engines[e], &sizes[i], "MOV R1, 0x7 ;\n", same, "");
            check_load(engines[e], &sizes[i], "LOP3.LUT R1, R0, 0x5, RZ, 0x3c, !PT ;\n", crossed,
                       "");
            check_load(engines[e], &sizes[i], "LOP3.LUT R1, R0, 0x5, RZ, 0x3c, !PT ;\n", crossed,
                       "@P0");
        }
    }
}

/* Stores of every size to shared memory, read back as words and stored to global memory; and the
 * same straight to global memory. Lanes lie 16 bytes apart. */
static void test_store_sizes(void **unused) {
    (void)unused;
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            if (sizes[i].is_signed)
                continue;
            for (int shared = 0; shared < 2; shared++) {
                char text[1000];
                snprintf(text, sizeof text,
                         ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 512\n"
                         "S2R R0, SR_LANEID ;\n"
                         "MOV R6, 0x10 ;\n"
                         "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
                         "IMAD R12, R0, 0x1010101, R0 ;\nIADD3 R13, R12, 0x1234567, RZ ;\n"
                         "IADD3 R14, R13, 0x1234567, RZ ;\nIADD3 R15, R14, 0x1234567, RZ ;\n"
                         "%s%s %s, R12 ;\n"
                         "LDS.128 R8, [R0.X16] ;\n"
                         "%s"
                         "EXIT ;\n.end\n",
                         shared ? "STS" : "STG.E", sizes[i].text, shared ? "[R0.X16]" : "[R4.64]",
                         shared ? "STG.E.128 [R4.64], R8 ;\n" : "");
                fhec_program *program = emu_assemble(text);
                fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
                uint64_t out;
                assert_int_equal(fhec_alloc(m, "out", 512, 0, &out), FHEC_OK);
                emu_run_ok(m, program, 1, 32, &out, 1);
                uint32_t got[128];
                assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
                for (uint32_t k = 0; k < 128; k++) {
                    uint32_t lane = k / 4, r = k % 4;
                    uint32_t value = lane * 0x1010102u + r * 0x1234567u;
                    uint32_t keep =
                        sizes[i].bytes < 4 ? (1u << 8 * sizes[i].bytes) - 1 : UINT32_MAX;
                    uint32_t want = r < sizes[i].registers ? value & keep : 0;
                    if (got[k] != want)
                        fail_msg("%s%s engine %zu lane %u register %u: 0x%x, want 0x%x",
                                 shared ? "STS" : "STG.E", sizes[i].text, e, lane, r, got[k], want);
                }
                fhec_machine_free(m);
                fhec_program_free(program);
            }
        }
    }
}

/* Where lanes store to one place, the highest active one's value stays: in global and shared
 * memory. */
static void test_store_conflicts(void **unused) {
    (void)unused;
    uint32_t out[8] = {0};
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 64\n"
             "S2R R0, SR_LANEID ;\n"
             "MOV R4, c[0x0][0x160] ;\nMOV R5, c[0x0][0x164] ;\n"
             "IADD3 R8, R0, 0x100, RZ ;\nIADD3 R9, R0, 0x200, RZ ;\n"
             "ISETP.LT.AND P0, PT, R0, 0x17, PT ;\n"
             "STG.E [R4.64], R8 ;\n"
             "@P0 STG.E.64 [R4.64+0x8], R8 ;\n"
             "STS.64 [0x10], R8 ;\n"
             "@P0 STS [0x14], R0 ;\n"
             "LDS.64 R10, [RZ+0x10] ;\n"
             "STG.E.64 [R4.64+0x10], R10 ;\n"
             "EXIT ;\n.end\n",
             32, out, COUNT_OF(out));
    const uint32_t want[8] = {0x11f, 0, 0x116, 0x216, 0x11f, 22, 0, 0};
    assert_memory_equal(out, want, sizeof want);
}

/* Every spelling of a global address, each reading another word of `in`. */
static void test_global_addresses(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel K\n.param in, 8\n.param out, 8\n"
                     "MOV R2, c[0x0][0x160] ;\nMOV R3, c[0x0][0x164] ;\n"
                     "MOV R4, c[0x0][0x168] ;\nMOV R5, c[0x0][0x16c] ;\n"
                     "ULDC.64 UR4, c[0x0][0x118] ;\n"
                     "ULDC.64 UR6, c[0x0][0x160] ;\n"
                     "UMOV UR8, 0x10 ;\nUMOV UR9, 0x0 ;\n"
                     "MOV R1, 0xfffffffc ;\n"
                     "MOV R0, 0x8 ;\n"
                     "LDG.E R8, [R2] ;\n"                  /* 0 */
                     "LDG.E R9, [R2.64+0x4] ;\n"           /* 4 */
                     "LDG.E R10, desc[UR4][R2.64+0x8] ;\n" /* 8: the descriptor is not added */
                     "LDG.E R11, [R2.64+UR8+-0x4] ;\n"     /* 16 - 4 */
                     "LDG.E R12, [R0.U32+UR6+0x8] ;\n"     /* 8 + 8 */
                     "IADD3 R6, P0, R2, 0x18, RZ ;\n"
                     "IADD3.X R7, R3, RZ, RZ, P0, !PT ;\n"
                     "LDG.E R13, [R6.64+-0x4] ;\n" /* 24 - 4 */
                     "IADD3 R6, P0, R2, 0x1000, RZ ;\n"
                     "IADD3.X R7, R3, RZ, RZ, P0, !PT ;\n"
                     "LDG.E R14, [R6.64+-0xfe8] ;\n" /* 4096 - 4072 = 24 */
                     "LDG.E R15, [R2+0x1c] ;\n"      /* 28 */
                     "STG.E.128 [R4], R8 ;\n"
                     "STG.E.128 desc[UR4][R4.64+0x10], R12 ;\n"
                     "EXIT ;\n.end\n");
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        uint8_t data[64];
        fill(data, sizeof data);
        struct pair p = make_pair(engines[e], data, sizeof data, 32);
        emu_run_ok(p.machine, program, 1, 1, (uint64_t[]){p.in, p.out}, 2);
        uint8_t out[32];
        assert_int_equal(fhec_read(p.machine, p.out, out, sizeof out), FHEC_OK);
        assert_memory_equal(out, data, sizeof out);
        fhec_machine_free(p.machine);
    }
    fhec_program_free(program);
}

/* Strides, uniform addends, negative offsets; a shared address wraps at 32 bits. */
static void test_shared_addresses(void **unused) {
    (void)unused;
    uint32_t out[8] = {0};
    emu_text(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 512\n"
             "MOV R4, c[0x0][0x160] ;\nMOV R5, c[0x0][0x164] ;\n"
             "S2R R0, SR_LANEID ;\n"
             "IMAD R1, R0, 0x3, RZ ;\nIADD3 R1, R1, 0x500, RZ ;\n"
             "STS [R0.X4], R1 ;\n" /* word l = 0x500 + 3 l */
             "MOV R2, 0x5 ;\n"
             "UMOV UR4, 0x8 ;\n"
             "LDS R8, [R2.X4] ;\n"          /* word 5 */
             "LDS R9, [R2.X8] ;\n"          /* word 10 */
             "LDS R10, [R2.X16] ;\n"        /* word 20 */
             "LDS R11, [R2.X4+UR4+0x4] ;\n" /* word 5 + 2 + 1 */
             "MOV R3, 0xfffffff0 ;\n"
             "LDS R12, [R3+0x2c] ;\n" /* -16 + 44: word 7 */
             "LDS R13, [UR4] ;\n"     /* word 2 */
             "MOV R3, 0x40000001 ;\n"
             "LDS R14, [R3.X4] ;\n"       /* 4 (2^30 + 1) mod 2^32: word 1 */
             "LDS R15, [R2.X4+-0x14] ;\n" /* word 0 */
             "STG.E.128 [R4.64], R8 ;\n"
             "STG.E.128 [R4.64+0x10], R12 ;\n"
             "EXIT ;\n.end\n",
             32, out, COUNT_OF(out));
    const uint32_t word[8] = {5, 10, 20, 8, 7, 2, 1, 0};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(out[i], 0x500 + 3 * word[i]);
}

/* Every lane has its own local memory, and every block its own shared memory, zero at first. */
static void test_private_memories(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 4\n"
                     "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
                     "IMAD R2, R1, c[0x0][0x0], R0 ;\n"
                     "MOV R6, 0x8 ;\n"
                     "IMAD.WIDE.U32 R4, R2, R6, c[0x0][0x160] ;\n"
                     "MOV R7, c[0x0][0x28] ;\n"
                     "LDL R8, [R7+-0x4] ;\n"
                     "LDS R9, [RZ] ;\n"
                     "BAR.SYNC 0x0 ;\n"
                     "IADD3 R10, R2, 0x777, RZ ;\n"
                     "STL [R7+-0x4], R10 ;\n"
                     "STS [RZ], R10 ;\n"
                     "BAR.SYNC 0x0 ;\n"
                     "LDL R11, [R7+-0x4] ;\n"
                     "IADD3 R8, R11, R8, R8 ;\n" /* 0x777 + thread, unless it was not zero */
                     "STG.E.64 [R4.64], R8 ;\n"
                     "EXIT ;\n.end\n");
    program->kernels[0].local_bytes = 40;
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        uint64_t out;
        uint32_t got[2 * 240];
        assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
        emu_run_ok(m, program, 3, 80, &out, 1);
        assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
        for (uint32_t t = 0; t < 240; t++) {
            assert_int_equal(got[2 * t], 0x777 + t);
            assert_int_equal(got[2 * t + 1], 0);
        }
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* Addresses: aligned, apart, above 32 bits, never given twice. The host's accesses stay within one
 * live allocation, and reach read-only memory. */
static void test_host_side(void **unused) {
    (void)unused;
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t a, b, c, d;
    uint8_t bytes[1000];
    assert_int_equal(fhec_alloc(m, "a", 1000, 0, &a), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "b", 1, FHEC_MEM_READ_ONLY, &b), FHEC_OK);
    assert_true(a % 256 == 0 && b % 256 == 0 && a >> 32 != 0);
    assert_true(b >= a + 1000 + 4096);
    memset(bytes, 0xee, sizeof bytes);
    assert_int_equal(fhec_read(m, a, bytes, 1000), FHEC_OK);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(bytes[i], 0);
    assert_int_equal(fhec_write(m, a + 999, "x", 1), FHEC_OK);
    assert_int_equal(fhec_write(m, b, "y", 1), FHEC_OK);
    assert_int_equal(fhec_read(m, a + 999, bytes, 1), FHEC_OK);
    assert_int_equal(bytes[0], 'x');
    assert_int_equal(fhec_write(m, a + 999, "xy", 2), FHEC_BAD_INPUT);
    assert_non_null(strstr(fhec_machine_error(m), "`a`"));
    assert_int_equal(fhec_read(m, a - 1, bytes, 1), FHEC_BAD_INPUT);
    assert_int_equal(fhec_read(m, b, bytes, 2), FHEC_BAD_INPUT);
    assert_int_equal(fhec_read(m, 0, bytes, 1), FHEC_BAD_INPUT);
    assert_int_equal(fhec_read(m, a, bytes, SIZE_MAX), FHEC_BAD_INPUT);
    assert_int_equal(fhec_release(m, a + 256), FHEC_BAD_INPUT);
    assert_int_equal(fhec_release(m, a), FHEC_OK);
    assert_int_equal(fhec_release(m, a), FHEC_BAD_INPUT);
    assert_int_equal(fhec_read(m, a, bytes, 1), FHEC_BAD_INPUT);
    assert_non_null(strstr(fhec_machine_error(m), "released"));
    assert_int_equal(fhec_alloc(m, "c", 1000, 0, &c), FHEC_OK);
    assert_true(c > b);
    assert_int_equal(fhec_alloc(m, "d", 0, 0, &d), FHEC_BAD_INPUT);
    assert_int_equal(fhec_alloc(m, "d", 8, 6, &d), FHEC_BAD_INPUT);
    assert_int_equal(fhec_alloc(m, "d", SIZE_MAX - 100, 0, &d), FHEC_HOST_ERROR);
    assert_int_equal(d, 0);
    fhec_machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_sizes),       cmocka_unit_test(test_store_sizes),
        cmocka_unit_test(test_store_conflicts),  cmocka_unit_test(test_global_addresses),
        cmocka_unit_test(test_shared_addresses), cmocka_unit_test(test_private_memories),
        cmocka_unit_test(test_host_side),
    };
    return cmocka_run_group_tests_name("emu_memory", tests, NULL, NULL);
}
