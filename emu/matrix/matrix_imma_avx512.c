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
 * On Zen 4 every instruction of 512 bits takes two of the four vector units for a cycle: a multiply
 * always the same two, a gather one of these and another; a gather of two sources keeps multiplies
 * waiting nearly all the while. So the 8 gathers have one source each, and no constant is broadcast
 * from memory by 128 bits, which takes units as well. 16x8x16 of U8.U8 is 34 multiplies and 38
 * others, 36 cycles at the least.
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

#include "isa_names.h"
#include "matrix_imma.h"

enum signs { UU, US, SU, SS }; /* of A and B */

/* acc + a . b */
static inline __attribute__((always_inline)) __m512i dot(enum signs signs, __m512i acc, __m512i a,
                                                         __m512i b) {
    return signs == UU || signs == SU ? _mm512_dpbusd_epi32(acc, b, a)
                                      : _mm512_dpbusd_epi32(acc, a, b);
}

static inline __attribute__((always_inline)) bool same_signs(enum signs signs) {
    return signs == UU || signs == SS;
}

/* A constant from memory: compilers would rather make it in a general register, from where it takes
 * two instructions and a cycle of the vector units. */
static inline __attribute__((always_inline)) __m512i constant(const void *from) {
    __asm__("" : "+r"(from));
    return _mm512_load_si512(from);
}

static const _Alignas(64) uint8_t sign_bits[64] = {[0 ... 63] = 0x80};

/* min(max(c + p, INT32_MIN), INT32_MAX) for |p| < 2^31: c + p has overflowed where it differs in
 * sign from both, and then to the side of c's sign. */
static inline __m512i add_saturated(__m512i c, __m512i p) {
    __m512i sum = _mm512_add_epi32(c, p);
    /* 0x42: bits where c and p agree and sum does not */
    __m512i overflow = _mm512_ternarylogic_epi32(c, p, sum, 0x42);
    __m512i limit = _mm512_xor_si512(_mm512_srai_epi32(c, 31), _mm512_set1_epi32(INT32_MAX));
    return _mm512_mask_mov_epi32(sum, _mm512_movepi32_mask(overflow), limit);
}

/* The four lanes of column 2t' + p are the 128 bits t' of the even (p = 0) or odd columns together:
 * in step s lane t' takes lane (t' + s) mod 4 of them, in every group. */
static const _Alignas(64) uint32_t lanes_of_step[4][4][4] = {
    {[0 ... 3] = {0, 5, 10, 15}},
    {[0 ... 3] = {1, 6, 11, 12}},
    {[0 ... 3] = {2, 7, 8, 13}},
    {[0 ... 3] = {3, 4, 9, 14}},
};

static inline __attribute__((always_inline)) void gather_b(const uint32_t *b, __m512i columns[2],
                                                           __m512i out[2][4]) {
    __m512i x = _mm512_loadu_si512(b), y = _mm512_loadu_si512(b + 16);
    columns[0] = _mm512_shuffle_i32x4(x, y, 0x88);
    columns[1] = _mm512_shuffle_i32x4(x, y, 0xdd);
#pragma GCC unroll 2
    for (int p = 0; p < 2; p++)
#pragma GCC unroll 4
        for (int s = 0; s < 4; s++)
            out[p][s] = _mm512_permutexvar_epi32(_mm512_load_si512(lanes_of_step[s]), columns[p]);
}

/* What A's move has taken from the sums of p: 128 times the sum of a column, with a sign. The sum
 * is that of b or, where B is signed, of b + 128, so that no byte has a sign: two sums of eight
 * bytes in a column's 128 bits, which become the halves of one lane in every group. They are at
 * most 2 * 8 * 255; the 128 that were added to each of a chunk's 16 b come off at last. */
static inline __attribute__((always_inline)) __m512i
moved(enum signs signs, int chunks, const __m512i columns[2][2], int p, __m512i flip) {
    static const _Alignas(64) uint16_t sums_of[4][8] = {[0 ... 3] = {0, 4, 8, 12, 16, 20, 24, 28}};
    static const _Alignas(64) int16_t plus[32] = {[0 ... 31] = 128},
                                      minus[32] = {[0 ... 31] = -128};
    __m512i sums = _mm512_setzero_si512();
#pragma GCC unroll 2
    for (int chunk = 0; chunk < chunks; chunk++) {
        __m512i bytes = columns[chunk][p];
        bytes = signs == SS ? _mm512_xor_si512(bytes, flip) : bytes;
        bytes = _mm512_sad_epu8(bytes, _mm512_setzero_si512());
        sums = chunk ? _mm512_add_epi16(sums, bytes) : bytes;
    }
    sums = _mm512_permutexvar_epi16(_mm512_load_si512(sums_of), sums);
    return signs == UU ? _mm512_madd_epi16(sums, constant(plus))
                       : _mm512_dpwssd_epi32(_mm512_set1_epi32(128 * 128 * 16 * chunks), sums,
                                             constant(minus));
}

