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
        assert_non_null(strstr(page, "```c\n"));
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

/* What the page of an instruction must say, taken from the block by hand. */
static void the_page_shows_what_runs(void **state) {
    (void)state;
    const char *page = fhec_isa_page("IADD3");
    assert_non_null(
        strstr(page, "IADD3{.X} Rd, {Pu,} {Pv,} -~A, -~B, -~C [X: , !Pp=!PT, !Pq=!PT]"));
    assert_non_null(strstr(page, "\nd = (u32)s;\n"));
    assert_non_null(strstr(page, "| IR | 0x0810 | immediate | register |"));
    assert_non_null(strstr(page, "| X | 74 | 0 nothing, 1 `.X` |"));
    page = fhec_isa_page("FHEC");
    assert_non_null(strstr(page, "needs `.target fhec`"));
    assert_non_null(strstr(page, "### Fragment of FHEC.16816.U32.U32, operand B"));
    /* Row k = t + 4i, column g: row 5 is lane 4g + 1, register 1. */
    assert_non_null(strstr(page, "| **5** | 1:1 | 5:1 | 9:1 | 13:1 | 17:1 | 21:1 | 25:1 | 29:1 |"));
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
        assert_string_equal(json_string_value(json_object_get(insn, "name")), fh_insns[i].name);
        assert_string_equal(json_string_value(json_object_get(insn, "title")), fh_insns[i].title);
        assert_int_equal(json_array_size(forms), fh_insns[i].form_count);
        for (unsigned k = 0; k < fh_insns[i].form_count; k++) {
            const struct fh_form *form = &fh_forms[fh_insns[i].first_form + k];
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

/* Roots lie together and are found by name; special registers and features have their names. */
static void roots_and_names(void **state) {
    (void)state;
    unsigned first;
    assert_int_equal(fh_insns_of_root("IMAD.WIDE", 4, &first), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal(fh_insns[first + i].root, "IMAD");
    assert_int_equal(fh_insns_of_root("IMA", 3, &first), 0);
    assert_int_equal(fh_insns_of_root("IMADX", 5, &first), 0);
    assert_int_equal(fh_insns_of_root("", 0, &first), 0);
    assert_int_equal(fh_insns_of_root("ZZZ", 3, &first), 0);
    for (unsigned i = 1; i < fh_insn_count; i++)
        assert_true(strcmp(fh_insns[i - 1].root, fh_insns[i].root) <= 0);
    unsigned found = 0;
    for (unsigned i = 0; i < fh_special_register_count; i++)
        found += (fh_special_registers[i].value == 0x21 &&
                  strcmp(fh_special_registers[i].text, "SR_TID.X") == 0) ||
                 (fh_special_registers[i].value == 0xff &&
                  strcmp(fh_special_registers[i].text, "SRZ") == 0);
    assert_int_equal(found, 2);
    assert_int_equal(fh_feature_count, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_has_its_page),
        cmocka_unit_test(names_with_modifiers_find_their_page),
        cmocka_unit_test(the_page_shows_what_runs),
        cmocka_unit_test(json_agrees_with_the_tables),
        cmocka_unit_test(roots_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
