/*
 * ckks_steps.h - golden's circuits (ckks_circuit.h) on a machine: the same plan, each step by the
 * kernels of ckks_device.h on values that stay in the guest from the step that makes them to the
 * last one that reads them. What one kernel does together is one step for the machine.
 *
 *     check -> begin (chains, input) -> next, next, ... (read a value in between) -> end
 *
 * Diagonals and vectors are encoded by golden on the host and written when a step needs one,
 * switching keys likewise, of which the latest stay in the guest.
 */
#ifndef FH_CKKS_STEPS_H
#define FH_CKKS_STEPS_H

#include "ckks_circuit.h"
#include "ckks_device.h"

struct fh_ckks_steps_params {
    const char *map;                               /* NULL: the default */
    const fh_golden_ckks_circuit *circuit;         /* finished */
    const fh_golden_ckks_params *chain;            /* its primes, in moduli */
    const fh_golden_ckks_params *base;             /* of ENCAPSULATE; NULL: none */
    const fh_golden_ckks_environment *environment; /* keys; NULL is enough for the check */
    size_t key_places;                             /* keys that stay in the guest; at least 1 */
    struct fh_run_options options;
    bool unfused; /* each step by itself */
};

/* Whether the map can do all steps, the chains' primes among them, before any work. */
fhec_status fh_ckks_steps_check(const struct fh_ckks_steps_params *params, struct fh_error *error);

struct fh_ckks_steps;

/* Stands before the first step that is no INPUT with a copy of the inputs, 2 x level x n of each,
 * one after another. The circuit and what the parameters point to must live as long. *steps is the
 * caller's (fh_ckks_steps_end, before the machine), NULL after an error. */
fhec_status fh_ckks_steps_begin(fhec_machine *machine, const struct fh_ckks_steps_params *params,
                                const uint64_t *input, struct fh_ckks_steps **steps,
                                struct fh_error *error);
void fh_ckks_steps_end(struct fh_ckks_steps *steps); /* NULL is fine */

/* Executes the next step, there must be one, together with those behind it that one primitive does
 * with it (ckks_groups.h). Then releases the values that they were the last to read. */
fhec_status fh_ckks_steps_next(struct fh_ckks_steps *steps);

/* How many steps have been executed; the last one's value can be read. */
size_t fh_ckks_steps_done(const struct fh_ckks_steps *steps);

/* out: 2 x level of the value x n, of raised digits what golden has. FHEC_BAD_INPUT for a value
 * that has not been made, is never made since one primitive does several steps, or has been read by
 * its last reader. */
fhec_status fh_ckks_steps_read(struct fh_ckks_steps *steps, size_t value, uint64_t *out);

/* Whether the value is in the guest: it has been made, and a step to come reads it or it is an
 * output. */
bool fh_ckks_steps_has(const struct fh_ckks_steps *steps, size_t value);

/* Goes on before step `next` of steps that have just begun, as those stood from which the values
 * have been read: values[v] for v = 0 .. next of each value that was there, else NULL, the first
 * step of a primitive being next. FHEC_BAD_INPUT: beyond the end, elements not
 * below their modulus. */
fhec_status fh_ckks_steps_restore(struct fh_ckks_steps *steps, size_t next,
                                  uint64_t *const *values);

/* *warp_insts = the sum over the primitives of what each takes at its level, where each shape is
 * measured once, by itself and on a machine of its own, which must count and have nothing else to
 * do. Kernels do not branch on data: this is what executing the circuit takes. The environment's
 * keys are not needed. */
fhec_status fh_ckks_steps_compose(fhec_machine *machine, const struct fh_ckks_steps_params *params,
                                  uint64_t *warp_insts, struct fh_error *error);

/* The same of several plans over the same chains and map, warp_insts[count]: shapes that they have
 * in common are measured once. */
fhec_status fh_ckks_steps_compose_all(fhec_machine *machine,
                                      const struct fh_ckks_steps_params *plans, size_t count,
                                      uint64_t *warp_insts, struct fh_error *error);

/* What went wrong in the last call that failed. */
const struct fh_error *fh_ckks_steps_error(const struct fh_ckks_steps *steps);

#endif
