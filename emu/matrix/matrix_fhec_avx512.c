/*
 * matrix_fhec_avx512.c - FHEC with AVX-512 (F, BW, DQ, VL, IFMA, VNNI), from fragment to fragment.
 *
 * A vector holds the eight columns of one row of the tile as 64-bit lanes, in the order
 *
 *     0 4 1 5 2 6 3 7
 *
 * because that is what the two unpack instructions make of a register of B. With lane l = 4g + t of
 * the guest, register j of B is B[t + 4j][g]: its lanes g = 0..3 and 4..7 are two vectors X and Y,
 *
 *     unpacklo(X, Y): B[4j][g] in the low and B[4j+1][g] in the high half of 64-bit lanes,
 *     unpackhi(X, Y): B[4j+2][g] and B[4j+3][g],
 *
 * and the multiplier reads low halves only, so a shift by 32 makes k odd. An element of A is a
 * memory operand, broadcast from where it lies in its register; what follows it in memory lands in
 * high halves, which nobody reads. One row takes 16 multiplies and 16 additions, and the 16 rows
 * are as many accumulators.
 */
#if defined __x86_64__

#include <immintrin.h>
#include <string.h>

#include "matrix_fhec.h"

enum { HALF = 8, PERIOD = 4 };

/* Keeps the compiler from moving these computations across this point. Left alone, both compilers
 * start more products than there are registers, and spill; and a multiply directly followed by the
 * addition that waits for it runs a quarter slower on Zen 4 than four of each. */
#define KEEP_ORDER(x, y, z, w) __asm__ volatile("" : "+v"(x), "+v"(y), "+v"(z), "+v"(w))
#define KEEP_ORDER_4(v)        KEEP_ORDER((v)[0], (v)[1], (v)[2], (v)[3])

/* ---------------------------------------------------------------- the last reduction
 *
 * S mod q from L = S mod 2^64 and z = floor(S / 2^17) by 52-bit multiplies, for 2^18 <= q < 2^32.
 * m is floor(2^69 / q) or one less, with m > 2^69 / q - 1 - 2^-19: see reciprocals(). m < 2^52, and
 * with z < 2^51, t = floor(z m / 2^52) is at most S / q and above
 *
 *     S/q - (S mod 2^17)/q - z/2^52 (1 + 2^-19) - 1  >  S/q - (1/2 - 2^-18) - (1/2 + 2^-20) - 1,
 *
 * which is above S/q - 2, so that S - t q is in [0, 2q) and r = S - (t + 1) q in [-q, q), of which
 * the low 52 bits follow from those of L: the multiplier adds the low 52 bits of (t + 1) (-q).
 * Adding q to the negative ones is all that remains.
 *
 * Vectors q and m have these numbers of all columns, in the vectors' order.
 */
enum { DROPPED = 17, SMALLEST_Q = 1 << 18 };

/* The low 52 bits of r. */
static inline __m512i reduce(__m512i low, __m512i z, __m512i q, __m512i m) {
    __m512i t = _mm512_madd52hi_epu64(_mm512_set1_epi64(1), z, m);
    return _mm512_madd52lo_epu64(low, t, _mm512_sub_epi64(_mm512_setzero_si512(), q));
}

/* m of an exact mu, with rest = 2^64 - mu q: 2^69 / q = 32 mu + x with x = 32 rest / q, and
 * 32 rest mu / 2^64 = x - x rest / 2^64 is above x - 2^-27. */
static inline uint64_t reciprocal(uint64_t mu, uint64_t rest) {
    return 32 * mu + (uint64_t)((fh_u128)(32 * rest) * mu >> 64);
}

/* The same of eight: without the low bits of mu the product is less by at most rest / 2^52 < 2^-20.
 */
static inline __m512i reciprocals(__m512i mu, __m512i rest) {
    return _mm512_madd52hi_epu64(_mm512_slli_epi64(mu, 5), rest, _mm512_srli_epi64(mu, 7));
}

/* Where 32-bit lane i of two joined rows comes from: columns 0 2 4 6 of both, then 1 3 5 7 of both,
 * which is the order of registers 0 and 1 of a half of D. */
