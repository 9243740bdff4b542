/*
 * carry_rows_avx512.c - see carry_rows.h. Called only where the host has AVX-512.
 *
 * A function is a threaded one (threaded.h): it acts in all lanes, 16 in a vector, and reads all
 * sources before it writes. What it does for 16 lanes is the body of the .isa file, with carries as
 * masks; what is shorter than the body says why it is the same.
 */
#if defined __x86_64__

#define FH_SIMD_LEVEL avx512

#include "carry_rows.h"
#include "isa_names.h"
#include "lanes.h"
#include "threaded.h"

/* The lanes of a row. */
struct rows {
    __m512i half[2];
};

static FH_ALWAYS_INLINE struct rows row_at(const struct fh_warp *w, const struct fh_op *op,
                                           unsigned operand, unsigned next) {
    const char *at = (const char *)w + op->at[operand] + next * FH_LANES * sizeof(u32);
    return (struct rows){{_mm512_load_si512(at), _mm512_load_si512(at + 64)}};
}

static FH_ALWAYS_INLINE struct rows in_all_lanes(u32 word) {
    const __m512i v = _mm512_set1_epi32((int)word);
    return (struct rows){{v, v}};
}

/* Stores the result, the row of operand 0 and that behind it, if there is one, and goes on; operand
 * B is handed over, too. */
static FH_ALWAYS_INLINE const struct fh_op *put(struct fh_warp *w, const struct fh_op *op,
                                                struct rows low, const struct rows *high,
                                                struct rows b) {
    char *const at = (char *)w + op->at[0];
    _mm512_store_si512(at, low.half[0]);
    _mm512_store_si512(at + 64, low.half[1]);
    if (high) {
        _mm512_store_si512(at + 128, high->half[0]);
        _mm512_store_si512(at + 192, high->half[1]);
    }
    return FH_NEXT(w, op, FH_FORWARD_PAIRS(low.half, b.half));
}

static FH_ALWAYS_INLINE u32 lanes_of(const __mmask16 half[2]) {
    return _cvtmask32_u32(_mm512_kunpackw(half[1], half[0]));
}

/* v + 1 in the lanes of `in`. */
static FH_ALWAYS_INLINE __m512i add_carry(__m512i v, __mmask16 in) {
    return _mm512_mask_sub_epi32(v, in, v, _mm512_set1_epi32(-1));
}

/* Where that went past 2^32. */
static FH_ALWAYS_INLINE __mmask16 wrapped(__m512i v, __mmask16 in) {
    return _mm512_mask_testn_epi32_mask(in, v, v);
}

/* ---------------------------------------------------------------- products
 *
 * Hosts multiply the even words of vectors to 64 bits; the odd words are moved there.
 */
enum { EVEN_WORDS = 0x5555, ODD_WORDS = 0xaaaa };

/* Of 16 lanes: the 64 bits of the even and of the odd ones, and the words of all. */
struct pairs {
    __m512i even, odd;
};
struct words {
    __m512i low, high;
};

static FH_ALWAYS_INLINE struct pairs multiply(__m512i a, __m512i b, const bool is_signed) {
    const __m512i a1 = _mm512_srli_epi64(a, 32), b1 = _mm512_srli_epi64(b, 32);
    if (is_signed)
        return (struct pairs){_mm512_mul_epi32(a, b), _mm512_mul_epi32(a1, b1)};
    return (struct pairs){_mm512_mul_epu32(a, b), _mm512_mul_epu32(a1, b1)};
}

static FH_ALWAYS_INLINE struct words words_of(struct pairs p) {
    return (struct words){_mm512_mask_shuffle_epi32(p.even, ODD_WORDS, p.odd, _MM_PERM_CCAA),
                          _mm512_mask_shuffle_epi32(p.odd, EVEN_WORDS, p.even, _MM_PERM_DDBB)};
}

/* The other way: the same two shuffles. */
static FH_ALWAYS_INLINE struct pairs pairs_of(struct words w) {
    return (struct pairs){_mm512_mask_shuffle_epi32(w.low, ODD_WORDS, w.high, _MM_PERM_CCAA),
                          _mm512_mask_shuffle_epi32(w.high, EVEN_WORDS, w.low, _MM_PERM_DDBB)};
}

/* Which source is forwarded; with SHARED, B besides. */
enum from { IN_MEMORY, FROM_A, FROM_B, FROM_C, SHARED = 4 };

struct product_kind {
    bool row_b, row_c, is_signed, carry_in, carry_out, only_high;
    unsigned from;
};

