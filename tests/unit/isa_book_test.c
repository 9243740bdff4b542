/*
 * The ISA book and isa.json as the library gives them: complete, in order, and in agreement with
 * the tables.
 */
#include "isa_util.h"

#include <jansson.h>

static void every_instruction_has_its_page(void **state) {
    (void)state;
    const char *mnemonic, *title, *book = fhec_isa_page(NULL);
    const char *before = "";
    size_t n = 0;
    assert_non_null(book);
    for (; fhec_isa_entry(n, &mnemonic, &title); n++) {
        const char *page = fhec_isa_page(mnemonic);
        char heading[64];
        snprintf(heading, sizeof heading, "## %s\n", mnemonic);
        if (!page || strncmp(page, heading, strlen(heading)) != 0)
            fail_msg("%s has the page %.30s", mnemonic, page ? page : "(none)");
        assert_non_null(strstr(page, title));
        assert_true(strstr(page, "```c\n") || strstr(page, "```text\n"));
        assert_non_null(strstr(page, "| form | opcode |"));
        assert_non_null(strstr(book, page));
        assert_true(strcspn(before, ".") == 0 ||
                    strncmp(before, mnemonic, strcspn(before, ".")) <= 0);
        before = mnemonic;
    }
    assert_int_equal(n, fh_insn_count);
}

static void names_with_modifiers_find_their_page(void **state) {
    (void)state;
    assert_ptr_equal(fhec_isa_page("IMAD.WIDE.U32.X"), fhec_isa_page("IMAD.WIDE"));
    assert_ptr_equal(fhec_isa_page("IMAD.MOV.U32"), fhec_isa_page("IMAD"));
    assert_ptr_not_equal(fhec_isa_page("IMAD.WIDE"), fhec_isa_page("IMAD"));
    assert_ptr_equal(fhec_isa_page("LOP3.LUT"), fhec_isa_page("LOP3"));
    assert_null(fhec_isa_page("IMADX"));
    assert_null(fhec_isa_page("IMA"));
    assert_null(fhec_isa_page(""));
    assert_null(fhec_isa_page("imad"));
}

static bool has_modifier(const char *mnemonic, const char *wanted) {
    const char *text;
    for (size_t i = 0; fhec_isa_modifier(mnemonic, i, &text); i++)
        if (strcmp(text, wanted) == 0)
            return true;
    return false;
}

/* Of all instructions of the root: parts of names, real modifiers, derived ones. */
static void modifiers_are_those_of_the_root(void **state) {
    (void)state;
    const char *text;
    for (unsigned i = 0; i < 2; i++) {
        const char *name = i ? "IMAD" : "IMAD.WIDE.U32";
        assert_true(has_modifier(name, "WIDE") && has_modifier(name, "HI"));
        assert_true(has_modifier(name, "U32") && has_modifier(name, "X"));
        assert_true(has_modifier(name, "MOV") && has_modifier(name, "SHL"));
        assert_false(has_modifier(name, "WID") || has_modifier(name, "LUT") ||
                     has_modifier(name, ""));
    }
    assert_true(has_modifier("LDG.E", "128") && has_modifier("LDG", "CONSTANT"));
    assert_false(fhec_isa_modifier("IMA", 0, &text) || fhec_isa_modifier("IMADX", 0, &text) ||
                 fhec_isa_modifier("", 0, &text) || fhec_isa_modifier(".X", 0, &text));
}

