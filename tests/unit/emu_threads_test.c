/*
 * emu_threads_test.c - blocks on several host threads give the memory, counts, and faults of blocks
 * that run one after another, also where blocks depend on each other; and two machines in two
 * threads do not know of each other. Runs under TSan, too.
 */
#include <pthread.h>

#include "emu_work.h"

static uint32_t word(const struct emu_outcome *o, size_t i) {
    uint32_t value;
    memcpy(&value, o->bytes + 4 * i, 4);
    return value;
}

static struct emu_outcome one;

static void test_independent(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "LDG.E R8, [R4.64] ;\n"
                                                   "IMAD R8, R8, R8, R0 ;\n"
                                                   "STG.E [R4.64], R8 ;\n"
                                                   "LDG.E R9, [R4.64] ;\n"
                                                   "IADD3 R9, R9, R1, RZ ;\n"
                                                   "STG.E [R4.64], R9 ;\nEXIT ;\n.end\n",
                                       37, 96, 37 * 96 * 4, 0, 0},
                     &one);
    assert_int_equal(one.status, FHEC_OK);
}

/* Block b adds b to what block b - 1 left: data[b+1] = data[b] + b. */
static void test_chain(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "LDG.E R8, [R6.64] ;\n"
                                                   "IADD3 R8, R8, R1, RZ ;\n"
                                                   "STG.E [R6.64+0x4], R8 ;\nEXIT ;\n.end\n",
                                       50, 1, 51 * 4, 0, 1},
                     &one);
    for (size_t i = 0; i < 50; i++)
        assert_int_equal(word(&one, i + 1), word(&one, i) + i);
}

/* The other way round: block b reads what block b + 1 will write. */
static void test_read_before_write(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "LDG.E R8, [R6.64+0x4] ;\n"
                                                   "IADD3 R8, R8, R1, RZ ;\n"
                                                   "STG.E [R6.64], R8 ;\nEXIT ;\n.end\n",
                                       64, 1, 65 * 4, 0, 3},
                     &one);
}

/* All blocks write the same words: the last one's stay. Each also reads them back. */
static void test_last_write_stays(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX
                                       "MOV R10, c[0x0][0x160] ;\nMOV R11, c[0x0][0x164] ;\n"
                                       "IMAD.WIDE.U32 R10, R2, R3, R10 ;\n"
                                       "STG.E [R10.64], R0 ;\n"
                                       "LDG.E R8, [R10.64] ;\n"
                                       "STG.E [R4.64+0x100], R8 ;\nEXIT ;\n.end\n",
                                       29, 64, 256 + 29 * 64 * 4, 0, 0},
                     &one);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(word(&one, i), 28 * 64 + i);
}

/* Blocks write single bytes, and halves, of words that other blocks write parts of, too. */
static void test_parts_of_words(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "IADD3 R6, P0, R1, c[0x0][0x160], RZ ;\n"
                                                   "MOV R7, c[0x0][0x164] ;\n"
                                                   "IADD3.X R7, R7, RZ, RZ, P0, !PT ;\n"
                                                   "STG.E.U8 [R6.64+0x3], R1 ;\n"
                                                   "IADD3 R6, P0, R6, R1, RZ ;\n"
                                                   "IADD3.X R7, R7, RZ, RZ, P0, !PT ;\n"
                                                   "STG.E.U16 [R6.64+0x100], R0 ;\n"
                                                   "LDG.E.U8 R8, [R6.64+0x101] ;\n"
                                                   "STG.E.U8 [R6.64+0x200], R8 ;\nEXIT ;\n.end\n",
                                       101, 1, 0x300, 0, 0},
                     &one);
    for (size_t i = 0; i < 101; i++)
        assert_int_equal(one.bytes[3 + i], i);
}

/* Accesses of 16 bytes by lanes that are apart, over lines that are partly written by the block
 * itself, and partly by others. */
static void test_wide_accesses(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "MOV R3, 0x30 ;\n"
                                                   "IMAD.WIDE.U32 R4, R0, R3, c[0x0][0x160] ;\n"
                                                   "LDG.E.128 R8, [R4.64+0x20] ;\n"
                                                   "IADD3 R9, R9, R8, R0 ;\n"
                                                   "STG.E.64 [R4.64+0x8], R8 ;\n"
                                                   "LDG.E.128 R12, [R4.64] ;\n"
                                                   "STG.E.128 [R4.64+0x10], R12 ;\n"
                                                   "LDG.E.128 R16, [R4.64+0x10] ;\n"
                                                   "IADD3 R16, R16, R17, R18 ;\n"
                                                   "STG.E.U16 [R4.64+0x22], R16 ;\nEXIT ;\n.end\n",
                                       20, 40, 20 * 40 * 48, 0, 0},
                     &one);
}

