/*
 * model_integer.c - what the rows of integer.def should give, from the PTX manual.
 */
#include "hw.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned __int128 u128;
typedef __int128 s128;

/* ROW: of 32-bit operands a, b, c, the same signed sa, sb, sc, and c in 64 bits, lc. ROW64: of
 * 64-bit ones, with c in 32 bits, nc. */
#define ROW(name, value)                                                                           \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        u64 lc = w->x[2][lane];                                                                    \
        u32 a = (u32)w->x[0][lane], b = (u32)w->x[1][lane], c = (u32)lc;                           \
        s32 sa = (s32)a, sb = (s32)b, sc = (s32)c;                                                 \
        (void)a, (void)b, (void)c, (void)sa, (void)sb, (void)sc;                                   \
        return (u64)(value);                                                                       \
    }
#define ROW64(name, value)                                                                         \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        u64 a = w->x[0][lane], b = w->x[1][lane], c = w->x[2][lane];                               \
        s64 sa = (s64)a, sb = (s64)b;                                                              \
        u32 nc = (u32)c;                                                                           \
        (void)a, (void)b, (void)c, (void)sa, (void)sb, (void)nc;                                   \
        return (u64)(value);                                                                       \
    }

static u64 pair(u32 low, u64 high) {
    return low | high << 32;
}
static s64 clamp(s64 x, s64 low, s64 high) {
    return x < low ? low : x > high ? high : x;
}
static u32 difference(s64 a, s64 b) {
    return (u32)(a < b ? b - a : a - b);
}

/* ---------------------------------------------------------------- arithmetic */

ROW(add, (u32)(a + b))
ROW(sub, (u32)(a - b))
ROW(add3, (u32)(a + b + c))
ROW(add_sat_s, (u32)clamp((s64)sa + sb, INT32_MIN, INT32_MAX))
ROW(sub_sat_s, (u32)clamp((s64)sa - sb, INT32_MIN, INT32_MAX))
ROW(neg, (u32)(0 - a))
ROW(abs, sa < 0 ? (u32)(0 - a) : a)
ROW(mul_lo, (u32)(a *b))
ROW(mul_hi_u, (u64)a *b >> 32)
ROW(mul_hi_s, (u32)((s64)sa *sb >> 32))
ROW(mul24_lo, (u32)((u64)(a & 0xffffff) * (b & 0xffffff)))
ROW(mul24_hi, (u32)((s64)((s32)(a << 8) >> 8) * ((s32)(b << 8) >> 8) >> 16))
ROW(mad_lo, (u32)(a *b + c))
ROW(mad_hi_u, (u32)(((u64)a * b >> 32) + c))
ROW(mad_hi_s, (u32)((u32)((s64)sa *sb >> 32) + c))
ROW(mul_wide_u, (u64)a *b)
ROW(mul_wide_s, (s64)sa *sb)
ROW(mad_wide_u, (u64)a *b + lc)
ROW(mad_wide_s, (u64)((s64)sa *sb) + lc)
ROW(mul_wide_u16, (a & 0xffff) * (b & 0xffff))
ROW(mul_wide_s16, (u32)((s32)(int16_t)a *(int16_t)b))
ROW(div_u, a / (b | 1))
ROW(div_s, (u32)((s64)sa / (s32)(b | 1)))
ROW(rem_u, a % (b | 1))
ROW(rem_s, (u32)((s64)sa % (s32)(b | 1)))
ROW(min_u, a < b ? a : b)
ROW(max_u, a > b ? a : b)
ROW(min_s, sa < sb ? a : b)
ROW(max_s, sa > sb ? a : b)
ROW(sad_u, (u32)(difference(a, b) + c))
ROW(sad_s, (u32)(difference(sa, sb) + c))

