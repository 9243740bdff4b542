/*
 * driver_memory.c - memory made, given back, registered and asked about.
 */
#include "driver.h"

#include <string.h>

#include "memory_handles.h"

typedef unsigned long long address_type; /* CUdeviceptr */

DRIVER driver_result cuMemAlloc_v2(address_type *address, size_t bytes) {
    FH_DRIVER_CALL(bytes ? fh_cuda_memory_make(FH_CUDA_DEVICE, address, bytes, 0)
                         : FH_CUDA_INVALID_VALUE);
}

DRIVER driver_result cuMemAllocManaged(address_type *address, size_t bytes, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_memory_make_managed(address, bytes, flags));
}

DRIVER driver_result cuMemFree_v2(address_type address) {
    FH_DRIVER_CALL(fh_cuda_memory_give_back(address, false));
}

DRIVER driver_result cuMemAllocPitch_v2(address_type *address, size_t *pitch, size_t width,
                                        size_t height, unsigned element) {
    FH_DRIVER_CALL(!width || !height || (element != 4 && element != 8 && element != 16)
                       ? FH_CUDA_INVALID_VALUE
                       : fh_cuda_memory_make_rows(address, pitch, width, height));
}

DRIVER driver_result cuMemAllocHost_v2(void **pointer, size_t bytes) {
    FH_DRIVER_CALL(bytes ? fh_cuda_memory_make_host(pointer, bytes, 0) : FH_CUDA_INVALID_VALUE);
}

DRIVER driver_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    FH_DRIVER_CALL(bytes ? fh_cuda_memory_make_host(pointer, bytes, flags) : FH_CUDA_INVALID_VALUE);
}

DRIVER driver_result cuMemFreeHost(void *pointer) {
    FH_DRIVER_CALL(fh_cuda_memory_give_back((uintptr_t)pointer, true));
}

DRIVER driver_result cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_memory_register(pointer, bytes, flags));
}

DRIVER driver_result cuMemHostUnregister(void *pointer) {
    FH_DRIVER_CALL(fh_cuda_memory_unregister(pointer));
}

DRIVER driver_result cuMemHostGetDevicePointer_v2(address_type *address, void *host,
                                                  unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_memory_device_pointer(address, host, flags));
}

DRIVER driver_result cuMemHostGetFlags(unsigned *flags, void *host) {
    FH_DRIVER_CALL(fh_cuda_memory_host_flags(flags, host));
}

DRIVER driver_result cuMemGetInfo_v2(size_t *left, size_t *total) {
    FH_DRIVER_CALL(fh_cuda_memory_tell(left, total));
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

DRIVER driver_result cuMemAllocAsync(address_type *address, size_t bytes, void *stream) {
    FH_DRIVER_CALL(bytes ? fh_cuda_memory_make_later(address, bytes, stream)
                         : FH_CUDA_INVALID_VALUE);
}

DRIVER driver_result cuMemFreeAsync(address_type address, void *stream) {
    FH_DRIVER_CALL(fh_cuda_memory_give_back_later(address, stream));
}

/* ---------------------------------------------------------------- hints, which change nothing */

typedef struct location {
    int type, id;
} location;

DRIVER driver_result cuMemPrefetchAsync(address_type address, size_t bytes, int device,
                                        void *stream) {
    FH_DRIVER_CALL(((void)device, fh_cuda_memory_hint(address, bytes, stream)));
}

DRIVER driver_result cuMemPrefetchAsync_v2(address_type address, size_t bytes, location where,
                                           unsigned flags, void *stream) {
    FH_DRIVER_CALL(
        ((void)where, flags ? FH_CUDA_INVALID_VALUE : fh_cuda_memory_hint(address, bytes, stream)));
}

DRIVER driver_result cuMemAdvise(address_type address, size_t bytes, int advice, int device) {
    FH_DRIVER_CALL(((void)device, fh_cuda_memory_advise(address, bytes, advice)));
}

DRIVER driver_result cuMemAdvise_v2(address_type address, size_t bytes, int advice,
                                    location where) {
    FH_DRIVER_CALL(((void)where, fh_cuda_memory_advise(address, bytes, advice)));
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
