/*
 * editor_test.c - what editors are told of sources: positions, tokens, and what names mean, in
 * texts that are right and in texts that are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "name_search.h"

/* ---------------------------------------------------------------- positions */

static void position(const struct fh_text_map *map, size_t offset, uint32_t line,
                     uint32_t character) {
    struct fh_text_position p = fh_text_position_of(map, offset);
    assert_int_equal(p.line, line);
    assert_int_equal(p.character, character);
    for (size_t i = 0; i <= offset; i++) { /* the same from anywhere before */
        struct fh_text_cursor cursor = {0};
        (void)fh_text_advance(map, &cursor, i);
        p = fh_text_advance(map, &cursor, offset);
        if (fh_text_offset_of(map, fh_text_position_of(map, i)) == i)
            assert_true(p.line == line && p.character == character);
    }
    assert_int_equal(fh_text_offset_of(map, p), offset);
}

static void positions(void **state) {
    /* a, e acute (2 bytes, 1 unit), CR LF, a face (4 bytes, 2 units), b, CR, LF, euro (3, 1) */
    static const char text[] = "a\xc3\xa9\r\n\xf0\x9f\x98\x80"
                               "b\r\n\n\rx\xe2\x82\xac";
    struct fh_text_map map;
    (void)state;
    assert_true(fh_text_map_make(&map, text, sizeof text - 1));
    assert_int_equal(map.count, 5);
    position(&map, 0, 0, 0);
    position(&map, 1, 0, 1);
    position(&map, 3, 0, 2);
    position(&map, 5, 1, 0);
    position(&map, 9, 1, 2);
    position(&map, 10, 1, 3);
    position(&map, 12, 2, 0);
    position(&map, 13, 3, 0);
    position(&map, 14, 4, 0);
    position(&map, 15, 4, 1);
    position(&map, 18, 4, 2);
    assert_int_equal(fh_text_position_of(&map, 7).character, 0); /* within the face */
    assert_int_equal(fh_text_position_of(&map, 4).character, 2); /* between CR and LF */
    assert_int_equal(fh_text_position_of(&map, 99).line, 4);
    assert_int_equal(fh_text_offset_of(&map, (struct fh_text_position){1, 1}), 5);
    assert_int_equal(fh_text_offset_of(&map, (struct fh_text_position){0, 99}), 3);
    assert_int_equal(fh_text_offset_of(&map, (struct fh_text_position){99, 0}), 18);
    fh_text_map_free(&map);
    assert_true(fh_text_map_make(&map, "\xff\xe2\x82", 3)); /* no UTF-8: one unit a byte */
    position(&map, 2, 0, 2);
    fh_text_map_free(&map);
    assert_true(fh_text_map_make(&map, "", 0));
    position(&map, 0, 0, 0);
    fh_text_map_free(&map);
}

/* ---------------------------------------------------------------- tokens */

/* The kinds of a text's tokens as letters, in the order of enum fh_source_token_kind. */
static void kinds(const char *text, const char *wanted) {
    static const char letters[] = "\nclCmddwnsrO,;\\!";
    struct fh_source_tokens tokens;
    char got[256];
    assert_true(fh_source_tokens_read(text, strlen(text), &tokens));
    assert_true(tokens.count < sizeof got);
    for (size_t i = 0, end = 0; i < tokens.count; i++) {
        assert_true(tokens.list[i].begin >= end && tokens.list[i].end > tokens.list[i].begin);
        for (; end < tokens.list[i].begin; end++) /* between them only blanks */
            assert_non_null(strchr(" \t\r\f\v", text[end]));
        end = tokens.list[i].end;
        got[i] = tokens.list[i].kind == FH_SOURCE_DIRECTIVE ? 'D' : letters[tokens.list[i].kind];
    }
    got[tokens.count] = '\0';
    assert_string_equal(got, wanted);
    fh_source_tokens_free(&tokens);
}

static void tokens(void **state) {
    (void)state;
    kinds("", "");
    kinds("l: @!P0 IADD3.X R1, c[0x0][4], -2 ; // x", "lOOwmw,wOnOOnO,On;c");
    kinds(".reg acc[0:3] = R4\r\n", "DdOnOnOOw\n");
    kinds(".macro M a, b=RZ\n  \\a\\() R1, \\@ ;\n.endm", "Dd"
                                                          "w,wOw\n"
                                                          "\\m\\OOw,\\O;\n"
                                                          "D");
    kinds(".test in x u32[8] zeros\n.error \"a;//b\"", "Drrrr\nDs");
    kinds("/* a\nb */ MOV (* c *) R1 ; # d\n", "cmcw;c\n");
    kinds("MOV R1, \"open\n  EXIT ;", "mw,!\nm;");
    kinds("MOV ' R1\n/* open\n EXIT", "m!w\n!");
    kinds("[B------:R-:W0:-:S01] EXIT ;", "Cm;");
    kinds("LD R2, generic (R1) ;", "mw,wOwO;");
}

