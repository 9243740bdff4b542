/* expression.c - see expression.h. */
#include "expression.h"
#include "asm.h"
#include "asm_memory.h"
#include "names.h"
#include "open_code.h"

#include <string.h>

void fh_value_poison(struct fh_value *r, enum fh_diagnostic d, const char *problem) {
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

bool fh_size(struct fh_asm *a, const struct fh_value *v, const char *what, int64_t low,
             int64_t high, bool power, uint32_t *size) {
    int64_t n;
    *size = 0;
    if (!fh_value_number(a, v, &n))
        return false;
    if (v->large || n < low || n > high || (power && (n & (n - 1)) != 0)) {
        fh_report(a, FH_D_BAD_SIZE, v->at, what,
                  fh_text(a, "%s%lld to %lld", power ? "a power of two from " : "from ",
                          (long long)low, (long long)high),
                  fh_number_written(a, v));
        return false;
    }
    *size = (uint32_t)n;
    return true;
}

const char *fh_number_written(struct fh_asm *a, const struct fh_value *v) {
    return fh_text(a, v->large ? "%llu" : "%lld", (long long)v->number);
}

const char *fh_describe_value(struct fh_asm *a, const struct fh_value *v) {
    static const char *const kinds[] = {
        [FH_K_REG] = "the register",    [FH_K_UREG] = "the uniform register",
        [FH_K_PRED] = "the predicate",  [FH_K_UPRED] = "the uniform predicate",
        [FH_K_BARRIER] = "the barrier", [FH_K_SCOREBOARD] = "the scoreboard",
    };
    const char *text = fh_text_of(a, fh_source_text(&a->sources, v->at), v->at.end - v->at.begin);
    const char *what = "this";
    switch (v->kind) {
    case FH_V_NUMBER:
    case FH_V_REAL: what = "the number"; break;
    case FH_V_NAME: what = "the name"; break;
    case FH_V_REGISTER: what = kinds[v->reg_kind]; break;
    case FH_V_SUM: what = "the sum"; break;
    case FH_V_CONSTANT: what = "the constant"; break;
    case FH_V_ADDRESS: what = "the address"; break;
    case FH_V_SET: what = "the set"; break;
    case FH_V_STRING: what = "the string"; break;
    default: break;
    }
    return fh_text(a, "%s `%s`", what, text);
}

bool fh_number_or_poison(struct fh_asm *a, struct fh_value *r, const struct fh_value *x) {
    if (x->kind == FH_V_NUMBER)
        return true;
    struct fh_span at = x->at;
    if (x->kind == FH_V_POISON)
        *r = *x;
    else if (x->kind == FH_V_NAME)
        fh_value_poison(r, FH_D_NO_NAME, fh_text_of(a, x->text, x->length));
    else
        fh_value_poison(r, FH_D_NOT_A_NUMBER, fh_describe_value(a, x));
    r->at = at;
    return false;
}

void fh_set_number(struct fh_value *x, int64_t number, struct fh_span at) {
    *x = (struct fh_value){.kind = FH_V_NUMBER, .number = number, .at = at};
}

const char fh_too_far[] = "an offset is from -2^63 to 2^63 - 1";

static fh_integer exact(const struct fh_value *x) {
    return x->large ? (fh_integer)(uint64_t)x->number : x->number;
}

/* Gives the number x what the operation gives; its other properties stay. */
static void operate(struct fh_value *x, enum fh_operator op, fh_integer left, fh_integer right) {
    fh_integer n;
    const char *wrong = fh_operate(op, left, right, &n);
    x->number = (int64_t)(uint64_t)n;
    x->large = n > INT64_MAX;
    if (wrong)
        fh_value_poison(x, FH_D_BAD_ARITHMETIC, wrong);
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
    } else if (fh_number_or_poison(a, x, x)) {
        x->decimal = x->decimal && op == FH_OP_NEG;
        x->shared = 0;
        x->negative = !x->negative;
        x->at = at;
        operate(x, op, exact(x), 0);
    }
}

/* ---------------------------------------------------------------- sums */

