/*
 * session_code_test.c - what a session tells of code: the frames of a lane, decoded instructions
 * with their operands, registers, layouts and pipe, source locations.
 */
#include "session_util.h"

static const uint32_t first[3] = {0, 0, 0};

/* f(n) calls itself with n - 1 while n > 1; return address and n are on the stack, as a compiler
 * has them. */
static const char recursion[] = ".target sm_80\n.kernel K\n.param data, 8\n.local 512\n"
                                "MOV R1, c[0x0][0x28] ;\n"              /* 00 */
                                "MOV R4, 0x3 ;\n"                       /* 10 */
                                "MOV R20, 0x50 ;\n"                     /* 20 */
                                "MOV R21, RZ ;\n"                       /* 30 */
                                "CALL.REL.NOINC f ;\n"                  /* 40 */
                                "EXIT ;\n"                              /* 50 */
                                "f: IADD3 R1, R1, -0x10, RZ ;\n"        /* 60 */
                                "STL [R1+0xc], R21 ;\n"                 /* 70 */
                                "STL [R1+0x8], R20 ;\n"                 /* 80 */
                                "STL [R1], R17 ;\n"                     /* 90 */
                                "MOV R17, R4 ;\n"                       /* a0 */
                                "ISETP.GE.AND P0, PT, R17, 0x2, PT ;\n" /* b0 */
                                "@!P0 BRA done ;\n"                     /* c0 */
                                "IADD3 R4, R17, -0x1, RZ ;\n"           /* d0 */
                                "MOV R20, 0x110 ;\n"                    /* e0 */
                                "MOV R21, RZ ;\n"                       /* f0 */
                                "CALL.REL.NOINC f ;\n"                  /* 100 */
                                "done: LDL R20, [R1+0x8] ;\n"           /* 110 */
                                "LDL R21, [R1+0xc] ;\n"                 /* 120 */
                                "LDL R17, [R1] ;\n"                     /* 130 */
                                "IADD3 R1, R1, 0x10, RZ ;\n"            /* 140 */
                                "RET.ABS.NODEC R20 0x0 ;\n.end\n";      /* 150 */

static void expect_frames(const struct guest *g, const uint64_t *pcs, size_t count) {
    fhec_frame frames[8];
    size_t found;
    assert_int_equal(fhec_session_calls(g->session, first, 0, 5, frames, COUNT_OF(frames), &found),
                     FHEC_OK);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(frames[i].pc, pcs[i]);
        assert_int_equal(frames[i].offset, pcs[i]);
        assert_string_equal(frames[i].function, "K");
        assert_int_equal(frames[i].guess, i != 0);
    }
}

/* Everywhere in the innermost call, which is the third, whatever of its frame is there. */
static void frames(void **unused) {
    (void)unused;
    struct guest g = guest_begin(recursion, 1, 32, 1);
    fhec_stop stop = guest_go(&g, &(fhec_go){.instructions = 2});
    expect_frames(&g, (uint64_t[]){0x20}, 1);
    guest_add(&g, (fhec_point){.kind = FHEC_POINT_PC, .pc = 0x60, .skip = 2});
    stop = guest_go(&g, NULL);
    while (stop.reason != FHEC_STOP_END && stop.pc != 0x150) {
        expect_frames(&g, (uint64_t[]){stop.pc, 0x100, 0x100, 0x40}, 4);
        stop = guest_go(&g, &(fhec_go){.step = FHEC_STEP_INSTRUCTION});
    }
    expect_frames(&g, (uint64_t[]){0x150, 0x100, 0x100, 0x40}, 4);
    stop = guest_go(&g, &(fhec_go){.step = FHEC_STEP_INSTRUCTION});
    expect_frames(&g, (uint64_t[]){0x110, 0x100, 0x40}, 3);
    size_t count;
    fhec_frame one;
    assert_int_equal(fhec_session_calls(g.session, first, 0, 0, &one, 1, &count), FHEC_OK);
    assert_int_equal(count, 3);
    assert_int_equal(fhec_session_calls(g.session, first, 0, 32, &one, 1, &count), FHEC_BAD_INPUT);
    guest_end(&g);
}

static fhec_instruction instruction(const char *text, uint64_t pc) {
    fhec_word word;
    fhec_instruction i;
    assert_int_equal(fhec_assemble_word(text, pc, NULL, NULL, &word), FHEC_OK);
    assert_int_equal(fhec_instruction_get(word, pc, &i), FHEC_OK);
    return i;
}

static bool uses(const fhec_instruction *i, fhec_register_file file, uint16_t at, uint16_t count,
                 bool written) {
    for (uint32_t k = 0; k < i->use_count; k++)
        if (i->uses[k].file == file && i->uses[k].first == at && i->uses[k].count == count &&
            i->uses[k].written == written)
            return true;
    return false;
}

