/*
 * source_chain_test.c - the macros, repetitions and includes that led to each instruction: as
 * programs tell them, through objects and back, in text, in faults, and what points and steps at
 * lines make of them.
 */
#include "asm_util.h"
#include "object_bytes.h"
#include "session_util.h"

#include "cubin.h"

static const struct memory_file files[] = {{"m.inc", ".macro ONE r\n"
                                                     "    IADD3 \\r, \\r, 0x1, RZ ;\n" /* 2 */
                                                     ".endm\n"
                                                     ".macro TWO r\n"
                                                     "    NOP ;\n"   /* 5 */
                                                     "    ONE \\r\n" /* 6 */
                                                     ".endm\n"},
                                           {"body.inc", ".rept 2\n"        /* 1 */
                                                        "    TWO R1\n"     /* 2 */
                                                        ".irp r, R2, R3\n" /* 3 */
                                                        "    ONE \\r\n"    /* 4 */
                                                        ".endr\n.endr\n"},
                                           {NULL, NULL}};
static const char source[] = ".include \"m.inc\"\n"
                             ".kernel k\n"
                             "    MOV R0, RZ ;\n"          /* 3 */
                             "    .include \"body.inc\"\n" /* 4 */
                             "    ONE R4\n"                /* 5 */
                             ".loc \"other.cu\", 7\n"
                             "    ONE R5\n"
                             "    EXIT ;\n"
                             ".end\n";

#define IN_BODY(i) "iteration " i " of .rept at body.inc:1, included from t.sass:4)"
static const char *const places[] = {
    "t.sass:3",
    "m.inc:5 (in macro TWO, from body.inc:2, in " IN_BODY("1"),
    "m.inc:2 (in macro ONE, from m.inc:6, in macro TWO, from body.inc:2, in " IN_BODY("1"),
    "m.inc:2 (in macro ONE, from body.inc:4, in iteration 1 of .irp at body.inc:3, in " IN_BODY(
        "1"),
    "m.inc:2 (in macro ONE, from body.inc:4, in iteration 2 of .irp at body.inc:3, in " IN_BODY(
        "1"),
    "m.inc:5 (in macro TWO, from body.inc:2, in " IN_BODY("2"),
    "m.inc:2 (in macro ONE, from m.inc:6, in macro TWO, from body.inc:2, in " IN_BODY("2"),
    "m.inc:2 (in macro ONE, from body.inc:4, in iteration 1 of .irp at body.inc:3, in " IN_BODY(
        "2"),
    "m.inc:2 (in macro ONE, from body.inc:4, in iteration 2 of .irp at body.inc:3, in " IN_BODY(
        "2"),
    "m.inc:2 (in macro ONE, from t.sass:5)",
    "other.cu:7", /* what compilers say wins */
    "other.cu:7",
};

static fhec_program *assembled(const char *text) {
    static struct said said;
    fhec_program *program;
    said.count = 0;
    if (assemble_with(text, files, NULL, 0, &said, &program) != FHEC_OK)
        fail_msg("%s %s", said.d[0].id, said.d[0].message);
    return program;
}

static void expect_place(const fhec_program *program, size_t kernel, uint32_t word,
                         const char *wanted) {
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    char text[512];
    const fhec_location at = fhec_kernel_location(program, kernel, word);
    const size_t count = fhec_kernel_expansions(program, kernel, word, list, FHEC_MAX_EXPANSIONS);
    assert_int_equal(fhec_format_location(&at, list, count, text, sizeof text), strlen(wanted));
    assert_string_equal(text, wanted);
}

/* The program as it is after it was an object. */
static fhec_program *through_object(const fhec_program *program) {
    struct said said = {0};
    uint8_t *bytes;
    size_t length;
    fhec_program *read;
    assert_int_equal(fhec_program_write(program, &bytes, &length), FHEC_OK);
    if (fhec_program_read("t.cubin", bytes, length, hear, &said, &read) != FHEC_OK)
        fail_msg("%s %s", said.d[0].id, said.d[0].message);
    free(bytes);
    return read;
}

