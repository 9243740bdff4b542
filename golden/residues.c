/* residues.c - see residues.h. Compiled for AVX2 where there is such a thing. */
#include "residues.h"

#if defined __AVX2__

#include <immintrin.h>

enum { LANES = 4, VECTORS = 4, PIECE = LANES * VECTORS, MOST_TERMS = 64 };

typedef struct modulus {
    __m256i q, last; /* last = q - 1 */
    __m256i inverse; /* q^-1 mod 2^32 */
    uint64_t value;
} modulus;

static bool usable(uint64_t q) {
    return (q & 1) != 0 && q >> 16 != 0 && q >> 32 == 0 && __builtin_cpu_supports("avx2");
}

static __m256i all(uint64_t value) {
    return _mm256_set1_epi64x((long long)value);
}

static modulus modulus_of(uint64_t q) {
    uint32_t inverse = (uint32_t)q; /* right modulo 8; each step doubles the bits */
    for (unsigned bits = 3; bits < 32; bits *= 2) {
        inverse *= 2 - (uint32_t)q * inverse;
    }
    return (modulus){all(q), all(q - 1), all(inverse), q};
}

/* x 2^32 modulo q. */
static uint64_t shifted(uint64_t x, uint64_t q) {
    return (x % q << 32) % q;
}

static inline __m256i load(const uint64_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline void store(uint64_t *to, __m256i value) {
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

/* The sign bits are set in lanes that are not below q. */
static inline __m256i excess(__m256i x, const modulus *m) {
    return _mm256_or_si256(x, _mm256_cmpgt_epi64(x, m->last));
}

static inline bool any_sign(__m256i x) {
    return _mm256_movemask_pd(_mm256_castsi256_pd(x)) != 0;
}

/* Lanes of `negative` where x has its sign bit set, else of x. */
static inline __m256i choose(__m256i x, __m256i negative) {
    return _mm256_castpd_si256(_mm256_blendv_pd(
        _mm256_castsi256_pd(x), _mm256_castsi256_pd(negative), _mm256_castsi256_pd(x)));
}

/* x in [0, 2q), or in [-q, q) for the second one, to [0, q). */
static inline __m256i below(__m256i x, const modulus *m) {
    return choose(_mm256_sub_epi64(x, m->q), x);
}

static inline __m256i not_negative(__m256i x, const modulus *m) {
    return choose(x, _mm256_add_epi64(x, m->q));
}

/* high 2^32 + low for high < q, of low the lower 32 bits, divided by 2^32 modulo q. */
static inline __m256i divide(__m256i high, __m256i low, const modulus *m) {
    const __m256i times = _mm256_mul_epu32(_mm256_mul_epu32(low, m->inverse), m->q);
    return not_negative(_mm256_sub_epi64(high, _mm256_srli_epi64(times, 32)), m);
}

/* a b / 2^32 modulo q, a < q, b <= 2^32 - 1. */
static inline __m256i multiply(__m256i a, __m256i b, const modulus *m) {
    const __m256i product = _mm256_mul_epu32(a, b);
    return divide(_mm256_srli_epi64(product, 32), product, m);
}

/* The loops over pieces: the operands of all vectors first, so that a piece with an operand that is
 * not reduced has not been begun. */
#define FOR_EACH_PIECE(TEST, RESULT)                                                               \
    const size_t end = usable(q) ? n : 0;                                                          \
    size_t done = 0;                                                                               \
    for (; done + PIECE <= end; done += PIECE) {                                                   \
        __m256i bad = _mm256_setzero_si256();                                                      \
        for (size_t i = done; i < done + PIECE; i += LANES) {                                      \
            bad = _mm256_or_si256(bad, TEST);                                                      \
        }                                                                                          \
        if (any_sign(bad)) {                                                                       \
            break;                                                                                 \
        }                                                                                          \
        for (size_t i = done; i < done + PIECE; i += LANES) {                                      \
            store(out + i, RESULT);                                                                \
        }                                                                                          \
    }                                                                                              \
    return done

size_t fh_golden_residues_add(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
    const modulus m = modulus_of(q);
    FOR_EACH_PIECE(_mm256_or_si256(excess(load(a + i), &m), excess(load(b + i), &m)),
                   below(_mm256_add_epi64(load(a + i), load(b + i)), &m));
}

size_t fh_golden_residues_sub(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
    const modulus m = modulus_of(q);
    FOR_EACH_PIECE(_mm256_or_si256(excess(load(a + i), &m), excess(load(b + i), &m)),
                   not_negative(_mm256_sub_epi64(load(a + i), load(b + i)), &m));
}

size_t fh_golden_residues_mul(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
    const modulus m = modulus_of(q);
    const __m256i square = all(usable(q) ? shifted(shifted(1, q), q) : 0); /* 2^64 modulo q */
    FOR_EACH_PIECE(_mm256_or_si256(excess(load(a + i), &m), excess(load(b + i), &m)),
                   multiply(multiply(load(a + i), load(b + i), &m), square, &m));
}

size_t fh_golden_residues_mac(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              const uint64_t *c, uint64_t *out) {
    const modulus m = modulus_of(q);
    const __m256i square = all(usable(q) ? shifted(shifted(1, q), q) : 0);
    FOR_EACH_PIECE(
        _mm256_or_si256(excess(load(a + i), &m),
                        _mm256_or_si256(excess(load(b + i), &m), excess(load(c + i), &m))),
        below(_mm256_add_epi64(multiply(multiply(load(a + i), load(b + i), &m), square, &m),
                               load(c + i)),
              &m));
}

size_t fh_golden_residues_add_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                     uint64_t *out) {
    const modulus m = modulus_of(q);
    const __m256i term = all(scalar % q);
    FOR_EACH_PIECE(excess(load(a + i), &m), below(_mm256_add_epi64(load(a + i), term), &m));
}

size_t fh_golden_residues_mul_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                     uint64_t *out) {
    const modulus m = modulus_of(q);
    const __m256i factor = all(usable(q) ? shifted(scalar, q) : 0);
    FOR_EACH_PIECE(excess(load(a + i), &m), multiply(load(a + i), factor, &m));
}