static inline __m512i join_rows(__m512i first, __m512i second) {
    const __m512i from =
        _mm512_setr_epi32(0, 8, 2, 10, 16, 24, 18, 26, 4, 12, 6, 14, 20, 28, 22, 30);
    return _mm512_permutex2var_epi32(first, from, second);
}

/* r + q where r < 0, of two rows. With every q < 2^31 r fits 32 signed bits, and of r and r + q the
 * smaller one as an unsigned number is the one in [0, q). With larger q the sign is bit 32. */
static inline __m512i finish_rows(__m512i first, __m512i second, __m512i q, bool below_2_31) {
    if (below_2_31) {
        __m512i r = join_rows(first, second);
        return _mm512_min_epu32(r, _mm512_add_epi32(r, join_rows(q, q)));
    }
    __m512i sign = _mm512_set1_epi64(INT64_C(1) << 32);
    __mmask8 add_first = _mm512_test_epi64_mask(first, sign);
    __mmask8 add_second = _mm512_test_epi64_mask(second, sign);
    return join_rows(_mm512_mask_add_epi64(first, add_first, first, q),
                     _mm512_mask_add_epi64(second, add_second, second, q));
}

/* The four vectors of registers 2h and 2h+1 of D from the r of the half's rows. */
static inline __attribute__((always_inline)) void finish_half(const __m512i r[HALF], __m512i q,
                                                              bool below_2_31, __m512i out[4]) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m512i top = finish_rows(r[4 * i], r[4 * i + 1], q, below_2_31);
        __m512i bottom = finish_rows(r[4 * i + 2], r[4 * i + 3], q, below_2_31);
        out[i] = _mm512_shuffle_i64x2(top, bottom, 0x44);
        out[2 + i] = _mm512_shuffle_i64x2(top, bottom, 0xee);
    }
}

static inline void store_tile(fh_row *d, const __m512i out[8]) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        _mm512_storeu_si512(&d[i / 2][16 * (i % 2)], out[i]);
}

/* ---------------------------------------------------------------- the sums */

static inline __m512i load(const uint32_t *from) {
    return _mm512_loadu_si512(from);
}

/* The rows of C of half h, zero-extended, in the order of columns above. */
static inline void load_c(const fh_row *c, int h, __m512i acc[HALF]) {
    const __m512i step = _mm512_set1_epi32(PERIOD);
    __m512i from = _mm512_setr_epi32(0, 0, 2, 0, 16, 0, 18, 0, 1, 0, 3, 0, 17, 0, 19, 0);
#pragma GCC unroll 4
    for (int g = 0; g < 4; g++) {
#pragma GCC unroll 2
        for (int i = 0; i < 2; i++)
            acc[4 * i + g] = _mm512_maskz_permutex2var_epi32(0x5555, load(&c[2 * h][16 * i]), from,
                                                             load(&c[2 * h + 1][16 * i]));
        from = _mm512_add_epi32(from, step);
    }
}

/* Eight bytes wherever a register's lane lies. */
struct __attribute__((packed, may_alias)) lane_pair {
    uint64_t bits;
};

/* b times a lane of register `a`, which is broadcast. The instruction is spelled out because
 * compilers tend to load and to multiply in two. It reads a pair of lanes, which the last has not.
 */
static inline __attribute__((always_inline)) __m512i times_lane(__m512i b, const uint32_t *a,
                                                                int lane) {
    if (lane == FH_LANES - 1)
        return _mm512_mul_epu32(b, _mm512_set1_epi32((int)a[lane]));
    __m512i product;
    __asm__("vpmuludq %2%{1to8%}, %1, %0"
            : "=v"(product)
            : "v"(b), "m"(*(const struct lane_pair *)(const void *)&a[lane]));
    return product;
}

/* The elements k = 4j..4j+3 of all columns, from register j of B. */
static inline __attribute__((always_inline)) void unpack_b(const uint32_t *b, __m512i bk[PERIOD]) {
    __m512i x = load(b), y = load(b + 16);
    bk[0] = _mm512_unpacklo_epi64(x, y);
    bk[1] = _mm512_srli_epi64(bk[0], 32);
    bk[2] = _mm512_unpackhi_epi64(x, y);
    bk[3] = _mm512_srli_epi64(bk[2], 32);
}

