/*
 * query_floats.c - casts, and what there is of floating-point numbers. Values hold their bits.
 */
#include <math.h>
#include <string.h>

#include "query_state.h"

/* ---------------------------------------------------------------- bits */

/* A half has 5 bits of exponent, counted from -15, and 10 of fraction. */
static double of_half(uint64_t bits) {
    const int exponent = (int)(bits >> 10 & 31);
    double value = (double)(bits & 0x3ff) / 1024;
    if (exponent == 31)
        value = bits & 0x3ff ? (double)NAN : (double)INFINITY;
    else
        value = ldexp(exponent ? 1 + value : value, (exponent ? exponent : 1) - 15);
    return bits >> 15 & 1 ? -value : value;
}

/* To the nearest half, ties to even. */
static uint64_t to_half(double value) {
    const uint64_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;
    if (isnan(value))
        return 0x7fff;
    if (size >= 65520)
        return sign | 0x7c00;
    if (size < ldexp(1, -14))
        return sign | (uint64_t)nearbyint(ldexp(size, 24));
    (void)frexp(size, &exponent); /* size = f 2^exponent, f in [1/2, 1) */
    return (sign | (uint64_t)(exponent + 13) << 10) +
           (uint64_t)nearbyint(ldexp(size, 11 - exponent));
}

static double of_bits(uint64_t bits, unsigned width) {
    double number;
    float single;
    const uint32_t low = (uint32_t)bits;
    if (width == 16)
        return of_half(bits & 0xffff);
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    return width == 32 ? (double)single : number;
}

static uint64_t to_bits(double value, unsigned width) {
    const float single = (float)value;
    uint32_t low;
    uint64_t bits;
    if (width == 16)
        return to_half(value);
    memcpy(&low, &single, sizeof low);
    memcpy(&bits, &value, sizeof bits);
    return width == 32 ? low : bits;
}

static double integer(const struct fh_query_value *value, unsigned lane) {
    const uint64_t x = value->values[value->per_lane ? lane : 0];
    return value->is_signed && x >> 63 ? -(double)(0 - x) : (double)x;
}

static double number(const struct fh_query_value *value, unsigned lane) {
    return value->form == FH_QUERY_FLOAT
               ? of_bits(value->values[value->per_lane ? lane : 0], value->bits)
               : integer(value, lane);
}

/* ---------------------------------------------------------------- casts */

static unsigned slots(const struct fh_query_value *value) {
    return value->per_lane ? FHEC_WARP_LANES : 1;
}

/* Towards zero, as C does; what does not fit is an error. */
static bool truncate_all(struct fh_query_state *s, const struct fh_query_node *node,
                         struct fh_query_value *value) {
    const bool is_signed = (unsigned)node->type & 1;
    const int width = (int)(8 * fh_query_type_bytes(node->type)) - is_signed;
    for (unsigned i = 0; i < slots(value); i++) {
        const double x = trunc(of_bits(value->values[i], value->bits));
        if (!(value->lanes >> i & 1))
            continue;
        if (!(x < ldexp(1, width) && x >= (is_signed ? -ldexp(1, width) : 0)))
            return fh_query_fail_in(s, node, value->per_lane, i,
                                    "the number does not fit the type");
        value->values[i] = x < 0 ? 0 - (uint64_t)-x : (uint64_t)x;
    }
    return true;
}

static bool to_integer(struct fh_query_state *s, const struct fh_query_node *node,
                       struct fh_query_value *value) {
    const unsigned width = 8 * fh_query_type_bytes(node->type);
    const bool is_signed = (unsigned)node->type & 1;
    if (value->form == FH_QUERY_FLOAT && !truncate_all(s, node, value))
        return false;
    for (unsigned i = 0; i < slots(value) && width < 64; i++) {
        const uint64_t low = value->values[i] & ((UINT64_C(1) << width) - 1);
        value->values[i] = is_signed && low >> (width - 1) ? low | UINT64_MAX << width : low;
    }
    value->form = FH_QUERY_INTEGER;
    value->truth = false;
    value->exact = FH_QUERY_TYPED;
    value->bits = width == 64 ? 64 : 32;
    value->is_signed = is_signed || width < 32;
    return true;
}

