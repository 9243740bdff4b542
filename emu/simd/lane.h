/*
 * lane.h - the vocabulary of the instruction bodies in isa_spec: small pure functions on the values
 * of one lane. Both engines use them, so they are written without branches where a 32-lane loop
 * around them should become vector code, and as the instruction set states them everywhere else.
 */
#ifndef FH_LANE_H
#define FH_LANE_H

#include <stdint.h>

#include "float.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
__extension__ typedef unsigned __int128 u128;

/* A source of an addition as a number of 33 bits: complemented when negated, and then one more
 * unless the instruction has .X. So -0 counts as 2^32. */
static inline u64 add_term(u32 x, u32 negated, u32 extended) {
    u64 term = x ^ (0U - negated);
    return term + (negated & !extended);
}

static inline u32 min_u32(u32 a, u32 b) {
    return a < b ? a : b;
}

/* The comparison of ISETP: F LT EQ LE GT NE GE T. */
static inline u32 compare(u32 operation, u32 is_signed, u32 a, u32 b) {
    /* Adding 2^31 to both maps the signed order to the unsigned one. */
    u32 bias = is_signed << 31;
    u32 less = (a ^ bias) < (b ^ bias), equal = a == b, greater = !(less | equal);
    return (operation & 1 & less) | (operation >> 1 & 1 & equal) | (operation >> 2 & 1 & greater);
}

/* AND, OR, XOR of truth values. */
static inline u32 combine(u32 operation, u32 a, u32 b) {
    return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}

/* Where a bit of `which` is set the bit of `one`, else that of `zero`. */
static inline u32 choose_bits(u32 which, u32 one, u32 zero) {
    return zero ^ (which & (one ^ zero));
}

/* Bits 63:32 of the product. */
static inline u32 multiply_high(u32 is_signed, u32 a, u32 b) {
    u64 product = is_signed ? (u64)((i64)(i32)a * (i32)b) : (u64)a * b;
    return (u32)(product >> 32);
}

/* Bits 63:32 of a b + c + carry if `extended`, else of a b + c; with `negate` ~c takes the place of
 * c, and 1 is added unless `extended`. */
static inline u32 multiply_add_high(u32 is_signed, u32 a, u32 b, u64 c, u32 negate, u32 extended,
                                    u32 carry) {
    u64 product = is_signed ? (u64)((i64)(i32)a * (i32)b) : (u64)a * b;
    return (u32)((product + (c ^ -(u64)negate) + (extended ? carry : negate)) >> 32);
}

/* Bits 63:32 of {high, low} << n, n in 0..31. */
static inline u32 funnel_high(u32 low, u32 high, u32 n) {
    return (u32)(((u64)high << 32 | low) << n >> 32);
}

/* {high, low} shifted by n in 0..64, to the right if `right`, arithmetically if is_signed; its high
 * or low word. First by whole words, then by the m bits that are left: all in 32 bits. */
static inline u32 funnel_shift(u32 low, u32 high, u32 n, u32 right, u32 is_signed, u32 take_high) {
    u32 some = 0U - (n > 31), all = 0U - (n > 63), m = n & 31;
    u32 fill = is_signed ? (u32)((i32)high >> 31) : 0;
    if (right) {
        u32 upper = choose_bits(some, fill, high);
        u32 lower = choose_bits(all, fill, choose_bits(some, high, low));
        if (take_high)
            return is_signed ? (u32)((i32)upper >> m) : upper >> m;
        return lower >> m | upper << 1 << (31 - m);
    }
    u32 lower = low & ~some, upper = choose_bits(some, low, high) & ~all;
    return take_high ? upper << m | lower >> 1 >> (31 - m) : lower << m;
}

/* The same for n in 0..32. */
static inline u32 funnel_shift32(u32 low, u32 high, u32 n, u32 right, u32 is_signed,
                                 u32 take_high) {
    u32 m = n & 31, back = (32 - n) & 31;
    u32 fill = is_signed ? (u32)((i32)high >> 31) : 0;
    if (right && take_high) /* no bits come in but fill */
        return n > 31 ? fill : is_signed ? (u32)((i32)high >> m) : high >> m;
    if (!right && !take_high)
        return n > 31 ? 0 : low << m;
    u32 moved = right ? low >> m | high << back : high << m | low >> back;
    return n == 0 ? (right ? low : high) : n > 31 ? (right ? high : low) : moved;
}

/* All ones where bit n of `table` is set, else 0. */
static inline u32 lop3_row(u32 table, u32 n) {
    return 0U - (table >> n & 1);
}

/* Bit 4a + 2b + c of `table` for every bit position. */
static inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
    u32 pair[4];
    for (u32 i = 0; i < 4; i++) /* by 2a + b */
        pair[i] = choose_bits(c, lop3_row(table, 2 * i + 1), lop3_row(table, 2 * i));
    return choose_bits(a, choose_bits(b, pair[3], pair[2]), choose_bits(b, pair[1], pair[0]));
}