/* acc[m] = C + sum over k of A[m][k] B[k], modulo 2^64. Four multiplies and four additions take
 * turns; the additions are of the product before and of three that are a turn older, because with
 * an even number of those Zen 4 takes 5 % longer. */
static inline __attribute__((always_inline)) void sums(const fh_row *a, const fh_row *b,
                                                       const fh_row *c, __m512i acc[2 * HALF]) {
    load_c(c, 0, acc);
    load_c(c, 1, acc + HALF);
    for (int j = 0; j < 4; j++) {
        __m512i bk[PERIOD], product[4], late[4];
        unpack_b(b[j], bk);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) { /* k = 4j + t, rows m..m+3 */
            const int t = i / 4, m = 4 * (i % 4), before = 4 * ((i + 3) % 4);
#pragma GCC unroll 4
            for (int g = 0; g < 4; g++)
                product[g] = times_lane(bk[t], a[2 * j + m / HALF], PERIOD * ((m + g) % HALF) + t);
            KEEP_ORDER_4(product);
#pragma GCC unroll 3
            for (int g = 1; g < 4; g++)
                acc[before + g] =
                    i == 0 ? acc[before + g] : _mm512_add_epi64(acc[before + g], late[g]);
            acc[m] = _mm512_add_epi64(acc[m], product[0]);
            KEEP_ORDER(acc[m], acc[before + 1], acc[before + 2], acc[before + 3]);
#pragma GCC unroll 3
            for (int g = 1; g < 4; g++)
                late[g] = product[g];
        }
#pragma GCC unroll 3
        for (int g = 1; g < 4; g++)
            acc[12 + g] = _mm512_add_epi64(acc[12 + g], late[g]);
    }
}

/* ---------------------------------------------------------------- narrow: S < 2^64 */

static __attribute__((noinline)) void narrow(const fh_row *a, const fh_row *b, const fh_row *c,
                                             fh_row *d, __m512i q, __m512i m) {
    __m512i acc[2 * HALF], out[8];
    sums(a, b, c, acc);
#pragma GCC unroll 16
    for (int row = 0; row < 2 * HALF; row++)
        acc[row] = reduce(acc[row], _mm512_srli_epi64(acc[row], DROPPED), q, m);
    finish_half(acc, q, true, out);
    finish_half(acc + HALF, q, true, out + 4);
    store_tile(d, out);
}

/* ---------------------------------------------------------------- medium: S < 2^66, in four sums
 *
 * With the four exact sums s, of which the first starts with C, z = sum of floor(s / 2^17) is at
 * most S / 2^17 and above S / 2^17 - 4. Where reduce() has S mod 2^17 < 2^17 that is 4 2^17, and
 * with q of at least 2^20 their parts of the quotient's error are the same 1/2.
 */
enum { TOGETHER = 4, SMALLEST_MEDIUM_Q = 1 << 20 };

/* What is known of S for the rows of half a tile. */
struct exact_sums {
    __m512i low[HALF]; /* modulo 2^64; of the first group until then: C */
    __m512i z[HALF];
};

/* The four products of k = 4j..4j+3, of all rows. */
static inline __attribute__((always_inline)) void add_group(const uint32_t *a, const uint32_t *b,
                                                            bool first, struct exact_sums *to) {
    __m512i bk[PERIOD];
    unpack_b(b, bk);
#pragma GCC unroll 2
    for (int g = 0; g < HALF; g += TOGETHER) {
        __m512i sum[TOGETHER], product[TOGETHER];
#pragma GCC unroll 4
        for (int t = 0; t < PERIOD; t++) {
#pragma GCC unroll 4
            for (int i = 0; i < TOGETHER; i++)
                product[i] = times_lane(bk[t], a, PERIOD * (g + i) + t);
            KEEP_ORDER_4(product);
#pragma GCC unroll 4
            for (int i = 0; i < TOGETHER; i++)
                sum[i] = t > 0   ? _mm512_add_epi64(sum[i], product[i])
                         : first ? _mm512_add_epi64(to->low[g + i], product[i])
                                 : product[i];
            KEEP_ORDER_4(sum);
        }
#pragma GCC unroll 4
        for (int i = 0; i < TOGETHER; i++) {
            __m512i part = _mm512_srli_epi64(sum[i], DROPPED);
            to->z[g + i] = first ? part : _mm512_add_epi64(to->z[g + i], part);
            to->low[g + i] = first ? sum[i] : _mm512_add_epi64(to->low[g + i], sum[i]);
        }
        KEEP_ORDER_4(to->z + g);
        KEEP_ORDER_4(to->low + g);
    }
}

