/* fit.c - see fit.h. */
#include "fit.h"
#include "address.h"
#include "asm.h"
#include "number.h"
#include "open_code.h"

#include <stddef.h>
#include <string.h>

/* ---------------------------------------------------------------- one operand */

/* ".H1_H1" and the like; nothing if that is one of the part's texts. */
static enum fh_why check_part(const char *s, size_t n, const struct fh_operand_spec *spec,
                              struct fh_operand *op, bool *good) {
    for (unsigned i = 0; i < spec->part_count && !*good; i++) {
        const char *text = spec->parts[i].text;
        size_t length = strlen(text);
        if (n != (length ? length + 1 : 0) ||
            (n && (s[0] != '.' || memcmp(s + 1, text, length) != 0)))
            continue;
        op->part = (uint8_t)spec->parts[i].value;
        *good = true;
    }
    return n ? FH_WHY_SUFFIX : FH_WHY_NO_SUFFIX;
}

/* Takes ".reuse" off the front of a suffix; what is left must be exactly `wanted` (or nothing). */
static enum fh_why check_suffix(const struct fh_value *v, const struct fh_operand_spec *spec,
                                struct fh_operand *op, bool *good) {
    const char *s = v->suffix;
    size_t n = v->suffix_length;
    *good = false;
    if (n >= 6 && memcmp(s, ".reuse", 6) == 0 && (n == 6 || s[6] == '.')) {
        if (!spec->reuse_bit)
            return FH_WHY_REUSE;
        op->reuse = true;
        s += 6;
        n -= 6;
    }
    if (spec->part.pieces)
        return check_part(s, n, spec, op, good);
    const char *wanted = spec->suffix ? spec->suffix : "";
    if (n == strlen(wanted) && (n == 0 || memcmp(s, wanted, n) == 0)) {
        *good = true;
        return FH_WHY_SUFFIX;
    }
    return n ? FH_WHY_SUFFIX : FH_WHY_NO_SUFFIX;
}

static bool sign_allowed(const struct fh_candidate *c, const struct fh_operand_spec *spec,
                         uint8_t sign) {
    if (sign == FH_SIGN_NONE)
        return true;
    uint8_t allowed = spec->sign;
    if (allowed == FH_SIGN_BY_X)
        allowed = c->x ? FH_SIGN_TILDE : FH_SIGN_MINUS;
    return sign == allowed;
}

/* A register, predicate or constant: what may stand around its name. Around most is nothing. */
static inline bool take_signed(const struct fh_candidate *c, const struct fh_operand_spec *spec,
                               const struct fh_value *v, struct fh_operand *op, enum fh_why *why) {
    bool good;
    if (v->suffix_length || spec->suffix || spec->part.pieces) {
        *why = check_suffix(v, spec, op, &good);
        if (!good)
            return false;
    }
    *why = FH_WHY_SIGN;
    if (!sign_allowed(c, spec, v->sign) || (v->abs && !spec->abs.pieces))
        return false;
    op->neg = v->sign != FH_SIGN_NONE;
    op->abs = v->abs;
    return true;
}

/* ".64", ".U32", ".X4" and so on after an address's register. */
static bool take_address_suffix(const struct fh_candidate *c, const struct fh_operand_spec *spec,
                                const struct fh_value *v, struct fh_operand *op, enum fh_why *why) {
    static const struct {
        const char *text;
        uint8_t scale;
        bool width, wide;
    } suffixes[] = {{".X4", 1, false, false}, {".X8", 2, false, false}, {".X16", 3, false, false},
                    {".X1", 0, false, false}, {".64", 0, true, true},   {".U32", 0, true, false}};
    if (v->suffix_length == 0) {
        /* Without a base register the field follows .E. With one, half an address by accident
         * would be hard to find: .64 or .U32 must be there. */
        op->wide = !v->has_reg && fh_default_wide(&c->proto, (unsigned)(spec - c->form->operands));
        *why = FH_WHY_NO_SUFFIX;
        return !spec->wide.pieces || !v->has_reg || v->reg == FH_RZ;
    }
    *why = FH_WHY_SUFFIX;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (strlen(suffixes[i].text) != v->suffix_length ||
            memcmp(suffixes[i].text, v->suffix, v->suffix_length) != 0)
            continue;
        op->scale = suffixes[i].scale;
        op->wide = suffixes[i].wide;
        return suffixes[i].width ? spec->wide.pieces != 0 : spec->scale.pieces != 0;
    }
    return false;
}

