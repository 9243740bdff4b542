/*
 * matrix_imma_avx2.c - IMMA of 8-bit elements with AVX2, from fragment to fragment.
 *
 * As in matrix_imma_avx512.c a register of D is, group of four lanes by group, a sum of products of
 * one broadcast word of A's group and a gathered word of B. The product of four bytes each is two
 * vpmaddwd, of the even and of the odd bytes extended to 16 bits with their sign or without: at
 * most 2 * 255^2 < 2^31, so nothing saturates.
 */
#if defined __x86_64__

#include <immintrin.h>
#include <string.h>

#include "matrix_imma.h"

enum { VECTORS = 4 }; /* of eight lanes: two groups of four */

static inline __m256i load(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

/* The even or odd bytes of x as 16-bit numbers. */
struct bytes {
    __m256i even, odd;
};

static inline struct bytes split(__m256i x, bool is_signed) {
    if (is_signed)
        return (struct bytes){_mm256_srai_epi16(_mm256_slli_epi16(x, 8), 8),
                              _mm256_srai_epi16(x, 8)};
    return (struct bytes){_mm256_and_si256(x, _mm256_set1_epi16(255)), _mm256_srli_epi16(x, 8)};
}

static inline __m256i dot(__m256i acc, struct bytes a, struct bytes b) {
    acc = _mm256_add_epi32(acc, _mm256_madd_epi16(a.even, b.even));
    return _mm256_add_epi32(acc, _mm256_madd_epi16(a.odd, b.odd));
}

/* The B side for each p and t: lanes 4(2t' + p) + t, t' = 0..3, twice: the transposed matrix of the
 * four groups 2t' + p. */
static void gather_b(const uint32_t *b, bool is_signed, struct bytes out[2][4]) {
    for (int p = 0; p < 2; p++) {
        __m256i group[4];
        for (int t = 0; t < 4; t++) {
            const void *from = b + 4 * (2 * t + p);
            group[t] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)from));
        }
        __m256i low01 = _mm256_unpacklo_epi32(group[0], group[1]);
        __m256i low23 = _mm256_unpacklo_epi32(group[2], group[3]);
        __m256i high01 = _mm256_unpackhi_epi32(group[0], group[1]);
        __m256i high23 = _mm256_unpackhi_epi32(group[2], group[3]);
        out[p][0] = split(_mm256_unpacklo_epi64(low01, low23), is_signed);
        out[p][1] = split(_mm256_unpackhi_epi64(low01, low23), is_signed);
        out[p][2] = split(_mm256_unpacklo_epi64(high01, high23), is_signed);
        out[p][3] = split(_mm256_unpackhi_epi64(high01, high23), is_signed);
    }
}

/* Lanes 8i..8i+7 of the products of one half and chunk, added to the sums of p = 0 and 1. */
static inline void multiply(__m256i a, bool a_signed, const struct bytes b[2][4], __m256i sum[2]) {
    __m256i one[4] = {_mm256_shuffle_epi32(a, 0x00), _mm256_shuffle_epi32(a, 0x55),
                      _mm256_shuffle_epi32(a, 0xaa), _mm256_shuffle_epi32(a, 0xff)};
    for (int t = 0; t < 4; t++) {
        struct bytes x = split(one[t], a_signed);
        sum[0] = dot(sum[0], x, b[0][t]);
        sum[1] = dot(sum[1], x, b[1][t]);
    }
}

/* c + p, wrapped or clamped, for |p| < 2^31: c + p has overflowed where it differs in sign from
 * both, and then to the side of c's sign. */
static inline __m256i accumulate(__m256i c, __m256i p, bool saturate) {
    __m256i sum = _mm256_add_epi32(c, p);
    if (!saturate)
        return sum;
    __m256i overflow = _mm256_and_si256(_mm256_xor_si256(sum, c), _mm256_xor_si256(sum, p));
    __m256i limit = _mm256_xor_si256(_mm256_srai_epi32(c, 31), _mm256_set1_epi32(INT32_MAX));
    return _mm256_blendv_epi8(sum, limit, _mm256_srai_epi32(overflow, 31));
}

void fh_imma_avx2(const struct fh_imma *imma, const fh_row *a, const fh_row *b, const fh_row *c,
                  fh_row *d) {
    int halves = imma->rows / 8, chunks = imma->depth / 16;
    struct bytes columns[2][2][4];
    fh_row result[4];
    for (int chunk = 0; chunk < chunks; chunk++)
        gather_b(b[chunk], imma->b_signed, columns[chunk]);
    for (int h = 0; h < halves; h++) {
        for (int i = 0; i < VECTORS; i++) {
            __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
            for (int chunk = 0; chunk < chunks; chunk++)
                multiply(load(&a[h + halves * chunk][8 * i]), imma->a_signed,
                         (const struct bytes(*)[4])columns[chunk], sum);
            for (int p = 0; p < 2; p++) {
                __m256i x = accumulate(load(&c[2 * h + p][8 * i]), sum[p], imma->saturate);
                _mm256_storeu_si256((__m256i *)(void *)&result[2 * h + p][8 * i], x);
            }
        }
    }
    memcpy(d, result, (size_t)(2 * halves) * sizeof result[0]);
}

#endif