static void every_word_has_its_chain(void **state) {
    (void)state;
    fhec_program *made = assembled(source), *read = through_object(made);
    assert_int_equal(made->kernels[0].word_count, sizeof places / sizeof *places);
    for (uint32_t w = 0; w < sizeof places / sizeof *places; w++) {
        expect_place(made, 0, w, places[w]);
        expect_place(read, 0, w, places[w]);
    }
    fhec_expansion first[3] = {{.name = NULL}};
    assert_int_equal(fhec_kernel_expansions(read, 0, 3, first, 2), 4);
    assert_int_equal(first[0].kind, FHEC_EXPANSION_MACRO);
    assert_string_equal(first[0].name, "ONE");
    assert_int_equal(first[0].at.column, 5);
    assert_int_equal(first[0].at.length, 6);
    assert_int_equal(first[1].kind, FHEC_EXPANSION_REPETITION);
    assert_string_equal(first[1].name, ".irp");
    assert_int_equal(first[1].iteration, 1);
    assert_null(first[2].name); /* there was no room for it */
    assert_int_equal(fhec_kernel_expansions(read, 0, 12, first, 2), 0);
    assert_int_equal(fhec_kernel_expansions(read, 1, 0, first, 2), 0);
    fhec_program_free(made);
    fhec_program_free(read);
}

/* Words of one expansion share its step. */
static void tables_are_small(void **state) {
    (void)state;
    fhec_program *p = assembled(".macro MANY\n.rept 1000\nNOP ; NOP ;\n.endr\n.endm\n"
                                ".macro UNUSED\nNOP ;\n.endm\n"
                                ".kernel k\nNOP ;\nMANY\nEXIT ;\n.end\n");
    assert_int_equal(p->kernels[0].word_count, 2002);
    assert_int_equal(p->expansion_step_count, 1001);
    assert_int_equal(p->macro_count, 1);
    fhec_program_free(p);
}

static void an_expansion_may_end_a_kernel(void **state) {
    (void)state;
    fhec_program *made = assembled(".macro SPLIT\n  NOP ;\n  EXIT ;\n.end\n.kernel b\n  EXIT ;\n"
                                   ".endm\n.kernel a\n  SPLIT\n.end\n.function f\n.irp x, 1, 2\n"
                                   "  NOP ;\n.endr\n  RET.ABS.NODEC R20 0x0 ;\n.end\n");
    fhec_program *read = through_object(made);
    for (unsigned i = 0; i < 2; i++) {
        const fhec_program *p = i ? read : made;
        expect_place(p, 0, 1, "t.sass:3 (in macro SPLIT, from t.sass:9)");
        expect_place(p, 1, 0, "t.sass:6 (in macro SPLIT, from t.sass:9)");
        expect_place(p, 0, p->functions[0].first + 1,
                     "t.sass:13 (in iteration 2 of .irp at t.sass:12)");
    }
    fhec_program_free(made);
    fhec_program_free(read);
}

/* One for each of two iterations. */
static void expect_two(const struct said *said, const char *id) {
    assert_int_equal(said->count, 2);
    for (unsigned i = 0; i < 2; i++) {
        char wanted[128];
        snprintf(wanted, sizeof wanted,
                 "macro BAD at t.sass:6:5\niteration %u of .rept at t.sass:5:1\n", i + 1);
        assert_string_equal(said->d[i].id, id);
        assert_string_equal(said->d[i].chain, wanted);
        assert_int_equal(said->d[i].line, 2);
    }
}

/* What is wrong with an instruction is said with how it came there, of an object as well. */
static void warnings_tell_the_chain(void **state) {
    (void)state;
    fhec_program *made = assembled(".macro BAD\n  .inst 0x1, 0x0\n.endm\n.kernel k\n"
                                   ".rept 2\n    BAD\n.endr\n  EXIT ;\n.end\n");
    fhec_program *read = through_object(made);
    for (unsigned i = 0; i < 2; i++) {
        const fhec_program *p = i ? read : made;
        struct said said = {0};
        assert_int_equal(fhec_kernel_check(p, 0, hear, &said), FHEC_BAD_INPUT);
        expect_two(&said, "O103");
        said.count = 0;
        assert_int_equal(fhec_lint(p, hear, &said), FHEC_DIFFERS);
        expect_two(&said, "L030");
    }
    fhec_program_free(made);
    fhec_program_free(read);
}