/* What bodies whose results are predicates go by, so that the fast engine can compute them for all
 * lanes at once (rows.h): truth values are 0 or 1 here, lane masks there. */
static inline u32 lanes_compare(u32 operation, u32 is_signed, u32 a, u32 b) {
    return compare(operation, is_signed, a, b);
}

static inline u32 lanes_equal(u32 a, u32 b) {
    return a == b;
}

static inline u32 lanes_not(u32 x) {
    return x ^ 1;
}

static inline u32 lanes_lop3(u32 a, u32 b, u32 c, u32 table) {
    return lop3(a, b, c, table) & 1;
}

/* Which of the eight bytes goes to byte i in PRMT's named modes (1 F4E, 2 B4E, 3 RC8, 4 ECL, 5 ECR,
 * 6 RC16); n is the selector's low two bits. */
static inline u32 permute_source(u32 mode, u32 n, u32 i) {
    switch (mode) {
    case 1: return (n + i) & 7;
    case 2: return (n - i) & 7;
    case 3: return n;
    case 4: return i > n ? i : n;
    case 5: return i < n ? i : n;
    default: return (n & 1) * 2 + (i & 1);
    }
}

/* Byte i of PRMT's result. Without ?: on what all lanes have in common, which compilers would make
 * branches of the loop. */
static inline u32 permuted_byte(u32 a, u32 c, u32 selector, u32 mode, u32 i) {
    u32 nibble = selector >> (4 * i) & 15;
    u32 source = mode == 0 ? nibble & 7 : permute_source(mode, selector & 3, i);
    u32 byte = choose_bits(0U - (source >> 2 & 1), c, a) >> (8 * (source & 3)) & 255;
    u32 sign = 0U - (mode == 0 ? nibble >> 3 : 0);
    return choose_bits(sign, (0U - (byte >> 7)) & 255, byte);
}

static inline u32 permute_bytes(u32 a, u32 c, u32 selector, u32 mode) {
    return permuted_byte(a, c, selector, mode, 0) | permuted_byte(a, c, selector, mode, 1) << 8 |
           permuted_byte(a, c, selector, mode, 2) << 16 |
           permuted_byte(a, c, selector, mode, 3) << 24;
}

static inline u32 count_ones(u32 x) {
    x -= x >> 1 & 0x55555555U;
    x = (x & 0x33333333U) + (x >> 2 & 0x33333333U);
    x = (x + (x >> 4)) & 0x0f0f0f0fU;
    return x * 0x01010101U >> 24;
}

static inline u32 reverse_bits(u32 x) {
    x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
    x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
    x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
    x = (x >> 8 & 0x00ff00ffU) | (x & 0x00ff00ffU) << 8;
    return x >> 16 | x << 16;
}

/* The low n bits, n in 0..32, extended with their sign or with zeros; 0 for n = 0. `sign` is the
 * highest of them: to change it and to subtract it leaves a number without it as it is, and takes
 * 2^n from one with it. */
static inline u32 extend_bits(u32 x, u32 n, u32 is_signed) {
    u32 kept = n ? UINT32_MAX >> ((32 - n) & 31) : 0;
    u32 sign = (kept ^ kept >> 1) & (0U - is_signed);
    return ((x & kept) ^ sign) - sign;
}

/* `width` ones from bit `position` on; BMSK's clamping, or modulo 32. */
static inline u32 bit_mask(u32 position, u32 width, u32 wraps) {
    u32 n = wraps ? width & 31 : min_u32(width, 32);
    u32 ones = n ? UINT32_MAX >> ((32 - n) & 31) : 0;
    return !wraps && position > 31 ? 0 : ones << (position & 31);
}

/* Index of the highest one of x, or ~x if `negated` (from the top with `from_top`), of the
 * complement if that is a negative number; 0xffffffff if there is none. */
static inline u32 leading_one(u32 x, u32 negated, u32 is_signed, u32 from_top) {
    u32 value = negated ? ~x : x, y = is_signed && (i32)value < 0 ? ~value : value;
    u32 zeros = (u32)__builtin_clz(y | 1);
    return y == 0 ? 0xffffffffU : from_top ? zeros : 31 - zeros;
}

/* Sum of products of the bytes (or the two halves, a_bits 16) of a with the bytes of b from byte
 * `first` on. */
static inline u32 dot_bytes(u32 a, u32 a_signed, u32 a_bits, u32 b, u32 b_signed, u32 first) {
    u32 sum = 0;
    for (u32 i = 0; i < 32 / a_bits; i++) {
        u32 x = extend_bits(a >> (i * a_bits), a_bits, a_signed);
        u32 y = extend_bits(b >> ((first + i) * 8), 8, b_signed);
        sum += x * y;
    }
    return sum;
}

