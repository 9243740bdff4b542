/*
 * expr.c - what expressions and operands mean. Numbers are exact, from -2^63 to 2^64 - 1, and what
 * does not fit is an error; ~ & | ^ are about 64 bits, signed ones if no operand is 2^63 or more.
 * Registers take part in sums only (addresses) and may carry a sign; names that are not known yet
 * (labels) may have a number added. What is added to either is below 2^63. What cannot be
 * calculated becomes poison that keeps its reason, which is reported only if the value is used:
 * `n && 8/n` is fine for n = 0.
 */
#include "asm.h"

#include <string.h>

static void poison(struct fh_value *r, enum fh_diagnostic d, const char *problem) {
    r->kind = FH_V_POISON;
    r->problem_id = (uint8_t)d;
    r->problem = problem;
}

/* A name that stands for no number, where one is needed. */
static void no_number(struct fh_asm *a, const char *name, size_t length, struct fh_span at) {
    const char *what = fh_table_find(&a->labels, name, length)    ? "the label"
                       : fh_table_find(&a->globals, name, length) ? "the address of"
                                                                  : NULL;
    if (what)
        fh_report(a, FH_D_NOT_A_NUMBER, at, fh_text(a, "%s `%.*s`", what, (int)length, name), NULL,
                  NULL);
    else
        fh_unknown_name(a, name, length, at);
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
        no_number(a, v->problem, strlen(v->problem), v->at);
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
        no_number(a, v->text, v->length, v->at);
    else
        fh_report(a, FH_D_NOT_A_NUMBER, v->at, fh_describe_value(a, v), NULL, NULL);
    return false;
}

const char *fh_number_written(struct fh_asm *a, const struct fh_value *v) {
    return fh_text(a, v->large ? "%llu" : "%lld", (long long)v->number);
}

/* Is x a number? If not, r takes over its poison, or becomes poison for that. */
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

static void set_number(struct fh_value *x, int64_t number, struct fh_span at) {
    *x = (struct fh_value){.kind = FH_V_NUMBER, .number = number, .at = at};
}

/* Wide enough for every sum, product and shifted number but those that are too large anyway. */
typedef __int128 wide;

static const char too_large[] = "the result is not from -2^63 to 2^64 - 1";
static const char too_far[] = "an offset is from -2^63 to 2^63 - 1";

static wide exact(const struct fh_value *x) {
    return x->large ? (wide)(uint64_t)x->number : x->number;
}

/* Gives the number x the value n; its other properties stay. */
static void set_exact(struct fh_value *x, wide n) {
    x->number = (int64_t)(uint64_t)n;
    x->large = n > INT64_MAX;
    if (n < INT64_MIN || n > UINT64_MAX)
        poison(x, FH_D_BAD_ARITHMETIC, too_large);
}

/* Bits that come from x, or from x and y, as a number: signed ones if both are. */
static wide of_bits(uint64_t bits, const struct fh_value *x, const struct fh_value *y) {
    return x->large || y->large ? (wide)bits : (int64_t)bits;
}

void fh_value_unary(struct fh_asm *a, struct fh_value *x, enum fh_operator op, struct fh_span at) {
    static const uint8_t signs[] = {
        [FH_OP_NEG] = FH_SIGN_MINUS, [FH_OP_INV] = FH_SIGN_TILDE, [FH_OP_NOT] = FH_SIGN_NOT};
    if ((x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) && x->sign == FH_SIGN_NONE) {
        x->sign = signs[op];
        x->at = at;
    } else if (x->kind == FH_V_REAL && op == FH_OP_NEG) {
        x->negative = !x->negative;
        x->at = at;
    } else if (number_or_poison(a, x, x)) {
        x->decimal = x->decimal && op == FH_OP_NEG;
        x->negative = !x->negative;
        x->at = at;
        set_exact(x, op == FH_OP_NEG   ? -exact(x)
                     : op == FH_OP_INV ? of_bits(~(uint64_t)x->number, x, x)
                                       : x->number == 0);
    }
}

/* ---------------------------------------------------------------- sums */

/* Makes a register a sum of one; false if it cannot be in a sum. */
static bool as_sum(struct fh_value *x) {
    if (x->kind == FH_V_SUM)
        return true;
    if (x->kind != FH_V_REGISTER)
        return false;
    x->kind = FH_V_SUM;
    x->has_reg = x->reg_kind == FH_K_REG;
    x->has_ureg = x->reg_kind == FH_K_UREG;
    x->ureg = x->has_ureg ? x->reg : FH_URZ;
    x->number = 0;
    return (x->has_reg || x->has_ureg) && !x->sign && !(x->has_ureg && x->suffix);
}

