/*
 * matrix_imma_avx512.c - IMMA of 8-bit elements with AVX-512 VNNI, from fragment to fragment.
 *
 * With lane l = 4g + t of the guest a word holds k = 4t..4t+3 of one row g of A, or column g of B.
 * Register 2h + p of D holds in lane 4g + t' row g + 8h, column 2t' + p:
 *
 *     D[2h+p] lane 4g + t'  =  C + sum over t = 0..3 of  A_h lane 4g + t  .  B lane 4(2t' + p) + t
 *
 * where . is the product of four bytes each, vpdpbusd. The four t may come in any order, and in
 * another one in each lane: in step s lane t' takes t = (t' + s) mod 4. So the A side is A itself,
 * rotated by s lanes within each 128 bits (a group of four lanes), and the B side the same 128 bits
 * in every group, gathered once per s and p.
 *
 * vpdpbusd multiplies unsigned by signed bytes. Where both are signed or both unsigned, A is moved
 * by 128 (x ^ 0x80) and the product corrected by 128 times the sum of B's column:
 *     U8.U8   sum a b = sum (a - 128) b + 128 sum b      A signed, B unsigned
 *     S8.S8   sum a b = sum (a + 128) b - 128 sum b      A unsigned, B signed
 * No sum can overflow: its size is below 32 * 256 * 255 < 2^21. So without .SAT everything may be
 * added to C at once, modulo 2^32, and with .SAT the sum is added to C last, and clamped.
 */
#if defined __x86_64__

#include <immintrin.h>

#include "matrix.h"

enum signs { UU, US, SU, SS }; /* of A and B */

/* acc + a . b */
static inline __attribute__((always_inline)) __m512i dot(enum signs signs, __m512i acc, __m512i a,
                                                         __m512i b) {
    return signs == UU || signs == SU ? _mm512_dpbusd_epi32(acc, b, a)
                                      : _mm512_dpbusd_epi32(acc, a, b);
}

static inline __attribute__((always_inline)) __m512i move_a(enum signs signs, __m512i a) {
    return signs == UU || signs == SS ? _mm512_xor_si512(a, _mm512_set1_epi32((int)0x80808080)) : a;
}

/* min(max(c + p, INT32_MIN), INT32_MAX) for |p| < 2^31: c + p has overflowed where it differs in
 * sign from both, and then to the side of c's sign. */
static inline __m512i add_saturated(__m512i c, __m512i p) {
    __m512i sum = _mm512_add_epi32(c, p);
    /* 0x42: bits where c and p agree and sum does not */
    __m512i overflow = _mm512_ternarylogic_epi32(c, p, sum, 0x42);
    __m512i limit = _mm512_xor_si512(_mm512_srai_epi32(c, 31), _mm512_set1_epi32(INT32_MAX));
    return _mm512_mask_mov_epi32(sum, _mm512_movepi32_mask(overflow), limit);
}

/* Lanes 4(2t' + p) + (t' + s) mod 4, t' = 0..3, of a register of B: the B side of p in step s. */
static const _Alignas(16) uint32_t from[2][4][4] = {
    {{0, 9, 18, 27}, {1, 10, 19, 24}, {2, 11, 16, 25}, {3, 8, 17, 26}},
    {{4, 13, 22, 31}, {5, 14, 23, 28}, {6, 15, 20, 29}, {7, 12, 21, 30}},
};

static inline __attribute__((always_inline)) __m512i gather(__m512i x, __m512i y, int p, int s) {
    const __m128i *lanes = (const __m128i *)(const void *)from[p][s];
    return _mm512_permutex2var_epi32(x, _mm512_broadcast_i32x4(_mm_load_si128(lanes)), y);
}

static inline __attribute__((always_inline)) void gather_b(const uint32_t *b, __m512i out[2][4]) {
    __m512i x = _mm512_loadu_si512(b), y = _mm512_loadu_si512(b + 16);
#pragma GCC unroll 2
    for (int p = 0; p < 2; p++)
#pragma GCC unroll 4
        for (int s = 0; s < 4; s++)
            out[p][s] = gather(x, y, p, s);
}

/* What A's move has changed in the sums of each p: 128 times the sum of a column, with a sign. 0x80
 * is -128 as the signed operand and 128 as the unsigned one, which is that sign in either case. */
