/*
 * driver_copies.c - copies and fills, in one dimension and more.
 */
#include "driver.h"

typedef unsigned long long address_type; /* CUdeviceptr */

static fh_cuda_status copy_any(const fh_cuda_copy *what, fh_cuda_copy_kind kind, const void *stream,
                               bool wait) {
    fh_cuda_op op = {.kind = FH_CUDA_OP_COPY, .copy = {.what = *what, .kind = kind}};
    return fh_cuda_stream_ask(fh_cuda_copy_check(what, kind), &op, stream, wait);
}

static fh_cuda_status copy(uint64_t to, uint64_t from, size_t bytes, fh_cuda_copy_kind kind,
                           const void *stream, bool wait) {
    const fh_cuda_copy what = {.to = to,
                               .from = from,
                               .to_pitch = bytes,
                               .from_pitch = bytes,
                               .width = bytes,
                               .height = 1,
                               .depth = 1};
    return copy_any(&what, kind, stream, wait);
}

DRIVER driver_result cuMemcpyHtoD_v2(address_type to, const void *from, size_t bytes) {
    FH_DRIVER_CALL(copy(to, (uintptr_t)from, bytes, FH_CUDA_HOST_TO_DEVICE, NULL, true));
}

DRIVER driver_result cuMemcpyDtoH_v2(void *to, address_type from, size_t bytes) {
    FH_DRIVER_CALL(copy((uintptr_t)to, from, bytes, FH_CUDA_DEVICE_TO_HOST, NULL, true));
}

DRIVER driver_result cuMemcpyDtoD_v2(address_type to, address_type from, size_t bytes) {
    FH_DRIVER_CALL(copy(to, from, bytes, FH_CUDA_DEVICE_TO_DEVICE, NULL, true));
}

DRIVER driver_result cuMemcpy(address_type to, address_type from, size_t bytes) {
    FH_DRIVER_CALL(copy(to, from, bytes, FH_CUDA_ANY_TO_ANY, NULL, true));
}

DRIVER driver_result cuMemcpyHtoDAsync_v2(address_type to, const void *from, size_t bytes,
                                          void *stream) {
    FH_DRIVER_CALL(copy(to, (uintptr_t)from, bytes, FH_CUDA_HOST_TO_DEVICE, stream, false));
}

DRIVER driver_result cuMemcpyDtoHAsync_v2(void *to, address_type from, size_t bytes, void *stream) {
    FH_DRIVER_CALL(copy((uintptr_t)to, from, bytes, FH_CUDA_DEVICE_TO_HOST, stream, false));
}

DRIVER driver_result cuMemcpyDtoDAsync_v2(address_type to, address_type from, size_t bytes,
                                          void *stream) {
    FH_DRIVER_CALL(copy(to, from, bytes, FH_CUDA_DEVICE_TO_DEVICE, stream, false));
}

DRIVER driver_result cuMemcpyAsync(address_type to, address_type from, size_t bytes, void *stream) {
    FH_DRIVER_CALL(copy(to, from, bytes, FH_CUDA_ANY_TO_ANY, stream, false));
}

/* ---------------------------------------------------------------- in two and three dimensions */

/* One side of a copy of the API: which memory it is, where it begins, and its rows. */
struct side {
    int type;
    const void *host;
    uint64_t device;
    const void *array;
    size_t x, y, z, pitch, height;
};
enum { TYPE_HOST = 1, TYPE_DEVICE, TYPE_ARRAY, TYPE_UNIFIED };

static fh_cuda_status check_side(const struct side *s) {
    if (s->type < TYPE_HOST || s->type > TYPE_UNIFIED)
        return FH_CUDA_INVALID_VALUE;
    return s->type == TYPE_ARRAY ? FH_CUDA_NOT_SUPPORTED : FH_CUDA_OK; /* there are no arrays */
}

static uint64_t begin(const struct side *s) {
    const uint64_t base = s->type == TYPE_HOST ? (uintptr_t)s->host : s->device;
    return base + s->x + (s->y + s->z * s->height) * s->pitch;
}

static fh_cuda_status volume_op(const struct side *from, const struct side *to, size_t width,
                                size_t height, size_t depth, fh_cuda_op *op) {
    static const fh_cuda_copy_kind kinds[2][2] = {
        {FH_CUDA_HOST_TO_HOST, FH_CUDA_HOST_TO_DEVICE},
        {FH_CUDA_DEVICE_TO_HOST, FH_CUDA_DEVICE_TO_DEVICE}};
    fh_cuda_status status = check_side(from);
    if (status == FH_CUDA_OK)
        status = check_side(to);
    if (status != FH_CUDA_OK)
        return status;
    /* A pitch of 0 is that of rows without gaps. */
    struct side sides[2] = {*from, *to};
    for (unsigned i = 0; i < 2; i++)
        sides[i].pitch = sides[i].pitch ? sides[i].pitch : sides[i].x + width;
    const fh_cuda_copy what = {.to = begin(&sides[1]),
                               .from = begin(&sides[0]),
                               .to_pitch = sides[1].pitch,
                               .from_pitch = sides[0].pitch,
                               .to_slice = sides[1].pitch * sides[1].height,
                               .from_slice = sides[0].pitch * sides[0].height,
                               .width = width,
                               .height = height,
                               .depth = depth};
    const bool any = from->type == TYPE_UNIFIED || to->type == TYPE_UNIFIED;
    const fh_cuda_copy_kind kind =
        any ? FH_CUDA_ANY_TO_ANY : kinds[from->type == TYPE_DEVICE][to->type == TYPE_DEVICE];
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_COPY, .copy = {.what = what, .kind = kind}};
    return fh_cuda_copy_check(&what, kind);
}

