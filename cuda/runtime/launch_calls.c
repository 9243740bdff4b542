/*
 * launch_calls.c - launches, what kernels are and may, and occupancy.
 */
#include <string.h>

#include "cudart.h"

/* ---------------------------------------------------------------- launches */

/* What <<<...>>> says, until the stub of the kernel asks for it. */
enum { NESTED = 8 };
static _Thread_local struct {
    cudart_dim3 grid, block;
    size_t shared;
    void *stream;
} configurations[NESTED];
static _Thread_local unsigned configured;

CUDART unsigned __cudaPushCallConfiguration(cudart_dim3 grid, cudart_dim3 block, size_t shared,
                                            void *stream);
CUDART unsigned __cudaPushCallConfiguration(cudart_dim3 grid, cudart_dim3 block, size_t shared,
                                            void *stream) {
    if (configured == NESTED)
        return FH_CUDA_INVALID_CONFIGURATION;
    configurations[configured].grid = grid;
    configurations[configured].block = block;
    configurations[configured].shared = shared;
    configurations[configured++].stream = stream;
    return 0;
}

CUDART cudart_error __cudaPopCallConfiguration(cudart_dim3 *grid, cudart_dim3 *block,
                                               size_t *shared, void *stream);
CUDART cudart_error __cudaPopCallConfiguration(cudart_dim3 *grid, cudart_dim3 *block,
                                               size_t *shared, void *stream) {
    if (!configured)
        return FH_CUDA_INVALID_CONFIGURATION;
    configured--;
    *grid = configurations[configured].grid;
    *block = configurations[configured].block;
    *shared = configurations[configured].shared;
    *(void **)stream = configurations[configured].stream;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cudart_launch_op(const void *function, cudart_dim3 grid, cudart_dim3 block,
                                   void **args, size_t shared, bool cooperative, fh_cuda_op *op) {
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_LAUNCH,
                       .launch = {.grid = {grid.x, grid.y, grid.z},
                                  .block = {block.x, block.y, block.z},
                                  .shared = (uint32_t)shared,
                                  .cooperative = cooperative}};
    fh_cuda_status status = fh_cudart_kernel(function, &op->launch.kernel);
    if (status == FH_CUDA_OK && shared > UINT32_MAX)
        status = FH_CUDA_INVALID_VALUE;
    return status == FH_CUDA_OK ? fh_cuda_launch_make(&op->launch, args, NULL, 0) : status;
}

static fh_cuda_status launch(const void *function, cudart_dim3 grid, cudart_dim3 block, void **args,
                             size_t shared, const void *stream, bool cooperative) {
    fh_cuda_op op;
    fh_cuda_status status =
        fh_cudart_launch_op(function, grid, block, args, shared, cooperative, &op);
    return fh_cuda_stream_ask(status, &op, stream, false);
}

CUDART cudart_error cudaLaunchKernel(const void *function, cudart_dim3 grid, cudart_dim3 block,
                                     void **args, size_t shared, void *stream) {
    FH_CUDART_CALL(launch(function, grid, block, args, shared, stream, false));
}

CUDART cudart_error cudaLaunchCooperativeKernel(const void *function, cudart_dim3 grid,
                                                cudart_dim3 block, void **args, size_t shared,
                                                void *stream) {
    FH_CUDART_CALL(launch(function, grid, block, args, shared, stream, true));
}