static void operands(void **unused) {
    (void)unused;
    fhec_instruction i = instruction("@!P3 IADD3 R5, P0, R4, -R7, RZ", 0);
    assert_string_equal(i.mnemonic, "IADD3");
    assert_string_equal(i.text, "@!P3 IADD3 R5, P0, R4, -R7, RZ");
    assert_string_equal(i.klass, "integer");
    assert_string_equal(i.pipe, "alu");
    assert_int_equal(i.latency, 4);
    assert_true(i.guard == 3 && i.guard_negated && !i.guard_uniform);
    assert_true(uses(&i, FHEC_FILE_R, 5, 1, true) && uses(&i, FHEC_FILE_R, 4, 1, false));
    assert_true(uses(&i, FHEC_FILE_R, 7, 1, false) && uses(&i, FHEC_FILE_P, 0, 1, true));
    assert_true(uses(&i, FHEC_FILE_P, 3, 1, false));
    assert_string_equal(i.operands[0].name, "Rd");
    assert_true(i.operands[0].written && !i.operands[0].read && i.operands[0].reg == 5);
    bool minus = false, zero = false;
    for (uint32_t k = 0; k < i.operand_count; k++) {
        minus |= i.operands[k].reg == 7 && i.operands[k].negated;
        zero |= strcmp(i.operands[k].name, "C") == 0 && i.operands[k].reg == FHEC_NO_REGISTER;
    }
    assert_true(minus && zero);

    i = instruction("LDG.E.64 R8, [R2.64+0x10]", 0);
    assert_string_equal(i.pipe, "memory");
    assert_int_equal(i.latency, 0);
    assert_true(uses(&i, FHEC_FILE_R, 8, 2, true) && uses(&i, FHEC_FILE_R, 2, 2, false));
    bool pair = false;
    for (uint32_t k = 0; k < i.operand_count; k++)
        pair |= i.operands[k].kind == FHEC_OPERAND_ADDRESS && i.operands[k].reg == 2 &&
                i.operands[k].count == 2 && i.operands[k].value == 0x10;
    assert_true(pair);
    i = instruction("LDS R8, [R3+0x10]", 0);
    assert_true(uses(&i, FHEC_FILE_R, 3, 1, false));
    for (uint32_t k = 0; k < i.operand_count; k++)
        if (i.operands[k].kind == FHEC_OPERAND_ADDRESS)
            assert_int_equal(i.operands[k].count, 1);
    i = instruction("BSSY B2, 0x40", 0);
    assert_true(uses(&i, FHEC_FILE_B, 2, 1, true));
    i = instruction("BSYNC B3", 0);
    assert_true(uses(&i, FHEC_FILE_B, 3, 1, false));
    i = instruction("BRA 0x40", 0x100);
    for (uint32_t k = 0; k < i.operand_count; k++)
        if (i.operands[k].kind == FHEC_OPERAND_TARGET)
            assert_int_equal(i.operands[k].value, 0x40);
    i = instruction("MOV R0, c[0x0][0x160]", 0);
    bool constant = false;
    for (uint32_t k = 0; k < i.operand_count; k++)
        constant |= i.operands[k].kind == FHEC_OPERAND_CONSTANT && i.operands[k].value == 0x160;
    assert_true(constant);
    assert_int_equal(fhec_instruction_get((fhec_word){0, 0}, 0, &i), FHEC_BAD_INPUT);
}

static void layouts(void **unused) {
    (void)unused;
    static const struct {
        const char *operand, *layout;
        uint32_t rows, columns;
    } expected[] = {{"Rd", "D", 16, 8}, {"A", "A", 16, 16}, {"B", "B", 16, 8}, {"C", "C", 16, 8}};
    const fhec_instruction i = instruction("FHEC.16816.U32.U32 R16, R8.ROW, R4.COL, R12, UR4", 0);
    for (size_t k = 0; k < COUNT_OF(expected); k++) {
        fhec_layout layout;
        assert_string_equal(i.operands[k].name, expected[k].operand);
        assert_true(i.operands[k].has_layout);
        assert_true(fhec_layout_get(i.operands[k].layout, &layout));
        assert_string_equal(layout.operand, expected[k].layout);
        assert_true(layout.rows == expected[k].rows && layout.columns == expected[k].columns);
    }
    assert_false(i.operands[4].has_layout);
}

static void places(void **unused) {
    (void)unused;
    struct guest g = guest_begin(recursion, 1, 32, 1);
    fhec_instruction i;
    assert_int_equal(fhec_session_instruction(g.session, 0x10, &i), FHEC_OK);
    assert_string_equal(i.text, "MOV R4, 0x3");
    assert_int_equal(fhec_session_instruction(g.session, 0x160, &i), FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_instruction(g.session, 0x8, &i), FHEC_BAD_INPUT);
    const fhec_location at = fhec_session_location(g.session, 0x10);
    assert_string_equal(at.file, "test.sass");
    assert_int_equal(at.line, 6);
    assert_null(fhec_session_location(g.session, 0x160).file);
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_BOTH(frames),
        cmocka_unit_test(operands),
        cmocka_unit_test(layouts),
        ON_BOTH(places),
    };
    return cmocka_run_group_tests_name("session_code", tests, NULL, NULL);
}