#define DEEP(n)                                                                                    \
    ".macro DEEP n\n.if \\n\n DEEP (\\n-1)\n.endif\n NOP ;\n.endm\n.kernel k\n DEEP " n "\n.end\n"

/* The file itself is one of the texts that may be open. */
static void chains_are_as_long_as_texts_are_deep(void **state) {
    (void)state;
    fhec_program *made = assembled(DEEP("126")), *read = through_object(made);
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    assert_int_equal(read->kernels[0].word_count, 127);
    for (uint32_t w = 0; w < 127; w++)
        assert_int_equal(fhec_kernel_expansions(read, 0, w, list, FHEC_MAX_EXPANSIONS), 127 - w);
    expect_place(read, 0, 126, "t.sass:5 (in macro DEEP, from t.sass:8)");
    fhec_program_free(made);
    fhec_program_free(read);
    struct said said = {0};
    assert_int_equal(assemble(DEEP("127"), &said, NULL), FHEC_BAD_INPUT);
}

static void text_tells_the_chain(void **state) {
    (void)state;
    struct said said = {0};
    char *text;
    size_t length;
    fhec_program *made = assembled(source), *again;
    assert_int_equal(fhec_disassemble_program(made, FHEC_DIS_LINES, hear, &said, &text, &length),
                     FHEC_OK);
    assert_non_null(strstr(text, ".loc \"t.sass\", 3\n    MOV R0, RZ ;\n"));
    assert_non_null(strstr(text, ".loc \"m.inc\", 5 // (in macro TWO, from body.inc:2, in "
                                 "iteration 2 of .rept at body.inc:1, included from t.sass:4)\n"
                                 "    NOP ;\n"));
    assert_non_null(strstr(text, ".loc \"m.inc\", 2 // (in macro ONE, from t.sass:5)\n"));
    assert_int_equal(assemble(text, &said, &again), FHEC_OK);
    expect_place(again, 0, 9, "m.inc:2"); /* the text says where it was, not how it came there */
    free(text);
    fhec_program_free(again);
    made->files[made->expansion_steps[0].at.file][1] = '\n'; /* an object may say so */
    assert_int_equal(fhec_disassemble_program(made, FHEC_DIS_LINES | FHEC_DIS_PARTIAL, hear, &said,
                                              &text, &length),
                     FHEC_OK);
    assert_non_null(strstr(text, "included from t?sass:4)\n"));
    free(text);
    fhec_program_free(made);
}

/* ---------------------------------------------------------------- damaged objects */

/* Where the steps of .fhec.info are; `macros` where the names of macros. */
static uint8_t *find_steps(uint8_t *bytes, uint8_t **macros, uint32_t *count) {
    unsigned index;
    const Elf64_Shdr *section = find_section(bytes, ".fhec.info", &index);
    uint8_t *at = bytes + section->sh_offset + 8;
    for (unsigned table = 0; table < 2; table++) {
        uint32_t names, length;
        memcpy(&names, at, 4);
        at += 4;
        if (table)
            *macros = at;
        for (uint32_t i = 0; i < names; i++, at += length + 4)
            memcpy(&length, at, 4);
    }
    memcpy(count, at, 4);
    return at + 4;
}

/* Fails unless the object that the program makes is refused. */
static void refuse_program(const fhec_program *program, const char *why) {
    uint8_t *bytes;
    size_t length;
    assert_int_equal(fhec_program_write(program, &bytes, &length), FHEC_OK);
    refuse(bytes, length, "O006", why);
    free(bytes);
}

