/*
 * copy_calls.c - copies and fills, in one dimension and more, between all kinds of memory, and
 * those of variables.
 */
#include "cudart.h"

fh_cuda_status fh_cudart_copy_op(fh_cuda_copy copy, int kind, fh_cuda_op *op) {
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_COPY,
                       .copy = {.what = copy, .kind = (fh_cuda_copy_kind)kind}};
    return kind < 0 ? FH_CUDA_INVALID_COPY_KIND
                    : fh_cuda_copy_check(&copy, (fh_cuda_copy_kind)kind);
}

static fh_cuda_status copy(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, int kind, const void *stream, bool wait) {
    fh_cuda_op op;
    const fh_cuda_copy c = {.to = (uintptr_t)to,
                            .from = (uintptr_t)from,
                            .to_pitch = to_pitch,
                            .from_pitch = from_pitch,
                            .width = width,
                            .height = height,
                            .depth = 1};
    const fh_cuda_status status = fh_cudart_copy_op(c, kind, &op);
    return fh_cuda_stream_ask(status, &op, stream, wait);
}

CUDART cudart_error cudaMemcpy(void *to, const void *from, size_t count, int kind) {
    FH_CUDART_CALL(copy(to, count, from, count, count, 1, kind, NULL, true));
}

CUDART cudart_error cudaMemcpyAsync(void *to, const void *from, size_t count, int kind,
                                    void *stream) {
    FH_CUDART_CALL(copy(to, count, from, count, count, 1, kind, stream, false));
}

static bool is_device(int device) {
    return device == 0;
}

CUDART cudart_error cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                   size_t count) {
    FH_CUDART_CALL(
        !is_device(to_device) || !is_device(from_device)
            ? FH_CUDA_INVALID_DEVICE
            : copy(to, count, from, count, count, 1, FH_CUDA_DEVICE_TO_DEVICE, NULL, true));
}

CUDART cudart_error cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                        size_t count, void *stream) {
    FH_CUDART_CALL(
        !is_device(to_device) || !is_device(from_device)
            ? FH_CUDA_INVALID_DEVICE
            : copy(to, count, from, count, count, 1, FH_CUDA_DEVICE_TO_DEVICE, stream, false));
}

static fh_cuda_status copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                size_t width, size_t height, int kind, const void *stream,
                                bool wait) {
    if (width && height && (to_pitch < width || from_pitch < width))
        return FH_CUDA_INVALID_PITCH;
    return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, wait);
}

CUDART cudart_error cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                 size_t width, size_t height, int kind) {
    FH_CUDART_CALL(copy_rows(to, to_pitch, from, from_pitch, width, height, kind, NULL, true));
}

CUDART cudart_error cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t height, int kind,
                                      void *stream) {
    FH_CUDART_CALL(copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, false));
}

/* Where a copy in three dimensions begins on one side: x in bytes. */
static uint64_t begin(const cudart_pitched *side, const cudart_pos *pos) {
    return (uintptr_t)side->ptr + pos->x + pos->y * side->pitch +
           pos->z * side->pitch * side->ysize;
}

fh_cuda_status fh_cudart_copy3d_op(const cudart_copy3d *p, fh_cuda_op *op) {
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_EMPTY};
    if (!p || (p->from_array && p->from.ptr) || (p->to_array && p->to.ptr))
        return FH_CUDA_INVALID_VALUE;
    if (p->from_array || p->to_array)
        return FH_CUDA_NOT_SUPPORTED; /* there are no arrays */
    const fh_cuda_copy c = {.to = begin(&p->to, &p->to_pos),
                            .from = begin(&p->from, &p->from_pos),
                            .to_pitch = p->to.pitch,
                            .from_pitch = p->from.pitch,
                            .to_slice = p->to.pitch * p->to.ysize,
                            .from_slice = p->from.pitch * p->from.ysize,
                            .width = p->extent.width,
                            .height = p->extent.height,
                            .depth = p->extent.depth};
    return fh_cudart_copy_op(c, p->kind, op);
}

static fh_cuda_status copy3d(const cudart_copy3d *p, const void *stream, bool wait) {
    fh_cuda_op op;
    const fh_cuda_status status = fh_cudart_copy3d_op(p, &op);
    return fh_cuda_stream_ask(status, &op, stream, wait);
}

CUDART cudart_error cudaMemcpy3D(const cudart_copy3d *p) {
    FH_CUDART_CALL(copy3d(p, NULL, true));
}

CUDART cudart_error cudaMemcpy3DAsync(const cudart_copy3d *p, void *stream) {
    FH_CUDART_CALL(copy3d(p, stream, false));
}

/* ---------------------------------------------------------------- variables */

/* The address of `count` bytes of a variable. */
static fh_cuda_status within(const void *symbol, size_t offset, size_t count, uint64_t *address) {
    fh_cuda_variable v;
    fh_cuda_status status = fh_cudart_variable(symbol, &v);
    if (status != FH_CUDA_OK)
        return status;
    if (offset > v.bytes || count > v.bytes - offset)
        return FH_CUDA_INVALID_VALUE;
    *address = v.address + offset;
    return FH_CUDA_OK;
}

static fh_cuda_status copy_to(const void *symbol, const void *from, size_t count, size_t offset,
                              int kind, const void *stream, bool wait) {
    uint64_t address;
    const fh_cuda_status status = within(symbol, offset, count, &address);
    if (status == FH_CUDA_OK && kind == FH_CUDA_DEVICE_TO_HOST)
        return FH_CUDA_INVALID_COPY_KIND;
    return status != FH_CUDA_OK
               ? status
               : copy((void *)(uintptr_t)address, count, from, count, count, 1, kind, stream, wait);
}

