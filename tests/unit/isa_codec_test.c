/*
 * The codec over the generated tables: every form with random fields, every value of every
 * modifier, words with one bit wrong, and fields and checks by hand.
 */
#include "isa_util.h"

enum { WORDS_PER_FORM = 300, SEED = 20240917 };

static void fail_word(const char *what, const struct fh_form *form, const struct random *r,
                      unsigned iteration, fhec_word word, fhec_word got) {
    fail_msg("%s: %s form %s, seed %" PRIu64 ", iteration %u: word 0x%016" PRIx64 "%016" PRIx64
             ", got 0x%016" PRIx64 "%016" PRIx64,
             what, insn_name(form), form->name, r->seed, iteration, word.hi, word.lo, got.hi,
             got.lo);
}

/* Whether `special` fixes all bits that `general` fixes, and more: MOV is MOV with the mask 0xf. */
static bool more_special(const struct fh_form *special, const struct fh_form *general) {
    fhec_word s = special->fixed_mask, g = general->fixed_mask;
    return !same_word(s, g) && (g.lo & ~s.lo) == 0 && (g.hi & ~s.hi) == 0 &&
           strcmp(fh_insns[special->insn].root, fh_insns[general->insn].root) == 0;
}

/* Decodes, encodes and decodes again; the form must be found among all others. */
static void round_trip(const struct fh_form *form, const struct random *r, unsigned iteration,
                       fhec_word word) {
    struct fh_inst first, second;
    if (!fh_decode(word, &first))
        fail_word("not decoded", form, r, iteration, word, (fhec_word){0, 0});
    if (first.form != form && !more_special(first.form, form))
        fail_word(insn_name(first.form), form, r, iteration, word, word);
    fhec_word again = fh_encode(&first);
    if (!same_word(again, word))
        fail_word("encoded differently", form, r, iteration, word, again);
    if (!fh_decode(again, &second) || !same_inst(&first, &second))
        fail_word("decoded differently", form, r, iteration, word, again);
}

static void every_form_round_trips(void **state) {
    (void)state;
    struct random r = {SEED, SEED};
    print_message("# seed %d, %u forms, %d words each\n", SEED, fh_form_count, WORDS_PER_FORM);
    for (unsigned f = 0; f < fh_form_count; f++)
        for (unsigned i = 0; i < WORDS_PER_FORM; i++)
            round_trip(&fh_forms[f], &r, i, random_word(&fh_forms[f], &r));
}

/* Each value alone: the word decodes to it, and its text is in the mnemonic. */
static void one_value(const struct fh_form *form, unsigned m, const struct fh_mod_value *value,
                      struct random *r) {
    const struct fh_mod_spec *mod = &form->mods[m];
    for (unsigned i = 0; i < 20; i++) {
        fhec_word word = random_word(form, r);
        struct fh_inst inst;
        fh_field_set(&mod->field, &word, value->value);
        for (unsigned k = 0; k < form->mod_count; k++)
            inst.mod[k] = (uint8_t)fh_field_get(&form->mods[k].field, word);
        inst.form = form;
        for (unsigned k = 0; k < form->operand_count; k++)
            if (!fh_operand_present(&inst, k))
                set_fallback(&form->operands[k], &word);
        round_trip(form, r, i, word);
        char mnemonic[128], wanted[64];
        fhec_mnemonic(word, mnemonic, sizeof mnemonic);
        snprintf(wanted, sizeof wanted, ".%s", value->text);
        bool first = true; /* of several texts for one value only the first is printed */
        for (unsigned k = 0; &mod->values[k] != value; k++)
            first &= mod->values[k].value != value->value;
        if (*value->text && first && !strstr(mnemonic, wanted))
            fail_msg("%s form %s: no %s in %s", insn_name(form), form->name, wanted, mnemonic);
    }
}

