/*
 * memory_calls.c - memory made, given back, registered and asked about; pools.
 */
#include <stdlib.h>
#include <string.h>

#include "attributes.h"
#include "cudart.h"
#include "memory_handles.h"
#include "reservation.h"

CUDART cudart_error cudaMalloc(void **pointer, size_t bytes) {
    FH_CUDART_CALL(fh_cuda_memory_make(FH_CUDA_DEVICE, pointer, bytes, 0));
}

CUDART cudart_error cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_memory_make_managed(pointer, bytes, flags));
}

CUDART cudart_error cudaMallocHost(void **pointer, size_t bytes) {
    FH_CUDART_CALL(fh_cuda_memory_make_host(pointer, bytes, 0));
}

CUDART cudart_error cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_memory_make_host(pointer, bytes, flags));
}

CUDART cudart_error cudaFree(void *pointer) {
    FH_CUDART_CALL(pointer ? fh_cuda_memory_give_back((uintptr_t)pointer, false) : FH_CUDA_OK);
}

CUDART cudart_error cudaFreeHost(void *pointer) {
    FH_CUDART_CALL(pointer ? fh_cuda_memory_give_back((uintptr_t)pointer, true) : FH_CUDA_OK);
}

CUDART cudart_error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    FH_CUDART_CALL(fh_cuda_memory_make_rows(pointer, pitch, width, height));
}

static fh_cuda_status make_volume(cudart_pitched *to, cudart_extent extent) {
    size_t rows, pitch;
    void *pointer;
    if (!to)
        return FH_CUDA_INVALID_VALUE;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return FH_CUDA_NO_MEMORY;
    fh_cuda_status status = fh_cuda_memory_make_rows(&pointer, &pitch, extent.width, rows);
    if (status == FH_CUDA_OK)
        *to = (cudart_pitched){pointer, pitch, extent.width, extent.height};
    return status;
}

CUDART cudart_error cudaMalloc3D(cudart_pitched *to, cudart_extent extent) {
    FH_CUDART_CALL(make_volume(to, extent));
}

CUDART cudart_error cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_memory_register(pointer, bytes, flags));
}

CUDART cudart_error cudaHostUnregister(void *pointer) {
    FH_CUDART_CALL(fh_cuda_memory_unregister(pointer));
}

CUDART cudart_error cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_memory_device_pointer(device, host, flags));
}

CUDART cudart_error cudaHostGetFlags(unsigned *flags, void *host) {
    FH_CUDART_CALL(fh_cuda_memory_host_flags(flags, host));
}

CUDART cudart_error cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    FH_CUDART_CALL(fh_cuda_memory_tell(free_bytes, total));
}

struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    long more[8]; /* since CUDA 13 */
};

static fh_cuda_status pointer_attributes(struct pointer_attributes *to, const void *pointer) {
    enum { UNREGISTERED, HOST, DEVICE, MANAGED };
    if (!to)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)pointer);
    struct pointer_attributes a = {.type = UNREGISTERED, .device = r ? 0 : -2};
    void *same = (void *)(uintptr_t)pointer;
    if (!r)
        a.host_pointer = same;
    else if (r->kind == FH_CUDA_DEVICE || r->kind == FH_CUDA_VARIABLE)
        a = (struct pointer_attributes){.type = DEVICE, .device_pointer = same};
    else
        a = (struct pointer_attributes){.type = r->kind == FH_CUDA_MANAGED ? MANAGED : HOST,
                                        .device_pointer = same,
                                        .host_pointer = same};
    memcpy(to, &a, fh_cudart_version < 13 ? offsetof(struct pointer_attributes, more) : sizeof a);
    return FH_CUDA_OK;
}

CUDART cudart_error cudaPointerGetAttributes(struct pointer_attributes *to, const void *pointer) {
    FH_CUDART_CALL(pointer_attributes(to, pointer));
}

/* ---------------------------------------------------------------- hints, which change nothing */

typedef struct location {
    int type, id;
} location;

