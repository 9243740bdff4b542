/*
 * emu_random.c - see emu_random.h.
 */
#include "emu_random.h"

#include <stdlib.h>
#include <string.h>

#include "isa_names.h"

uint64_t emu_next(struct emu_rng *rng) {
    rng->state ^= rng->state >> 12;
    rng->state ^= rng->state << 25;
    rng->state ^= rng->state >> 27;
    return rng->state * UINT64_C(0x2545f4914f6cdd1d);
}

uint32_t emu_below(struct emu_rng *rng, uint32_t n) {
    return (uint32_t)((emu_next(rng) >> 32) * n >> 32);
}

bool emu_once_in(struct emu_rng *rng, uint32_t n) {
    return emu_below(rng, n) == 0;
}

uint32_t emu_value(struct emu_rng *rng) {
    uint32_t any = (uint32_t)(emu_next(rng) >> 16);
    static const uint32_t exponents[] = {0x00000000, 0x7f800000, 0x3f800000, 0x00800000,
                                         0x7f000000, 0x7ff00000, 0x00007c00, 0x7c007c00};
    switch (emu_below(rng, 9)) {
    case 8: /* floating point numbers of all formats, at the ends of their ranges */
        return (any & 0x800f83ff) | (exponents[any >> 16 & 7] & ~(any >> 31 << 10));
    case 0: return 0;
    case 1: return UINT32_MAX;
    case 2: return any & 63;
    case 3: return 0u - (any & 63);
    case 4: return 1u << (any & 31);
    case 5: return (1u << (any & 31)) - 1;
    case 6: return 0x80000000u + (any & 3) - 1;
    default: return any;
    }
}

