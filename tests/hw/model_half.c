/*
 * model_half.c - what the rows about halves should give: numbers as integers in units of 2^-48, in
 * which sums and products of halves are exact.
 */
#include "model_float.h"

enum { HALF_NAN = 0x7fff, HALF_INFINITY = 0x7c00 };

s64 hw_half_value(u32 half) {
    s64 exponent = half >> 10 & 31, m = (half & 1023) | (exponent ? 1024 : 0);
    s64 value = m << (exponent ? exponent - 1 : 0);
    return half >> 15 & 1 ? -value : value;
}

u32 hw_half_of(__int128 m, bool minus, bool truncate) {
    unsigned __int128 x = (unsigned __int128)(m < 0 ? -m : m);
    u32 sign = m < 0 || (m == 0 && minus) ? 0x8000 : 0;
    /* The unit of the result: 2^-24, or what leaves 11 bits. */
    int unit = 24;
    while (x >> unit >= 2048)
        unit++;
    u64 kept = (u64)(x >> unit);
    unsigned __int128 rest = x - ((unsigned __int128)kept << unit), half_unit = 1;
    half_unit <<= unit - 1;
    if (!truncate && (rest > half_unit || (rest == half_unit && kept & 1)))
        kept++;
    /* Carries into the exponent where rounding gave 2048, or the first normal number. */
    u64 bits = unit == 24 ? kept : kept + ((u64)(unit - 24) << 10);
    if (bits >= HALF_INFINITY)
        bits = truncate ? HALF_INFINITY - 1 : HALF_INFINITY;
    return sign | (u32)bits;
}

static bool nan_half(u32 x) {
    return (x & 0x7fff) > HALF_INFINITY;
}
static bool infinite_half(u32 x) {
    return (x & 0x7fff) == HALF_INFINITY;
}
static bool zero_half(u32 x) {
    return (x & 0x7fff) == 0;
}

/* x * y + z, rounded once. */
static u32 fma_half(u32 x, u32 y, u32 z) {
    u32 sign = (x ^ y) & 0x8000;
    bool infinite = infinite_half(x) || infinite_half(y);
    if (nan_half(x) || nan_half(y) || nan_half(z) || (infinite && (zero_half(x) || zero_half(y))))
        return HALF_NAN;
    if (infinite && infinite_half(z) && (sign ^ z) & 0x8000)
        return HALF_NAN;
    if (infinite)
        return sign | HALF_INFINITY;
    if (infinite_half(z))
        return z;
    __int128 product = (__int128)hw_half_value(x) * hw_half_value(y);
    return hw_half_of(product + (__int128)hw_half_value(z) * (1 << 24), sign && z & 0x8000, false);
}

static u32 add_half(u32 x, u32 y) {
    return fma_half(x, 0x3c00, y);
}
u32 hw_add_halves(u32 a, u32 b) {
    return add_half(a & 0xffff, b & 0xffff) | add_half(a >> 16, b >> 16) << 16;
}
static u32 sub_half(u32 x, u32 y) {
    return nan_half(y) ? HALF_NAN : add_half(x, y ^ 0x8000);
}
/* A product is a sum with the zero that leaves its sign. */
static u32 mul_half(u32 x, u32 y) {
    return fma_half(x, y, (x ^ y) & 0x8000);
}
static u32 add_half_sat(u32 x, u32 y) {
    u32 r = add_half(x, y);
    return nan_half(r) || r & 0x8000 ? 0 : r > 0x3c00 ? 0x3c00 : r;
}
static bool less_half(u32 x, u32 y) {
    if (nan_half(x) || nan_half(y) || (zero_half(x) && zero_half(y)))
        return false;
    s32 a = x & 0x8000 ? -(s32)(x & 0x7fff) : (s32)x, b = y & 0x8000 ? -(s32)(y & 0x7fff) : (s32)y;
    return a < b;
}
static u32 min_half(u32 x, u32 y) {
    if (nan_half(x) || nan_half(y))
        return nan_half(x) && nan_half(y) ? HALF_NAN : nan_half(x) ? y : x;
    if (zero_half(x) && zero_half(y))
        return x | y;
    return less_half(x, y) ? x : y;
}

#define ROW(name, value)                                                                           \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        u64 r = 0;                                                                                 \
        for (unsigned k = 0; k < 2; k++) {                                                         \
            u32 x = (u32)(w->x[0][lane] >> 16 * k) & 0xffff;                                       \
            u32 y = (u32)(w->x[1][lane] >> 16 * k) & 0xffff;                                       \
            u32 z = (u32)(w->x[2][lane] >> 16 * k) & 0xffff;                                       \
            (void)z;                                                                               \
            r |= (u64)(value) << 16 * k;                                                           \
        }                                                                                          \
        return r;                                                                                  \
    }
ROW(hadd2, add_half(x, y))
ROW(hsub2, sub_half(x, y))
ROW(hmul2, mul_half(x, y))
ROW(hfma2, fma_half(x, y, z))
ROW(hadd2_sat, add_half_sat(x, y))
ROW(hmin2, min_half(x, y))

HW_MODEL(hsetp2);
HW_MODEL(hsetp2) {
    u32 a = (u32)w->x[0][lane], b = (u32)w->x[1][lane];
    return (u64)less_half(a & 0xffff, b & 0xffff) | (u64)less_half(a >> 16, b >> 16) << 1;
}