/* The table holds what it is told, and that is looked at when it is read. */
static void steps_that_make_no_sense_are_refused(void **state) {
    (void)state;
    enum number { FILE_OF, LINE, OUTER, KIND, NUMBER };
    static const struct {
        uint32_t step;
        enum number number;
        uint32_t value;
        const char *why;
    } damages[] = {
        {0, OUTER, 1, "stands in expansion 1, of 0"},
        {2, OUTER, 3, "stands in expansion 3, of 2"},
        {1, OUTER, UINT32_MAX, "stands in expansion 4294967295, of 1"},
        {0, FILE_OF, 99, "expansion 1 makes no sense"},
        {0, LINE, 0, "expansion 1 makes no sense"},
        {1, NUMBER, 0, "expansion 2 makes no sense"},
        {2, NUMBER, 2, "expansion 3 makes no sense"},
        {2, KIND, FH_FROM_REPT, "expansion 3 makes no sense"}, /* iteration 0 */
        {0, NUMBER, 4, "expansion 1 makes no sense"},
    };
    fhec_program *p = assembled(source);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct fh_expansion_step *step = &p->expansion_steps[damages[i].step], old = *step;
        switch (damages[i].number) {
        case FILE_OF: step->at.file = damages[i].value; break;
        case LINE: step->at.line = damages[i].value; break;
        case OUTER: step->at.expansion = damages[i].value; break;
        case KIND: step->kind = damages[i].value % FH_EXPANSION_KINDS; break;
        case NUMBER: step->number = damages[i].value % FH_EXPANSION_NUMBERS; break;
        }
        refuse_program(p, damages[i].why);
        *step = old;
    }
    fhec_program_free(p);
}

/* By hand: file, line, column, length, outer, kind, number, as differences from the step before. */
static const uint8_t first_steps[2][7] = {
    {0, 4, 14, 10, 0, FH_FROM_INCLUDE, 2}, /* t.sass:4:14, "body.inc" */
    /* body.inc:1:1, .rept 2, in the first step, iteration 1 */
    {2, 0x80 - 3, 0x80 - 13, 0x80 - 3, 1, FH_FROM_REPT - FH_FROM_INCLUDE, 0x80 - 1},
};

static void damaged_tables_are_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t at;
        uint8_t bytes[5];
        const char *why;
    } damages[] = {
        {5, {4, 2}, "expansion 1 makes no sense"},                         /* kind 4 */
        {5, {0x80 - 1, 2}, "expansion 1 makes no sense"},                  /* kind -1 */
        {2, {0x80, 0x80, 0x80, 0x80, 0x08}, ".fhec.info"},                 /* 2^31 */
        {2, {0x80, 0x80, 0x80, 0x80, 0x77}, ".fhec.info"},                 /* -2^31 - 2^28 */
        {2, {0x80 | 5, 0x80, 0x80, 0x80, 0x80}, ".fhec.info"},             /* out of step */
        {6, {0x80, 0x80, 0x80, 0x80, 0x04}, "expansion 1 makes no sense"}, /* 2^30 */
    };
    fhec_program *p = assembled(source);
    uint8_t *bytes, *macros;
    size_t length;
    uint32_t count;
    unsigned index;
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    uint8_t *steps = find_steps(bytes, &macros, &count);
    assert_int_equal(count, p->expansion_step_count);
    assert_memory_equal(steps, first_steps, sizeof first_steps);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        uint8_t *at = steps + damages[i].at, old[5];
        const size_t size = damages[i].bytes[0] & 0x80 ? 5 : 2;
        memcpy(old, at, size);
        memcpy(at, damages[i].bytes, size);
        refuse(bytes, length, "O006", damages[i].why);
        memcpy(at, old, size);
    }
    macros[5] = '\n';
    refuse(bytes, length, "O006", "macro 1 has no name");
    macros[5] = 'W';
    memcpy(steps - 4, &(uint32_t){1u << 28}, 4); /* more steps than there is room for */
    refuse(bytes, length, "O006", ".fhec.info");
    memcpy(steps - 4, &(uint32_t){count - 1}, 4); /* what follows is out of step */
    refuse(bytes, length, "O006", ".fhec.info");
    memcpy(steps - 4, &count, 4);
    uint8_t *version = bytes + find_section(bytes, ".fhec.info", &index)->sh_offset + 4;
    *version = 7;
    refuse(bytes, length, "O006", ".fhec.info is of version 7, not 2 to 6");
    *version = 2;
    refuse(bytes, length, "O006", ".fhec.info");
    fhec_program_free(p);
    free(bytes);
}

/* A chain of steps, each in the one before it: only as deep as the assembler goes. */
static void too_deep_a_chain_is_refused(void **state) {
    (void)state;
    fhec_program *p = assembled(".kernel k\n.rept 200\n NOP ;\n.endr\n.end\n");
    assert_int_equal(p->expansion_step_count, 200);
    for (uint32_t i = 1; i < FH_MAX_NESTING; i++)
        p->expansion_steps[i].at.expansion = i;
    fhec_program *read = through_object(p);
    assert_int_equal(fhec_kernel_expansions(read, 0, FH_MAX_NESTING - 1, NULL, 0), FH_MAX_NESTING);
    fhec_program_free(read);
    p->expansion_steps[FH_MAX_NESTING].at.expansion = FH_MAX_NESTING;
    refuse_program(p, "expansion 129 is more than 128 deep");
    fhec_program_free(p);
}

