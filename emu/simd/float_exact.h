/*
 * float_exact.h - F32 arithmetic in every rounding mode by the host's double, to nearest: for hosts
 * whose instructions carry no rounding mode, or have no fused multiplication and addition.
 *
 * A sum of doubles s and its error e (sum_error: exact unless something overflows, which sums and
 * products of floats cannot) become s rounded to odd: s itself if e = 0, else that of the two
 * doubles around s + e whose last bit is 1. A number of 53 bits that was rounded to odd and then is
 * rounded to p <= 51 bits in whatever mode gives what the exact number gives, subnormal results
 * included (Boldo, Melquiond, "Emulation of a FMA and correctly rounded sums", IEEE Trans.
 * Computers 57, 2008, theorem 3): that it is not one of the shorter format's numbers, nor halfway
 * between two, shows in its last bit.
 *
 * Without branches, so that compilers make vector code of loops around these functions.
 */
#ifndef FH_FLOAT_EXACT_H
#define FH_FLOAT_EXACT_H

#include <string.h>

#include "lane.h"

static inline float float_of_bits(u32 bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline u32 bits_of_float(float x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of_bits(u64 bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline u64 bits_of_double(double x) {
    u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* x + y - s for s = x + y, rounded (Knuth); NaN where s is infinite or NaN. */
static inline double sum_error(double x, double y, double s) {
    const double part = s - x;
    return (x - (s - part)) + (y - part);
}

/* s with error e, rounded to odd. The neighbour of an even s on e's side is odd. */
static inline double rounded_to_odd(double s, double e) {
    const u64 bits = bits_of_double(s), error = bits_of_double(e);
    const u64 inexact = (u64)((e < 0) | (e > 0)) & ~bits; /* its bit 0 */
    const u64 inwards = 0 - ((bits ^ error) >> 63);       /* all ones: towards zero */
    return double_of_bits(bits + (((inexact & 1) ^ inwards) - inwards));
}

/* s, rounded to nearest with error e, as the bits of what `mode` gives: one step away where that is
 * on the other side of s + e. */
static inline u64 redirected(double s, double e, u32 mode) {
    const u64 bits = bits_of_double(s);
    const u32 above = e<0, below = e> 0, outwards = bits >> 63 ? below : above;
    const u32 wrong = (mode == FH_ROUND_DOWN ? above : 0) | (mode == FH_ROUND_UP ? below : 0) |
                      (mode == FH_ROUND_ZERO ? outwards : 0);
    return bits + (wrong ? (outwards ? UINT64_MAX : 1) : 0);
}

/* s as float, rounded. What was rounded to nearest, perhaps to infinity, is one step too far if it
 * lies on the wrong side of s. */
static inline u32 narrowed(double s, u32 mode) {
    const float f = (float)s;
    const u32 bits = bits_of_float(f), negative = bits >> 31;
    const u32 above = (double)f > s, below = (double)f < s;
    const u32 outwards = negative ? below : above;
    const u32 wrong = (mode == FH_ROUND_DOWN ? above : 0) | (mode == FH_ROUND_UP ? below : 0) |
                      (mode == FH_ROUND_ZERO ? outwards : 0);
    return bits + (wrong ? (outwards ? UINT32_MAX : 1) : 0);
}

/* x + y, rounded, of doubles that are floats or products of two floats. A sum that is zero although
 * its sources have different signs is -0 when rounding down. */
static inline u32 exact_sum(double x, double y, u32 mode) {
    const double s = x + y;
    const u32 bits = narrowed(rounded_to_odd(s, sum_error(x, y, s)), mode);
    const u32 opposite = (u32)((bits_of_double(x) ^ bits_of_double(y)) >> 63);
    return s == 0 && opposite && mode == FH_ROUND_DOWN ? 0x80000000 : bits;
}

#endif
