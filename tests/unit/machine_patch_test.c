/* A machine runs kernels with another word in the place of one; a machine's own limit of steps. */
#include "emu_util.h"

#include "fhec_patch.h"

static const char add[] = ".target sm_80\n"
                          ".kernel add\n"
                          ".param out, 8\n"
                          "    S2R R0, SR_TID.X ;\n"
                          "    IADD3 R1, R0, 0x5, RZ ;\n" /* 0x10 */
                          "    MOV R4, 0x4 ;\n"
                          "    IMAD.WIDE.U32 R6, R0, R4, out ;\n"
                          "    STG.E [R6.64], R1 ;\n"
                          "    EXIT ;\n"
                          ".end\n";
static const char endless[] = ".target sm_80\n"
                              ".kernel endless\n"
                              ".param out, 8\n"
                              "again:\n"
                              "    BRA again ;\n"
                              ".end\n";

static fhec_word word_of(const char *text, uint64_t pc) {
    fhec_word word;
    assert_int_equal(fhec_assemble_word(text, pc, NULL, NULL, &word), FHEC_OK);
    return word;
}

/* Lane 3 of a launch. */
static uint32_t lane3(fhec_machine *machine, const fhec_program *program, uint64_t out) {
    uint32_t words[32];
    emu_run_ok(machine, program, 1, 32, &out, 1);
    assert_int_equal(fhec_read(machine, out, words, sizeof words), FHEC_OK);
    return words[3];
}

static void another_word(void **state) {
    (void)state;
    for (unsigned engine = 0; engine < 2; engine++) {
        fhec_program *program = emu_assemble(add);
        fhec_machine *machine =
            emu_machine(engine ? FHEC_ENGINE_FAST : FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1);
        fhec_machine *other =
            emu_machine(engine ? FHEC_ENGINE_FAST : FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1);
        uint64_t out, there;
        assert_int_equal(fhec_alloc(machine, "out", 128, 0, &out), FHEC_OK);
        assert_int_equal(fhec_alloc(other, "out", 128, 0, &there), FHEC_OK);
        assert_int_equal(lane3(machine, program, out), 8);
        assert_int_equal(
            fhec_machine_patch(machine, "add", 0x10, word_of("IADD3 R1, R0, 0x7, RZ", 0x10)),
            FHEC_OK);
        assert_int_equal(lane3(machine, program, out), 10);
        assert_int_equal(lane3(other, program, there), 8); /* the program is as it was */
        assert_int_equal(
            fhec_machine_patch(machine, "add", 0x10, word_of("IADD3 R1, R0, 0x1, RZ", 0x10)),
            FHEC_OK);
        assert_int_equal(fhec_machine_patch(machine, "sub", 0x10, word_of("NOP", 0x10)), FHEC_OK);
        assert_int_equal(lane3(machine, program, out), 4);
        assert_int_equal(fhec_machine_patch_uses(machine, 0), 2); /* the later one counts, too */
        assert_int_equal(fhec_machine_patch_uses(machine, 2), 0);
        assert_int_equal(fhec_machine_patch_launch(machine, 5, "add", 0x10,
                                                   word_of("IADD3 R1, R0, 0x9, RZ", 0x10)),
                         FHEC_OK);
        assert_int_equal(lane3(machine, program, out), 4); /* its fourth launch */
        assert_int_equal(lane3(machine, program, out), 12);
        assert_int_equal(lane3(machine, program, out), 4);
        assert_int_equal(fhec_machine_patch_uses(machine, 3), 1);
        assert_int_equal(fhec_machine_patch_uses(machine, 4), 0);
        assert_int_equal(fhec_machine_patch(machine, "add", 0x18, word_of("NOP", 0x10)),
                         FHEC_BAD_INPUT);
        fhec_machine_free(other);
        fhec_machine_free(machine);
        fhec_program_free(program);
    }
}

static void not_too_many(void **state) {
    (void)state;
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    const fhec_word word = word_of("NOP", 0);
    for (unsigned i = 0; i < FHEC_MAX_PATCHES; i++)
        assert_int_equal(fhec_machine_patch(machine, "k", 0, word), FHEC_OK);
    assert_int_equal(fhec_machine_patch(machine, "k", 0, word), FHEC_BAD_INPUT);
    fhec_machine_free(machine);
}

static void limit(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(endless);
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t out = 0;
    fhec_machine_limit(machine, 1000);
    assert_int_equal(emu_run(machine, program, 1, 32, &out, 1), FHEC_GUEST_FAULT);
    assert_int_equal(fhec_machine_fault(machine)->kind, FHEC_FAULT_STEP_LIMIT);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_word),
        cmocka_unit_test(not_too_many),
        cmocka_unit_test(limit),
    };
    return cmocka_run_group_tests_name("machine_patch", tests, NULL, NULL);
}
