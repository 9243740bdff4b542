/*
 * float.c - addition, multiplication, comparison and conversion of float.h.
 *
 * Every operation unpacks its sources into 127-bit significands, is exact there but for a sticky
 * lowest bit, and rounds once. 127 bits hold the product of two doubles with 21 to spare, so
 * cancellation never reaches the sticky bit.
 */
#include "float.h"

#include "float_core.h"

enum { TOP = 126 };
#define ONE ((fh_u128)1)

const struct fh_float_layout fh_float_layouts[] = {
    [FH_F16] = {11, 15, 0x7fff},
    [FH_BF16] = {8, 127, 0x7fff},
    [FH_F32] = {24, 127, 0x7fffffff},
    [FH_F64] = {53, 1023, UINT64_C(0xfff8000000000000)},
};

static int total_bits(uint32_t format) {
    return format == FH_F64 ? 64 : format == FH_F32 ? 32 : 16;
}

static uint64_t infinity(uint32_t format) {
    const struct fh_float_layout *l = &fh_float_layouts[format];
    return (uint64_t)(2 * l->bias + 1) << (l->precision - 1);
}

static uint64_t sign_bit(uint32_t format) {
    return UINT64_C(1) << (total_bits(format) - 1);
}

/* ---------------------------------------------------------------- parts */

static int highest_bit(fh_u128 x) {
    uint64_t high = (uint64_t)(x >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)x);
}

void fh_float_normalise(struct fh_float_parts *x) {
    int up = TOP - highest_bit(x->m);
    x->m <<= up;
    x->exponent -= up;
}

struct fh_float_parts fh_float_unpack(uint32_t format, uint64_t bits, bool flush) {
    const struct fh_float_layout *l = &fh_float_layouts[format];
    struct fh_float_parts x = {.kind = FH_FINITE, .negative = (bits & sign_bit(format)) != 0};
    uint64_t magnitude = bits & (sign_bit(format) - 1);
    uint64_t hidden = UINT64_C(1) << (l->precision - 1);
    if (magnitude > infinity(format))
        x.kind = FH_NAN;
    else if (magnitude == infinity(format))
        x.kind = FH_INFINITE;
    else if (magnitude == 0 || (flush && magnitude < hidden))
        x.kind = FH_ZERO;
    if (x.kind != FH_FINITE)
        return x;
    int exponent = (int)(magnitude >> (l->precision - 1));
    x.m = magnitude & (hidden - 1);
    if (exponent)
        x.m |= hidden;
    x.exponent = (exponent ? exponent : 1) - l->bias - (l->precision - 1) + TOP;
    fh_float_normalise(&x);
    return x;
}

fh_u128 fh_float_shift(fh_u128 x, int n) {
    if (n <= 0)
        return x;
    if (n > 127)
        return x != 0;
    return x >> n | ((x & ((ONE << n) - 1)) != 0);
}

/* x without its last `n` bits, rounded; n is at least 1. */
static fh_u128 round_off(fh_u128 x, int n, bool negative, uint32_t how) {
    if (n > 127) { /* all is below half a unit */
        x = x != 0;
        n = 127;
    }
    fh_u128 whole = x >> n, rest = x & ((ONE << n) - 1), half = ONE << (n - 1);
    bool up = false;
    switch (how & FH_ROUND_MASK) {
    case FH_ROUND_NEAREST: up = rest > half || (rest == half && (whole & 1)); break;
    case FH_ROUND_DOWN: up = negative && rest; break;
    case FH_ROUND_UP: up = !negative && rest; break;
    default: break;
    }
    return whole + up;
}

static uint64_t overflow(uint32_t format, bool negative, uint32_t how) {
    uint32_t mode = how & FH_ROUND_MASK;
    bool finite = mode == FH_ROUND_ZERO || mode == (negative ? FH_ROUND_UP : FH_ROUND_DOWN);
    return infinity(format) - finite;
}

static uint64_t saturated(uint32_t format, uint64_t bits) {
    const struct fh_float_layout *l = &fh_float_layouts[format];
    uint64_t one = (uint64_t)l->bias << (l->precision - 1);
    uint64_t magnitude = bits & (sign_bit(format) - 1);
    if (bits != magnitude || magnitude > infinity(format))
        return 0;
    return magnitude > one ? one : magnitude;
}

