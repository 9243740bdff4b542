/*
 * float_special.c - the functions of MUFU, correctly rounded.
 *
 * Hardware has tables of its own that are not public; the choice here is the exact value of the
 * function rounded to nearest, with subnormal sources and results as zeros. Everything is fixed
 * point of 126 bits after the point, so about 100 bits of a result are right: far more than it
 * takes to round any of 2^32 arguments to 24 bits.
 */
#include "float_core.h"

enum { TOP = 126 };
#define ONE ((fh_u128)1 << TOP)

/* Fixed point constants, 126 bits after the point. */
#define CONSTANT(high, low) ((fh_u128)UINT64_C(high) << 64 | UINT64_C(low))
#define LN2                 CONSTANT(0x2c5c85fdf473de6a, 0xf278ece600fcbdab)
#define HALF_PI             CONSTANT(0x6487ed5110b4611a, 0x62633145c06e0e68)

/* x * y / 2^126 for x, y below 2^127, rounded down. */
static fh_u128 times(fh_u128 x, fh_u128 y) {
    uint64_t xh = (uint64_t)(x >> 64), xl = (uint64_t)x, yh = (uint64_t)(y >> 64), yl = (uint64_t)y;
    fh_u128 middle = (fh_u128)xh * yl, other = (fh_u128)xl * yh;
    fh_u128 carry = ((fh_u128)xl * yl >> 64) + (uint64_t)middle + (uint64_t)other;
    fh_u128 high = (fh_u128)xh * yh + (middle >> 64) + (other >> 64) + (carry >> 64);
    return high << 2 | (carry >> 62 & 3);
}

/* floor(2^126 * x / y), x < 2 * y, y below 2^126. */
static fh_u128 quotient(fh_u128 x, fh_u128 y) {
    fh_u128 q = 0;
    for (int i = 0; i <= TOP; i++) {
        q <<= 1;
        if (x >= y) {
            x -= y;
            q |= 1;
        }
        x <<= 1;
    }
    return q | (x != 0);
}

/* floor(sqrt(x)) with bit 0 set if there is a rest. */
static fh_u128 root(fh_u128 x) {
    fh_u128 r = 0, bit = (fh_u128)1 << TOP;
    while (bit > x)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (x >= r + bit) {
            x -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
    }
    return r << 1 | (x != 0);
}

/* The fixed point number m * 2^exponent / 2^126 as parts. */
static struct fh_float_parts parts(fh_u128 m, int exponent, bool negative) {
    struct fh_float_parts r = {.kind = FH_FINITE, .negative = negative, .exponent = exponent};
    r.m = m;
    if (m >> (TOP + 1)) {
        r.m = fh_float_shift(m, 1);
        r.exponent++;
    } else if (m) {
        fh_float_normalise(&r);
    } else {
        r.kind = FH_ZERO;
    }
    return r;
}

/* Sum of x^k / k! over k = first, first + step, ..., with alternating signs if asked, over x^first:
 * e^x, sin(x) / x, cos x and so on, for x below 1. */
static fh_u128 series(fh_u128 x, unsigned first, unsigned step, bool alternating) {
    fh_u128 term = ONE, total = ONE, power = step == 2 ? times(x, x) : x;
    for (unsigned k = first, i = 1; term; i++) {
        term = times(term, power);
        for (unsigned s = 0; s < step; s++)
            term /= ++k;
        total = alternating && (i & 1) ? total - term : total + term;
    }
    return total;
}

/* ---------------------------------------------------------------- the functions */

/* x as a fixed point number; x is below 2 in magnitude, what is below 2^-126 is lost. */
static fh_u128 fixed(const struct fh_float_parts *x) {
    return fh_float_shift(x->m, -x->exponent);
}