static void every_modifier_value(void **state) {
    (void)state;
    struct random r = {SEED + 1, SEED + 1};
    unsigned count = 0;
    for (unsigned f = 0; f < fh_form_count; f++) {
        const struct fh_form *form = &fh_forms[f];
        for (unsigned m = 0; m < form->mod_count; m++) {
            for (unsigned v = 0; form->mods[m].field.pieces && v < form->mods[m].value_count; v++) {
                one_value(form, m, &form->mods[m].values[v], &r);
                count++;
            }
        }
    }
    print_message("# seed %d, %u values of modifiers\n", SEED + 1, count);
}

/* What decodes must encode to itself: no bit may be lost. Returns whether it decoded. */
static bool faithful(const struct fh_form *form, const struct random *r, unsigned i,
                     fhec_word word) {
    struct fh_inst inst;
    if (!fh_decode(word, &inst))
        return false;
    fhec_word again = fh_encode(&inst);
    if (!same_word(again, word))
        fail_word("a bit is lost", form, r, i, word, again);
    return true;
}

static void one_bit_wrong(void **state) {
    (void)state;
    struct random r = {SEED + 2, SEED + 2};
    unsigned long decoded = 0, refused = 0;
    for (unsigned f = 0; f < fh_form_count; f++) {
        for (unsigned i = 0; i < 40; i++) {
            fhec_word word = random_word(&fh_forms[f], &r);
            for (unsigned bit = 0; bit < 128; bit++) {
                fhec_word wrong = word;
                *(bit < 64 ? &wrong.lo : &wrong.hi) ^= UINT64_C(1) << bit % 64;
                *(faithful(&fh_forms[f], &r, i, wrong) ? &decoded : &refused) += 1;
            }
        }
    }
    print_message("# seed %d: %lu words decoded, %lu refused\n", SEED + 2, decoded, refused);
    assert_true(decoded > 0 && refused > 0);
}

/* Words of any bits, and words with a known opcode and any other bits. */
static void random_bits(void **state) {
    (void)state;
    struct random r = {SEED + 3, SEED + 3};
    for (unsigned i = 0; i < 300000; i++) {
        const struct fh_form *form = &fh_forms[next_random(&r) % fh_form_count];
        fhec_word word = {next_random(&r), next_random(&r)};
        faithful(form, &r, i, word);
        word.lo = (word.lo & ~UINT64_C(0xfff)) | (form->opcode & 0xfff);
        word.hi = (word.hi & ~(UINT64_C(1) << 27)) | (uint64_t)(form->opcode >> 12) << 27;
        word.hi &= form->fixed_value.hi | ~form->fixed_mask.hi;
        faithful(form, &r, i, word);
    }
}

/* A buffer of any size gets the beginning of the text and its NUL; the length is the whole one. */
static void text_in_small_buffers(void **state) {
    (void)state;
    struct random r = {SEED + 4, SEED + 4};
    char whole[256], part[256];
    for (unsigned f = 0; f < fh_form_count; f++) {
        fhec_word word = random_word(&fh_forms[f], &r);
        for (unsigned flags = 0; flags < 4; flags++) {
            int length = fhec_disassemble(word, 0x40, flags, whole, sizeof whole);
            assert_true(length > 0 && (size_t)length < sizeof whole);
            assert_int_equal(strlen(whole), length);
            for (size_t size = 0; size < (size_t)length + 2; size += 7) {
                memset(part, '#', sizeof part);
                assert_int_equal(fhec_disassemble(word, 0x40, flags, part, size), length);
                assert_true(part[size] == '#');
                if (size > 0) {
                    assert_int_equal(strlen(part),
                                     size - 1 < (size_t)length ? size - 1 : (size_t)length);
                    assert_memory_equal(part, whole, strlen(part));
                }
            }
        }
    }
}