/* The four |a - b| of bytes: packed, or their sum. */
static inline u32 byte_differences(u32 a, u32 b, u32 is_signed, u32 summed) {
    u32 result = 0;
    for (u32 i = 0; i < 4; i++) {
        i32 x = (i32)extend_bits(a >> (8 * i), 8, is_signed);
        i32 y = (i32)extend_bits(b >> (8 * i), 8, is_signed);
        u32 difference = (u32)(x < y ? y - x : x - y);
        result += summed ? difference : difference << (8 * i);
    }
    return result;
}

/* A signed number brought into the range of an integer of `bits` bits. */
static inline u32 saturate(u32 x, u32 bits, u32 is_signed) {
    i32 low = is_signed ? -(1 << (bits - 1)) : 0;
    i32 high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    i32 v = (i32)x;
    return (u32)(v < low ? low : v > high ? high : v);
}

/* An exact sum of integers brought into the range of i32. */
static inline u32 clamp_to_32(i64 sum) {
    return (u32)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

/* Two saturated elements of `bits` bits, b the lower one, below what is left of c. */
static inline u32 pack_saturated(u32 a, u32 b, u32 c, u32 bits, u32 is_signed) {
    u32 kept = (1U << bits) - 1;
    u32 pair =
        (saturate(a, bits, is_signed) & kept) << bits | (saturate(b, bits, is_signed) & kept);
    return (u32)((u64)c << (2 * bits)) | pair;
}

/* A value that was loaded, by the size codes 0 U8, 1 S8, 2 U16, 3 S16; others are whole. */
static inline u128 extend_loaded(u32 size, u128 value) {
    switch (size) {
    case 1: return (u128)(u32)(int8_t)value;
    case 3: return (u128)(u32)(int16_t)value;
    default: return value;
    }
}

/* One step of REDUX: AND OR XOR SUM MIN MAX. */
static inline u32 reduce(u32 operation, u32 is_signed, u32 a, u32 b) {
    u32 less = is_signed ? (i32)a < (i32)b : a < b;
    switch (operation) {
    case 0: return a & b;
    case 1: return a | b;
    case 2: return a ^ b;
    case 3: return a + b;
    case 4: return less ? a : b;
    default: return less ? b : a;
    }
}

/* A floating point source with its bars and its sign. */
static inline u64 float_source(u32 format, u64 x, u32 negated, u32 absolute) {
    u64 sign = format == FH_F64 ? (u64)1 << 63 : format == FH_F32 ? 0x80000000U : 0x8000U;
    return (absolute ? x & ~sign : x) ^ (negated ? sign : 0);
}

/* enum fh_float_how of the modifiers. */
static inline u32 float_how(u32 round, u32 flush, u32 saturating) {
    return round | (flush ? FH_FTZ : 0) | (saturating ? FH_SAT : 0);
}

/* Format of the codes 1 F16, 2 F32, 3 F64. */
static inline u32 float_format(u32 code) {
    return code == 1 ? FH_F16 : code == 2 ? FH_F32 : FH_F64;
}

/* Half i of a pair, as the part says: both, the low one twice, the high one twice; with its bars
 * and its sign. */
static inline u32 half_source(u32 x, u32 part, u32 i, u32 negated, u32 absolute) {
    u32 high = part == 2 ? 0 : part == 3 ? 1 : i;
    return (u32)float_source(FH_F16, x >> (16 * high) & 0xffff, negated, absolute);
}

/* max(x, +0) of a 16-bit format; NaN stays the canonical one. */
static inline u32 half_relu(u32 format, u32 x) {
    u32 infinity = format == FH_BF16 ? 0x7f80 : 0x7c00;
    return x & 0x8000 && (x & 0x7fff) <= infinity ? 0 : x;
}

/* A float to a 16-bit format, negative results made zero if `relu`. */
static inline u32 half_convert(u32 format, u64 x, u32 relu, u32 how) {
    u32 h = (u32)fh_float_convert(format, FH_F32, x, how);
    return relu ? half_relu(format, h) : h;
}

/* One half of HFMA2. A product of zeros leaves the addend as it is, NaN or not: compilers load
 * constants so. */
static inline u32 half_fma(u32 format, u32 a, u32 b, u32 c, u32 how) {
    if (((a | b) & 0x7fff) == 0 && (c & 0x7fff) != 0 && !(how & (FH_FTZ | FH_SAT)))
        return c;
    return (u32)fh_float_fma(format, a, b, c, how);
}

/* One lane of FSWZADD: +a +b, +a -b, -a +b, b. */
static inline u32 swizzled_sum(u32 pattern, u32 lane, u32 a, u32 b, u32 how) {
    u32 code = pattern >> (2 * (lane & 3)) & 3;
    u64 x = code == 3 ? 0 : float_source(FH_F32, a, code == 2, 0);
    return (u32)fh_float_add(FH_F32, x, float_source(FH_F32, b, code == 1, 0), how);
}

/* The lowest lane of a mask that is not empty. */
static inline u32 first_lane(u32 mask) {
    return (u32)__builtin_ctz(mask);
}

#endif