/* 2^x: integral part and fraction. */
static struct fh_float_parts power_of_two(const struct fh_float_parts *x) {
    struct fh_float_parts r = {.kind = x->negative ? FH_ZERO : FH_INFINITE};
    if (x->kind != FH_FINITE) {
        if (x->kind == FH_ZERO)
            return parts(ONE, 0, false);
        return r;
    }
    if (x->exponent > 8)
        return r;
    int whole = 0;
    fh_u128 fraction = x->m;
    if (x->exponent >= 0) {
        whole = (int)(x->m >> (TOP - x->exponent));
        fraction = (x->m << x->exponent) & (ONE - 1);
    } else {
        fraction = x->exponent < -TOP ? 1 : x->m >> -x->exponent;
    }
    if (x->negative) {
        whole = -whole - (fraction != 0);
        fraction = fraction ? ONE - fraction : 0;
    }
    return parts(series(times(fraction, LN2), 0, 1, false) | (fraction != 0), whole, false);
}

/* log2 of a positive number: the exponent, then bit after bit by squaring. */
static struct fh_float_parts logarithm(const struct fh_float_parts *x) {
    enum { BITS = 112 };
    fh_u128 m = x->m, fraction = 0;
    if (m == ONE && x->exponent == 0)
        return (struct fh_float_parts){.kind = FH_ZERO};
    for (int i = 0; i < BITS && m != ONE; i++) {
        m = times(m, m);
        if (m >> (TOP + 1)) {
            fraction |= ONE >> (i + 1);
            m >>= 1;
        }
    }
    /* exponent + fraction, in units of 2^8 so that it fits; what is after the last bit is not 0. */
    bool exact = x->m == ONE, negative = x->exponent < 0;
    unsigned whole = (unsigned)(negative ? -x->exponent : x->exponent);
    fh_u128 value = negative ? ((fh_u128)whole << (TOP - 8)) - (fraction >> 8)
                             : ((fh_u128)whole << (TOP - 8)) + (fraction >> 8);
    return parts(value | !exact, 8, negative);
}

/* sin(2 pi x) or cos(2 pi x). The turn is reduced to an eighth, exactly; the sine of what is left
 * keeps its relative precision, however small it is. */
static struct fh_float_parts circular(const struct fh_float_parts *x, bool cosine) {
    struct fh_float_parts a = *x;
    unsigned eighth = 0;
    if (a.kind != FH_FINITE || a.exponent > 23) /* whole turns */
        a.kind = FH_ZERO;
    if (a.kind == FH_FINITE && a.exponent >= -3) {
        fh_u128 turn = a.exponent >= 0 ? a.m << a.exponent & (ONE - 1) : a.m >> -a.exponent;
        eighth = (unsigned)(turn >> (TOP - 3));
        fh_u128 rest = turn & ((ONE >> 3) - 1);
        if (eighth & 1)
            rest = (ONE >> 3) - rest;
        a = parts(rest, 0, false);
    }
    /* Angle = (quarters) + or - rest: which function of the rest, and its sign. */
    unsigned quarters = ((eighth + 1) / 2 + (cosine ? 1 : 0)) & 3;
    bool rest_negative = (eighth & 1) != 0, swapped = quarters & 1;
    bool negative = (quarters & 2) != 0;
    if (!swapped)
        negative ^= rest_negative;
    if (!cosine)
        negative ^= x->negative;
    if (a.kind == FH_ZERO)
        return swapped
                   ? parts(ONE, 0, negative)
                   : (struct fh_float_parts){.kind = FH_ZERO, .negative = x->negative && !cosine};
    /* 2 pi a = HALF_PI * 4 a; a is at most an eighth, so the angle is below 1. */
    fh_u128 angle = a.exponent < -120 ? 0 : times(HALF_PI, fixed(&a) << 2);
    if (swapped)
        return parts(series(angle, 0, 2, true), 0, negative);
    return parts(times(times(a.m >> 1, HALF_PI), series(angle, 1, 2, true)), a.exponent + 3,
                 negative);
}

