/*
 * float.h - IEEE 754 arithmetic on bit patterns, in integers: the same bits on every host, in every
 * rounding mode, whatever the host's own floating point does.
 *
 * Values are the low bits of a u64. NaN results are the format's canonical one. `how` is a rounding
 * mode with flags: sources and results that are subnormal become zeros of their sign (FTZ), the
 * result is brought into 0..1 with NaN giving 0 (SAT).
 */
#ifndef FH_FLOAT_H
#define FH_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum fh_float_format { FH_F16, FH_BF16, FH_F32, FH_F64 };

enum fh_float_how {
    FH_ROUND_NEAREST, /* ties to even */
    FH_ROUND_DOWN,
    FH_ROUND_UP,
    FH_ROUND_ZERO,
    FH_ROUND_MASK = 3,
    FH_FTZ = 4,
    FH_SAT = 8,
};

uint64_t fh_float_add(uint32_t format, uint64_t a, uint64_t b, uint32_t how);
/* a * b * 2^scale, rounded once. */
uint64_t fh_float_mul(uint32_t format, uint64_t a, uint64_t b, int32_t scale, uint32_t how);
/* a * b + c, rounded once. */
uint64_t fh_float_fma(uint32_t format, uint64_t a, uint64_t b, uint64_t c, uint32_t how);

/* Bits 0 to 3 of `relations`: true if a < b, a = b, a > b, unordered. */
uint32_t fh_float_compare(uint32_t format, uint32_t relations, uint64_t a, uint64_t b,
                          uint32_t how);
/* The smaller or the larger one; -0 is below +0. One NaN loses, or wins if `nan`. */
uint64_t fh_float_select(uint32_t format, bool smaller, bool nan, uint64_t a, uint64_t b,
                         uint32_t how);

uint64_t fh_float_convert(uint32_t to, uint32_t from, uint64_t a, uint32_t how);
/* To an integral value of the same format. */
uint64_t fh_float_integral(uint32_t format, uint64_t a, uint32_t how);
/* To an integer of `bits` bits, extended to 64; saturates. NaN gives 0 if `nan_zero`, else the
 * integer whose top bit alone is set. */
uint64_t fh_float_to_int(uint32_t format, uint64_t a, uint32_t bits, bool is_signed, bool nan_zero,
                         uint32_t how);
uint64_t fh_float_from_int(uint32_t format, uint64_t a, bool is_signed, uint32_t how);

/* Whether a / b of F32 is beyond what the short division sequence gets right: see FCHK. The
 * sequence is RCP, two refinements, a quotient and its remainder: everything must be a normal
 * number, the reciprocal too, and the remainder must not lose bits. */
static inline uint32_t fh_float_division_is_hard(uint32_t a, uint32_t b) {
    int ea = (int)(a >> 23 & 255), eb = (int)(b >> 23 & 255);
    return (ea < 26) | (ea == 255) | (eb < 1) | (eb > 252) | (ea - eb < -124) | (ea - eb > 125);
}

/* MUFU (float_special.c), F32; those of 64 on the high words of doubles. Angles are in turns. */
enum fh_special {
    FH_COS,
    FH_SIN,
    FH_EX2,
    FH_LG2,
    FH_RCP,
    FH_RSQ,
    FH_RCP64H,
    FH_RSQ64H,
    FH_SQRT,
    FH_TANH
};
uint32_t fh_float_special(uint32_t function, uint32_t a);

#endif