static fh_cuda_status copy_from(void *to, const void *symbol, size_t count, size_t offset, int kind,
                                const void *stream, bool wait) {
    uint64_t address;
    const fh_cuda_status status = within(symbol, offset, count, &address);
    if (status == FH_CUDA_OK && kind == FH_CUDA_HOST_TO_DEVICE)
        return FH_CUDA_INVALID_COPY_KIND;
    return status != FH_CUDA_OK ? status
                                : copy(to, count, (const void *)(uintptr_t)address, count, count, 1,
                                       kind, stream, wait);
}

CUDART cudart_error cudaMemcpyToSymbol(const void *symbol, const void *from, size_t count,
                                       size_t offset, int kind) {
    FH_CUDART_CALL(copy_to(symbol, from, count, offset, kind, NULL, true));
}

CUDART cudart_error cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t count,
                                            size_t offset, int kind, void *stream) {
    FH_CUDART_CALL(copy_to(symbol, from, count, offset, kind, stream, false));
}

CUDART cudart_error cudaMemcpyFromSymbol(void *to, const void *symbol, size_t count, size_t offset,
                                         int kind) {
    FH_CUDART_CALL(copy_from(to, symbol, count, offset, kind, NULL, true));
}

CUDART cudart_error cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t count,
                                              size_t offset, int kind, void *stream) {
    FH_CUDART_CALL(copy_from(to, symbol, count, offset, kind, stream, false));
}

static fh_cuda_status symbol_address(void **address, const void *symbol) {
    fh_cuda_variable v;
    fh_cuda_status status = fh_cudart_variable(symbol, &v);
    if (status == FH_CUDA_OK && !address)
        status = FH_CUDA_INVALID_VALUE;
    if (status == FH_CUDA_OK)
        *address = (void *)(uintptr_t)v.address;
    return status;
}

CUDART cudart_error cudaGetSymbolAddress(void **address, const void *symbol) {
    FH_CUDART_CALL(symbol_address(address, symbol));
}

static fh_cuda_status symbol_size(size_t *size, const void *symbol) {
    fh_cuda_variable v;
    fh_cuda_status status = fh_cudart_variable(symbol, &v);
    if (status == FH_CUDA_OK && !size)
        status = FH_CUDA_INVALID_VALUE;
    if (status == FH_CUDA_OK)
        *size = v.bytes;
    return status;
}

CUDART cudart_error cudaGetSymbolSize(size_t *size, const void *symbol) {
    FH_CUDART_CALL(symbol_size(size, symbol));
}

/* ---------------------------------------------------------------- fills */

static fh_cuda_status fill(fh_cuda_fill f, const void *stream, bool wait) {
    fh_cuda_op op = {.kind = FH_CUDA_OP_FILL, .fill = f};
    return fh_cuda_stream_ask(fh_cuda_fill_check(&f), &op, stream, wait);
}

fh_cuda_status fh_cudart_memset_op(const cudart_memset_node *p, fh_cuda_op *op) {
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_FILL};
    if (!p || (p->element != 1 && p->element != 2 && p->element != 4))
        return FH_CUDA_INVALID_VALUE;
    op->fill = (fh_cuda_fill){.to = (uintptr_t)p->to,
                              .pitch = p->pitch,
                              .value = p->value,
                              .element = p->element,
                              .width = p->width,
                              .height = p->height,
                              .depth = 1};
    return fh_cuda_fill_check(&op->fill);
}

static fh_cuda_fill bytes_of(void *to, size_t pitch, size_t slice, int value, size_t width,
                             size_t height, size_t depth) {
    return (fh_cuda_fill){.to = (uintptr_t)to,
                          .pitch = pitch,
                          .slice = slice,
                          .value = (uint8_t)value,
                          .element = 1,
                          .width = width,
                          .height = height,
                          .depth = depth};
}

CUDART cudart_error cudaMemset(void *to, int value, size_t count) {
    FH_CUDART_CALL(fill(bytes_of(to, count, 0, value, count, 1, 1), NULL, true));
}

CUDART cudart_error cudaMemsetAsync(void *to, int value, size_t count, void *stream) {
    FH_CUDART_CALL(fill(bytes_of(to, count, 0, value, count, 1, 1), stream, false));
}

CUDART cudart_error cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    FH_CUDART_CALL(fill(bytes_of(to, pitch, 0, value, width, height, 1), NULL, true));
}

CUDART cudart_error cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                      size_t height, void *stream) {
    FH_CUDART_CALL(fill(bytes_of(to, pitch, 0, value, width, height, 1), stream, false));
}

static fh_cuda_fill volume(cudart_pitched to, int value, cudart_extent extent) {
    return bytes_of(to.ptr, to.pitch, to.pitch * to.ysize, value, extent.width, extent.height,
                    extent.depth);
}

CUDART cudart_error cudaMemset3D(cudart_pitched to, int value, cudart_extent extent) {
    FH_CUDART_CALL(fill(volume(to, value, extent), NULL, true));
}

CUDART cudart_error cudaMemset3DAsync(cudart_pitched to, int value, cudart_extent extent,
                                      void *stream) {
    FH_CUDART_CALL(fill(volume(to, value, extent), stream, false));
}
