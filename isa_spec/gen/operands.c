/*
 * operands.c - from a slot of a syntax line to an operand with its bits, in one form.
 */
#include <string.h>

#include "operands.h"

static const char *const kind_names[] = {
    "no kind",          "register", "uniform register", "predicate", "uniform predicate",
    "immediate",        "constant", "address",          "target",    "barrier",
    "special register", "word",     "scoreboard",       "set",
};

const char *kind_name(enum fh_kind kind) {
    return kind_names[kind];
}

/* The field line for `name` in `form`: one that names the form wins over one for all forms. */
static const struct field *find_field(const struct insn *insn, const struct form *form,
                                      const char *name) {
    const struct field *found = NULL;
    for (size_t i = 0; i < insn->field_count; i++) {
        const struct field *f = &insn->fields[i];
        if (strcmp(f->name, name) != 0)
            continue;
        if (has_name(&f->forms, form->name))
            return f;
        if (f->forms.n == 0)
            found = f;
    }
    return found;
}

static bool primary_kind(const char *part, bool uniform, enum fh_kind *kind) {
    static const struct {
        const char *name;
        enum fh_kind kind, uniform;
    } table[] = {
        {"reg", FH_K_REG, FH_K_UREG},
        {"ureg", FH_K_UREG, FH_K_UREG},
        {"pred", FH_K_PRED, FH_K_UPRED},
        {"upred", FH_K_UPRED, FH_K_UPRED},
        {"imm", FH_K_IMM, FH_K_IMM},
        {"target", FH_K_TARGET, FH_K_TARGET},
        {"barrier", FH_K_BARRIER, FH_K_BARRIER},
        {"sreg", FH_K_SREG, FH_K_SREG},
        {"scoreboard", FH_K_SCOREBOARD, FH_K_SCOREBOARD},
        {"set", FH_K_SET, FH_K_SET},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(part, table[i].name) == 0) {
            *kind = uniform ? table[i].uniform : table[i].kind;
            return true;
        }
    }
    return false;
}

/* The other parts of a field line; -1 if `part` is none of them. */
static int secondary_field(const char *part, enum fh_kind kind) {
    static const struct {
        const char *name;
        enum operand_field field;
        enum fh_kind only; /* FH_K_NONE: any */
    } table[] = {
        {"not", F_NEG, 0},
        {"inv", F_NEG, 0},
        {"neg", F_NEG, 0},
        {"abs", F_ABS, 0},
        {"base", F_REG, FH_K_ADDR},
        {"off", F_VALUE, 0},
        {"ureg", F_UREG, FH_K_ADDR},
        {"next", F_UREG, FH_K_ADDR},
        {"wide", F_WIDE, FH_K_ADDR},
        {"desc", F_DESC, FH_K_ADDR},
        {"part", F_PART, 0},
        {"scale", F_SCALE, FH_K_ADDR},
        {"bank", F_BANK, FH_K_CONST},
        {"index", F_REG, FH_K_CONST},
        {"uindex", F_UREG, FH_K_CONST},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(part, table[i].name) == 0 && (!table[i].only || table[i].only == kind))
            return (int)table[i].field;
    return -1;
}

static void take_part(struct operand *o, const struct part *part, bool uniform) {
    enum fh_kind kind;
    if (strcmp(part->name, "reuse") == 0) {
        o->reuse_bit = part->bits.piece[0].lo;
        return;
    }
    if (o->kind != FH_K_ADDR && o->kind != FH_K_CONST && primary_kind(part->name, uniform, &kind)) {
        bool is_value =
            kind == FH_K_IMM || kind == FH_K_TARGET || kind == FH_K_SREG || kind == FH_K_SET;
        o->kind = kind;
        o->field[is_value ? F_VALUE : F_REG] = part->bits;
        if (kind == FH_K_TARGET && !part->bits.shift)
            o->field[F_VALUE].shift = 2;
        return;
    }
    int field = secondary_field(part->name, o->kind);
    if (field < 0)
        error_at(part->bits.at, "operand `%s`: %s has no part `%s`", o->name,
                 o->kind ? kind_names[o->kind] : "an operand", part->name);
    else
        o->field[field] = part->bits;
    o->ureg_next |= strcmp(part->name, "next") == 0;
}

