/*
 * imma_twin.c - the product of imma.cu. The size of a run is the height of the matrices, half of
 * their width.
 */
#include "compiled.h"

enum { D, A, B, C, TILE = 64 };

/* a: size x 3 size, b: 3 size x 2 size. */
static void fill(struct compiled_run *r) {
    const size_t n = r->size;
    (void)compiled_buffer(r, "d", 2 * n * n * sizeof(int32_t));
    int8_t *a = compiled_buffer(r, "a", 3 * n * n);
    int8_t *b = compiled_buffer(r, "b", 6 * n * n);
    uint32_t *c = compiled_buffer(r, "c", 2 * n * n * sizeof *c);
    uint64_t seed = n;
    for (size_t i = 0; i < 3 * n * n; i++)
        a[i] = (int8_t)compiled_hostile(&seed);
    for (size_t i = 0; i < 6 * n * n; i++)
        b[i] = (int8_t)compiled_hostile(&seed);
    for (size_t i = 0; i < 2 * n * n; i++)
        c[i] = (uint32_t)compiled_hostile(&seed);
}

static void launch(struct compiled_run *r) {
    const uint32_t n = (uint32_t)r->size;
    const struct {
        uint64_t d, a, b, c;
        uint32_t inner, width;
    } params = {r->buffers[D].guest,
                r->buffers[A].guest,
                r->buffers[B].guest,
                r->buffers[C].guest,
                3 * n,
                2 * n};
    COMPILED_LAUNCH(r, "imma", 2 * n / TILE, n / TILE, 128, params);
}

static void twin(struct compiled_run *r) {
    const size_t n = r->size, inner = 3 * n, width = 2 * n;
    uint32_t *d = r->buffers[D].twin;
    const int8_t *a = r->buffers[A].twin, *b = r->buffers[B].twin;
    const uint32_t *c = r->buffers[C].twin;
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < width; x++) {
            uint32_t sum = c[y * width + x];
            for (size_t i = 0; i < inner; i++)
                sum += (uint32_t)(a[y * inner + i] * b[x * inner + i]);
            d[y * width + x] = sum;
        }
}

const struct compiled_kernel program_imma = {.name = "imma",
                                             .cubin = "imma",
                                             .program = true,
                                             .target = 60e6,
                                             .small = 64,
                                             .large = 512,
                                             .fill = fill,
                                             .launch = launch,
                                             .twin = twin};