static void fields_by_hand(void **state) {
    (void)state;
    const struct fh_field pieces = {.piece = {{85, 2}, {75, 1}}, .pieces = 2};
    fhec_word word = {0, 0};
    fh_field_set(&pieces, &word, 5);
    assert_true(word.lo == 0 && word.hi == (UINT64_C(1) << 22 | UINT64_C(1) << 11));
    assert_int_equal(fh_field_get(&pieces, word), 5);
    /* across the middle of the word: -2 in units of 4, 48 bits from bit 34 */
    const struct fh_field target = {
        .piece = {{34, 48}}, .pieces = 1, .shift = 2, .is_signed = true};
    word = (fhec_word){0, 0};
    fh_field_set(&target, &word, (uint64_t)-8);
    assert_true(word.lo == UINT64_C(0xfffffff800000000) && word.hi == 0x3ffff);
    assert_true((int64_t)fh_field_get(&target, word) == -8);
    const struct fh_field inverted = {.piece = {{64, 3}}, .pieces = 1, .inverted = true};
    word = (fhec_word){0, 0};
    fh_field_set(&inverted, &word, 3);
    assert_true(word.lo == 0 && word.hi == 4);
    assert_int_equal(fh_field_get(&inverted, (fhec_word){0, 0}), 7);
}

static void fits_by_hand(void **state) {
    (void)state;
    const struct fh_field five = {.piece = {{75, 5}}, .pieces = 1};
    assert_true(fh_field_fits(&five, 31) && fh_field_fits(&five, 0));
    assert_false(fh_field_fits(&five, 32) || fh_field_fits(&five, -1));
    const struct fh_field word = {.piece = {{32, 32}}, .pieces = 1};
    assert_true(fh_field_fits(&word, UINT32_MAX) && fh_field_fits(&word, INT32_MIN));
    assert_false(fh_field_fits(&word, INT64_C(1) << 32) ||
                 fh_field_fits(&word, (int64_t)INT32_MIN - 1));
    const struct fh_field offset = {.piece = {{40, 24}}, .pieces = 1, .is_signed = true};
    assert_true(fh_field_fits(&offset, -0x800000) && fh_field_fits(&offset, 0x7fffff));
    assert_false(fh_field_fits(&offset, -0x800001) || fh_field_fits(&offset, 0x800000));
    const struct fh_field units = {.piece = {{40, 14}}, .pieces = 1, .shift = 2, .is_signed = true};
    assert_true(fh_field_fits(&units, 0x7ffc) && fh_field_fits(&units, -0x8000));
    assert_false(fh_field_fits(&units, 0x7ffe) || fh_field_fits(&units, 0x8000));
}

