/*
 * operands.c - the operands of a family, from its seed, hostile ones among them; what the model
 * makes of them; the comparison of results.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hw.h"

static uint64_t next(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Zeros, ones, powers of two and their neighbours in both halves, small counts, random bits. */
static uint64_t hostile_integer(uint64_t *state) {
    uint64_t x = next(state), y = next(state);
    unsigned shift = (unsigned)(x & 63);
    switch (x >> 60) {
    case 0: return 0;
    case 1: return UINT64_MAX - (y & 1);
    case 2: return (UINT64_C(1) << shift) + (y & 1);
    case 3: return (UINT64_C(1) << shift) - 1;
    case 4: return 0 - (UINT64_C(1) << shift);
    case 5: return y % 80;
    case 6: return (y & 3) << 32 | ((0x80000000u >> (x & 1)) - (y >> 8 & 1));
    case 7: return y >> shift;
    case 8: return (y >> 32 << 32) | (0x7fffff80u + (x & 255));
    default: return y;
    }
}

/* A number of a format with `fraction` bits and an exponent of `exponent` bits: every class, and
 * often near 1 or the bounds of integers, halfway between two, or with few bits. */
static uint64_t hostile_float(uint64_t *state, unsigned fraction, unsigned exponent) {
    uint64_t x = next(state), y = next(state), sign = (x & 1) << (fraction + exponent);
    uint64_t most = (UINT64_C(1) << exponent) - 1, bias = most >> 1;
    uint64_t m = y & ((UINT64_C(1) << fraction) - 1), e = x >> 32 & most;
    switch (x >> 60) {
    case 0: return sign;
    case 1: return sign | most << fraction | (x >> 8 & 1 ? m : 0);
    case 2: return sign | m >> (x >> 8) % fraction;
    case 3: return sign | ((UINT64_C(1) << fraction) - (x >> 8 & 1));
    case 4: return sign | ((most << fraction) - 1);
    case 5: return sign | bias << fraction | (x >> 8 & 1 ? m : 0);
    case 6: /* a small integer and a half, or a quarter */
        return sign | (bias + (x >> 8) % 6) << fraction |
               (m & ~((UINT64_C(1) << (fraction - 6)) - 1));
    case 7:
    case 8: /* about the bounds of 8 to 64 bits */
        return sign | (bias + 7 + (x >> 8) % 58 % most) % most << fraction |
               (x >> 16 & 1   ? m
                : x >> 17 & 1 ? 0
                              : (UINT64_C(1) << fraction) - 1);
    case 9: /* a small exponent: products and quotients underflow */
        return sign | (1 + (x >> 8) % (bias / 2)) << fraction | m;
    case 10: /* near another one's exponent: sums cancel */
    case 11: return sign | (bias + (x >> 8) % 3) << fraction | m;
    default: return sign | e << fraction | m;
    }
}

static uint64_t halves(uint64_t *state) {
    return hostile_float(state, 10, 5) | hostile_float(state, 10, 5) << 16;
}

/* Of one warp: all the same, few different ones, or all different. */
static uint64_t of_a_warp(uint64_t *state, unsigned warp, uint64_t common) {
    uint64_t x = next(state);
    switch (warp % 4) {
    case 0: return common;
    case 1: return common + (x & 1);
    case 2: return (x & 3) << (x >> 2 & 1 ? 32 : 0) | (x >> 3 & 4);
    default: return hostile_integer(state);
    }
}

static uint64_t operand(enum hw_data data, unsigned k, unsigned warp, uint64_t common,
                        uint64_t *state) {
    uint64_t x;
    switch (data) {
    case HW_SINGLES:
        x = next(state) & 3 ? hostile_float(state, 23, 8) : halves(state);
        return x | hostile_float(state, 23, 8) << 32;
    case HW_DOUBLES: return hostile_float(state, 52, 11);
    case HW_WARPS:
        if (k == 0)
            return of_a_warp(state, warp, common);
        x = hostile_integer(state);
        return k == 1 && warp & 1 ? x & 31 : x;
    case HW_INTEGERS: break;
    }
    x = hostile_integer(state);
    return k == 2 && next(state) & 1 ? x % 80 : x;
}