static bool take_address(const struct fh_candidate *c, const struct fh_operand_spec *spec,
                         const struct fh_value *v, bool strict, struct fh_operand *op,
                         enum fh_why *why) {
    *why = FH_WHY_KIND;
    if ((v->has_ureg && !spec->ureg.pieces) || (v->desc && !spec->desc.pieces))
        return false;
    if (spec->ureg_next && v->has_ureg && !v->desc)
        return false;
    if (spec->ureg_next)
        op->has_ureg = v->desc;
    bool wide = v->suffix_length == 3 && memcmp(v->suffix, ".64", 3) == 0;
    if (strict && !v->has_ureg && spec->ureg.pieces && !(wide && spec->wide.pieces))
        return false;
    op->reg = v->reg;
    op->ureg = v->ureg;
    op->desc = v->desc;
    op->value = v->number;
    if (!take_address_suffix(c, spec, v, op, why))
        return false;
    /* Without any register the word's offset has no sign; LDSM's has, and that of LDGSTS' source,
     * whose uniform register is the other address'. */
    const bool no_sign = spec->absolute || (spec->ureg.pieces && !spec->ureg_next);
    *why = FH_WHY_UNSIGNED;
    if (!v->has_reg && !v->has_ureg && v->number < 0 && no_sign)
        return false;
    *why = FH_WHY_FIT;
    return fh_operand_value_fits(spec, v->reg, v->number);
}

static bool take_constant(const struct fh_candidate *c, const struct fh_operand_spec *spec,
                          const struct fh_value *v, struct fh_operand *op, enum fh_why *why) {
    *why = FH_WHY_KIND;
    if ((v->has_reg && !spec->reg.pieces) || v->has_ureg != (spec->ureg.pieces != 0))
        return false;
    op->bank = v->bank;
    /* Texts of places in the upper half of a bank have a sign; others are taken, too. */
    op->value =
        v->number < 0 && v->number >= -FH_BANK_BYTES / 2 ? v->number + FH_BANK_BYTES : v->number;
    op->indexed = v->has_reg || v->has_ureg;
    if (v->has_reg)
        op->reg = v->reg;
    if (v->has_ureg)
        op->ureg = v->ureg;
    if (!take_signed(c, spec, v, op, why))
        return false;
    *why = FH_WHY_FIT;
    return fh_field_fits(&spec->value, op->value) && fh_field_fits(&spec->bank, v->bank);
}

static bool take_number(const struct fh_operand_spec *spec, const struct fh_value *v,
                        struct fh_operand *op, enum fh_why *why) {
    int64_t value = v->number;
    *why = FH_WHY_FIT;
    if (v->large || !fh_field_fits(&spec->value, value))
        return false;
    /* 32-bit immediates take both signs; one decoded form for each. */
    if (spec->bits == 32)
        value = spec->print_signed ? (int32_t)(uint32_t)value : (int64_t)(uint32_t)value;
    op->value = value;
    return true;
}

/* A floating point immediate: a decimal literal is its value, any other number its bits. */
static bool take_real(enum fh_number number, const struct fh_value *v, uint32_t *bits,
                      enum fh_why *why) {
    struct fh_real real = {v->text, v->length, v->negative};
    bool half = number == FH_N_F16X2 || number == FH_N_BF16X2;
    *why = FH_WHY_KIND;
    if (v->kind == FH_V_ANY)
        return true;
    if (v->kind != FH_V_NUMBER && v->kind != FH_V_REAL)
        return false;
    *why = FH_WHY_FIT;
    if (v->decimal)
        return fh_real_bits(number, &real, bits);
    *bits = (uint32_t)v->number;
    return v->number >= 0 && v->number <= (half ? 0xffff : UINT32_MAX);
}

