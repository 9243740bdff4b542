/*
 * driver_kernels.c - launches, what kernels are and may, and occupancy.
 */
#include <string.h>

#include "driver.h"

/* ---------------------------------------------------------------- launches */

/* The other way to hand over parameters: a list of keys and values that leads to the whole block.
 */
static fh_cuda_status find_block(void **extra, const void **block, size_t *bytes) {
    enum { END, POINTER, SIZE };
    const size_t *size = NULL;
    for (void **at = extra; *at != (void *)END; at += 2) {
        if (*at == (void *)POINTER)
            *block = at[1];
        else if (*at == (void *)SIZE)
            size = at[1];
        else
            return FH_CUDA_INVALID_VALUE;
    }
    if (!*block || !size)
        return FH_CUDA_INVALID_VALUE;
    *bytes = *size;
    return FH_CUDA_OK;
}

fh_cuda_status fh_driver_launch_op(const void *function, const uint32_t grid[3],
                                   const uint32_t block[3], unsigned shared, bool cooperative,
                                   void **args, void **extra, fh_cuda_op *op) {
    const void *bytes = NULL;
    size_t count = 0;
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_LAUNCH,
                       .launch = {.kernel = fh_cuda_kernel_of(function),
                                  .grid = {grid[0], grid[1], grid[2]},
                                  .block = {block[0], block[1], block[2]},
                                  .shared = shared,
                                  .cooperative = cooperative}};
    const fh_cuda_status status = !op->launch.kernel ? FH_CUDA_INVALID_HANDLE
                                  : args && extra    ? FH_CUDA_INVALID_VALUE
                                  : extra            ? find_block(extra, &bytes, &count)
                                                     : FH_CUDA_OK;
    return status == FH_CUDA_OK ? fh_cuda_launch_make(&op->launch, args, bytes, count) : status;
}

static fh_cuda_status launch(const void *function, const uint32_t grid[3], const uint32_t block[3],
                             unsigned shared, bool cooperative, const void *stream, void **args,
                             void **extra) {
    fh_cuda_op op;
    const fh_cuda_status status =
        fh_driver_launch_op(function, grid, block, shared, cooperative, args, extra, &op);
    return fh_cuda_stream_ask(status, &op, stream, false);
}

DRIVER driver_result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                                    unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                    void *stream, void **args, void **extra) {
    const uint32_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    FH_DRIVER_CALL(launch(function, grid, block, shared, false, stream, args, extra));
}

DRIVER driver_result cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy,
                                               unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                               unsigned shared, void *stream, void **args) {
    const uint32_t grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    FH_DRIVER_CALL(launch(function, grid, block, shared, true, stream, args, NULL));
}

struct launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        int flag;
        unsigned dim[3];
    };
};

struct launch_config {
    unsigned grid[3], block[3], shared;
    void *stream;
    struct launch_attribute *attributes;
    unsigned attribute_count;
};

static fh_cuda_status launch_with(const struct launch_config *c, const void *function, void **args,
                                  void **extra) {
    enum { COOPERATIVE = 2, CLUSTER = 4 };
    bool cooperative = false;
    if (!c || (c->attribute_count && !c->attributes))
        return FH_CUDA_INVALID_VALUE;
    for (unsigned i = 0; i < c->attribute_count; i++) {
        const struct launch_attribute *a = &c->attributes[i];
        if (a->id == COOPERATIVE)
            cooperative = a->flag;
        if (a->id == CLUSTER && (a->dim[0] > 1 || a->dim[1] > 1 || a->dim[2] > 1))
            return FH_CUDA_NOT_SUPPORTED; /* an A100 has no clusters */
    }
    return launch(function, c->grid, c->block, c->shared, cooperative, c->stream, args, extra);
}

DRIVER driver_result cuLaunchKernelEx(const struct launch_config *config, void *function,
                                      void **args, void **extra) {
    FH_DRIVER_CALL(launch_with(config, function, args, extra));
}