/* The magnitude of x in (-last / 2, last / 2), modulo q, and its sign again. */
static inline __m256i switched(__m256i x, __m256i half, __m256i all_of_last, __m256i f,
                               const modulus *m) {
    const __m256i negative = _mm256_cmpgt_epi64(x, half);
    const __m256i size = _mm256_blendv_epi8(x, _mm256_sub_epi64(all_of_last, x), negative);
    const __m256i times = _mm256_srli_epi64(_mm256_mul_epu32(size, f), 32);
    const __m256i rest = below(_mm256_sub_epi64(size, _mm256_mul_epu32(times, m->q)), m);
    return _mm256_blendv_epi8(rest, below(_mm256_sub_epi64(m->q, rest), m), negative);
}

size_t fh_golden_residues_switch(size_t n, uint64_t last, uint64_t q, const uint64_t *in,
                                 uint64_t *out) {
    const modulus m = modulus_of(q), from = modulus_of(last);
    const __m256i half = all(last / 2), f = all(((uint64_t)1 << 32) / q);
    if (!usable(last)) {
        return 0;
    }
    FOR_EACH_PIECE(excess(load(in + i), &from), switched(load(in + i), half, from.q, f, &m));
}

/* ------------------------------------------------------------------------------ many products */

/* x < 2^40 modulo q. With g = floor(2^40 / q) < 2^24 the estimate floor((x >> 8) g / 2^32) is
 * floor(x / q) or up to two less: x / 2^8 loses less than 1, which is g / 2^32 < 1 of the quotient,
 * g less than 1, which is (x >> 8) / 2^32 < 1, and the last floor less than 1. */
static inline __m256i rest_of_40_bits(__m256i x, __m256i g, const modulus *m) {
    const __m256i times = _mm256_srli_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 8), g), 32);
    return below(below(_mm256_sub_epi64(x, _mm256_mul_epu32(times, m->q)), m), m);
}

/* The sum of the products as upper 2^32 + lower. `sum` is it modulo 2^64, `high` the sum of the
 * products' upper halves; what is left, that of the lower halves, is below 64 2^32. */
static inline __m256i combined(size_t terms, const uint64_t *y, size_t stride,
                               const __m256i *factors, __m256i g, const modulus *m) {
    __m256i sum = _mm256_setzero_si256(), high = sum;
    for (size_t j = 0; j < terms; j++) {
        const __m256i product = _mm256_mul_epu32(load(y + j * stride), factors[j]);
        sum = _mm256_add_epi64(sum, product);
        high = _mm256_add_epi64(high, _mm256_srli_epi64(product, 32));
    }
    const __m256i low = _mm256_sub_epi64(sum, _mm256_slli_epi64(high, 32));
    high = _mm256_add_epi64(high, _mm256_srli_epi64(low, 32)); /* below 2^38 + 2^6 */
    return divide(rest_of_40_bits(high, g, m), low, m);
}

size_t fh_golden_residues_combine(size_t n, uint64_t q, size_t terms, const uint64_t *y,
                                  size_t stride, const uint64_t *factor, uint64_t *out) {
    if (!usable(q) || terms > MOST_TERMS) {
        return 0;
    }
    const modulus m = modulus_of(q);
    const __m256i g = all(((uint64_t)1 << 40) / q);
    __m256i factors[MOST_TERMS];
    for (size_t j = 0; j < terms; j++) {
        factors[j] = all(shifted(factor[j], q));
    }
    size_t done = 0;
    for (; done + LANES <= n; done += LANES) {
        store(out + done, combined(terms, y + done, stride, factors, g, &m));
    }
    return done;
}

#else

size_t fh_golden_residues_add(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
    (void)n, (void)q, (void)a, (void)b, (void)out;
    return 0;
}

size_t fh_golden_residues_sub(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
    (void)n, (void)q, (void)a, (void)b, (void)out;
    return 0;
}

size_t fh_golden_residues_mul(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
    (void)n, (void)q, (void)a, (void)b, (void)out;
    return 0;
}

size_t fh_golden_residues_mac(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                              const uint64_t *c, uint64_t *out) {
    (void)n, (void)q, (void)a, (void)b, (void)c, (void)out;
    return 0;
}

size_t fh_golden_residues_add_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                     uint64_t *out) {
    (void)n, (void)q, (void)a, (void)scalar, (void)out;
    return 0;
}

size_t fh_golden_residues_mul_scalar(size_t n, uint64_t q, const uint64_t *a, uint64_t scalar,
                                     uint64_t *out) {
    (void)n, (void)q, (void)a, (void)scalar, (void)out;
    return 0;
}

size_t fh_golden_residues_switch(size_t n, uint64_t last, uint64_t q, const uint64_t *in,
                                 uint64_t *out) {
    (void)n, (void)last, (void)q, (void)in, (void)out;
    return 0;
}

size_t fh_golden_residues_combine(size_t n, uint64_t q, size_t terms, const uint64_t *y,
                                  size_t stride, const uint64_t *factor, uint64_t *out) {
    (void)n, (void)q, (void)terms, (void)y, (void)stride, (void)factor, (void)out;
    return 0;
}

#endif
