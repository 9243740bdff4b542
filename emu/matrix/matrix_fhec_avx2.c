/*
 * matrix_fhec_avx2.c - FHEC with AVX2: vector sums, and for moduli from 2^20 on vector reductions,
 * shorter ones where moduli and operands are below 2^31; else one scalar reduction per element.
 *
 * A row of the tile is two vectors of four 64-bit lanes, with the columns 0 2 1 3 and 4 6 5 7: what
 * unpacking makes of two quarters of a register of B (see matrix_fhec_avx512.c, which does the same
 * with twice the width). The same order makes the row's two groups of four lanes in C and D.
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

/* Keeps the compiler from moving these computations across this point: left alone it starts more
 * products than there are registers. */
#define KEEP_ORDER(v) __asm__ volatile("" : "+x"((v)[0]), "+x"((v)[1]), "+x"((v)[2]), "+x"((v)[3]))

static inline __m256i load(const uint32_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline __m128i load_group(const uint32_t *from) {
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

static inline void store_group(uint32_t *to, __m128i group) {
    _mm_storeu_si128((__m128i *)(void *)to, group);
}

/* The low halves of a row's two vectors: columns 0 2 4 6 and then 1 3 5 7, as a row lies in the
 * two registers of its half. */
static inline __m256i join(__m256i x, __m256i y) {
    __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), 0x88);
    return _mm256_castps_si256(both);
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

/* ---------------------------------------------------------------- moduli from 2^20 on
 *
 * With narrow or medium operands z = sum of floor(s / 2^17) over the exact sums s is S / 2^17 less
 * 0 to 4, and below 2^51. The quotient comes from floating-point numbers, in whatever direction the
 * application lets them round. With c = floor(q / 2^19)
 *
 *     (z + c) 2^17 / q  =  S/q - e1 + e2,      0 <= e1 < 4 2^17 / q <= 1/2,   1/8 < e2 <= 1/4
 *
 * z + c is exact, its product with 2^17/q is below 2^47 and wrong by less than 2^-5, and so the
 * nearest integer t has -1 < S/q - t < 1. With q < 2^31 the low 32 bits of S - t q in (-q, q) are
 * all of it; this or that plus q, whichever is smaller as an unsigned number, is in [0, q).
 *
 * With wide operands z = floor(S / 2^17) < 2^51, so that e1 < 2^17 / q <= 1/8; the product is below
 * 2^49 and wrong by less than 1/4: again -1 < S/q - t < 1. Bit 32 of S - t q is its sign.
 */
enum { DROPPED = 17, SMALLEST_Q = 1 << 20 };

/* Constants per column, in the vectors' order of columns. */
struct reduction {
    __m256i q[2];
    __m256d inverse[2]; /* 2^17 / q */
    __m256d start[2];   /* 2^52 - c */
    __m256i q_of_row;   /* 32-bit lanes: columns 0 2 4 6 1 3 5 7 */
};

static const double magic = 0x1p52; /* an integer is in the low bits of its sum with this */

/* Integers below 2^52 in 64-bit lanes as numbers, plus 2^52. */
static inline __m256d with_magic(__m256i x) {
    return _mm256_castsi256_pd(_mm256_or_si256(x, _mm256_castpd_si256(_mm256_set1_pd(magic))));
}

static const uint8_t column_of[FH_TILE_COLUMNS] = {0, 2, 1, 3, 4, 6, 5, 7};

static void prepare(const struct fh_modulus modulus[FH_TILE_COLUMNS], struct reduction *by) {
    uint32_t q[FH_TILE_COLUMNS];
    for (int i = 0; i < FH_TILE_COLUMNS; i++)
        q[i] = modulus[column_of[i]].q;
    for (int i = 0; i < 2; i++) {
        __m128i four = load_group(&q[4 * i]);
        __m256d c = _mm256_cvtepi32_pd(_mm_srli_epi32(four, 19));
        by->q[i] = _mm256_cvtepu32_epi64(four);
        __m256d number = _mm256_sub_pd(with_magic(by->q[i]), _mm256_set1_pd(magic));
        by->inverse[i] = _mm256_div_pd(_mm256_set1_pd(1 << DROPPED), number);
        by->start[i] = _mm256_sub_pd(_mm256_set1_pd(magic), c);
    }
    by->q_of_row = join(by->q[0], by->q[1]);
}

/* t, in the low 52 bits of the lanes. */
static inline __m256i quotient(__m256i z, const struct reduction *by, int i) {
    __m256d t = _mm256_mul_pd(_mm256_sub_pd(with_magic(z), by->start[i]), by->inverse[i]);
    t = _mm256_round_pd(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm256_castpd_si256(_mm256_add_pd(t, _mm256_set1_pd(magic)));
}

/* The low 32 bits of S - t q, in the low halves of the lanes. */
static inline __m256i reduce(__m256i low, __m256i z, const struct reduction *by, int i) {
    return _mm256_sub_epi64(low, _mm256_mul_epu32(quotient(z, by, i), by->q[i]));
}

/* S mod q, in the low halves of the lanes: S - t q, of which 52 bits are right, and q where its bit
 * 32 is set. */
static inline __m256i reduce_wide(__m256i low, __m256i z, const struct reduction *by, int i) {
    __m256i t = quotient(z, by, i), q = by->q[i];
    __m256i upper = _mm256_mul_epu32(_mm256_srli_epi64(t, 32), q);
    __m256i r = _mm256_sub_epi64(low, _mm256_mul_epu32(t, q));
    r = _mm256_sub_epi64(r, _mm256_slli_epi64(upper, 32));
    __m256i negative = _mm256_and_si256(_mm256_srli_epi64(r, 32), _mm256_set1_epi64x(1));
    return _mm256_add_epi64(
        r, _mm256_and_si256(_mm256_sub_epi64(_mm256_setzero_si256(), negative), q));
}

/* The products of one k: of the element of A at `lane` and of that one row below with B's row. */
static inline __attribute__((always_inline)) void multiply(const uint32_t *lane, const __m256i b[2],
                                                           __m256i out[2 * TOGETHER]) {
#pragma GCC unroll 4
    for (int i = 0; i < 2 * TOGETHER; i++)
        out[i] = _mm256_mul_epu32(b[i % 2], _mm256_set1_epi32((int)lane[4 * (i / 2)]));
    KEEP_ORDER(out);
}

/* Adds the products of k = 4j..4j+3 of rows m and m + 1 to the sums. */
static inline __attribute__((always_inline)) void
add_group(const fh_row *a, int m, int j, const struct columns *b, __m256i sum[2 * TOGETHER]) {
    const uint32_t *lane = &a[2 * j + m / HALF][4 * (m % HALF)];
#pragma GCC unroll 4
    for (int t = 0; t < 4; t++) {
        __m256i product[2 * TOGETHER];
        multiply(lane + t, b->k[4 * j + t], product);
#pragma GCC unroll 4
        for (int i = 0; i < 2 * TOGETHER; i++)
            sum[i] = _mm256_add_epi64(sum[i], product[i]);
        KEEP_ORDER(sum);
    }
}

/* Rows m and m + 1 of C, in the vectors' order of columns. */
static inline __attribute__((always_inline)) void load_c(const fh_row *c, int m,
                                                         __m256i out[2 * TOGETHER]) {
    const int h = m / HALF, g = m % HALF;
#pragma GCC unroll 2
    for (int row = 0; row < TOGETHER; row++) {
        __m128i even = load_group(&c[2 * h][4 * (g + row)]);
        __m128i odd = load_group(&c[2 * h + 1][4 * (g + row)]);
        out[2 * row] = _mm256_cvtepu32_epi64(_mm_unpacklo_epi64(even, odd));
        out[2 * row + 1] = _mm256_cvtepu32_epi64(_mm_unpackhi_epi64(even, odd));
    }
}

static inline void store_row(fh_row *d, int m, __m256i row) {
    store_group(&d[2 * (m / HALF)][4 * (m % HALF)], _mm256_castsi256_si128(row));
    store_group(&d[2 * (m / HALF) + 1][4 * (m % HALF)], _mm256_extracti128_si256(row, 1));
}

/* Rows m and m + 1 of D. `narrow`: S < 2^64, one sum will do. */
static inline __attribute__((always_inline)) void two_rows(const fh_row *a, int m,
                                                           const struct columns *b, const fh_row *c,
                                                           const struct reduction *by, bool narrow,
                                                           fh_row *d) {
    __m256i sum[2 * TOGETHER], low[2 * TOGETHER], z[2 * TOGETHER];
    __asm__("" : "+r"(b)); /* else it would be copied before the loop over the rows */
    load_c(c, m, sum);
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        add_group(a, m, j, b, sum);
        if (narrow && j < 3)
            continue;
#pragma GCC unroll 4
        for (int i = 0; i < 2 * TOGETHER; i++) {
            __m256i part = _mm256_srli_epi64(sum[i], DROPPED);
            bool first = narrow || j == 0;
            z[i] = first ? part : _mm256_add_epi64(z[i], part);
            low[i] = first ? sum[i] : _mm256_add_epi64(low[i], sum[i]);
            sum[i] = _mm256_setzero_si256();
        }
    }
#pragma GCC unroll 2
    for (int row = 0; row < TOGETHER; row++) {
        __m256i r = join(reduce(low[2 * row], z[2 * row], by, 0),
                         reduce(low[2 * row + 1], z[2 * row + 1], by, 1));
        store_row(d, m + row, _mm256_min_epu32(r, _mm256_add_epi32(r, by->q_of_row)));
    }
}

static void vector(const fh_row *a, const struct columns *b, const fh_row *c, fh_row *d,
                   const struct fh_modulus modulus[FH_TILE_COLUMNS], bool narrow) {
    struct reduction by;
    fh_row result[4];
    prepare(modulus, &by);
    for (int m = 0; m < FH_TILE_ROWS && narrow; m += TOGETHER)
        two_rows(a, m, b, c, &by, true, result);
    for (int m = 0; m < FH_TILE_ROWS && !narrow; m += TOGETHER)
        two_rows(a, m, b, c, &by, false, result);
    memcpy(d, result, sizeof result);
}

/* ---------------------------------------------------------------- wide operands and any moduli */

/* What is known of the sums of two rows, without C: vector 2 row + i. */
struct sums {
    __m256i total[2 * TOGETHER]; /* modulo 2^64 */
    __m256i high[2 * TOGETHER];  /* of product / 2^32, exact */
};

/* Rows m and m + 1 of A B. */
static inline struct sums sum_rows(const fh_row *a, int m, const struct columns *b) {
    struct sums s = {{{0}}, {{0}}};
    for (int j = 0; j < 4; j++) {
        const uint32_t *lane = &a[2 * j + m / HALF][4 * (m % HALF)];
#pragma GCC unroll 4
        for (int t = 0; t < 4; t++) {
            __m256i product[2 * TOGETHER];
            multiply(lane + t, b->k[4 * j + t], product);
#pragma GCC unroll 4
            for (int i = 0; i < 2 * TOGETHER; i++) {
                s.total[i] = _mm256_add_epi64(s.total[i], product[i]);
                s.high[i] = _mm256_add_epi64(s.high[i], _mm256_srli_epi64(product[i], 32));
            }
            KEEP_ORDER(s.total);
        }
    }
    return s;
}

/* By moduli from 2^20 on. With S = 2^32 high + rest, rest < 2^37, floor(S / 2^17) is
 * 2^15 high + floor(rest / 2^17). */
static void wide(const fh_row *a, const struct columns *b, const fh_row *c, fh_row *d,
                 const struct fh_modulus modulus[FH_TILE_COLUMNS]) {
    struct reduction by;
    fh_row result[4];
    prepare(modulus, &by);
    for (int m = 0; m < FH_TILE_ROWS; m += TOGETHER) {
        struct sums s = sum_rows(a, m, b);
        __m256i low[2 * TOGETHER];
        load_c(c, m, low);
#pragma GCC unroll 4
        for (int i = 0; i < 2 * TOGETHER; i++) {
            low[i] = _mm256_add_epi64(low[i], s.total[i]);
            __m256i rest = _mm256_sub_epi64(low[i], _mm256_slli_epi64(s.high[i], 32));
            __m256i z = _mm256_add_epi64(_mm256_slli_epi64(s.high[i], 32 - DROPPED),
                                         _mm256_srli_epi64(rest, DROPPED));
            low[i] = reduce_wide(low[i], z, &by, i % 2);
        }
#pragma GCC unroll 2
        for (int row = 0; row < TOGETHER; row++)
            store_row(result, m + row, join(low[2 * row], low[2 * row + 1]));
    }
    memcpy(d, result, sizeof result);
}

static void scalar(const fh_row *a, const struct columns *b, const fh_row *c, fh_row *d,
                   const struct fh_modulus modulus[FH_TILE_COLUMNS]) {
    fh_row result[4];
    for (int m = 0; m < FH_TILE_ROWS; m += TOGETHER) {
        const struct sums s = sum_rows(a, m, b);
        uint64_t totals[TOGETHER][FH_TILE_COLUMNS], highs[TOGETHER][FH_TILE_COLUMNS];
        memcpy(totals, s.total, sizeof totals);
        memcpy(highs, s.high, sizeof highs);
        for (int row = 0; row < TOGETHER; row++) {
            for (int i = 0; i < FH_TILE_COLUMNS; i++) {
                int n = column_of[i], r = 2 * (m / HALF) + n % 2;
                int l = 4 * (m % HALF + row) + n / 2;
                uint64_t total = totals[row][i], high = highs[row][i];
                /* the sum of the products' low halves, below 2^36, is total - 2^32 high */
                result[r][l] = fh_barrett_halves(high, total - (high << 32) + c[r][l], modulus[n]);
            }
        }
    }
    memcpy(d, result, sizeof result);
}

/* ---------------------------------------------------------------- choosing */

/* The bits that any element of A or B has, in all lanes together. */
static __m256i bits_of(const fh_row *a, const fh_row *b) {
    __m256i bits = _mm256_setzero_si256();
    for (int l = 0; l < FH_LANES; l += 8) {
        for (int i = 0; i < 8; i++)
            bits = _mm256_or_si256(bits, load(&a[i][l]));
        for (int i = 0; i < 4; i++)
            bits = _mm256_or_si256(bits, load(&b[i][l]));
    }
    return bits;
}

static bool all_below(__m256i bits, uint32_t power_of_two) {
    return _mm256_testz_si256(bits, _mm256_set1_epi32((int)(0 - power_of_two)));
}

/* By the first `count` moduli: 1, for all columns, or 8. The others are copies of the first. */
static void any_modulus(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                        const struct fh_modulus modulus[FH_TILE_COLUMNS], int count) {
    bool all_exact = true, small = false, medium = true;
    for (int n = 0; n < count; n++) {
        all_exact = all_exact && fh_modulus_exact(modulus[n]);
        small = small || modulus[n].q < SMALLEST_Q;
        medium = medium && modulus[n].q < FH_MEDIUM_LIMIT;
    }
    if (!all_exact) {
        fh_fhec_steps(a, b, c, d, modulus);
        return;
    }
    struct columns columns;
    load_b(b, &columns);
    __m256i bits = bits_of(a, b);
    if (small)
        scalar(a, &columns, c, d, modulus);
    else if (medium && all_below(bits, FH_MEDIUM_LIMIT))
        vector(a, &columns, c, d, modulus, all_below(bits, FH_NARROW_LIMIT));
    else
        wide(a, &columns, c, d, modulus);
}

void fh_fhec_avx2(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                  struct fh_modulus modulus) {
    struct fh_modulus all[FH_TILE_COLUMNS];
    for (int n = 0; n < FH_TILE_COLUMNS; n++)
        all[n] = modulus;
    any_modulus(a, b, c, d, all, 1);
}

void fh_fhec_mix_avx2(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                      const fh_row *m) {
    struct fh_modulus modulus[FH_TILE_COLUMNS];
    fh_fhec_descriptors(m, modulus);
    any_modulus(a, b, c, d, modulus, FH_TILE_COLUMNS);
}

#endif