DRIVER driver_result cuLaunchHostFunc(void *stream, void (*call)(void *), void *data) {
    FH_DRIVER_CALL(fh_cuda_stream_host(stream, call, data));
}

/* ---------------------------------------------------------------- attributes */

enum {
    MAX_THREADS,
    SHARED,
    CONSTANT,
    LOCAL,
    REGISTERS,
    PTX_VERSION,
    BINARY_VERSION,
    CACHE_MODE,
    MAX_DYNAMIC_SHARED,
    CARVEOUT,
    CLUSTERS,
    ATTRIBUTES = 16,
};

static fh_cuda_status get_attribute(int *value, int attribute, const void *function) {
    enum { SM_80 = 80 };
    const fh_cuda_kernel *k = fh_cuda_kernel_of(function);
    if (!value || attribute < 0 || attribute >= ATTRIBUTES)
        return FH_CUDA_INVALID_VALUE;
    if (!k)
        return FH_CUDA_INVALID_HANDLE;
    switch (attribute) {
    case MAX_THREADS: *value = (int)fh_cuda_kernel_threads(k); break;
    case SHARED: *value = (int)k->info.shared_bytes; break;
    case LOCAL: *value = (int)k->info.local_bytes; break;
    case REGISTERS: *value = (int)k->info.registers; break;
    case PTX_VERSION:
    case BINARY_VERSION: *value = SM_80; break;
    case MAX_DYNAMIC_SHARED: *value = (int)k->dynamic_shared; break;
    case CARVEOUT: *value = k->carveout; break;
    default: *value = 0;
    }
    return FH_CUDA_OK;
}

DRIVER driver_result cuFuncGetAttribute(int *value, int attribute, void *function) {
    FH_DRIVER_CALL(get_attribute(value, attribute, function));
}

DRIVER driver_result cuKernelGetAttribute(int *value, int attribute, void *kernel, int device) {
    FH_DRIVER_CALL(device ? FH_CUDA_INVALID_DEVICE : get_attribute(value, attribute, kernel));
}

static fh_cuda_status set_attribute(const void *function, int attribute, int value) {
    fh_cuda_kernel *k = fh_cuda_kernel_of(function);
    if (!k)
        return FH_CUDA_INVALID_HANDLE;
    if (attribute == MAX_DYNAMIC_SHARED) {
        if (value < 0 || (uint32_t)value + k->info.shared_bytes > fh_cuda_limits()->block_shared)
            return FH_CUDA_INVALID_VALUE;
        k->dynamic_shared = (uint32_t)value;
    } else if (attribute == CARVEOUT) {
        if (value < -1 || value > 100)
            return FH_CUDA_INVALID_VALUE;
        k->carveout = value;
    } else {
        return attribute >= CLUSTERS && attribute < ATTRIBUTES ? FH_CUDA_NOT_SUPPORTED
                                                               : FH_CUDA_INVALID_VALUE;
    }
    return FH_CUDA_OK;
}

DRIVER driver_result cuFuncSetAttribute(void *function, int attribute, int value) {
    FH_DRIVER_CALL(set_attribute(function, attribute, value));
}

DRIVER driver_result cuKernelSetAttribute(int attribute, int value, void *kernel, int device) {
    FH_DRIVER_CALL(device ? FH_CUDA_INVALID_DEVICE : set_attribute(kernel, attribute, value));
}

static fh_cuda_status set_config(const void *function, int config, int most) {
    fh_cuda_kernel *k = fh_cuda_kernel_of(function);
    if (!k || config < 0 || config > most)
        return k ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    k->cache_config = config;
    return FH_CUDA_OK;
}

DRIVER driver_result cuFuncSetCacheConfig(void *function, int config) {
    FH_DRIVER_CALL(set_config(function, config, 3));
}

