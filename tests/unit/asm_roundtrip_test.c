/*
 * asm_roundtrip_test.c - the disassembler's text gives back the word that it was made from: random
 * words of every form, single and as whole programs. FHEC_WORDS=N in the environment tries about N
 * words (default 40,000).
 */
#include "asm_util.h"
#include "isa_util.h"
#include "sched_fields.h"

enum { SEED = 20260, WORDS = 40000 };

static unsigned words_per_form(void) {
    const char *asked = getenv("FHEC_WORDS");
    unsigned long words = asked ? strtoul(asked, NULL, 10) : WORDS;
    return (unsigned)(words / fh_form_count) + 1;
}

/* What random bits seldom are: no base register, no uniform one, no offset, aligned registers. */
static void make_likely(const struct fh_form *form, struct random *r, fhec_word *word) {
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct fh_operand_spec *spec = &form->operands[i];
        uint64_t dice = next_random(r);
        bool memory = spec->kind == FH_K_ADDR || spec->kind == FH_K_CONST;
        if (memory && (dice & 7) < 3)
            fh_field_set(&spec->reg, word, FH_RZ);
        if (memory && (dice >> 3 & 7) < 2)
            fh_field_set(&spec->ureg, word, FH_URZ);
        if (spec->kind != FH_K_IMM && (dice >> 6 & 7) < 2)
            fh_field_set(&spec->value, word, 0);
        if ((spec->kind == FH_K_REG || spec->kind == FH_K_UREG) && (dice >> 9 & 7) < 6)
            fh_field_set(&spec->reg, word, (dice >> 12) % 15 * 4);
    }
    if (next_random(r) %
        4) { /* reuse flags and scoreboards that mean something in any instruction */
        struct fh_sched sched;
        fh_sched_get(*word, &sched);
        sched.read_barrier = 7;
        sched.write_barrier %= 6;
        word->hi &= ~(UINT64_C(7) << 58);
        sched.reuse = 0;
        fh_sched_set(word, &sched);
    }
}

/* A word of the form that decodes, as that form or a more special one. */
static fhec_word likely_word(const struct fh_form *form, struct random *r) {
    struct fh_inst inst;
    for (;;) {
        fhec_word word = random_word(form, r), likely = word;
        make_likely(form, r, &likely);
        if (fh_decode(likely, &inst))
            return likely;
        if (fh_decode(word, &inst))
            return word;
    }
}

/* Whether it is a text of its own, and not the word in numbers. */
static bool check_word(const struct fh_form *form, unsigned round, fhec_word word, uint64_t pc) {
    char text[512];
    fhec_word again;
    struct said said = {0};
    (void)fhec_disassemble(word, pc, FHEC_DIS_CONTROL | FHEC_DIS_EXACT, text, sizeof text);
    fhec_status status = fhec_assemble_word(text, pc, hear, &said, &again);
    if (status != FHEC_OK || !same_word(again, word))
        fail_msg("seed %d, form %s.%s, round %u, pc 0x%" PRIx64 ": %s\n  word %016" PRIx64
                 "%016" PRIx64 "\n  back %016" PRIx64 "%016" PRIx64 " %s",
                 SEED, insn_name(form), form->name, round, pc, text, word.hi, word.lo, again.hi,
                 again.lo, said.count ? said.d[0].message : "");
    return text[0] != '.';
}

static void every_form_comes_back(void **state) {
    (void)state;
    struct random r = {SEED, SEED};
    unsigned total = 0, texts = 0;
    for (unsigned f = 0; f < fh_form_count; f++) {
        unsigned of_form = 0, rounds = words_per_form();
        for (unsigned round = 0; round < rounds; round++) {
            fhec_word word = likely_word(&fh_forms[f], &r);
            uint64_t pc = (next_random(&r) & 0xfffff) * FH_INST_BYTES;
            of_form += check_word(&fh_forms[f], round, word, pc);
        }
        if (of_form == 0)
            fail_msg("seed %d: no word of form %s.%s has a text", SEED, insn_name(&fh_forms[f]),
                     fh_forms[f].name);
        texts += of_form;
        total += rounds;
    }
    print_message("# seed %d: %u words of %u forms, %u as text and %u as .inst\n", SEED, total,
                  fh_form_count, texts, total - texts);
    assert_true(texts > total / 4); /* most texts are to be read, not to be hidden behind .inst */
}

