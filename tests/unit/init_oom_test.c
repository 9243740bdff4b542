/*
 * init_oom_test.c - every allocation of the checker `init` is made to fail, one after the other: it
 * says FHEC_HOST_ERROR in the end, or has found what it finds otherwise; it never crashes or leaks.
 */
#include "checkers.h"
#include "emu_util.h"
#include "refuse.h"

/* Undefined bits of registers go through every kind of memory and an atomic operation; an address,
 * a branch and the host's read are found. */
static const char text[] =
    ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 64\n.local 64\n"
    "S2R R0, SR_TID.X ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R3, out ;\n"
    "STL [RZ], R20 ;\nLDL R6, [RZ] ;\nSTL [RZ+0x20], R6 ;\nSTS [RZ], R6 ;\nLDS R7, [RZ] ;\n"
    "STG.E [R4.64], R7 ;\nLDG.E R8, [R4.64] ;\nLDG.E R9, [R4.64+0x80] ;\n"
    "ATOMS.ADD RZ, [RZ], R8 ;\nLDS R10, [R9] ;\n@P1 BRA end ;\nNOP ;\nend:\nEXIT ;\n.end\n";

/* FHEC_OK: all was found. */
static fhec_status life(const fhec_program *program) {
    fhec_machine *m = NULL;
    struct fh_checkers *checkers = NULL;
    struct fh_findings *findings = NULL;
    fhec_machine_options options = {.threads = 1};
    uint64_t address;
    uint32_t words[64];
    fhec_status status = fhec_machine_new(&options, &m);
    if (status == FHEC_OK)
        status = (findings = fh_findings_new()) ? FHEC_OK : FHEC_HOST_ERROR;
    if (status == FHEC_OK)
        status = fh_checkers_begin(m, FH_CHECK_BIT(FH_CHECK_INIT), findings, &checkers);
    if (status == FHEC_OK)
        status = fhec_alloc(m, "out", sizeof words, 0, &address);
    for (int run = 0; run < 2 && status == FHEC_OK; run++)
        status = emu_run(m, program, 1, 32, &address, 1);
    if (status == FHEC_OK)
        status = fhec_read(m, address, words, sizeof words);
    const fhec_status ended = fh_checkers_end(checkers);
    status = status == FHEC_OK ? ended : status;
    if (status == FHEC_OK)
        assert_int_equal(fh_findings_count(findings), 3);
    fh_findings_free(findings);
    fhec_machine_free(m);
    return status;
}

static void test_every_allocation(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(text);
    int refused = 0;
    for (int n = 0;; n++) {
        refuse_after(n, true);
        fhec_status status = life(program);
        if (!refuse_end()) {
            assert_int_equal(status, FHEC_OK);
            break;
        }
        if (status != FHEC_OK && status != FHEC_HOST_ERROR)
            fail_msg("allocation %d: status %d", n, status);
        refused += status == FHEC_HOST_ERROR;
    }
    assert_true(refused > 15);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests_name("init_oom", tests, NULL, NULL);
}