DRIVER driver_result cuFuncSetSharedMemConfig(void *function, int config) {
    FH_DRIVER_CALL(!fh_cuda_kernel_of(function) ? FH_CUDA_INVALID_HANDLE
                   : config < 0 || config > 2   ? FH_CUDA_INVALID_VALUE
                                                : FH_CUDA_OK);
}

DRIVER driver_result cuKernelSetCacheConfig(void *kernel, int config, int device) {
    FH_DRIVER_CALL(device ? FH_CUDA_INVALID_DEVICE : set_config(kernel, config, 3));
}

/* ---------------------------------------------------------------- occupancy */

static fh_cuda_status occupancy(int *blocks, const void *function, int threads, size_t shared,
                                unsigned flags) {
    const fh_cuda_kernel *k = fh_cuda_kernel_of(function);
    if (!blocks || threads <= 0 || flags > 1)
        return FH_CUDA_INVALID_VALUE;
    if (!k)
        return FH_CUDA_INVALID_HANDLE;
    *blocks = (int)fh_cuda_occupancy(k, (uint32_t)threads, shared);
    return FH_CUDA_OK;
}

DRIVER driver_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function,
                                                                 int threads, size_t shared) {
    FH_DRIVER_CALL(occupancy(blocks, function, threads, shared, 0));
}

DRIVER driver_result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, void *function, int threads, size_t shared, unsigned flags) {
    FH_DRIVER_CALL(occupancy(blocks, function, threads, shared, flags));
}

/* The block size with the most threads resident; of those with as many, the largest. */
static fh_cuda_status best_block(int *grid, int *block, const void *function,
                                 size_t (*shared_of)(int threads), size_t shared, int limit,
                                 unsigned flags) {
    const fh_cuda_kernel *k = fh_cuda_kernel_of(function);
    if (!grid || !block || flags > 1 || limit < 0)
        return FH_CUDA_INVALID_VALUE;
    if (!k)
        return FH_CUDA_INVALID_HANDLE;
    const uint32_t most = fh_cuda_kernel_threads(k);
    const uint32_t top = limit && (uint32_t)limit < most ? (uint32_t)limit : most;
    const uint32_t warp = FHEC_WARP_LANES;
    uint32_t best = 0;
    *grid = *block = 0;
    for (uint32_t size = (top + warp - 1) / warp * warp; size; size -= warp) {
        const uint32_t threads = size < top ? size : top;
        const size_t bytes = shared_of ? shared_of((int)threads) : shared;
        const uint32_t blocks = fh_cuda_occupancy(k, threads, bytes);
        if (blocks * threads <= best)
            continue;
        best = blocks * threads;
        *block = (int)threads;
        *grid = (int)(blocks * fh_cuda_limits()->multiprocessors);
    }
    return FH_CUDA_OK;
}

DRIVER driver_result cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function,
                                                      size_t (*shared_of)(int threads),
                                                      size_t shared, int limit) {
    FH_DRIVER_CALL(best_block(grid, block, function, shared_of, shared, limit, 0));
}

DRIVER driver_result cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block,
                                                               void *function,
                                                               size_t (*shared_of)(int threads),
                                                               size_t shared, int limit,
                                                               unsigned flags) {
    FH_DRIVER_CALL(best_block(grid, block, function, shared_of, shared, limit, flags));
}

static fh_cuda_status available(size_t *bytes, const void *function, int blocks, int threads) {
    const fh_cuda_kernel *k = fh_cuda_kernel_of(function);
    if (!bytes || blocks <= 0 || threads <= 0)
        return FH_CUDA_INVALID_VALUE;
    if (!k)
        return FH_CUDA_INVALID_HANDLE;
    *bytes = fh_cuda_available_shared(k, (uint32_t)blocks, (uint32_t)threads);
    return FH_CUDA_OK;
}

DRIVER driver_result cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void *function,
                                                             int blocks, int threads) {
    FH_DRIVER_CALL(available(bytes, function, blocks, threads));
}