/* Since CUDA 12 stubs keep the kernel's handle, which here is the host's function. */
CUDART cudart_error __cudaGetKernel(const void **handle, const void *function);
CUDART cudart_error __cudaGetKernel(const void **handle, const void *function) {
    *handle = function;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGetKernel(const void **handle, const void *function) {
    if (!handle)
        return fh_cudart_remember(FH_CUDA_INVALID_VALUE);
    return __cudaGetKernel(handle, function);
}

CUDART cudart_error __cudaLaunchKernel(const void *function, cudart_dim3 grid, cudart_dim3 block,
                                       void **args, size_t shared, void *stream);
CUDART cudart_error __cudaLaunchKernel(const void *function, cudart_dim3 grid, cudart_dim3 block,
                                       void **args, size_t shared, void *stream) {
    return cudaLaunchKernel(function, grid, block, args, shared, stream);
}

enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

static fh_cuda_status launch_with(const cudart_launch_config *c, const void *function,
                                  void **args) {
    bool cooperative = false;
    if (!c || (c->attribute_count && !c->attributes))
        return FH_CUDA_INVALID_VALUE;
    for (unsigned i = 0; i < c->attribute_count; i++) {
        const cudart_launch_attribute *a = &c->attributes[i];
        if (a->id == ATTRIBUTE_COOPERATIVE)
            cooperative = a->flag;
        if (a->id == ATTRIBUTE_CLUSTER && (a->dim[0] > 1 || a->dim[1] > 1 || a->dim[2] > 1))
            return FH_CUDA_NOT_SUPPORTED; /* an A100 has no clusters */
    }
    return launch(function, c->grid, c->block, args, c->shared, c->stream, cooperative);
}

CUDART cudart_error cudaLaunchKernelExC(const cudart_launch_config *config, const void *function,
                                        void **args) {
    FH_CUDART_CALL(launch_with(config, function, args));
}

CUDART cudart_error cudaLaunchHostFunc(void *stream, void (*call)(void *), void *data) {
    FH_CUDART_CALL(fh_cuda_stream_host(stream, call, data));
}

/* ---------------------------------------------------------------- kernels */

struct function_attributes {
    size_t shared, constant, local;
    int threads, registers, ptx, binary, cache, dynamic_shared, carveout;
    /* Since CUDA 12: */
    int cluster[3], cluster_policy, cluster_size, more[17];
};

static fh_cuda_status attributes(struct function_attributes *to, const void *function) {
    fh_cuda_kernel *k;
    fh_cuda_status status = fh_cudart_kernel(function, &k);
    if (status != FH_CUDA_OK || !to)
        return status != FH_CUDA_OK ? status : FH_CUDA_INVALID_VALUE;
    struct function_attributes a = {
        .shared = k->info.shared_bytes,
        .local = k->info.local_bytes,
        .threads = (int)fh_cuda_kernel_threads(k),
        .registers = (int)k->info.registers,
        .ptx = 80,
        .binary = 80,
        .dynamic_shared = (int)k->dynamic_shared,
        .carveout = k->carveout,
    };
    memcpy(to, &a,
           fh_cudart_version < 12 ? offsetof(struct function_attributes, cluster) : sizeof a);
    return FH_CUDA_OK;
}

CUDART cudart_error cudaFuncGetAttributes(struct function_attributes *to, const void *function) {
    FH_CUDART_CALL(attributes(to, function));
}

enum {
    FUNCTION_DYNAMIC_SHARED = 8,
    FUNCTION_CARVEOUT = 9,
    FUNCTION_CLUSTERS = 10,
    FUNCTION_ATTRIBUTES = 16
};

static fh_cuda_status set_attribute(const void *function, int attribute, int value) {
    fh_cuda_kernel *k;
    fh_cuda_status status = fh_cudart_kernel(function, &k);
    if (status != FH_CUDA_OK)
        return status;
    if (attribute == FUNCTION_DYNAMIC_SHARED) {
        if (value < 0 || (uint32_t)value + k->info.shared_bytes > fh_cuda_limits()->block_shared)
            return FH_CUDA_INVALID_VALUE;
        k->dynamic_shared = (uint32_t)value;
    } else if (attribute == FUNCTION_CARVEOUT) {
        if (value < -1 || value > 100)
            return FH_CUDA_INVALID_VALUE;
        k->carveout = value;
    } else {
        return attribute >= FUNCTION_CLUSTERS && attribute < FUNCTION_ATTRIBUTES
                   ? FH_CUDA_NOT_SUPPORTED
                   : FH_CUDA_INVALID_VALUE;
    }
    return FH_CUDA_OK;
}

CUDART cudart_error cudaFuncSetAttribute(const void *function, int attribute, int value) {
    FH_CUDART_CALL(set_attribute(function, attribute, value));
}

static fh_cuda_status set_cache(const void *function, int config) {
    fh_cuda_kernel *k;
    fh_cuda_status status = fh_cudart_kernel(function, &k);
    if (status == FH_CUDA_OK && (config < 0 || config > 3))
        status = FH_CUDA_INVALID_VALUE;
    if (status == FH_CUDA_OK)
        k->cache_config = config;
    return status;
}

CUDART cudart_error cudaFuncSetCacheConfig(const void *function, int config) {
    FH_CUDART_CALL(set_cache(function, config));
}

CUDART cudart_error cudaFuncSetSharedMemConfig(const void *function, int config) {
    FH_CUDART_CALL(set_cache(function, config));
}

static fh_cuda_status function_name(const char **name, const void *function) {
    const char *found = fh_cudart_function_name(function);
    if (!name)
        return FH_CUDA_INVALID_VALUE;
    *name = found;
    return found ? FH_CUDA_OK : FH_CUDA_INVALID_FUNCTION;
}

CUDART cudart_error cudaFuncGetName(const char **name, const void *function) {
    FH_CUDART_CALL(function_name(name, function));
}

static fh_cuda_status param_info(const void *function, size_t index, size_t *offset, size_t *size) {
    fh_cuda_kernel *k;
    fh_cuda_status status = fh_cudart_kernel(function, &k);
    if (status != FH_CUDA_OK)
        return status;
    if (!offset || index >= k->info.param_count)
        return FH_CUDA_INVALID_VALUE;
    *offset = k->info.params[index].offset;
    if (size)
        *size = k->info.params[index].size;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset,
                                         size_t *size) {
    FH_CUDART_CALL(param_info(function, index, offset, size));
}

/* ---------------------------------------------------------------- occupancy */

static fh_cuda_status occupancy(int *blocks, const void *function, int threads, size_t shared) {
    fh_cuda_kernel *k;
    fh_cuda_status status = fh_cudart_kernel(function, &k);
    if (status != FH_CUDA_OK)
        return status;
    if (!blocks || threads <= 0)
        return FH_CUDA_INVALID_VALUE;
    *blocks = (int)fh_cuda_occupancy(k, (uint32_t)threads, shared);
    return FH_CUDA_OK;
}

CUDART cudart_error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                                  int threads, size_t shared) {
    FH_CUDART_CALL(occupancy(blocks, function, threads, shared));
}

CUDART cudart_error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t shared, unsigned flags) {
    FH_CUDART_CALL(flags > 1 ? FH_CUDA_INVALID_VALUE
                             : occupancy(blocks, function, threads, shared));
}

static fh_cuda_status available(size_t *shared, const void *function, int blocks, int threads) {
    fh_cuda_kernel *k;
    fh_cuda_status status = fh_cudart_kernel(function, &k);
    if (status != FH_CUDA_OK)
        return status;
    if (!shared || blocks <= 0 || threads <= 0)
        return FH_CUDA_INVALID_VALUE;
    *shared = fh_cuda_available_shared(k, (uint32_t)blocks, (uint32_t)threads);
    return FH_CUDA_OK;
}

CUDART cudart_error cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *function,
                                                              int blocks, int threads) {
    FH_CUDART_CALL(available(shared, function, blocks, threads));
}
