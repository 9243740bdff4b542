/*
 * cuda_factor.c - constants of limbs, twiddles and scaling factors for lib/butterfly_*.sass.
 *
 * Bounds are in 1/256 of a prime, rounded to the safe side.
 */
#include "cuda_factor.h"
#include "residue.h"

#include <string.h>

__extension__ typedef __int128 i128;

enum {
    MOST_CAPACITY = 1 << 20, /* more is never needed */
    MOST_CENTER = 48,        /* 16 stages without a correction */
    SMALL_BITS = 40,         /* FH_LAZY_64 shifts primes of fewer bits, */
    SHIFTED_BITS = 54,       /* to this size at least */
};

static unsigned bit_length(uint64_t x) {
    return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

static unsigned least(fh_u128 x, unsigned most) {
    return x < most ? (unsigned)x : most;
}

static void put64(uint32_t *words, uint64_t value) {
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

void fh_put_signed_64(uint32_t *words, uint64_t value) {
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32) + (words[0] >> 31);
}

/* round(2^e / q) and its error 2^e / q - that, times q */
static uint64_t reciprocal(unsigned e, uint64_t q, i128 *error) {
    fh_u128 power = (fh_u128)1 << e;
    uint64_t m = (uint64_t)((power + q / 2) / q);
    *error = (i128)power - (i128)((fh_u128)m * q);
    return m;
}

/* ---------------------------------------------------------------- what the primes have in common
 */

/* What equation (2) of either lazy butterfly leaves: half of q, and half of the reciprocal's error
 * (half: NARROW_32's x is half of a word at most, LAZY_64's error is centred); for LAZY_64 2^-8. */
static unsigned corrected(unsigned e, uint64_t q) {
    i128 error;
    (void)reciprocal(e, q, &error);
    fh_u128 magnitude = (fh_u128)(error < 0 ? -error : error);
    return 128 + (unsigned)((128 * magnitude + q - 1) / q) + (e == 64);
}

static void init_lazy(struct fh_factors *factors, size_t limbs, const uint64_t *q) {
    bool narrow = factors->kind == FH_NARROW_32;
    uint64_t largest = 1;
    for (size_t i = 0; i < limbs; i++) {
        struct fh_factor_limb limb;
        fh_factor_limb_init(&limb, factors, q[i]);
        unsigned left = corrected(narrow ? 32 : 64, limb.q);
        factors->corrected = left > factors->corrected ? left : factors->corrected;
        largest = limb.q > largest ? limb.q : largest;
    }
    /* 2^31 or 2^64 in units of q / 256 */
    factors->capacity = least(((fh_u128)1 << (narrow ? 39 : 72)) / largest, MOST_CAPACITY);
    factors->center = least(factors->capacity / 512, MOST_CENTER);
    /* Then x is below (1/2 + |f|) q, and T below q. */
    factors->enter_first = !narrow || 2 * factors->corrected + 129 <= factors->capacity;
}

void fh_factors_init(struct fh_factors *factors, enum fh_butterfly kind, size_t limbs,
                     const uint64_t *q) {
    static const struct fh_factors kinds[] = {
        [FH_NARROW_32] = {.words = 1, .twiddle_words = 2, .scale_words = 2, .limb_words = 8},
        [FH_WIDE_32] = {.words = 1, .twiddle_words = 4, .scale_words = 4, .limb_words = 4},
        [FH_LAZY_64] = {.words = 2, .twiddle_words = 6, .scale_words = 6, .limb_words = 24},
        [FH_GME_32] = {.words = 1, .twiddle_words = 2, .scale_words = 1, .limb_words = 4},
        [FH_GME_64] = {.words = 2, .twiddle_words = 4, .scale_words = 2, .limb_words = 4},
    };
    uint64_t largest = 0, smallest = UINT64_MAX;
    for (size_t i = 0; i < limbs; i++) {
        largest = q[i] > largest ? q[i] : largest;
        smallest = q[i] < smallest ? q[i] : smallest;
    }
    *factors = kinds[kind];
    factors->kind = kind;
    factors->modulus_bits = bit_length(largest);
    if (kind == FH_LAZY_64 && bit_length(smallest) < SMALL_BITS)
        factors->shifted =
            factors->modulus_bits > SHIFTED_BITS ? factors->modulus_bits : SHIFTED_BITS;
    if (kind == FH_NARROW_32 || kind == FH_LAZY_64)
        init_lazy(factors, limbs, q);
}

/* ---------------------------------------------------------------- one prime */

void fh_factor_limb_init(struct fh_factor_limb *limb, const struct fh_factors *factors,
                         uint64_t q) {
    *limb = (struct fh_factor_limb){.factors = factors, .q = q};
    if (factors->shifted) {
        limb->shift = factors->shifted - bit_length(q);
        limb->q = q << limb->shift;
    }
    limb->inverse = fh_inverse_64(q);
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* r0 and r1 of FH_LAZY_64: 2^31 w / q and 2^31 v / q, rounded so that the larger error of one sign
 * is least. */
static void round_pair(uint64_t q, uint64_t w, uint64_t v, uint32_t *words) {
    fh_u128 x = (fh_u128)w << 31, y = (fh_u128)v << 31;
    /* What is lost by rounding down, times q, and what is gained by rounding up. */
    uint64_t x_down = (uint64_t)(x % q), y_down = (uint64_t)(y % q);
    uint64_t x_up = q - x_down, y_up = q - y_down;
    const uint64_t errors[4] = {x_down + y_down, larger(x_up, y_down), larger(x_down, y_up),
                                x_up + y_up};
    unsigned best = 0;
    for (unsigned i = 1; i < 4; i++)
        if (errors[i] < errors[best])
            best = i;
    words[0] = (uint32_t)(x / q) + (best & 1);
    words[1] = (uint32_t)(y / q) + (best >> 1);
}

/* {r0, r1, w, v} of FH_LAZY_64 */
static void fill_lazy_64(const struct fh_factor_limb *limb, uint64_t w, uint32_t *words) {
    fh_u128 shifted = (fh_u128)w << 32;
    uint64_t v = (uint64_t)(shifted % limb->q);
    round_pair(limb->q, w, v, words);
    put64(words + 2, w);
    put64(words + 4, v);
}

/* round(2^32 w / q) for the centred residue w, which is changed by q if that has not 32 bits */
static uint32_t signed_quotient(uint64_t q, int64_t *w) {
    i128 twice = (i128)*w * ((i128)1 << 33) + (i128)q, quotient = twice / (2 * (i128)q);
    if (twice < 0 && quotient * 2 * (i128)q != twice)
        quotient--;
    if (quotient >> 31 == 1) {
        *w -= (int64_t)q;
        quotient -= (i128)1 << 32;
    }
    return (uint32_t)quotient;
}

static int64_t centred(uint64_t w, uint64_t q) {
    return w > q / 2 ? (int64_t)(w - q) : (int64_t)w;
}

void fh_factor_signed_64(uint64_t q, uint64_t s, uint32_t *words) {
    int64_t w = centred(s, q), v = centred((uint64_t)(((fh_u128)s << 32) % q), q);
    words[0] = signed_quotient(q, &w);
    words[1] = signed_quotient(q, &v);
    fh_put_signed_64(words + 2, (uint64_t)w);
    fh_put_signed_64(words + 4, (uint64_t)v);
}

void fh_factor_times_32(uint64_t p, uint64_t s, bool narrow, uint32_t *words) {
    if (narrow) {
        uint64_t negative = (uint64_t)(((fh_u128)(p - s) << 64) % p);
        put64(words, negative * fh_inverse_64(p));
        words[2] = (uint32_t)p;
        words[3] = 0;
        return;
    }
    words[0] = (uint32_t)s;
    put64(words + 1, (uint64_t)(((fh_u128)s << 64) / p) + 1);
    words[3] = (uint32_t)(0 - p);
}

/* W of equation (3) of FH_NARROW_32 */
static void fill_exact_32(const struct fh_factor_limb *limb, uint64_t w, uint32_t *words) {
    uint64_t q = limb->q;
    uint64_t v = (uint64_t)(((fh_u128)(w ? q - w : 0) << 64) % q);
    fh_put_signed_64(words, (uint64_t)centred(v, q) * limb->inverse);
}

static void fill_limb_64(const struct fh_factor_limb *limb, uint32_t *words) {
    uint64_t q = limb->q;
    i128 error; /* -f q */
    uint64_t m = reciprocal(64, q, &error);
    unsigned center = limb->factors->center;
    uint64_t a = (uint64_t)(((i128)1 << 31) + error * ((i128)1 << 31) / (i128)q);
    put64(words, 0 - 2 * q);
    put64(words + 2, center * q);
    fh_put_signed_64(words + 4, 0 - q);
    words[6] = (uint32_t)m;
    words[7] = limb->shift;
    put64(words + 8, a | (uint64_t)(0 - center) << 32);
    put64(words + 10, a);
    put64(words + 12, q);
    fill_lazy_64(limb, (uint64_t)1 << limb->shift, words + 16);
}

void fh_factor_limb_fill(const struct fh_factor_limb *limb, uint32_t *words) {
    uint64_t q = limb->q;
    i128 error;
    memset(words, 0, limb->factors->limb_words * sizeof *words);
    switch (limb->factors->kind) {
    case FH_NARROW_32:
        words[0] = (uint32_t)(0 - q);
        words[1] = (uint32_t)reciprocal(32, q, &error);
        fill_exact_32(limb, 1, words + 2);
        words[4] = (uint32_t)q;
        break;
    case FH_WIDE_32:
        words[0] = (uint32_t)q;
        words[1] = (uint32_t)(0 - q);
        words[2] = (uint32_t)(((uint64_t)1 << 32) / q);
        break;
    case FH_LAZY_64: fill_limb_64(limb, words); break;
    case FH_GME_32:
    case FH_GME_64: put64(words, q); break;
    }
}

/* ---------------------------------------------------------------- factors */

static void fill_narrow_32(const struct fh_factor_limb *limb, enum fh_factor_use use, uint64_t w,
                           uint32_t *words) {
    uint64_t q = limb->q, negative = w ? q - w : 0;
    if (use == FH_USE_LAST || use == FH_USE_SCALE) {
        fill_exact_32(limb, w, words);
    } else if (use == FH_USE_ENTERING) {
        words[0] = (uint32_t)negative;
        words[1] = (uint32_t)(((negative << 32) + q / 2) / q);
    } else {
        int64_t value = centred(negative, q);
        uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);
        uint32_t quotient = (uint32_t)(((magnitude << 32) + q / 2) / q);
        words[0] = (uint32_t)value;
        words[1] = value < 0 ? 0 - quotient : quotient;
    }
}

void fh_factor_fill(const struct fh_factor_limb *limb, enum fh_factor_use use, uint64_t w,
                    uint32_t *words) {
    const struct fh_factors *factors = limb->factors;
    uint64_t q = limb->q, prime = q >> limb->shift;
    bool scale = use == FH_USE_SCALE;
    switch (factors->kind) {
    case FH_NARROW_32: fill_narrow_32(limb, use, w, words); break;
    case FH_WIDE_32:
        words[0] = (uint32_t)w;
        put64(words + 1, (uint64_t)(((fh_u128)w << 64) / q));
        words[3] = 0;
        break;
    case FH_LAZY_64:
        if (!scale)
            fill_lazy_64(limb, w ? q - w : 0, words);
        else if ((uint64_t)factors->center * 2048 <= factors->capacity)
            fh_factor_signed_64(q, w, words);
        else
            fill_lazy_64(limb, w, words);
        break;
    case FH_GME_32:
        words[0] = (uint32_t)w;
        if (!scale)
            words[1] = (uint32_t)(2 * (prime - w) % prime);
        break;
    case FH_GME_64:
        put64(words, w);
        if (!scale)
            put64(words + 2, (uint64_t)((fh_u128)2 * (prime - w) % prime));
        break;
    }
}