/* Lane k of `x` cut into fields of `bits`. */
static s64 field(u32 x, unsigned k, unsigned bits, bool is_signed) {
    u32 v = (u32)((u64)x << (32 - bits - k * bits)) >> (32 - bits);
    return is_signed && v >> (bits - 1) ? (s64)v - ((s64)1 << bits) : (s64)v;
}
static u32 dot4(u32 a, bool a_signed, u32 b, bool b_signed, u32 c) {
    s64 sum = c;
    for (unsigned k = 0; k < 4; k++)
        sum += field(a, k, 8, a_signed) * field(b, k, 8, b_signed);
    return (u32)sum;
}
static u32 dot2(u32 a, bool a_signed, u32 b, bool b_signed, bool high, u32 c) {
    s64 sum = c;
    for (unsigned k = 0; k < 2; k++)
        sum += field(a, k, 16, a_signed) * field(b, k + 2 * high, 8, b_signed);
    return (u32)sum;
}
ROW(dp4a_uu, dot4(a, 0, b, 0, c))
ROW(dp4a_us, dot4(a, 0, b, 1, c))
ROW(dp4a_su, dot4(a, 1, b, 0, c))
ROW(dp4a_ss, dot4(a, 1, b, 1, c))
ROW(dp2a_lo_uu, dot2(a, 0, b, 0, 0, c))
ROW(dp2a_hi_us, dot2(a, 0, b, 1, 1, c))
ROW(dp2a_lo_su, dot2(a, 1, b, 0, 0, c))
ROW(dp2a_hi_ss, dot2(a, 1, b, 1, 1, c))

/* ---------------------------------------------------------------- carries */

static u32 carry(u32 a, u32 b, u32 in) {
    return (u32)(((u64)a + b + in) >> 32);
}
static u32 high(u32 a, u32 b) {
    return (u32)((u64)a * b >> 32);
}

ROW(add_cc, (u64)a + b)
ROW(sub_cc, (u64)a - b)
ROW(addc_cc, pair((u32)(a + b + carry(b, c, 0)), (u32)(c + carry(a, b, carry(b, c, 0)))))
ROW(subc_cc, pair((u32)(a - b - (b < c)), (u32)(c - (a < (u64)b + (b < c)))))
ROW(mad_lo_cc, (u64)a *b + c)
ROW(mad_hi_cc, pair(high(a, b) + c, (u32)(a + carry(high(a, b), c, 0))))
ROW(madc_hi_s, pair((u32)(a *b + c), (u32)((u32)((s64)sa *sb >> 32) + c + carry(a * b, c, 0))))
ROW64(add_cc64, c + a + b + (a + b < a))
ROW64(sub_cc64, c - (a - b) - (a < b))

/* ---------------------------------------------------------------- bits */

static u32 ones(u64 x) {
    u32 n = 0;
    for (; x; x >>= 1)
        n += x & 1;
    return n;
}
static u64 reversed(u64 x, unsigned bits) {
    u64 r = 0;
    for (unsigned k = 0; k < bits; k++)
        r |= (x >> k & 1) << (bits - 1 - k);
    return r;
}
/* The index of the highest one below `bits`, or -1. */
static s32 highest(u64 x, unsigned bits) {
    for (s32 k = (s32)bits - 1; k >= 0; k--)
        if (x >> k & 1)
            return k;
    return -1;
}
/* bfind: of a negative number the highest zero counts. */
static u32 found(u64 x, unsigned bits, bool is_signed, bool shift) {
    s32 k = highest(is_signed && x >> (bits - 1) ? ~x : x, bits);
    return k < 0 ? UINT32_MAX : (u32)(shift ? (s32)bits - 1 - k : k);
}
static u64 shifted_left(u64 x, u32 n, unsigned bits) {
    return n >= bits ? 0 : x << n & (UINT64_MAX >> (64 - bits));
}
static u64 shifted_right(u64 x, u32 n, unsigned bits) {
    return n >= bits ? 0 : x >> n;
}
/* fns: the n-th one from bit `base` on, upwards for n > 0, downwards for n < 0; n = 0 asks for base
 * itself. */
static u32 nth_set(u32 mask, u32 base, s32 n) {
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    s32 step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
    for (s32 k = (s32)base; k >= 0 && k < 32; k += step)
        if ((mask >> k & 1) && --left == 0)
            return (u32)k;
    return UINT32_MAX;
}
/* bfe: position and length are bytes; bits past the top are the sign, which is that of the last bit
 * there is. */
