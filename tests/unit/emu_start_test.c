/*
 * emu_start_test.c - what warps find at their start: nothing of those that ran in their place
 * before them, whatever those left behind.
 */
#include "emu_util.h"

enum { BLOCKS = 6, THREADS = 64 };

/* R0: thread of the grid. R1: number of the block and 1, to leave something behind. */
#define HEAD                                                                                       \
    ".target sm_80\n.kernel K\n.param out, 8\n"                                                    \
    "S2R R2, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R0, R1, 0x40, R2 ;\nMOV R3, 0x4 ;\n"           \
    "IMAD.WIDE.U32 R4, R0, R3, out ;\nIADD3 R1, R1, 0x1, RZ ;\n"                                   \
    "ISETP.LT.U32.AND P0, PT, R2, 0x10, PT ;\n"

/* The kernel must leave want(t) for each thread t of a block, in all of them. */
static void expect_alike(const char *text, uint32_t (*want)(uint32_t thread)) {
    fhec_program *program = emu_assemble(text);
    for (int variant = 0; variant < 3; variant++) {
        fhec_machine *machine = emu_machine(variant == 1 ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST,
                                            FHEC_SIMD_BEST, variant == 2 ? 2 : 1);
        uint32_t out[BLOCKS * THREADS];
        uint64_t address;
        assert_int_equal(fhec_alloc(machine, "out", sizeof out, 0, &address), FHEC_OK);
        emu_run_ok(machine, program, BLOCKS, THREADS, &address, 1);
        assert_int_equal(fhec_read(machine, address, out, sizeof out), FHEC_OK);
        for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
            if (out[i] != want(i % THREADS))
                fail_msg("thread %u of block %u gave 0x%x and not 0x%x", i % THREADS, i / THREADS,
                         out[i], want(i % THREADS));
        fhec_machine_free(machine);
    }
    fhec_program_free(program);
}

static uint32_t none(uint32_t thread) {
    (void)thread;
    return 0;
}

/* Lanes end within the sets of two convergence barriers, of which others know. */
static void test_convergence_barriers(void **unused) {
    (void)unused;
    expect_alike(HEAD "BMOV.32 R8, B0 ;\nBMOV.32 R9, B15 ;\nLOP3.LUT R8, R8, R9, RZ, 0xfc, !PT ;\n"
                      "STG.E [R4.64], R8 ;\nBSSY B0, on ;\n@P0 EXIT ;\non:\nBSSY B15, over ;\n"
                      "EXIT ;\nover:\nEXIT ;\n.end\n",
                 none);
}

static uint32_t by_path(uint32_t thread) {
    return thread < 16 ? 0 : thread < 40 ? 7 : 5;
}

/* Registers that some paths read before they have been written: R20 behind a guarded write, R21 on
 * one side of a branch only, R22 in the first turn of a loop. */
static void test_registers(void **unused) {
    (void)unused;
    expect_alike(HEAD "MOV R8, RZ ;\n@P0 STG.E [R4.64], RZ ;\n@P0 EXIT ;\n"
                      "ISETP.LT.U32.AND P1, PT, R2, 0x28, PT ;\nMOV R9, 0x3 ;\n"
                      "@P1 MOV R20, 0x2 ;\nBSSY B0, join ;\n@!P1 BRA other ;\nMOV R21, 0x0 ;\n"
                      "BRA sync ;\nother:\nIADD3 R8, R8, 0x2, R21 ;\nsync:\nBSYNC B0 ;\njoin:\n"
                      "IADD3 R8, R8, R20, RZ ;\nagain:\nIADD3 R8, R8, R22, RZ ;\n"
                      "MOV R22, 0x1 ;\nIADD3 R9, R9, -0x1, RZ ;\n"
                      "ISETP.NE.AND P2, PT, R9, RZ, PT ;\n@P2 BRA again ;\n"
                      "@P1 IADD3 R8, R8, 0x3, RZ ;\n@!P1 IADD3 R8, R8, 0x1, RZ ;\n"
                      "STG.E [R4.64], R8 ;\nMOV R20, R1 ;\nMOV R21, R1 ;\nMOV R22, R1 ;\n"
                      "EXIT ;\n.end\n",
                 by_path);
}

/* A shuffle reads a register that the lane it reads from ended without having written, in every
 * second block; in the others that lane writes it. */
static void test_lanes_that_ended(void **unused) {
    (void)unused;
    expect_alike(HEAD "LOP3.LUT R9, R1, 0x1, RZ, 0xc0, !PT ;\nISETP.NE.AND P3, PT, R9, RZ, PT ;\n"
                      "ISETP.EQ.AND P0, PT, R9, RZ, P0 ;\n@P0 EXIT ;\nMOV R20, R1 ;\n"
                      "ISETP.LT.U32.AND P1, PT, R2, 0x20, PT ;\nMOV R8, RZ ;\n"
                      "@P1 SHFL.IDX PT, R8, R20, 0x3, 0x1f ;\n@P3 MOV R8, RZ ;\n"
                      "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n",
                 none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convergence_barriers),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_lanes_that_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
