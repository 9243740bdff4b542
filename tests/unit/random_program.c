/*
 * random_program.c - see random_program.h: control flow, and what plain instructions need before
 * them. Lines of text are assembled when the places of all labels are known.
 *
 *     R32:R33  an address          R44..R47  loop counters, by depth
 *     R34:R35  a second one        R48..R55  return addresses, by depth of calls
 *     R36:R37  on the way there    R56:R57   where a branch goes
 *     R38:R39  a modulus           R58 R59   barriers and masks
 *     R40..R43 FHEC.MIX's modulus  UR24..27  FHEC's, UR28:UR29 where a branch goes, UR30:UR31
 *
 * Barriers B0..B7 belong to the structure, by depth; B8..B15 to random instructions.
 */
#include "random_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa_names.h"

enum { MAX_LABELS = 2048, MAX_DEPTH = 3, MAX_CALLS = 4, MAX_FUNCTIONS = 6, TEXT = 80 };

/* An instruction, or the text of one, in which %T stands for the label's address. */
struct item {
    fhec_word word;
    char text[TEXT];
    int label;
};

struct function {
    int label;
    unsigned level; /* of calls: which return address it uses */
    bool lepc;      /* the address is that of the LEPC before the call */
};

struct generator {
    struct emu_rng *rng;
    struct item items[RP_MAX_WORDS];
    uint32_t count, size;
    uint32_t labels[MAX_LABELS]; /* item that it stands before */
    int label_count;
    uint32_t threads, repeat;
    unsigned depth, level; /* of regions in which lanes are apart; of calls */
    bool exited;           /* some lanes may have ended */
    struct function functions[MAX_FUNCTIONS];
    unsigned function_count;
};

/* ---------------------------------------------------------------- emitting */

static uint32_t below(struct generator *g, uint32_t n) {
    return emu_below(g->rng, n);
}

static bool full(const struct generator *g) {
    return g->count + 64 > RP_MAX_WORDS || g->label_count + 16 > MAX_LABELS;
}

static int new_label(struct generator *g) {
    return g->label_count++;
}

static void place(struct generator *g, int label) {
    g->labels[label] = g->count;
}

static void to_label(struct generator *g, int label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void to_label(struct generator *g, int label, const char *format, ...) {
    va_list args;
    assert_true(g->count < RP_MAX_WORDS && g->label_count < MAX_LABELS);
    struct item *item = &g->items[g->count++];
    item->label = label;
    va_start(args, format);
    int length = vsnprintf(item->text, sizeof item->text, format, args);
    va_end(args);
    assert_true(length > 0 && length < TEXT);
}

#define text(g, ...) to_label(g, -1, __VA_ARGS__)

static void resolve(const struct generator *g, uint32_t i, fhec_word *word) {
    const struct item *item = &g->items[i];
    char line[TEXT + 16];
    if (!*item->text) {
        *word = item->word;
        return;
    }
    if (item->label < 0)
        snprintf(line, sizeof line, "%s", item->text);
    else
        snprintf(line, sizeof line, "%s 0x%x", item->text,
                 g->labels[item->label] * (unsigned)FH_INST_BYTES);
    if (fhec_assemble_word(line, (uint64_t)i * FH_INST_BYTES, NULL, NULL, word) != FHEC_OK)
        fail_msg("the generator wrote `%s`, which does not assemble", line);
}

/* Any register that holds data. */
static unsigned data_register(struct generator *g) {
    return emu_once_in(g->rng, 10) ? 244 + below(g, 11) : below(g, 32);
}

/* A guard or condition: "P3", "!P0". */
static const char *predicate(struct generator *g) {
    static const char *const names[] = {"P0",  "P1",  "P2",  "P3",  "P4",  "P5",  "P6",
                                        "!P0", "!P1", "!P2", "!P3", "!P4", "!P5", "!P6"};
    return names[below(g, 14)];
}

/* ---------------------------------------------------------------- what instructions need */

enum space { GLOBAL, SHARED, LOCAL, GENERIC };

static enum space space_of(uint16_t insn, unsigned i) {
    switch (insn) {
    case FH_INSN_LDG:
    case FH_INSN_STG:
    case FH_INSN_ATOMG:
    case FH_INSN_ATOMG_CAS: return GLOBAL;
    case FH_INSN_LDL:
    case FH_INSN_STL: return LOCAL;
    case FH_INSN_LDGSTS: return i == FH_LDGSTS_from ? GLOBAL : SHARED;
    case FH_INSN_LD:
    case FH_INSN_ST:
    case FH_INSN_ATOM:
    case FH_INSN_ATOM_CAS:
    case FH_INSN_ATOM_POPC:
    case FH_INSN_ATOM_ARRIVE:
    case FH_INSN_RED:
    case FH_INSN_QSPC:
    case FH_INSN_CCTL: return GENERIC;
    default: return SHARED;
    }
}

static uint32_t *modifier(struct fh_inst *inst, const char *name) {
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        if (strcmp(inst->form->mods[i].name, name) == 0)
            return &inst->mod[i];
    return NULL;
}

/* Bytes of a load or store per lane, or more where it does not matter. */
static uint32_t access_bytes(const struct fh_inst *inst) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    const struct fh_insn *insn = &fh_insns[inst->form->insn];
    if (strncmp(insn->root, "LD", 2) != 0 && strncmp(insn->root, "ST", 2) != 0)
        return 16;
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        if (strcmp(inst->form->mods[i].name, "size") == 0)
            return sizes[inst->mod[i] & 7];
    return 16;
}

