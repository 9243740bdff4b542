/*
 * reference.h - golden's execution of a circuit in a thread of its own, so that it and the machine
 * need not wait for each other.
 */
#ifndef FH_CLI_REFERENCE_H
#define FH_CLI_REFERENCE_H

#include "ckks_circuit.h"

struct fh_cli_reference;

/* Starts behind step `next` - 1 with these values, input or what a checkpoint has: values[v] for
 * all v <= next that a step from `next` on reads, copied; others may be NULL. It stays at most
 * `ahead` steps ahead of what has been done with (see below). The environment is its own, no other
 * thread may call its key(). *reference is the caller's, NULL after an error. */
fh_golden_status fh_cli_reference_start(struct fh_cli_reference **reference,
                                        const fh_golden_ckks_circuit *circuit,
                                        const fh_golden_ckks_environment *environment,
                                        uint64_t *const *values, size_t next, size_t ahead);

/* Waits until it has made this value. *limbs stays good until it has been done with. */
fh_golden_status fh_cli_reference_wait(struct fh_cli_reference *reference, size_t value,
                                       const uint64_t **limbs);

/* Nobody will ask for this value or earlier ones any more. */
void fh_cli_reference_done(struct fh_cli_reference *reference, size_t value);

/* That its steps have taken so far, of the clock. */
double fh_cli_reference_seconds(struct fh_cli_reference *reference);
void fh_cli_reference_end(struct fh_cli_reference *reference); /* NULL is fine */

#endif
