/*
 * scan_twin.c - prefix sums of scan.cu. The size of a run is the number of pieces of 1024 words.
 */
#include "compiled.h"

enum { OUT, SUMS, IN, THREADS = 256, PIECE = 1024 };

static void fill(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", r->size * PIECE * sizeof(uint32_t));
    (void)compiled_buffer(r, "sums", r->size * sizeof(uint32_t));
    uint32_t *in = compiled_buffer(r, "in", r->size * PIECE * sizeof *in);
    compiled_hostile_words(in, r->size * PIECE, r->size);
}

static void launch(struct compiled_run *r) {
    const uint32_t pieces = (uint32_t)r->size;
    const struct {
        uint64_t out, sums, in;
    } all = {r->buffers[OUT].guest, r->buffers[SUMS].guest, r->buffers[IN].guest};
    const struct {
        uint64_t sums;
        uint32_t n;
    } sums = {r->buffers[SUMS].guest, pieces};
    const struct { uint64_t out, sums; } add = {r->buffers[OUT].guest, r->buffers[SUMS].guest};
    COMPILED_LAUNCH(r, "scan_pieces", pieces, 1, THREADS, all);
    COMPILED_LAUNCH(r, "scan_sums", 1, 1, THREADS, sums);
    COMPILED_LAUNCH(r, "scan_add", pieces, 1, THREADS, add);
}

static void twin(struct compiled_run *r) {
    uint32_t *out = r->buffers[OUT].twin, *sums = r->buffers[SUMS].twin, sum = 0;
    const uint32_t *in = r->buffers[IN].twin;
    for (size_t piece = 0; piece < r->size; piece++) {
        for (size_t i = piece * PIECE; i < (piece + 1) * PIECE; i++)
            out[i] = sum += in[i];
        sums[piece] = sum;
    }
}

const struct compiled_kernel compiled_scan = {.name = "scan",
                                              .cubin = "scan",
                                              .target = 25e6,
                                              .small = 300,
                                              .large = 1000,
                                              .fill = fill,
                                              .launch = launch,
                                              .twin = twin};
