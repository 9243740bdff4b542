/*
 * reduce_twin.c - the sums of reduce.cu. The size of a run is the number of elements. Floats are
 * added in the kernel's order, of which their rounding depends.
 */
#include <string.h>

#include "compiled.h"

enum { OUT, IN, TICKET };

/* ---------------------------------------------------------------- integers, one block a launch */

enum { PARTS = 4 }; /* of the array, a launch for each */

static void fill_reduction(struct compiled_run *r) {
    (void)compiled_buffer(r, "sums", PARTS * sizeof(int32_t));
    uint32_t *in = compiled_buffer(r, "in", r->size * sizeof *in);
    compiled_hostile_words(in, r->size, r->size);
}

static void launch_reduction(struct compiled_run *r) {
    const size_t part = r->size / PARTS;
    for (size_t k = 0; k < PARTS; k++) {
        const struct {
            uint64_t out, in;
            uint32_t n;
        } params = {r->buffers[OUT].guest + k * sizeof(int32_t),
                    r->buffers[IN].guest + k * part * sizeof(int32_t), (uint32_t)part};
        COMPILED_LAUNCH(r, "reduce_block", 1, 1, 512, params);
    }
}

static void twin_reduction(struct compiled_run *r) {
    uint32_t *out = r->buffers[OUT].twin;
    const uint32_t *in = r->buffers[IN].twin;
    memset(out, 0, r->buffers[OUT].bytes);
    for (size_t k = 0; k < PARTS; k++)
        for (size_t i = k * (r->size / PARTS); i < (k + 1) * (r->size / PARTS); i++)
            out[k] += in[i];
}

const struct compiled_kernel program_reduction = {.name = "reduction",
                                                  .cubin = "reduce",
                                                  .program = true,
                                                  .target = 60e6,
                                                  .small = 4 * 1700,
                                                  .large = 4 << 20,
                                                  .fill = fill_reduction,
                                                  .launch = launch_reduction,
                                                  .twin = twin_reduction};

/* ---------------------------------------------------------------- floats, the last block adds */

enum { BLOCKS = 200, THREADS = 128 };

/* Sums and elements that need rounding: some are larger than all others together. */
static void fill_fence(struct compiled_run *r) {
    (void)compiled_buffer(r, "sums", (1 + BLOCKS) * sizeof(float));
    float *in = compiled_buffer(r, "in", r->size * sizeof *in);
    (void)compiled_buffer(r, "ticket", sizeof(uint32_t));
    uint64_t seed = r->size;
    for (size_t i = 0; i < r->size; i++) {
        const uint64_t x = compiled_random(&seed);
        in[i] = (float)(int32_t)x * (x >> 60 ? 0x1p-20f : 0x1p3f);
    }
}

static void launch_fence(struct compiled_run *r) {
    const struct {
        uint64_t out, in, ticket;
        uint32_t n;
    } params = {r->buffers[OUT].guest, r->buffers[IN].guest, r->buffers[TICKET].guest,
                (uint32_t)r->size};
    COMPILED_LAUNCH(r, "reduce_fence", BLOCKS, 1, THREADS, params);
}

/* One block: threads take every `stride`-th element from their own on, then add by a tree. */
static float block_sum(const float *in, size_t n, size_t first, size_t stride) {
    float part[THREADS] = {0};
    for (size_t t = 0; t < THREADS; t++)
        for (size_t i = first + t; i < n; i += stride)
            part[t] += in[i];
    for (size_t k = THREADS / 2; k; k /= 2)
        for (size_t t = 0; t < k; t++)
            part[t] += part[t + k];
    return part[0];
}

static void twin_fence(struct compiled_run *r) {
    float *out = r->buffers[OUT].twin;
    for (size_t b = 0; b < BLOCKS; b++)
        out[1 + b] = block_sum(r->buffers[IN].twin, r->size, b * THREADS, BLOCKS * THREADS);
    out[0] = block_sum(out + 1, BLOCKS, 0, THREADS);
}

const struct compiled_kernel program_thread_fence = {.name = "thread_fence",
                                                     .cubin = "reduce",
                                                     .program = true,
                                                     .target = 60e6,
                                                     .small = 60000,
                                                     .large = 4 << 20,
                                                     .fill = fill_fence,
                                                     .launch = launch_fence,
                                                     .twin = twin_fence};