struct side2d {
    size_t x, y;
    int type;
    const void *host;
    uint64_t device;
    const void *array;
    size_t pitch;
};
struct copy2d {
    struct side2d from, to;
    size_t width, height;
};

static fh_cuda_status copy_plane(const struct copy2d *c, const void *stream, bool wait) {
    struct side sides[2];
    fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};
    if (!c)
        return FH_CUDA_INVALID_VALUE;
    for (unsigned i = 0; i < 2; i++) {
        const struct side2d *s = i ? &c->to : &c->from;
        sides[i] = (struct side){s->type, s->host, s->device, s->array, s->x,
                                 s->y,    0,       s->pitch,  c->height};
    }
    const fh_cuda_status status = volume_op(&sides[0], &sides[1], c->width, c->height, 1, &op);
    return fh_cuda_stream_ask(status, &op, stream, wait);
}

DRIVER driver_result cuMemcpy2D_v2(const struct copy2d *c) {
    FH_DRIVER_CALL(copy_plane(c, NULL, true));
}

DRIVER driver_result cuMemcpy2DUnaligned_v2(const struct copy2d *c) {
    FH_DRIVER_CALL(copy_plane(c, NULL, true));
}

DRIVER driver_result cuMemcpy2DAsync_v2(const struct copy2d *c, void *stream) {
    FH_DRIVER_CALL(copy_plane(c, stream, false));
}

struct side3d {
    size_t x, y, z, lod;
    int type;
    const void *host;
    uint64_t device;
    const void *array;
    void *reserved;
    size_t pitch, height;
};
struct driver_copy3d {
    struct side3d from, to;
    size_t width, height, depth;
};

fh_cuda_status fh_driver_copy3d_op(const struct driver_copy3d *c, fh_cuda_op *op) {
    struct side sides[2];
    if (!c)
        return FH_CUDA_INVALID_VALUE;
    for (unsigned i = 0; i < 2; i++) {
        const struct side3d *s = i ? &c->to : &c->from;
        sides[i] = (struct side){s->type,  s->host,  s->device,
                                 s->array, s->x,     s->y,
                                 s->z,     s->pitch, s->height ? s->height : c->height};
    }
    return volume_op(&sides[0], &sides[1], c->width, c->height, c->depth, op);
}

static fh_cuda_status copy_block(const struct driver_copy3d *c, const void *stream, bool wait) {
    fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};
    const fh_cuda_status status = fh_driver_copy3d_op(c, &op);
    return fh_cuda_stream_ask(status, &op, stream, wait);
}

DRIVER driver_result cuMemcpy3D_v2(const struct driver_copy3d *c) {
    FH_DRIVER_CALL(copy_block(c, NULL, true));
}

DRIVER driver_result cuMemcpy3DAsync_v2(const struct driver_copy3d *c, void *stream) {
    FH_DRIVER_CALL(copy_block(c, stream, false));
}

/* ---------------------------------------------------------------- fills */

static fh_cuda_status fill(uint64_t to, size_t pitch, uint32_t value, uint32_t element,
                           size_t width, size_t height, const void *stream, bool wait) {
    fh_cuda_op op = {.kind = FH_CUDA_OP_FILL,
                     .fill = {.to = to,
                              .pitch = pitch,
                              .value = value,
                              .element = element,
                              .width = width,
                              .height = height,
                              .depth = 1}};
    return fh_cuda_stream_ask(fh_cuda_fill_check(&op.fill), &op, stream, wait);
}

/* The calls for one width of elements: at once and later, in one dimension and two. */
#define FILLS(BITS, VALUE, BYTES)                                                                  \
    DRIVER driver_result cuMemsetD##BITS##_v2(address_type to, VALUE value, size_t count) {        \
        FH_DRIVER_CALL(fill(to, count *(BYTES), value, BYTES, count, 1, NULL, true));              \
    }                                                                                              \
    DRIVER driver_result cuMemsetD##BITS##Async(address_type to, VALUE value, size_t count,        \
                                                void *stream) {                                    \
        FH_DRIVER_CALL(fill(to, count *(BYTES), value, BYTES, count, 1, stream, false));           \
    }                                                                                              \
    DRIVER driver_result cuMemsetD2D##BITS##_v2(address_type to, size_t pitch, VALUE value,        \
                                                size_t width, size_t height) {                     \
        FH_DRIVER_CALL(fill(to, pitch, value, BYTES, width, height, NULL, true));                  \
    }                                                                                              \
    DRIVER driver_result cuMemsetD2D##BITS##Async(address_type to, size_t pitch, VALUE value,      \
                                                  size_t width, size_t height, void *stream) {     \
        FH_DRIVER_CALL(fill(to, pitch, value, BYTES, width, height, stream, false));               \
    }

FILLS(8, unsigned char, 1)
FILLS(16, unsigned short, 2)
FILLS(32, unsigned, 4)