/* ---------------------------------------------------------------- whole programs */

enum { PROGRAM_WORDS = 4000 };

/* A kernel of these words, whose target names no feature, as another tool's object has it. */
static fhec_program *program_of(const fhec_word *words, uint32_t count) {
    fhec_program *p = calloc(1, sizeof *p);
    struct fh_kernel *k = calloc(1, sizeof *k);
    assert_true(p && k);
    k->name = strdup("k");
    k->target = strdup("sm_80");
    k->words = malloc(count * sizeof *words);
    assert_true(k->name && k->target && k->words);
    memcpy(k->words, words, count * sizeof *words);
    k->word_count = count;
    k->registers = 24;
    *p = (fhec_program){.kernels = k, .kernel_count = 1};
    return p;
}

/* Without its scheduling fields, which the assembler fills in if the text does not give them. */
static fhec_word without_control(fhec_word word) {
    word.hi &= (UINT64_C(1) << (105 - 64)) - 1;
    return word;
}

static void check_program(const fhec_program *p, unsigned flags) {
    struct said said = {0};
    char *text;
    size_t length;
    fhec_program *back;
    assert_int_equal(fhec_disassemble_program(p, flags, hear, &said, &text, &length), FHEC_OK);
    assert_int_equal(said.count, 0);
    fhec_status status = assemble(text, &said, &back);
    if (status != FHEC_OK)
        fail_msg("%s %u: %s: %s", said.d[0].id, said.d[0].line, said.d[0].message,
                 said.d[0].source);
    assert_int_equal(back->kernels[0].word_count, p->kernels[0].word_count);
    for (uint32_t w = 0; w < p->kernels[0].word_count; w++) {
        fhec_word was = p->kernels[0].words[w], is = back->kernels[0].words[w];
        bool control = flags & FHEC_DIS_CONTROL;
        if (!same_word(control ? was : without_control(was), control ? is : without_control(is)))
            fail_msg("flags %u, word %u: 0x%016" PRIx64 "%016" PRIx64 " came back as 0x%016" PRIx64
                     "%016" PRIx64,
                     flags, w, was.hi, was.lo, is.hi, is.lo);
    }
    fhec_program_free(back);
    free(text);
}

/* Words of forms side by side; every sixteenth has any bits, and is most likely no instruction. */
static void whole_programs_come_back(void **state) {
    (void)state;
    struct random r = {SEED + 1, SEED + 1};
    static fhec_word words[PROGRAM_WORDS];
    unsigned programs = words_per_form() * fh_form_count / (4 * PROGRAM_WORDS) + 1;
    for (unsigned n = 0; n < programs; n++) {
        for (unsigned w = 0; w < PROGRAM_WORDS; w++) {
            words[w] = likely_word(&fh_forms[next_random(&r) % fh_form_count], &r);
            if (w % 16 == 7)
                words[w] = (fhec_word){next_random(&r), next_random(&r)};
        }
        fhec_program *p = program_of(words, PROGRAM_WORDS);
        check_program(p, FHEC_DIS_CONTROL);
        check_program(p, 0);
        fhec_program_free(p);
    }
    print_message("# seed %d: %u programs of %u words\n", SEED + 1, programs, PROGRAM_WORDS);
}

/* ---------------------------------------------------------------- by hand */

