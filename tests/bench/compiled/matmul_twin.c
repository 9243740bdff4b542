/*
 * matmul_twin.c - the product of matmul.cu. The size of a run is the height of the matrices, a
 * third of their width.
 */
#include <math.h>

#include "compiled.h"

enum { C, A, B, TILE = 32 };

/* a: size x 2 size, b: 2 size x 3 size. */
static void fill(struct compiled_run *r) {
    const size_t n = r->size;
    (void)compiled_buffer(r, "c", 3 * n * n * sizeof(float));
    float *a = compiled_buffer(r, "a", 2 * n * n * sizeof *a);
    float *b = compiled_buffer(r, "b", 6 * n * n * sizeof *b);
    uint64_t seed = n;
    for (size_t i = 0; i < 2 * n * n; i++)
        a[i] = (float)(int32_t)compiled_random(&seed) * 0x1p-31f;
    for (size_t i = 0; i < 6 * n * n; i++)
        b[i] = (float)(int32_t)compiled_random(&seed) * 0x1p-28f;
}

static void launch(struct compiled_run *r) {
    const uint32_t n = (uint32_t)r->size;
    const struct {
        uint64_t c, a, b;
        uint32_t inner, width;
    } params = {r->buffers[C].guest, r->buffers[A].guest, r->buffers[B].guest, 2 * n, 3 * n};
    compiled_launch(r, "matmul", (const uint32_t[3]){3 * n / TILE, n / TILE, 1},
                    (const uint32_t[3]){TILE, TILE, 1}, &params, sizeof params);
}

static void twin(struct compiled_run *r) {
    const size_t n = r->size, inner = 2 * n, width = 3 * n;
    float *c = r->buffers[C].twin;
    const float *a = r->buffers[A].twin, *b = r->buffers[B].twin;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < width; x++) {
            float sum = 0;
            for (size_t i = 0; i < inner; i++)
                sum = fmaf(a[y * inner + i], b[i * width + x], sum);
            c[y * width + x] = sum;
        }
}

const struct compiled_kernel program_float_matmul = {.name = "float_matmul",
                                                     .cubin = "matmul",
                                                     .program = true,
                                                     .target = 60e6,
                                                     .small = 32,
                                                     .large = 128,
                                                     .fill = fill,
                                                     .launch = launch,
                                                     .twin = twin};
