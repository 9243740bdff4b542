/*
 * memory_calls.c - memory made, given back, registered and asked about; pools.
 */
#include <stdlib.h>
#include <string.h>

#include "attributes.h"
#include "cudart.h"
#include "reservation.h"

enum { PITCH = 512 }; /* rows of pitched memory begin at multiples of it */

static fh_cuda_status make(fh_cuda_memory_kind kind, void **pointer, size_t bytes, unsigned flags) {
    uint64_t address;
    if (!pointer)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = fh_cuda_alloc(kind, bytes, flags, &address);
    if (status == FH_CUDA_OK)
        *pointer = (void *)(uintptr_t)address;
    return status;
}

CUDART cudart_error cudaMalloc(void **pointer, size_t bytes) {
    FH_CUDART_CALL(make(FH_CUDA_DEVICE, pointer, bytes, 0));
}

CUDART cudart_error cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
    FH_CUDART_CALL((flags != 1 && flags != 2) || !bytes
                       ? FH_CUDA_INVALID_VALUE
                       : make(FH_CUDA_MANAGED, pointer, bytes, flags));
}

CUDART cudart_error cudaMallocHost(void **pointer, size_t bytes) {
    FH_CUDART_CALL(make(FH_CUDA_HOST, pointer, bytes, 0));
}

enum { HOST_FLAGS = 7, REGISTER_FLAGS = 15, MAPPED = 2 };

CUDART cudart_error cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    FH_CUDART_CALL(flags & ~(unsigned)HOST_FLAGS ? FH_CUDA_INVALID_VALUE
                                                 : make(FH_CUDA_HOST, pointer, bytes, flags));
}

/* Work that has been asked for may use what is freed. */
static fh_cuda_status give_back(void *pointer, bool host) {
    if (!pointer)
        return FH_CUDA_OK;
    if (fh_cuda_any_capture())
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    fh_cuda_status status = fh_cuda_wait(NULL);
    return status != FH_CUDA_OK ? status : fh_cuda_free((uintptr_t)pointer, host);
}

CUDART cudart_error cudaFree(void *pointer) {
    FH_CUDART_CALL(give_back(pointer, false));
}

CUDART cudart_error cudaFreeHost(void *pointer) {
    FH_CUDART_CALL(give_back(pointer, true));
}

static fh_cuda_status make_rows(void **pointer, size_t *pitch, size_t width, size_t rows) {
    size_t bytes;
    if (!pointer || !pitch || width > SIZE_MAX - PITCH)
        return FH_CUDA_INVALID_VALUE;
    const size_t row = (width + PITCH - 1) / PITCH * PITCH;
    if (__builtin_mul_overflow(row, rows, &bytes))
        return FH_CUDA_NO_MEMORY;
    fh_cuda_status status = make(FH_CUDA_DEVICE, pointer, bytes, 0);
    if (status == FH_CUDA_OK)
        *pitch = row;
    return status;
}

CUDART cudart_error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    FH_CUDART_CALL(make_rows(pointer, pitch, width, height));
}

static fh_cuda_status make_volume(cudart_pitched *to, cudart_extent extent) {
    size_t rows, pitch;
    void *pointer;
    if (!to)
        return FH_CUDA_INVALID_VALUE;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return FH_CUDA_NO_MEMORY;
    fh_cuda_status status = make_rows(&pointer, &pitch, extent.width, rows);
    if (status == FH_CUDA_OK)
        *to = (cudart_pitched){pointer, pitch, extent.width, extent.height};
    return status;
}

CUDART cudart_error cudaMalloc3D(cudart_pitched *to, cudart_extent extent) {
    FH_CUDART_CALL(make_volume(to, extent));
}

CUDART cudart_error cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    FH_CUDART_CALL(flags & ~(unsigned)REGISTER_FLAGS ? FH_CUDA_INVALID_VALUE
                                                     : fh_cuda_register(pointer, bytes, flags));
}

static fh_cuda_status unregister(void *pointer) {
    fh_cuda_status status = fh_cuda_wait(NULL);
    return status != FH_CUDA_OK ? status : fh_cuda_unregister(pointer);
}

CUDART cudart_error cudaHostUnregister(void *pointer) {
    FH_CUDART_CALL(unregister(pointer));
}

/* Memory that the host has made or registered. */
static const fh_cuda_range *hosts(const void *pointer) {
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)pointer);
    return r && (r->kind == FH_CUDA_HOST || r->kind == FH_CUDA_REGISTERED) ? r : NULL;
}

static fh_cuda_status device_pointer(void **device, void *host, unsigned flags) {
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)host);
    if (!device || flags || !r || (r->kind != FH_CUDA_MANAGED && !hosts(host)))
        return FH_CUDA_INVALID_VALUE;
    *device = host;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    FH_CUDART_CALL(device_pointer(device, host, flags));
}

