/*
 * What op_template.h makes of a word is what fh_image_decode makes of it: random words of every
 * form, and for each of them others that differ from it in a few random bits or in all bits that a
 * template leaves open, at every engine and SIMD level.
 */
#include "decode.h"
#include "emu_util.h"
#include "engine_levels.h"
#include "isa_names.h"
#include "isa_util.h"
#include "machine.h"
#include "op_template.h"
#include "program.h"
#include "state.h"

enum { WORDS = 60, VARIANTS = 24, SEED = 77 };

struct decoding {
    struct fh_image image;
    struct fh_inst inst;
    struct fh_op op;
};

static void check_same(const struct decoding *copied, const struct decoding *decoded,
                       const char *level, fhec_word word) {
    struct fh_op a = copied->op, b = decoded->op;
    const bool same =
        copied->image.rows == decoded->image.rows && same_inst(&copied->inst, &decoded->inst);
    assert_ptr_equal(a.inst, &copied->inst);
    assert_ptr_equal(b.inst, &decoded->inst);
    a.inst = b.inst = NULL;
    if (!same || memcmp(&a, &b, sizeof a) != 0)
        fail_msg("%s: %s form %s: the word 0x%016" PRIx64 "%016" PRIx64, level,
                 insn_name(decoded->inst.form), decoded->inst.form->name, word.hi, word.lo);
}

/* The word with registers that are fit for pairs and groups of four, where most forms have them;
 * C, in the high half, only if wanted. */
static fhec_word aligned(fhec_word word, bool but_c) {
    return (fhec_word){word.lo & ~UINT64_C(0x0000000303030000),
                       word.hi & ~(but_c ? 0 : UINT64_C(3))};
}

/* Another word: it differs where most forms have registers, immediates and scheduling, and half the
 * time in a bit anywhere. Registers are RZ more often than by chance. */
static fhec_word variant(fhec_word word, struct random *r) {
    const uint64_t choice = next_random(r);
    for (unsigned byte = 2; byte < 8; byte++)
        if (choice >> 32 >> byte & 1)
            word.lo ^= (next_random(r) & 0xff) << 8 * byte;
    word.hi ^= next_random(r) & UINT64_C(0x03fffe0000000000);
    word.hi ^= choice & 4 ? 0 : next_random(r) & 0xff;
    word.lo |= choice & 0x70 ? 0 : UINT64_C(0xff) << 24;
    word.lo |= choice & 0x380 ? 0 : UINT64_C(0xff) << 32;
    word.hi |= choice & 0x7004 ? 0 : 0xff;
    word = choice >> 20 & 1 ? aligned(word, choice & 4) : word;
    const uint64_t bit = UINT64_C(1) << (choice >> 40) % 64;
    word.lo ^= choice >> 48 & 3 ? 0 : bit;
    word.hi ^= choice >> 50 & 3 ? 0 : bit;
    return word;
}

static unsigned check_word(const struct fh_image *image, const struct level *level, fhec_word word,
                           struct random *r) {
    static struct fh_op_templates templates;
    static struct decoding first, copied, decoded;
    unsigned count = 0;
    fh_op_templates_begin(&templates);
    first.image = *image;
    fh_image_decode(&first.image, &level->engine, word, 0, &first.inst, &first.op);
    fh_op_template_learn(&templates, image, word, &first.op);
    for (unsigned i = 0; i < VARIANTS; i++) {
        const fhec_word other = variant(word, r);
        copied.image = decoded.image = *image;
        if (!fh_op_template_decode(&templates, &copied.image, other, 16 * i, &copied.inst,
                                   &copied.op))
            continue;
        fh_image_decode(&decoded.image, &level->engine, other, 16 * i, &decoded.inst, &decoded.op);
        check_same(&copied, &decoded, level->name, other);
        count++;
    }
    return count;
}

/* Instructions that unrolled kernels consist of get templates; random constants are mostly outside
 * their banks, and so those that have one. */
static bool is_expected(uint16_t insn) {
    return insn == FH_INSN_IADD3 || insn == FH_INSN_IMAD || insn == FH_INSN_IMAD_WIDE ||
           insn == FH_INSN_LOP3 || insn == FH_INSN_ISETP || insn == FH_INSN_SHF ||
           insn == FH_INSN_LDG || insn == FH_INSN_STG || insn == FH_INSN_LDS ||
           insn == FH_INSN_STS || insn == FH_INSN_FFMA || insn == FH_INSN_DFMA;
}

static void check_level(struct fh_image *image, const struct level *level) {
    struct random r = {.seed = SEED, .state = SEED};
    for (unsigned id = 0; id < fh_form_count; id++) {
        const struct fh_form *form = &fh_forms[id];
        const unsigned words = is_expected(form->insn) ? 4 * WORDS : WORDS;
        unsigned copied = 0;
        for (unsigned i = 0; i < words; i++) {
            const fhec_word word = random_word(form, &r);
            copied += check_word(image, level, word, &r);
            copied += check_word(image, level, aligned(word, false), &r);
        }
        if (is_expected(form->insn) && !form->has_constant && copied == 0)
            fail_msg("%s: no template for %s form %s", level->name, insn_name(form), form->name);
    }
}

static void copies_are_what_decoding_makes(void **state) {
    (void)state;
    static const uint64_t params[4] = {1, 2, 3, 4};
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param p, 32\n"
                                         "EXIT ;\n.end\n");
    const fhec_launch launch = {.program = program,
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params};
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_state *s;
    assert_int_equal(fh_state_new(machine, &launch, &s), FHEC_OK);
    struct level all[LEVELS];
    const size_t count = levels(all);
    s->image.rows = 0;
    for (size_t i = 0; i < count; i++)
        for (program->kernels[0].registers = 0; program->kernels[0].registers <= 128;
             program->kernels[0].registers += 128)
            check_level(&s->image, &all[i]);
    fh_state_free(s);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

/* An immediate move among additions, whose result is known when it is decoded: a template of the
 * one is none of the other. */
static void constants_are_no_templates(void **state) {
    (void)state;
    uint32_t out[32];
    emu_text(".target sm_80\n.kernel K\n.param out, 8\nS2R R0, SR_TID.X ;\n"
             "IADD3 R1, R0, 0x5, RZ ;\nIADD3 R2, RZ, 0x6, RZ ;\nIADD3 R3, R0, 0x7, RZ ;\n"
             "IADD3 R4, R1, R2, R3 ;\nMOV R6, 0x4 ;\nIMAD.WIDE.U32 R6, R0, R6, out ;\n"
             "STG.E [R6.64], R4 ;\nEXIT ;\n.end\n",
             32, out, 32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(out[i], 2 * i + 18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_what_decoding_makes),
        cmocka_unit_test(constants_are_no_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