/* What the page of an instruction must say, taken from the block by hand. */
static void the_page_shows_what_runs(void **state) {
    (void)state;
    const char *page = fhec_isa_page("IADD3");
    assert_non_null(
        strstr(page, "IADD3{.X} Rd, {Pu,} {Pv,} -~A, -~B, -~C [X: , !Pp=!PT, !Pq=!PT]"));
    assert_non_null(strstr(page, "\nd = total + more;\n"));
    assert_non_null(strstr(page, "| IR | 0x0810 | immediate | register |"));
    assert_non_null(strstr(page, "| X | 74 | 0 nothing, 1 `.X` |"));
    page = fhec_isa_page("FHEC");
    assert_non_null(strstr(page, "needs `.target fhec`"));
    assert_non_null(strstr(page, "### Fragment of FHEC.16816.U32.U32, operand B"));
    /* Row k = t + 4i, column g: row 5 is lane 4g + 1, register 1. */
    assert_non_null(strstr(page, "| **5** | 1:1 | 5:1 | 9:1 | 13:1 | 17:1 | 21:1 | 25:1 | 29:1 |"));
    assert_non_null(strstr(page, "```c\nu32 q = m[0];\n"));
    page = fhec_isa_page("STG");
    assert_non_null(strstr(page, "`memory` is what lies at the address in global memory"));
    assert_non_null(strstr(page, "```c\nmemory = data;"));
    page = fhec_isa_page("EXIT");
    assert_non_null(
        strstr(page, "In words, since it is carried out by a function of the emulator"));
}

