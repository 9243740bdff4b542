/*
 * asm_macro_test.c - macros, repetition, conditions and includes: what they expand to, where the
 * resulting words say they come from, the chain that a diagnostic shows, and limits that hold.
 */
#include "asm_util.h"

static void macros_take_arguments(void **state) {
    (void)state;
    expect_code(".macro ADD d, a, b=RZ, c = 0x1\n"
                "  IADD3 \\d, \\a, \\c, \\b ;\n"
                ".endm\n"
                ".macro NONE\n  NOP ;\n.endm\n"
                ".macro LOAD d, address\n  LDS \\d, \\address ;\n.endm\n"
                ".kernel k\n"
                "  ADD R1, R2\n"
                "here: ADD R1, R2, R3, 4 * (5 + 1) ;\n"
                "  ADD c = 7, d=R9, a=R8 // by name\n"
                "  ADD R1, R2,, 0x9 /* b is left out */\n"
                "  NONE\n  NONE ; NONE\n"
                "  LOAD R1, [R2.X4 + 8]\n"
                "  BRA here ;\n"
                ".end\n",
                "IADD3 R1, R2, 0x1, RZ\n"
                "IADD3 R1, R2, 0x18, R3\n"
                "IADD3 R9, R8, 0x7, RZ\n"
                "IADD3 R1, R2, 0x9, RZ\n"
                "NOP\nNOP\nNOP\n"
                "LDS R1, [R2.X4+0x8]\n"
                "BRA 0x10\n");
}

static void texts_are_pasted(void **state) {
    (void)state;
    expect_code(".macro TEST compare, n, type=\n"
                "  ISETP.\\compare\\type\\().AND P\\n, PT, R\\n\\()0, R1, PT ;\n"
                ".endm\n"
                ".kernel k\n"
                "  TEST GE, 2, .U32\n  TEST LT, 3\n"
                ".irp op, MOV, IABS\n  \\op R1, R2 ;\n.endr\n"
                ".macro PAIR a, b\n  MOV R\\a, R\\b ;\n  MOV R\\b, \\a\\b ;\n.endm\n"
                "  PAIR 4, 5\n"
                ".macro LOOP\n"
                "L\\@: NOP ;\n  BRA L\\@ ;\n"
                ".endm\n"
                "  LOOP\n  LOOP\n"
                ".end\n",
                "ISETP.GE.U32.AND P2, PT, R20, R1, PT\nISETP.LT.AND P3, PT, R30, R1, PT\n"
                "MOV R1, R2\nIABS R1, R2\nMOV R4, R5\nMOV R5, 0x2d\n"
                "NOP\nBRA 0x60\nNOP\nBRA 0x80\n");
}

static void repetitions_count(void **state) {
    (void)state;
    expect_code(".kernel k\n"
                ".rept 3\n  MOV R\\+, \\+ * 2 ;\n.endr\n"
                ".rept 2, i\n.rept 2, j\n  MOV R1\\i\\j, \\i * 16 + \\j ;\n.endr\n.endr\n"
                ".rept 0\n  this is not looked at\n.endr\n"
                ".irp r, R7, R9,UR4\n  MOV R1, \\r ; // \\+\n.endr\n"
                ".irp none\n  nor this\n.endr\n"
                ".set n, 1\n.rept 4\n.set n, n * 3\n.endr\n  MOV R1, n ;\n"
                "  EXIT ;\n.end\n",
                "MOV R0, 0x0\nMOV R1, 0x2\nMOV R2, 0x4\n"
                "MOV R100, 0x0\nMOV R101, 0x1\nMOV R110, 0x10\nMOV R111, 0x11\n"
                "MOV R1, R7\nMOV R1, R9\nMOV R1, UR4\n"
                "MOV R1, 0x51\nEXIT\n");
}

