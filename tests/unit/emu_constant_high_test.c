/*
 * emu_constant_high_test.c - the upper half of a constant bank of 64 KiB: every way to read it, in
 * both engines at every SIMD level, what observers and watchpoints see there, and its end.
 */
#include "emu_util.h"
#include "fhec_observe.h"
#include "fhec_session.h"

/* Word i of bank 3 is i * MULTIPLIER; the bank has WORDS words. */
enum { WORDS = 0x4000, THREADS = 32, READS = 12 };
#define MULTIPLIER 0x9e3779b1u
#define BANK                                                                                       \
    ".target sm_80\n.constant table, 8\n.rept 0x4000, i\n.word (\\i * 0x9e3779b1) & 0xffffffff\n"  \
    ".endr\n"
#define KERNEL ".kernel K\n.param out, 8\n"
#define OUT    "MOV R30, c[0x0][0x160] ;\nMOV R31, c[0x0][0x164] ;\n"

static const fhec_engine engines[] = {FHEC_ENGINE_FAST, FHEC_ENGINE_REF};

/* Offsets as numbers and, of the upper half, as texts of compilers have them. */
static const char reads[] = BANK KERNEL OUT
    "S2R R0, SR_TID.X ;\nSHF.L.U32 R1, R0, 0x2, RZ ;\nMOV R2, 0xfffffffc ;\nUMOV UR8, 0x34e4 ;\n"
    "MOV R3, 0x34e0 ;\nUMOV UR9, 0xffff8000 ;\n"
    "MOV R8, c[0x3][0x7ffc] ;\n"
    "IADD3 R9, RZ, c[0x3][-0x8000], RZ ;\n"
    "MOV R10, c[0x3][-0x34e0] ;\n"
    "MOV R11, c[0x3][0xfffc] ;\n"
    "IMAD.WIDE.U32 R12, RZ, RZ, c[0x3][0xfff8] ;\n"
    "LDC R14, c[0x3][0x8000] ;\n"
    "LDC R15, c[0x3][R1+0xcb20] ;\n"      /* 0xcb20 + 4 * thread */
    "LDC R16, c[0x3][R2+-0x7ffc] ;\n"     /* 0x8000 */
    "LDC.U16 R17, c[0x3][R3+-0x34de] ;\n" /* over the end: 2 */
    "ULDC UR4, c[0x3][-0x8000] ;\nMOV R18, UR4 ;\n"
    "ULDC.64 UR4, c[0x3][UR8+0xcb14] ;\nMOV R19, UR4 ;\n" /* 0xfff8 */
    "ULDC UR6, c[0x3][UR9+0x8004] ;\nIADD3 R19, R19, UR5, RZ ;\nIADD3 R19, R19, UR6, RZ ;\n" /* and
                                                                                                4 */
    "IMAD.WIDE.U32 R30, R0, 0x30, R30 ;\n"
    "STG.E.128 [R30.64], R8 ;\nSTG.E.128 [R30.64+0x10], R12 ;\nSTG.E.128 [R30.64+0x20], R16 ;\n"
    "EXIT ;\n.end\n";

static uint32_t word_at(uint32_t place) {
    return place / 4 * MULTIPLIER;
}

static void expect_reads(const uint32_t *got, uint32_t thread) {
    const uint32_t want[READS] = {
        word_at(0x7ffc), word_at(0x8000),
        word_at(0xcb20), word_at(0xfffc),
        word_at(0xfff8), word_at(0xfffc),
        word_at(0x8000), word_at(0xcb20 + 4 * thread),
        word_at(0x8000), word_at(0) >> 16,
        word_at(0x8000), word_at(0xfff8) + word_at(0xfffc) + word_at(4),
    };
    for (uint32_t i = 0; i < READS; i++)
        if (got[i] != want[i])
            fail_msg("thread %u, value %u: 0x%x, want 0x%x", thread, i, got[i], want[i]);
}

static void all_readers(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(reads);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        for (int simd = FHEC_SIMD_BEST; simd <= FHEC_SIMD_AVX512; simd++) {
            if (!emu_has_simd((fhec_simd)simd))
                continue;
            fhec_machine *m = emu_machine(engines[e], (fhec_simd)simd, 1);
            uint32_t got[THREADS * READS];
            uint64_t out;
            assert_int_equal(fhec_alloc(m, "out", sizeof got, 0, &out), FHEC_OK);
            assert_int_equal(emu_run(m, program, 1, THREADS, &out, 1), FHEC_OK);
            assert_int_equal(fhec_read(m, out, got, sizeof got), FHEC_OK);
            for (uint32_t t = 0; t < THREADS; t++)
                expect_reads(got + READS * t, t);
            fhec_machine_free(m);
        }
    }
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- observers */

struct told {
    uint32_t count, wrong;
};

/* Every access to bank 3 is at a place of it, with the value that is there. */
static void see(void *user, const fhec_event *event) {
    struct told *told = user;
    const fhec_access *a = &event->access;
    if (event->kind != FHEC_EVENT_ACCESS || a->space != FHEC_SPACE_CONSTANT || a->bank != 3)
        return;
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint64_t at = a->address[lane];
        told->count++;
        if (at + a->bytes > 4 * WORDS) {
            told->wrong++;
            continue;
        }
        for (uint32_t i = 0; a->bytes >= 4 && i < a->bytes / 4; i++)
            told->wrong += a->value[32 * i + lane] != word_at((uint32_t)at + 4 * i);
    }
}

