/*
 * cuda_launch.h - kernels with their parameters: what is checked before, and what faults become.
 */
#ifndef FH_CUDA_LAUNCH_H
#define FH_CUDA_LAUNCH_H

#include "module.h"

#pragma GCC visibility push(default)

struct fh_cuda_launch {
    fh_cuda_kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared; /* dynamic, bytes */
    bool cooperative;
    uint8_t *params; /* the parameter block; malloc'd */
};

/* A launch of the kernel, whose parameters are `args`, a pointer to each in their order, or
 * `block`, all of them as they lie in memory, `block_bytes` long. FH_CUDA_INVALID_CONFIGURATION,
 * _OUT_OF_RESOURCES, _COOPERATIVE_TOO_LARGE, _INVALID_VALUE, as CUDA's manual has them. On success
 * `params` is filled and has to be freed. */
fh_cuda_status fh_cuda_launch_make(fh_cuda_launch *launch, void *const *args, const void *block,
                                   size_t block_bytes);
/* Runs it. A fault goes to standard error and stays the device's. */
fh_cuda_status fh_cuda_launch_run(const fh_cuda_launch *launch);

/* How many blocks of `threads` threads with so much dynamic shared memory a multiprocessor holds.
 */
uint32_t fh_cuda_occupancy(const fh_cuda_kernel *kernel, uint32_t threads, uint64_t dynamic_shared);
/* The most threads that a block of the kernel can have. */
uint32_t fh_cuda_kernel_threads(const fh_cuda_kernel *kernel);
/* The most dynamic shared memory, if `blocks` blocks are to be resident. */
uint64_t fh_cuda_available_shared(const fh_cuda_kernel *kernel, uint32_t blocks, uint32_t threads);

/* The device's cudaLimitStackSize: local memory of kernels that do not say how much they need. */
uint32_t fh_cuda_stack_bytes(void);
fh_cuda_status fh_cuda_set_stack_bytes(uint64_t bytes);
/* cudaLimitMallocHeapSize, cudaLimitPrintfFifoSize; FH_CUDA_INVALID_VALUE: it is too late to set
 * them. */
uint64_t fh_cuda_heap_bytes(void);
uint64_t fh_cuda_printf_bytes(void);
fh_cuda_status fh_cuda_set_heap_bytes(uint64_t bytes);
fh_cuda_status fh_cuda_set_printf_bytes(uint64_t bytes);
/* What kernels have printed goes to stdout: where the host waits for the device. */
void fh_cuda_flush_output(void);
/* Launches that have ended in a fault, since the process began. */
uint64_t fh_cuda_faults(void);

#pragma GCC visibility pop

#endif
