/*
 * ckks_groups.h - which steps of a circuit one primitive does together (ckks_primitive.h): a sum's
 * products and additions. The values between them are never made, so that they must have no other
 * reader.
 */
#ifndef FH_CKKS_GROUPS_H
#define FH_CKKS_GROUPS_H

#include "ckks_primitive.h"

struct fh_ckks_group {
    size_t steps; /* from the first one on; the value of the last one is the result */
    struct fh_ckks_shape shape;
};

/* The group that begins at this step of a finished circuit; without `fused` the step alone. */
struct fh_ckks_group fh_ckks_group_at(const fh_golden_ckks_circuit *circuit, size_t index,
                                      bool fused);

/* The step of term `term` of a sum that begins at step `index`. */
size_t fh_ckks_group_term(size_t index, size_t term);

/* The most terms of a sum of products in the circuit; 0 without one. */
size_t fh_ckks_most_products(const fh_golden_ckks_circuit *circuit, bool fused);

#endif
