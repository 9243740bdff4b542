/*
 * asm_diag_test.c - diagnostics as text and as JSON: the exact layout, colours, places in long and
 * odd lines, and buffers of every size.
 */
#include "asm_util.h"

#include <jansson.h>

static const char *const notes[] = {"legal: MOV Rd, B", "a \"second\" one"};
static const fhec_expansion steps[] = {
    {FHEC_EXPANSION_MACRO, "ADD", 0, {"k.sass", 9, 5, 10}},
    {FHEC_EXPANSION_INCLUDE, "k.sass", 0, {"main.sass", 2, 10, 7}}};

static fhec_diagnostic example(void) {
    return (fhec_diagnostic){.id = "E014",
                             .severity = FHEC_ERROR,
                             .message = "missing operand 2 (`B`)",
                             .at = {"k.sass", 3, 9, 4},
                             .source_line = "\tMOV R1, R255 ;",
                             .notes = notes,
                             .note_count = 2,
                             .expansions = steps,
                             .expansion_count = 2};
}

static const char plain[] = "k.sass:3:9: error[E014]: missing operand 2 (`B`)\n"
                            "  \tMOV R1, R255 ;\n"
                            "  \t       ^~~~\n"
                            "  note: legal: MOV Rd, B\n"
                            "  note: a \"second\" one\n"
                            "  in macro ADD at k.sass:9:5\n"
                            "  in include at main.sass:2:10\n";

static void the_text_is_laid_out(void **state) {
    (void)state;
    char text[1024];
    fhec_diagnostic d = example();
    assert_int_equal(fhec_format_diagnostic(&d, false, text, sizeof text), sizeof plain - 1);
    assert_string_equal(text, plain);
    d.severity = FHEC_WARNING;
    d.id = "W001";
    d.note_count = d.expansion_count = 0;
    d.source_line = NULL;
    (void)fhec_format_diagnostic(&d, false, text, sizeof text);
    assert_string_equal(text, "k.sass:3:9: warning[W001]: missing operand 2 (`B`)\n");
    d.at = (fhec_location){.file = "x.cubin"};
    (void)fhec_format_diagnostic(&d, false, text, sizeof text);
    assert_string_equal(text, "x.cubin: warning[W001]: missing operand 2 (`B`)\n");
    d.at.file = NULL;
    (void)fhec_format_diagnostic(&d, false, text, sizeof text);
    assert_string_equal(text, "warning[W001]: missing operand 2 (`B`)\n");
}

/* With the escapes taken out, coloured text is the plain one. */
static void colours_add_nothing_else(void **state) {
    (void)state;
    char text[2048], stripped[2048];
    fhec_diagnostic d = example();
    size_t n = fhec_format_diagnostic(&d, true, text, sizeof text), m = 0;
    assert_true(n > sizeof plain);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\033')
            i += strcspn(text + i, "m");
        else
            stripped[m++] = text[i];
    }
    stripped[m] = '\0';
    assert_string_equal(stripped, plain);
}

static void a_buffer_of_any_size_is_enough(void **state) {
    (void)state;
    fhec_diagnostic d = example();
    char text[512], json[512];
    size_t length = fhec_format_diagnostic_json(&d, json, sizeof json);
    assert_true(length < sizeof json);
    for (size_t size = 0; size <= sizeof plain + 2; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(fhec_format_diagnostic(&d, false, size ? text : NULL, size),
                         sizeof plain - 1);
        if (size) {
            size_t kept = size < sizeof plain ? size - 1 : sizeof plain - 1;
            assert_memory_equal(text, plain, kept);
            assert_int_equal(text[kept], '\0');
        }
        assert_int_equal(text[size < sizeof plain ? size : sizeof plain], '#');
        assert_int_equal(fhec_format_diagnostic_json(&d, size ? text : NULL, size), length);
        assert_int_equal(text[size], '#');
    }
}

static void odd_lines_are_shown(void **state) {
    (void)state;
    static char line[3000], text[4096];
    fhec_diagnostic d = {.id = "E001", .severity = FHEC_ERROR, .message = "m"};
    d.at = (fhec_location){"f", 1, 6, 3};
    d.source_line = "\xc3\xa9\x01\x1b R1"; /* e with an accent: two bytes, one column */
    (void)fhec_format_diagnostic(&d, false, text, sizeof text);
    assert_string_equal(text, "f:1:6: error[E001]: m\n  \xc3\xa9?? R1\n      ^~\n");
    memset(line, 'a', sizeof line - 1);
    memcpy(line + 2000, "HERE", 4);
    d.source_line = line;
    d.at = (fhec_location){"f", 1, 2001, 4};
    size_t n = fhec_format_diagnostic(&d, false, text, sizeof text);
    assert_true(n < 400); /* only what is around the place */
    const char *shown = strchr(text, '\n') + 1, *carets = strchr(shown, '\n') + 1;
    assert_int_equal(strstr(shown, "HERE") - shown, strchr(carets, '^') - carets);
    assert_non_null(strstr(carets, "^~~~\n"));
    d.at.column = 5000; /* past what is there */
    n = fhec_format_diagnostic(&d, false, text, sizeof text);
    assert_true(n < 100);
}

