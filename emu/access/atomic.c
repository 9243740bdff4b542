/*
 * atomic.c - see atomic.h.
 *
 * Floating point sums are rounded to nearest even by the host, which does so by default.
 */
#include "atomic.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static uint32_t add_f32(uint32_t a, uint32_t b) {
    const uint32_t sign = UINT32_C(1) << 31, exponent = UINT32_C(0x7f800000);
    float x, y;
    a = a & exponent ? a : a & sign; /* denormals count as zeros */
    b = b & exponent ? b : b & sign;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x += y;
    if (isnan(x))
        return UINT32_C(0x7fffffff);
    memcpy(&a, &x, 4);
    return a & exponent ? a : a & sign;
}

static uint64_t add_f64(uint64_t a, uint64_t b) {
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x += y;
    if (isnan(x))
        return UINT64_C(0xfff8000000000000);
    memcpy(&a, &x, 8);
    return a;
}

static double half_value(uint32_t h) {
    int exponent = (int)(h >> 10 & 31);
    uint32_t fraction = h & 1023;
    double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(1024 + fraction, exponent - 25);
    return h & 0x8000 ? -magnitude : magnitude;
}

/* The nearest half; a sum of two halves is exact as a double, so it is rounded once. */
static uint32_t half_of(double x) {
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    double magnitude = fabs(x);
    if (isnan(x))
        return 0x7fff;
    if (magnitude >= 65520)
        return sign | 0x7c00;
    if (magnitude < 0x1p-14)
        return sign | (uint32_t)rint(ldexp(magnitude, 24));
    int exponent = ilogb(magnitude);
    /* A significand that rounds up to 2048 carries into the exponent, as it should. */
    uint32_t significand = (uint32_t)rint(ldexp(magnitude, 10 - exponent));
    return sign | (((uint32_t)(exponent + 15) << 10) + (significand - 1024));
}

static uint32_t add_f16x2(uint32_t a, uint32_t b) {
    uint32_t low = half_of(half_value(a & 0xffff) + half_value(b & 0xffff));
    return half_of(half_value(a >> 16) + half_value(b >> 16)) << 16 | low;
}

uint64_t fh_atomic_result(unsigned operation, unsigned type, uint64_t old, uint64_t data) {
    switch (type) {
    case FH_atom_size_F32_FTZ_RN: return add_f32((uint32_t)old, (uint32_t)data);
    case FH_atom_size_F64_RN: return add_f64(old, data);
    case FH_atom_size_F16x2_RN: return add_f16x2((uint32_t)old, (uint32_t)data);
    default: return fh_atomic_integer(operation, type, old, data);
    }
}

uint64_t fh_mbarrier_arrive(uint64_t barrier) {
    const uint32_t phase = UINT32_C(1) << 31, count = UINT32_C(0x3fffffff);
    uint32_t low = (uint32_t)barrier, high = (uint32_t)(barrier >> 32);
    uint32_t pending = (high + 1) & ~phase;
    if (pending)
        high = (high & phase) | pending;
    else
        high = (~high & phase) | (UINT32_C(1) << 30) | (low & count);
    return (uint64_t)high << 32 | low;
}