/* Rows that came in vectors. */
struct handed {
    struct rows forwarded, shared;
};

/* A source that one register or another of the host may have. */
static FH_ALWAYS_INLINE struct rows source(const struct fh_warp *w, const struct fh_op *op,
                                           unsigned operand, const struct handed *handed,
                                           bool forwarded, bool shared) {
    return forwarded ? handed->forwarded : shared ? handed->shared : row_at(w, op, operand, 0);
}

/* p + c + carry, word after word, since carries are masks of lanes. */
static FH_ALWAYS_INLINE struct words add_words(struct words p, struct words c, __mmask16 in,
                                               const struct product_kind kind, __mmask16 *out) {
    struct words sum = {_mm512_add_epi32(p.low, c.low), _mm512_add_epi32(p.high, c.high)};
    __mmask16 carry = _mm512_cmplt_epu32_mask(sum.low, p.low);
    *out = _mm512_cmplt_epu32_mask(sum.high, p.high);
    if (kind.carry_in) {
        sum.low = add_carry(sum.low, in);
        carry |= wrapped(sum.low, in);
    }
    sum.high = add_carry(sum.high, carry);
    *out |= wrapped(sum.high, carry);
    return sum;
}

static FH_ALWAYS_INLINE const struct fh_op *multiply_add(struct fh_warp *w, const struct fh_op *op,
                                                         const struct handed handed,
                                                         const struct product_kind kind) {
    const u64 scalar_b = kind.row_b ? 0 : op->scalar[0] + fh_uniform_of(w, op, FH_IMAD_WIDE_B, 1);
    const u64 scalar_c = kind.row_c ? 0 : op->scalar[0] + fh_uniform_of(w, op, FH_IMAD_WIDE_C, 2);
    const struct rows a = source(w, op, FH_IMAD_WIDE_A, &handed, kind.from % SHARED == FROM_A, 0);
    const struct rows b = kind.row_b ? source(w, op, FH_IMAD_WIDE_B, &handed, kind.from == FROM_B,
                                              kind.from >= SHARED)
                                     : in_all_lanes((u32)scalar_b);
    const struct rows c_low =
        kind.row_c ? row_at(w, op, FH_IMAD_WIDE_C, 0) : in_all_lanes((u32)scalar_c);
    const struct rows c_high =
        kind.row_c ? row_at(w, op, FH_IMAD_WIDE_C, 1) : in_all_lanes((u32)(scalar_c >> 32));
    const u32 in = kind.carry_in ? fh_predicate(w, op, FH_IMAD_WIDE_Pp) : 0;
    struct rows low, high;
    __mmask16 out[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const struct pairs p = multiply(a.half[i], b.half[i], kind.is_signed);
        const struct words addend = {c_low.half[i], c_high.half[i]};
        struct words sum;
        if (kind.carry_in || kind.carry_out) {
            sum = add_words(words_of(p), addend, (__mmask16)(in >> 16 * i), kind, &out[i]);
        } else { /* pair after pair */
            const struct pairs c = pairs_of(addend);
            sum = words_of(
                (struct pairs){_mm512_add_epi64(p.even, c.even), _mm512_add_epi64(p.odd, c.odd)});
        }
        low.half[i] = sum.low;
        high.half[i] = sum.high;
    }
    if (kind.carry_out)
        fh_predicate_write(w, op, FH_IMAD_WIDE_Pu, UINT32_MAX, lanes_of(out));
    return kind.only_high ? put(w, op, high, NULL, b) : put(w, op, low, &high, b);
}

/* IMAD without .X and signs. */
static FH_ALWAYS_INLINE const struct fh_op *multiply_low(struct fh_warp *w, const struct fh_op *op,
                                                         const struct handed handed,
                                                         const struct product_kind kind) {
    const struct rows a = source(w, op, FH_IMAD_A, &handed, kind.from % SHARED == FROM_A, 0);
    const struct rows b =
        kind.row_b ? source(w, op, FH_IMAD_B, &handed, kind.from == FROM_B, kind.from >= SHARED)
                   : in_all_lanes((u32)(op->scalar[0] + fh_uniform_of(w, op, FH_IMAD_B, 1)));
    const struct rows c =
        kind.row_c ? source(w, op, FH_IMAD_C, &handed, kind.from % SHARED == FROM_C, 0)
                   : in_all_lanes((u32)(op->scalar[0] + fh_uniform_of(w, op, FH_IMAD_C, 1)));
    struct rows d;
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++)
        d.half[i] = _mm512_add_epi32(_mm512_mullo_epi32(a.half[i], b.half[i]), c.half[i]);
    return put(w, op, d, NULL, b);
}

