/*
 * atomic.h - the arithmetic of atomic operations: one value at a time, no memory.
 */
#ifndef FH_ATOMIC_H
#define FH_ATOMIC_H

#include "isa_names.h"

#include <stdbool.h>
#include <stdint.h>

/* What `operation` (enum atom_op) leaves of `old` with `data`, both of the type (enum atom_size).
 * 32-bit types use the low halves. */
uint64_t fh_atomic_result(unsigned operation, unsigned type, uint64_t old, uint64_t data);

/* The same of integers. */
static inline uint64_t fh_atomic_integer(unsigned operation, unsigned type, uint64_t old,
                                         uint64_t data) {
    const bool order = operation == FH_atom_op_MIN || operation == FH_atom_op_MAX;
    const bool wide = type == FH_atom_size_64 || type == FH_atom_size_S64;
    /* Signed order becomes unsigned order when the sign bit is turned over. */
    const uint64_t turn = !order                     ? 0
                          : type == FH_atom_size_S32 ? UINT64_C(1) << 31
                          : type == FH_atom_size_S64 ? UINT64_C(1) << 63
                                                     : 0;
    const uint64_t x = wide ? old ^ turn : (uint32_t)(old ^ turn);
    const uint64_t y = wide ? data ^ turn : (uint32_t)(data ^ turn);
    uint64_t left = y; /* EXCH */
    switch (operation) {
    case FH_atom_op_ADD: left = x + y; break;
    case FH_atom_op_MIN: left = y < x ? y : x; break;
    case FH_atom_op_MAX: left = y > x ? y : x; break;
    case FH_atom_op_INC: left = x >= y ? 0 : x + 1; break;
    case FH_atom_op_DEC: left = x == 0 || x > y ? y : x - 1; break;
    case FH_atom_op_AND: left = x & y; break;
    case FH_atom_op_OR: left = x | y; break;
    case FH_atom_op_XOR: left = x ^ y; break;
    default: break;
    }
    return (wide ? left : (uint32_t)left) ^ turn;
}

/* What one arrival leaves of the mbarrier. */
uint64_t fh_mbarrier_arrive(uint64_t barrier);

#endif