uint64_t fh_float_round(uint32_t format, const struct fh_float_parts *x, uint32_t how) {
    const struct fh_float_layout *l = &fh_float_layouts[format];
    uint64_t bits = 0, hidden = UINT64_C(1) << (l->precision - 1);
    if (x->kind == FH_NAN)
        return how & FH_SAT ? 0 : l->nan;
    if (x->kind == FH_INFINITE) {
        bits = infinity(format);
    } else if (x->kind == FH_FINITE) {
        int lowest = 1 - l->bias, exponent = x->exponent < lowest ? lowest : x->exponent;
        int drop = TOP + 1 - l->precision + (exponent - x->exponent);
        fh_u128 whole = round_off(x->m, drop, x->negative, how);
        /* A carry out of the significand is the next exponent by itself. */
        if (exponent > l->bias)
            bits = overflow(format, x->negative, how);
        else
            bits = (uint64_t)whole + ((uint64_t)(exponent - lowest) << (l->precision - 1));
        if (bits == infinity(format))
            bits = overflow(format, x->negative, how);
        if ((how & FH_FTZ) && bits < hidden)
            bits = 0;
    }
    bits |= x->negative ? sign_bit(format) : 0;
    return how & FH_SAT ? saturated(format, bits) : bits;
}

/* ---------------------------------------------------------------- arithmetic */

static struct fh_float_parts product(const struct fh_float_parts *a,
                                     const struct fh_float_parts *b) {
    struct fh_float_parts r = {.kind = FH_FINITE, .negative = a->negative != b->negative};
    if (a->kind == FH_NAN || b->kind == FH_NAN || (a->kind == FH_INFINITE && b->kind == FH_ZERO) ||
        (a->kind == FH_ZERO && b->kind == FH_INFINITE)) {
        r.kind = FH_NAN;
    } else if (a->kind == FH_INFINITE || b->kind == FH_INFINITE) {
        r.kind = FH_INFINITE;
    } else if (a->kind == FH_ZERO || b->kind == FH_ZERO) {
        r.kind = FH_ZERO;
    } else {
        /* Sources have at most 53 bits from bit 126 down, so nothing is lost: m is a 64-bit
         * number times 2^63, and 2^63 * 2^63 stands for 1. */
        r.m = (a->m >> 63) * (b->m >> 63);
        r.exponent = a->exponent + b->exponent;
        if (r.m >> (TOP + 1)) {
            r.m = fh_float_shift(r.m, 1);
            r.exponent++;
        }
    }
    return r;
}

static struct fh_float_parts sum(const struct fh_float_parts *a, const struct fh_float_parts *b,
                                 uint32_t how) {
    struct fh_float_parts r = *a, s = *b;
    bool opposite = a->negative != b->negative;
    if (a->kind == FH_NAN || b->kind == FH_NAN ||
        (a->kind == FH_INFINITE && b->kind == FH_INFINITE && opposite)) {
        r.kind = FH_NAN;
        return r;
    }
    if (a->kind == FH_INFINITE || b->kind == FH_INFINITE)
        return a->kind == FH_INFINITE ? *a : *b;
    bool zero_sign = opposite ? (how & FH_ROUND_MASK) == FH_ROUND_DOWN : a->negative;
    if (b->kind == FH_ZERO) {
        r.negative = a->kind == FH_ZERO ? zero_sign : a->negative;
        return r;
    }
    if (a->kind == FH_ZERO)
        return *b;
    if (r.exponent < s.exponent || (r.exponent == s.exponent && r.m < s.m)) {
        r = *b;
        s = *a;
    }
    fh_u128 moved = fh_float_shift(s.m, r.exponent - s.exponent);
    if (opposite) {
        r.m -= moved;
        if (r.m == 0) {
            r.kind = FH_ZERO;
            r.negative = zero_sign;
            return r;
        }
        fh_float_normalise(&r);
    } else {
        r.m += moved;
        if (r.m >> (TOP + 1)) {
            r.m = fh_float_shift(r.m, 1);
            r.exponent++;
        }
    }
    return r;
}

uint64_t fh_float_add(uint32_t format, uint64_t a, uint64_t b, uint32_t how) {
    struct fh_float_parts x = fh_float_unpack(format, a, how & FH_FTZ);
    struct fh_float_parts y = fh_float_unpack(format, b, how & FH_FTZ);
    struct fh_float_parts r = sum(&x, &y, how);
    return fh_float_round(format, &r, how);
}

uint64_t fh_float_mul(uint32_t format, uint64_t a, uint64_t b, int32_t scale, uint32_t how) {
    struct fh_float_parts x = fh_float_unpack(format, a, how & FH_FTZ);
    struct fh_float_parts y = fh_float_unpack(format, b, how & FH_FTZ);
    struct fh_float_parts r = product(&x, &y);
    r.exponent += scale;
    return fh_float_round(format, &r, how);
}

