/*
 * lane.h - the vocabulary of the instruction bodies in isa_spec: small pure functions on the values
 * of one lane. Both engines use them, so they are written without branches where a 32-lane loop
 * around them should become vector code, and as the instruction set states them everywhere else.
 */
#ifndef FH_LANE_H
#define FH_LANE_H

#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;
__extension__ typedef unsigned __int128 u128;

/* A source of an addition as a number of 33 bits: complemented when negated, and then one more
 * unless the instruction has .X. So -0 counts as 2^32. */
static inline u64 add_term(u32 x, u32 negated, u32 extended) {
    u64 term = negated ? (u32)~x : x;
    return term + (negated & !extended);
}

static inline u32 min_u32(u32 a, u32 b) {
    return a < b ? a : b;
}

/* The comparison of ISETP: F LT EQ LE GT NE GE T. */
static inline u32 compare(u32 operation, u32 is_signed, u32 a, u32 b) {
    /* Adding 2^31 to both maps the signed order to the unsigned one. */
    u32 bias = is_signed ? 0x80000000U : 0;
    u32 less = (a ^ bias) < (b ^ bias), equal = a == b, greater = !(less | equal);
    return (operation & 1 & less) | (operation >> 1 & 1 & equal) | (operation >> 2 & 1 & greater);
}

/* AND, OR, XOR of truth values. */
static inline u32 combine(u32 operation, u32 a, u32 b) {
    return operation == 0 ? a & b : operation == 1 ? a | b : a ^ b;
}

/* Bits 63:32 of {high, low} << n, n in 0..31. */
static inline u32 funnel_high(u32 low, u32 high, u32 n) {
    return (u32)(((u64)high << 32 | low) << n >> 32);
}

/* {high, low} shifted by n in 0..64, to the right if `right`, arithmetically if is_signed; its high
 * or low word. */
static inline u32 funnel_shift(u32 low, u32 high, u32 n, u32 right, u32 is_signed, u32 take_high) {
    u64 x = (u64)high << 32 | low;
    u32 m = n & 63;
    u64 fill = is_signed && (i32)high < 0 ? ~(u64)0 : 0;
    u64 left = n > 63 ? 0 : x << m;
    u64 moved = m == 0 ? x : x >> m | fill << ((64 - m) & 63);
    u64 shifted = right ? (n > 63 ? fill : moved) : left;
    return take_high ? (u32)(shifted >> 32) : (u32)shifted;
}

/* Bit 4a + 2b + c of `table` for every bit position. */
static inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
    u32 d = 0;
    d |= ~a & ~b & ~c & (0U - (table & 1));
    d |= ~a & ~b & c & (0U - (table >> 1 & 1));
    d |= ~a & b & ~c & (0U - (table >> 2 & 1));
    d |= ~a & b & c & (0U - (table >> 3 & 1));
    d |= a & ~b & ~c & (0U - (table >> 4 & 1));
    d |= a & ~b & c & (0U - (table >> 5 & 1));
    d |= a & b & ~c & (0U - (table >> 6 & 1));
    d |= a & b & c & (0U - (table >> 7 & 1));
    return d;
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

static inline u32 permute_bytes(u32 a, u32 c, u32 selector, u32 mode) {
    u64 bytes = (u64)c << 32 | a;
    u32 d = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 nibble = selector >> (4 * i) & 15;
        u32 source = mode == 0 ? nibble & 7 : permute_source(mode, selector & 3, i);
        u32 byte = (u32)(bytes >> (8 * source)) & 255;
        u32 sign = mode == 0 && nibble & 8;
        d |= (sign ? (byte & 128 ? 255U : 0U) : byte) << (8 * i);
    }
    return d;
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

/* The lowest lane of a mask that is not empty. */
static inline u32 first_lane(u32 mask) {
    return (u32)__builtin_ctz(mask);
}

#endif
