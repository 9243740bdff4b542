/*
 * cuda_memory.h - memory that host and device know by one address, and copies between all kinds of
 * it.
 *
 *     kind         who has the bytes     address             the host may use it
 *     DEVICE       the machine           of the device's     no: a host that does gets SIGSEGV, as
 *                                        own range           with a real GPU
 *     HOST         this process          the host's          yes
 *     MANAGED      this process          the host's          yes
 *     REGISTERED   the caller            the host's          yes
 *     VARIABLE     the machine           of the device's     no
 *
 * Host and guest see the same bytes of those that the host may use (fhec_map), so there is nothing
 * to copy when they synchronize.
 */
#ifndef FH_CUDA_MEMORY_H
#define FH_CUDA_MEMORY_H

#include "cuda_device.h"

#pragma GCC visibility push(default)

typedef enum fh_cuda_memory_kind {
    FH_CUDA_DEVICE,
    FH_CUDA_HOST,
    FH_CUDA_MANAGED,
    FH_CUDA_REGISTERED,
    FH_CUDA_VARIABLE,
} fh_cuda_memory_kind;

typedef struct fh_cuda_range {
    uint64_t address;
    uint64_t bytes; /* as asked for */
    fh_cuda_memory_kind kind;
    unsigned flags;   /* of cudaHostAlloc and its like */
    uint64_t number;  /* counts allocations from 1: CU_POINTER_ATTRIBUTE_BUFFER_ID */
    const void *pool; /* that it belongs to; NULL: none */
    void *backing;    /* of DEVICE memory that is this process's, and nobody else's; NULL: none */
} fh_cuda_range;

/* Memory that this module has is of these kinds: DEVICE, HOST, MANAGED. Its bytes are zero unless
 * the machine's options say otherwise. FH_CUDA_NO_MEMORY; bytes 0 gives address 0. */
fh_cuda_status fh_cuda_alloc(fh_cuda_memory_kind kind, uint64_t bytes, unsigned flags,
                             uint64_t *address);
/* FH_CUDA_INVALID_VALUE if no memory of that kind (`host`: HOST, else DEVICE or MANAGED) begins
 * there. */
fh_cuda_status fh_cuda_free(uint64_t address, bool host);
/* DEVICE memory at a reserved address (reservation.h): the caller's bytes at `host`, which stay
 * theirs when it is freed, or new ones (NULL). */
fh_cuda_status fh_cuda_map_at(uint64_t address, uint64_t bytes, void *host);
/* The caller's own memory as the device's, until it is given back. */
fh_cuda_status fh_cuda_register(void *host, uint64_t bytes, unsigned flags);
fh_cuda_status fh_cuda_unregister(void *host);
/* A module's variable; it goes with fh_cuda_forget. False: no memory. */
bool fh_cuda_know_variable(uint64_t address, uint64_t bytes);
void fh_cuda_forget(uint64_t address);

/* The range that the address lies in; NULL: it is none of the device's. Valid until memory is made
 * or freed. */
fh_cuda_range *fh_cuda_range_of(uint64_t address);
/* Whether the range [address, address + bytes) is the device's, and of one allocation, or of some
 * that were mapped side by side. */
bool fh_cuda_is_device(uint64_t address, uint64_t bytes);
/* The numbers of cudaMemGetInfo: an A100 with 40 GB, less what has been asked for. */
void fh_cuda_memory_info(uint64_t *free_bytes, uint64_t *total);

typedef enum fh_cuda_copy_kind {
    FH_CUDA_HOST_TO_HOST,
    FH_CUDA_HOST_TO_DEVICE,
    FH_CUDA_DEVICE_TO_HOST,
    FH_CUDA_DEVICE_TO_DEVICE,
    FH_CUDA_ANY_TO_ANY, /* by the addresses */
} fh_cuda_copy_kind;

/* `depth` slices of `height` rows of `width` bytes; what is one-dimensional has height and depth 1.
 * Pitches are the bytes from row to row, slices those from slice to slice. */
typedef struct fh_cuda_copy {
    uint64_t to, from;
    uint64_t to_pitch, from_pitch, to_slice, from_slice;
    uint64_t width, height, depth;
} fh_cuda_copy;
/* Whether the copy can be done: rows are no longer than pitches, and what is said to be, or is, the
 * device's lies within one allocation. */
fh_cuda_status fh_cuda_copy_check(const fh_cuda_copy *copy, fh_cuda_copy_kind kind);
fh_cuda_status fh_cuda_copy_do(const fh_cuda_copy *copy);
/* CUDA's promise about pageable memory, the host's that is neither pinned nor registered nor
 * managed: an asynchronous copy from it has read it when the call returns, and one to it is
 * complete then. */
/* Reads such a source now: the copy is then from `*staged`, which is the caller's, NULL if the
 * source is no such memory. FH_CUDA_NO_MEMORY. */
fh_cuda_status fh_cuda_copy_stage(fh_cuda_copy *copy, void **staged);
bool fh_cuda_copy_is_to_pageable(const fh_cuda_copy *copy);

/* Elements of 1, 2 or 4 bytes, `width` of them in a row. */
typedef struct fh_cuda_fill {
    uint64_t to, pitch, slice;
    uint32_t value, element;
    uint64_t width, height, depth;
} fh_cuda_fill;
fh_cuda_status fh_cuda_fill_check(const fh_cuda_fill *fill);
fh_cuda_status fh_cuda_fill_do(const fh_cuda_fill *fill);

/* All of it, with the device: for fh_cuda_reset. */
void fh_cuda_memory_end(void);

#pragma GCC visibility pop

#endif
