/* float_numbers.c - see float_numbers.h. */
#include "float_numbers.h"

#include "float.h"

const int float_precision[] = {[FH_F16] = 11, [FH_BF16] = 8, [FH_F32] = 24, [FH_F64] = 53};
const int float_width[] = {[FH_F16] = 16, [FH_BF16] = 16, [FH_F32] = 32, [FH_F64] = 64};

uint64_t float_number(uint32_t format, uint64_t negative, uint64_t exponent, uint64_t fraction) {
    const int p = float_precision[format] - 1, w = float_width[format];
    return (negative & 1) << (w - 1) | (exponent & ((UINT64_C(1) << (w - 1 - p)) - 1)) << p |
           (fraction & ((UINT64_C(1) << p) - 1));
}

uint64_t float_special_value(uint32_t format, unsigned i) {
    const int p = float_precision[format] - 1;
    const uint64_t top = (UINT64_C(1) << (float_width[format] - 1 - p)) - 1, ones = ~UINT64_C(0);
    const struct {
        uint64_t exponent, fraction;
    } values[FLOAT_SPECIALS / 2] = {
        {0, 0},       /* zero */
        {0, 1},       /* the smallest number */
        {0, ones},    /* the largest subnormal number */
        {1, 0},       /* the smallest normal one */
        {1, 1},       /* and the next one */
        {top / 2, 0}, /* one */
        {top / 2, 1}, /* and its neighbours */
        {top / 2 - 1, ones},
        {top - 1, ones}, /* the largest number */
        {top, 0},        /* infinity */
        {top, 1},        /* NaN that signals */
        {top, ones},     /* NaN that does not */
    };
    return float_number(format, i & 1, values[i / 2].exponent, values[i / 2].fraction);
}

/* A fraction that is full, or empty but for a few bits at its ends, so that sums and products end
 * next to halfway. */
static uint64_t some_fraction(struct emu_rng *rng, uint32_t format) {
    const uint64_t any = emu_next(rng), few = any >> 32 & 3;
    const int shift = (int)(any >> 8) & 63;
    switch (any & 7) {
    case 0: return 0;
    case 1: return ~UINT64_C(0);
    case 2: return few;
    case 3: return 0 - few;
    case 4: return UINT64_C(1) << shift % (float_precision[format] - 1);
    case 5: return (UINT64_C(1) << shift % (float_precision[format] - 1)) + few - 1;
    default: return emu_next(rng);
    }
}

uint64_t float_random(struct emu_rng *rng, uint32_t format, int near) {
    const int top = (1 << (float_width[format] - float_precision[format])) - 1;
    const uint64_t any = emu_next(rng);
    int exponent = near + (int)(any >> 20 & 7) - 3;
    switch (any & 15) {
    case 0: return float_special_value(format, (unsigned)(any >> 32) % FLOAT_SPECIALS);
    case 1: exponent = (int)(any >> 32 & 3); break;
    case 2: exponent = top - (int)(any >> 32 & 3); break;
    case 3:
    case 4: exponent = (int)(any >> 32) & top; break;
    default: break;
    }
    exponent = exponent < 0 ? 0 : exponent > top ? top : exponent;
    return float_number(format, any >> 60, (uint64_t)exponent, some_fraction(rng, format));
}

int float_exponent(uint32_t format, uint64_t x) {
    const int bits = float_width[format] - float_precision[format];
    return (int)(x >> (float_precision[format] - 1)) & ((1 << bits) - 1);
}
