/*
 * random_plain.c - see random_generator.h: random instructions that are not of kind ctrl.
 */
#include "random_generator.h"

#include <string.h>

#include "isa_names.h"

/* ---------------------------------------------------------------- what instructions need */

static uint8_t *modifier(struct fh_inst *inst, const char *name) {
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        if (strcmp(inst->form->mods[i].name, name) == 0)
            return &inst->mod[i];
    return NULL;
}

/* Bytes of a load or store per lane, or more where it does not matter. */
static uint32_t access_bytes(struct fh_inst *inst) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    const char *root = fh_insns[inst->form->insn].root;
    const uint8_t *size = modifier(inst, "size");
    if (!size || (strncmp(root, "LD", 2) != 0 && strncmp(root, "ST", 2) != 0))
        return 16;
    return sizes[*size & 7];
}

/* The register gets offsets into `size` bytes: next to each other, all the same, or any. */
static void offsets(struct random_generator *g, unsigned reg, uint32_t size, uint32_t bytes) {
    uint32_t way = random_below(g, 4);
    if (way == 0 && size > 32 * FHEC_WARP_LANES) {
        text(g, "S2R R%u, SR_LANEID", reg);
        text(g, "IMAD R%u, R%u, 0x%x, RZ", reg, reg, bytes);
    } else if (way == 1) {
        text(g, "MOV R%u, 0x%x", reg, random_below(g, size / 32) * 16);
    } else {
        text(g, "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0, !PT", reg, random_data_register(g),
             (size / 2 - 1) & ~(bytes - 1));
    }
}

/* The pair that starts at `pair` becomes an address of the space, or an offset into it; `narrow`:
 * an offset into global memory. */
static void address(struct random_generator *g, unsigned pair, enum emu_space space, bool narrow,
                    unsigned shift, uint32_t bytes) {
    static const uint32_t sizes[] = {RP_GLOBAL, RP_SHARED, RP_LOCAL, RP_GLOBAL};
    static const uint32_t windows[] = {0x160, 0x18, 0x20};
    uint32_t window = space == EMU_GENERIC ? windows[random_below(g, 3)] : 0x160;
    uint32_t size = window == 0x18 ? RP_SHARED : window == 0x20 ? RP_LOCAL : sizes[space];
    bool wide = (space == EMU_GLOBAL || space == EMU_GENERIC) && !narrow;
    unsigned offset = wide ? 36 : pair;
    offsets(g, offset, size, bytes);
    if (shift)
        text(g, "SHF.R.U32.HI R%u, RZ, 0x%x, R%u", offset, shift, offset);
    if (!wide)
        return;
    text(g, "MOV R37, 0x1");
    text(g, "IMAD.WIDE.U32 R%u, R36, R37, c[0x0][0x%x]", pair, window);
}

/* Makes the address operand i, in the pair of registers, lead into memory. */
static void aim(struct random_generator *g, struct fh_inst *inst, unsigned i, unsigned pair) {
    struct fh_operand *o = &inst->op[i];
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    enum emu_space space = emu_space_of(inst->form->insn, i);
    bool wide = space == EMU_GLOBAL || space == EMU_GENERIC;
    uint8_t *extended = modifier(inst, "E");
    if (extended)
        *extended = 1;
    bool narrow = space == EMU_GLOBAL && spec->wide.pieces && o->has_ureg && emu_once_in(g->rng, 3);
    o->wide = wide && spec->wide.pieces && !narrow;
    o->desc = spec->desc.pieces && !narrow && emu_once_in(g->rng, 2);
    o->reg = (uint8_t)pair;
    o->value = random_below(g, 4) * 16;
    address(g, pair, space, narrow, o->scale ? o->scale + 1u : 0, access_bytes(inst));
    if (!o->has_ureg || spec->ureg_next)
        return;
    o->ureg = o->desc || (!narrow && emu_once_in(g->rng, 3)) ? FH_URZ : 30;
    if (narrow) {
        o->ureg = 30;
        text(g, "ULDC.64 UR30, c[0x0][0x160]");
    } else if (o->ureg == 30) {
        text(g, "UMOV UR30, 0x%x", random_below(g, 4) * 16);
        text(g, "UMOV UR31, URZ");
    }
}

