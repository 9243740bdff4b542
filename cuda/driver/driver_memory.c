/*
 * driver_memory.c - memory made, given back, registered and asked about.
 */
#include "driver.h"

#include <string.h>

typedef unsigned long long address_type; /* CUdeviceptr */

/* Work that was asked for may use what is freed. */
static fh_cuda_status give_back(uint64_t address, bool host) {
    if (!address)
        return FH_CUDA_INVALID_VALUE;
    if (fh_cuda_any_capture())
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    const fh_cuda_status status = fh_cuda_wait(NULL);
    return status != FH_CUDA_OK ? status : fh_cuda_free(address, host);
}

static fh_cuda_status make(fh_cuda_memory_kind kind, address_type *address, size_t bytes,
                           unsigned flags) {
    uint64_t made;
    if (!address || !bytes)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_alloc(kind, bytes, flags, &made);
    if (status == FH_CUDA_OK)
        *address = made;
    return status;
}

DRIVER driver_result cuMemAlloc_v2(address_type *address, size_t bytes) {
    FH_DRIVER_CALL(make(FH_CUDA_DEVICE, address, bytes, 0));
}

DRIVER driver_result cuMemAllocManaged(address_type *address, size_t bytes, unsigned flags) {
    FH_DRIVER_CALL(flags != 1 && flags != 2 ? FH_CUDA_INVALID_VALUE
                                            : make(FH_CUDA_MANAGED, address, bytes, flags));
}

DRIVER driver_result cuMemFree_v2(address_type address) {
    FH_DRIVER_CALL(give_back(address, false));
}

static fh_cuda_status make_rows(address_type *address, size_t *pitch, size_t width, size_t height,
                                unsigned element) {
    enum { PITCH = 512 };
    size_t bytes;
    if (!pitch || !width || !height || width > SIZE_MAX - PITCH ||
        (element != 4 && element != 8 && element != 16))
        return FH_CUDA_INVALID_VALUE;
    const size_t row = (width + PITCH - 1) / PITCH * PITCH;
    if (__builtin_mul_overflow(row, height, &bytes))
        return FH_CUDA_NO_MEMORY;
    const fh_cuda_status status = make(FH_CUDA_DEVICE, address, bytes, 0);
    if (status == FH_CUDA_OK)
        *pitch = row;
    return status;
}

DRIVER driver_result cuMemAllocPitch_v2(address_type *address, size_t *pitch, size_t width,
                                        size_t height, unsigned element) {
    FH_DRIVER_CALL(make_rows(address, pitch, width, height, element));
}

static fh_cuda_status make_host(void **pointer, size_t bytes, unsigned flags) {
    enum { HOST_FLAGS = 7 };
    address_type address = 0;
    if (!pointer || flags > HOST_FLAGS)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = make(FH_CUDA_HOST, &address, bytes, flags);
    if (status == FH_CUDA_OK)
        *pointer = (void *)(uintptr_t)address;
    return status;
}

DRIVER driver_result cuMemAllocHost_v2(void **pointer, size_t bytes) {
    FH_DRIVER_CALL(make_host(pointer, bytes, 0));
}

DRIVER driver_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    FH_DRIVER_CALL(make_host(pointer, bytes, flags));
}

DRIVER driver_result cuMemFreeHost(void *pointer) {
    FH_DRIVER_CALL(give_back((uintptr_t)pointer, true));
}

DRIVER driver_result cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
    enum { REGISTER_FLAGS = 15 };
    FH_DRIVER_CALL(flags > REGISTER_FLAGS ? FH_CUDA_INVALID_VALUE
                                          : fh_cuda_register(pointer, bytes, flags));
}

static fh_cuda_status unregister(void *pointer) {
    const fh_cuda_status status = fh_cuda_wait(NULL);
    return status != FH_CUDA_OK ? status : fh_cuda_unregister(pointer);
}

DRIVER driver_result cuMemHostUnregister(void *pointer) {
    FH_DRIVER_CALL(unregister(pointer));
}