/* Differences of all lengths, up and down. */
static void numbers_of_any_size_come_back(void **state) {
    (void)state;
    static const uint32_t numbers[] = {0,          63,         64,      128,      64,
                                       8191,       8192,       1 << 20, 1u << 31, UINT32_MAX,
                                       0x7fffffff, 0x12345678, 1,       0};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    fhec_program *p = assembled(".kernel k\n.rept 14\n NOP ;\n.endr\n.end\n");
    struct fh_origin *origins = p->kernels[0].origins;
    assert_int_equal(p->kernels[0].word_count, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        origins[i].file = numbers[(i + 3) % COUNT];
        origins[i].line = numbers[i];
        origins[i].column = numbers[COUNT - 1 - i];
        origins[i].length = numbers[(i * 5) % COUNT];
    }
    fhec_program *read = through_object(p);
    assert_memory_equal(read->kernels[0].origins, origins, COUNT * sizeof *origins);
    fhec_program_free(p);
    fhec_program_free(read);
}

/* Where nothing is expanded the section is as it was before there were chains. */
static void plain_programs_have_no_table(void **state) {
    (void)state;
    fhec_program *p = assembled(".kernel k\n NOP ;\n EXIT ;\n.end\n"), *read = through_object(p);
    uint8_t *bytes;
    size_t length;
    unsigned index;
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    const Elf64_Shdr *section = find_section(bytes, ".fhec.info", &index);
    assert_int_equal(bytes[section->sh_offset + 4], 2);
    /* head, file, kernel, origins, functions, labels, tests */
    assert_int_equal(section->sh_size, 8 + 4 + 4 + 6 + 4 + 4 + 1 + 4 + 5 + 4 + 4 + 2 * 16 + 12);
    expect_place(read, 0, 1, "t.sass:3");
    free(bytes);
    fhec_program_free(p);
    fhec_program_free(read);
}

/* ---------------------------------------------------------------- launches */

static void faults_tell_the_chain(void **unused) {
    (void)unused;
    struct guest g = guest_begin(".macro LOAD r\n  LDG.E \\r, [R2.64] ;\n.endm\n"
                                 ".kernel k\n.param data, 8\n.rept 2, i\n  NOP ;\n.if \\i\n"
                                 "  LOAD R4\n.endif\n.endr\n  EXIT ;\n.end\n",
                                 1, 32, 1);
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    char text[1024];
    const fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_FAULT, 0, 0, 0x20, 2);
    assert_int_equal(stop.fault->expansion_count, 2);
    assert_string_equal(stop.fault->expansions[0].name, "LOAD");
    assert_int_equal(stop.fault->expansions[1].iteration, 2);
    (void)fhec_format_fault(stop.fault, text, sizeof text);
    const char *line = strstr(
        text, "\n  source       test.sass:2 (in macro LOAD, from test.sass:9, in iteration 2 "
              "of .rept at test.sass:6)\n");
    if (!line)
        fail_msg("%s", text);
    assert_int_equal(fhec_session_expansions(g.session, 0x20, list, FHEC_MAX_EXPANSIONS), 2);
    assert_int_equal(list[0].at.line, 9);
    assert_int_equal(fhec_session_expansions(g.session, 0x40, list, FHEC_MAX_EXPANSIONS), 0);
    assert_int_equal(fhec_session_expansions(g.session, 0x50, list, FHEC_MAX_EXPANSIONS), 0);
    guest_end(&g);
}