/* All immediates that are not integers. Pairs of halves are two arguments, the high one first;
 * there is a second one in `v` if `more`. */
static bool take_immediate(const struct fh_operand_spec *spec, const struct fh_value *v, bool more,
                           struct fh_operand *op, enum fh_why *why) {
    uint32_t bits = 0, low = 0;
    if (spec->number == FH_N_SWIZZLE) {
        *why = FH_WHY_KIND;
        if (v->kind != FH_V_NAME || !fh_swizzle_bits(v->text, v->length, &bits))
            return false;
    } else if (spec->number == FH_N_CONTROL) {
        *why = FH_WHY_KIND;
        if (v->kind != FH_V_NAME || v->number || !fh_control_bits(v->text, v->length, &bits))
            return false;
    } else if (!take_real(spec->number, v, &bits, why)) {
        return false;
    } else if (spec->number == FH_N_F16X2 || spec->number == FH_N_BF16X2) {
        *why = FH_WHY_MISSING;
        if (!more || !take_real(spec->number, v + 1, &low, why))
            return false;
        bits = bits << 16 | low;
    }
    op->value = (int64_t)bits;
    return true;
}

static bool take_special(const struct fh_value *v, struct fh_operand *op, enum fh_why *why) {
    *why = FH_WHY_KIND;
    for (unsigned i = 0; i < fh_special_register_count; i++) {
        const char *name = fh_special_registers[i].text;
        if (strlen(name) == v->length && memcmp(name, v->text, v->length) == 0) {
            op->value = fh_special_registers[i].value;
            return true;
        }
    }
    /* Those without a name: SR and the number. */
    uint32_t number = 0;
    size_t i = 2;
    for (; i < v->length && i < 5 && v->text[i] >= '0' && v->text[i] <= '9'; i++)
        number = 10 * number + (uint32_t)(v->text[i] - '0');
    if (i == 2 || i != v->length || memcmp(v->text, "SR", 2) != 0 || number > 255)
        return false;
    op->value = number;
    return true;
}

/* Whether the name is the operand's word, or the name of a control register that it can be. */
static bool is_word(const struct fh_operand_spec *spec, const struct fh_value *v) {
    uint32_t unused;
    if (spec->number == FH_N_CONTROL)
        return v->kind == FH_V_NAME && fh_control_bits(v->text, v->length, &unused);
    return spec->kind == FH_K_WORD && v->kind == FH_V_NAME && v->length == strlen(spec->name) &&
           memcmp(v->text, spec->name, v->length) == 0;
}

/* Whether the name is a word of the machine's in another form of the mnemonic (MACTIVE of BMOV),
 * and so no label. */
static bool names_a_word(const struct fh_candidate *c, const struct fh_value *v) {
    unsigned first;
    const unsigned count = fh_insns_of_root(c->insn->root, strlen(c->insn->root), &first);
    for (unsigned i = first; i < first + count; i++) {
        const struct fh_insn *insn = fh_insn_by_root(i);
        for (unsigned f = insn->first_form; f < insn->first_form + (unsigned)insn->form_count; f++)
            for (unsigned o = 0; o < fh_forms[f].operand_count; o++)
                if (is_word(&fh_forms[f].operands[o], v))
                    return true;
    }
    return false;
}