/* What is written as .inst, and why; and what no longer needs it. */
static void words_that_text_cannot_give(void **state) {
    (void)state;
    static const struct {
        fhec_word word;
        const char *text;
    } cases[] = {
        /* write barrier 6; none; two signs; an unaligned pair; .reuse of what is no register */
        {{0x0000000504067210, 0x07ffe0ff | UINT64_C(6) << 46 | UINT64_C(7) << 49},
         ".inst 0x0000000504067210, 0x000f800007ffe0ff // [B------:R-:W6:Y:S00] IADD3 R6, R4, R5, "
         "RZ"},
        {{0x0000000504067210, 0x07ffe0ff | UINT64_C(7) << 46 | UINT64_C(7) << 49},
         "[B------:R-:W-:Y:S00] IADD3 R6, R4, R5, RZ"},
        {{0x8000000504067210, 0x07ffe1ff},
         ".inst 0x8000000504067210, 0x0000000007ffe1ff // [B------:R0:W0:Y:S00] IADD3 R6, -R4, "
         "-R5, "
         "RZ"},
        {{0x0000000504077225, 0x078e0208},
         ".inst 0x0000000504077225, 0x00000000078e0208 // [B------:R0:W0:Y:S00] IMAD.WIDE R7, R4, "
         "R5, R8"},
        {{0x0000000003047381, 0x001e0900},
         ".inst 0x0000000003047381, 0x00000000001e0900 // [B------:R0:W0:Y:S00] LDG.E R4, [R3]"},
        {{0x0000000003047381, 0x001e0800}, "[B------:R0:W0:Y:S00] LDG R4, [R3]"},
        {{0x0000000000457919, UINT64_C(0x1400000000002700)},
         ".inst 0x0000000000457919, 0x1400000000002700 // [B------:R0:W0:Y:S00] S2R R69, "
         "SR_CTAID.Z"},
        /* the width of an address without a base register: that of .E, and the other one */
        {{0x00000004ff020981, 0x0c1e0900}, "[B------:R0:W0:Y:S00] @P0 LDG.E R2, [UR4]"},
        {{0x00000004ff020981, 0x081e0900}, "[B------:R0:W0:Y:S00] @P0 LDG.E R2, [RZ.U32+UR4]"},
        {{0x00000004ff020981, 0x0c1e0800}, "[B------:R0:W0:Y:S00] @P0 LDG R2, [RZ.64+UR4]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[256];
        fhec_word again;
        (void)fhec_disassemble(cases[i].word, 0, FHEC_DIS_CONTROL | FHEC_DIS_EXACT, text,
                               sizeof text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(fhec_assemble_word(text, 0, NULL, NULL, &again), FHEC_OK);
        assert_true(same_word(again, cases[i].word));
    }
    /* without the control prefix its fields do not matter */
    char text[64];
    (void)fhec_disassemble(cases[0].word, 0, FHEC_DIS_EXACT, text, sizeof text);
    assert_string_equal(text, "IADD3 R6, R4, R5, RZ");
    /* the length is that of the whole text, whatever there is room for */
    (void)memset(text, 'x', sizeof text);
    int length = fhec_disassemble(cases[2].word, 0, FHEC_DIS_EXACT, text, 30);
    assert_int_equal(length, strlen(".inst 0x8000000504067210, 0x0000000007ffe1ff // "
                                    "IADD3 R6, -R4, -R5, RZ"));
    assert_string_equal(text, ".inst 0x8000000504067210, 0x0");
    assert_int_equal(fhec_disassemble(cases[2].word, 0, FHEC_DIS_EXACT, NULL, 0), length);
}

/* Words as numbers, one by one. */
static void raw_words_stand_for_themselves(void **state) {
    (void)state;
    fhec_word word;
    struct said said = {0};
    assert_int_equal(fhec_assemble_word(".inst 0x1, 0x2 // what is it?", 0, NULL, NULL, &word),
                     FHEC_OK);
    assert_true(word.lo == 1 && word.hi == 2);
    assert_int_equal(fhec_assemble_word(".inst 0x1, 0x2\nNOP ;", 0, hear, &said, &word),
                     FHEC_BAD_INPUT);
    assert_string_equal(said.d[0].id, "E005");
    assert_int_equal(fhec_assemble_word(".inst 0x1", 0, hear, &said, &word), FHEC_BAD_INPUT);
    assert_int_equal(fhec_assemble_word(".equ a, 0x1", 0, hear, &said, &word), FHEC_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_comes_back),
        cmocka_unit_test(whole_programs_come_back),
        cmocka_unit_test(words_that_text_cannot_give),
        cmocka_unit_test(raw_words_stand_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