/* Until CUDA 12 the third argument is a device, and the stream the fourth; since 13 there are flags
 * between them, and a structure of two numbers instead of a device, which is one register, too. */
CUDART cudart_error cudaMemPrefetchAsync(const void *pointer, size_t bytes, location where,
                                         uintptr_t flags_or_stream, void *stream) {
    FH_CUDART_CALL(
        ((void)where,
         fh_cuda_memory_hint((uintptr_t)pointer, bytes,
                             fh_cudart_version < 13 ? (const void *)flags_or_stream : stream)));
}

CUDART cudart_error cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, location where,
                                            unsigned flags, void *stream) {
    FH_CUDART_CALL(
        ((void)where, (void)flags, fh_cuda_memory_hint((uintptr_t)pointer, bytes, stream)));
}

CUDART cudart_error cudaMemAdvise(const void *pointer, size_t bytes, int advice, location where) {
    FH_CUDART_CALL(((void)where, fh_cuda_memory_advise((uintptr_t)pointer, bytes, advice)));
}

CUDART cudart_error cudaStreamAttachMemAsync(void *stream, void *pointer, size_t bytes,
                                             unsigned flags) {
    FH_CUDART_CALL(fh_cuda_memory_attach(stream, (uintptr_t)pointer, bytes, flags));
}

/* ---------------------------------------------------------------- pools */

/* What a pool is asked about; memory itself is the device's, whatever pool it comes from. */
struct pool {
    uint64_t values[9]; /* by number of the attribute */
    struct pool *next;
};
enum {
    POOL_FIRST = 1,
    POOL_REUSE = 3,
    POOL_THRESHOLD = 4,
    POOL_RESERVED = 5,
    POOL_RESERVED_HIGH,
    POOL_USED,
    POOL_USED_HIGH
};

static struct pool default_pool = {.values = {[1] = 1, [2] = 1, [3] = 1}};
static struct pool *pools, *current = &default_pool;

static struct pool *pool_of(const void *handle) {
    if (handle == &default_pool)
        return &default_pool;
    for (struct pool *p = pools; p; p = p->next)
        if (p == handle)
            return p;
    return NULL;
}

static void use(struct pool *pool, uint64_t bytes) {
    pool->values[POOL_USED] += bytes;
    pool->values[POOL_RESERVED] += bytes;
    for (unsigned i = POOL_RESERVED; i <= POOL_USED; i += POOL_USED - POOL_RESERVED)
        if (pool->values[i + 1] < pool->values[i])
            pool->values[i + 1] = pool->values[i];
}

static fh_cuda_status make_in(struct pool *pool, void **pointer, size_t bytes, const void *stream) {
    if (!pool)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_memory_make_later(pointer, bytes, stream);
    fh_cuda_range *r = status == FH_CUDA_OK ? fh_cuda_range_of((uintptr_t)*pointer) : NULL;
    if (r) { /* and not a graph's */
        r->pool = pool;
        use(pool, bytes);
    }
    return status;
}

CUDART cudart_error cudaMallocAsync(void **pointer, size_t bytes, void *stream) {
    FH_CUDART_CALL(make_in(current, pointer, bytes, stream));
}

CUDART cudart_error cudaMallocFromPoolAsync(void **pointer, size_t bytes, void *pool,
                                            void *stream) {
    FH_CUDART_CALL(make_in(pool_of(pool), pointer, bytes, stream));
}

static fh_cuda_status give_back_later(void *pointer, const void *stream) {
    const uint64_t address = (uintptr_t)pointer;
    const fh_cuda_range *r = fh_cuda_range_of(address);
    const uint64_t bytes = r && !fh_cuda_reserved(address) ? r->bytes : 0;
    struct pool *pool = bytes ? pool_of(r->pool) : NULL;
    if (!pointer)
        return FH_CUDA_OK;
    const fh_cuda_status status = fh_cuda_memory_give_back_later(address, stream);
    if (status == FH_CUDA_OK && pool) {
        pool->values[POOL_USED] -= bytes;
        pool->values[POOL_RESERVED] -= bytes;
    }
    return status;
}