static void observers(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(reads);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        struct told told = {0, 0};
        const fhec_observer observer = {.user = &told, .event = see};
        uint64_t out;
        assert_int_equal(fhec_alloc(m, "out", 4 * THREADS * READS, 0, &out), FHEC_OK);
        assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, THREADS, &out, 1), FHEC_OK);
        assert_int_equal(told.count, 9 * THREADS + 3); /* uniform loads: one lane */
        assert_int_equal(told.wrong, 0);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

static void watchpoints(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(reads);
    /* the instructions, by number, that read these bytes */
    static const struct {
        uint32_t place, count, at[4];
    } watched[] = {
        {0x7ffc, 1, {8}},      {0x8003, 4, {9, 13, 15, 17}},
        {0xcb20, 2, {10, 14}}, {0xfffe, 3, {11, 12, 19}},
        {0x0002, 1, {16}},
    };
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        for (size_t i = 0; i < COUNT_OF(watched); i++) {
            fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
            uint64_t out;
            fhec_session *session;
            const fhec_go go = {0};
            unsigned number;
            assert_int_equal(fhec_alloc(m, "out", 4 * THREADS * READS, 0, &out), FHEC_OK);
            const fhec_launch launch = {.program = program,
                                        .grid = {1, 1, 1},
                                        .block = {THREADS, 1, 1},
                                        .params = &out,
                                        .param_bytes = sizeof out};
            assert_int_equal(fhec_session_begin(m, &launch, &session), FHEC_OK);
            const fhec_point point = {.kind = FHEC_POINT_MEMORY,
                                      .space = FHEC_SPACE_CONSTANT,
                                      .bank = 3,
                                      .address = watched[i].place,
                                      .bytes = 1,
                                      .access = FHEC_ACCESS_READ};
            assert_int_equal(fhec_session_add(session, &point, &number), FHEC_OK);
            for (uint32_t k = 0; k < watched[i].count; k++) {
                fhec_stop stop;
                assert_int_equal(fhec_session_run(session, &go, &stop), FHEC_OK);
                assert_int_equal(stop.reason, FHEC_STOP_WATCHPOINT);
                assert_int_equal(stop.pc, 16 * watched[i].at[k]);
                assert_true(watched[i].place - stop.address < stop.bytes);
            }
            fhec_stop end;
            assert_int_equal(fhec_session_run(session, &go, &end), FHEC_OK);
            assert_int_equal(end.reason, FHEC_STOP_END);
            fhec_session_end(session);
            fhec_machine_free(m);
        }
    }
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- ends */

static void expect_fault(const char *text, uint64_t pc, fhec_fault_kind kind, uint64_t address) {
    fhec_program *program = emu_assemble(text);
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 1);
        struct told told = {0, 0};
        const fhec_observer observer = {.user = &told, .event = see};
        uint64_t out = 0;
        assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
        assert_int_equal(emu_run(m, program, 1, 1, &out, 1), FHEC_GUEST_FAULT);
        const fhec_fault *fault = fhec_machine_fault(m);
        assert_int_equal(fault->kind, kind);
        assert_int_equal(fault->pc, pc);
        assert_string_equal(fault->space, "constant");
        if (fault->address != address)
            fail_msg("the address is 0x%llx: %s", (unsigned long long)fault->address, text);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* A bank of 53,032 bytes; a read that begins in a full bank and ends beyond it; an index that leads
 * out of any bank. */
static void ends(void **unused) {
    (void)unused;
#define SMALL ".target sm_80\n.constant table, 8\n.zero 53032\n" KERNEL
    expect_fault(SMALL "MOV R0, c[0x3][0xcf24] ;\nMOV R0, c[0x3][-0x30d8] ;\nEXIT ;\n.end\n", 16,
                 FHEC_FAULT_OUT_OF_BOUNDS, 0xcf28);
    expect_fault(SMALL "@!PT MOV R0, c[0x3][-0x4] ;\nMOV R1, 0x4 ;\nLDC R0, c[0x3][R1+0xcf20] ;\n"
                       "LDC R0, c[0x3][R1+0xcf24] ;\nEXIT ;\n.end\n",
                 48, FHEC_FAULT_OUT_OF_BOUNDS, 0xcf28);
    expect_fault(SMALL "ULDC UR4, c[0x3][-0x30d8] ;\nEXIT ;\n.end\n", 0, FHEC_FAULT_OUT_OF_BOUNDS,
                 0xcf28);
    expect_fault(BANK KERNEL "IMAD.WIDE.U32 R4, RZ, RZ, c[0x3][0xfffc] ;\nEXIT ;\n.end\n", 0,
                 FHEC_FAULT_OUT_OF_BOUNDS, 0xfffc);
    expect_fault(BANK KERNEL "LDC.64 R4, c[0x3][0xfffc] ;\nEXIT ;\n.end\n", 0,
                 FHEC_FAULT_MISALIGNED, 0xfffc);
    expect_fault(BANK KERNEL "MOV R1, 0x10000 ;\nLDC R4, c[0x3][R1+-0x4] ;\n"
                             "LDC R4, c[0x3][R1+0x4] ;\nEXIT ;\n.end\n",
                 32, FHEC_FAULT_OUT_OF_BOUNDS, 0x10004);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_readers),
        cmocka_unit_test(observers),
        cmocka_unit_test(watchpoints),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests_name("emu_constant_high", tests, NULL, NULL);
}
