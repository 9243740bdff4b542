/*
 * transpose_twin.c - the copies and transposes of transpose.cu. The size of a run is the width of
 * the matrix, whose height is half of it.
 */
#include <string.h>

#include "compiled.h"

enum { COPY, TILES, DIAGONAL, IN, TILE = 16 };

/* Any bits: nothing is computed with them. */
static void fill(struct compiled_run *r) {
    const size_t elements = r->size * r->size / 2;
    (void)compiled_buffer(r, "copy", elements * sizeof(uint32_t));
    (void)compiled_buffer(r, "transpose by tiles", elements * sizeof(uint32_t));
    (void)compiled_buffer(r, "transpose by diagonals", elements * sizeof(uint32_t));
    uint32_t *in = compiled_buffer(r, "in", elements * sizeof *in);
    uint64_t seed = r->size;
    for (size_t i = 0; i < elements; i++)
        in[i] = (uint32_t)compiled_hostile(&seed) ^ (uint32_t)i;
}

static void launch(struct compiled_run *r) {
    static const char *const kernels[] = {"transpose_copy", "transpose_tiles",
                                          "transpose_diagonal"};
    const uint32_t width = (uint32_t)r->size, height = width / 2;
    for (unsigned k = COPY; k <= DIAGONAL; k++) {
        const struct {
            uint64_t out, in;
            uint32_t width, height;
        } params = {r->buffers[k].guest, r->buffers[IN].guest, width, height};
        compiled_launch(r, kernels[k], (const uint32_t[3]){width / TILE, height / TILE, 1},
                        (const uint32_t[3]){TILE, TILE, 1}, &params, sizeof params);
    }
}

static void twin(struct compiled_run *r) {
    const size_t width = r->size, height = width / 2;
    const uint32_t *in = r->buffers[IN].twin;
    uint32_t *tiles = r->buffers[TILES].twin, *diagonal = r->buffers[DIAGONAL].twin;
    memcpy(r->buffers[COPY].twin, in, r->buffers[COPY].bytes);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            tiles[x * height + y] = diagonal[x * height + y] = in[y * width + x];
}

const struct compiled_kernel program_transpose = {.name = "transpose",
                                                  .cubin = "transpose",
                                                  .program = true,
                                                  .target = 60e6,
                                                  .small = 96,
                                                  .large = 1024,
                                                  .fill = fill,
                                                  .launch = launch,
                                                  .twin = twin};