static void take_field(const struct insn *insn, struct operand *o, const struct field *f) {
    if (f->fallback.given)
        o->fallback = f->fallback;
    if (!f->part_count)
        return;
    o->shared = f->shared;
    o->narrow = f->narrow;
    memset(o->field, 0, sizeof o->field);
    o->reuse_bit = 0;
    o->kind = FH_K_NONE;
    if (f->kind && strcmp(f->kind, "addr") == 0)
        o->kind = FH_K_ADDR;
    else if (f->kind && strcmp(f->kind, "const") == 0)
        o->kind = FH_K_CONST;
    else if (f->kind)
        error_at(f->at, "operand `%s`: unknown kind `%s`", f->name, f->kind);
    bool uniform = insn->kind.s && strcmp(insn->kind.s, "uniform") == 0;
    for (size_t i = 0; i < f->part_count; i++)
        take_part(o, &f->parts[i], uniform);
    if (o->narrow && !o->field[F_WIDE].pieces)
        error_at(f->at, "operand `%s`: `narrow` is for addresses with a bit `wide`", f->name);
    if (f->is_signed && (o->kind != FH_K_ADDR || o->field[F_UREG].pieces))
        error_at(f->at, "operand `%s`: `signed` is for addresses without a uniform register",
                 o->name);
    o->absolute = o->kind == FH_K_ADDR && !o->field[F_UREG].pieces && !f->is_signed;
    if (o->kind == FH_K_CONST)
        o->field[F_VALUE].is_signed = false; /* places in a bank, whether the text has a sign */
    if (o->kind == FH_K_NONE)
        error_at(f->at,
                 "operand `%s`: no part says what it is (reg, ureg, pred, upred, imm, "
                 "addr, const, target, barrier, sreg)",
                 f->name);
}

static void take_signs(struct operand *o, const struct slot *slot) {
    bool wanted = slot->minus || slot->tilde || slot->bang;
    bool is_predicate = o->kind == FH_K_PRED || o->kind == FH_K_UPRED;
    if (o->kind == FH_K_IMM)
        wanted = false; /* one syntax line serves all forms: an immediate has its own sign */
    if (wanted && !o->field[F_NEG].pieces)
        error_at(o->at, "operand `%s` is written with a sign but has no bit for it", o->name);
    if (wanted && is_predicate != slot->bang)
        error_at(o->at, "operand `%s`: predicates take `!`, others `-` or `~`", o->name);
    if (wanted)
        o->sign = slot->bang                   ? FH_SIGN_NOT
                  : slot->minus && slot->tilde ? FH_SIGN_BY_X
                  : slot->minus                ? FH_SIGN_MINUS
                                               : FH_SIGN_TILDE;
    else
        o->field[F_NEG] = (struct bits){0};
    if (!slot->bars)
        o->field[F_ABS] = (struct bits){0};
    else if (!o->field[F_ABS].pieces && o->kind != FH_K_IMM)
        error_at(o->at, "operand `%s` is written in bars but has no bit for it", o->name);
}

/* Default of an operand that may be left out: none, if the description gives no other. */
static void take_default(struct operand *o, const struct slot *slot) {
    if (slot->fallback.given)
        o->fallback = slot->fallback;
    if (o->fallback.given || (!slot->optional && !slot->cond))
        return;
    o->fallback = (struct fallback){.at = o->at, .given = true};
    switch (o->kind) {
    case FH_K_REG: o->fallback.number = FH_RZ; break;
    case FH_K_UREG: o->fallback.number = FH_URZ; break;
    case FH_K_PRED:
    case FH_K_UPRED: o->fallback.number = FH_PT; break;
    default:
        error_at(o->at, "operand `%s` can be left out, so it needs a default: `%s=VALUE`", o->name,
                 o->name);
    }
}