/* A register becomes a sum; a constant or a label moves. */
static bool add_number(struct fh_value *x, wide number) {
    bool moves = x->kind == FH_V_NAME || (x->kind == FH_V_CONSTANT && x->sign == FH_SIGN_NONE);
    if (!moves && !as_sum(x))
        return false;
    wide sum = x->number + number;
    x->number = (int64_t)sum;
    if (sum != x->number)
        poison(x, FH_D_BAD_ARITHMETIC, too_far);
    return true;
}

/* x + y, both registers or sums of registers and numbers. */
static bool add_registers(struct fh_value *x, const struct fh_value *y) {
    struct fh_value sum = *y;
    if (!as_sum(x) || !as_sum(&sum) || (sum.has_reg && x->has_reg) || (sum.has_ureg && x->has_ureg))
        return false;
    if (sum.has_reg) {
        x->has_reg = true;
        x->reg = sum.reg;
        x->suffix = sum.suffix;
        x->suffix_length = sum.suffix_length;
    }
    if (sum.has_ureg) {
        x->has_ureg = true;
        x->ureg = sum.ureg;
    }
    return add_number(x, sum.number);
}

/* x + y or x - y where not both are numbers. */
static bool add(struct fh_value *x, enum fh_operator op, const struct fh_value *y) {
    if (op == FH_OP_SUB)
        return add_number(x, -exact(y));
    if (y->kind == FH_V_NUMBER)
        return add_number(x, exact(y));
    if (x->kind != FH_V_NUMBER)
        return add_registers(x, y);
    wide number = exact(x);
    *x = *y;
    return add_number(x, number);
}

/* x op y in *r; what is wrong, or NULL. */
static const char *calculate(enum fh_operator op, const struct fh_value *x_value,
                             const struct fh_value *y_value, wide *r) {
    const wide x = exact(x_value), y = exact(y_value);
    const uint64_t bits_x = (uint64_t)x, bits_y = (uint64_t)y;
    switch (op) {
    case FH_OP_ADD: *r = x + y; break;
    case FH_OP_SUB: *r = x - y; break;
    case FH_OP_MUL:
        if (__builtin_mul_overflow(x, y, r))
            return too_large;
        break;
    case FH_OP_DIV:
    case FH_OP_MOD:
        if (y == 0)
            return "division by zero";
        *r = op == FH_OP_DIV ? x / y : x % y;
        break;
    case FH_OP_SHL:
    case FH_OP_SHR:
        if (y < 0 || y > 63)
            return "the distance of a shift is from 0 to 63";
        *r = op == FH_OP_SHL ? x * ((wide)1 << y) : x >> y;
        break;
    case FH_OP_LT: *r = x < y; break;
    case FH_OP_LE: *r = x <= y; break;
    case FH_OP_GT: *r = x > y; break;
    case FH_OP_GE: *r = x >= y; break;
    case FH_OP_EQ: *r = x == y; break;
    case FH_OP_NE: *r = x != y; break;
    case FH_OP_AND: *r = of_bits(bits_x & bits_y, x_value, y_value); break;
    case FH_OP_XOR: *r = of_bits(bits_x ^ bits_y, x_value, y_value); break;
    case FH_OP_OR: *r = of_bits(bits_x | bits_y, x_value, y_value); break;
    case FH_OP_LAND: *r = x && y; break;
    default: *r = x || y; break;
    }
    return NULL;
}