/* A hash of the thread decides which words it reads and writes, so that some blocks meet. */
static void test_random_accesses(void **unused) {
    (void)unused;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        char text[1500];
        uint32_t bits = 6 + seed % 3 * 4;
        snprintf(text, sizeof text,
                 BEGIN INDEX "MOV R20, c[0x0][0x160] ;\nMOV R21, c[0x0][0x164] ;\n"
                             "IADD3 R10, R0, %u, RZ ;\nMOV R30, 0x6 ;\n"
                             "again: IMAD R10, R10, 0x9e3779b1, R1 ;\n"
                             "SHF.R.U32.HI R11, RZ, %u, R10 ;\n"
                             "IMAD.WIDE.U32 R12, R11, R3, R20 ;\n"
                             "LDG.E R8, [R12.64] ;\n"
                             "IMAD R10, R10, 0x85ebca6b, R8 ;\n"
                             "SHF.R.U32.HI R11, RZ, %u, R10 ;\n"
                             "ISETP.LT.U32.AND P1, PT, R11, %u, PT ;\n"
                             "IMAD.WIDE.U32 R12, R11, R3, R20 ;\n"
                             "@P1 STG.E [R12.64], R10 ;\n"
                             "IADD3 R30, R30, -0x1, RZ ;\n"
                             "ISETP.NE.AND P0, PT, R30, RZ, PT ;\n"
                             "@P0 BRA again ;\nEXIT ;\n.end\n",
                 seed * 77777, 32 - bits, 32 - bits, 1u << (bits - 2 * (seed % 4)));
        emu_same_for_all((struct emu_work){text, 24, 33, 4u << bits, 0, 1}, &one);
        assert_int_equal(one.status, FHEC_OK);
    }
}

/* Each block waits for the flag of the one before: those that run ahead of their turn spin on a
 * value that will never come. */
static void test_spin_on_earlier_block(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "ISETP.EQ.AND P0, PT, R1, RZ, PT ;\n"
                                                   "MOV R8, 0x7000 ;\n"
                                                   "@P0 BRA set ;\n"
                                                   "spin: LDG.E R8, [R6.64+-0x4] ;\n"
                                                   "SHF.R.U32.HI R9, RZ, 0xc, R8 ;\n"
                                                   "ISETP.NE.AND P1, PT, R9, 0x7, PT ;\n"
                                                   "@P1 BRA spin ;\n"
                                                   "set: IADD3 R8, R8, 0x1, RZ ;\n"
                                                   "STG.E [R6.64], R8 ;\nEXIT ;\n.end\n",
                                       9, 1, 9 * 4, 0, 1},
                     &one);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(word(&one, i), 0x7001 + i);
}

/* Blocks 13 and 30 fault: everything up to block 13's fault has happened, and nothing after it. */
static void test_fault(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "STG.E [R4.64], R0 ;\n"
                                                   "ISETP.EQ.AND P0, PT, R1, 0xd, PT ;\n"
                                                   "ISETP.EQ.OR P0, PT, R1, 0x1e, P0 ;\n"
                                                   "ISETP.GE.AND P0, PT, R2, 0x21, P0 ;\n"
                                                   "@P0 STG.E [R4.64+0x2], R0 ;\n"
                                                   "MOV R8, 0xffff ;\n"
                                                   "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
                                       40, 64, 40 * 64 * 4, 0, 0},
                     &one);
    assert_int_equal(one.fault.kind, FHEC_FAULT_MISALIGNED);
    assert_int_equal(one.fault.block[0], 13);
    assert_int_equal(one.fault.warp, 1);
    assert_int_equal(one.fault.lanes, 0xfffffffe);
    assert_int_equal(word(&one, 13 * 64), 0xffff); /* warp 0 had its turn */
    assert_int_equal(word(&one, 13 * 64 + 32), 13 * 64 + 32);
    assert_int_not_equal(word(&one, 14 * 64), 14 * 64);
}