bool fh_fit_operand(struct fh_asm *a, const struct fh_candidate *c,
                    const struct fh_operand_spec *spec, const struct fh_value *v, bool strict,
                    struct fh_operand *op, enum fh_why *why) {
    *why = FH_WHY_KIND;
    if (v->kind == FH_V_ANY)
        return true;
    switch (spec->kind) {
    case FH_K_REG:
    case FH_K_UREG:
    case FH_K_PRED:
    case FH_K_UPRED:
    case FH_K_BARRIER:
    case FH_K_SCOREBOARD:
        if (v->kind != FH_V_REGISTER || v->reg_kind != spec->kind)
            return false;
        op->reg = v->reg;
        return take_signed(c, spec, v, op, why);
    case FH_K_IMM:
        if (spec->number != FH_N_INT)
            return take_immediate(spec, v, v + 1 < a->st.args + a->st.arg_count, op, why);
        if (v->kind == FH_V_NAME) { /* an address, which emit.c fills in */
            struct fh_fixup unused;
            return fh_address_fits(c->form, spec, v, &unused) && !names_a_word(c, v);
        }
        return v->kind == FH_V_NUMBER && take_number(spec, v, op, why);
    case FH_K_SET: return v->kind == FH_V_SET && take_number(spec, v, op, why);
    case FH_K_CONST: return v->kind == FH_V_CONSTANT && take_constant(c, spec, v, op, why);
    case FH_K_ADDR: return v->kind == FH_V_ADDRESS && take_address(c, spec, v, strict, op, why);
    case FH_K_TARGET: /* whether it can be reached is for emit.c, which knows labels */
        op->value = (int64_t)((uint64_t)v->number - fh_written_here(a) - FH_INST_BYTES);
        return v->kind == FH_V_NUMBER ||
               (v->kind == FH_V_NAME && !v->half && !v->generic && !v->srel);
    case FH_K_SREG: return v->kind == FH_V_NAME && v->number == 0 && take_special(v, op, why);
    case FH_K_WORD: return is_word(spec, v);
    default: return false;
    }
}

/* ---------------------------------------------------------------- all of them */

struct attempt {
    struct fh_asm *a;
    const struct fh_candidate *c;
    bool strict;
    struct fh_matched *m;
    struct fh_miss *miss;
};

static void missed(struct attempt *t, size_t arg, enum fh_why why,
                   const struct fh_operand_spec *spec) {
    struct fh_miss *miss = t->miss;
    bool needed = spec && !spec->optional && miss->spec && miss->spec->optional;
    if (miss->any && (arg < miss->arg ||
                      (arg == miss->arg && (why < miss->why || (why == miss->why && !needed)))))
        return;
    *miss = (struct fh_miss){true, (uint8_t)arg, (uint8_t)why, spec};
}

static bool fit_operands(struct attempt *t, unsigned k, size_t j);

/* "R14 -0x390" is a register and, glued to it, a number; it reads as a sum. */
static bool fit_glued_sum(struct attempt *t, unsigned k, size_t j) {
    const struct fh_operand_spec *specs = t->c->form->operands;
    const struct fh_value *sum = &t->a->st.args[j];
    if (sum->kind != FH_V_SUM || sum->has_reg == sum->has_ureg || k + 1 >= t->c->operand_count ||
        !specs[t->c->operands[k + 1]].glued)
        return false;
    unsigned i = t->c->operands[k], n = t->c->operands[k + 1];
    struct fh_value parts[2] = {*sum, *sum};
    enum fh_why why;
    parts[0].kind = FH_V_REGISTER;
    parts[0].reg_kind = sum->has_reg ? FH_K_REG : FH_K_UREG;
    parts[0].reg = sum->has_reg ? sum->reg : sum->ureg;
    parts[1].kind = FH_V_NUMBER;
    if (fh_fit_operand(t->a, t->c, &specs[i], &parts[0], t->strict, &t->m->inst.op[i], &why) &&
        fh_fit_operand(t->a, t->c, &specs[n], &parts[1], t->strict, &t->m->inst.op[n], &why)) {
        t->m->arg_of[i] = t->m->arg_of[n] = (uint8_t)j;
        if (fit_operands(t, k + 2, j + 1))
            return true;
    }
    t->m->inst.op[i] = t->c->proto.op[i];
    t->m->inst.op[n] = t->c->proto.op[n];
    t->m->arg_of[i] = t->m->arg_of[n] = FH_NO_ARGUMENT;
    return false;
}

static bool comma_missing(const struct fh_operand_spec *spec, const struct fh_value *v) {
    return v->glued && !spec->glued;
}