/* Half h of D. A function of its own, because in a loop the compiler would keep all of B ready for
 * both halves, on the stack. */
static __attribute__((noinline)) void medium_half(const fh_row *a, const fh_row *b, const fh_row *c,
                                                  int h, fh_row *d, __m512i q, __m512i m) {
    __m512i out[4];
    struct exact_sums sums;
    load_c(c, h, sums.low);
    add_group(a[h], b[0], true, &sums);
    add_group(a[2 + h], b[1], false, &sums);
    add_group(a[4 + h], b[2], false, &sums);
    add_group(a[6 + h], b[3], false, &sums);
#pragma GCC unroll 8
    for (int g = 0; g < HALF; g++)
        sums.low[g] = reduce(sums.low[g], sums.z[g], q, m);
    finish_half(sums.low, q, true, out);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++)
        _mm512_storeu_si512(&d[i / 2][16 * (i % 2)], out[i]);
}

/* Whether one of two rows from d on is one of the `rows` from `from` on. */
static inline bool overlap(const fh_row *d, const fh_row *from, size_t rows) {
    return (uintptr_t)(d + 2) - (uintptr_t)from - 1 < (rows + 2) * sizeof(fh_row) - 1;
}

static void medium(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d, __m512i q,
                   __m512i m) {
    fh_row first[2]; /* for when the second half still reads what is there in D */
    const bool aside = overlap(d, a, 8) || overlap(d, b, 4) || overlap(d, c + 2, 2);
    medium_half(a, b, c, 0, aside ? first : d, q, m);
    medium_half(a, b, c, 1, d + 2, q, m);
    if (aside)
        memcpy(d, first, sizeof first);
}

/* ---------------------------------------------------------------- wide: S < 2^68
 *
 * The sum is only known modulo 2^64. The bits above follow from an estimate: with the top 8 bits
 * a8 of each A and the top 7 bits b7 of each B,
 *
 *     a b - a8 b7 2^49 = a8 2^24 (b mod 2^25) + (a mod 2^24) b  <  2^57 + 2^56,
 *     0 <= e = S - T 2^49 < 16 (2^57 + 2^56) + 2^32 < 2^62,        T = sum of a8 b7 < 2^19,
 *
 * and T is a sum of byte products, of which one vpdpbusd does 64. With z = floor(S / 2^17), of
 * which l = floor((S mod 2^64) / 2^17) is the part below 2^47, z = l + j 2^47:
 *
 *     u = T 2^32 + 2^46 - l = j 2^47 + 2^46 - (z - T 2^32),    0 <= z - T 2^32 <= 2^45,
 *
 * so floor(u / 2^47) = j also when u is too large by less than 2^32: z is u without its low 47
 * bits, or'ed with l. T is computed for rows g and g + 8 at once, in the two halves of each lane.
 */

/* Byte i of each lane is the top byte of v[i], without its lowest `drop` bits. */
static inline __m512i pack_tops(const __m512i v[4], unsigned drop) {
    __m512i p = _mm512_srli_epi32(v[0], 24 + drop), keep = _mm512_set1_epi32(0xff >> drop);
    /* 0xd8: where `keep` is set the second operand, else the first */
    p = _mm512_ternarylogic_epi32(p, _mm512_srli_epi32(v[1], 16 + drop), _mm512_slli_epi32(keep, 8),
                                  0xd8);
    p = _mm512_ternarylogic_epi32(p, _mm512_srli_epi32(v[2], 8 + drop), _mm512_slli_epi32(keep, 16),
                                  0xd8);
    return _mm512_ternarylogic_epi32(p, _mm512_srli_epi32(v[3], drop), _mm512_slli_epi32(keep, 24),
                                     0xd8);
}

/* The bytes a8: out[g][t] has those of row g in its low and of row g + 8 in its high half, for
 * k = t, t+4, t+8, t+12. */