/* A block ahead of its turn sees a stale pointer and would fault; in its turn it does not. And one
 * that does fault in its turn only. */
static void test_fault_of_stale_words(void **unused) {
    (void)unused;
    for (int bad = 0; bad < 2; bad++) {
        char text[1000];
        snprintf(text, sizeof text,
                 BEGIN INDEX "LDG.E R8, [R6.64] ;\n"
                             "ISETP.%s.AND P0, PT, R1, RZ, PT ;\n"
                             "ISETP.NE.AND P1, PT, R8, 0x5, PT ;\n"
                             "ISETP.NE.AND P2, PT, R1, RZ, P1 ;\n"
                             "MOV R9, 0x5 ;\n"
                             "@P2 STG.E [RZ.64], R9 ;\n"
                             "STG.E [R6.64+0x4], R9 ;\nEXIT ;\n.end\n",
                 "EQ");
        if (bad) /* block 20 leaves a wrong word to the next */
            strcpy(strstr(text, "STG.E [R6.64+0x4]"),
                   "ISETP.EQ.AND P3, PT, R1, 0x14, PT ;\n@P3 MOV R9, 0x6 ;\n"
                   "STG.E [R6.64+0x4], R9 ;\nEXIT ;\n.end\n");
        emu_same_for_all((struct emu_work){text, 40, 1, 41 * 4, 0, 1}, &one);
        assert_int_equal(one.status, bad ? FHEC_GUEST_FAULT : FHEC_OK);
        if (bad)
            assert_int_equal(one.fault.block[0], 21);
    }
}

/* An endless loop in block 7 of 10 ends at the limit, wherever the other blocks are. */
static void test_endless_block(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "STG.E [R4.64], R0 ;\n"
                                                   "loop: ISETP.EQ.AND P0, PT, R1, 0x7, PT ;\n"
                                                   "@P0 BRA loop ;\nEXIT ;\n.end\n",
                                       10, 32, 10 * 32 * 4, 20000, 1},
                     &one);
    assert_int_equal(one.fault.kind, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(one.fault.block[0], 7);
    assert_int_equal(one.warp, 20000);
}

/* Long enough for every launch to run on all threads. The work grows with the number of the block,
 * so that a thread that is done early takes over blocks of another; and each launch touches other
 * words than the one before, which must leave no trace. */
static void test_uneven_blocks(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX "IMAD R30, R1, 0x8, RZ ;\n"
                                                   "LDG.E R8, [R4.64] ;\n"
                                                   "loop: IMAD R8, R8, 0x19660d, R0 ;\n"
                                                   "IADD3 R30, R30, -0x1, RZ ;\n"
                                                   "ISETP.GT.AND P0, PT, R30, RZ, PT ;\n"
                                                   "@P0 BRA loop ;\n"
                                                   "LOP3.LUT R9, R8, 0x6, RZ, 0xc0, !PT ;\n"
                                                   "ISETP.EQ.AND P1, PT, R9, RZ, PT ;\n"
                                                   "@P1 STG.E [R4.64], R8 ;\n"
                                                   "@!P1 STG.E.U16 [R4.64+0x2], R8 ;\n"
                                                   "EXIT ;\n.end\n",
                                       60, 96, 60 * 96 * 4, 0, 6},
                     &one);
}

/* Words change hands: launch n moves every thread's place by 0x280 of 0x780 words, so that a
 * stretch meets words that it wrote in one launch and another one changed in the next. Word 0 is n:
 * all blocks read it, and the last one counts it up. */
static void test_words_change_hands(void **unused) {
    (void)unused;
    emu_same_for_all((struct emu_work){BEGIN INDEX
                                       "MOV R30, 0x20 ;\n"
                                       "loop: IADD3 R30, R30, -0x1, RZ ;\n"
                                       "ISETP.GT.AND P0, PT, R30, RZ, PT ;\n"
                                       "@P0 BRA loop ;\n"
                                       "MOV R12, c[0x0][0x160] ;\nMOV R13, c[0x0][0x164] ;\n"
                                       "LDG.E R14, [R12.64] ;\n"
                                       "IMAD R15, R14, 0x280, R0 ;\n"
                                       "mod: ISETP.GE.U32.AND P1, PT, R15, 0x780, PT ;\n"
                                       "@P1 IADD3 R15, R15, -0x780, RZ ;\n"
                                       "@P1 BRA mod ;\n"
                                       "IMAD.WIDE.U32 R16, R15, R3, R12 ;\n"
                                       "LDG.E R18, [R16.64+0x100] ;\n"
                                       "IMAD R18, R18, 0x3, R0 ;\n"
                                       "STG.E [R16.64+0x100], R18 ;\n"
                                       "ISETP.EQ.AND P2, PT, R0, 0x77f, PT ;\n"
                                       "IADD3 R14, R14, 0x1, RZ ;\n"
                                       "@P2 STG.E [R12.64], R14 ;\n"
                                       "EXIT ;\n.end\n",
                                       60, 32, 0x100 + 4 * 0x780, 0, 9},
                     &one);
}

