/*
 * histogram_twin.c - the counts of histogram.cu. The size of a run is the number of blocks, each of
 * which counts 15 times 16 bytes for each of its threads.
 */
#include "compiled.h"

enum { OUT, PARTS, IN, BINS = 64, THREADS = 64, ROUNDS = 15, LINE = 16 };

/* Half of the bytes have one of four values. */
static void fill(struct compiled_run *r) {
    const size_t bytes = r->size * THREADS * ROUNDS * LINE;
    (void)compiled_buffer(r, "counts", BINS * sizeof(uint32_t));
    (void)compiled_buffer(r, "counts of blocks", r->size * BINS * sizeof(uint32_t));
    uint8_t *in = compiled_buffer(r, "in", bytes);
    uint64_t seed = r->size;
    for (size_t i = 0; i < bytes; i++) {
        const uint64_t x = compiled_random(&seed);
        in[i] = (uint8_t)(x >> 63 ? x : 0xfc * (x & 1) + (x >> 1 & 4));
    }
}

static void launch(struct compiled_run *r) {
    const uint32_t blocks = (uint32_t)r->size;
    const struct {
        uint64_t parts, in;
        uint32_t n;
    } count = {r->buffers[PARTS].guest, r->buffers[IN].guest, blocks * THREADS * ROUNDS};
    const struct {
        uint64_t out, parts;
        uint32_t count;
    } merge = {r->buffers[OUT].guest, r->buffers[PARTS].guest, blocks};
    COMPILED_LAUNCH(r, "histogram_blocks", blocks, 1, THREADS, count);
    COMPILED_LAUNCH(r, "histogram_merge", BINS, 1, 256, merge);
}

static void twin(struct compiled_run *r) {
    uint32_t *out = r->buffers[OUT].twin, *parts = r->buffers[PARTS].twin;
    const uint8_t *in = r->buffers[IN].twin;
    for (size_t i = 0; i < r->size * BINS; i++)
        parts[i] = out[i % BINS] = 0;
    for (size_t i = 0; i < r->buffers[IN].bytes; i++) {
        parts[i / (LINE * THREADS) % r->size * BINS + in[i] / 4]++;
        out[in[i] / 4]++;
    }
}

const struct compiled_kernel program_histogram = {.name = "histogram",
                                                  .cubin = "histogram",
                                                  .program = true,
                                                  .target = 60e6,
                                                  .small = 7,
                                                  .large = 400,
                                                  .fill = fill,
                                                  .launch = launch,
                                                  .twin = twin};