static inline void pack_a(const fh_row *a, uint64_t out[HALF][PERIOD]) {
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m512i half[2];
#pragma GCC unroll 2
        for (int h = 0; h < 2; h++) {
            __m512i v[4] = {load(&a[h][16 * i]), load(&a[2 + h][16 * i]), load(&a[4 + h][16 * i]),
                            load(&a[6 + h][16 * i])};
            half[h] = pack_tops(v, 0);
        }
        __m512i low = _mm512_unpacklo_epi32(half[0], half[1]);  /* per g: t = 0, 1 */
        __m512i high = _mm512_unpackhi_epi32(half[0], half[1]); /* t = 2, 3 */
        const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        _mm512_store_si512(out[4 * i], _mm512_permutex2var_epi64(low, first, high));
        _mm512_store_si512(out[4 * i + 2], _mm512_permutex2var_epi64(low, second, high));
    }
}

/* The bytes b7 for the same k, in both halves of the lanes; columns in our order. */
static inline void pack_b(const fh_row *b, __m512i out[PERIOD]) {
    __m512i packed[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        __m512i v[4] = {load(&b[0][16 * i]), load(&b[1][16 * i]), load(&b[2][16 * i]),
                        load(&b[3][16 * i])};
        packed[i] = pack_tops(v, 1);
    }
    __m512i low = _mm512_unpacklo_epi64(packed[0], packed[1]);
    __m512i high = _mm512_unpackhi_epi64(packed[0], packed[1]);
    out[0] = _mm512_shuffle_epi32(low, _MM_PERM_CCAA);
    out[1] = _mm512_shuffle_epi32(low, _MM_PERM_DDBB);
    out[2] = _mm512_shuffle_epi32(high, _MM_PERM_CCAA);
    out[3] = _mm512_shuffle_epi32(high, _MM_PERM_DDBB);
}

/* z from the estimate T 2^32 + 2^46 and the low 64 bits of S. */
static inline __m512i quotient_part(__m512i estimate, __m512i low) {
    __m512i l = _mm512_srli_epi64(low, DROPPED);
    __m512i u = _mm512_sub_epi64(estimate, l);
    /* 0xf4: l or (u and not mask) */
    return _mm512_ternarylogic_epi64(l, u, _mm512_set1_epi64((INT64_C(1) << 47) - 1), 0xf4);
}

static __attribute__((noinline)) void wide(const fh_row *a, const fh_row *b, const fh_row *c,
                                           fh_row *d, __m512i q, __m512i m, bool below_2_31) {
    _Alignas(64) uint64_t a8[HALF][PERIOD];
    __m512i acc[2 * HALF], out[8], b7[PERIOD];
    pack_a(a, a8);
    __asm__ volatile("" : "+m"(a8)); /* to be broadcast from memory */
    sums(a, b, c, acc);
    pack_b(b, b7);
#pragma GCC unroll 8
    for (int g = 0; g < HALF; g++) {
        __m512i part = _mm512_set1_epi32(1 << 14); /* 2^46 in the estimate */
#pragma GCC unroll 4
        for (int t = 0; t < PERIOD; t++)
            part = _mm512_dpbusd_epi32(part, _mm512_set1_epi64((long long)a8[g][t]), b7[t]);
        __m512i upper = quotient_part(_mm512_slli_epi64(part, 32), acc[g]);
        __m512i lower = quotient_part(part, acc[HALF + g]); /* the other T is the excess */
        acc[g] = reduce(acc[g], upper, q, m);
        acc[HALF + g] = reduce(acc[HALF + g], lower, q, m);
    }
    finish_half(acc, q, below_2_31, out);
    finish_half(acc + HALF, q, below_2_31, out + 4);
    store_tile(d, out);
}

/* ---------------------------------------------------------------- the steps as written */

struct steps {
    __m512i q, mu_low, mu_high; /* mu's halves */
};

/* The high 64 bits of z mu. */
static inline __m512i multiply_high(__m512i z, const struct steps *by) {
    const __m512i low_half = _mm512_set1_epi64(UINT32_MAX);
    __m512i z_high = _mm512_srli_epi64(z, 32);
    __m512i low = _mm512_mul_epu32(z, by->mu_low);
    __m512i cross = _mm512_mul_epu32(z_high, by->mu_low);
    __m512i middle = _mm512_mul_epu32(z, by->mu_high);
    cross = _mm512_add_epi64(cross, _mm512_srli_epi64(low, 32));
    middle = _mm512_add_epi64(middle, _mm512_and_si512(cross, low_half));
    __m512i high = _mm512_mul_epu32(z_high, by->mu_high);
    high = _mm512_add_epi64(high, _mm512_srli_epi64(cross, 32));
    return _mm512_add_epi64(high, _mm512_srli_epi64(middle, 32));
}

