/*
 * asm_roundtrip_test.c - words with random field values, printed and assembled again, for every
 * form of the instruction set: the text must give back the word, control prefix included.
 */
#include "asm_util.h"
#include "fuzz.h"

#include <inttypes.h>

enum { ROUNDS = 60, SEED = 20260 };

/* xorshift64*: the tests' own numbers, the same on every machine. */
static uint64_t next(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Half of the values are at the edges of what a field can hold. */
static uint64_t some_value(uint64_t *state) {
    uint64_t r = next(state);
    switch (r >> 61) {
    case 0: return 0;
    case 1: return ~UINT64_C(0);
    case 2: return UINT64_C(1) << (r & 31);
    case 3: return r & 7;
    default: return r >> 3;
    }
}

static bool random_word(const struct fh_form *form, uint64_t *state, struct fh_inst *inst) {
    fhec_word word = form->fixed_value;
    for (unsigned i = 0; i < form->mod_count; i++) {
        const struct fh_mod_spec *mod = &form->mods[i];
        uint32_t value = mod->hidden ? mod->fallback : 0;
        if (!mod->hidden && mod->value_count)
            value = mod->values[next(state) % mod->value_count].value;
        fh_field_set(&mod->field, &word, value);
    }
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct fh_operand_spec *spec = &form->operands[i];
        const struct fh_field *fields[] = {&spec->reg,  &spec->value, &spec->neg,
                                           &spec->abs,  &spec->bank,  &spec->scale,
                                           &spec->ureg, &spec->wide,  &spec->desc};
        bool fallback = spec->has_fallback && next(state) % 2;
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
            fh_field_set(fields[f], &word, some_value(state));
        if (fallback || (spec->present && next(state) % 2)) {
            fh_field_set(&spec->reg, &word, spec->fallback.reg);
            fh_field_set(&spec->neg, &word, spec->fallback.neg);
            fh_field_set(&spec->value, &word, (uint64_t)spec->fallback.value);
        }
        /* Aligned registers, or most would be refused. */
        if (spec->kind == FH_K_REG || spec->kind == FH_K_UREG)
            fh_field_set(&spec->reg, &word, next(state) % 15 * 4);
    }
    word.lo = (word.lo & ~UINT64_C(0xf000)) | (next(state) & 0xf000);
    if (!fh_decode(word, inst))
        return false;
    uint64_t r = next(state);
    inst->sched = (struct fh_sched){.stall = r & 15,
                                    .yield = r >> 4 & 1,
                                    .write_barrier = (uint8_t)(r >> 5 & 7),
                                    .read_barrier = (uint8_t)(r >> 8 & 7),
                                    .wait_mask = (uint8_t)(r >> 11 & 63)};
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->form->operands[i].reuse_bit)
            inst->op[i].reuse = next(state) & 1;
    fuzz_settle(inst);
    unsigned operand;
    return fh_inst_check(inst, &operand) == FH_FINE;
}

static void check_one(const struct fh_form *form, const struct fh_inst *inst, unsigned round) {
    char text[256], line[272];
    uint64_t pc = (uint64_t)round * 0x1230;
    fhec_word word = fh_encode(inst), again = {0};
    (void)fh_print(inst, pc, FHEC_DIS_CONTROL, text, sizeof text);
    (void)snprintf(line, sizeof line, "%s ;", text);
    struct said said = {0};
    struct fh_inst back;
    fhec_status status = fh_assemble_line(line, pc, hear, &said, &back);
    if (status == FHEC_OK)
        again = fh_encode(&back);
    if (status == FHEC_OK && again.lo == word.lo && again.hi == word.hi)
        return;
    fail_msg("seed %d, form %s.%s, round %u, pc 0x%" PRIx64 ": %s\n  word %016" PRIx64 "%016" PRIx64
             "\n  back %016" PRIx64 "%016" PRIx64 " %s",
             SEED, fh_insns[form->insn].name, form->name, round, pc, line, word.hi, word.lo,
             again.hi, again.lo, said.count ? said.d[0].message : "");
}

static void every_form_comes_back(void **state) {
    (void)state;
    uint64_t random = SEED;
    unsigned total = 0;
    for (unsigned f = 0; f < fh_form_count; f++) {
        unsigned done = 0;
        for (unsigned round = 0; round < ROUNDS * 20 && done < ROUNDS; round++) {
            struct fh_inst inst;
            if (!random_word(&fh_forms[f], &random, &inst))
                continue;
            check_one(inst.form, &inst, round);
            done++;
        }
        if (done == 0)
            fail_msg("seed %d: no good word of form %s.%s was found", SEED,
                     fh_insns[fh_forms[f].insn].name, fh_forms[f].name);
        total += done;
    }
    print_message("# %u words of %u forms\n", total, fh_form_count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