/* An index into the parameters for a load from a constant bank. */
static void aim_constant(struct random_generator *g, struct fh_operand *o) {
    o->bank = 0;
    o->value = 0x160;
    if (o->has_ureg) {
        o->ureg = 30;
        text(g, "UMOV UR30, 0x%x", random_below(g, 32) * 8);
    } else if (o->indexed) {
        o->reg = 36;
        text(g, "LOP3.LUT R36, R%u, 0xf8, RZ, 0xc0, !PT", random_data_register(g));
    }
}

static uint32_t some_modulus(struct random_generator *g) {
    uint32_t q = emu_once_in(g->rng, 3) ? emu_value(g->rng) : UINT32_MAX >> random_below(g, 6);
    return q < 2 ? 3 : q;
}

/* FHEC's modulus descriptor, in four registers. */
static void descriptor(struct random_generator *g, const char *move, unsigned first) {
    uint32_t words[4];
    emu_descriptor(g->rng, false, words);
    for (unsigned k = 0; k < 4; k++)
        text(g, "%s%u, 0x%x", move, first + k, words[k]);
}

static void give_modulus(struct random_generator *g, struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        struct fh_operand *o = &inst->op[i];
        if (strcmp(inst->form->operands[i].name, "M") != 0)
            continue;
        if (inst->form->insn == FH_INSN_FHEC) {
            o->reg = 24;
            descriptor(g, "UMOV UR", 24);
        } else if (inst->form->insn == FH_INSN_FHEC_MIX) {
            o->reg = 40;
            descriptor(g, "MOV R", 40);
        } else if (o->kind == FH_K_REG && !emu_once_in(g->rng, 8)) {
            o->reg = 38;
            text(g, "MOV R38, 0x%x", some_modulus(g));
            text(g, "MOV R39, 0x%x", emu_value(g->rng));
        } else if (o->kind == FH_K_UREG) {
            o->reg = 30;
            text(g, "UMOV UR30, 0x%x", some_modulus(g));
            text(g, "UMOV UR31, 0x%x", emu_value(g->rng));
        }
    }
}

/* ---------------------------------------------------------------- plain instructions */

/* All lanes of every warp are known to be here together. */
static bool together(const struct random_generator *g) {
    return g->depth == 0 && g->level == 0 && !g->exited && g->threads % FHEC_WARP_LANES == 0;
}

/* Forms that the structure writes itself, or not now. */
static bool unwanted(const struct random_generator *g, const struct fh_form *form) {
    const struct fh_insn *insn = &fh_insns[form->insn];
    bool whole = insn->kind == FH_KIND_MATRIX || form->insn == FH_INSN_LDSM;
    return insn->kind == FH_KIND_CTRL || insn->unsupported || form->insn == FH_INSN_BMOV_RUN ||
           (whole && !together(g));
}

/* Barriers that the structure has are not for others. */
static void keep_barriers(struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->op[i].kind == FH_K_BARRIER)
            inst->op[i].reg |= 8;
}

void random_plain(struct random_generator *g) {
    struct fh_inst inst;
    unsigned operand;
    const struct fh_form *form;
    do {
        do
            form = &fh_forms[random_below(g, fh_form_count)];
        while (unwanted(g, form));
        emu_random_inst(g->rng, form, &inst);
        keep_barriers(&inst);
    } while (fh_inst_check(&inst, &operand) != FH_FINE);
    const uint8_t kind = fh_insns[form->insn].kind;
    unsigned pair = 32;
    for (unsigned i = 0; i < form->operand_count; i++) {
        if (inst.op[i].kind == FH_K_ADDR) {
            aim(g, &inst, i, pair);
            pair += 2;
        } else if (inst.op[i].kind == FH_K_CONST && fh_loads_constant(&inst)) {
            aim_constant(g, &inst.op[i]);
        } else if (inst.op[i].kind == FH_K_CONST) {
            inst.op[i].bank = 0;
            inst.op[i].value = 0x160 + random_below(g, RP_PARAMS / 8) * 8;
        }
    }
    give_modulus(g, &inst);
    if (kind == FH_KIND_MATRIX || form->insn == FH_INSN_LDSM) {
        inst.guard = FH_PT;
        inst.guard_neg = false;
    }
    g->items[g->count] = (struct random_item){.word = fh_encode(&inst), .label = -1};
    g->count++;
}
