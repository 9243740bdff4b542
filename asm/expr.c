/*
 * expr.c - what expressions and operands mean. Numbers are 64-bit and wrap; registers take part in
 * sums only (addresses) and may carry a sign; names that are not known yet (labels) may have a
 * number added. What cannot be calculated becomes poison that keeps its reason, which is reported
 * only if the value is used: `n && 8/n` is fine for n = 0.
 */
#include "asm.h"

#include <string.h>

static void poison(struct fh_value *r, enum fh_diagnostic d, const char *problem) {
    r->kind = FH_V_POISON;
    r->problem_id = (uint8_t)d;
    r->problem = problem;
}

/* Poison's problem is up to two texts with a line end between them: %1 and %2 of the message. */
bool fh_value_sound(struct fh_asm *a, const struct fh_value *v) {
    if (v->kind != FH_V_POISON)
        return true;
    a->st.bad = true;
    if (!v->problem)
        return false;
    const char *second = strchr(v->problem, '\n');
    if (v->problem_id == FH_D_NO_NAME) {
        fh_unknown_name(a, v->problem, strlen(v->problem), v->at);
        return false;
    }
    const char *first =
        second ? fh_text_of(a, v->problem, (size_t)(second - v->problem)) : v->problem;
    fh_report(a, v->problem_id, v->at, first, second ? second + 1 : NULL, NULL);
    return false;
}

bool fh_value_number(struct fh_asm *a, const struct fh_value *v, int64_t *number) {
    *number = 0;
    if (!fh_value_sound(a, v))
        return false;
    if (v->kind == FH_V_NUMBER) {
        *number = v->number;
        return true;
    }
    a->st.bad = true;
    if (v->kind == FH_V_NAME)
        fh_unknown_name(a, v->text, v->length, v->at);
    else
        fh_report(a, FH_D_NOT_A_NUMBER, v->at, fh_describe_value(a, v), NULL, NULL);
    return false;
}

/* r takes over x's poison, or becomes poison because x is no number. */
static bool number_or_poison(struct fh_asm *a, struct fh_value *r, const struct fh_value *x) {
    if (x->kind == FH_V_NUMBER)
        return true;
    struct fh_span at = x->at;
    if (x->kind == FH_V_POISON)
        *r = *x;
    else if (x->kind == FH_V_NAME)
        poison(r, FH_D_NO_NAME, fh_text_of(a, x->text, x->length));
    else
        poison(r, FH_D_NOT_A_NUMBER, fh_describe_value(a, x));
    r->at = at;
    return false;
}

void fh_value_unary(struct fh_asm *a, struct fh_value *r, enum fh_operator op,
                    const struct fh_value *x, struct fh_span at) {
    static const uint8_t signs[] = {
        [FH_OP_NEG] = FH_SIGN_MINUS, [FH_OP_INV] = FH_SIGN_TILDE, [FH_OP_NOT] = FH_SIGN_NOT};
    struct fh_value v = *x;
    v.at = at;
    if ((x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) && x->sign == FH_SIGN_NONE) {
        v.sign = signs[op];
    } else if (x->kind == FH_V_REAL && op == FH_OP_NEG) {
        v.negative = !x->negative;
    } else if (number_or_poison(a, &v, x)) {
        uint64_t n = (uint64_t)x->number;
        v.number = (int64_t)(op == FH_OP_NEG ? 0 - n : op == FH_OP_INV ? ~n : n == 0);
        v.decimal = x->decimal && op == FH_OP_NEG;
        v.negative = !x->negative;
    }
    *r = v;
}

/* ---------------------------------------------------------------- sums */

/* x + y where at least one is no plain number: registers gather in a sum, a constant or a label
 * moves by a number. */
static bool add(struct fh_value *r, const struct fh_value *x, const struct fh_value *y) {
    if (x->kind == FH_V_NUMBER) {
        const struct fh_value *swap = x;
        x = y;
        y = swap;
    }
    struct fh_value v = *x;
    if (x->kind == FH_V_REGISTER) {
        v.kind = FH_V_SUM;
        v.has_reg = x->reg_kind == FH_K_REG;
        v.has_ureg = x->reg_kind == FH_K_UREG;
        v.ureg = v.has_ureg ? x->reg : FH_URZ;
        v.number = 0;
        if ((!v.has_reg && !v.has_ureg) || x->sign || (v.has_ureg && x->suffix))
            return false;
    } else if (x->kind != FH_V_SUM && x->kind != FH_V_NAME && x->kind != FH_V_CONSTANT) {
        return false;
    }
    if (y->kind == FH_V_NUMBER) {
        v.number = (int64_t)((uint64_t)v.number + (uint64_t)y->number);
        *r = v;
        return x->kind != FH_V_CONSTANT || x->sign == FH_SIGN_NONE;
    }
    bool single = y->kind == FH_V_REGISTER && !y->sign;
    if (v.kind != FH_V_SUM || (!single && y->kind != FH_V_SUM))
        return false;
    bool y_reg = single ? y->reg_kind == FH_K_REG : y->has_reg;
    bool y_ureg = single ? y->reg_kind == FH_K_UREG : y->has_ureg;
    if ((y_reg && v.has_reg) || (y_ureg && v.has_ureg) || (!y_reg && !y_ureg))
        return false;
    if (y_reg) {
        v.has_reg = true;
        v.reg = y->reg;
        v.suffix = y->suffix;
        v.suffix_length = y->suffix_length;
    }
    if (y_ureg) {
        if (single && y->suffix)
            return false;
        v.has_ureg = true;
        v.ureg = single ? y->reg : y->ureg;
    }
    if (!single)
        v.number = (int64_t)((uint64_t)v.number + (uint64_t)y->number);
    *r = v;
    return true;
}