static void json_says_the_same(void **state) {
    (void)state;
    char text[1024];
    fhec_diagnostic d = example();
    d.message = "odd \xff\xc3 bytes \xe2\x82\xac"; /* the last three are a character */
    (void)fhec_format_diagnostic_json(&d, text, sizeof text);
    assert_null(strchr(text, '\n'));
    json_error_t error;
    json_t *o = json_loads(text, 0, &error);
    if (!o)
        fail_msg("%s in %s", error.text, text);
    assert_string_equal(json_string_value(json_object_get(o, "id")), "E014");
    assert_string_equal(json_string_value(json_object_get(o, "severity")), "error");
    assert_string_equal(json_string_value(json_object_get(o, "message")),
                        "odd \xef\xbf\xbd\xef\xbf\xbd bytes \xe2\x82\xac");
    assert_string_equal(json_string_value(json_object_get(o, "file")), "k.sass");
    assert_int_equal(json_integer_value(json_object_get(o, "line")), 3);
    assert_int_equal(json_integer_value(json_object_get(o, "column")), 9);
    assert_int_equal(json_integer_value(json_object_get(o, "length")), 4);
    assert_string_equal(json_string_value(json_object_get(o, "source")), "\tMOV R1, R255 ;");
    const json_t *list = json_object_get(o, "notes");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_array_get(list, 1)), notes[1]);
    list = json_object_get(o, "expansions");
    assert_int_equal(json_array_size(list), 2);
    const json_t *step = json_array_get(list, 1);
    assert_string_equal(json_string_value(json_object_get(step, "what")), "include");
    assert_int_equal(json_integer_value(json_object_get(step, "line")), 2);
    json_decref(o);
}

/* A line of a file did not become another one, wherever it ends. */
static void ends_of_lines(void **state) {
    (void)state;
    static const char *const all[] = {".kernel k\n  MOV R1, R2 R3 ;\n  EXIT ;\n.end\n",
                                      ".kernel k\r\n  MOV R1, R2 R3 ;\r\n  EXIT ;\r\n.end\r\n",
                                      ".kernel k\n  MOV R1, R2 R3 ;"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct said said = {0};
        fhec_program *p;
        assert_int_equal(assemble(all[i], &said, &p), FHEC_BAD_INPUT);
        assert_string_equal(said.d[0].id, "E005");
        assert_int_equal(said.d[0].line, 2);
        assert_string_equal(said.d[0].notes, "");
    }
}

/* The whole way, from a source: two macros deep, with the line as it became. */
static void said_of_a_source(void **state) {
    (void)state;
    char text[1024] = "";
    struct said said = {0};
    assert_int_equal(assemble(".macro BAD r\n    MOV \\r, P0 ;\n.endm\n.kernel k\n\tBAD R7\n"
                              "  EXIT ;\n.end\n",
                              &said, NULL),
                     FHEC_BAD_INPUT);
    assert_int_equal(said.count, 1);
    (void)snprintf(text, sizeof text, "%s %u:%u+%u %s%s", said.d[0].id, said.d[0].line,
                   said.d[0].column, said.d[0].length, said.d[0].notes, said.d[0].chain);
    assert_string_equal(text, "E016 2:13+2 legal: MOV Rd, B\n"
                              "legal: MOV Rd, B, mask\n"
                              "the line became: MOV R7, P0 ;\n"
                              "macro BAD at t.sass:5:2\n");
}

/* One instruction is in no file, and stands in nothing. */
static void said_of_one_instruction(void **state) {
    (void)state;
    static const struct {
        const char *text, *wanted;
    } all[] = {
        {"FROB R1", "E010 line 1:1+4 unknown mnemonic `FROB`"},
        {"NOP ; NOP", "E005 line 1:7+3 unexpected second instruction: one stands for itself"},
        {"", "E005 line 1:1+1 unexpected end: expected an instruction"},
        {"// nothing", "E005 line 1:1+1 unexpected end: expected an instruction"},
        {"BRA there", "E030 line 1:5+5 there is no label `there` in this kernel"},
        {".equ a, 5", "E051 line 1:1+4 `.equ`: one instruction stands for itself"},
        {"MOV R1, 5 ; .inst 1, 2",
         "E005 line 1:13+5 unexpected second instruction: one stands for itself"},
        {"BRA 0x8", "E036 line 1:5+3 a branch cannot reach `0x8`: instructions are 16 "
                    "bytes, so a target is a multiple of 0x10"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char got[512] = "";
        static struct said said;
        fhec_word word = {1, 1};
        said.count = 0;
        assert_int_equal(fhec_assemble_word(all[i].text, 0x40, hear, &said, &word), FHEC_BAD_INPUT);
        assert_true(word.lo == 0 && word.hi == 0);
        for (size_t k = 0; k < said.count; k++)
            (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s %s %u:%u+%u %s%s",
                           said.d[k].id, said.d[k].file, said.d[k].line, said.d[k].column,
                           said.d[k].length, said.d[k].message, said.d[k].chain);
        assert_string_equal(got, all[i].wanted);
        assert_int_equal(fhec_assemble_word(all[i].text, 0x40, NULL, NULL, &word), FHEC_BAD_INPUT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_laid_out),
        cmocka_unit_test(colours_add_nothing_else),
        cmocka_unit_test(a_buffer_of_any_size_is_enough),
        cmocka_unit_test(odd_lines_are_shown),
        cmocka_unit_test(json_says_the_same),
        cmocka_unit_test(ends_of_lines),
        cmocka_unit_test(said_of_a_source),
        cmocka_unit_test(said_of_one_instruction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
