/*
 * prefix_twin.c - prefix sums of prefix.cu. The size of a run is the number of pieces of 1024
 * words; each 16 pieces are an array.
 */
#include "compiled.h"

enum { OUT, SUMS, IN, THREADS = 256, PIECE = 1024, ARRAY = 16 };

static void fill(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", r->size * PIECE * sizeof(uint32_t));
    (void)compiled_buffer(r, "sums", r->size * sizeof(uint32_t));
    uint32_t *in = compiled_buffer(r, "in", r->size * PIECE * sizeof *in);
    compiled_hostile_words(in, r->size * PIECE, r->size);
}

static void launch(struct compiled_run *r) {
    const uint32_t pieces = (uint32_t)r->size;
    const struct {
        uint64_t out, in;
        uint32_t size;
    } all = {r->buffers[OUT].guest, r->buffers[IN].guest, PIECE};
    const struct {
        uint64_t sums, out, in;
        uint32_t n, count;
    } sums = {r->buffers[SUMS].guest, r->buffers[OUT].guest, r->buffers[IN].guest, pieces, ARRAY};
    const struct { uint64_t out, sums; } add = {r->buffers[OUT].guest, r->buffers[SUMS].guest};
    COMPILED_LAUNCH(r, "prefix_pieces", pieces, 1, THREADS, all);
    COMPILED_LAUNCH(r, "prefix_sums", (pieces + THREADS - 1) / THREADS, 1, THREADS, sums);
    COMPILED_LAUNCH(r, "prefix_add", pieces, 1, THREADS, add);
}

static void twin(struct compiled_run *r) {
    uint32_t *out = r->buffers[OUT].twin, *sums = r->buffers[SUMS].twin, sum = 0;
    const uint32_t *in = r->buffers[IN].twin;
    for (size_t piece = 0; piece < r->size; piece++) {
        sum = piece % ARRAY ? sum : 0;
        sums[piece] = sum;
        for (size_t i = piece * PIECE; i < (piece + 1) * PIECE; i++) {
            out[i] = sum;
            sum += in[i];
        }
    }
}

const struct compiled_kernel program_scan = {.name = "scan",
                                             .cubin = "prefix",
                                             .program = true,
                                             .target = 30e6,
                                             .small = 48,
                                             .large = 1664,
                                             .fill = fill,
                                             .launch = launch,
                                             .twin = twin};
