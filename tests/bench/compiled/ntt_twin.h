/* ntt_twin.h - what the transforms of ntt.cu are over, for who checks them by their definition. */
#ifndef FH_TESTS_BENCH_NTT_TWIN_H
#define FH_TESTS_BENCH_NTT_TWIN_H

#include "compiled.h"

/* The prime of `bits` bits, and its root of order 2^(size + 1), of each of the two limbs. */
void ntt_primes(struct compiled_run *r, unsigned bits, uint64_t *q, uint64_t *psi);

#endif
