/*
 * query_operators.c - C's operators over values of lanes, and their like modulo q. All is computed
 * in unsigned numbers of 64 bits, where overflow is what the hardware does.
 */
#include "query_state.h"

static uint64_t of(const struct fh_query_value *value, unsigned lane) {
    return value->values[value->per_lane ? lane : 0];
}

/* ---------------------------------------------------------------- modulo q */

static uint64_t product(uint64_t a, uint64_t b, uint64_t q) {
    return (uint64_t)((unsigned __int128)a * b % q);
}

static uint64_t sum(uint64_t a, uint64_t b, uint64_t q) {
    return a >= q - b ? a - (q - b) : a + b;
}

static uint64_t difference(uint64_t a, uint64_t b, uint64_t q) {
    return a >= b ? a - b : q - b + a;
}

/* The inverse of b; 0 if it has none and q is not 1. */
static uint64_t inverse(uint64_t b, uint64_t q) {
    uint64_t r = q, next = b, t = 0, u = 1 % q; /* t and u modulo q */
    while (next) {
        const uint64_t k = r / next, rest = r % next;
        const uint64_t v = difference(t, product(k % q, u, q), q);
        r = next;
        next = rest;
        t = u;
        u = v;
    }
    return r == 1 ? t : 0;
}

static uint64_t remainder_of(const struct fh_query_value *value, unsigned lane, uint64_t q) {
    const uint64_t x = of(value, lane);
    if (value->is_signed && x >> 63)
        return difference(0, (0 - x) % q, q);
    return x % q;
}

bool fh_query_modulo(struct fh_query_state *s, const struct fh_query_node *node,
                     const struct fh_query_value *q, struct fh_query_value *value) {
    struct fh_query_value result = {.per_lane = value->per_lane || q->per_lane,
                                    .bits = 64,
                                    .truth = value->truth,
                                    .lanes = UINT32_MAX};
    if (value->form)
        return fh_query_fail(s, node, "a floating-point number has no remainder");
    result.lanes &= value->per_lane ? value->lanes : UINT32_MAX;
    result.lanes &= q->per_lane ? q->lanes : UINT32_MAX;
    for (unsigned i = 0; i < (result.per_lane ? FHEC_WARP_LANES : 1u); i++)
        if (result.lanes >> i & 1 && of(q, i))
            result.values[i] = remainder_of(value, i, of(q, i));
    *value = result;
    return true;
}

/* 2^n. */
static uint64_t power_of_two(uint64_t n, uint64_t q) {
    uint64_t power = 1 % q, base = 2 % q;
    for (; n; n >>= 1) {
        if (n & 1)
            power = product(power, base, q);
        base = product(base, base, q);
    }
    return power;
}

/* Both are remainders, but for the distance of a shift. False: it has no value. */
static bool modular(enum fh_operator op, uint64_t x, uint64_t y, uint64_t q, uint64_t *value) {
    switch (op) {
    case FH_OP_SHL: *value = product(x, power_of_two(y, q), q); return true;
    case FH_OP_ADD: *value = sum(x, y, q); return true;
    case FH_OP_SUB: *value = difference(x, y, q); return true;
    case FH_OP_MUL: *value = product(x, y, q); return true;
    default: /* FH_OP_DIV */
        *value = inverse(y, q);
        if (!*value && q != 1)
            return false;
        *value = product(x, *value, q);
        return true;
    }
}

/* ---------------------------------------------------------------- plain */

static bool less(uint64_t x, uint64_t y, bool is_signed) {
    const uint64_t flip = is_signed ? UINT64_C(1) << 63 : 0;
    return (x ^ flip) < (y ^ flip);
}

static uint64_t compare(enum fh_operator op, uint64_t x, uint64_t y, bool is_signed) {
    switch (op) {
    case FH_OP_LT: return less(x, y, is_signed);
    case FH_OP_GT: return less(y, x, is_signed);
    case FH_OP_LE: return !less(y, x, is_signed);
    case FH_OP_GE: return !less(x, y, is_signed);
    case FH_OP_EQ: return x == y;
    default: return x != y;
    }
}

