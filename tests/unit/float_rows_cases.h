/*
 * float_rows_cases.h - the functions of float_rows.h, each with its definition for one lane.
 */
#ifndef FH_TESTS_FLOAT_ROWS_CASES_H
#define FH_TESTS_FLOAT_ROWS_CASES_H

#include "float_exact.h"
#include "float_levels.h"

/* Rows of 32 lanes; of 64-bit values the high words behind the low ones. */
struct rows {
    _Alignas(64) uint32_t source[3][2 * LANES], result[2 * LANES];
};

struct function_case {
    const char *name;
    uint32_t format; /* enum fh_float_format */
    unsigned sources;
    bool multiplies;    /* of two sources: exponents add up */
    bool wide;          /* values have 64 bits */
    uint32_t modifiers; /* the bits of `how` that it knows */
    unsigned mores;     /* how many values its other parameter has */
    void (*rows)(const struct fh_float_rows *at, struct rows *r, uint32_t how, uint32_t more);
    /* The same with the result over source number `source`, how = more = 0. */
    void (*over)(const struct fh_float_rows *at, struct rows *r, unsigned source);
    uint64_t (*lane)(uint64_t a, uint64_t b, uint64_t c, uint32_t how, uint32_t more,
                     uint32_t lane);
};
extern const struct function_case function_cases[];
extern const size_t function_case_count;

#endif