/* Memory that the host has made or registered. */
static const fh_cuda_range *hosts(const void *pointer) {
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)pointer);
    return r && (r->kind == FH_CUDA_HOST || r->kind == FH_CUDA_REGISTERED) ? r : NULL;
}

static fh_cuda_status device_pointer(address_type *address, void *host, unsigned flags) {
    if (!address || flags || !hosts(host))
        return FH_CUDA_INVALID_VALUE;
    *address = (uintptr_t)host;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemHostGetDevicePointer_v2(address_type *address, void *host,
                                                  unsigned flags) {
    FH_DRIVER_CALL(device_pointer(address, host, flags));
}

static fh_cuda_status host_flags(unsigned *flags, void *host) {
    enum { MAPPED = 2 };
    const fh_cuda_range *r = hosts(host);
    if (!flags || !r)
        return FH_CUDA_INVALID_VALUE;
    *flags = r->flags | MAPPED;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemHostGetFlags(unsigned *flags, void *host) {
    FH_DRIVER_CALL(host_flags(flags, host));
}

static fh_cuda_status memory_info(size_t *left, size_t *total) {
    uint64_t free_bytes, all;
    if (!left || !total)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_memory_info(&free_bytes, &all);
    *left = free_bytes;
    *total = all;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemGetInfo_v2(size_t *left, size_t *total) {
    FH_DRIVER_CALL(memory_info(left, total));
}

static fh_cuda_status range_of(address_type *base, size_t *bytes, uint64_t address) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!r)
        return FH_CUDA_NOT_FOUND;
    if (base)
        *base = r->address;
    if (bytes)
        *bytes = r->bytes;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemGetAddressRange_v2(address_type *base, size_t *bytes,
                                             address_type address) {
    FH_DRIVER_CALL(range_of(base, bytes, address));
}

/* Of the context's own pool, which has the device's memory. */
static fh_cuda_status make_later(address_type *address, size_t bytes, const void *stream) {
    const fh_cuda_stream *s = fh_cuda_stream_of(stream);
    if (!s)
        return FH_CUDA_INVALID_HANDLE;
    return fh_cuda_capture_of(s) ? FH_CUDA_NOT_SUPPORTED : make(FH_CUDA_DEVICE, address, bytes, 0);
}

DRIVER driver_result cuMemAllocAsync(address_type *address, size_t bytes, void *stream) {
    FH_DRIVER_CALL(make_later(address, bytes, stream));
}

static fh_cuda_status give_back_later(uint64_t address, const void *stream) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!r || r->address != address || (r->kind != FH_CUDA_DEVICE && r->kind != FH_CUDA_MANAGED))
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_op op = {.kind = FH_CUDA_OP_FREE, .memory = {r->address, r->bytes}};
    return fh_cuda_stream_ask(FH_CUDA_OK, &op, stream, false);
}

DRIVER driver_result cuMemFreeAsync(address_type address, void *stream) {
    FH_DRIVER_CALL(give_back_later(address, stream));
}

/* ---------------------------------------------------------------- hints, which change nothing */

static fh_cuda_status hint(uint64_t address, size_t bytes, const void *stream) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!fh_cuda_stream_of(stream))
        return FH_CUDA_INVALID_HANDLE;
    return r && r->kind == FH_CUDA_MANAGED && fh_cuda_is_device(address, bytes)
               ? FH_CUDA_OK
               : FH_CUDA_INVALID_VALUE;
}

typedef struct location {
    int type, id;
} location;

DRIVER driver_result cuMemPrefetchAsync(address_type address, size_t bytes, int device,
                                        void *stream) {
    FH_DRIVER_CALL(((void)device, hint(address, bytes, stream)));
}

DRIVER driver_result cuMemPrefetchAsync_v2(address_type address, size_t bytes, location where,
                                           unsigned flags, void *stream) {
    FH_DRIVER_CALL(((void)where, flags ? FH_CUDA_INVALID_VALUE : hint(address, bytes, stream)));
}

DRIVER driver_result cuMemAdvise(address_type address, size_t bytes, int advice, int device) {
    FH_DRIVER_CALL(((void)device,
                    advice < 1 || advice > 6 ? FH_CUDA_INVALID_VALUE : hint(address, bytes, NULL)));
}