/* Quotient or remainder, towards zero; y is not 0. */
static uint64_t divide(enum fh_operator op, uint64_t x, uint64_t y, bool is_signed) {
    const bool minus_x = is_signed && x >> 63, minus_y = is_signed && y >> 63;
    const uint64_t a = minus_x ? 0 - x : x, b = minus_y ? 0 - y : y;
    if (op == FH_OP_MOD)
        return minus_x ? 0 - a % b : a % b;
    return minus_x != minus_y ? 0 - a / b : a / b;
}

static uint64_t shift(enum fh_operator op, uint64_t x, unsigned by, bool is_signed) {
    if (op == FH_OP_SHL)
        return x << by;
    return x >> by | (is_signed && x >> 63 ? ~(UINT64_MAX >> by) : 0);
}

static uint64_t plain(enum fh_operator op, uint64_t x, uint64_t y) {
    switch (op) {
    case FH_OP_ADD: return x + y;
    case FH_OP_SUB: return x - y;
    case FH_OP_MUL: return x * y;
    case FH_OP_AND: return x & y;
    case FH_OP_XOR: return x ^ y;
    default: return x | y;
    }
}

/* One lane of plain numbers, already of the common type. The sentence is what is wrong. */
static const char *calculate(enum fh_operator op, uint64_t x, uint64_t y,
                             const struct fh_query_value *type, uint64_t *value) {
    if (op == FH_OP_DIV || op == FH_OP_MOD) {
        if (!y)
            return "division by zero";
        *value = divide(op, x, y, type->is_signed);
    } else if (fh_query_is_shift(op)) {
        if (y >= type->bits)
            return "a shift by more than the width";
        *value = shift(op, x, (unsigned)y, type->is_signed);
    } else {
        *value = plain(op, x, y);
    }
    return NULL;
}

/* ---------------------------------------------------------------- lanes */

struct fh_query_value fh_query_common(enum fh_operator op, const struct fh_query_value *x,
                                      const struct fh_query_value *y) {
    struct fh_query_value type = {.bits = x->bits, .is_signed = x->is_signed};
    if (fh_query_is_shift(op))
        return type;
    type.bits = x->bits > y->bits ? x->bits : y->bits;
    type.is_signed = (x->is_signed || x->bits < type.bits) && (y->is_signed || y->bits < type.bits);
    return type;
}

static struct fh_query_value converted(const struct fh_query_value *value,
                                       const struct fh_query_value *type) {
    struct fh_query_value same = *value;
    same.bits = type->bits;
    same.is_signed = type->is_signed;
    fh_query_reduce(&same);
    return same;
}

/* Which lanes the result has a value for. */
static void spread(struct fh_query_value *result, const struct fh_query_value *x) {
    result->per_lane |= x->per_lane;
    result->lanes &= x->per_lane ? x->lanes : UINT32_MAX;
}

static bool modular_lanes(struct fh_query_state *s, const struct fh_query_node *node,
                          const struct fh_query_value *x, const struct fh_query_value *y,
                          const struct fh_query_value *q, struct fh_query_value *result) {
    spread(result, q);
    result->bits = 64;
    for (unsigned i = 0; i < (result->per_lane ? FHEC_WARP_LANES : 1u); i++) {
        if (result->lanes >> i & 1 &&
            !modular(node->op, of(x, i), of(y, i), of(q, i), &result->values[i]))
            return fh_query_fail_in(s, node, result->per_lane, i, "there is no inverse");
    }
    return true;
}

static bool is_modular(enum fh_operator op) {
    return op == FH_OP_ADD || op == FH_OP_SUB || op == FH_OP_MUL || op == FH_OP_DIV ||
           op == FH_OP_SHL;
}

