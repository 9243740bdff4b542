/*
 * matrix_portable.c - the values of FHEC and IMMA in plain C, for every host: loops over the lanes
 * in the order of the fragments, which a compiler can turn into vector code.
 *
 * Lane l = 4g + t. Register i of A holds A[g + 8(i%2)][t + 4(i/2)], register i of B holds
 * B[t + 4i][g], register i of C and D element [g + 8(i/2)][2t + i%2].
 */
#include "matrix_fhec.h"
#include "matrix_imma.h"

#include <string.h>

enum { HALF = 8 }; /* rows of one half of the tile: those that register i of C and D covers */

void fh_fhec_descriptors(const fh_row *m, struct fh_modulus modulus[FH_TILE_COLUMNS]) {
    for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++) {
        uint64_t low = m[2][4 * n], high = m[3][4 * n];
        modulus[n] = (struct fh_modulus){m[0][4 * n], high << 32 | low};
    }
}

void fh_fhec_steps(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                   const struct fh_modulus modulus[FH_TILE_COLUMNS]) {
    fh_row result[4];
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t l = 0; l < FH_LANES; l++) {
            uint32_t g = l / 4, n = 2 * (l % 4) + i % 2, r = c[i][l];
            for (uint32_t k = 0; k < FH_TILE_DEPTH; k++)
                r = fh_fhec_step(modulus[n], r, a[2 * (k / 4) + i / 2][4 * g + k % 4],
                                 b[k / 4][4 * n + k % 4]);
            result[i][l] = r;
        }
    }
    memcpy(d, result, sizeof result);
}

/* B as rows of columns: out[k][n]. */
static void transpose_b(const fh_row *b, uint32_t out[FH_TILE_DEPTH][FH_TILE_COLUMNS]) {
    for (uint32_t k = 0; k < FH_TILE_DEPTH; k++)
        for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++)
            out[k][n] = b[k / 4][4 * n + k % 4];
}

/* How many products make an exact sum of 64 bits: narrow, medium or wide. */
enum together { ALL = 16, FOUR = 4, ONE = 1 };

static enum together operands(const fh_row *a, const fh_row *b) {
    uint32_t bits = 0;
    for (uint32_t l = 0; l < FH_LANES; l++) {
        for (uint32_t i = 0; i < 8; i++)
            bits |= a[i][l];
        for (uint32_t i = 0; i < 4; i++)
            bits |= b[i][l];
    }
    return bits < FH_NARROW_LIMIT ? ALL : bits < FH_MEDIUM_LIMIT ? FOUR : ONE;
}

/* The sums of one row m of the tile without C. ALL: S itself, in low; else the sums of the low and
 * high halves of the exact sums, each below 16 (2^32-1) < 2^36. */
static inline __attribute__((always_inline)) void
row_sums(const fh_row *a, uint32_t m, const uint32_t b[FH_TILE_DEPTH][FH_TILE_COLUMNS],
         enum together together, uint64_t low[FH_TILE_COLUMNS], uint64_t high[FH_TILE_COLUMNS]) {
    for (uint32_t first = 0; first < FH_TILE_DEPTH; first += together) {
        uint64_t sum[FH_TILE_COLUMNS] = {0};
        for (uint32_t k = first; k < first + together; k++) {
            uint64_t x = a[2 * (k / 4) + m / HALF][4 * (m % HALF) + k % 4];
            for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++)
                sum[n] += x * b[k][n];
        }
        for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++) {
            low[n] += together == ALL ? sum[n] : sum[n] & UINT32_MAX;
            high[n] += together == ALL ? 0 : sum[n] >> 32;
        }
    }
}