/* One machine, used again and again: launches of kernels that conflict and that do not, memory that
 * comes and goes. */
static void test_machine_again(void **unused) {
    (void)unused;
    fhec_program *chain = emu_assemble(BEGIN INDEX "LDG.E R8, [R6.64] ;\nIADD3 R8, R8, 0x1, RZ ;\n"
                                                   "STG.E [R6.64+0x4], R8 ;\nEXIT ;\n.end\n");
    fhec_program *square =
        emu_assemble(BEGIN INDEX "IMAD R8, R0, R0, RZ ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n");
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 3);
    for (uint32_t round = 0; round < 30; round++) {
        uint64_t params[2] = {0, 0};
        static uint32_t got[2048];
        uint32_t blocks = 3 + round;
        assert_int_equal(fhec_alloc(m, "data", sizeof got, 0, &params[0]), FHEC_OK);
        emu_run_ok(m, square, blocks, 50, params, 2);
        assert_int_equal(fhec_read(m, params[0], got, sizeof got), FHEC_OK);
        for (uint32_t i = 0; i < COUNT_OF(got); i++)
            assert_int_equal(got[i], i < blocks * 50 ? i * i : 0);
        emu_run_ok(m, chain, blocks, 1, params, 2);
        assert_int_equal(fhec_read(m, params[0], got, sizeof got), FHEC_OK);
        for (uint32_t i = 0; i <= blocks; i++)
            assert_int_equal(got[i], i);
        assert_int_equal(got[blocks + 1], (blocks + 1) * (blocks + 1));
        if (round % 3)
            assert_int_equal(fhec_release(m, params[0]), FHEC_OK);
    }
    fhec_machine_free(m);
    fhec_program_free(chain);
    fhec_program_free(square);
}

/* One program, two machines, two threads. */
static void *use_machine(void *argument) {
    const fhec_program *program = argument;
    static const struct emu_work work = {NULL, 25, 64, 25 * 64 * 4, 0, 10};
    struct emu_outcome *out = malloc(sizeof *out);
    if (out)
        emu_run_work(&work, program, FHEC_ENGINE_FAST, 2, out);
    return out;
}

static void test_two_machines(void **unused) {
    (void)unused;
    fhec_program *program =
        emu_assemble(BEGIN INDEX "LDG.E R8, [R4.64] ;\nIMAD R8, R8, 0x10dcd, R0 ;\n"
                                 "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n");
    pthread_t threads[2];
    struct emu_outcome *out[3];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_machine, program), 0);
    out[2] = use_machine(program);
    for (int i = 0; i < 2; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        out[i] = result;
    }
    assert_true(out[0] && out[1] && out[2]);
    assert_int_equal(out[0]->status, FHEC_OK);
    assert_memory_equal(out[0]->bytes, out[2]->bytes, 25 * 64 * 4);
    assert_memory_equal(out[1]->bytes, out[2]->bytes, 25 * 64 * 4);
    for (int i = 0; i < 3; i++)
        free(out[i]);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_independent),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_read_before_write),
        cmocka_unit_test(test_last_write_stays),
        cmocka_unit_test(test_parts_of_words),
        cmocka_unit_test(test_wide_accesses),
        cmocka_unit_test(test_random_accesses),
        cmocka_unit_test(test_spin_on_earlier_block),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_fault_of_stale_words),
        cmocka_unit_test(test_endless_block),
        cmocka_unit_test(test_uneven_blocks),
        cmocka_unit_test(test_words_change_hands),
        cmocka_unit_test(test_machine_again),
        cmocka_unit_test(test_two_machines),
    };
    return cmocka_run_group_tests_name("emu_threads", tests, NULL, NULL);
}