/* One chunk of 16 k for one half: acc[2 p + i] of 16 lanes each. */
static inline __attribute__((always_inline)) void
multiply(enum signs signs, const uint32_t *a, const __m512i b[2][4], __m512i flip, __m512i acc[4]) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m512i x = _mm512_loadu_si512(a + 16 * i);
        x = same_signs(signs) ? _mm512_xor_si512(x, flip) : x;
        __m512i rotated[4] = {x, _mm512_shuffle_epi32(x, _MM_PERM_ADCB),
                              _mm512_shuffle_epi32(x, _MM_PERM_BADC),
                              _mm512_shuffle_epi32(x, _MM_PERM_CBAD)};
#pragma GCC unroll 4
        for (int s = 0; s < 4; s++)
#pragma GCC unroll 2
            for (int p = 0; p < 2; p++)
                acc[2 * p + i] = dot(signs, acc[2 * p + i], rotated[s], b[p][s]);
    }
}

/* The whole instruction: `halves` of 8 rows, `chunks` of 16 k. What A's move has taken is longer in
 * the making than the gathers: so the sums of the first half get it last, those of the second, and
 * those that are clamped, first. */
static inline __attribute__((always_inline)) void imma(enum signs signs, int halves, int chunks,
                                                       bool saturate, const fh_row *a,
                                                       const fh_row *b, const fh_row *c,
                                                       fh_row *d) {
    const __m512i flip = constant(sign_bits);
    __m512i columns[2][2], bs[2][2][4], taken[2], acc[2][4];
#pragma GCC unroll 2
    for (int chunk = 0; chunk < chunks; chunk++)
        gather_b(b[chunk], columns[chunk], bs[chunk]);
#pragma GCC unroll 2
    for (int p = 0; p < 2; p++)
        taken[p] = same_signs(signs) ? moved(signs, chunks, (const __m512i(*)[2])columns, p, flip)
                                     : _mm512_setzero_si512();
#pragma GCC unroll 2
    for (int h = 0; h < halves; h++) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            __m512i addend = _mm512_loadu_si512(&c[2 * h + i / 2][16 * (i % 2)]);
            acc[h][i] = saturate ? taken[i / 2]
                        : h == 0 ? addend
                                 : _mm512_add_epi32(addend, taken[i / 2]);
        }
#pragma GCC unroll 2
        for (int chunk = 0; chunk < chunks; chunk++)
            multiply(signs, a[h + halves * chunk], (const __m512i(*)[4])bs[chunk], flip, acc[h]);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            __m512i addend = _mm512_loadu_si512(&c[2 * h + i / 2][16 * (i % 2)]);
            acc[h][i] = saturate ? add_saturated(addend, acc[h][i])
                        : h == 0 ? _mm512_add_epi32(acc[h][i], taken[i / 2])
                                 : acc[h][i];
        }
    }
    /* Written only now: D may be A, B or C. */
#pragma GCC unroll 2
    for (int h = 0; h < halves; h++)
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++)
            _mm512_storeu_si512(&d[2 * h + i / 2][16 * (i % 2)], acc[h][i]);
}

/* ---------------------------------------------------------------- handlers
 *
 * One per combination of signs, shape and .SAT, with all that is constant in it. What lies between
 * an op and its products takes as long as they do, once it has branches of its own.
 */

static inline __attribute__((always_inline)) bool exec(enum signs signs, int halves, int chunks,
                                                       bool saturate, struct fh_warp *w,
                                                       const struct fh_op *op, uint32_t active) {
    if (active != UINT32_MAX)
        return fh_all_lanes(w, op, active);
    imma(signs, halves, chunks, saturate, &w->r[op->row[FH_IMMA_A]], &w->r[op->row[FH_IMMA_B]],
         &w->r[op->row[FH_IMMA_C]], &w->r[op->row[FH_IMMA_Rd]]);
    return true;
}

#define HANDLER(signs, halves, chunks, saturate)                                                   \
    static bool imma_##signs##halves##chunks##saturate(struct fh_warp *w, const struct fh_op *op,  \
                                                       uint32_t active) {                          \
        return exec(signs, halves, chunks, saturate, w, op, active);                               \
    }
#define SHAPES(X, signs, saturate)                                                                 \
    X(signs, 1, 1, saturate) X(signs, 2, 1, saturate) X(signs, 2, 2, saturate)
#define SIGNS(X, saturate)                                                                         \
    SHAPES(X, UU, saturate) SHAPES(X, US, saturate) SHAPES(X, SU, saturate) SHAPES(X, SS, saturate)
#define COMBINATIONS(X) SIGNS(X, 0) SIGNS(X, 1)
COMBINATIONS(HANDLER)

fh_exec_fn *fh_imma_select_avx512(const struct fh_imma *imma) {
#define NAME(signs, halves, chunks, saturate) imma_##signs##halves##chunks##saturate,
    static fh_exec_fn *const handlers[] = {COMBINATIONS(NAME)};
#undef NAME
    unsigned shape = imma->rows == 8 ? 0 : imma->depth == 16 ? 1 : 2;
    unsigned signs = imma->a_signed ? imma->b_signed ? SS : SU : imma->b_signed ? US : UU;
    return handlers[(4U * imma->saturate + signs) * 3 + shape];
}

#endif