/* ---------------------------------------------------------------- names */

static struct fh_source_file *file_of(const char *name, const char *text) {
    struct fh_source_file *file = fh_source_file_new(strdup(name), strdup(text), strlen(text));
    assert_non_null(file);
    return file;
}

/* The offset of the n-th `what`. */
static size_t at(const struct fh_source_file *file, const char *what, unsigned n) {
    const char *p = strstr(file->text, what);
    while (p && n--)
        p = strstr(p + 1, what);
    assert_non_null(p);
    return (size_t)(p - file->text);
}

/* "FILE:LINE ..." of the definitions of what stands there; lines from 1. */
static void defined(const struct fh_source_set *set, uint32_t file, size_t offset,
                    const char *wanted) {
    struct fh_name_places found = {0};
    struct fh_name_place place;
    char got[256] = "";
    if (fh_name_at(set, file, offset, &place))
        assert_true(fh_name_definitions(set, place, &found));
    for (size_t i = 0; i < found.count; i++) {
        uint32_t begin, end;
        fh_name_range(set, found.list[i], &begin, &end);
        const struct fh_source_file *in = set->files[found.list[i].file];
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s:%u", i ? " " : "", in->path,
                 fh_text_position_of(&in->map, begin).line + 1);
    }
    assert_string_equal(got, wanted);
    fh_name_places_free(&found);
}

static size_t places(const struct fh_source_set *set, uint32_t file, size_t offset,
                     const char *name, const char *refused) {
    struct fh_name_places all = {0};
    struct fh_name_place place;
    assert_true(fh_name_at(set, file, offset, &place));
    assert_true(fh_name_all(set, place, &all));
    const char *why = fh_name_refused(set, &all, name);
    if (refused) {
        assert_non_null(why);
        assert_non_null(strstr(why, refused));
    } else {
        assert_null(why);
    }
    size_t count = all.count;
    fh_name_places_free(&all);
    return count;
}

static const char kernels[] = ".include \"lib\"\n"
                              ".equ WIDE, 4\n"
                              ".kernel one\n"
                              ".reg x = R1\n"
                              "top: MOV x, WIDE ;\n"
                              "    ADD x.ROW, x\n"
                              "    BRA top ;\n"
                              ".end\n"
                              ".kernel two\n"
                              ".reg x = R2\n"
                              ".set count, 1\n"
                              "top: BRA top ;\n"
                              "    MOV x, count ;\n"
                              ".rept 2, i\n"
                              ".irp v, 1, 2\n"
                              "    MOV x, \\i + \\v + \\nothing ;\n"
                              ".endr\n"
                              ".endr\n"
                              "    MOV x, y ;\n"
                              "    .expect A = x[1]\n"
                              ".end\n"
                              "    MOV x, 'broken\n"
                              ".set count, 2\n"
                              ".if open\n";
static const char library[] = ".macro ADD a, b=x\n"
                              "    IADD3 \\a, \\b\\(), \\b.64, x ;\n"
                              ".reg inner = R9\n"
                              "here: BRA here ;\n"
                              ".endm\n"
                              "    MOV inner, WIDE ;\n";