static inline __m512i step(__m512i r, __m512i b, uint32_t a, const struct steps *by) {
    __m512i z = _mm512_add_epi64(r, _mm512_mul_epu32(b, _mm512_set1_epi32((int)a)));
    __m512i t = multiply_high(z, by);
    __m512i v = _mm512_sub_epi64(z, _mm512_mullo_epi64(t, by->q));
    v = _mm512_and_si512(v, _mm512_set1_epi64(INT64_C(0x1ffffffff)));
    v = _mm512_min_epu64(v, _mm512_sub_epi64(v, by->q));
    return _mm512_and_si512(v, _mm512_set1_epi64(UINT32_MAX));
}

static void steps_half(const fh_row *a, const fh_row *b, const fh_row *c, int h,
                       const struct steps *by, __m512i out[4]) {
    __m512i r[HALF];
    load_c(c, h, r);
    for (int k = 0; k < FH_TILE_DEPTH; k++) {
        __m512i x = load(b[k / 4]), y = load(&b[k / 4][16]);
        __m512i bk = k & 2 ? _mm512_unpackhi_epi64(x, y) : _mm512_unpacklo_epi64(x, y);
        bk = k & 1 ? _mm512_srli_epi64(bk, 32) : bk;
        for (int g = 0; g < HALF; g++)
            r[g] = step(r[g], bk, a[k / 4 * 2 + h][4 * g + k % 4], by);
    }
    for (int i = 0; i < 2; i++) {
        __m512i top = join_rows(r[4 * i], r[4 * i + 1]);
        __m512i bottom = join_rows(r[4 * i + 2], r[4 * i + 3]);
        out[i] = _mm512_shuffle_i64x2(top, bottom, 0x44);
        out[2 + i] = _mm512_shuffle_i64x2(top, bottom, 0xee);
    }
}

static __attribute__((noinline)) void steps(const fh_row *a, const fh_row *b, const fh_row *c,
                                            fh_row *d, const struct steps *by) {
    __m512i out[8];
    steps_half(a, b, c, 0, by, out);
    steps_half(a, b, c, 1, by, out + 4);
    store_tile(d, out);
}

/* ---------------------------------------------------------------- choosing */

/* The bits that any element of A or B has. */
static inline __m512i bits_of(const fh_row *a, const fh_row *b) {
    __m512i bits = _mm512_setzero_si512(), others = bits;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) { /* 0xfe: or */
        bits = _mm512_ternarylogic_epi32(bits, load(a[i]), load(&a[i][16]), 0xfe);
        others = _mm512_ternarylogic_epi32(others, load(a[4 + i]), load(&a[4 + i][16]), 0xfe);
        bits = _mm512_ternarylogic_epi32(bits, load(b[i]), load(&b[i][16]), 0xfe);
    }
    return _mm512_or_si512(bits, others);
}

/* The moduli that medium() takes, all of [SMALLEST_Q, 2^31), or all. */
enum moduli { MEDIUM, BELOW_2_31, ANY };

static inline __attribute__((always_inline)) void exact(const fh_row *a, const fh_row *b,
                                                        const fh_row *c, fh_row *d, __m512i q,
                                                        __m512i m, enum moduli moduli) {
    __m512i bits = bits_of(a, b);
    if (moduli != ANY &&
        _mm512_test_epi32_mask(bits, _mm512_set1_epi32((int)~(FH_NARROW_LIMIT - 1))) == 0)
        narrow(a, b, c, d, q, m);
    else if (moduli == MEDIUM && _mm512_movepi32_mask(bits) == 0)
        medium(a, b, c, d, q, m);
    else
        wide(a, b, c, d, q, m, moduli != ANY);
}

static __attribute__((noinline)) void uniform_steps(const fh_row *a, const fh_row *b,
                                                    const fh_row *c, fh_row *d,
                                                    struct fh_modulus modulus) {
    __m512i mu = _mm512_set1_epi64((long long)modulus.mu);
    struct steps by = {_mm512_set1_epi64(modulus.q), mu, _mm512_srli_epi64(mu, 32)};
    steps(a, b, c, d, &by);
}