/* The bits of a product's number; B or C is a row, or the same in all lanes: its shape. */
enum { CARRY_OUT = 1, CARRY_IN = 2, SIGNED = 4, ONLY_HIGH = 8 };

#define HANDED                                                                                     \
    (struct handed) {                                                                              \
        {{fh_forwarded0, fh_forwarded1}}, {                                                        \
            { fh_shared0, fh_shared1 }                                                             \
        }                                                                                          \
    }
#define PRODUCT(name, row_b, row_c, bits, from)                                                    \
    static const struct fh_op *name(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) {      \
        const struct product_kind kind =                                                           \
            {row_b, row_c, (bits)&SIGNED, (bits)&CARRY_IN, (bits)&CARRY_OUT, (bits)&ONLY_HIGH,     \
             from};                                                                                \
        return multiply_add(w, op, HANDED, kind);                                                  \
    }
/* B is a row. */
#define PRODUCTS_R(shape, row_c, bits)                                                             \
    PRODUCT(product_##shape##bits, true, row_c, bits, IN_MEMORY)                                   \
    PRODUCT(product_##shape##bits##a, true, row_c, bits, FROM_A)                                   \
    PRODUCT(product_##shape##bits##b, true, row_c, bits, FROM_B)                                   \
    PRODUCT(product_##shape##bits##s, true, row_c, bits, IN_MEMORY + SHARED)                       \
    PRODUCT(product_##shape##bits##as, true, row_c, bits, FROM_A + SHARED)                         \
    static fh_threaded_fn *const from_##shape##bits[2 * FH_MAX_OPERANDS] = {                       \
        [FH_IMAD_WIDE_A] = FH_THREADED(product_##shape##bits##a),                                  \
        [FH_IMAD_WIDE_B] = FH_THREADED(product_##shape##bits##b),                                  \
        [FH_SHARING + FH_IMAD_WIDE_A] = FH_THREADED(product_##shape##bits##as),                    \
        [FH_SHARING + FH_IMAD_WIDE_B] = FH_THREADED(product_##shape##bits##s)};
/* It is not. */
#define PRODUCTS_S(shape, row_c, bits)                                                             \
    PRODUCT(product_##shape##bits, false, row_c, bits, IN_MEMORY)                                  \
    PRODUCT(product_##shape##bits##a, false, row_c, bits, FROM_A)                                  \
    static fh_threaded_fn *const from_##shape##bits[FH_MAX_OPERANDS] = {                           \
        [FH_IMAD_WIDE_A] = FH_THREADED(product_##shape##bits##a)};
#define PRODUCT_ENTRY(shape, share, bits)                                                          \
    [bits] = {FH_THREADED(product_##shape##bits), from_##shape##bits, share},
/* clang-format off */
#define PRODUCT_KINDS(X, ...)                                                                      \
    X(__VA_ARGS__, 0) X(__VA_ARGS__, 1) X(__VA_ARGS__, 2) X(__VA_ARGS__, 3)                        \
    X(__VA_ARGS__, 4) X(__VA_ARGS__, 5) X(__VA_ARGS__, 6) X(__VA_ARGS__, 7)                        \
    X(__VA_ARGS__, 8) X(__VA_ARGS__, 9) X(__VA_ARGS__, 10) X(__VA_ARGS__, 11)                      \
    X(__VA_ARGS__, 12) X(__VA_ARGS__, 13) X(__VA_ARGS__, 14) X(__VA_ARGS__, 15)
/* clang-format on */
PRODUCT_KINDS(PRODUCTS_R, rr, true)
PRODUCT_KINDS(PRODUCTS_S, sr, true)
PRODUCT_KINDS(PRODUCTS_R, rs, false)

struct threaded {
    fh_threaded_fn *threaded;
    fh_threaded_fn *const *forwarding;
    unsigned shares; /* as in fh_functions */
};
enum shape { ALL_ROWS, SCALAR_B, SCALAR_C, SHAPES };

static const struct threaded products[SHAPES][16] = {
    [ALL_ROWS] = {PRODUCT_KINDS(PRODUCT_ENTRY, rr, 1 + FH_IMAD_WIDE_B)},
    [SCALAR_B] = {PRODUCT_KINDS(PRODUCT_ENTRY, sr, 0)},
    [SCALAR_C] = {PRODUCT_KINDS(PRODUCT_ENTRY, rs, 1 + FH_IMAD_WIDE_B)},
};

#define LOW(name, row_b, row_c, from)                                                              \
    static const struct fh_op *low_##name(struct fh_warp *w,                                       \
                                          const struct fh_op *op FH_FORWARDED) {                   \
        const struct product_kind kind = {row_b, row_c, false, false, false, false, from};         \
        return multiply_low(w, op, HANDED, kind);                                                  \
    }
LOW(rr, true, true, IN_MEMORY)
LOW(rra, true, true, FROM_A)
LOW(rrb, true, true, FROM_B)
LOW(rrc, true, true, FROM_C)
LOW(rrs, true, true, IN_MEMORY + SHARED)
LOW(rras, true, true, FROM_A + SHARED)
LOW(rrcs, true, true, FROM_C + SHARED)
LOW(sr, false, true, IN_MEMORY)
LOW(sra, false, true, FROM_A)
LOW(src, false, true, FROM_C)
LOW(rs, true, false, IN_MEMORY)
LOW(rsa, true, false, FROM_A)
LOW(rsb, true, false, FROM_B)
LOW(rss, true, false, IN_MEMORY + SHARED)
LOW(rsas, true, false, FROM_A + SHARED)

static fh_threaded_fn *const low_from[SHAPES][2 * FH_MAX_OPERANDS] = {
    [ALL_ROWS] = {[FH_IMAD_A] = FH_THREADED(low_rra),
                  [FH_IMAD_B] = FH_THREADED(low_rrb),
                  [FH_IMAD_C] = FH_THREADED(low_rrc),
                  [FH_SHARING + FH_IMAD_A] = FH_THREADED(low_rras),
                  [FH_SHARING + FH_IMAD_B] = FH_THREADED(low_rrs),
                  [FH_SHARING + FH_IMAD_C] = FH_THREADED(low_rrcs)},
    [SCALAR_B] = {[FH_IMAD_A] = FH_THREADED(low_sra), [FH_IMAD_C] = FH_THREADED(low_src)},
    [SCALAR_C] = {[FH_IMAD_A] = FH_THREADED(low_rsa),
                  [FH_IMAD_B] = FH_THREADED(low_rsb),
                  [FH_SHARING + FH_IMAD_A] = FH_THREADED(low_rsas),
                  [FH_SHARING + FH_IMAD_B] = FH_THREADED(low_rss)},
};
static const struct threaded lows[SHAPES] = {
    [ALL_ROWS] = {FH_THREADED(low_rr), low_from[ALL_ROWS], 1 + FH_IMAD_B},
    [SCALAR_B] = {FH_THREADED(low_sr), low_from[SCALAR_B], 0},
    [SCALAR_C] = {FH_THREADED(low_rs), low_from[SCALAR_C], 1 + FH_IMAD_B},
};

/* ---------------------------------------------------------------- sums
 *
 * A carry is a 2^32 that one of the additions leaves over: Pu says that there is one at least, Pv
 * two, of three that there may be. A negated source v of an IADD3 without .X adds 2^32 - v, which x
 * - v and a carry where v <= x are, and the two ones of the body's complements are not needed.
 */
enum sign { NO_SIGN, SIGN_B, SIGN_C };

struct sum_kind {
    bool row_b;
    unsigned carries; /* that come in: 2; 1: Pp alone, 0: none */
    enum sign sign;
    bool carries_out;
    unsigned from;
};

struct partial_sum {
    __m512i sum;
    __mmask16 carry;
};

/* x + y, or for what has a sign x - y, with .X x + ~y. */
static FH_ALWAYS_INLINE struct partial_sum add(__m512i x, __m512i y, bool sign, bool extended) {
    if (sign && !extended)
        return (struct partial_sum){_mm512_sub_epi32(x, y), _mm512_cmpge_epu32_mask(x, y)};
    y = sign ? _mm512_ternarylogic_epi32(y, y, y, 0x55) : y; /* not */
    const __m512i sum = _mm512_add_epi32(x, y);
    return (struct partial_sum){sum, _mm512_cmplt_epu32_mask(sum, x)};
}

static FH_ALWAYS_INLINE const struct fh_op *add_three(struct fh_warp *w, const struct fh_op *op,
                                                      const struct handed handed,
                                                      const struct sum_kind kind) {
    const u64 scalar = kind.row_b ? 0 : op->scalar[0] + fh_uniform_of(w, op, FH_IADD3_B, 1);
    const struct rows a = source(w, op, FH_IADD3_A, &handed, kind.from % SHARED == FROM_A, 0);
    const struct rows b =
        kind.row_b ? source(w, op, FH_IADD3_B, &handed, kind.from == FROM_B, kind.from >= SHARED)
                   : in_all_lanes((u32)scalar);
    const struct rows c = source(w, op, FH_IADD3_C, &handed, kind.from % SHARED == FROM_C, 0);
    const u32 p = kind.carries > 0 ? fh_predicate(w, op, FH_IADD3_Pp) : 0;
    const u32 q = kind.carries > 1 ? fh_predicate(w, op, FH_IADD3_Pq) : 0;
    const __m512i one = _mm512_set1_epi32(1);
    struct rows d;
    __mmask16 first[2], second[2], third[2];
#pragma GCC unroll 2
    for (int i = 0; i < 2; i++) {
        const __mmask16 p_half = (__mmask16)(p >> 16 * i), q_half = (__mmask16)(q >> 16 * i);
        const bool extended = kind.carries > 0;
        const struct partial_sum x = add(a.half[i], b.half[i], kind.sign == SIGN_B, extended);
        const struct partial_sum y = add(x.sum, c.half[i], kind.sign == SIGN_C, extended);
        __m512i more = _mm512_maskz_mov_epi32(p_half, one);
        if (kind.carries > 1)
            more = _mm512_mask_add_epi32(more, q_half, more, one);
        d.half[i] = extended ? _mm512_add_epi32(y.sum, more) : y.sum;
        first[i] = x.carry, second[i] = y.carry;
        third[i] = extended ? _mm512_cmplt_epu32_mask(d.half[i], more) : 0;
    }
    if (kind.carries_out) {
        const u32 x = lanes_of(first), y = lanes_of(second);
        const u32 z = kind.carries > 0 ? lanes_of(third) : 0;
        fh_predicate_write(w, op, FH_IADD3_Pu, UINT32_MAX, x | y | z);
        fh_predicate_write(w, op, FH_IADD3_Pv, UINT32_MAX, (x & y) | ((x | y) & z));
    }
    return put(w, op, d, NULL, b);
}

/* A sum's number: 6 carries + 2 sign + whether its carries are wanted. */
#define SUM(name, row_b, number, from)                                                             \
    static const struct fh_op *name(struct fh_warp *w, const struct fh_op *op FH_FORWARDED) {      \
        const struct sum_kind kind = {row_b, (number) / 6, (number) / 2 % 3, (number) % 2, from};  \
        return add_three(w, op, HANDED, kind);                                                     \
    }
#define SUMS_R(number)                                                                             \
    SUM(sum_r##number, true, number, IN_MEMORY)                                                    \
    SUM(sum_r##number##a, true, number, FROM_A)                                                    \
    SUM(sum_r##number##b, true, number, FROM_B)                                                    \
    SUM(sum_r##number##c, true, number, FROM_C)                                                    \
    SUM(sum_r##number##s, true, number, IN_MEMORY + SHARED)                                        \
    SUM(sum_r##number##as, true, number, FROM_A + SHARED)                                          \
    SUM(sum_r##number##cs, true, number, FROM_C + SHARED)                                          \
    static fh_threaded_fn *const sum_from_r##number[2 * FH_MAX_OPERANDS] = {                       \
        [FH_IADD3_A] = FH_THREADED(sum_r##number##a),                                              \
        [FH_IADD3_B] = FH_THREADED(sum_r##number##b),                                              \
        [FH_IADD3_C] = FH_THREADED(sum_r##number##c),                                              \
        [FH_SHARING + FH_IADD3_A] = FH_THREADED(sum_r##number##as),                                \
        [FH_SHARING + FH_IADD3_B] = FH_THREADED(sum_r##number##s),                                 \
        [FH_SHARING + FH_IADD3_C] = FH_THREADED(sum_r##number##cs)};
#define SUMS_S(number)                                                                             \
    SUM(sum_s##number, false, number, IN_MEMORY)                                                   \
    SUM(sum_s##number##a, false, number, FROM_A)                                                   \
    SUM(sum_s##number##c, false, number, FROM_C)                                                   \
    static fh_threaded_fn *const sum_from_s##number[FH_MAX_OPERANDS] = {                           \
        [FH_IADD3_A] = FH_THREADED(sum_s##number##a),                                              \
        [FH_IADD3_C] = FH_THREADED(sum_s##number##c)};
#define SUM_R(number) [number] = {FH_THREADED(sum_r##number), sum_from_r##number, 1 + FH_IADD3_B},
#define SUM_S(number) [number] = {FH_THREADED(sum_s##number), sum_from_s##number, 0},
/* clang-format off */
#define SUM_KINDS(X)                                                                               \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)          \
    X(16) X(17)
/* clang-format on */
SUM_KINDS(SUMS_R)
SUM_KINDS(SUMS_S)

static const struct threaded sums[2][18] = {
    [ALL_ROWS] = {SUM_KINDS(SUM_R)},
    [SCALAR_B] = {SUM_KINDS(SUM_S)},
};

/* ---------------------------------------------------------------- which op has which */

static bool wants_predicate(const struct fh_op *op, unsigned operand) {
    return op->row[operand] != FH_SINK_PRED;
}

static bool is_row(const struct fh_op *op, unsigned operand) {
    return op->inst->form->operands[operand].kind == FH_K_REG;
}

static enum shape shape_of(const struct fh_op *op, unsigned b, unsigned c) {
    return !is_row(op, b) ? SCALAR_B : !is_row(op, c) ? SCALAR_C : ALL_ROWS;
}

/* The operand numbers of IMAD.HI are those of IMAD.WIDE. */
_Static_assert((int)FH_IMAD_HI_C == (int)FH_IMAD_WIDE_C &&
                   (int)FH_IMAD_HI_Pp == (int)FH_IMAD_WIDE_Pp &&
                   (int)FH_IMAD_HI_Pu == (int)FH_IMAD_WIDE_Pu,
               "IMAD.HI is done as IMAD.WIDE");

static struct threaded product_of(const struct fh_op *op, bool only_high, bool is_signed,
                                  bool extended) {
    const enum shape shape = shape_of(op, FH_IMAD_WIDE_B, FH_IMAD_WIDE_C);
    const unsigned bits = (wants_predicate(op, FH_IMAD_WIDE_Pu) ? CARRY_OUT : 0) |
                          (extended ? CARRY_IN : 0) | (is_signed ? SIGNED : 0) |
                          (only_high ? ONLY_HIGH : 0);
    return fh_negated(op, FH_IMAD_WIDE_C) ? (struct threaded){NULL, NULL, 0}
                                          : products[shape][bits];
}

static struct threaded sum_of(const struct fh_op *op) {
    const bool extended = op->mod[FH_IADD3_m_X], none = op->row[FH_IADD3_Pq] == FH_PT;
    const unsigned carries = !extended ? 0 : none && fh_negated(op, FH_IADD3_Pq) ? 1 : 2;
    const unsigned wanted = wants_predicate(op, FH_IADD3_Pu) || wants_predicate(op, FH_IADD3_Pv);
    const bool b = fh_negated(op, FH_IADD3_B), c = fh_negated(op, FH_IADD3_C);
    if (fh_negated(op, FH_IADD3_A) || (b && c))
        return (struct threaded){NULL, NULL, 0};
    return sums[is_row(op, FH_IADD3_B) ? ALL_ROWS : SCALAR_B][6 * carries +
                                                              2U * (b   ? SIGN_B
                                                                    : c ? SIGN_C
                                                                        : NO_SIGN) +
                                                              wanted];
}

struct fh_functions fh_carry_select_avx512(const struct fh_op *op) {
    struct fh_functions to = fh_fast_select_avx512(op);
    struct threaded own = {NULL, NULL, 0};
    switch (op->inst->form->insn) {
    case FH_INSN_IADD3: own = sum_of(op); break;
    case FH_INSN_IMAD:
        if (!op->mod[FH_IMAD_m_X] && !fh_negated(op, FH_IMAD_C))
            own = lows[shape_of(op, FH_IMAD_B, FH_IMAD_C)];
        break;
    case FH_INSN_IMAD_WIDE:
        own = product_of(op, false, op->mod[FH_IMAD_WIDE_m_S], op->mod[FH_IMAD_WIDE_m_X]);
        break;
    case FH_INSN_IMAD_HI:
        own = product_of(op, true, op->mod[FH_IMAD_HI_m_S], op->mod[FH_IMAD_HI_m_X]);
        break;
    default: break;
    }
    if (own.threaded) {
        to.threaded = own.threaded;
        to.forwarding = own.forwarding;
        to.forwards = FH_FORWARDS_RESULT; /* of the low words, or the only ones */
        to.shares = own.shares;
    }
    return to;
}

#endif