CUDART cudart_error cudaFreeAsync(void *pointer, void *stream) {
    FH_CUDART_CALL(give_back_later(pointer, stream));
}

static fh_cuda_status tell_pool(void **to, struct pool *pool, int device) {
    if (device)
        return FH_CUDA_INVALID_DEVICE;
    if (!to)
        return FH_CUDA_INVALID_VALUE;
    *to = pool;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceGetDefaultMemPool(void **to, int device) {
    FH_CUDART_CALL(tell_pool(to, &default_pool, device));
}

CUDART cudart_error cudaDeviceGetMemPool(void **to, int device) {
    FH_CUDART_CALL(tell_pool(to, current, device));
}

static fh_cuda_status set_pool(int device, const void *handle) {
    struct pool *pool = pool_of(handle);
    if (device || !pool)
        return device ? FH_CUDA_INVALID_DEVICE : FH_CUDA_INVALID_VALUE;
    current = pool;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaDeviceSetMemPool(int device, void *pool) {
    FH_CUDART_CALL(set_pool(device, pool));
}

static fh_cuda_status make_pool(void **to, const void *properties) {
    struct pool *pool = to && properties ? calloc(1, sizeof *pool) : NULL;
    if (!pool)
        return to && properties ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_VALUE;
    memcpy(pool->values, (uint64_t[]){0, 1, 1, 1}, 4 * sizeof(uint64_t));
    pool->next = pools;
    pools = pool;
    *to = pool;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaMemPoolCreate(void **to, const void *properties) {
    FH_CUDART_CALL(make_pool(to, properties));
}

static fh_cuda_status drop_pool(const void *handle) {
    for (struct pool **at = &pools; *at; at = &(*at)->next) {
        struct pool *pool = *at;
        if (pool != handle)
            continue;
        *at = pool->next;
        if (current == pool)
            current = &default_pool;
        free(pool);
        return FH_CUDA_OK;
    }
    return FH_CUDA_INVALID_VALUE;
}

CUDART cudart_error cudaMemPoolDestroy(void *pool) {
    FH_CUDART_CALL(drop_pool(pool));
}

CUDART cudart_error cudaMemPoolTrimTo(void *pool, size_t bytes) {
    FH_CUDART_CALL(((void)bytes, pool_of(pool) ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE));
}

CUDART cudart_error cudaMemPoolSetAccess(void *pool, const void *list, size_t count) {
    FH_CUDART_CALL(!pool_of(pool) || (count && !list) ? FH_CUDA_INVALID_VALUE : FH_CUDA_OK);
}

/* The first three attributes are of 4 bytes, the others of 8. */
static fh_cuda_status pool_attribute(const void *handle, int attribute, void *value, bool set) {
    struct pool *pool = pool_of(handle);
    if (!pool || !value || attribute < POOL_FIRST || attribute > POOL_USED_HIGH)
        return FH_CUDA_INVALID_VALUE;
    uint64_t *kept = &pool->values[attribute];
    const size_t bytes = attribute <= POOL_REUSE ? 4 : 8;
    if (!set) {
        memcpy(value, kept, bytes);
        return FH_CUDA_OK;
    }
    if (attribute == POOL_RESERVED || attribute == POOL_USED)
        return FH_CUDA_INVALID_VALUE;
    uint64_t wanted = 0;
    memcpy(&wanted, value, bytes);
    if (attribute > POOL_THRESHOLD && wanted) /* a high water mark can be taken back only */
        return FH_CUDA_INVALID_VALUE;
    *kept = attribute > POOL_THRESHOLD ? kept[-1] : wanted;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaMemPoolGetAttribute(void *pool, int attribute, void *value) {
    FH_CUDART_CALL(pool_attribute(pool, attribute, value, false));
}

CUDART cudart_error cudaMemPoolSetAttribute(void *pool, int attribute, void *value) {
    FH_CUDART_CALL(pool_attribute(pool, attribute, value, true));
}