static bool both(struct fh_query_state *s, const struct fh_query_node *node,
                 const struct fh_query_value *x, const struct fh_query_value *y,
                 const struct fh_query_value *q, struct fh_query_value *result) {
    *result = fh_query_common(node->op, x, y);
    result->lanes = UINT32_MAX;
    spread(result, x);
    spread(result, y);
    if (q && is_modular(node->op))
        return modular_lanes(s, node, x, y, q, result);
    const struct fh_query_value type = *result, a = converted(x, &type),
                                b = fh_query_is_shift(node->op) ? *y : converted(y, &type);
    for (unsigned i = 0; i < (result->per_lane ? FHEC_WARP_LANES : 1u); i++) {
        const char *wrong = NULL;
        if (!(result->lanes >> i & 1))
            continue;
        if (fh_query_is_comparison(node->op))
            result->values[i] = compare(node->op, of(&a, i), of(&b, i), type.is_signed);
        else
            wrong = calculate(node->op, of(&a, i), of(&b, i), &type, &result->values[i]);
        if (wrong)
            return fh_query_fail_in(s, node, result->per_lane, i, wrong);
    }
    result->truth = fh_query_is_comparison(node->op);
    if (result->truth) {
        result->bits = 32;
        result->is_signed = true;
    }
    fh_query_reduce(result);
    return true;
}

/* ---------------------------------------------------------------- constants */

static fh_integer integer_of(const struct fh_query_value *value) {
    return value->is_signed ? (fh_integer)(int64_t)value->values[0] : value->values[0];
}

/* Of constants: exact, whatever widths they would have. */
static bool constant(struct fh_query_state *s, const struct fh_query_node *node, fh_integer x,
                     fh_integer y, enum fh_query_exact exact, struct fh_query_value *value) {
    fh_integer n;
    const char *wrong = fh_operate(node->op, x, y, &n);
    if (wrong)
        return fh_query_fail(s, node, "%s", wrong);
    const bool truth = node->op == FH_OP_NOT || fh_query_is_comparison(node->op);
    const bool narrow = n >= INT32_MIN && n <= (exact == FH_QUERY_BITS ? UINT32_MAX : INT32_MAX);
    *value = fh_query_one((uint64_t)n, narrow ? 32 : 64, n <= (narrow ? INT32_MAX : INT64_MAX));
    value->truth = truth;
    value->exact = exact;
    return true;
}

static enum fh_query_exact both_exact(const struct fh_query_value *x,
                                      const struct fh_query_value *y) {
    return !x->exact || !y->exact ? FH_QUERY_TYPED : x->exact > y->exact ? x->exact : y->exact;
}

bool fh_query_apply(struct fh_query_state *s, const struct fh_query_node *node,
                    const struct fh_query_value *x, const struct fh_query_value *y,
                    const struct fh_query_value *q, struct fh_query_value *value) {
    const enum fh_query_exact exact = q ? FH_QUERY_TYPED : both_exact(x, y);
    if (exact)
        return constant(s, node, integer_of(x), integer_of(y), exact, value);
    if (x->form || y->form)
        return fh_query_floats(s, node, x, y, value) && (!q || fh_query_modulo(s, node, q, value));
    if (!both(s, node, x, y, q, value))
        return false;
    return !q || is_modular(node->op) || fh_query_modulo(s, node, q, value);
}

bool fh_query_apply_one(struct fh_query_state *s, const struct fh_query_node *node,
                        const struct fh_query_value *q, struct fh_query_value *value) {
    if (value->exact && !q)
        return constant(s, node, integer_of(value), 0, value->exact, value);
    value->exact = FH_QUERY_TYPED;
    if (value->form)
        return fh_query_float(s, node, value) && (!q || fh_query_modulo(s, node, q, value));
    for (unsigned i = 0; i < (value->per_lane ? FHEC_WARP_LANES : 1u); i++) {
        uint64_t *x = &value->values[i];
        if (!(value->lanes >> i & 1))
            continue;
        switch (node->op) {
        case FH_OP_NEG: *x = q ? difference(0, *x, of(q, i)) % of(q, i) : 0 - *x; break;
        case FH_OP_INV: *x = ~*x; break;
        case FH_OP_NOT: *x = !*x; break;
        default: break;
        }
    }
    if (node->op == FH_OP_NOT) {
        value->bits = 32;
        value->is_signed = true;
    }
    value->truth = node->op == FH_OP_NOT;
    fh_query_reduce(value);
    return !q || node->op == FH_OP_NEG || node->op == FH_OP_PLUS ||
           fh_query_modulo(s, node, q, value);
}