/* All moduli exact. */
static inline __attribute__((always_inline)) void
exact(const fh_row *a, const uint32_t b[FH_TILE_DEPTH][FH_TILE_COLUMNS], const fh_row *c, fh_row *d,
      const struct fh_modulus modulus[FH_TILE_COLUMNS], enum together together) {
    fh_row result[4];
    for (uint32_t m = 0; m < FH_TILE_ROWS; m++) {
        uint64_t low[FH_TILE_COLUMNS] = {0}, high[FH_TILE_COLUMNS] = {0};
        row_sums(a, m, b, together, low, high);
        for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++) {
            uint32_t i = 2 * (m / HALF) + n % 2, l = 4 * (m % HALF) + n / 2;
            uint64_t sum = low[n] + c[i][l];
            result[i][l] = together == ALL ? fh_barrett(sum, modulus[n])
                                           : fh_barrett_halves(high[n], sum, modulus[n]);
        }
    }
    memcpy(d, result, sizeof result);
}

/* All moduli exact, any operands. */
static void exact_any(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                      const struct fh_modulus modulus[FH_TILE_COLUMNS]) {
    uint32_t columns[FH_TILE_DEPTH][FH_TILE_COLUMNS];
    transpose_b(b, columns);
    switch (operands(a, b)) {
    case ALL: exact(a, columns, c, d, modulus, ALL); break;
    case FOUR: exact(a, columns, c, d, modulus, FOUR); break;
    case ONE: exact(a, columns, c, d, modulus, ONE); break;
    }
}

void fh_fhec_portable(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                      struct fh_modulus modulus) {
    struct fh_modulus moduli[FH_TILE_COLUMNS];
    for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++)
        moduli[n] = modulus;
    if (fh_modulus_exact(modulus))
        exact_any(a, b, c, d, moduli);
    else
        fh_fhec_steps(a, b, c, d, moduli);
}

void fh_fhec_mix_portable(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                          const fh_row *m) {
    struct fh_modulus moduli[FH_TILE_COLUMNS];
    fh_fhec_descriptors(m, moduli);
    bool all = true;
    for (uint32_t n = 0; n < FH_TILE_COLUMNS; n++)
        all = all && fh_modulus_exact(moduli[n]);
    if (all)
        exact_any(a, b, c, d, moduli);
    else
        fh_fhec_steps(a, b, c, d, moduli);
}

/* Byte j of a word as a number. */
static int32_t byte_of(uint32_t word, uint32_t j, bool is_signed) {
    uint32_t byte = word >> (8 * j) & 255;
    return is_signed && byte >= 128 ? (int32_t)byte - 256 : (int32_t)byte;
}

static int32_t dot4(const struct fh_imma *imma, uint32_t a, uint32_t b) {
    int32_t sum = 0;
    for (uint32_t j = 0; j < 4; j++)
        sum += byte_of(a, j, imma->a_signed) * byte_of(b, j, imma->b_signed);
    return sum;
}

/* c + p for |p| <= 32 * 255^2 < 2^21, wrapped or clamped to int32. */
static uint32_t accumulate(uint32_t c, int32_t p, bool saturate) {
    int64_t sum = (int64_t)(int32_t)c + p;
    if (saturate && sum > INT32_MAX)
        return INT32_MAX;
    if (saturate && sum < INT32_MIN)
        return (uint32_t)INT32_MIN;
    return (uint32_t)sum;
}

/* Word k/4 of row m of A lies in register m/8 + 2(k/16), lane 4(m%8) + (k/4)%4; of column n of B in
 * register k/16, lane 4n + (k/4)%4. */
void fh_imma_portable(const struct fh_imma *imma, const fh_row *a, const fh_row *b, const fh_row *c,
                      fh_row *d) {
    uint32_t registers = imma->rows / 4U, chunks = imma->depth / 16U, halves = registers / 2;
    fh_row result[4];
    for (uint32_t i = 0; i < registers; i++) {
        for (uint32_t l = 0; l < FH_LANES; l++) {
            uint32_t g = l / 4, n = 2 * (l % 4) + i % 2;
            int32_t p = 0;
            for (uint32_t chunk = 0; chunk < chunks; chunk++)
                for (uint32_t t = 0; t < 4; t++)
                    p += dot4(imma, a[i / 2 + halves * chunk][4 * g + t], b[chunk][4 * n + t]);
            result[i][l] = accumulate(c[i][l], p, imma->saturate);
        }
    }
    memcpy(d, result, registers * sizeof result[0]);
}