/* The register gets offsets into `size` bytes: next to each other, all the same, or any. */
static void offsets(struct generator *g, unsigned reg, uint32_t size, uint32_t bytes) {
    uint32_t way = below(g, 4);
    if (way == 0 && size > 32 * FHEC_WARP_LANES) {
        text(g, "S2R R%u, SR_LANEID", reg);
        text(g, "IMAD R%u, R%u, 0x%x, RZ", reg, reg, bytes);
    } else if (way == 1) {
        text(g, "MOV R%u, 0x%x", reg, below(g, size / 32) * 16);
    } else {
        text(g, "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0, !PT", reg, data_register(g),
             (size / 2 - 1) & ~(bytes - 1));
    }
}

/* The pair that starts at `pair` becomes an address of the space, or an offset into it; `narrow`:
 * an offset into global memory. */
static void address(struct generator *g, unsigned pair, enum space space, bool narrow,
                    unsigned shift, uint32_t bytes) {
    static const uint32_t sizes[] = {RP_GLOBAL, RP_SHARED, RP_LOCAL, RP_GLOBAL};
    static const uint32_t windows[] = {0x160, 0x18, 0x20};
    uint32_t window = space == GENERIC ? windows[below(g, 3)] : 0x160;
    uint32_t size = window == 0x18 ? RP_SHARED : window == 0x20 ? RP_LOCAL : sizes[space];
    bool wide = (space == GLOBAL || space == GENERIC) && !narrow;
    unsigned offset = wide ? 36 : pair;
    offsets(g, offset, size, bytes);
    if (shift)
        text(g, "SHF.R.U32.HI R%u, RZ, 0x%x, R%u", offset, shift, offset);
    if (!wide)
        return;
    text(g, "MOV R37, 0x1");
    text(g, "IMAD.WIDE.U32 R%u, R36, R37, c[0x0][0x%x]", pair, window);
}

/* Makes the address operand i lead into memory; once in a while it is left as it is. */
static void aim(struct generator *g, struct fh_inst *inst, unsigned i, unsigned pair) {
    struct fh_operand *o = &inst->op[i];
    const struct fh_operand_spec *spec = &inst->form->operands[i];
    enum space space = space_of(inst->form->insn, i);
    bool wide = space == GLOBAL || space == GENERIC;
    uint32_t *extended = modifier(inst, "E");
    if (extended)
        *extended = 1;
    bool narrow = space == GLOBAL && spec->wide.pieces && o->has_ureg && emu_once_in(g->rng, 3);
    o->wide = wide && spec->wide.pieces && !narrow;
    o->desc = spec->desc.pieces && !narrow && emu_once_in(g->rng, 2);
    o->reg = (uint8_t)pair;
    o->value = below(g, 4) * 16;
    address(g, pair, space, narrow, o->scale ? o->scale + 1u : 0, access_bytes(inst));
    if (!o->has_ureg || spec->ureg_next)
        return;
    o->ureg = o->desc || (!narrow && emu_once_in(g->rng, 3)) ? FH_URZ : 30;
    if (narrow) {
        o->ureg = 30;
        text(g, "ULDC.64 UR30, c[0x0][0x160]");
    } else if (o->ureg == 30) {
        text(g, "UMOV UR30, 0x%x", below(g, 4) * 16);
        text(g, "UMOV UR31, URZ");
    }
}