void fh_fhec_avx512(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                    struct fh_modulus modulus) {
    if (modulus.q < SMALLEST_Q || !fh_modulus_exact(modulus)) {
        uniform_steps(a, b, c, d, modulus);
        return;
    }
    uint64_t mu = modulus.mu, rest = 0 - mu * modulus.q;
    __m512i q = _mm512_set1_epi64(modulus.q);
    __m512i m = _mm512_set1_epi64((long long)reciprocal(mu, rest));
    if (modulus.q >= SMALLEST_MEDIUM_Q && modulus.q < FH_MEDIUM_LIMIT)
        exact(a, b, c, d, q, m, MEDIUM);
    else
        exact(a, b, c, d, q, m, modulus.q < FH_MEDIUM_LIMIT ? BELOW_2_31 : ANY);
}

/* Lanes 4n of a register as 64-bit lanes with anything above them, columns in our order. */
static inline __m512i column_lanes(const uint32_t *row) {
    return _mm512_unpacklo_epi64(load(row), load(row + 16));
}

/* The eight descriptors of the rows m. */
static inline struct steps mixed_steps(const fh_row *m) {
    return (struct steps){
        .q = _mm512_and_si512(column_lanes(m[0]), _mm512_set1_epi64(UINT32_MAX)),
        .mu_low = column_lanes(m[2]),
        .mu_high = column_lanes(m[3]),
    };
}

/* Whether every q is in [least, limit) and every mu exact, and then m. As fh_modulus_exact, except
 * that powers of two count as inexact: rest = 2^64 - mu q modulo 2^64 is in 1..q-1, which makes
 * mu q = i 2^64 - rest; and floor(mu / 2^32) q is below 2^32, as for i = 1. For i of 2 and above it
 * is more than mu q / 2^32 - q > 2^33 - 1 - (2^32 - 1). */
static inline bool mixed(struct steps by, int64_t least, int64_t limit, __m512i *m) {
    const __m512i one = _mm512_set1_epi64(1), low_half = _mm512_set1_epi64(UINT32_MAX);
    __m512i mu = _mm512_mask_shuffle_epi32(by.mu_low, 0xaaaa, by.mu_high, _MM_PERM_CCAA);
    __m512i rest = _mm512_sub_epi64(_mm512_setzero_si512(), _mm512_mullo_epi64(mu, by.q));
    __mmask8 fine = _mm512_cmple_epu64_mask(_mm512_mul_epu32(by.mu_high, by.q), low_half);
    fine = _mm512_mask_cmplt_epu64_mask(fine, _mm512_sub_epi64(rest, one),
                                        _mm512_sub_epi64(by.q, one));
    fine = _mm512_mask_cmplt_epu64_mask(fine, _mm512_sub_epi64(by.q, _mm512_set1_epi64(least)),
                                        _mm512_set1_epi64(limit - least));
    *m = reciprocals(mu, rest);
    return fine == 0xff;
}

/* Moduli that medium() does not take. */
static __attribute__((noinline)) void mix_any(const fh_row *a, const fh_row *b, const fh_row *c,
                                              fh_row *d, const fh_row *descriptors) {
    struct steps by = mixed_steps(descriptors);
    __m512i m;
    if (mixed(by, SMALLEST_Q, FH_MEDIUM_LIMIT, &m))
        exact(a, b, c, d, by.q, m, BELOW_2_31);
    else if (mixed(by, SMALLEST_Q, INT64_C(1) << 32, &m))
        exact(a, b, c, d, by.q, m, ANY);
    else
        steps(a, b, c, d, &by);
}

void fh_fhec_mix_avx512(const fh_row *a, const fh_row *b, const fh_row *c, fh_row *d,
                        const fh_row *descriptors) {
    struct steps by = mixed_steps(descriptors);
    __m512i m;
    if (mixed(by, SMALLEST_MEDIUM_Q, FH_MEDIUM_LIMIT, &m))
        exact(a, b, c, d, by.q, m, MEDIUM);
    else
        mix_any(a, b, c, d, descriptors);
}

#endif
