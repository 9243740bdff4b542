/*
 * term_value.h - what an expression of .expect (fhec_expectation) amounts to.
 */
#ifndef FH_TERM_VALUE_H
#define FH_TERM_VALUE_H

#include "fhec_observe.h"

/* What its names stand for. */
struct fh_term_names {
    const fhec_event *event; /* of the instruction: ISSUE or RETIRE; warp, block, registers */
    uint32_t row, column, lane;
    bool has_modulus;
    uint32_t modulus;
};

/* False where it has no value: a division by zero, q of an instruction that has none. */
bool fh_term_value(const fhec_expectation *expectation, const struct fh_term_names *names,
                   int64_t *value);

/* The launch's parameter of that name, of up to eight bytes; false if there is none. */
bool fh_launch_parameter(const fhec_launch *launch, const char *name, uint64_t *value);

#endif
