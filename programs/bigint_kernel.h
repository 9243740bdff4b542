/*
 * bigint_kernel.h - what the planners of multi-word products share: the arrangement of integers in
 * the guest's memory, and the parameters that every kernel has.
 */
#ifndef FH_BIGINT_KERNEL_H
#define FH_BIGINT_KERNEL_H

#include "bigint.h"
#include "guest.h"
#include "residue.h"

/* -1/M mod 2^32, and M in pairs of words. */
enum { FH_BIGINT_MODULUS_PARAMS = 1 + FH_BIGINT_MAX_WORDS / 2 };

/* A checked product. */
struct fh_bigint_job {
    const struct fh_bigint_params *params;
    const uint32_t *a, *b;
    uint32_t *out;
    size_t warps; /* of a block */
};

/* Writes FH_BIGINT_MODULUS_PARAMS of them or fewer and returns how many; none without a modulus. */
size_t fh_bigint_modulus_params(const struct fh_bigint_params *params, uint64_t *values);

/* Uploads the operands, makes room for the result, runs this kernel of the assembled program and
 * fetches the result. `values` are the kernel's `count` parameters; the first three, the addresses
 * of a, b and the result, are written here. */
fhec_status fh_bigint_launch(struct fh_guest *guest, const struct fh_bigint_job *job,
                             const char *kernel, uint64_t *values, size_t count);

/* On map mont. */
fhec_status fh_bigint_mont(struct fh_guest *guest, const struct fh_bigint_job *job);

#endif