static struct fh_float_parts hyperbolic_tangent(const struct fh_float_parts *x) {
    if (x->kind == FH_INFINITE || (x->kind == FH_FINITE && x->exponent > 4))
        return parts(ONE - 1, 0, x->negative); /* 1, less than half a unit */
    if (x->kind == FH_ZERO)
        return *x;
    if (x->exponent < 0) { /* x * (sinh x / x) / cosh x */
        fh_u128 angle = x->exponent < -120 ? 0 : fixed(x);
        fh_u128 ratio = quotient(series(angle, 1, 2, false) >> 1, series(angle, 0, 2, false) >> 1);
        return parts(times(x->m >> 1, ratio), x->exponent + 1, x->negative);
    }
    /* e = exp(-2x) = exp(-2x / 64)^64; tanh = (1 - e) / (1 + e). */
    fh_u128 e = quotient(ONE >> 2, series(x->m >> (5 - x->exponent), 0, 1, false) >> 2);
    for (int i = 0; i < 6; i++)
        e = times(e, e);
    return parts(quotient((ONE - e) >> 2, (ONE + e) >> 2), 0, x->negative);
}

static struct fh_float_parts reciprocal(const struct fh_float_parts *x) {
    return parts(quotient(ONE >> 2, x->m >> 2), -x->exponent, x->negative);
}

static struct fh_float_parts square_root(const struct fh_float_parts *x, bool inverse) {
    int odd = x->exponent & 1, half = (x->exponent - odd) / 2;
    /* A root has 63 bits after the point, one more says whether there is a rest. */
    if (!inverse)
        return parts(root(x->m << odd) << 62, half, false);
    fh_u128 q = quotient(ONE >> (3 + odd), x->m >> 3);
    return parts(root(q) << 62, -half, false);
}

static struct fh_float_parts evaluate(enum fh_special function, const struct fh_float_parts *x) {
    struct fh_float_parts r = {.kind = FH_NAN, .negative = x->negative};
    bool below = x->negative && x->kind != FH_ZERO;
    if (x->kind == FH_NAN)
        return r;
    switch (function) {
    case FH_COS:
    case FH_SIN: return x->kind == FH_INFINITE ? r : circular(x, function == FH_COS);
    case FH_EX2: return power_of_two(x);
    case FH_TANH: return hyperbolic_tangent(x);
    case FH_RCP:
    case FH_RCP64H:
        if (x->kind == FH_FINITE)
            return reciprocal(x);
        r.kind = x->kind == FH_ZERO ? FH_INFINITE : FH_ZERO;
        return r;
    case FH_LG2:
        if (x->kind == FH_FINITE && !below)
            return logarithm(x);
        r.kind = below ? FH_NAN : FH_INFINITE;
        r.negative = x->kind == FH_ZERO;
        return r;
    default:
        if (below)
            return r;
        if (x->kind == FH_FINITE)
            return square_root(x, function != FH_SQRT);
        r.kind = (x->kind == FH_ZERO) == (function == FH_SQRT) ? FH_ZERO : FH_INFINITE;
        return r;
    }
}

/* A double's high word has 20 bits of fraction: rounded there, to nearest even. */
static uint32_t high_word(struct fh_float_parts r) {
    const int drop = TOP - 20;
    if (r.kind == FH_FINITE) {
        fh_u128 rest = r.m & (((fh_u128)1 << drop) - 1), half = (fh_u128)1 << (drop - 1);
        r.m = (r.m >> drop) + (rest > half || (rest == half && (r.m >> drop & 1)));
        r.exponent += drop;
        r.m <<= 1; /* room to normalise from either side */
        r.exponent -= 1;
        fh_float_normalise(&r);
    }
    return (uint32_t)(fh_float_round(FH_F64, &r, FH_FTZ) >> 32);
}

uint32_t fh_float_special(uint32_t function, uint32_t a) {
    bool is_double = function == FH_RCP64H || function == FH_RSQ64H;
    struct fh_float_parts x = is_double ? fh_float_unpack(FH_F64, (uint64_t)a << 32, true)
                                        : fh_float_unpack(FH_F32, a, true);
    struct fh_float_parts r = evaluate((enum fh_special)function, &x);
    return is_double ? high_word(r) : (uint32_t)fh_float_round(FH_F32, &r, FH_FTZ);
}