static void conditions_choose(void **state) {
    (void)state;
    expect_code(".equ N, 3\n.kernel k\n"
                ".if N == 1\n  MOV R1, 1 ;\n.elseif N == 3\n  MOV R1, 3 ;\n"
                ".elseif 1\n  MOV R1, 4 ;\n.else\n  MOV R1, 5 ;\n.endif\n"
                ".if 0\n  .if 1\n  junk (\n  .else\n  .endif\n  .macro X\n /* .endif */ // .endif\n"
                ".else\n  MOV R2, 2 ;\n.endif\n"
                ".ifdef N\n  MOV R3, 3 ;\n.else\n  junk\n.endif\n"
                ".ifndef N\n  junk\n.elseif N < 2\n  junk\n.else\n  MOV R4, 4 ;\n.endif\n"
                ".macro M a\n.if \\a\n  MOV R5, \\a ;\n.endif\n.endm\n"
                "  M 0\n  M 7\n"
                ".ifdef M\n  EXIT ;\n.endif\n.end\n",
                "MOV R1, 0x3\nMOV R2, 0x2\nMOV R3, 0x3\nMOV R4, 0x4\nMOV R5, 0x7\nEXIT\n");
    /* A condition ends in the text that it began in. */
    expect_said(".macro OPEN\n.if 1\n.endm\n.kernel k\n  OPEN\n.endif\n  EXIT ;\n.end\n",
                "E071 2:1, E072 6:1");
}

static void includes_are_read_in_place(void **state) {
    (void)state;
    static const struct memory_file files[] = {
        {"a.inc", ".equ A, 5\n.include \"b.inc\"\n.equ AB, A + B"},
        {"b.inc", ".equ B, A * 2\n.macro FROM_B\n  MOV R1, B ;\n.endm"},
        {NULL, NULL}};
    struct said said = {0};
    fhec_program *program;
    assert_int_equal(assemble_with(".include \"a.inc\"\n.kernel k\n  FROM_B\n  MOV R2, AB ;\n"
                                   "  EXIT ;\n.end\n",
                                   files, NULL, 0, &said, &program),
                     FHEC_OK);
    const struct fh_kernel *k = &program->kernels[0];
    assert_int_equal(k->word_count, 3);
    assert_int_equal(k->words[0].lo >> 32, 10);
    assert_int_equal(k->words[1].lo >> 32, 15);
    fhec_location at = fhec_kernel_location(program, 0, 0);
    assert_string_equal(at.file, "b.inc");
    assert_int_equal(at.line, 3);
    assert_string_equal(fhec_kernel_location(program, 0, 1).file, "t.sass");
    fhec_program_free(program);
    /* Without a callback an include is an error, not a crash. */
    static const char source[] = ".include \"a.inc\"\n.kernel k\n EXIT ;\n.end\n";
    fhec_assemble_options options = {.diagnostic = hear, .user = &said};
    said.count = 0;
    assert_int_equal(fhec_assemble("t", source, strlen(source), &options, &program),
                     FHEC_BAD_INPUT);
    assert_string_equal(said.d[0].id, "E079");
    assert_int_equal(fhec_assemble("t", source, strlen(source), NULL, &program), FHEC_BAD_INPUT);
}

static void words_come_from_the_innermost_line(void **state) {
    (void)state;
    static const char source[] = ".macro INNER r\n"                        /* 1 */
                                 "    MOV \\r, R1 ;\n"                     /* 2 */
                                 ".endm\n"                                 /* 3 */
                                 ".macro OUTER r\n"                        /* 4 */
                                 "    NOP ;\n"                             /* 5 */
                                 "    INNER \\r\n"                         /* 6 */
                                 ".endm\n"                                 /* 7 */
                                 ".kernel k\n"                             /* 8 */
                                 "    OUTER R200\n"                        /* 9 */
                                 ".rept 2\n"                               /* 10 */
                                 "    @P0 IADD3 R1, R2, \\+, RZ ; NOP ;\n" /* 11 */
                                 ".endr\n"                                 /* 12 */
                                 "    EXIT ;\n"                            /* 13 */
                                 ".end\n";
    static const struct {
        uint32_t line, column, length;
    } wanted[] = {{5, 5, 3},   {2, 5, 10},  {11, 5, 24}, {11, 32, 3},
                  {11, 5, 24}, {11, 32, 3}, {13, 5, 4}};
    fhec_program *program;
    assert_int_equal(assemble(source, NULL, &program), FHEC_OK);
    assert_int_equal(program->kernels[0].word_count, 7);
    for (uint32_t w = 0; w < 7; w++) {
        fhec_location at = fhec_kernel_location(program, 0, w);
        if (at.line != wanted[w].line || at.column != wanted[w].column ||
            at.length != wanted[w].length)
            fail_msg("word %u: %u:%u+%u", w, at.line, at.column, at.length);
    }
    fhec_program_free(program);
}

