/*
 * ckks_primitive.h - one primitive of a circuit on a machine, with its shape: what decides which
 * kernels run on how much data. Kernels do not branch on data, so primitives of one shape take the
 * same instructions, and a count measured once stands for all of them.
 *
 * A primitive is a step of golden's circuits (ckks_circuit.h) or several that one kernel does
 * together: a sum of products (PTMULT with `terms` of them: the inner sum of a linear map; with
 * integers SCALAR_MULT: a combination of powers).
 */
#ifndef FH_CKKS_PRIMITIVE_H
#define FH_CKKS_PRIMITIVE_H

#include "ckks_circuit.h"
#include "ckks_device.h"

struct fh_ckks_shape {
    fh_golden_ckks_kind kind;
    size_t level;        /* at which it reads its operands */
    size_t result_level; /* MOD_RAISE; of all others it follows */
    size_t drop;         /* RESCALE: limbs */
    size_t terms;        /* PTMULT, SCALAR_MULT: products in a sum; 0: a product by itself */
};

/* What it works on, besides out what its kind has. ENCAPSULATE is of another chain. */
struct fh_ckks_use {
    struct fh_ckks_pair a, b; /* ROTATE_RAISED: b.c[0] are the raised digits */
    uint64_t key;             /* ROTATE_RAISED: turned */
    uint64_t plain;           /* PTMULT, PTADD, MONOMIAL, by themselves: as fh_ckks_write has
                               * it */
    const struct fh_ckks_term *terms; /* of a sum */
    fh_golden_i128 scalar;
    uint64_t element;
    uint64_t out;
};

/* FHEC_BAD_INPUT: as ckks_device.h says, and for a kind without kernels. */
fhec_status fh_ckks_primitive_run(struct fh_ckks *ckks, const struct fh_ckks_shape *shape,
                                  const struct fh_ckks_use *use);

/* Whether both take the same kernels on as much data. */
bool fh_ckks_same_shape(const struct fh_ckks_shape *a, const struct fh_ckks_shape *b);

/* ---------------------------------------------------------------- counting
 *
 * A chain with operands for every primitive of it, whatever they hold:
 *
 *     begin -> count, count, ... -> end
 */
struct fh_ckks_counter;

/* The machine must count and have nothing else to do. *counter is the caller's (end, before the
 * machine), NULL after an error. */
fhec_status fh_ckks_counter_begin(fhec_machine *machine, const struct fh_ckks_params *params,
                                  struct fh_ckks_counter **counter, struct fh_error *error);
void fh_ckks_counter_end(struct fh_ckks_counter *counter); /* NULL is fine */

/* Runs one primitive of this shape: what the machine's statistics then have more is what it takes.
 */
fhec_status fh_ckks_counter_run(struct fh_ckks_counter *counter, const struct fh_ckks_shape *shape,
                                struct fh_error *error);

/* *warp_insts = what it takes. */
fhec_status fh_ckks_counter_count(struct fh_ckks_counter *counter,
                                  const struct fh_ckks_shape *shape, uint64_t *warp_insts,
                                  struct fh_error *error);

#endif