DRIVER driver_result cuMemAdvise_v2(address_type address, size_t bytes, int advice,
                                    location where) {
    FH_DRIVER_CALL(((void)where,
                    advice < 1 || advice > 6 ? FH_CUDA_INVALID_VALUE : hint(address, bytes, NULL)));
}

/* ---------------------------------------------------------------- what a pointer is */

enum {
    CONTEXT = 1,
    MEMORY_TYPE,
    DEVICE_POINTER,
    HOST_POINTER,
    SYNC = 6,
    BUFFER_ID,
    IS_MANAGED,
    ORDINAL,
    RANGE_START = 11,
    RANGE_SIZE,
    MAPPED_NOW,
};

static bool is_of_host(const fh_cuda_range *r) {
    return r->kind == FH_CUDA_HOST || r->kind == FH_CUDA_REGISTERED || r->kind == FH_CUDA_MANAGED;
}

/* Writes the answer, which has the size that the attribute has. */
static fh_cuda_status tell(void *to, int attribute, const fh_cuda_range *r, uint64_t address) {
    enum { TYPE_HOST = 1, TYPE_DEVICE = 2 };
    const bool host = r->kind == FH_CUDA_HOST || r->kind == FH_CUDA_REGISTERED;
    uint64_t value;
    size_t bytes = 8;
    switch (attribute) {
    case CONTEXT: value = (uintptr_t)fh_driver_context(); break;
    case MEMORY_TYPE:
        value = host ? TYPE_HOST : TYPE_DEVICE;
        bytes = 4;
        break;
    case DEVICE_POINTER: value = address; break;
    case HOST_POINTER:
        if (!is_of_host(r))
            return FH_CUDA_INVALID_VALUE;
        value = address;
        break;
    case SYNC:
        value = 0;
        bytes = 4;
        break;
    case BUFFER_ID: value = r->number; break;
    case IS_MANAGED:
        value = r->kind == FH_CUDA_MANAGED;
        bytes = 4;
        break;
    case ORDINAL:
        value = 0;
        bytes = 4;
        break;
    case RANGE_START: value = r->address; break;
    case RANGE_SIZE: value = r->bytes; break;
    case MAPPED_NOW:
        value = 1;
        bytes = 4;
        break;
    default: return FH_CUDA_NOT_SUPPORTED;
    }
    memcpy(to, &value, bytes);
    return FH_CUDA_OK;
}

static fh_cuda_status pointer_attribute(void *to, int attribute, uint64_t address) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    return to && r && attribute > 0 ? tell(to, attribute, r, address) : FH_CUDA_INVALID_VALUE;
}

DRIVER driver_result cuPointerGetAttribute(void *to, int attribute, address_type address) {
    FH_DRIVER_CALL(pointer_attribute(to, attribute, address));
}

/* What is asked of several at once. What a pointer does not have is zero, also one that is
 * nobody's, whose device is -2. */
static fh_cuda_status pointer_attributes(unsigned count, const int *attributes, void **to,
                                         uint64_t address) {
    enum { NO_DEVICE = -2 };
    static const fh_cuda_range nobody = {.kind = FH_CUDA_REGISTERED};
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!count || !attributes || !to)
        return FH_CUDA_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        const int a = attributes[i];
        const bool none = !r || (a == HOST_POINTER && !is_of_host(r));
        const fh_cuda_status status =
            to[i] ? tell(to[i], a, none ? &nobody : r, none ? 0 : address) : FH_CUDA_INVALID_VALUE;
        if (status != FH_CUDA_OK)
            return status;
        if (!r && (a == MEMORY_TYPE || a == MAPPED_NOW || a == ORDINAL))
            *(int *)to[i] = a == ORDINAL ? NO_DEVICE : 0;
        if (!r && a == CONTEXT)
            *(void **)to[i] = NULL;
    }
    return FH_CUDA_OK;
}

DRIVER driver_result cuPointerGetAttributes(unsigned count, int *attributes, void **to,
                                            address_type address) {
    FH_DRIVER_CALL(pointer_attributes(count, attributes, to, address));
}
