/*
 * emu_oom_test.c - every allocation of the emulator is made to fail, one after the other: each call
 * then says FHEC_HOST_ERROR or does without, never crashes or leaks, and works when asked again.
 */
#include "emu_util.h"
#include "refuse.h"

/* A machine's whole life. FHEC_OK only if all that it computed is right. */
static fhec_status life(const fhec_program *program, unsigned threads) {
    fhec_machine *m = NULL;
    fhec_machine_options options = {.threads = threads};
    uint64_t address[2] = {0, 0};
    uint32_t words[6 * 40];
    fhec_stats stats;
    fhec_status status = fhec_machine_new(&options, &m);
    if (status != FHEC_OK) {
        assert_null(m);
        return status;
    }
    fhec_machine_count(m, true);
    status = fhec_alloc(m, "first", 100, 0, &address[0]);
    if (status == FHEC_OK)
        status = fhec_alloc(m, "second", sizeof words, 0, &address[1]);
    if (status == FHEC_OK)
        status = fhec_map(m, "mapped", 4096, words, sizeof words, 0);
    for (int run = 0; run < 2 && status == FHEC_OK; run++) {
        status = emu_run(m, program, 6, 40, &address[1], 1);
        if (status == FHEC_HOST_ERROR)
            assert_non_null(strstr(fhec_machine_error(m), "no host memory"));
    }
    if (status == FHEC_OK) {
        assert_int_equal(fhec_read(m, address[1], words, sizeof words), FHEC_OK);
        for (uint32_t i = 0; i < COUNT_OF(words); i++)
            assert_int_equal(words[i], 2 * (i * i + 1));
        assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
        assert_int_equal(stats.warp_insts, 2 * 6 * 2 * 10);
        status = fhec_release(m, address[0]);
    }
    fhec_machine_free(m);
    return status;
}

static void test_every_allocation(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 64\n"
                                         "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
                                         "IMAD R0, R1, c[0x0][0x0], R0 ;\nMOV R3, 0x4 ;\n"
                                         "IMAD.WIDE.U32 R4, R0, R3, c[0x0][0x160] ;\n"
                                         "LDG.E R8, [R4.64] ;\n"
                                         "IMAD R0, R0, R0, R8 ;\n"
                                         "IADD3 R0, R0, 0x1, RZ ;\n"
                                         "STG.E [R4.64], R0 ;\n"
                                         "EXIT ;\n.end\n");
    for (unsigned threads = 1; threads <= 3; threads++) {
        int refused = 0;
        for (int n = 0;; n++) {
            refuse_after(n, true);
            fhec_status status = life(program, threads);
            if (!refuse_end()) {
                assert_int_equal(status, FHEC_OK);
                assert_true(n > 10);
                break;
            }
            if (status != FHEC_OK && status != FHEC_HOST_ERROR)
                fail_msg("%u threads, allocation %d: status %d", threads, n, status);
            refused += status == FHEC_HOST_ERROR;
        }
        assert_true(refused > 5);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests_name("emu_oom", tests, NULL, NULL);
}