static const char *calculate(enum fh_operator op, int64_t x, int64_t y, int64_t *r) {
    uint64_t ux = (uint64_t)x, uy = (uint64_t)y;
    switch (op) {
    case FH_OP_ADD: ux += uy; break;
    case FH_OP_SUB: ux -= uy; break;
    case FH_OP_MUL: ux *= uy; break;
    case FH_OP_DIV:
    case FH_OP_MOD:
        if (y == 0)
            return "division by zero";
        if (y == -1) /* INT64_MIN / -1 does not fit */
            ux = op == FH_OP_DIV ? 0 - ux : 0;
        else
            ux = (uint64_t)(op == FH_OP_DIV ? x / y : x % y);
        break;
    case FH_OP_SHL:
    case FH_OP_SHR:
        if (y < 0 || y > 63)
            return "the distance of a shift is from 0 to 63";
        ux = op == FH_OP_SHL ? ux << y : (uint64_t)(x >> y);
        break;
    case FH_OP_LT: ux = x < y; break;
    case FH_OP_LE: ux = x <= y; break;
    case FH_OP_GT: ux = x > y; break;
    case FH_OP_GE: ux = x >= y; break;
    case FH_OP_EQ: ux = x == y; break;
    case FH_OP_NE: ux = x != y; break;
    case FH_OP_AND: ux &= uy; break;
    case FH_OP_XOR: ux ^= uy; break;
    case FH_OP_OR: ux |= uy; break;
    case FH_OP_LAND: ux = x && y; break;
    case FH_OP_LOR: ux = x || y; break;
    default: break;
    }
    *r = (int64_t)ux;
    return NULL;
}

/* "kernel + label@srel" is the label: the sum says whose it is. */
static void value_within(struct fh_asm *a, struct fh_value *r, const struct fh_value *code,
                         const struct fh_value *label, struct fh_span at) {
    const struct fh_draft *d = &a->draft;
    struct fh_value v = *label;
    v.at = at;
    v.number = (int64_t)((uint64_t)label->number + (uint64_t)code->number);
    if (!d->open || code->length != d->name_length ||
        memcmp(code->text, d->name, code->length) != 0)
        poison(&v, FH_D_BAD_ARITHMETIC,
               "a label with `@srel` is added to the name of its own code");
    *r = v;
}

/* The operand that is a name and not a label plus a number: it had to be known. */
static const struct fh_value *stray_name(enum fh_operator op, const struct fh_value *x,
                                         const struct fh_value *y) {
    bool moved = op == FH_OP_ADD || op == FH_OP_SUB;
    if (x->kind == FH_V_NAME && (!moved || x->half))
        return x;
    if (y->kind == FH_V_NAME && y->half)
        return y;
    if (x->kind == FH_V_NAME && y->kind != FH_V_NUMBER)
        return x;
    if (y->kind == FH_V_NAME && (op != FH_OP_ADD || x->kind != FH_V_NUMBER))
        return y;
    return NULL;
}