void hw_operands(const struct hw_family *family, uint64_t seed, uint64_t *operands) {
    uint64_t state = UINT64_C(0xcbf29ce484222325), common = 0;
    for (const char *c = family->kernel; *c; c++) /* FNV-1a: families have data of their own */
        state = (state ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
    state ^= seed;
    for (unsigned i = 0; i < HW_ELEMENTS; i++) {
        if (i % HW_LANES == 0)
            common = hostile_integer(&state);
        for (unsigned k = 0; k < HW_OPERANDS; k++)
            *operands++ = operand(family->data, k, i / HW_LANES, common, &state);
    }
}

/* Operands of warp `warp`, by operand and lane. */
static void gather(const uint64_t *operands, unsigned warp, struct hw_warp *w) {
    for (unsigned l = 0; l < HW_LANES; l++)
        for (unsigned k = 0; k < HW_OPERANDS; k++)
            w->x[k][l] = operands[(warp * HW_LANES + l) * HW_OPERANDS + k];
}

static void compute(const struct hw_family *family, const uint64_t *operands, uint64_t *out) {
    for (unsigned warp = 0; warp < HW_ELEMENTS / HW_LANES; warp++) {
        struct hw_warp w;
        gather(operands, warp, &w);
        for (unsigned row = 0; row < family->count; row++)
            for (unsigned l = 0; l < HW_LANES; l++)
                out[row * HW_ELEMENTS + warp * HW_LANES + l] = family->rows[row].model(&w, l);
    }
}

bool hw_take_model(struct hw_vectors *v, const struct hw_family *family) {
    if (family->silicon) {
        hw_refuse(v, family, "only silicon knows");
        return true;
    }
    uint64_t operands[HW_ELEMENTS * HW_OPERANDS];
    uint64_t *out = malloc((size_t)family->count * HW_ELEMENTS * sizeof *out);
    if (!out)
        return false;
    hw_operands(family, v->header.seed, operands);
    compute(family, operands, out);
    bool good = hw_take(v, family, out);
    free(out);
    return good;
}

/* ---------------------------------------------------------------- comparison */

static bool nan_bits(uint64_t x, unsigned bytes) {
    if (bytes == 8)
        return (x & INT64_MAX) > UINT64_C(0x7ff0000000000000);
    return bytes == 4 ? (x & INT32_MAX) > 0x7f800000 : (x & INT16_MAX) > 0x7c00;
}

/* Floats in their order, as integers; both zeros are 0. */
static int64_t place(uint32_t bits) {
    int64_t magnitude = bits & INT32_MAX;
    return bits >> 31 ? -magnitude : magnitude;
}

static double value(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static bool near(uint32_t got, uint32_t want, unsigned bound) {
    double x = value(got), y = value(want), scale = fabs(y) > 1 ? fabs(y) : 1;
    return x == y || fabs(x - y) <= ldexp(scale, -(int)bound);
}

/* One float; `ulps` grows to what they are apart. */
static bool floats_agree(const struct hw_row *row, uint32_t got, uint32_t want, uint64_t *ulps) {
    if (got == want)
        return true;
    if (nan_bits(got, 4) || nan_bits(want, 4))
        return nan_bits(got, 4) && nan_bits(want, 4);
    int64_t apart = place(got) - place(want);
    uint64_t distance = (uint64_t)(apart < 0 ? -apart : apart);
    if (distance > *ulps)
        *ulps = distance;
    return row->kind == HW_ULP ? distance <= row->bound : near(got, want, row->bound);
}

static bool halves_agree(uint32_t got, uint32_t want) {
    for (unsigned k = 0; k < 32; k += 16) {
        uint32_t x = got >> k & 0xffff, y = want >> k & 0xffff;
        if (x != y && !(nan_bits(x, 2) && nan_bits(y, 2)))
            return false;
    }
    return true;
}

bool hw_agree(const struct hw_row *row, uint64_t got, uint64_t want, uint64_t *ulps) {
    *ulps = 0;
    switch (row->kind) {
    case HW_NAN: return got == want || (nan_bits(got, row->bytes) && nan_bits(want, row->bytes));
    case HW_HALVES: return halves_agree((uint32_t)got, (uint32_t)want);
    case HW_ULP:
    case HW_NEAR:
        return floats_agree(row, (uint32_t)got, (uint32_t)want, ulps) &&
               floats_agree(row, (uint32_t)(got >> 32), (uint32_t)(want >> 32), ulps);
    default: return got == want;
    }
}
