/*
 * arrive_wait_twin.c - the vector of arrive_wait.cu. The size of a run is the number of elements.
 */
#include <string.h>

#include "compiled.h"

enum { OUT, SUMS, A, B, THREADS = 256, LANES = 32, BLOCKS = 96 };

static void fill(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", r->size * sizeof(float));
    (void)compiled_buffer(r, "sums", BLOCKS * sizeof(double));
    float *a = compiled_buffer(r, "a", r->size * sizeof *a);
    float *b = compiled_buffer(r, "b", r->size * sizeof *b);
    uint64_t seed = r->size;
    for (size_t i = 0; i < r->size; i++) {
        a[i] = (float)(int32_t)compiled_random(&seed) * 0x1p-20f;
        b[i] = (float)(int32_t)compiled_random(&seed) * (i % 17 ? 0x1p-30f : 0x1p-3f);
    }
}

static void launch(struct compiled_run *r) {
    const uint32_t n = (uint32_t)r->size;
    const struct {
        uint64_t sums, a, b;
        uint32_t n;
    } dot = {r->buffers[SUMS].guest, r->buffers[A].guest, r->buffers[B].guest, n};
    const struct {
        uint64_t out, a, sums;
        uint32_t count, n;
    } divide = {r->buffers[OUT].guest, r->buffers[A].guest, r->buffers[SUMS].guest, BLOCKS, n};
    COMPILED_LAUNCH(r, "dot_product", BLOCKS, 1, THREADS, dot);
    COMPILED_LAUNCH(r, "divide_by_sum", BLOCKS, 1, THREADS, divide);
}

/* By halves: x[i] + x[i + count / 2], and so on. */
static double tree(double *x, size_t count) {
    for (size_t k = count / 2; k; k /= 2)
        for (size_t i = 0; i < k; i++)
            x[i] += x[i + k];
    return x[0];
}

/* Of what the threads of a block have: of warps, then of their sums. */
static double block_sum(double *x) {
    double warps[LANES] = {0};
    for (size_t warp = 0; warp < THREADS / LANES; warp++)
        warps[warp] = tree(x + LANES * warp, LANES);
    return tree(warps, LANES);
}

static void twin(struct compiled_run *r) {
    float *out = r->buffers[OUT].twin;
    double *sums = r->buffers[SUMS].twin, x[THREADS];
    const float *a = r->buffers[A].twin, *b = r->buffers[B].twin;
    for (size_t block = 0; block < BLOCKS; block++) {
        memset(x, 0, sizeof x);
        for (size_t t = 0; t < THREADS; t++)
            for (size_t i = block * THREADS + t; i < r->size; i += BLOCKS * THREADS)
                x[t] += (double)(a[i] * b[i]);
        sums[block] = block_sum(x);
    }
    memset(x, 0, sizeof x);
    for (size_t i = 0; i < BLOCKS; i++)
        x[i % THREADS] += sums[i];
    const double whole = block_sum(x);
    for (size_t i = 0; i < r->size; i++)
        out[i] = (float)((double)a[i] / whole);
}

const struct compiled_kernel program_arrive_wait = {.name = "arrive_wait",
                                                    .cubin = "arrive_wait",
                                                    .program = true,
                                                    .target = 13e6,
                                                    .small = 50000,
                                                    .large = 1 << 19,
                                                    .fill = fill,
                                                    .launch = launch,
                                                    .twin = twin};
