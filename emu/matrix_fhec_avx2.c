/*
 * matrix_fhec_avx2.c - FHEC with AVX2: vector sums, then one scalar reduction per element.
 *
 * A row of the tile is two vectors of four 64-bit lanes, with the columns 0 2 1 3 and 4 6 5 7: what
 * unpacking makes of two quarters of a register of B (see matrix_fhec_avx512.c, which does the same
 * with twice the width).
 */
#if defined __x86_64__

#include <immintrin.h>
#include <string.h>

#include "matrix_fhec.h"

enum { HALF = 8, TOGETHER = 2 }; /* rows of half a tile; rows that share a load of B */

/* B by k; the low halves of the lanes are its elements, the high halves anything. */
struct columns {
    __m256i k[FH_TILE_DEPTH][2];
};

static inline __m256i load(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static void load_b(const fh_row *b, struct columns *out) {
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 2; i++) {
            __m256i x = load(&b[j][16 * i]), y = load(&b[j][16 * i + 8]);
            __m256i low = _mm256_unpacklo_epi64(x, y), high = _mm256_unpackhi_epi64(x, y);
            out->k[4 * j][i] = low;
            out->k[4 * j + 1][i] = _mm256_srli_epi64(low, 32);
            out->k[4 * j + 2][i] = high;
            out->k[4 * j + 3][i] = _mm256_srli_epi64(high, 32);
        }
    }
}

/* What is known of the sums of some rows, without C. */
struct sums {
    _Alignas(32) uint64_t total[TOGETHER][FH_TILE_COLUMNS]; /* modulo 2^64 */
    _Alignas(32) uint64_t high[TOGETHER][FH_TILE_COLUMNS];  /* wide: of product / 2^32, exact */
};

/* Rows m and m + 1 of A B. */
static inline __attribute__((always_inline)) void
sum_rows(const fh_row *a, int m, const struct columns *b, bool wide, struct sums *out) {
    __m256i total[TOGETHER][2] = {{{0}}}, high[TOGETHER][2] = {{{0}}};
    for (int j = 0; j < 4; j++) {
        const uint32_t *lane = &a[2 * j + m / HALF][4 * (m % HALF)];
#pragma GCC unroll 4
        for (int t = 0; t < 4; t++) {
#pragma GCC unroll 2
            for (int row = 0; row < TOGETHER; row++) {
                __m256i x = _mm256_set1_epi32((int)lane[4 * row + t]);
#pragma GCC unroll 2
                for (int i = 0; i < 2; i++) {
                    __m256i product = _mm256_mul_epu32(x, b->k[4 * j + t][i]);
                    total[row][i] = _mm256_add_epi64(total[row][i], product);
                    if (wide)
                        high[row][i] =
                            _mm256_add_epi64(high[row][i], _mm256_srli_epi64(product, 32));
                }
            }
        }
    }
    memcpy(out->total, total, sizeof total);
    memcpy(out->high, high, sizeof high);
}

/* All moduli exact. */
static inline __attribute__((always_inline)) void
exact(const fh_row *a, const struct columns *b, const fh_row *c, fh_row *d,
      const struct fh_modulus modulus[FH_TILE_COLUMNS], bool wide) {
    static const uint8_t column_of[FH_TILE_COLUMNS] = {0, 2, 1, 3, 4, 6, 5, 7};
    fh_row result[4];
    for (int m = 0; m < FH_TILE_ROWS; m += TOGETHER) {
        struct sums sums;
        sum_rows(a, m, b, wide, &sums);
        for (int row = 0; row < TOGETHER; row++) {
            for (int i = 0; i < FH_TILE_COLUMNS; i++) {
                int n = column_of[i], r = 2 * (m / HALF) + n % 2;
                int l = 4 * (m % HALF + row) + n / 2;
                uint64_t total = sums.total[row][i], high = sums.high[row][i];
                /* wide: the sum of the products' low halves, below 2^36, is total - 2^32 high */
                result[r][l] =
                    wide ? fh_barrett_halves(high, total - (high << 32) + c[r][l], modulus[n])
                         : fh_barrett(total + c[r][l], modulus[n]);
            }
        }
    }
    memcpy(d, result, sizeof result);
}

static bool is_narrow(const fh_row *a, const fh_row *b) {
    __m256i bits = _mm256_setzero_si256();
    for (int l = 0; l < FH_LANES; l += 8) {
        for (int i = 0; i < 8; i++)
            bits = _mm256_or_si256(bits, load(&a[i][l]));
        for (int i = 0; i < 4; i++)
            bits = _mm256_or_si256(bits, load(&b[i][l]));
    }
    return _mm256_testz_si256(bits, _mm256_set1_epi32((int)~(FH_NARROW_LIMIT - 1)));
}

static void any_modulus(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                        const struct fh_modulus modulus[FH_TILE_COLUMNS], bool all_exact) {
    if (!all_exact) {
        fh_fhec_steps(a, b, c, d, modulus);
        return;
    }
    struct columns columns;
    load_b(b, &columns);
    if (is_narrow(a, b))
        exact(a, &columns, c, d, modulus, false);
    else
        exact(a, &columns, c, d, modulus, true);
}

void fh_fhec_avx2(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                  struct fh_modulus modulus) {
    struct fh_modulus all[FH_TILE_COLUMNS];
    for (int n = 0; n < FH_TILE_COLUMNS; n++)
        all[n] = modulus;
    any_modulus(a, b, c, d, all, fh_modulus_exact(modulus));
}

void fh_fhec_mix_avx2(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                      const fh_row *m) {
    struct fh_modulus modulus[FH_TILE_COLUMNS];
    fh_fhec_descriptors(m, modulus);
    bool all_exact = true;
    for (int n = 0; n < FH_TILE_COLUMNS; n++)
        all_exact = all_exact && fh_modulus_exact(modulus[n]);
    any_modulus(a, b, c, d, modulus, all_exact);
}

#endif