static void json_agrees_with_the_tables(void **state) {
    (void)state;
    json_error_t error;
    json_t *root = json_loads(fhec_isa_json(), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("isa.json, line %d: %s", error.line, error.text);
    json_t *insns = json_object_get(root, "instructions");
    assert_int_equal(json_array_size(insns), fh_insn_count);
    for (unsigned i = 0; i < fh_insn_count; i++) {
        json_t *insn = json_array_get(insns, i), *forms = json_object_get(insn, "forms");
        assert_string_equal(json_string_value(json_object_get(insn, "name")),
                            fh_insn_by_root(i)->name);
        assert_string_equal(json_string_value(json_object_get(insn, "title")),
                            fh_insn_by_root(i)->title);
        assert_int_equal(json_array_size(forms), fh_insn_by_root(i)->form_count);
        for (unsigned k = 0; k < fh_insn_by_root(i)->form_count; k++) {
            const struct fh_form *form = &fh_forms[fh_insn_by_root(i)->first_form + k];
            json_t *object = json_array_get(forms, k);
            const char *opcode = json_string_value(json_object_get(object, "opcode"));
            assert_int_equal(strtoul(opcode, NULL, 16), form->opcode);
            assert_int_equal(json_array_size(json_object_get(object, "operands")),
                             form->operand_count);
            assert_int_equal(json_array_size(json_object_get(object, "modifiers")),
                             form->mod_count);
        }
    }
    fhec_layout layout;
    size_t layouts = 0;
    while (fhec_layout_get(layouts, &layout))
        layouts++;
    assert_int_equal(json_array_size(json_object_get(root, "layouts")), layouts);
    json_decref(root);
}

/* Texts go through the book's line breaks: only the words count. */
static bool has_words(const char *book, const char *text) {
    while (*text && *book) {
        if (*text == ' ' || *text == '\n') {
            text++;
        } else if (*book == ' ' || *book == '\n') {
            book++;
        } else if (*book++ != *text++) {
            return false;
        }
    }
    return !*text;
}

static bool listed(const char *chapter, const char *choice) {
    for (; *chapter; chapter++)
        if (has_words(chapter, choice))
            return true;
    return false;
}

static unsigned all_listed(json_t *choices, const char *chapter) {
    for (size_t i = 0; i < json_array_size(choices); i++) {
        const char *choice = json_string_value(json_array_get(choices, i));
        assert_non_null(choice);
        if (!listed(chapter, choice))
            fail_msg("the chapter of choices does not have: %s", choice);
    }
    return (unsigned)json_array_size(choices);
}

/* Every choice of isa.json stands in the book's chapter, and no page speaks of one elsewhere. */
static void choices_are_in_their_chapter(void **state) {
    (void)state;
    const char *chapter = strstr(fhec_isa_page(NULL), "# What is not known from silicon\n");
    assert_non_null(chapter);
    const char *end = strstr(chapter, "\n## ");
    assert_non_null(end);
    char *text = strndup(chapter, (size_t)(end - chapter));
    assert_non_null(text);
    json_t *root = json_loads(fhec_isa_json(), 0, NULL), *insns;
    assert_non_null(root);
    unsigned count = all_listed(json_object_get(root, "choices"), text);
    insns = json_object_get(root, "instructions");
    for (size_t i = 0; i < json_array_size(insns); i++) {
        json_t *insn = json_array_get(insns, i), *choices = json_object_get(insn, "choices");
        const char *why = json_string_value(json_object_get(insn, "unsupported"));
        count += all_listed(choices, text);
        assert_true(why ? fh_insns[i].unsupported && strcmp(why, fh_insns[i].unsupported) == 0
                        : !fh_insns[i].unsupported);
        assert_null(strstr(fh_insns[i].page, "a choice"));
        assert_null(strstr(fh_insns[i].page, "documented choice"));
        assert_true(json_array_size(choices) == 0 ||
                    strstr(fh_insns[i].page, "**Not known from silicon.**"));
    }
    print_message("# %u choices\n", count);
    assert_true(count > 40);
    free(text);
    json_decref(root);
}

/* Names that are not described are no names of instructions, and are found by opcode. */
static void the_outside_is_known_by_name(void **state) {
    (void)state;
    unsigned first;
    for (unsigned i = 0; i < fh_outside_count; i++) {
        const struct fh_outside *o = &fh_outsides[i];
        if (fh_insns_of_root(o->root, strlen(o->root), &first))
            fail_msg("%s is described and outside", o->root);
        assert_string_equal(fh_outside_of_root(o->root, strlen(o->root))->root, o->root);
        for (unsigned f = 0; f < fh_form_count; f++)
            if (o->opcode && fh_forms[f].opcode == o->opcode)
                fail_msg("%s has the opcode of %s", o->root, fh_insns[fh_forms[f].insn].name);
    }
    /* TEX.SCR.LL, an unknown opcode, and MOV */
    fhec_word tex = {0x0000000004047f60, 0}, none = {0xfff, 0}, mov = {0x202, 0xf00};
    assert_string_equal(fh_outside_of_word(tex)->root, "TEX");
    assert_null(fh_outside_of_word(none));
    assert_null(fh_outside_of_word(mov));
    assert_null(fh_outside_of_root("TE", 2));
    assert_null(fh_outside_of_root("TEXT", 4));
}

/* Roots lie together and are found by name; special registers and features have their names. */
static void roots_and_names(void **state) {
    (void)state;
    unsigned first;
    assert_int_equal(fh_insns_of_root("IMAD.WIDE", 4, &first), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal(fh_insn_by_root(first + i)->root, "IMAD");
    assert_int_equal(fh_insns_of_root("IMA", 3, &first), 0);
    assert_int_equal(fh_insns_of_root("IMADX", 5, &first), 0);
    assert_int_equal(fh_insns_of_root("", 0, &first), 0);
    assert_int_equal(fh_insns_of_root("ZZZ", 3, &first), 0);
    for (unsigned i = 1; i < fh_insn_count; i++)
        assert_true(strcmp(fh_insn_by_root(i - 1)->root, fh_insn_by_root(i)->root) <= 0);
    unsigned found = 0;
    for (unsigned i = 0; i < fh_special_register_count; i++)
        found += (fh_special_registers[i].value == 0x21 &&
                  strcmp(fh_special_registers[i].text, "SR_TID.X") == 0) ||
                 (fh_special_registers[i].value == 0xff &&
                  strcmp(fh_special_registers[i].text, "SRZ") == 0);
    assert_int_equal(found, 2);
    assert_int_equal(fh_feature_count, 4); /* sm_86 is one */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_has_its_page),
        cmocka_unit_test(names_with_modifiers_find_their_page),
        cmocka_unit_test(modifiers_are_those_of_the_root),
        cmocka_unit_test(the_page_shows_what_runs),
        cmocka_unit_test(json_agrees_with_the_tables),
        cmocka_unit_test(choices_are_in_their_chapter),
        cmocka_unit_test(the_outside_is_known_by_name),
        cmocka_unit_test(roots_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
