/*
 * memory_handles.h - what both faces of CUDA do with memory by its addresses. Where a face has a
 * pointer for an address of the device, and the other a number, `place` is where its 8 bytes go.
 */
#ifndef FH_CUDA_MEMORY_HANDLES_H
#define FH_CUDA_MEMORY_HANDLES_H

#include "cuda_memory.h"
#include "stream.h"

#pragma GCC visibility push(default)

enum { FH_CUDA_RESERVED_ALIGNMENT = 512 }; /* of what graphs allocate, as of all allocations */

/* FH_CUDA_INVALID_VALUE: there is no place, or a flag is none. */
fh_cuda_status fh_cuda_memory_make(fh_cuda_memory_kind kind, void *place, size_t bytes,
                                   unsigned flags);
fh_cuda_status fh_cuda_memory_make_managed(void *place, size_t bytes, unsigned flags);
fh_cuda_status fh_cuda_memory_make_host(void *place, size_t bytes, unsigned flags);
/* Rows of pitched memory, which begin at multiples of 512 bytes. */
fh_cuda_status fh_cuda_memory_make_rows(void *place, size_t *pitch, size_t width, size_t rows);
/* In the order of the stream; while that is captured, a node of the graph. */
fh_cuda_status fh_cuda_memory_make_later(void *place, size_t bytes, const void *stream);
/* Work that has been asked for may use it, and is done first. */
fh_cuda_status fh_cuda_memory_give_back(uint64_t address, bool host);
fh_cuda_status fh_cuda_memory_give_back_later(uint64_t address, const void *stream);

fh_cuda_status fh_cuda_memory_register(void *pointer, size_t bytes, unsigned flags);
fh_cuda_status fh_cuda_memory_unregister(void *pointer);
fh_cuda_status fh_cuda_memory_device_pointer(void *place, const void *host, unsigned flags);
fh_cuda_status fh_cuda_memory_host_flags(unsigned *flags, const void *host);
fh_cuda_status fh_cuda_memory_tell(size_t *left, size_t *total);

/* Hints, which change nothing: of managed memory. */
fh_cuda_status fh_cuda_memory_hint(uint64_t address, size_t bytes, const void *stream);
fh_cuda_status fh_cuda_memory_advise(uint64_t address, size_t bytes, int advice);
fh_cuda_status fh_cuda_memory_attach(const void *stream, uint64_t address, size_t bytes,
                                     unsigned flags);

#pragma GCC visibility pop

#endif