static void resolve_default(struct operand *o) {
    static const struct {
        const char *word;
        enum fh_kind a, b;
        int number;
    } words[] = {
        {"PT", FH_K_PRED, FH_K_UPRED, FH_PT},  {"UPT", FH_K_UPRED, FH_K_UPRED, FH_PT},
        {"RZ", FH_K_REG, FH_K_REG, FH_RZ},     {"RZ", FH_K_UREG, FH_K_UREG, FH_URZ},
        {"URZ", FH_K_UREG, FH_K_UREG, FH_URZ},
    };
    struct fallback *f = &o->fallback;
    if (!f->given || !f->word)
        return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(f->word, words[i].word) == 0 &&
            (o->kind == words[i].a || o->kind == words[i].b)) {
            f->number = words[i].number;
            return;
        }
    }
    error_at(f->at, "`%s` is no value for operand `%s` (%s)", f->word, o->name,
             kind_names[o->kind]);
}

static void check_default(const struct operand *o) {
    const struct fallback *f = &o->fallback;
    if (!f->given)
        return;
    bool in_reg = o->kind == FH_K_REG || o->kind == FH_K_UREG || o->kind == FH_K_PRED ||
                  o->kind == FH_K_UPRED || o->kind == FH_K_BARRIER || o->kind == FH_K_SCOREBOARD;
    const struct bits *b = &o->field[in_reg ? F_REG : F_VALUE];
    if (f->number < 0 ? !b->is_signed && o->kind != FH_K_IMM
                      : (uint64_t)f->number >> b->shift > bits_low(bits_width(b)))
        error_at(f->at, "the default %lld of operand `%s` does not fit its %u bits",
                 (long long)f->number, o->name, bits_width(b));
    if (f->negated && !o->field[F_NEG].pieces)
        error_at(f->at, "the default of operand `%s` is negated, but it has no bit for that",
                 o->name);
}

/* Bits that hold what they name and nothing else: 8 of a register, 6 of a uniform one, 3 of a
 * predicate, 5 of a bank, 1 of a flag. */
static void check_widths(const struct operand *o) {
    static const struct {
        enum operand_field field;
        unsigned bits;
        const char *what;
    } fixed[] = {{F_UREG, 6, "uniform register"},
                 {F_BANK, 5, "bank"},
                 {F_NEG, 1, "sign"},
                 {F_ABS, 1, "bars"},
                 {F_WIDE, 1, "wide"},
                 {F_DESC, 1, "desc"}};
    const bool is_register = o->kind == FH_K_REG || o->kind == FH_K_ADDR || o->kind == FH_K_CONST;
    const unsigned in_reg = is_register                                     ? 8
                            : o->kind == FH_K_UREG                          ? 6
                            : o->kind == FH_K_PRED || o->kind == FH_K_UPRED ? 3
                                                                            : 0;
    const struct bits *reg = &o->field[F_REG];
    if (in_reg && reg->pieces && bits_width(reg) != in_reg)
        error_at(reg->at.file ? reg->at : o->at, "operand `%s`: a %s has %u bits, not %u", o->name,
                 in_reg == 8 ? "register" : kind_names[o->kind], in_reg, bits_width(reg));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        const struct bits *b = &o->field[fixed[i].field];
        if (b->pieces && bits_width(b) != fixed[i].bits)
            error_at(b->at.file ? b->at : o->at, "operand `%s`: %s has %u bits, not %u", o->name,
                     fixed[i].what, fixed[i].bits, bits_width(b));
    }
}

static void take_regs(struct insn *insn, struct operand *o) {
    for (size_t i = 0; i < insn->regs_count; i++) {
        const struct regs *r = &insn->regs[i];
        if (strcmp(r->operand, o->name) != 0)
            continue;
        if (o->kind != FH_K_REG && o->kind != FH_K_UREG && o->kind != FH_K_CONST &&
            o->kind != FH_K_IMM)
            error_at(r->at, "operand `%s` is a %s: it has no number of registers", o->name,
                     kind_names[o->kind]);
        o->regs = (struct text){r->at, r->expr};
        o->align = r->align;
    }
}

