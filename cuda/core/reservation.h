/*
 * reservation.h - addresses of the device that are promised before there is memory at them: what
 * nodes of graphs allocate, and what programs map memory to themselves. Memory for them is the
 * host's, mapped into the device.
 */
#ifndef FH_CUDA_RESERVATION_H
#define FH_CUDA_RESERVATION_H

#include "cuda_memory.h"

#pragma GCC visibility push(default)

/* `bytes` addresses that nothing else gets, beginning at a multiple of `alignment`, a power of 2.
 * `promised`: work that has been asked for will bring memory there, so that other work may be asked
 * for that uses it. FH_CUDA_NO_MEMORY. */
fh_cuda_status fh_cuda_reserve(uint64_t bytes, uint64_t alignment, bool promised,
                               uint64_t *address);
/* How many bytes were reserved that begin there; 0: none. */
uint64_t fh_cuda_reserved(uint64_t address);
/* Whether all of [address, address + bytes) has been reserved at once. */
bool fh_cuda_is_reserved(uint64_t address, uint64_t bytes);
bool fh_cuda_is_promised(uint64_t address, uint64_t bytes); /* likewise */
void fh_cuda_unreserve(uint64_t address);

/* Memory at a reservation's beginning, as large as it is, zero, until fh_cuda_free.
 * FH_CUDA_INVALID_VALUE: it has some. */
fh_cuda_status fh_cuda_alloc_reserved(uint64_t address);

/* All of them: for fh_cuda_reset. */
void fh_cuda_reservations_end(void);

#pragma GCC visibility pop

#endif