void fh_value_binary(struct fh_asm *a, struct fh_value *r, enum fh_operator op,
                     const struct fh_value *x, const struct fh_value *y, struct fh_span at) {
    struct fh_value v = {.at = at};
    if (x->kind == FH_V_NUMBER && (op == FH_OP_LAND || op == FH_OP_LOR) &&
        (x->number != 0) == (op == FH_OP_LOR)) { /* y does not matter */
        v.kind = FH_V_NUMBER;
        v.number = op == FH_OP_LOR;
    } else if (x->kind == FH_V_NUMBER && y->kind == FH_V_NUMBER) {
        v.kind = FH_V_NUMBER;
        const char *wrong = calculate(op, x->number, y->number, &v.number);
        if (wrong)
            poison(&v, FH_D_BAD_ARITHMETIC, wrong);
    } else if (x->kind == FH_V_POISON || y->kind == FH_V_POISON) {
        v = x->kind == FH_V_POISON ? *x : *y;
    } else if (op == FH_OP_ADD && x->kind == FH_V_NAME && y->kind == FH_V_NAME && y->srel) {
        value_within(a, &v, x, y, at);
    } else if (stray_name(op, x, y)) {
        (void)number_or_poison(a, &v, stray_name(op, x, y));
    } else if (op == FH_OP_ADD || (op == FH_OP_SUB && y->kind == FH_V_NUMBER)) {
        struct fh_value other = *y;
        if (op == FH_OP_SUB)
            other.number = (int64_t)(0 - (uint64_t)y->number);
        if (!add(&v, x, &other))
            poison(&v, FH_D_BAD_ADDRESS,
                   "a sum has at most one register, one uniform register and a number");
        v.at = at;
    } else if (number_or_poison(a, &v, x)) {
        (void)number_or_poison(a, &v, y);
    }
    *r = v;
}

void fh_value_select(struct fh_value *r, const struct fh_value *c, const struct fh_value *x,
                     const struct fh_value *y, struct fh_span at) {
    struct fh_value v = {.at = at};
    if (c->kind == FH_V_POISON)
        v = *c;
    else if (c->kind != FH_V_NUMBER)
        poison(&v, FH_D_BAD_ARITHMETIC, "the condition of ?: is not a number");
    else
        v = c->number ? *x : *y;
    *r = v;
}

/* ---------------------------------------------------------------- addresses */

void fh_value_srel(struct fh_asm *a, struct fh_value *r, const struct fh_value *x,
                   struct fh_span at) {
    struct fh_value v = *x;
    v.at = at;
    v.srel = true;
    if (x->kind != FH_V_NAME && x->kind != FH_V_POISON)
        poison(&v, FH_D_BAD_ARITHMETIC, "`@srel` stands behind a label");
    (void)a;
    *r = v;
}

void fh_value_half(struct fh_asm *a, struct fh_value *r, const struct fh_value *half,
                   const struct fh_value *x, struct fh_span at) {
    struct fh_value v = *x;
    bool high = half->text[half->length - 1] == 'i';
    v.at = at;
    if (x->kind == FH_V_NAME && !x->half)
        v.half = high ? FH_HALF_HIGH : FH_HALF_LOW;
    else if (x->kind == FH_V_NAME)
        poison(&v, FH_D_BAD_ARITHMETIC, "half of half an address");
    else if (number_or_poison(a, &v, x))
        v.number = (int64_t)(high ? (uint64_t)x->number >> 32 : (uint64_t)x->number & UINT32_MAX);
    v.decimal = false;
    *r = v;
}

void fh_value_generic(struct fh_asm *a, struct fh_value *r, const struct fh_value *x,
                      struct fh_span at) {
    struct fh_value v = *x;
    v.at = at;
    if (x->kind == FH_V_NAME && !x->half)
        v.generic = true;
    else if (x->kind != FH_V_POISON)
        poison(&v, FH_D_BAD_ARITHMETIC, "`generic()` takes the name of a variable");
    (void)a;
    *r = v;
}

/* ---------------------------------------------------------------- operands */

void fh_value_index(struct fh_asm *a, struct fh_value *r, const struct fh_value *x,
                    const struct fh_value *index, struct fh_span at) {
    const struct fh_symbol *s = x->symbol;
    struct fh_value v = *x;
    v.at = at;
    if (!number_or_poison(a, &v, index)) {
        *r = v;
        return;
    }
    int64_t i = index->number;
    int64_t low = s->kind == FH_S_REGISTERS ? s->value : 0;
    int64_t high = low + (int64_t)s->count - 1;
    if (x->suffix) {
        poison(&v, FH_D_BAD_ADDRESS, "the index comes before the suffix");
    } else if (i < low || i > high) {
        poison(&v, FH_D_BAD_INDEX,
               fh_text(a, "%lld\n`%.*s`, which has %lld to %lld", (long long)i, (int)s->length,
                       s->name, (long long)low, (long long)high));
    } else if (s->kind == FH_S_REGISTERS) {
        v.reg = (uint8_t)(s->first + (i - low));
    } else {
        v.number += i;
    }
    v.symbol = NULL;
    *r = v;
}

void fh_value_set(struct fh_asm *a, struct fh_value *r, const struct fh_value *set,
                  const struct fh_value *number, struct fh_span at) {
    struct fh_value v = set ? *set : *number;
    if (!set && v.kind == FH_V_NUMBER)
        v.number = 0;
    v.at = at;
    if (v.kind != FH_V_POISON && number_or_poison(a, &v, number)) {
        if (number->number < 0 || number->number > 62)
            poison(&v, FH_D_BAD_ARITHMETIC, "a number in braces is not 0 to 62");
        else
            v.number |= INT64_C(1) << number->number;
    }
    *r = v;
}