/* "kernel + label@srel" is the label: the sum says whose it is. */
static void value_within(struct fh_asm *a, struct fh_value *code, const struct fh_value *label) {
    const struct fh_draft *d = &a->draft;
    bool own =
        d->open && code->length == d->name_length && memcmp(code->text, d->name, code->length) == 0;
    int64_t number = (int64_t)((uint64_t)label->number + (uint64_t)code->number);
    *code = *label;
    code->number = number;
    if (!own)
        poison(code, FH_D_BAD_ARITHMETIC,
               "a label with `@srel` is added to the name of its own code");
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

/* What only an instruction has, and no number. */
static bool is_operand(const struct fh_value *v) {
    return v->kind == FH_V_REGISTER || v->kind == FH_V_CONSTANT || v->kind == FH_V_ADDRESS;
}

void fh_value_binary(struct fh_asm *a, struct fh_value *x, enum fh_operator op,
                     const struct fh_value *y, struct fh_span at) {
    const struct fh_value *stray;
    if (x->kind == FH_V_NUMBER && y->kind == FH_V_NUMBER) {
        wide number = 0;
        const char *wrong = calculate(op, x, y, &number);
        set_number(x, 0, at);
        set_exact(x, number);
        if (wrong)
            poison(x, FH_D_BAD_ARITHMETIC, wrong);
    } else if (x->kind == FH_V_NUMBER && (op == FH_OP_LAND || op == FH_OP_LOR) &&
               (x->number != 0) == (op == FH_OP_LOR)) { /* y does not matter */
        set_number(x, op == FH_OP_LOR, at);
    } else if (x->kind == FH_V_POISON || y->kind == FH_V_POISON) {
        if (x->kind != FH_V_POISON)
            *x = *y;
    } else if (op == FH_OP_ADD && x->kind == FH_V_NAME && y->kind == FH_V_NAME && y->srel) {
        value_within(a, x, y);
        x->at = at;
    } else if (is_operand(x) && is_operand(y) && (op == FH_OP_SUB || op == FH_OP_OR)) {
        poison(x, FH_D_BAD_ARITHMETIC,
               op == FH_OP_SUB ? "`-` between two operands: is a `,` missing before it?"
                               : "`|` between two operands: is a `,` missing before it?");
        x->at = at;
    } else if ((stray = stray_name(op, x, y))) {
        (void)number_or_poison(a, x, stray);
    } else if (op == FH_OP_ADD || (op == FH_OP_SUB && y->kind == FH_V_NUMBER)) {
        if (!add(x, op, y))
            poison(x, FH_D_BAD_ADDRESS,
                   "a sum has at most one register, one uniform register and a number");
        x->at = at;
    } else if (number_or_poison(a, x, x)) {
        (void)number_or_poison(a, x, y);
    }
}

void fh_value_select(struct fh_value *c, const struct fh_value *x, const struct fh_value *y,
                     struct fh_span at) {
    if (c->kind == FH_V_NUMBER) {
        *c = c->number ? *x : *y;
    } else if (c->kind != FH_V_POISON) {
        poison(c, FH_D_BAD_ARITHMETIC, "the condition of ?: is not a number");
        c->at = at;
    }
}

/* ---------------------------------------------------------------- addresses */

void fh_value_srel(struct fh_value *x, struct fh_span at) {
    x->at = at;
    x->srel = true;
    if (x->kind != FH_V_NAME && x->kind != FH_V_POISON)
        poison(x, FH_D_BAD_ARITHMETIC, "`@srel` stands behind a label");
}

void fh_value_half(struct fh_asm *a, struct fh_value *x, const struct fh_value *half,
                   struct fh_span at) {
    bool high = half->text[half->length - 1] == 'i';
    if (x->kind == FH_V_NAME) {
        x->at = at;
        if (x->half)
            poison(x, FH_D_BAD_ARITHMETIC, "half of half an address");
        x->half = high ? FH_HALF_HIGH : FH_HALF_LOW;
    } else if (number_or_poison(a, x, x)) {
        uint64_t number = (uint64_t)x->number;
        set_number(x, (int64_t)(high ? number >> 32 : number & UINT32_MAX), at);
    }
}

void fh_value_generic(struct fh_value *x, struct fh_span at) {
    x->at = at;
    if (x->kind == FH_V_NAME && !x->half)
        x->generic = true;
    else if (x->kind != FH_V_POISON)
        poison(x, FH_D_BAD_ARITHMETIC, "`generic()` takes the name of a variable");
}

/* ---------------------------------------------------------------- operands */

void fh_value_index(struct fh_asm *a, struct fh_value *x, const struct fh_value *index,
                    struct fh_span at) {
    const struct fh_symbol *s = x->symbol;
    if (!number_or_poison(a, x, index))
        return;
    int64_t i = index->number;
    int64_t low = s->kind == FH_S_REGISTERS ? s->value : 0;
    int64_t high = low + (int64_t)s->count - 1;
    x->at = at;
    x->symbol = NULL;
    if (x->suffix) {
        poison(x, FH_D_BAD_ADDRESS, "the index comes before the suffix");
    } else if (index->large || i < low || i > high) {
        poison(x, FH_D_BAD_INDEX,
               fh_text(a, "%s\n`%.*s`, which has %lld to %lld", fh_number_written(a, index),
                       (int)s->length, s->name, (long long)low, (long long)high));
    } else if (s->kind == FH_S_REGISTERS) {
        x->reg = (uint8_t)(s->first + (i - low));
    } else {
        x->number += i;
    }
}

void fh_value_set(struct fh_asm *a, struct fh_value *x, const struct fh_value *more,
                  struct fh_span at) {
    const struct fh_value *last = more ? more : x;
    if (x->kind == FH_V_POISON || !number_or_poison(a, x, last))
        return;
    int64_t number = last->number;
    set_number(x, more ? x->number : 0, at);
    if (number < 0 || number > 62)
        poison(x, FH_D_BAD_ARITHMETIC, "a number in braces is not 0 to 62");
    else
        x->number |= INT64_C(1) << number;
}

void fh_value_suffix(struct fh_asm *a, struct fh_value *x, const struct fh_value *suffix,
                     struct fh_span at) {
    if ((x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) && !x->suffix) {
        x->suffix = suffix->text;
        x->suffix_length = suffix->length;
    } else if (x->kind != FH_V_POISON) {
        poison(x, FH_D_SYNTAX,
               fh_text(a, "`%.*s`\n after %s", (int)suffix->length, suffix->text,
                       fh_describe_value(a, x)));
    }
    x->at = at;
}

void fh_value_absolute(struct fh_asm *a, struct fh_value *x, struct fh_span at) {
    if (x->kind == FH_V_REGISTER || x->kind == FH_V_CONSTANT) {
        if (x->sign != FH_SIGN_NONE)
            poison(x, FH_D_SYNTAX, "sign between the bars\n, write -|R0|");
        x->abs = true;
    } else if (x->kind != FH_V_POISON) {
        poison(x, FH_D_NOT_A_NUMBER, fh_describe_value(a, x));
    }
    x->at = at;
}

static void wrong_address(struct fh_value *x, const char *problem, struct fh_span at) {
    poison(x, FH_D_BAD_ADDRESS, problem);
    x->at = at;
}

/* Whether x can be the place in brackets: a sum, or a number that an offset can be; else poison. */
static bool is_offset(struct fh_asm *a, struct fh_value *x, bool sum, struct fh_span at) {
    if (sum)
        return true;
    if (!number_or_poison(a, x, x))
        return false;
    if (x->large) {
        poison(x, FH_D_BAD_ARITHMETIC, too_far);
        x->at = at;
    }
    return !x->large;
}

void fh_value_described(struct fh_value *x, struct fh_span at) {
    wrong_address(x, fh_outside_of_root("cx", 2)->why, at);
}

void fh_value_constant(struct fh_asm *a, struct fh_value *x, const struct fh_value *bank,
                       struct fh_span at) {
    bool indexed = x->kind == FH_V_REGISTER || x->kind == FH_V_SUM;
    if (!number_or_poison(a, x, bank))
        return;
    if (bank->number < 0 || bank->number > 31) {
        wrong_address(x, "constant banks are 0 to 31", at);
    } else if (indexed && (!as_sum(x) || (x->has_reg && x->has_ureg))) {
        wrong_address(x, "a constant's index is one register and a number", at);
    } else if (indexed && x->suffix) {
        wrong_address(x, "a constant's index has no suffix", at);
    } else if (is_offset(a, x, indexed, at)) {
        x->kind = FH_V_CONSTANT;
        x->bank = (uint8_t)bank->number;
        x->symbol = NULL;
        x->at = at;
    }
}

static void add_descriptor(struct fh_value *x, const struct fh_value *descriptor,
                           struct fh_span at) {
    if (descriptor->kind != FH_V_REGISTER || descriptor->reg_kind != FH_K_UREG ||
        descriptor->sign || descriptor->suffix)
        wrong_address(x, "the descriptor is one uniform register", at);
    else if (x->has_ureg)
        wrong_address(x, "with a descriptor there is no second uniform register", at);
    x->desc = true;
    x->ureg = descriptor->reg;
    x->has_ureg = true;
}

void fh_value_address(struct fh_asm *a, struct fh_value *x, const struct fh_value *descriptor,
                      struct fh_span at) {
    bool registers = x->kind == FH_V_REGISTER || x->kind == FH_V_SUM;
    if (x->kind == FH_V_CONSTANT || x->kind == FH_V_ADDRESS) {
        wrong_address(x, "load it into a register first", at);
    } else if (registers && !as_sum(x)) {
        wrong_address(x, "it takes a register without a sign, and UR and a number", at);
    } else if (is_offset(a, x, registers, at)) {
        x->kind = FH_V_ADDRESS;
        if (!x->has_reg)
            x->reg = FH_RZ;
        if (!x->has_ureg)
            x->ureg = FH_URZ;
        x->symbol = NULL;
        x->at = at;
        if (descriptor)
            add_descriptor(x, descriptor, at);
    }
}