/* The `imm` and `parts` lines. */
static void take_styles(const struct insn *insn, struct operand *o) {
    static const char *const styles[] = {"", "f32", "f64", "f16x2", "bf16x2", "swizzle", "control"};
    for (size_t i = 0; i < insn->imm_count; i++) {
        const struct imm_style *s = &insn->imms[i];
        if (strcmp(s->operand, o->name) != 0)
            continue;
        bool known = strcmp(s->style, "signed") == 0 || strcmp(s->style, "spaced") == 0;
        o->print_signed |= strcmp(s->style, "signed") == 0;
        o->spaced |= strcmp(s->style, "spaced") == 0 && o->kind == FH_K_CONST;
        for (unsigned k = 1; k < sizeof styles / sizeof *styles; k++) {
            if (strcmp(s->style, styles[k]) != 0)
                continue;
            known = true;
            if (o->kind == FH_K_IMM)
                o->number = (enum fh_number)k;
        }
        if (!known)
            error_at(s->at, "`%s` is no way to print an operand", s->style);
    }
    for (size_t i = 0; i < insn->parts_count; i++)
        if (strcmp(insn->parts[i].operand, o->name) == 0 && o->field[F_PART].pieces)
            o->parts = insn->parts[i].values;
    if (o->field[F_PART].pieces && !o->parts)
        error_at(o->at, "operand `%s` has a part but no `parts` line names its texts", o->name);
}

static const char *standard_name(const struct insn *insn, const char *name) {
    for (size_t i = 0; i < insn->slots_count; i++)
        if (strcmp(insn->slots[i].operand, name) == 0)
            return insn->slots[i].standard;
    return name;
}

/* Scheduling aside, only lane and matrix instructions keep operands in the reuse cache. */
static bool takes_reuse(const struct insn *insn) {
    return insn->kind.s &&
           (strcmp(insn->kind.s, "lane") == 0 || strcmp(insn->kind.s, "matrix") == 0);
}

/* Fills in *o for `slot` of the form's syntax. */
void resolve_operand(struct insn *insn, const struct form *form, const struct slot *slot,
                     struct operand *o) {
    *o = (struct operand){.at = form->syntax->at,
                          .name = slot->name,
                          .var = body_name(slot->name),
                          .optional = slot->optional,
                          .glued = slot->glued,
                          .suffix = slot->suffix,
                          .cond = {form->syntax->at, slot->cond}};
    const struct field *f = find_field(insn, form, slot->name);
    bool standard = standard_operand(insn, form, o, standard_name(insn, slot->name));
    if (!takes_reuse(insn))
        o->reuse_bit = 0;
    if (f)
        take_field(insn, o, f);
    if (!standard && (!f || !f->part_count)) {
        static const char *const words[] = {"PR", "UPR", "MACTIVE", "MEXITED"};
        bool is_word = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            is_word |= strcmp(slot->name, words[i]) == 0;
        if (is_word) {
            o->kind = FH_K_WORD;
            o->word = slot->name;
            /* Destinations come first. */
            o->access = slot == form->syntax->slots ? FH_WRITE : FH_READ;
            return;
        }
        error_at(o->at,
                 "form %s: operand `%s` has no bits: it is no standard operand of this form "
                 "and no `field` line gives them, as in `field %s reg@39:32`",
                 form->name, slot->name, slot->name);
        return;
    }
    if (!o->access)
        o->access = FH_READ;
    if (o->kind == FH_K_BARRIER)
        o->access = FH_READ | FH_WRITE;
    if (o->kind != FH_K_REG)
        o->reuse_bit = 0;
    take_styles(insn, o);
    take_signs(o, slot);
    take_default(o, slot);
    resolve_default(o);
    check_default(o);
    check_widths(o);
    take_regs(insn, o);
}