/* Adds a point at the line and expects the stops of one warp there, which 0x1000 ends. */
static void expect_stops(const char *text, uint32_t line, const uint64_t *pcs) {
    struct guest g = guest_begin(text, 1, 32, 1);
    const unsigned point = guest_add(&g, (fhec_point){.kind = FHEC_POINT_LINE, .line = line});
    for (size_t i = 0; pcs[i] != 0x1000; i++) {
        const fhec_stop stop = guest_go(&g, NULL);
        if (stop.reason != FHEC_STOP_BREAKPOINT || stop.pc != pcs[i] || stop.point != point)
            fail_msg("line %u, stop %zu: pc 0x%x, not 0x%x", line, i, (unsigned)stop.pc,
                     (unsigned)pcs[i]);
    }
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    guest_end(&g);
}

static const char uses[] = ".macro ONE r\n"                             /* 1 */
                           "  IADD3 \\r, \\r, 0x1, RZ ; MOV R9, RZ ;\n" /* 2 */
                           "  NOP ;\n"                                  /* 3 */
                           ".endm\n.macro TWO\n"                        /* 5 */
                           "  ONE R1\n"                                 /* 6 */
                           "  ONE R2\n"                                 /* 7 */
                           ".endm\n.kernel k\n.param data, 8\n"         /* 10 */
                           "  TWO\n"                                    /* 11: 00 */
                           ".rept 2\n"                                  /* 12 */
                           "  ONE R3\n"                                 /* 13: 60 */
                           ".endr\n  EXIT ;\n.end\n";                   /* 15: c0 */

static void points_at_lines_that_use_macros(void **unused) {
    (void)unused;
    static const char deep[] = ".macro DEEP n\n  NOP ;\n.if \\n\n"  /* 3 */
                               "  DEEP (\\n - 1)\n.endif\n"         /* 4 */
                               "  MOV R1, RZ ;\n.endm\n.kernel k\n" /* 6 */
                               ".param data, 8\n  DEEP 2\n"         /* 10 */
                               "  EXIT ;\n.end\n";
    enum { END = 0x1000 };
    expect_stops(uses, 11, (const uint64_t[]){0, END});
    expect_stops(uses, 6, (const uint64_t[]){0, END});
    expect_stops(uses, 7, (const uint64_t[]){0x30, END});
    expect_stops(uses, 2, (const uint64_t[]){0, 0x30, 0x60, 0x90, END});
    expect_stops(uses, 3, (const uint64_t[]){0x20, 0x50, 0x80, 0xb0, END});
    expect_stops(uses, 12, (const uint64_t[]){0x60, 0x90, END});
    expect_stops(uses, 13, (const uint64_t[]){0x60, 0x90, END});
    expect_stops(uses, 15, (const uint64_t[]){0xc0, END});
    /* Behind an expansion within it a line's own one goes on. */
    expect_stops(deep, 10, (const uint64_t[]){0, END});
    expect_stops(deep, 4, (const uint64_t[]){0x10, 0x20, END});
    expect_stops(deep, 2, (const uint64_t[]){0, 0x10, 0x20, END});
    expect_stops(deep, 6, (const uint64_t[]){0x30, 0x40, 0x50, END});
}

static void steps_of_lines_in_macros(void **unused) {
    (void)unused;
    const uint64_t pcs[] = {0x20, 0x30, 0x50, 0x60, 0x80, 0x90, 0xb0, 0xc0};
    struct guest g = guest_begin(uses, 1, 32, 1);
    for (size_t i = 0; i < COUNT_OF(pcs); i++) {
        const fhec_stop stop = guest_go(&g, &(fhec_go){.step = FHEC_STEP_LINE});
        expect_at(&stop, FHEC_STOP_STEP, 0, 0, pcs[i], pcs[i] / 16);
    }
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_has_its_chain),
        cmocka_unit_test(tables_are_small),
        cmocka_unit_test(an_expansion_may_end_a_kernel),
        cmocka_unit_test(chains_are_as_long_as_texts_are_deep),
        cmocka_unit_test(text_tells_the_chain),
        cmocka_unit_test(warnings_tell_the_chain),
        cmocka_unit_test(steps_that_make_no_sense_are_refused),
        cmocka_unit_test(damaged_tables_are_refused),
        cmocka_unit_test(too_deep_a_chain_is_refused),
        cmocka_unit_test(numbers_of_any_size_come_back),
        cmocka_unit_test(plain_programs_have_no_table),
        ON_BOTH(faults_tell_the_chain),
        ON_BOTH(points_at_lines_that_use_macros),
        ON_BOTH(steps_of_lines_in_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
