/*
 * float_core.h - between the files of the floating point arithmetic: numbers taken apart.
 */
#ifndef FH_FLOAT_CORE_H
#define FH_FLOAT_CORE_H

#include "float.h"

__extension__ typedef unsigned __int128 fh_u128;

enum fh_number_kind { FH_ZERO, FH_FINITE, FH_INFINITE, FH_NAN };

/* FINITE: m * 2^(exponent - 126), bit 126 of m is its highest. Bit 0 may stand for all that was
 * shifted out below. */
struct fh_float_parts {
    enum fh_number_kind kind;
    bool negative;
    int exponent;
    fh_u128 m;
};

struct fh_float_layout {
    int precision; /* bits with the hidden one */
    int bias;      /* and the largest exponent */
    uint64_t nan;
};
extern const struct fh_float_layout fh_float_layouts[];

struct fh_float_parts fh_float_unpack(uint32_t format, uint64_t bits, bool flush);
/* Shifts m up until bit 126 is the highest; m is not 0 and below 2^127. */
void fh_float_normalise(struct fh_float_parts *x);
uint64_t fh_float_round(uint32_t format, const struct fh_float_parts *x, uint32_t how);
/* x / 2^n with what is lost kept in bit 0. */
fh_u128 fh_float_shift(fh_u128 x, int n);

#endif