/* An index into the parameters for a load from a constant bank. */
static void aim_constant(struct generator *g, struct fh_operand *o) {
    o->bank = 0;
    o->value = 0x160;
    if (o->has_ureg) {
        o->ureg = 30;
        text(g, "UMOV UR30, 0x%x", below(g, 32) * 8);
    } else if (o->indexed) {
        o->reg = 36;
        text(g, "LOP3.LUT R36, R%u, 0xf8, RZ, 0xc0, !PT", data_register(g));
    }
}

static uint32_t some_modulus(struct generator *g) {
    uint32_t q = emu_once_in(g->rng, 3) ? emu_value(g->rng) : UINT32_MAX >> below(g, 6);
    return q < 2 ? 3 : q;
}

/* FHEC's modulus descriptor q, any, floor(2^64 / q). */
static void descriptor(struct generator *g, const char *move, unsigned first) {
    uint32_t q = some_modulus(g);
    uint64_t mu = (uint64_t)(((unsigned __int128)1 << 64) / q);
    uint32_t words[4] = {q, emu_value(g->rng), (uint32_t)mu, (uint32_t)(mu >> 32)};
    for (unsigned k = 0; k < 4; k++)
        text(g, "%s%u, 0x%x", move, first + k, words[k]);
}

static void give_modulus(struct generator *g, struct fh_inst *inst) {
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
static bool together(const struct generator *g) {
    return g->depth == 0 && g->level == 0 && !g->exited && g->threads % FHEC_WARP_LANES == 0;
}

/* Forms that the structure writes itself, or not now. */
static bool unwanted(const struct generator *g, const struct fh_form *form) {
    const struct fh_insn *insn = &fh_insns[form->insn];
    bool whole = strcmp(insn->kind, "matrix") == 0 || form->insn == FH_INSN_LDSM;
    return strcmp(insn->kind, "ctrl") == 0 || insn->unsupported || form->insn == FH_INSN_BMOV_RUN ||
           (whole && !together(g));
}

/* Barriers that the structure has are not for others. */
static void keep_barriers(struct fh_inst *inst) {
    for (unsigned i = 0; i < inst->form->operand_count; i++)
        if (inst->op[i].kind == FH_K_BARRIER)
            inst->op[i].reg |= 8;
}

static void plain(struct generator *g) {
    struct fh_inst inst;
    unsigned operand;
    const struct fh_form *form;
    do {
        do
            form = &fh_forms[below(g, fh_form_count)];
        while (unwanted(g, form));
        emu_random_inst(g->rng, form, &inst);
        keep_barriers(&inst);
    } while (fh_inst_check(&inst, &operand) != FH_FINE);
    const char *kind = fh_insns[form->insn].kind;
    bool memory = strcmp(kind, "mem") == 0;
    unsigned pair = 32;
    for (unsigned i = 0; i < form->operand_count; i++) {
        if (inst.op[i].kind == FH_K_ADDR) {
            aim(g, &inst, i, pair);
            pair += 2;
        } else if (inst.op[i].kind == FH_K_CONST && memory) {
            aim_constant(g, &inst.op[i]);
        } else if (inst.op[i].kind == FH_K_CONST) {
            inst.op[i].bank = 0;
            inst.op[i].value = 0x160 + below(g, RP_PARAMS / 8) * 8;
        }
    }
    give_modulus(g, &inst);
    if (strcmp(kind, "matrix") == 0 || form->insn == FH_INSN_LDSM) {
        inst.guard = FH_PT;
        inst.guard_neg = false;
    }
    g->items[g->count] = (struct item){.word = fh_encode(&inst), .label = -1};
    g->count++;
}

/* New numbers, which arithmetic alone would lose in time. */
static void refresh(struct generator *g) {
    if (emu_once_in(g->rng, 2))
        text(g, "MOV R%u, 0x%x", below(g, 32), emu_value(g->rng));
    else
        text(g, "S2R R%u, SR_TID.X", below(g, 32));
}

/* ---------------------------------------------------------------- structure */

static void block(struct generator *g, uint32_t size);

/* The barrier of the region that is about to begin; it ends with `depth` as before. */
static unsigned region(struct generator *g) {
    return g->level * 2 + g->depth++;
}

static void if_else(struct generator *g, uint32_t size) {
    int other = new_label(g), join = new_label(g), end = new_label(g);
    bool warpsync = g->depth == 0 && g->level == 0 && emu_once_in(g->rng, 3);
    unsigned b = region(g);
    if (!warpsync)
        to_label(g, end, "BSSY B%u,", b);
    to_label(g, other, "@%s BRA", predicate(g));
    block(g, size / 2);
    to_label(g, join, "BRA");
    place(g, other);
    block(g, size / 2);
    place(g, join);
    if (!warpsync)
        text(g, "BSYNC B%u", b);
    else if (emu_once_in(g->rng, 2))
        text(g, "WARPSYNC 0xffffffff");
    else
        text(g, "WARPSYNC.EXCLUSIVE R59");
    place(g, end);
    g->depth--;
}

/* Lanes turn as often as their own counter says; with `leave`, some of them break out. */
static void loop(struct generator *g, uint32_t size, bool leave) {
    int top = new_label(g), end = new_label(g), out = new_label(g), behind = new_label(g);
    unsigned outer = leave ? region(g) : 0, b = region(g), counter = 44 + g->depth - 1;
    uint32_t turns = g->depth > 2 ? 1 : g->depth == 1 ? 7 : 3;
    if (leave)
        to_label(g, behind, "BSSY B%u,", outer);
    text(g, "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0, !PT", counter, data_register(g), turns);
    to_label(g, end, "BSSY B%u,", b);
    place(g, top);
    block(g, size);
    if (leave) {
        const char *p = predicate(g);
        text(g, "@%s BREAK B%u", p, b);
        to_label(g, out, "@%s BRA", p);
        block(g, size / 2);
    }
    text(g, "IADD3 R%u, R%u, -0x1, RZ", counter, counter);
    text(g, "ISETP.GT.AND P6, PT, R%u, RZ, PT", counter);
    to_label(g, top, "@P6 BRA");
    text(g, "BSYNC B%u", b);
    place(g, end);
    if (leave) {
        place(g, out);
        text(g, "BSYNC B%u", outer);
        g->depth--;
    }
    place(g, behind);
    g->depth--;
}

/* All lanes turn equally often: the warps stay together. */
static void long_loop(struct generator *g, uint32_t size) {
    int top = new_label(g);
    text(g, "MOV R47, 0x%x", 1 + below(g, g->repeat));
    place(g, top);
    block(g, size);
    text(g, "IADD3 R47, R47, -0x1, RZ");
    text(g, "ISETP.GT.AND P6, PT, R47, RZ, PT");
    to_label(g, top, "@P6 BRA");
}

static void switch_table(struct generator *g, uint32_t size) {
    int cases[4], join = new_label(g), end = new_label(g);
    unsigned b = region(g);
    bool uniform = emu_once_in(g->rng, 3);
    for (unsigned i = 0; i < 4; i++)
        cases[i] = new_label(g);
    if (uniform) {
        text(g, "ULOP3.LUT UR28, UR%u, 0x3, URZ, 0xc0, !UPT", below(g, 16));
        text(g, "UIMAD UR28, UR28, 0x10, URZ");
        text(g, "UMOV UR29, URZ");
    } else {
        text(g, "LOP3.LUT R56, R%u, 0x3, RZ, 0xc0, !PT", data_register(g));
        text(g, "IMAD R56, R56, 0x10, RZ");
        text(g, "MOV R57, RZ");
    }
    to_label(g, end, "BSSY B%u,", b);
    text(g, uniform ? "BRXU UR28 0x0" : "BRX R56 0x0");
    for (unsigned i = 0; i < 4; i++)
        to_label(g, cases[i], "BRA");
    for (unsigned i = 0; i < 4; i++) {
        place(g, cases[i]);
        block(g, size / 4);
        to_label(g, join, "BRA");
    }
    place(g, join);
    text(g, "BSYNC B%u", b);
    place(g, end);
    g->depth--;
}

/* A call of a new function or of one that there is. */
static void call(struct generator *g) {
    unsigned level = g->level, address = 48 + 2 * level;
    struct function *f = NULL;
    int back = new_label(g);
    for (unsigned i = 0; i < g->function_count && !f; i++)
        if (g->functions[i].level == level && emu_once_in(g->rng, 2))
            f = &g->functions[i];
    if (!f && g->function_count == MAX_FUNCTIONS)
        return;
    if (!f) {
        f = &g->functions[g->function_count++];
        *f = (struct function){new_label(g), level, emu_once_in(g->rng, 3)};
    }
    if (!f->lepc) {
        to_label(g, back, "MOV R%u,", address);
        text(g, "MOV R%u, RZ", address + 1);
    }
    bool absolute = emu_once_in(g->rng, 2), indirect = emu_once_in(g->rng, 2);
    if (indirect) {
        to_label(g, f->label, "MOV R56,");
        text(g, "MOV R57, RZ");
    }
    if (f->lepc)
        text(g, "LEPC R%u", address);
    if (indirect)
        text(g, absolute ? "CALL.ABS.NOINC R56" : "CALL.REL.NOINC R56 0x0");
    else
        to_label(g, f->label, absolute ? "CALL.ABS.NOINC" : "CALL.REL");
    place(g, back);
}

static void write_function(struct generator *g, const struct function *f, uint32_t size) {
    unsigned address = 48 + 2 * f->level;
    place(g, f->label);
    g->depth = 0;
    g->level = f->level + 1;
    block(g, size);
    if (f->lepc)
        text(g, "RET.ABS.NODEC R%u 0x20", address);
    else if (emu_once_in(g->rng, 2))
        text(g, "RET.REL.NODEC R%u 0x0", address);
    else
        text(g, "RET.ABS R%u 0x0", address);
}

/* ---------------------------------------------------------------- threads of the block */

/* Barriers of the block: everybody comes. */
static void meet(struct generator *g) {
    static const char *const reductions[] = {"RED.POPC", "RED.AND", "RED.OR", "SCAN"};
    uint32_t id = below(g, 16), way = below(g, 9);
    const char *kind = reductions[below(g, 4)], *p = predicate(g);
    if (g->exited) { /* nobody counts those that are left */
        text(g, "BAR.SYNC 0x%x", id);
        return;
    }
    text(g, "MOV R58, 0x%x", g->threads << 16 | id);
    switch (way) {
    case 0: text(g, "BAR.SYNC R58"); break;
    case 1: text(g, "BAR.SYNC 0x%x, R58", id); break;
    case 2: text(g, "BAR.SYNC R58, R58"); break;
    case 3: text(g, "BAR.SYNC 0x%x, 0x%x", id, g->threads); break;
    case 4: text(g, "BAR.%s 0x%x, R58, %s", kind, id, p); break;
    case 5: text(g, "BAR.%s R58, %s", kind, p); break;
    case 6: text(g, "BAR.%s R58, R58, %s", kind, p); break;
    case 7: text(g, "BAR.%s 0x%x, %s", kind, id, p); break;
    default: text(g, "BAR.SYNCALL 0x%x", id); break;
    }
    text(g, "B2R.RESULT R%u, P%u", below(g, 32), below(g, 7));
}

/* Everybody arrives and then comes: twice as many. */
static void arrive_and_meet(struct generator *g) {
    uint32_t id = below(g, 16), twice = 2 * g->threads;
    if (g->exited)
        return;
    text(g, "MOV R58, 0x%x", twice << 16 | id);
    switch (below(g, 4)) {
    case 0: text(g, "BAR.ARV R58"); break;
    case 1: text(g, "BAR.ARV 0x%x, R58", id); break;
    case 2: text(g, "BAR.ARV R58, R58"); break;
    default: text(g, "BAR.ARV 0x%x, 0x%x", id, twice); break;
    }
    text(g, "BAR.SYNC 0x%x, 0x%x", id, twice);
}

static void end_lanes(struct generator *g) {
    static const char *const ways[] = {"EXIT", "KILL"};
    text(g, "ISETP.EQ.AND P%u, PT, R%u, 0x%x, PT", below(g, 6), data_register(g), below(g, 8));
    text(g, "@%s %s %s", predicate(g), ways[below(g, 2)], predicate(g));
    g->exited = true;
}

/* Small things of control that lead on. */
static void odds(struct generator *g) {
    int skip = new_label(g);
    switch (below(g, 14)) {
    case 0: text(g, "@%s YIELD %s", predicate(g), predicate(g)); break;
    case 1: text(g, "NANOSLEEP 0x%x", below(g, 100)); break;
    case 2: text(g, "NANOSLEEP %s, R%u", predicate(g), data_register(g)); break;
    case 3: text(g, "NANOSLEEP c[0x0][0x168]"); break;
    case 4: text(g, "NANOSLEEP UR%u", below(g, 16)); break;
    case 5: text(g, "BPT.DRAIN 0x0"); break;
    case 6:
        text(g, "BMOV.32 R59, MACTIVE");
        text(g, "WARPSYNC R59");
        break;
    case 7:
        text(g, "BMOV.32 R59, MACTIVE");
        text(g, "BMOV.32%s MACTIVE, R59", emu_once_in(g->rng, 2) ? ".PQUAD" : "");
        break;
    case 8: /* barriers wait in registers, as around calls */
        text(g, "BMOV.32.CLEAR R58, B%u", g->depth ? g->level * 2 + g->depth - 1 : 7);
        plain(g);
        text(g, "BMOV.32 B%u, R58", g->depth ? g->level * 2 + g->depth - 1 : 7);
        break;
    case 9:
        text(g, "BMOV.32 B15, MACTIVE");
        text(g, "BMOV.32 MACTIVE, B15");
        break;
    default: /* a group goes on together, one way or the other */
        text(g, "UMOV UR30, 0x%x", emu_once_in(g->rng, 2) ? UINT32_MAX : emu_value(g->rng));
        to_label(g, skip, "BRA.%s %s~UR30,", emu_once_in(g->rng, 2) ? "DIV" : "CONV",
                 emu_once_in(g->rng, 2) ? "P1, " : "");
        plain(g);
        plain(g);
    }
    place(g, skip);
}

/* Something that lanes do apart from each other. */
static void structure(struct generator *g, uint32_t size) {
    switch (below(g, 6)) {
    case 0: if_else(g, size); break;
    case 1: loop(g, size, false); break;
    case 2:
        if (g->depth + 2 <= MAX_DEPTH)
            loop(g, size, true);
        break;
    case 3: switch_table(g, size); break;
    case 4:
        if (g->level < 2)
            call(g);
        break;
    default: odds(g);
    }
}

static void block(struct generator *g, uint32_t size) {
    for (uint32_t end = g->count + size; g->count < end && !full(g);) {
        uint32_t way = below(g, 40);
        bool top = g->depth == 0 && g->level == 0;
        if (way < 2 && g->depth < MAX_DEPTH && size > 12)
            structure(g, size / 3);
        else if (way == 2)
            odds(g);
        else if (way == 3)
            refresh(g);
        else if (way == 4 && top)
            meet(g);
        else if (way == 5 && top && emu_once_in(g->rng, 2))
            arrive_and_meet(g);
        else
            plain(g);
    }
}

/* ---------------------------------------------------------------- the whole */

static void begin(struct generator *g) {
    text(g, "MOV R59, 0xffffffff");
    text(g, "S2R R0, SR_TID.X");
    for (unsigned i = 1; i < 32; i++) {
        if (i % 3 == 0)
            text(g, "MOV R%u, 0x%x", i, emu_value(g->rng));
        else if (i % 3 == 1)
            text(g, "IMAD R%u, R0, 0x%x, R%u", i, emu_value(g->rng) | 1, i - 1);
        else
            text(g, "LOP3.LUT R%u, R%u, R%u, R0, 0x%x, !PT", i, i - 1, i - 2, below(g, 256));
    }
    for (unsigned i = 0; i < 7; i++)
        text(g, "ISETP.GT.AND P%u, PT, R%u, R%u, PT", i, 2 + i, 9 + i);
    for (unsigned i = 0; i < 16; i++)
        text(g, "UMOV UR%u, 0x%x", i, emu_value(g->rng));
}

void random_program(struct emu_rng *rng, uint32_t size, uint32_t repeat,
                    struct random_program *program) {
    static const uint32_t threads[] = {32, 64, 96, 128, 64, 32, 40, 70};
    static struct generator generator;
    struct generator *g = &generator;
    memset(g, 0, sizeof *g);
    g->rng = rng;
    g->size = size;
    g->repeat = repeat;
    g->threads = threads[below(g, 8)];
    begin(g);
    while (g->count < size && !full(g)) {
        if (emu_once_in(rng, 2))
            block(g, 20 + below(g, 40));
        else if (repeat > 1)
            long_loop(g, 10 + below(g, 40));
        if (g->count > size * 3 / 4 && !g->exited && emu_once_in(rng, 4))
            end_lanes(g);
    }
    text(g, "EXIT");
    g->exited = true; /* functions do not know who has ended */
    for (unsigned i = 0; i < g->function_count; i++)
        write_function(g, &g->functions[i], full(g) ? 0 : 30);
    program->count = g->count;
    program->threads = g->threads;
    program->blocks = 1 + below(g, 3);
    for (uint32_t i = 0; i < g->count; i++)
        resolve(g, i, &program->words[i]);
}
