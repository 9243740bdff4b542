/*
 * check_oom_test.c - every allocation of the checkers `bounds`, `operands`, `fragments` and `leaks`
 * can fail, one after the other: they say so in the end, or everything is found all the same.
 */
#include "checkers.h"
#include "emu_util.h"
#include "refuse.h"

enum {
    CHECKED = 1 << FH_CHECK_BOUNDS | 1 << FH_CHECK_OPERANDS | 1 << FH_CHECK_FRAGMENTS |
              1 << FH_CHECK_LEAKS,
    TEXT = 8192,
    LIMIT = 100000
};

/* All that is remembered is remembered in it: addresses in local and shared memory, wide values,
 * bytes in another order, elements of a matrix, and something of each kind is found. */
static const char source[] =
    ".target sm_80, fhec\n.kernel k\n.param x, 8\n.shared s, 1024\n.shared t, 64\n.shared u, "
    "128\n.local 64\n"
    "S2R R0, SR_LANEID ;\nMOV R11, 0x4 ;\nMOV R10, RZ ;\nIMAD.WIDE.U32 R2, R0, R11, x ;\n"
    "STL.64 [R10+0x8], R2 ;\nLDL.64 R2, [R10+0x8] ;\nSHF.L.U32 R9, R0, 0x3, RZ ;\n"
    "STS.64 [R9], R2 ;\nLDS.64 R2, [R9] ;\nLDG.E R4, [R2.64] ;\nPRMT R5, R4, 0x0123, RZ ;\n"
    "STS [R9], R5 ;\nLDS R6, [R9] ;\nSTL [R10], R5 ;\nLDL R6, [R10] ;\n"
    ".let wide = u64(R2) * u64(R2) * u64(R2) * u64(R2)\nMOV R7, R6 ;\n.ensure wide = 1\n"
    ".let again = wide + 1\nNOP ;\n.ensure again = wide\n"
    "SHF.L.U32 R8, R0, 0x2, RZ ;\nSTS [R8+t], R0 ;\n"
    "SHF.R.U32.HI R14, RZ, 0x2, R0 ;\nLOP3.LUT R15, R0, 0x3, RZ, 0xc0, !PT ;\n"
    "LEA R14, R14, R15, 0x4 ;\nIMAD.WIDE.U32 R12, R14, R11, x ;\n"
    ".rept 8, i\nLDG.E A[\\i], [R12.64 + 512 * (\\i & 1) + 16 * (\\i >> 1)] ;\n.endr\n"
    "ISETP.EQ.U32.AND P0, PT, R0, 0x7, PT ;\n@P0 MOV R18, R16 ;\n"
    "MOV R24, 0x1 ;\nMOV R25, 0x1 ;\nMOV R26, 0x1 ;\nMOV R27, 0x1 ;\n"
    "MOV R28, 0x1 ;\nMOV R29, 0x1 ;\nMOV R30, 0x1 ;\nMOV R31, 0x1 ;\n"
    "UMOV UR4, 97 ;\nUMOV UR6, 0x5c5f02a3 ;\nUMOV UR7, 0x2a3a0fd ;\n"
    ".expect B = x[9*j + i]\n.expect UR4 = 98\n.expect D < 1\n"
    "FHEC.16816.U32.U32 R28, R16.ROW, R24.COL, R28, UR4 ;\n"
    "STG.E [R2.64], R28 ;\nEXIT ;\n.end\n";

static char *text_with_registers(void) {
    static char text[sizeof source + 40];
    const char *at = strstr(source, ".kernel k\n") + strlen(".kernel k\n");
    snprintf(text, sizeof text, "%.*s.reg A[0:7] = R16\n%s", (int)(at - source), source, at);
    return text;
}

/* What is found, a line each; false: something says that there was no memory. */
static bool life(const fhec_program *program, char found[TEXT]) {
    const fhec_machine_options options = {.threads = 1};
    struct fh_findings *findings = fh_findings_new();
    struct fh_checkers *checkers = NULL;
    fhec_machine *m = NULL;
    uint64_t x = 0, y = 0;
    size_t used = 0;
    found[0] = '\0';
    bool fine = findings && fhec_machine_new(&options, &m) == FHEC_OK &&
                fh_checkers_begin(m, CHECKED, findings, &checkers) == FHEC_OK &&
                fhec_alloc(m, "x", 2048, 0, &x) == FHEC_OK &&
                fhec_alloc(m, "y", 64, 0, &y) == FHEC_OK;
    fine = fine && emu_run(m, program, 2, 64, &x, 1) == FHEC_OK;
    fine = checkers ? fh_checkers_end(checkers) == FHEC_OK && fine : fine;
    for (size_t i = 0; fine && i < fh_findings_count(findings); i++) {
        const struct fh_finding *f = fh_findings_get(findings, i);
        used += (size_t)snprintf(found + used, TEXT - used, "%s %llx %llu %u %s\n",
                                 fh_finding_id(f->kind), (unsigned long long)f->at.pc,
                                 (unsigned long long)f->count, f->computed_count, f->message);
    }
    if (findings)
        fh_findings_free(findings);
    fhec_machine_free(m);
    return fine;
}

static void test_every_allocation(void **unused) {
    static char whole[TEXT], found[TEXT];
    (void)unused;
    fhec_program *program = emu_assemble(text_with_registers());
    assert_true(life(program, whole));
    static const char *const ids[] = {"C050", "C083", "C084", "C085", "C090", "C091", "C092"};
    for (size_t i = 0; i < COUNT_OF(ids); i++)
        if (!strstr(whole, ids[i]))
            fail_msg("no %s in %s", ids[i], whole);
    long granted = 0;
    unsigned said = 0;
    for (; granted < LIMIT; granted++) {
        refuse_after(granted, true);
        const bool fine = life(program, found);
        const bool refused = refuse_end();
        if (fine)
            assert_string_equal(found, whole);
        said += !fine;
        if (!refused)
            break;
    }
    assert_true(granted < LIMIT && said > 100);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests_name("check_oom", tests, NULL, NULL);
}