static inline __attribute__((always_inline)) void moved(enum signs signs, int chunks,
                                                        const fh_row *b, __m512i out[2]) {
    const __m512i bytes = _mm512_set1_epi32((int)0x80808080);
    __m512i sum[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        sum[i] = _mm512_setzero_si512();
#pragma GCC unroll 2
        for (int chunk = 0; chunk < chunks; chunk++) {
            __m512i x = _mm512_loadu_si512(&b[chunk][16 * i]);
            sum[i] = signs == UU ? _mm512_dpbusd_epi32(sum[i], x, bytes)
                                 : _mm512_dpbusd_epi32(sum[i], bytes, x);
        }
        /* all four lanes of a column */
        sum[i] = _mm512_add_epi32(sum[i], _mm512_shuffle_epi32(sum[i], _MM_PERM_CDAB));
        sum[i] = _mm512_add_epi32(sum[i], _mm512_shuffle_epi32(sum[i], _MM_PERM_BADC));
    }
    out[0] = gather(sum[0], sum[1], 0, 0);
    out[1] = gather(sum[0], sum[1], 1, 0);
}

/* One chunk of 16 k for one half: acc[p][i] of 16 lanes each. */
static inline __attribute__((always_inline)) void
multiply(enum signs signs, const uint32_t *a, const __m512i b[2][4], __m512i acc[2][2]) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m512i x = move_a(signs, _mm512_loadu_si512(a + 16 * i));
        __m512i rotated[4] = {x, _mm512_shuffle_epi32(x, _MM_PERM_ADCB),
                              _mm512_shuffle_epi32(x, _MM_PERM_BADC),
                              _mm512_shuffle_epi32(x, _MM_PERM_CBAD)};
#pragma GCC unroll 4
        for (int s = 0; s < 4; s++)
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++)
                acc[p][i] = dot(signs, acc[p][i], rotated[s], b[p][s]);
    }
}

/* The whole instruction: `halves` of 8 rows, `chunks` of 16 k. */
static inline __attribute__((always_inline)) void imma(enum signs signs, int halves, int chunks,
                                                       bool saturate, const fh_row *a,
                                                       const fh_row *b, const fh_row *c,
                                                       fh_row *d) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i bs[2][2][4], correction[2] = {zero, zero}, acc[2][2][2];
#pragma GCC unroll 2
    for (int chunk = 0; chunk < chunks; chunk++)
        gather_b(b[chunk], bs[chunk]);
    if (signs == UU || signs == SS)
        moved(signs, chunks, b, correction);
#pragma GCC unroll 2
    for (int h = 0; h < halves; h++) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            const uint32_t *start = &c[2 * h + i / 2][16 * (i % 2)];
            acc[h][i / 2][i % 2] = saturate ? zero : _mm512_loadu_si512(start);
        }
#pragma GCC unroll 2
        for (int chunk = 0; chunk < chunks; chunk++)
            multiply(signs, a[h + halves * chunk], (const __m512i(*)[4])bs[chunk], acc[h]);
    }
    /* Written only now: D may be A, B or C. */
#pragma GCC unroll 8
    for (int i = 0; i < 4 * halves; i++) {
        __m512i sum = acc[i / 4][i / 2 % 2][i % 2];
        if (signs == UU || signs == SS)
            sum = _mm512_sub_epi32(sum, correction[i / 2 % 2]);
        if (saturate)
            sum = add_saturated(_mm512_loadu_si512(&c[i / 2][16 * (i % 2)]), sum);
        acc[i / 4][i / 2 % 2][i % 2] = sum;
    }
#pragma GCC unroll 8
    for (int i = 0; i < 4 * halves; i++)
        _mm512_storeu_si512(&d[i / 2][16 * (i % 2)], acc[i / 4][i / 2 % 2][i % 2]);
}

static inline __attribute__((always_inline)) void any_shape(enum signs signs, bool saturate,
                                                            const struct fh_imma *shape,
                                                            const fh_row *a, const fh_row *b,
                                                            const fh_row *c, fh_row *d) {
    if (shape->rows == 8)
        imma(signs, 1, 1, saturate, a, b, c, d);
    else if (shape->depth == 16)
        imma(signs, 2, 1, saturate, a, b, c, d);
    else
        imma(signs, 2, 2, saturate, a, b, c, d);
}

/* One function per combination, with all that is constant in it. */
void fh_imma_avx512(const struct fh_imma *shape, const fh_row *a, const fh_row *b, const fh_row *c,
                    fh_row *d) {
    switch (4 * shape->saturate + 2 * shape->a_signed + shape->b_signed) {
    case UU: any_shape(UU, false, shape, a, b, c, d); break;
    case US: any_shape(US, false, shape, a, b, c, d); break;
    case SU: any_shape(SU, false, shape, a, b, c, d); break;
    case SS: any_shape(SS, false, shape, a, b, c, d); break;
    case 4 + UU: any_shape(UU, true, shape, a, b, c, d); break;
    case 4 + US: any_shape(US, true, shape, a, b, c, d); break;
    case 4 + SU: any_shape(SU, true, shape, a, b, c, d); break;
    default: any_shape(SS, true, shape, a, b, c, d); break;
    }
}

#endif