static void the_chain_leads_outward(void **state) {
    (void)state;
    static const struct memory_file files[] = {
        {"m.inc", ".macro INNER r\n  MOV \\r, R1 ;\n.endm\n.rept 3\n  INNER R\\+\\()55\n.endr\n"},
        {NULL, NULL}};
    struct said said = {0};
    assert_int_equal(assemble_with(".kernel k\n  .include \"m.inc\"\n EXIT ;\n.end\n", files, NULL,
                                   0, &said, NULL),
                     FHEC_BAD_INPUT);
    /* R055, R155, R255: the first is no register's name, the last none of the machine's. */
    assert_int_equal(said.count, 2);
    const struct said_one *d = &said.d[1];
    assert_string_equal(d->id, "E027");
    assert_string_equal(d->file, "m.inc");
    assert_int_equal(d->line, 2);
    assert_int_equal(d->column, 7);
    assert_int_equal(d->length, 2); /* \r */
    assert_string_equal(d->source, "  MOV \\r, R1 ;");
    assert_string_equal(d->notes, "the line became: MOV R255, R1 ;\n");
    assert_string_equal(d->chain, "macro INNER at m.inc:5:3\n"
                                  "iteration 3 of .rept at m.inc:4:1\n"
                                  "include at t.sass:2:12\n");
}

static void macros_within_macros(void **state) {
    (void)state;
    expect_code(".macro MAKE name, value\n"
                ".macro \\name r\n  MOV \\r, \\value ;\n.endm\n"
                ".endm\n"
                "MAKE FIVE, 5\nMAKE SIX, 6\n"
                ".macro COUNTDOWN n\n.if \\n\n  MOV R1, \\n ;\n  COUNTDOWN \\n - 1\n.endif\n.endm\n"
                ".kernel k\n  FIVE R1\n  SIX R2\n  COUNTDOWN 3\n  EXIT ;\n.end\n",
                "MOV R1, 0x5\nMOV R2, 0x6\nMOV R1, 0x3\nMOV R1, 0x2\nMOV R1, 0x1\nEXIT\n");
}

/* Each of these would go on for ever, or for as long as there is memory. */
static void runaway_expansion_ends(void **state) {
    (void)state;
    expect_said(".macro M\n  M\n.endm\nM\n.kernel k\n EXIT ;\n.end\n", "E076 2:3");
    expect_said(".rept 1000000000\n  NOP ;\n.endr\n.kernel k\n EXIT ;\n.end\n", "E078 1:7");
    expect_said(".rept 1000000\n.rept 1000000\n.rept 1000000\n.endr\n.endr\n.endr\n", "E077 2:1");
    static const struct memory_file files[] = {
        {"self.inc", ".include \"self.inc\"\n.include \"self.inc\"\n"}, {NULL, NULL}};
    struct said said = {0};
    assert_int_equal(assemble_with(".include \"self.inc\"\n", files, NULL, 0, &said, NULL),
                     FHEC_BAD_INPUT);
    assert_string_equal(said.d[0].id, "E083");
    assert_int_equal(said.count, 1);
    /* 2^40 calls that do nothing. */
    char source[4096] = ".macro M0\n.endm\n";
    for (int i = 1; i <= 40; i++) {
        size_t used = strlen(source);
        (void)snprintf(source + used, sizeof source - used, ".macro M%d\nM%d\nM%d\n.endm\n", i,
                       i - 1, i - 1);
    }
    (void)snprintf(source + strlen(source), 64, "M40\n.kernel k\nEXIT ;\n.end\n");
    said.count = 0;
    assert_int_equal(assemble(source, &said, NULL), FHEC_BAD_INPUT);
    assert_int_equal(said.count, 1);
    assert_string_equal(said.d[0].id, "E077");
}

