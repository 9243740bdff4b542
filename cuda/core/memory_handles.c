/*
 * memory_handles.c - see memory_handles.h.
 */
#include "memory_handles.h"

#include <string.h>

#include "reservation.h"
#include "stream_handles.h"

/* ---------------------------------------------------------------- made */

fh_cuda_status fh_cuda_memory_make(fh_cuda_memory_kind kind, void *place, size_t bytes,
                                   unsigned flags) {
    uint64_t address;
    if (!place)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_alloc(kind, bytes, flags, &address);
    if (status == FH_CUDA_OK)
        memcpy(place, &address, sizeof address);
    return status;
}

fh_cuda_status fh_cuda_memory_make_managed(void *place, size_t bytes, unsigned flags) {
    return (flags != 1 && flags != 2) || !bytes
               ? FH_CUDA_INVALID_VALUE
               : fh_cuda_memory_make(FH_CUDA_MANAGED, place, bytes, flags);
}

fh_cuda_status fh_cuda_memory_make_host(void *place, size_t bytes, unsigned flags) {
    enum { HOST_FLAGS = 7 };
    return flags > HOST_FLAGS ? FH_CUDA_INVALID_VALUE
                              : fh_cuda_memory_make(FH_CUDA_HOST, place, bytes, flags);
}

fh_cuda_status fh_cuda_memory_make_rows(void *place, size_t *pitch, size_t width, size_t rows) {
    enum { PITCH = 512 };
    size_t bytes;
    if (!place || !pitch || width > SIZE_MAX - PITCH)
        return FH_CUDA_INVALID_VALUE;
    const size_t row = (width + PITCH - 1) / PITCH * PITCH;
    if (__builtin_mul_overflow(row, rows, &bytes))
        return FH_CUDA_NO_MEMORY;
    const fh_cuda_status status = fh_cuda_memory_make(FH_CUDA_DEVICE, place, bytes, 0);
    if (status == FH_CUDA_OK)
        *pitch = row;
    return status;
}

/* In a graph, the memory is there from the node on that allocates it. */
static fh_cuda_status make_in_graph(void *place, size_t bytes, const void *stream) {
    uint64_t address;
    fh_cuda_status status = fh_cuda_reserve(bytes, FH_CUDA_RESERVED_ALIGNMENT, true, &address);
    if (status != FH_CUDA_OK)
        return status;
    fh_cuda_op op = {.kind = FH_CUDA_OP_ALLOC, .memory = {address, bytes}};
    status = fh_cuda_stream_ask(FH_CUDA_OK, &op, stream, false);
    if (status == FH_CUDA_OK)
        memcpy(place, &address, sizeof address);
    else
        fh_cuda_unreserve(address);
    return status;
}

fh_cuda_status fh_cuda_memory_make_later(void *place, size_t bytes, const void *handle) {
    const fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (!stream || !place)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    return fh_cuda_capture_of(stream) ? make_in_graph(place, bytes, handle)
                                      : fh_cuda_memory_make(FH_CUDA_DEVICE, place, bytes, 0);
}

fh_cuda_status fh_cuda_memory_give_back(uint64_t address, bool host) {
    if (!address)
        return FH_CUDA_INVALID_VALUE;
    if (fh_cuda_any_capture())
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    const fh_cuda_status status = fh_cuda_wait(NULL);
    return status != FH_CUDA_OK ? status : fh_cuda_free(address, host);
}

fh_cuda_status fh_cuda_memory_give_back_later(uint64_t address, const void *stream) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    const uint64_t reserved = fh_cuda_reserved(address);
    fh_cuda_op op = {.kind = FH_CUDA_OP_FREE, .memory = {address, reserved}};
    if (!reserved) { /* else the graph that allocates it may still have to run */
        if (!r || r->address != address ||
            (r->kind != FH_CUDA_DEVICE && r->kind != FH_CUDA_MANAGED))
            return FH_CUDA_INVALID_VALUE;
        op.memory.bytes = r->bytes;
    }
    return fh_cuda_stream_ask(FH_CUDA_OK, &op, stream, false);
}

/* ---------------------------------------------------------------- of the host */

fh_cuda_status fh_cuda_memory_register(void *pointer, size_t bytes, unsigned flags) {
    enum { REGISTER_FLAGS = 15 };
    return flags > REGISTER_FLAGS ? FH_CUDA_INVALID_VALUE : fh_cuda_register(pointer, bytes, flags);
}

fh_cuda_status fh_cuda_memory_unregister(void *pointer) {
    const fh_cuda_status status = fh_cuda_wait(NULL);
    return status != FH_CUDA_OK ? status : fh_cuda_unregister(pointer);
}

static bool is_of_host(const fh_cuda_range *r) {
    return r && (r->kind == FH_CUDA_HOST || r->kind == FH_CUDA_REGISTERED);
}

fh_cuda_status fh_cuda_memory_device_pointer(void *place, const void *host, unsigned flags) {
    const uint64_t address = (uintptr_t)host;
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!place || flags || !r || (r->kind != FH_CUDA_MANAGED && !is_of_host(r)))
        return FH_CUDA_INVALID_VALUE;
    memcpy(place, &address, sizeof address);
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_memory_host_flags(unsigned *flags, const void *host) {
    enum { MAPPED = 2 };
    const fh_cuda_range *r = fh_cuda_range_of((uintptr_t)host);
    if (!flags || !is_of_host(r))
        return FH_CUDA_INVALID_VALUE;
    *flags = r->flags | MAPPED;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_memory_tell(size_t *left, size_t *total) {
    uint64_t free_bytes, all;
    if (!left || !total)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_memory_info(&free_bytes, &all);
    *left = free_bytes;
    *total = all;
    return FH_CUDA_OK;
}

/* ---------------------------------------------------------------- hints, which change nothing */

fh_cuda_status fh_cuda_memory_hint(uint64_t address, size_t bytes, const void *stream) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!fh_cuda_stream_of(stream))
        return FH_CUDA_INVALID_HANDLE;
    return r && r->kind == FH_CUDA_MANAGED && fh_cuda_is_device(address, bytes)
               ? FH_CUDA_OK
               : FH_CUDA_INVALID_VALUE;
}

fh_cuda_status fh_cuda_memory_advise(uint64_t address, size_t bytes, int advice) {
    return advice < 1 || advice > 6 ? FH_CUDA_INVALID_VALUE
                                    : fh_cuda_memory_hint(address, bytes, NULL);
}

fh_cuda_status fh_cuda_memory_attach(const void *stream, uint64_t address, size_t bytes,
                                     unsigned flags) {
    if (!fh_cuda_stream_of(stream))
        return FH_CUDA_INVALID_HANDLE;
    return flags != 1 && flags != 2 && flags != 4
               ? FH_CUDA_INVALID_VALUE
               : fh_cuda_memory_hint(address, bytes ? bytes : 1, stream);
}
