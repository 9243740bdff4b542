/*
 * atomic.h - the arithmetic of atomic operations: one value at a time, no memory.
 */
#ifndef FH_ATOMIC_H
#define FH_ATOMIC_H

#include <stdint.h>

/* What `operation` (enum atom_op) leaves of `old` with `data`, both of the type (enum atom_size).
 * 32-bit types use the low halves. */
uint64_t fh_atomic_result(unsigned operation, unsigned type, uint64_t old, uint64_t data);

/* What one arrival leaves of the mbarrier. */
uint64_t fh_mbarrier_arrive(uint64_t barrier);

#endif