/* A file may include itself, directly or through another one, as long as that ends. One that does
 * not is one error, whatever else is wrong in it. */
static void includes_within_themselves(void **state) {
    (void)state;
    static const struct memory_file files[] = {
        {"a.inc", ".ifndef A\n.equ A, 1\n.include \"b.inc\"\n.endif\n"},
        {"b.inc", ".include \"a.inc\"\n.equ B, 2\n"},
        {"count.inc", "  MOV R1, n ;\n.set n, n - 1\n.if n\n.include \"count.inc\"\n.endif\n"},
        {"bad.inc", "  FROB R1 ;\n.if 1\n.include \"worse.inc\"\n.endif\n"},
        {"worse.inc", ".equ again, 1\n.include \"bad.inc\"\n"},
        {NULL, NULL}};
    static const char good[] = ".include \"a.inc\"\n.set n, 3\n.kernel k\n.include \"count.inc\"\n"
                               "  MOV R2, B ;\n  EXIT ;\n.end\n";
    static const char bad[] = ".kernel k\n.include \"bad.inc\"\n  EXIT ;\n.end\n";
    static struct said said;
    fhec_program *program;
    assert_int_equal(assemble_with(good, files, NULL, 0, NULL, &program), FHEC_OK);
    assert_int_equal(program->kernels[0].word_count, 5);
    fhec_program_free(program);
    said.count = 0;
    assert_int_equal(assemble_with(bad, files, NULL, 0, &said, NULL), FHEC_BAD_INPUT);
    assert_int_equal(said.count, 2);
    assert_string_equal(said.d[0].id, "E010");
    assert_string_equal(said.d[1].id, "E083");
    assert_string_equal(said.d[1].file, "worse.inc");
    assert_string_equal(said.d[1].chain, "include at bad.inc:3:10\ninclude at t.sass:2:10\n");
}

/* Of what is wrong in each turn one is reported, with the number of the others; not of what is
 * wrong in one line of .irp and in another way in the next, nor of what a macro makes of two calls.
 */
static void repeated_errors_are_counted(void **state) {
    (void)state;
    static struct said said;
    said.count = 0;
    assert_int_equal(assemble(".macro M r\n  IMAD.WIDE \\r, R0, R0, RZ ;\n.endm\n"
                              ".kernel k\n"
                              ".rept 6, i\n"
                              "  IMAD.WIDE R1\\i, R0, R0, RZ ;\n"
                              ".rept 2\n"
                              "  M R3\n"
                              "  M R5\n"
                              ".endr\n.endr\n"
                              ".irp r, R1, R2, R3, R1\n"
                              "  M \\r\n"
                              "  BRA nowhere ;\n"
                              ".endr\n"
                              "  EXIT ;\n.end\n",
                              &said, NULL),
                     FHEC_BAD_INPUT);
    static const struct {
        const char *message, *note, *chain;
    } wanted[] = {
        {"`R3` cannot be", "the same in 11 more iterations\n", "macro M at t.sass:8:3\n"},
        {"`R5` cannot be", "the same in 11 more iterations\n", "macro M at t.sass:9:3\n"},
        {"`R11` cannot be", "the same in 2 more iterations\n",
         "iteration 2 of .rept at t.sass:5:1\n"},
        {"`R1` cannot be", "the same in 1 more iteration\n", "macro M at t.sass:13:3\n"},
        {"`R3` cannot be", "the line became", "iteration 3 of .irp at t.sass:12:1\n"},
        {"there is no label", "the same in 3 more iterations\n",
         "iteration 1 of .irp at t.sass:12:1\n"},
    };
    assert_int_equal(said.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < said.count; i++)
        if (!strstr(said.d[i].message, wanted[i].message) ||
            !strstr(said.d[i].notes, wanted[i].note) || !strstr(said.d[i].chain, wanted[i].chain))
            fail_msg("%zu: %s\n%s%s", i, said.d[i].message, said.d[i].notes, said.d[i].chain);
    /* They do not go on for ever, either. */
    expect_said(".kernel k\n.rept 1000000\n  FROB ;\n.endr\n.end\n", "E010 3:3, E099 3:3");
}

