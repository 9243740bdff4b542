/*
 * sobol_twin.c - the sequence of sobol.cu. The size of a run is the number of elements of a
 * dimension.
 */
#include "compiled.h"

enum { OUT, DIRECTIONS, BITS = 32, DIMENSIONS = 24, BLOCKS = 16, THREADS = 64 };

/* Direction k has a one at bit 31 - k and zeros below. */
static void fill(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", DIMENSIONS * r->size * sizeof(float));
    uint32_t *v = compiled_buffer(r, "directions", DIMENSIONS * BITS * sizeof *v);
    uint64_t seed = r->size;
    for (size_t i = 0; i < DIMENSIONS * BITS; i++)
        v[i] = ((uint32_t)compiled_random(&seed) | 1) << (31 - i % BITS);
}

static void launch(struct compiled_run *r) {
    const struct {
        uint64_t out, directions;
        uint32_t n;
    } params = {r->buffers[OUT].guest, r->buffers[DIRECTIONS].guest, (uint32_t)r->size};
    COMPILED_LAUNCH(r, "sobol", BLOCKS, DIMENSIONS, THREADS, params);
}

static void twin(struct compiled_run *r) {
    float *out = r->buffers[OUT].twin;
    for (size_t d = 0; d < DIMENSIONS; d++) {
        const uint32_t *v = (const uint32_t *)r->buffers[DIRECTIONS].twin + BITS * d;
        for (size_t i = 0; i < r->size; i++) {
            uint32_t x = 0;
            for (size_t k = 0; k < BITS; k++)
                if ((i ^ i >> 1) >> k & 1)
                    x ^= v[k];
            out[d * r->size + i] = (float)x * 0x1p-32f;
        }
    }
}

const struct compiled_kernel program_sobol = {.name = "sobol",
                                              .cubin = "sobol",
                                              .program = true,
                                              .target = 60e6,
                                              .small = 5000,
                                              .large = 100000,
                                              .fill = fill,
                                              .launch = launch,
                                              .twin = twin};
