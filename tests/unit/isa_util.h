/*
 * isa_util.h - what the tests of isa_spec/ share: random words of a form, and naming a failure.
 */
#ifndef FH_TESTS_ISA_UTIL_H
#define FH_TESTS_ISA_UTIL_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct random {
    uint64_t seed, state;
};

static inline uint64_t next_random(struct random *r) {
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline const char *insn_name(const struct fh_form *form) {
    return fh_insns[form->insn].name;
}

static inline void set_fallback(const struct fh_operand_spec *spec, fhec_word *word) {
    fh_field_set(&spec->reg, word, spec->fallback.reg);
    fh_field_set(&spec->value, word, (uint64_t)spec->fallback.value);
    fh_field_set(&spec->neg, word, spec->fallback.neg);
}

/* A word of `form` with random bits wherever the form leaves them free: modifiers have one of
 * their values, operands that the modifiers do not call for their default. */
static inline fhec_word random_word(const struct fh_form *form, struct random *r) {
    fhec_word word = {form->fixed_value.lo | (next_random(r) & ~form->fixed_mask.lo),
                      form->fixed_value.hi | (next_random(r) & ~form->fixed_mask.hi)};
    struct fh_inst inst = {.form = form};
    for (unsigned i = 0; i < form->mod_count; i++) {
        const struct fh_mod_spec *mod = &form->mods[i];
        if (!mod->field.pieces || !mod->value_count)
            continue;
        inst.mod[i] = mod->values[next_random(r) % mod->value_count].value;
        fh_field_set(&mod->field, &word, inst.mod[i]);
    }
    for (unsigned i = 0; i < form->operand_count; i++) {
        const struct fh_operand_spec *spec = &form->operands[i];
        if (!fh_operand_present(&inst, i))
            set_fallback(spec, &word);
        if (spec->part.pieces)
            fh_field_set(&spec->part, &word, spec->parts[next_random(r) % spec->part_count].value);
        if (spec->kind == FH_K_SREG)
            fh_field_set(&spec->value, &word,
                         fh_special_registers[next_random(r) % fh_special_register_count].value);
    }
    return word;
}

static inline bool same_word(fhec_word a, fhec_word b) {
    return a.lo == b.lo && a.hi == b.hi;
}

static inline bool same_operand(const struct fh_operand *a, const struct fh_operand *b) {
    return a->kind == b->kind && a->neg == b->neg && a->abs == b->abs && a->reuse == b->reuse &&
           a->reg == b->reg && a->indexed == b->indexed && a->bank == b->bank &&
           a->scale == b->scale && a->ureg == b->ureg && a->has_ureg == b->has_ureg &&
           a->wide == b->wide && a->desc == b->desc && a->part == b->part && a->value == b->value;
}

static inline bool same_inst(const struct fh_inst *a, const struct fh_inst *b) {
    bool same = a->form == b->form && a->guard == b->guard && a->guard_neg == b->guard_neg &&
                a->show_desc == b->show_desc && a->sched.stall == b->sched.stall &&
                a->sched.yield == b->sched.yield && a->sched.reuse == b->sched.reuse &&
                a->sched.write_barrier == b->sched.write_barrier &&
                a->sched.read_barrier == b->sched.read_barrier &&
                a->sched.wait_mask == b->sched.wait_mask;
    for (unsigned i = 0; same && i < a->form->mod_count; i++)
        same = a->mod[i] == b->mod[i];
    for (unsigned i = 0; same && i < a->form->operand_count; i++)
        same = same_operand(&a->op[i], &b->op[i]);
    return same;
}

#endif