uint64_t fh_float_fma(uint32_t format, uint64_t a, uint64_t b, uint64_t c, uint32_t how) {
    struct fh_float_parts x = fh_float_unpack(format, a, how & FH_FTZ);
    struct fh_float_parts y = fh_float_unpack(format, b, how & FH_FTZ);
    struct fh_float_parts z = fh_float_unpack(format, c, how & FH_FTZ);
    struct fh_float_parts p = product(&x, &y), r = sum(&p, &z, how);
    return fh_float_round(format, &r, how);
}

/* ---------------------------------------------------------------- order */

/* A number that orders like the value, -0 below +0; not for NaN. */
static int64_t order(uint32_t format, uint64_t bits) {
    int64_t magnitude = (int64_t)(bits & (sign_bit(format) - 1));
    return bits & sign_bit(format) ? -magnitude - 1 : magnitude;
}

static uint64_t flushed(uint32_t format, uint64_t bits, uint32_t how) {
    uint64_t hidden = UINT64_C(1) << (fh_float_layouts[format].precision - 1);
    uint64_t magnitude = bits & (sign_bit(format) - 1);
    return (how & FH_FTZ) && magnitude < hidden ? bits & sign_bit(format) : bits;
}

static bool is_nan(uint32_t format, uint64_t bits) {
    return (bits & (sign_bit(format) - 1)) > infinity(format);
}

uint32_t fh_float_compare(uint32_t format, uint32_t relations, uint64_t a, uint64_t b,
                          uint32_t how) {
    uint64_t below_sign = sign_bit(format) - 1;
    a = flushed(format, a, how);
    b = flushed(format, b, how);
    if (is_nan(format, a) || is_nan(format, b))
        return relations >> 3 & 1;
    if (a == b || ((a | b) & below_sign) == 0)
        return relations >> 1 & 1;
    return order(format, a) < order(format, b) ? relations & 1 : relations >> 2 & 1;
}

uint64_t fh_float_select(uint32_t format, bool smaller, bool nan, uint64_t a, uint64_t b,
                         uint32_t how) {
    bool a_nan = is_nan(format, a), b_nan = is_nan(format, b);
    if ((a_nan && b_nan) || (nan && (a_nan || b_nan)))
        return fh_float_layouts[format].nan;
    a = flushed(format, a, how);
    b = flushed(format, b, how);
    if (a_nan || b_nan)
        return a_nan ? b : a;
    return (order(format, a) < order(format, b)) == smaller ? a : b;
}

/* ---------------------------------------------------------------- conversions */

uint64_t fh_float_convert(uint32_t to, uint32_t from, uint64_t a, uint32_t how) {
    struct fh_float_parts x = fh_float_unpack(from, a, how & FH_FTZ);
    return fh_float_round(to, &x, how);
}

/* The integral part of |x|, rounded as x; x is below 2^100. */
static fh_u128 integral(const struct fh_float_parts *x, uint32_t how) {
    int drop = TOP - x->exponent;
    return drop > 0 ? round_off(x->m, drop, x->negative, how) : x->m;
}

uint64_t fh_float_integral(uint32_t format, uint64_t a, uint32_t how) {
    struct fh_float_parts x = fh_float_unpack(format, a, how & FH_FTZ);
    if (x.kind == FH_FINITE && x.exponent < fh_float_layouts[format].precision) {
        x.m = integral(&x, how);
        x.exponent = TOP;
        if (x.m == 0)
            x.kind = FH_ZERO;
        else
            fh_float_normalise(&x);
    }
    return fh_float_round(format, &x, how);
}

uint64_t fh_float_to_int(uint32_t format, uint64_t a, uint32_t bits, bool is_signed, bool nan_zero,
                         uint32_t how) {
    struct fh_float_parts x = fh_float_unpack(format, a, how & FH_FTZ);
    uint64_t top = UINT64_C(1) << (bits - 1);
    uint64_t highest = is_signed ? top - 1 : top | (top - 1), lowest = is_signed ? top : 0;
    if (x.kind == FH_NAN)
        return nan_zero ? 0 : is_signed ? 0 - top : top;
    if (x.kind == FH_ZERO)
        return 0;
    uint64_t limit = x.negative ? lowest : highest;
    uint64_t magnitude = limit;
    if (x.kind == FH_FINITE && x.exponent < 64) {
        fh_u128 whole = integral(&x, how);
        magnitude = whole > limit ? limit : (uint64_t)whole;
    }
    return x.negative ? 0 - magnitude : magnitude;
}

uint64_t fh_float_from_int(uint32_t format, uint64_t a, bool is_signed, uint32_t how) {
    struct fh_float_parts x = {.kind = FH_FINITE, .exponent = TOP};
    x.negative = is_signed && a >> 63;
    x.m = x.negative ? 0 - a : a;
    if (x.m == 0)
        x.kind = FH_ZERO;
    else
        fh_float_normalise(&x);
    return fh_float_round(format, &x, how);
}
