/*
 * lanes.h - what the generated execution functions (ref_*.c, fast_*.c) are made of beside the
 * bodies, and the tables that they end up in.
 *
 * Rows and predicates of an fh_op are resolved already: reads of RZ go to rows that are zero,
 * writes to RZ and PT to sinks, so nothing here looks at register numbers.
 */
#ifndef FH_LANES_H
#define FH_LANES_H

#include <stdio.h>

#include "exec.h"
#include "fault.h"
#include "lane.h"
#include "simd.h"

/* Of one form at one SIMD level: its functions, or who picks them by modifiers and operands. */
struct fh_fast_form {
    struct fh_functions functions;
    struct fh_functions (*pick)(const struct fh_op *op); /* NULL: always `functions` */
};

/* The generated functions for an op; op->inst, row, imm, mod and neg are filled in. NULL for
 * combinations of modifiers that no word has. */
struct fh_functions fh_fast_select_portable(const struct fh_op *op);
struct fh_functions fh_fast_select_avx2(const struct fh_op *op);
struct fh_functions fh_fast_select_avx512(const struct fh_op *op);

/* The index of `value` in the list, `count` if it is not there. */
static inline u32 fh_place_of(u64 value, const u32 *list, u32 count) {
    u32 i = 0;
    while (i < count && list[i] != value)
        i++;
    return i;
}

/* Names of what is compiled once for each SIMD level: FH_SIMD_LEVEL is portable, avx2 or avx512. */
#if defined FH_SIMD_LEVEL
#define FH_SIMD_JOIN(prefix, level) prefix##level
#define FH_SIMD_NAME(prefix, level) FH_SIMD_JOIN(prefix, level)
#define FH_SIMD_SYMBOL(prefix)      FH_SIMD_NAME(prefix, FH_SIMD_LEVEL)
#endif

#define FH_ALWAYS_INLINE inline __attribute__((always_inline))

/* In a body: the lane faults, or all active ones where the body sees all of them, and so the
 * instruction does nothing at all. */
#define fault(kind, message)                                                                       \
    do {                                                                                           \
        if (!fh_bad) {                                                                             \
            fh_bad_kind = FHEC_FAULT_##kind;                                                       \
            fh_bad_message = message;                                                              \
        }                                                                                          \
        fh_bad |= fh_guilty;                                                                       \
        goto fh_next;                                                                              \
    } while (0)

/* In a body that sees all lanes: these lanes fault; then a message as of printf. */
#define fault_lanes(lanes, kind, ...)                                                              \
    do {                                                                                           \
        fh_bad = (lanes);                                                                          \
        fh_bad_kind = FHEC_FAULT_##kind;                                                           \
        snprintf(fh_bad_text, sizeof fh_bad_text, __VA_ARGS__);                                    \
        fh_bad_message = fh_bad_text;                                                              \
        goto fh_next;                                                                              \
    } while (0)

/* The row of register operand i; `next` rows further in the register file. */
static FH_ALWAYS_INLINE u32 *fh_row_of(struct fh_warp *w, const struct fh_op *op, unsigned i,
                                       unsigned next) {
    return (u32 *)(void *)((char *)w + op->at[i]) + (size_t)next * FH_LANES;
}

/* Lane mask of predicate operand i, its "!" applied. */
static inline u32 fh_predicate(const struct fh_warp *w, const struct fh_op *op, unsigned i) {
    const u32 *p = (const u32 *)(const void *)((const char *)w + op->at[i]);
    return *p ^ (0U - fh_negated(op, i));
}

static inline void fh_predicate_write(struct fh_warp *w, const struct fh_op *op, unsigned i,
                                      u32 active, u32 mask) {
    u32 *p = (u32 *)(void *)((char *)w + op->at[i]);
    *p = active == UINT32_MAX ? mask : (*p & ~active) | (mask & active);
}

/* Uniform predicate operand i, its "!" applied: 0 or 1. */
static inline u32 fh_uniform_predicate(const struct fh_warp *w, const struct fh_op *op,
                                       unsigned i) {
    return *((const uint8_t *)w + op->at[i]) ^ fh_negated(op, i);
}

/* The immediate or constant operand i, before which there are that many scalar ones. */
static FH_ALWAYS_INLINE u64 fh_scalar(const struct fh_op *op, unsigned i, unsigned before) {
    return before < FH_SCALARS ? op->scalar[before] : op->imm[i];
}

/* The uniform register of operand i, which is the zero one for immediates and constants. */
static inline u64 fh_uniform_of(const struct fh_warp *w, const struct fh_op *op, unsigned i,
                                unsigned count) {
    const u32 *ur = (const u32 *)(const void *)((const char *)w + op->at[i]);
    return ur[0] | (count == 2 ? (u64)ur[1] << 32 : 0);
}

static inline u64 fh_uniform_read(const struct fh_warp *w, unsigned reg, unsigned count) {
    return w->ur[reg] | (count == 2 ? (u64)w->ur[reg + 1] << 32 : 0);
}

static inline void fh_uniform_write(struct fh_warp *w, unsigned reg, unsigned count, u64 value) {
    w->ur[reg] = (u32)value;
    if (count == 2)
        w->ur[reg + 1] = (u32)(value >> 32);
}

static inline void fh_rows_read(const struct fh_warp *w, unsigned row, unsigned count,
                                u64 *values) {
    for (u32 lane = 0; lane < FH_LANES; lane++)
        values[lane] = w->r[row][lane] | (count == 2 ? (u64)w->r[row + 1][lane] << 32 : 0);
}

static inline void fh_rows_write(struct fh_warp *w, unsigned row, unsigned count, u32 active,
                                 const u64 *values) {
    for (u32 lane = 0; lane < FH_LANES; lane++) {
        if (!(active >> lane & 1))
            continue;
        w->r[row][lane] = (u32)values[lane];
        if (count == 2)
            w->r[row + 1][lane] = (u32)(values[lane] >> 32);
    }
}

#endif