static bool to_float(struct fh_query_state *s, const struct fh_query_node *node,
                     struct fh_query_value *value) {
    const unsigned width = (unsigned)node->number;
    if (value->form == FH_QUERY_HALVES ||
        (value->form == FH_QUERY_FLOAT && node->form == FH_QUERY_HALVES))
        return fh_query_fail(s, node, "this is a floating-point number already");
    if (!value->form && (width == 64) != (value->bits == 64))
        return fh_query_fail(s, node,
                             width == 64 ? "f64 takes 64 bits: a pair, R4:R5"
                                         : "it takes 32 bits, and this has 64");
    for (unsigned i = 0; i < slots(value); i++) {
        uint64_t *x = &value->values[i];
        if (value->form)
            *x = to_bits(of_bits(*x, value->bits), width);
        else
            *x = width == 64 ? *x : *x & ((UINT64_C(1) << width) - 1);
    }
    value->form = node->form;
    value->exact = FH_QUERY_TYPED;
    value->bits = width;
    value->truth = false;
    value->is_signed = true;
    return true;
}

bool fh_query_cast(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value) {
    return fh_query_number_at(s, node->a, lanes, NULL, value) &&
           (node->form ? to_float(s, node, value) : to_integer(s, node, value));
}

/* ---------------------------------------------------------------- operators */

static bool no_operator(struct fh_query_state *s, const struct fh_query_node *node) {
    return fh_query_fail(s, node, "floating-point numbers have + - * /, comparisons and casts");
}

static double calculate(enum fh_operator op, double x, double y) {
    switch (op) {
    case FH_OP_ADD: return x + y;
    case FH_OP_SUB: return x - y;
    case FH_OP_MUL: return x * y;
    default: return x / y;
    }
}

static bool compare(enum fh_operator op, double x, double y) {
    switch (op) {
    case FH_OP_LT: return x < y;
    case FH_OP_GT: return x > y;
    case FH_OP_LE: return x <= y;
    case FH_OP_GE: return x >= y;
    case FH_OP_EQ: return x == y;
    default: return x != y;
    }
}

bool fh_query_floats(struct fh_query_state *s, const struct fh_query_node *node,
                     const struct fh_query_value *x, const struct fh_query_value *y,
                     struct fh_query_value *value) {
    const bool compares = fh_query_is_comparison(node->op);
    const bool wide = (x->form && x->bits == 64) || (y->form && y->bits == 64);
    if (x->form == FH_QUERY_HALVES || y->form == FH_QUERY_HALVES)
        return fh_query_fail(s, node, "of two halves take one: f16(R4), f16(R4 >> 16)");
    if (!compares && node->op != FH_OP_ADD && node->op != FH_OP_SUB && node->op != FH_OP_MUL &&
        node->op != FH_OP_DIV)
        return no_operator(s, node);
    *value = (struct fh_query_value){.form = compares ? FH_QUERY_INTEGER : FH_QUERY_FLOAT,
                                     .per_lane = x->per_lane || y->per_lane,
                                     .truth = compares,
                                     .is_signed = true,
                                     .bits = !compares && wide ? 64 : 32,
                                     .lanes = UINT32_MAX};
    value->lanes &= x->per_lane ? x->lanes : UINT32_MAX;
    value->lanes &= y->per_lane ? y->lanes : UINT32_MAX;
    for (unsigned i = 0; i < slots(value); i++) {
        double a = number(x, i), b = number(y, i);
        if (!wide) { /* a float's sum, product, quotient is that of doubles, rounded once more */
            a = (double)(float)a;
            b = (double)(float)b;
        }
        value->values[i] =
            compares ? compare(node->op, a, b) : to_bits(calculate(node->op, a, b), value->bits);
    }
    return true;
}

bool fh_query_float(struct fh_query_state *s, const struct fh_query_node *node,
                    struct fh_query_value *value) {
    if (value->form == FH_QUERY_HALVES || node->op == FH_OP_INV)
        return no_operator(s, node);
    for (unsigned i = 0; i < slots(value); i++) {
        if (node->op == FH_OP_NEG)
            value->values[i] ^= UINT64_C(1) << (value->bits - 1);
        else if (node->op == FH_OP_NOT)
            value->values[i] = of_bits(value->values[i], value->bits) == 0;
    }
    if (node->op == FH_OP_NOT) {
        value->form = FH_QUERY_INTEGER;
        value->bits = 32;
        value->truth = true;
    }
    return true;
}