static fh_cuda_status host_flags(unsigned *flags, const void *host) {
    const fh_cuda_range *r = hosts(host);
    if (!flags || !r)
        return FH_CUDA_INVALID_VALUE;
    *flags = r->flags | MAPPED;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaHostGetFlags(unsigned *flags, void *host) {
    FH_CUDART_CALL(host_flags(flags, host));
}

static fh_cuda_status memory_info(size_t *free_bytes, size_t *total) {
    uint64_t left, all;
    if (!free_bytes || !total)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_memory_info(&left, &all);
    *free_bytes = left;
    *total = all;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    FH_CUDART_CALL(memory_info(free_bytes, total));
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

static fh_cuda_status hint(const void *pointer, size_t bytes, const void *stream) {
    if (!fh_cuda_stream_of(stream))
        return FH_CUDA_INVALID_HANDLE;
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)pointer);
    return !r || r->kind != FH_CUDA_MANAGED || !fh_cuda_is_device((uintptr_t)pointer, bytes)
               ? FH_CUDA_INVALID_VALUE
               : FH_CUDA_OK;
}

/* Until CUDA 12 the third argument is a device, and the stream the fourth; since 13 there are flags
 * between them, and a structure of two numbers instead of a device, which is one register, too. */
CUDART cudart_error cudaMemPrefetchAsync(const void *pointer, size_t bytes, location where,
                                         uintptr_t flags_or_stream, void *stream) {
    FH_CUDART_CALL(
        ((void)where,
         hint(pointer, bytes, fh_cudart_version < 13 ? (const void *)flags_or_stream : stream)));
}

CUDART cudart_error cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, location where,
                                            unsigned flags, void *stream) {
    FH_CUDART_CALL(((void)where, (void)flags, hint(pointer, bytes, stream)));
}

CUDART cudart_error cudaMemAdvise(const void *pointer, size_t bytes, int advice, location where) {
    FH_CUDART_CALL(((void)where,
                    advice < 1 || advice > 6 ? FH_CUDA_INVALID_VALUE : hint(pointer, bytes, NULL)));
}

CUDART cudart_error cudaStreamAttachMemAsync(void *stream, void *pointer, size_t bytes,
                                             unsigned flags) {
    FH_CUDART_CALL(flags != 1 && flags != 2 && flags != 4
                       ? FH_CUDA_INVALID_VALUE
                       : hint(pointer, bytes ? bytes : 1, stream));
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

/* In a graph, the memory is there from the node on that allocates it. */
static fh_cuda_status make_in_graph(void **pointer, size_t bytes, const void *stream) {
    uint64_t address;
    fh_cuda_status status = fh_cuda_reserve(bytes, RESERVED_ALIGNMENT, true, &address);
    if (status != FH_CUDA_OK)
        return status;
    fh_cuda_op op = {.kind = FH_CUDA_OP_ALLOC, .memory = {address, bytes}};
    status = fh_cuda_stream_ask(FH_CUDA_OK, &op, stream, false);
    if (status == FH_CUDA_OK)
        *pointer = (void *)(uintptr_t)address;
    else
        fh_cuda_unreserve(address);
    return status;
}

static fh_cuda_status make_in(struct pool *pool, void **pointer, size_t bytes, const void *stream) {
    const fh_cuda_stream *s = fh_cuda_stream_of(stream);
    if (!pool || !pointer)
        return FH_CUDA_INVALID_VALUE;
    if (!s)
        return FH_CUDA_INVALID_HANDLE;
    if (fh_cuda_capture_of(s) != FH_CUDA_CAPTURE_NONE)
        return make_in_graph(pointer, bytes, stream);
    fh_cuda_status status = make(FH_CUDA_DEVICE, pointer, bytes, 0);
    fh_cuda_range *r = fh_cuda_range_of((uintptr_t)*pointer);
    if (status == FH_CUDA_OK && r) {
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
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)pointer);
    const uint64_t reserved = fh_cuda_reserved((uintptr_t)pointer);
    if (!pointer)
        return FH_CUDA_OK;
    if (reserved) { /* the graph that allocates it may still have to run */
        fh_cuda_op later = {.kind = FH_CUDA_OP_FREE, .memory = {(uintptr_t)pointer, reserved}};
        return fh_cuda_stream_ask(FH_CUDA_OK, &later, stream, false);
    }
    if (!r || r->address != (uintptr_t)pointer ||
        (r->kind != FH_CUDA_DEVICE && r->kind != FH_CUDA_MANAGED))
        return FH_CUDA_INVALID_VALUE;
    struct pool *pool = pool_of(r->pool);
    if (pool) {
        pool->values[POOL_USED] -= r->bytes;
        pool->values[POOL_RESERVED] -= r->bytes;
    }
    fh_cuda_op op = {.kind = FH_CUDA_OP_FREE, .memory = {r->address, r->bytes}};
    return fh_cuda_stream_ask(FH_CUDA_OK, &op, stream, false);
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
