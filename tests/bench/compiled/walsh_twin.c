/*
 * walsh_twin.c - a dyadic convolution by the transforms of walsh.cu. The size of a run is log2 of
 * the number of elements; it is odd. Two stages at a time and one at a time are the same sums.
 */
#include <string.h>

#include "compiled.h"

enum { DATA, KERNEL, IN_DATA, IN_KERNEL, PIECE = 2048 };

static void fill(struct compiled_run *r) {
    const size_t n = (size_t)1 << r->size;
    (void)compiled_buffer(r, "data", n * sizeof(float));
    (void)compiled_buffer(r, "kernel", n * sizeof(float));
    uint64_t seed = n;
    for (unsigned k = IN_DATA; k <= IN_KERNEL; k++) {
        float *in = compiled_buffer(r, k == IN_DATA ? "first" : "second", n * sizeof *in);
        for (size_t i = 0; i < n; i++) {
            const uint64_t x = compiled_random(&seed);
            in[i] = (float)(int32_t)x * (x >> 61 ? 0x1p-31f : 0x1p-20f);
        }
    }
}

/* From the buffer `in` to `out`. */
static void transform(struct compiled_run *r, unsigned out, unsigned in) {
    const uint32_t n = 1u << r->size;
    struct {
        uint64_t out, in;
        uint32_t stride;
    } global = {r->buffers[out].guest, r->buffers[in].guest, n / 4};
    const struct { uint64_t data; } shared = {global.out};
    for (; global.stride >= PIECE; global.stride /= 4) {
        COMPILED_LAUNCH(r, "walsh_global", n / 4 / 256, 1, 256, global);
        global.in = global.out;
    }
    COMPILED_LAUNCH(r, "walsh_shared", n / PIECE, 1, PIECE / 4, shared);
}

static void launch(struct compiled_run *r) {
    const uint32_t n = 1u << r->size;
    const struct {
        uint64_t a, b;
        uint32_t n;
        float factor;
    } product = {r->buffers[DATA].guest, r->buffers[KERNEL].guest, n, 1 / (float)n};
    transform(r, DATA, IN_DATA);
    transform(r, KERNEL, IN_KERNEL);
    COMPILED_LAUNCH(r, "walsh_multiply", 64, 1, 256, product);
    transform(r, DATA, DATA);
}

static void twin_transform(float *data, size_t n) {
    for (size_t stride = n / 2; stride; stride /= 2)
        for (size_t i = 0; i < n; i++)
            if (!(i & stride)) {
                const float a = data[i], b = data[i + stride];
                data[i] = a + b;
                data[i + stride] = a - b;
            }
}

static void twin(struct compiled_run *r) {
    const size_t n = (size_t)1 << r->size;
    float *data = r->buffers[DATA].twin, *kernel = r->buffers[KERNEL].twin;
    memcpy(data, r->buffers[IN_DATA].twin, n * sizeof *data);
    memcpy(kernel, r->buffers[IN_KERNEL].twin, n * sizeof *kernel);
    twin_transform(data, n);
    twin_transform(kernel, n);
    for (size_t i = 0; i < n; i++)
        data[i] *= kernel[i] * (1 / (float)n);
    twin_transform(data, n);
}

const struct compiled_kernel program_walsh = {.name = "walsh",
                                              .cubin = "walsh",
                                              .program = true,
                                              .target = 60e6,
                                              .small = 13,
                                              .large = 19,
                                              .fill = fill,
                                              .launch = launch,
                                              .twin = twin};