/* Operands from the k-th of the form, arguments from the j-th. */
static bool fit_operands(struct attempt *t, unsigned k, size_t j) {
    const struct fh_statement *st = &t->a->st;
    if (k == t->c->operand_count) {
        if (j < st->arg_count)
            missed(t, j, FH_WHY_SURPLUS, NULL);
        return j == st->arg_count;
    }
    unsigned i = t->c->operands[k];
    const struct fh_operand_spec *spec = &t->c->form->operands[i];
    struct fh_operand *op = &t->m->inst.op[i];
    if (j < st->arg_count && fit_glued_sum(t, k, j))
        return true;
    if (j < st->arg_count) {
        enum fh_why why = FH_WHY_KIND;
        if (!comma_missing(spec, &st->args[j]) &&
            fh_fit_operand(t->a, t->c, spec, &st->args[j], t->strict, op, &why)) {
            t->m->arg_of[i] = (uint8_t)j;
            if (fit_operands(t, k + 1, j + 1 + fh_is_pair(spec)))
                return true;
        } else {
            missed(t, j, why, spec);
        }
        *op = t->c->proto.op[i];
        t->m->arg_of[i] = FH_NO_ARGUMENT;
    } else if (!spec->optional) {
        missed(t, j, FH_WHY_MISSING, spec);
    }
    return spec->optional && fit_operands(t, k + 1, j);
}

static void begin_attempt(const struct fh_candidate *c, struct fh_matched *m) {
    memcpy(&m->inst, &c->proto, /* the form's operands only */
           offsetof(struct fh_inst, op) + c->form->operand_count * sizeof *m->inst.op);
    memset(m->arg_of, FH_NO_ARGUMENT, sizeof m->arg_of);
    m->target = c->target;
    m->address = c->address;
}

/* fh_fit_operand of the value that most are: a register with nothing around it, for a register that
 * must have nothing behind it. */
static inline bool is_plain(const struct fh_operand_spec *spec, const struct fh_value *v) {
    return v->kind == FH_V_REGISTER && v->reg_kind == spec->kind && !v->suffix_length &&
           v->sign == FH_SIGN_NONE && !v->abs && !spec->suffix && !spec->part.pieces;
}

static inline bool fits(struct fh_asm *a, const struct fh_candidate *c,
                        const struct fh_operand_spec *spec, const struct fh_value *v, bool strict,
                        struct fh_operand *op) {
    enum fh_why why;
    if (!is_plain(spec, v))
        return fh_fit_operand(a, c, spec, v, strict, op, &why);
    op->reg = v->reg;
    op->neg = op->abs = false;
    return true;
}

/* The first way that fit_operands tries: each argument is the next operand that it fits, and those
 * before that are left out. True if that comes out even; else there may be another way. */
static bool fit_in_order(struct fh_asm *a, const struct fh_candidate *c, bool strict,
                         struct fh_matched *m) {
    const struct fh_statement *st = &a->st;
    size_t j = 0;
    begin_attempt(c, m);
    for (unsigned k = 0; k < c->operand_count; k++) {
        unsigned i = c->operands[k];
        const struct fh_operand_spec *spec = &c->form->operands[i];
        if (j < st->arg_count && st->args[j].kind == FH_V_SUM)
            return false; /* two that are glued */
        if (j < st->arg_count && !comma_missing(spec, &st->args[j]) &&
            fits(a, c, spec, &st->args[j], strict, &m->inst.op[i])) {
            m->arg_of[i] = (uint8_t)j;
            j += 1 + fh_is_pair(spec);
        } else if (spec->optional) {
            m->inst.op[i] = c->proto.op[i];
        } else {
            return false;
        }
    }
    return j == st->arg_count;
}

bool fh_fit_operands(struct fh_asm *a, const struct fh_candidate *c, bool strict,
                     struct fh_matched *m, struct fh_miss *miss) {
    struct attempt t = {a, c, strict, m, miss};
    if (fit_in_order(a, c, strict, m))
        return true;
    begin_attempt(c, m);
    return fit_operands(&t, 0, 0);
}
