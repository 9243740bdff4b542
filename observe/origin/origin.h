/*
 * origin.h - where a value came from, in one word: a place in memory, an instruction, a number in
 * the code. Of a register of 32 bits that holds four consecutive bytes of memory, or what one
 * instruction made, one word is enough; where its bytes came from several places it is
 * FH_ORIGIN_MIXED, and the bytes have words of their own beside it (shadow.h).
 *
 *     63  60 59                                    0
 *     | kind | address, or offset and instruction  |
 */
#ifndef FH_ORIGIN_H
#define FH_ORIGIN_H

#include "fhec_observe.h"

enum fh_origin_kind {
    FH_ORIGIN_NONE,     /* nothing that was seen has written it */
    FH_ORIGIN_GLOBAL,   /* 60 bits: the address of the byte */
    FH_ORIGIN_SHARED,   /* 24 bits: the offset in shared memory where an instruction stored what it
                           or another one had computed; 36 above: that one's pc */
    FH_ORIGIN_LOCAL,    /* the same in the lane's local memory */
    FH_ORIGIN_CONSTANT, /* 32 bits: the offset; above: the bank */
    FH_ORIGIN_COMPUTED, /* the pc */
    FH_ORIGIN_NUMBER,   /* an immediate, or zero for want of anything else; the pc */
    FH_ORIGIN_MIXED,
};

typedef uint64_t fh_origin;

enum { FH_ORIGIN_KIND_SHIFT = 60, FH_ORIGIN_OFFSET_BITS = 24, FH_ORIGIN_BANK_SHIFT = 32 };

static inline enum fh_origin_kind fh_origin_kind_of(fh_origin origin) {
    return (enum fh_origin_kind)(origin >> FH_ORIGIN_KIND_SHIFT);
}

static inline fh_origin fh_origin_make(enum fh_origin_kind kind, uint64_t rest) {
    return (uint64_t)kind << FH_ORIGIN_KIND_SHIFT | rest;
}

/* Whether it is a place in memory, of which the next byte's origin is the next number. */
static inline bool fh_origin_is_place(fh_origin origin) {
    const enum fh_origin_kind kind = fh_origin_kind_of(origin);
    return kind >= FH_ORIGIN_GLOBAL && kind <= FH_ORIGIN_CONSTANT;
}

/* Byte `byte` of a register with this origin, which is not mixed. */
static inline fh_origin fh_origin_byte(fh_origin origin, uint32_t byte) {
    return fh_origin_is_place(origin) ? origin + byte : origin;
}

/* The memory that a place is in, alike for two places that have a distance; its offset there. */
static inline uint64_t fh_origin_space(fh_origin origin) {
    return fh_origin_kind_of(origin) == FH_ORIGIN_CONSTANT ? origin >> FH_ORIGIN_BANK_SHIFT
                                                           : origin >> FH_ORIGIN_KIND_SHIFT;
}
static inline uint64_t fh_origin_offset(fh_origin origin) {
    switch (fh_origin_kind_of(origin)) {
    case FH_ORIGIN_GLOBAL: return origin & ((UINT64_C(1) << FH_ORIGIN_KIND_SHIFT) - 1);
    case FH_ORIGIN_CONSTANT: return (uint32_t)origin;
    default: return origin & ((1u << FH_ORIGIN_OFFSET_BITS) - 1);
    }
}

/* The instruction that computed a value, also where it has been in shared or local memory since;
 * UINT64_MAX: it is no such origin. */
static inline uint64_t fh_origin_pc(fh_origin origin) {
    const uint64_t rest = origin & ((UINT64_C(1) << FH_ORIGIN_KIND_SHIFT) - 1);
    switch (fh_origin_kind_of(origin)) {
    case FH_ORIGIN_SHARED:
    case FH_ORIGIN_LOCAL: return rest >> FH_ORIGIN_OFFSET_BITS;
    case FH_ORIGIN_COMPUTED:
    case FH_ORIGIN_NUMBER: return rest;
    default: return UINT64_MAX;
    }
}

#endif