/* ---------------------------------------------------------------- contracts that nobody wants */

/* One of each place where a contract may stand, and what only looks like one. */
static const char with_contracts[] = ".target sm_80\n"
                                     ".kernel K\n"
                                     ".let first = 1\n"
                                     "    MOV R4, 0x1 ;\n"
                                     ".ensure R4 = first\n"
                                     ".macro M x\n"
                                     "    .let was_\\x = u64(R4)\n"
                                     "/* a comment that ends\n"
                                     "    .expect B */ IADD3 R4, R4, \\x, RZ ;\n"
                                     "/* another\n"
                                     "    .ensure x */ .let last = 7\n"
                                     "    .expect A = 2\n"
                                     "    IADD3 R5, R4, \\x, RZ ;\n"
                                     "    .ensure R5 = R4 + \\x\n"
                                     "    .ensure R5 = R4 + \\x ; IADD3 R6, R4, \\x, RZ ;\n"
                                     "letter: BRA letter ;\n"
                                     "/* a third\n"
                                     "    .expect A = 3 */.endm\n"
                                     "    M 3\n"
                                     "    .rept 3\n"
                                     "    .expect A = 3\n"
                                     "    IADD3 R7, R4, \\+, RZ ;\n"
                                     "    .endr\n"
                                     "    EXIT ;\n"
                                     ".end\n";

static void contracts_left_out(void **state) {
    (void)state;
    fhec_program *kept = NULL, *left = NULL;
    fhec_kernel_info a, b;
    fhec_expectation e;
    struct said said = {0};
    fhec_assemble_options options = {.diagnostic = hear, .user = &said};
    fhec_status status =
        fhec_assemble("t.sass", with_contracts, strlen(with_contracts), &options, &kept);
    if (status != FHEC_OK)
        fail_msg("%s: %s", said.d[0].id, said.d[0].message);
    options.no_contracts = true;
    assert_int_equal(
        fhec_assemble("t.sass", with_contracts, strlen(with_contracts), &options, &left), FHEC_OK);
    assert_int_equal(fhec_kernel_get(kept, 0, &a), FHEC_OK);
    assert_int_equal(fhec_kernel_get(left, 0, &b), FHEC_OK);
    assert_int_equal(a.word_count, b.word_count);
    assert_int_equal(a.word_count, 9);
    assert_memory_equal(a.words, b.words, a.word_count * sizeof *a.words);
    assert_true(fhec_kernel_expectation(kept, 0, 6, &e));
    assert_false(fhec_kernel_expectation(left, 0, 0, &e));
    for (uint32_t word = 0; word < a.word_count; word++) { /* the same lines and columns */
        const fhec_location was = fhec_kernel_location(kept, 0, word);
        const fhec_location is = fhec_kernel_location(left, 0, word);
        assert_true(was.line == is.line && was.column == is.column);
    }
    fhec_program_free(kept);
    fhec_program_free(left);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macros_take_arguments),
        cmocka_unit_test(texts_are_pasted),
        cmocka_unit_test(repetitions_count),
        cmocka_unit_test(conditions_choose),
        cmocka_unit_test(includes_are_read_in_place),
        cmocka_unit_test(words_come_from_the_innermost_line),
        cmocka_unit_test(the_chain_leads_outward),
        cmocka_unit_test(macros_within_macros),
        cmocka_unit_test(runaway_expansion_ends),
        cmocka_unit_test(includes_within_themselves),
        cmocka_unit_test(repeated_errors_are_counted),
        cmocka_unit_test(contracts_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
