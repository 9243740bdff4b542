/*
 * ckks_circuit_internal.h - what the files that build circuits share.
 */
#ifndef FH_GOLDEN_CKKS_CIRCUIT_INTERNAL_H
#define FH_GOLDEN_CKKS_CIRCUIT_INTERNAL_H

#include "ckks_circuit.h"

/* A step of one operand: its scale, the same level, nothing else. */
fh_golden_ckks_step fh_golden_ckks_unary_step(const fh_golden_ckks_circuit *circuit,
                                              fh_golden_ckks_kind kind, size_t level, size_t a);

/* Checks the step's operands and scale, gives it the circuit's name and adds it. */
size_t fh_golden_ckks_circuit_append(fh_golden_ckks_circuit *circuit, fh_golden_ckks_step step);

/* 5^slots mod 2N, slots of either sign. */
uint64_t fh_golden_ckks_rotation_element(const fh_golden_ckks_circuit *circuit, ptrdiff_t slots);

/* a rotated by `slots`, a itself for 0. *raised is NONE before the first rotation of a and then the
 * digits of a that those share where the circuit hoists. */
size_t fh_golden_ckks_rotation(fh_golden_ckks_circuit *circuit, size_t a, ptrdiff_t slots,
                               size_t *raised);

/* The product of the limbs that a Rescale to this level drops. */
long double fh_golden_ckks_dropped(const fh_golden_ckks_circuit *circuit, size_t level);

#endif