/* Words written by hand from the bit positions of the encoding, and what is wrong with them. */
static void checks_by_hand(void **state) {
    (void)state;
    static const struct {
        fhec_word word;
        enum fh_problem problem;
        const char *text;
    } cases[] = {
        /* opcode 0x225: Rd 23:16, A 31:24, B 39:32, C 71:64, S 73, Pu 83:81, Pp 89:87 and 90 */
        {{0x0000000504067225, 0x078e0208}, FH_FINE, "IMAD.WIDE R6, R4, R5, R8"},
        {{0x0000000504077225, 0x078e0208}, FH_BAD_ALIGNMENT, "IMAD.WIDE R7, R4, R5, R8"},
        {{0x0000000504067225, 0x078e0209}, FH_BAD_ALIGNMENT, "IMAD.WIDE R6, R4, R5, R9"},
        {{0x0000000504fe7225, 0x078e0208}, FH_BAD_RANGE, "IMAD.WIDE R254, R4, R5, R8"},
        {{0x0000000504067225, 0x078e02ff}, FH_FINE, "IMAD.WIDE R6, R4, R5, RZ"},
        /* opcode 0x210, A 72 and B 63 negated at once */
        {{0x8000000504067210, 0x07ffe1ff}, FH_BAD_COMBINATION, "IADD3 R6, -R4, -R5, RZ"},
        {{0x8000000504067210, 0x07ffe0ff}, FH_FINE, "IADD3 R6, R4, -R5, RZ"},
        /* opcode 0x381, size 75:73 = 6: four registers; cache 86:84 = 1, E 72, Pu 83:81 */
        {{0x00000000040c7381, 0x001e0d00}, FH_FINE, "LDG.E.128 R12, [R4]"},
        {{0x00000000040e7381, 0x001e0d00}, FH_BAD_ALIGNMENT, "LDG.E.128 R14, [R4]"},
        {{0x0000000004fc7381, 0x001e0d00}, FH_BAD_RANGE, "LDG.E.128 R252, [R4]"},
        /* base 31:24: a pair with .E, where the form has no bit for .64 */
        {{0x00000000030c7381, 0x001e0900}, FH_BAD_ALIGNMENT, "LDG.E R12, [R3]"},
        {{0x00000000030c7381, 0x001e0800}, FH_FINE, "LDG R12, [R3]"},
        {{0x00000000ff0c7381, 0x001e0900}, FH_FINE, "LDG.E R12, [RZ]"},
        {{0x0000000c03007386, 0x00100900}, FH_BAD_ALIGNMENT, "STG.E [R3], R12"},
        {{0x00000000030c7980, 0x00100900}, FH_BAD_ALIGNMENT, "LD.E R12, [R3]"},
        {{0x0000000003007385, 0x0010090c}, FH_BAD_ALIGNMENT, "ST.E [R3], R12"},
        /* FHEC: opcode 0x1e0 and bit 91, M 45:40 */
        {{0x00000410080471e0, 0x08000004},
         FH_FINE,
         "FHEC.16816.U32.U32 R4, R8.ROW, R16.COL, R4, UR4"},
        {{0x00000610080471e0, 0x08000004},
         FH_BAD_ALIGNMENT,
         "FHEC.16816.U32.U32 R4, R8.ROW, R16.COL, R4, UR6"},
        {{0x00003c10080471e0, 0x08000004},
         FH_BAD_RANGE,
         "FHEC.16816.U32.U32 R4, R8.ROW, R16.COL, R4, UR60"},
        {{0x00001c10080471e0, 0x00000004},
         FH_FINE,
         "FHEC.16816.U32.U32.MIX R4, R8.ROW, R16.COL, R4, R28"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_inst inst;
        unsigned operand;
        char text[128];
        assert_true(fh_decode(cases[i].word, &inst));
        fh_print(&inst, 0, 0, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        if (fh_inst_check(&inst, &operand) != cases[i].problem)
            fail_msg("%s: problem %d, want %d", text, fh_inst_check(&inst, &operand),
                     cases[i].problem);
        assert_true(same_word(fh_encode(&inst), cases[i].word));
    }
}

/* What a real assembler wrote: every word is known, right as an instruction, comes back, and has a
 * text. */
static void compilers_words(void **state) {
    (void)state;
    FILE *file = fopen("tests/vectors/ptxas.words", "r");
    assert_non_null(file);
    char line[256], text[256];
    unsigned count = 0, operand;
    while (fgets(line, sizeof line, file)) {
        fhec_word word;
        struct fh_inst inst;
        if (*line == '#')
            continue;
        assert_int_equal(sscanf(line, "%16" SCNx64 "%16" SCNx64, &word.hi, &word.lo), 2);
        if (!fh_decode(word, &inst))
            fail_msg("no instruction: %s", line);
        if (fh_inst_check(&inst, &operand) != FH_FINE)
            fail_msg("operand %u does not fit: %s", operand, line);
        fhec_word again = fh_encode(&inst);
        if (!same_word(again, word))
            fail_msg("encoded as 0x%016" PRIx64 "%016" PRIx64 ": %s", again.hi, again.lo, line);
        assert_true(fh_print(&inst, 0, 0, text, sizeof text) > 0);
        count++;
    }
    fclose(file);
    print_message("# %u words\n", count);
    assert_true(count > 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_round_trips), cmocka_unit_test(every_modifier_value),
        cmocka_unit_test(one_bit_wrong),          cmocka_unit_test(random_bits),
        cmocka_unit_test(text_in_small_buffers),  cmocka_unit_test(fields_by_hand),
        cmocka_unit_test(compilers_words),        cmocka_unit_test(fits_by_hand),
        cmocka_unit_test(checks_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