void fh_value_suffix(struct fh_asm *a, struct fh_value *r, const struct fh_value *x,
                     const struct fh_value *suffix, struct fh_span at) {
    struct fh_value v = *x;
    v.at = at;
    if ((x->kind != FH_V_REGISTER && x->kind != FH_V_CONSTANT) || x->suffix) {
        if (x->kind != FH_V_POISON)
            poison(&v, FH_D_SYNTAX,
                   fh_text(a, "`%.*s`\n after %s", (int)suffix->length, suffix->text,
                           fh_describe_value(a, x)));
    } else {
        v.suffix = suffix->text;
        v.suffix_length = suffix->length;
    }
    *r = v;
}

void fh_value_absolute(struct fh_asm *a, struct fh_value *r, const struct fh_value *x,
                       struct fh_span at) {
    struct fh_value v = *x;
    v.at = at;
    if (x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) {
        if (x->sign != FH_SIGN_NONE)
            poison(&v, FH_D_SYNTAX, "sign between the bars\n, write -|R0|");
        v.abs = true;
    } else if (x->kind != FH_V_POISON) {
        poison(&v, FH_D_NOT_A_NUMBER, fh_describe_value(a, x));
    }
    *r = v;
}

void fh_value_described(struct fh_value *r, struct fh_span at) {
    *r = (struct fh_value){.at = at};
    poison(r, FH_D_BAD_ADDRESS, fh_outside_of_root("cx", 2)->why);
}

void fh_value_constant(struct fh_asm *a, struct fh_value *r, const struct fh_value *bank,
                       const struct fh_value *offset, struct fh_span at) {
    struct fh_value v = {.at = at};
    *r = v;
    if (!number_or_poison(a, r, bank))
        return;
    if (bank->number < 0 || bank->number > 31) {
        poison(r, FH_D_BAD_ADDRESS, "constant banks are 0 to 31");
        return;
    }
    v.kind = FH_V_CONSTANT;
    v.bank = (uint8_t)bank->number;
    switch (offset->kind) {
    case FH_V_NUMBER: v.number = offset->number; break;
    case FH_V_REGISTER:
    case FH_V_SUM: {
        struct fh_value zero = {.kind = FH_V_NUMBER}, sum;
        if (!add(&sum, offset, &zero) || (sum.has_reg && sum.has_ureg)) {
            poison(&v, FH_D_BAD_ADDRESS, "a constant's index is one register and a number");
            break;
        }
        v.has_reg = sum.has_reg;
        v.has_ureg = sum.has_ureg;
        v.reg = sum.reg;
        v.ureg = sum.ureg;
        v.number = sum.number;
        if (sum.suffix)
            poison(&v, FH_D_BAD_ADDRESS, "a constant's index has no suffix");
        break;
    }
    default: (void)number_or_poison(a, &v, offset);
    }
    *r = v;
}

void fh_value_address(struct fh_asm *a, struct fh_value *r, const struct fh_value *descriptor,
                      const struct fh_value *sum, struct fh_span at) {
    struct fh_value v = {.kind = FH_V_ADDRESS, .at = at, .reg = FH_RZ, .ureg = FH_URZ};
    if (sum->kind == FH_V_NUMBER) {
        v.number = sum->number;
    } else if (sum->kind == FH_V_REGISTER || sum->kind == FH_V_SUM) {
        struct fh_value zero = {.kind = FH_V_NUMBER}, total;
        if (add(&total, sum, &zero)) {
            v.has_reg = total.has_reg;
            v.reg = total.has_reg ? total.reg : FH_RZ;
            v.has_ureg = total.has_ureg;
            v.ureg = total.has_ureg ? total.ureg : FH_URZ;
            v.number = total.number;
            v.suffix = total.suffix;
            v.suffix_length = total.suffix_length;
        } else {
            poison(&v, FH_D_BAD_ADDRESS, "it takes a register without a sign, and UR and a number");
        }
    } else if (sum->kind == FH_V_CONSTANT || sum->kind == FH_V_ADDRESS) {
        poison(&v, FH_D_BAD_ADDRESS, "load it into a register first");
    } else {
        (void)number_or_poison(a, &v, sum);
    }
    if (descriptor && v.kind == FH_V_ADDRESS) {
        v.desc = true;
        if (descriptor->kind != FH_V_REGISTER || descriptor->reg_kind != FH_K_UREG ||
            descriptor->sign || descriptor->suffix)
            poison(&v, FH_D_BAD_ADDRESS, "the descriptor is one uniform register");
        else if (v.has_ureg)
            poison(&v, FH_D_BAD_ADDRESS, "with a descriptor there is no second uniform register");
        v.ureg = descriptor->reg;
        v.has_ureg = true;
    }
    *r = v;
}