static u64 extracted(u64 x, u32 from, u32 length, unsigned bits, bool is_signed) {
    u32 pos = from & 255, len = length & 255, top = pos + len > 0 ? pos + len - 1 : 0;
    u64 sign = !is_signed || len == 0 ? 0 : x >> (top < bits ? top : bits - 1) & 1, r = 0;
    for (u32 k = 0; k < bits; k++)
        r |= (k < len && pos + k < bits ? x >> (pos + k) & 1 : sign) << k;
    return r;
}
static u32 inserted(u32 x, u32 into, u32 pos, u32 length) {
    for (u32 k = 0; k < (length & 255) && pos + k < 32; k++)
        into = (into & ~((u32)1 << (pos + k))) | (x >> k & 1) << (pos + k);
    return into;
}
static u32 mask_of(u32 from, u32 length, bool wrap) {
    from = wrap ? from & 31 : from;
    length = wrap ? length & 31 : length > 32 ? 32 : length;
    return (u32)shifted_left(shifted_left(1, length, 33) - 1, from, 32);
}
static u32 extended(u32 x, u32 n, bool is_signed) {
    if (n == 0)
        return 0;
    return n >= 32 ? x : (u32)field(x << (32 - n) >> (32 - n), 0, n, is_signed);
}

static u32 lop3(u32 a, u32 b, u32 c, unsigned table) {
    u32 r = 0;
    for (unsigned k = 0; k < 32; k++)
        r |= (table >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
    return r;
}

ROW(and, a &b)
ROW(or, a | b)
ROW(xor, a ^ b)
ROW(not, (u32)~a)
ROW(cnot, a == 0)
ROW(lop3_e8, (a & b) | (a & c) | (b & c))
ROW(lop3_1b, lop3(a, b, c, 0x1b))
ROW(lop3_72, lop3(a, b, c, 0x72))
ROW(shl, shifted_left(a, c, 32))
ROW(shr_u, shifted_right(a, c, 32))
ROW(shr_s, (u32)((s64)sa >> (c > 32 ? 32 : c)))
ROW(shf_l_wrap, (u32)(pair(a, b) << (c & 31) >> 32))
ROW(shf_r_wrap, (u32)(pair(a, b) >> (c & 31)))
ROW(shf_l_clamp, (u32)(c >= 32 ? a : pair(a, b) << c >> 32))
ROW(shf_r_clamp, (u32)(c >= 32 ? b : pair(a, b) >> c))
ROW(popc, ones(a))
ROW(clz, 31 - highest(a, 32))
ROW(brev, reversed(a, 32))
ROW(bfind_u, found(a, 32, false, false))
ROW(bfind_s, found(a, 32, true, false))
ROW(bfind_shift_u, found(a, 32, false, true))
ROW(bfind_shift_s, found(a, 32, true, true))
ROW(fns, nth_set(a, b & 31, (s32)(c & 7) - 3))
ROW(bfe_u, extracted(a, b, c, 32, false))
ROW(bfe_s, extracted(a, b, c, 32, true))
ROW(bfi, inserted(a, b, b & 47, c))
ROW(bmsk_clamp, mask_of(b, c, false))
ROW(bmsk_wrap, mask_of(b, c, true))
ROW(szext_clamp_u, extended(a, c, false))
ROW(szext_clamp_s, extended(a, c, true))
ROW(szext_wrap_s, extended(a, c & 31, true))

/* prmt: where byte k of the result comes from, in the modes by their numbers. */
enum { F4E, B4E, RC8, ECL, ECR, RC16 };
static u32 byte_of(u64 bytes, unsigned selector) {
    u32 byte = (u32)(bytes >> 8 * (selector & 7)) & 255;
    return selector & 8 ? (byte >> 7) * 255 : byte;
}
static u32 permuted(u32 a, u32 b, u32 c, int mode) {
    u32 r = 0, s = c & 3;
    for (u32 k = 0; k < 4; k++) {
        const u32 from[] = {
            [F4E] = s + k,         [B4E] = s - k,         [RC8] = s,
            [ECL] = k > s ? k : s, [ECR] = k < s ? k : s, [RC16] = 2 * (s & 1) + (k & 1),
        };
        r |= byte_of(pair(a, b), from[mode] & 7) << 8 * k;
    }
    return r;
}
static u32 permuted_by(u32 a, u32 b, u32 c) {
    u32 r = 0;
    for (u32 k = 0; k < 4; k++)
        r |= byte_of(pair(a, b), c >> 4 * k & 15) << 8 * k;
    return r;
}
ROW(prmt, permuted_by(a, b, c))
ROW(prmt_f4e, permuted(a, b, c, F4E))
ROW(prmt_b4e, permuted(a, b, c, B4E))
ROW(prmt_rc8, permuted(a, b, c, RC8))
ROW(prmt_ecl, permuted(a, b, c, ECL))
ROW(prmt_ecr, permuted(a, b, c, ECR))
ROW(prmt_rc16, permuted(a, b, c, RC16))

ROW(cvt_sat_u8, clamp(sa, 0, 255))
ROW(cvt_sat_s8, (u32)clamp(sa, -128, 127))
ROW(cvt_sat_u16, clamp(sa, 0, 65535))
ROW(cvt_sat_s16, (u32)clamp(sa, -32768, 32767))
ROW(cvt_pack_s8,
    (u32)(clamp(sb, -128, 127) & 255) | (u32)(clamp(sa, -128, 127) & 255) << 8 | c << 16)
ROW(cvt_pack_u8, (u32)clamp(sb, 0, 255) | (u32)clamp(sa, 0, 255) << 8 | c << 16)
ROW(cvt_pack_s16,
    (u32)(clamp(sb, -32768, 32767) & 0xffff) | (u32)(clamp(sa, -32768, 32767) & 0xffff) << 16)

static u32 differences4(u32 a, u32 b, u32 c, bool is_signed, bool add) {
    u32 r = 0, sum = c;
    for (u32 k = 0; k < 4; k++) {
        u32 d = difference(field(a, k, 8, is_signed), field(b, k, 8, is_signed));
        sum += d;
        r |= (d & 255) << 8 * k;
    }
    return add ? sum : r;
}
ROW(vabsdiff4_u, differences4(a, b, c, false, false))
ROW(vabsdiff4_s_add, differences4(a, b, c, true, true))
ROW(vadd_sat, (u32)clamp((s64)sa + sb, INT32_MIN, INT32_MAX))

/* ---------------------------------------------------------------- comparisons */

ROW(set_lt_u, a < b ? UINT32_MAX : 0)
ROW(setp_lt_s, sa < sb)
ROW(setp_ge_u, a >= b)
ROW(setp_ne_or, a != b || sc > 9)
ROW(setp_two, (u32)(sa <= sb && sc > 9) | (u32)(!(sa <= sb) && sc > 9) << 1)
ROW(setp_xor, (a < b) != !(sc > 9))
ROW(selp, sc < 17 ? a : b)
ROW(slct, sc >= 0 ? a : b)

/* ---------------------------------------------------------------- 64 bits */

ROW64(add64, a + b)
ROW64(sub64, a - b)
ROW64(neg64, 0 - a)
ROW64(abs64, sa < 0 ? 0 - a : a)
ROW64(mul64_lo, a *b)
ROW64(mul64_hi_u, (u128)a *b >> 64)
ROW64(mul64_hi_s, (s128)sa *sb >> 64)
ROW64(mad64_lo, a *b + c)
ROW64(div64_u, a / (b | 1))
ROW64(rem64_s, (s128)sa % (s64)(b | 1))
ROW64(min64_u, a < b ? a : b)
ROW64(max64_s, sa > sb ? a : b)
ROW64(setp64_lt_s, sa < sb)
ROW64(setp64_le_u, a <= b)
ROW64(setp64_eq_u, a == b)
ROW64(xor64, a ^ b)
ROW64(shl64, shifted_left(a, nc, 64))
ROW64(shr64_u, shifted_right(a, nc, 64))
ROW64(shr64_s, sa >> (nc > 63 ? 63 : nc))
ROW64(popc64, ones(a))
ROW64(clz64, 63 - highest(a, 64))
ROW64(brev64, reversed(a, 64))
ROW64(bfind64_u, found(a, 64, false, false))
ROW64(bfind64_s, found(a, 64, true, true))
ROW64(bfe64_s, extracted(a, (u32)b, nc, 64, true))