uint64_t emu_setting(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

static uint8_t random_register(struct emu_rng *rng, unsigned count, unsigned align) {
    if (emu_once_in(rng, 10))
        return FH_RZ;
    /* Few registers, so that operands overlap; sometimes the last ones. */
    uint32_t reg = emu_once_in(rng, 12) ? 256 - 12 + emu_below(rng, 11) : emu_below(rng, 24);
    if (!emu_once_in(rng, 64)) {
        reg -= reg % align;
        while (reg + count > FH_RZ)
            reg -= align;
    }
    return (uint8_t)reg;
}

static uint8_t random_uniform(struct emu_rng *rng, unsigned count, unsigned align) {
    if (emu_once_in(rng, 10))
        return FH_URZ;
    uint32_t reg = emu_once_in(rng, 12) ? 64 - 8 + emu_below(rng, 7) : emu_below(rng, 16);
    if (!emu_once_in(rng, 64)) {
        reg -= reg % align;
        while (reg + count > FH_URZ)
            reg -= align;
    }
    return (uint8_t)reg;
}

/* A value that fits the field: any bits of it, or few. */
static int64_t random_field(struct emu_rng *rng, const struct fh_field *field) {
    fhec_word word = {emu_next(rng), emu_next(rng)};
    if (emu_once_in(rng, 3))
        word = (fhec_word){0, 0};
    if (emu_once_in(rng, 3)) {
        fh_field_set(field, &word, (uint64_t)(int64_t)(int32_t)emu_value(rng) << field->shift);
    }
    return (int64_t)fh_field_get(field, word);
}

static void random_operand(struct emu_rng *rng, struct fh_inst *inst, unsigned i) {
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    struct fh_operand *o = &inst->op[i];
    unsigned count = fh_operand_registers(inst, i), align = fh_operand_alignment(inst, i);
    o->kind = spec->kind;
    if (spec->present && !spec->present(inst)) {
        *o = spec->fallback;
        o->kind = spec->kind;
        return;
    }
    if (spec->neg.pieces)
        o->neg = emu_once_in(rng, 2);
    if (spec->abs.pieces)
        o->abs = emu_once_in(rng, 2);
    switch (spec->kind) {
    case FH_K_REG: o->reg = random_register(rng, count, align); break;
    case FH_K_UREG: o->reg = random_uniform(rng, count, align); break;
    case FH_K_PRED:
    case FH_K_UPRED: o->reg = (uint8_t)emu_below(rng, 8); break;
    case FH_K_BARRIER: o->reg = (uint8_t)emu_below(rng, 16); break;
    case FH_K_SREG: {
        uint32_t n = emu_below(rng, fh_special_register_count);
        o->value = fh_special_registers[n].value;
        break;
    }
    case FH_K_CONST:
        o->reg = spec->reg.pieces ? random_register(rng, 1, 1) : FH_RZ;
        o->has_ureg = spec->ureg.pieces != 0;
        o->ureg = o->has_ureg ? random_uniform(rng, 1, 1) : FH_URZ;
        o->indexed = o->has_ureg || o->reg != FH_RZ;
        o->bank = emu_once_in(rng, 16) ? (uint8_t)emu_below(rng, 8) : 0;
        o->value = emu_once_in(rng, 16) ? random_field(rng, &spec->value)
                                        : (int64_t)emu_below(rng, 0x180 / 8) * 8;
        break;
    case FH_K_ADDR:
        o->wide = spec->wide.pieces && !emu_once_in(rng, 8);
        o->reg = random_register(rng, 2, 2);
        o->scale = spec->scale.pieces ? (uint8_t)emu_below(rng, 4) : 0;
        o->has_ureg = spec->ureg.pieces != 0;
        o->ureg = o->has_ureg ? random_uniform(rng, 2, 2) : FH_URZ;
        o->desc = spec->desc.pieces && emu_once_in(rng, 2);
        o->value = emu_once_in(rng, 4) ? 0 : (int64_t)emu_below(rng, 64) * 4 - 128;
        break;
    default:
        if (spec->value.pieces)
            o->value = random_field(rng, &spec->value);
        break;
    }
}

void emu_random_inst(struct emu_rng *rng, const struct fh_form *form, struct fh_inst *inst) {
    memset(inst, 0, sizeof *inst);
    inst->form = form;
    inst->guard = emu_once_in(rng, 3) ? (uint8_t)emu_below(rng, 8) : FH_PT;
    inst->guard_neg = inst->guard != FH_PT && emu_once_in(rng, 2);
    for (unsigned i = 0; i < form->mod_count; i++) {
        const struct fh_mod_spec *mod = &form->mods[i];
        if (mod->field.pieces && mod->value_count)
            inst->mod[i] = mod->values[emu_below(rng, mod->value_count)].value;
    }
    for (unsigned i = 0; i < form->operand_count; i++)
        random_operand(rng, inst, i);
}

enum emu_space emu_space_of(uint16_t insn, unsigned i) {
    if (insn == FH_INSN_LDGSTS)
        return i == FH_LDGSTS_from ? EMU_GLOBAL : EMU_SHARED;
    switch (fh_insns[insn].accesses) {
    case FH_ACCESSES_GLOBAL: return EMU_GLOBAL;
    case FH_ACCESSES_SHARED: return EMU_SHARED;
    case FH_ACCESSES_LOCAL: return EMU_LOCAL;
    case FH_ACCESSES_GENERIC: return EMU_GENERIC;
    default: return insn == FH_INSN_QSPC || insn == FH_INSN_CCTL ? EMU_GENERIC : EMU_SHARED;
    }
}

void emu_descriptor(struct emu_rng *rng, bool wrong, uint32_t words[4]) {
    uint32_t q = emu_once_in(rng, 3) ? emu_value(rng) : UINT32_MAX >> emu_below(rng, 5);
    if (!wrong && q < 2)
        q = 3;
    uint64_t mu = q ? (uint64_t)(((unsigned __int128)1 << 64) / (q < 2 ? 2 : q)) : 0;
    if (wrong && emu_once_in(rng, 6))
        mu = emu_next(rng) >> emu_below(rng, 64);
    words[0] = q;
    words[1] = emu_value(rng);
    words[2] = (uint32_t)mu;
    words[3] = (uint32_t)(mu >> 32);
}