static void names(void **state) {
    struct fh_source_file *k = file_of("k", kernels), *l = file_of("l", library);
    struct fh_source_file *const files[] = {k, l};
    const struct fh_source_set set = {files, 2};
    (void)state;
    defined(&set, 0, at(k, "x, WIDE", 0), "k:4");
    defined(&set, 0, at(k, "x, count", 0), "k:10");
    defined(&set, 0, at(k, "x.ROW", 0), "k:4"); /* without the suffix */
    defined(&set, 0, at(k, "WIDE", 1), "k:2");
    defined(&set, 0, at(k, "top", 1) + 3, "k:5"); /* at its end */
    defined(&set, 0, at(k, "top", 3), "k:12");
    defined(&set, 0, at(k, "ADD", 0), "l:1");
    defined(&set, 0, at(k, "count", 1), "k:11 k:23");
    defined(&set, 0, at(k, "i + ", 0), "k:14");
    defined(&set, 0, at(k, "v + ", 0), "k:15");
    defined(&set, 0, at(k, "nothing", 0), "");
    defined(&set, 0, at(k, "y ;", 0), "");
    defined(&set, 0, at(k, "A = ", 0), ""); /* an operand of the instruction */
    defined(&set, 0, at(k, "x[1]", 0), "k:10");
    defined(&set, 1, at(l, "a, \\b", 0), "l:1");
    defined(&set, 1, at(l, "b.64", 0), "l:1");
    defined(&set, 1, at(l, "x ;", 0), "k:4 k:10"); /* whichever kernel calls it */
    defined(&set, 1, at(l, "inner, ", 0), "l:3");
    defined(&set, 1, at(l, "here ;", 0), "l:4");
    /* x of both kernels hangs together, by the macro: two .reg, five and four uses, two in it. */
    assert_int_equal(places(&set, 0, at(k, "x = R1", 0), "z", NULL), 2 + 3 + 4 + 2 + 1);
    assert_int_equal(places(&set, 0, at(k, "top", 0), "z", NULL), 2);
    assert_int_equal(places(&set, 0, at(k, "ADD", 0), "z", NULL), 2);
    assert_int_equal(places(&set, 1, at(l, "b=x", 0), "z", NULL), 3);
    (void)places(&set, 1, at(l, "b=x", 0), "a", "already");
    (void)places(&set, 0, at(k, "top", 0), "count", "already");
    (void)places(&set, 0, at(k, "top", 0), "y", "already"); /* used, if not defined */
    (void)places(&set, 0, at(k, "top", 0), "R7", "machine");
    (void)places(&set, 0, at(k, "top", 0), "SR_TID.X", "a name is");
    (void)places(&set, 0, at(k, "top", 0), "", "a name is");
    (void)places(&set, 0, at(k, "ADD", 0), "IMAD", "instruction");
    (void)places(&set, 0, at(k, "one", 0), "z", "only labels");
    (void)places(&set, 0, at(k, "y ;", 0), "z", "no definition");
    fh_source_file_free(k);
    fh_source_file_free(l);
}

/* Words of expectations, and words that a macro's parameter goes on. */
static void parts(void **state) {
    struct fh_source_file *f =
        file_of("f", ".kernel k\n.reg lane = R1\n.reg x = R2\n.reg A = R4\n.macro M e\n"
                     ".let s\\e = u64(x) + lane\n.let sum = x\n.ensure sum = s\\e % q\n.endm\n"
                     ".expect A = lane\n.expect A[0] = x + lane\n    FHEC lane, x\\e, A ;\n.end\n");
    struct fh_source_file *const files[] = {f};
    const struct fh_source_set set = {files, 1};
    (void)state;
    assert_int_equal(places(&set, 0, at(f, "lane = R1", 0), "z", NULL), 2);
    assert_int_equal(places(&set, 0, at(f, "x = R2", 0), "z", NULL), 4);
    assert_int_equal(places(&set, 0, at(f, "A = R4", 0), "z", NULL), 3);
    assert_int_equal(places(&set, 0, at(f, "sum = x", 0), "z", NULL), 2);
    assert_int_equal(places(&set, 0, at(f, "M e", 0) + 2, "z", NULL), 3);
    fh_source_file_free(f);
}

/* Blocks that are not ended, or ended twice, or across each other. */
static void blocks(void **state) {
    struct fh_source_file *f = file_of("f", ".endr\n.kernel a\n.macro M x\n.rept 2\n.kernel b\nl:\n"
                                            ".endm\n.endm\n.end\n.if 1\n.rept 3\n.endif\n");
    const struct fh_name_index *x = &f->index;
    (void)state;
    assert_int_equal(x->block_count, 1 + 5); /* a, M, .rept, b, .rept */
    assert_int_equal(x->blocks[1].kind, FH_BLOCK_CODE);
    assert_int_equal(x->blocks[2].outer, 1);
    assert_int_equal(x->blocks[3].kind, FH_BLOCK_REPETITION);
    assert_int_equal(x->blocks[1].end, strstr(f->text, ".end\n") - f->text + 4);
    assert_int_equal(x->blocks[5].end, strlen(f->text) - 1); /* .endif ends what is open in it */
    assert_true(fh_block_within(x, 4, 1));
    assert_false(fh_block_within(x, 1, 4));
    assert_int_equal(fh_block_around(x, 4, FH_BLOCK_MACRO), 2);
    assert_int_equal(fh_block_around(x, 5, FH_BLOCK_MACRO), FH_BLOCK_WHOLE);
    fh_source_file_free(f);
    f = file_of("f", ".kernel k\n.reg a = R1\n");
    assert_int_equal(f->index.blocks[1].end, UINT32_MAX);
    fh_source_file_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions), cmocka_unit_test(tokens), cmocka_unit_test(names),
        cmocka_unit_test(parts),     cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests_name("editor", tests, NULL, NULL);
}