bool fh_value_as_sum(struct fh_value *x) {
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

/* The variable of shared memory whose address a sum or difference still is. */
static uint16_t shared_of(enum fh_operator op, const struct fh_value *x, const struct fh_value *y) {
    const bool one = !x->shared || !y->shared;
    if (op == FH_OP_ADD)
        return one ? (uint16_t)(x->shared | y->shared) : 0;
    return op == FH_OP_SUB && !y->shared ? x->shared : 0;
}

/* A register becomes a sum; a constant or a label moves. */
static bool add_number(struct fh_value *x, fh_integer number) {
    bool moves = x->kind == FH_V_NAME || (x->kind == FH_V_CONSTANT && x->sign == FH_SIGN_NONE);
    if (!moves && !fh_value_as_sum(x))
        return false;
    fh_integer sum = x->number + number;
    x->number = (int64_t)sum;
    if (sum != x->number)
        fh_value_poison(x, FH_D_BAD_ARITHMETIC, fh_too_far);
    return true;
}

/* x + y, both registers or sums of registers and numbers. */
static bool add_registers(struct fh_value *x, const struct fh_value *y) {
    struct fh_value sum = *y;
    if (!fh_value_as_sum(x) || !fh_value_as_sum(&sum) || (sum.has_reg && x->has_reg) ||
        (sum.has_ureg && x->has_ureg))
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
    fh_integer number = exact(x);
    *x = *y;
    return add_number(x, number);
}

/* "kernel + label@srel" is the label: the sum says whose it is. */
static void value_within(struct fh_asm *a, struct fh_value *code, const struct fh_value *label) {
    bool own = fh_is_own_name(a, code->text, code->length);
    int64_t number = (int64_t)((uint64_t)label->number + (uint64_t)code->number);
    *code = *label;
    code->number = number;
    if (!own)
        fh_value_poison(code, FH_D_BAD_ARITHMETIC,
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

static inline bool is_small(const struct fh_value *v) {
    return v->kind == FH_V_NUMBER && !v->large && !v->shared && v->number == (int32_t)v->number;
}

/* The operations that indices are made of, of numbers for which they cannot overflow 64 bits. */
static inline bool calculate_small(enum fh_operator op, int64_t x, int64_t y, int64_t *number) {
    switch (op) {
    case FH_OP_ADD: *number = x + y; return true;
    case FH_OP_SUB: *number = x - y; return true;
    case FH_OP_MUL: *number = x * y; return true;
    case FH_OP_AND: *number = x & y; return true;
    default: return false;
    }
}

void fh_value_binary(struct fh_asm *a, struct fh_value *x, enum fh_operator op,
                     const struct fh_value *y, struct fh_span at) {
    const struct fh_value *stray;
    int64_t small;
    if (is_small(x) && is_small(y) && calculate_small(op, x->number, y->number, &small)) {
        fh_set_number(x, small, at);
        return;
    }
    if (x->kind == FH_V_NUMBER && y->kind == FH_V_NUMBER) {
        const fh_integer left = exact(x);
        const uint16_t shared = shared_of(op, x, y);
        fh_set_number(x, 0, at);
        operate(x, op, left, exact(y));
        x->shared = shared;
    } else if (x->kind == FH_V_NUMBER && (op == FH_OP_LAND || op == FH_OP_LOR) &&
               (x->number != 0) == (op == FH_OP_LOR)) { /* y does not matter */
        fh_set_number(x, op == FH_OP_LOR, at);
    } else if (x->kind == FH_V_POISON || y->kind == FH_V_POISON) {
        if (x->kind != FH_V_POISON)
            *x = *y;
    } else if (op == FH_OP_ADD && x->kind == FH_V_NAME && y->kind == FH_V_NAME && y->srel) {
        value_within(a, x, y);
        x->at = at;
    } else if (is_operand(x) && is_operand(y) && (op == FH_OP_SUB || op == FH_OP_OR)) {
        fh_value_poison(x, FH_D_BAD_ARITHMETIC,
                        op == FH_OP_SUB ? "`-` between two operands: is a `,` missing before it?"
                                        : "`|` between two operands: is a `,` missing before it?");
        x->at = at;
    } else if ((stray = stray_name(op, x, y))) {
        (void)fh_number_or_poison(a, x, stray);
    } else if (op == FH_OP_ADD || (op == FH_OP_SUB && y->kind == FH_V_NUMBER)) {
        const uint16_t shared = shared_of(op, x, y);
        if (!add(x, op, y))
            fh_value_poison(x, FH_D_BAD_ADDRESS,
                            "a sum has at most one register, one uniform register and a number");
        x->shared = shared;
        x->at = at;
    } else if (fh_number_or_poison(a, x, x)) {
        (void)fh_number_or_poison(a, x, y);
    }
}

void fh_value_select(struct fh_value *c, const struct fh_value *x, const struct fh_value *y,
                     struct fh_span at) {
    if (c->kind == FH_V_NUMBER) {
        *c = c->number ? *x : *y;
    } else if (c->kind != FH_V_POISON) {
        fh_value_poison(c, FH_D_BAD_ARITHMETIC, "the condition of ?: is not a number");
        c->at = at;
    }
}
