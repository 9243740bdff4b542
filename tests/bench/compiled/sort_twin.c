/*
 * sort_twin.c - radix sort of sort.cu. The size of a run is the number of keys.
 */
#include <string.h>

#include "compiled.h"

enum { IN, KEYS, OTHER, COUNTS, CHUNK = 1024, DIGITS = 16, BITS = 4, THREADS = 256 };

static uint32_t blocks_of(const struct compiled_run *r) {
    return (uint32_t)((r->size + CHUNK - 1) / CHUNK);
}

/* A third of the keys is in a narrow range, so that digits are uneven. */
static void fill(struct compiled_run *r) {
    uint32_t *in = compiled_buffer(r, "in", r->size * sizeof *in);
    (void)compiled_buffer(r, "keys", r->size * sizeof *in);
    (void)compiled_buffer(r, "other", r->size * sizeof *in);
    (void)compiled_buffer(r, "counts", (size_t)blocks_of(r) * DIGITS * sizeof *in);
    uint64_t seed = r->size;
    for (size_t i = 0; i < r->size; i++)
        in[i] = (uint32_t)(i % 3 ? compiled_hostile(&seed) : 0x1000 + (compiled_random(&seed) & 7));
}

/* Digit by digit from `in` to `other`, from there to `keys`, and between these two. */
static void launch(struct compiled_run *r) {
    const uint64_t place[] = {r->buffers[KEYS].guest, r->buffers[OTHER].guest};
    const uint32_t blocks = blocks_of(r), n = (uint32_t)r->size;
    for (uint32_t shift = 0; shift < 32; shift += BITS) {
        const uint64_t from = shift ? place[shift / BITS & 1] : r->buffers[IN].guest;
        const struct {
            uint64_t counts, keys;
            uint32_t shift, n;
        } count = {r->buffers[COUNTS].guest, from, shift, n};
        const struct {
            uint64_t counts;
            uint32_t n;
        } scan = {r->buffers[COUNTS].guest, DIGITS * blocks};
        const struct {
            uint64_t out, keys, counts;
            uint32_t shift, n;
        } scatter = {place[~shift / BITS & 1], from, r->buffers[COUNTS].guest, shift, n};
        COMPILED_LAUNCH(r, "radix_count", blocks, 1, THREADS, count);
        COMPILED_LAUNCH(r, "radix_scan", 1, 1, CHUNK, scan);
        COMPILED_LAUNCH(r, "radix_scatter", blocks, 1, THREADS, scatter);
    }
}

static void sort_digit(uint32_t *out, const uint32_t *keys, size_t n, unsigned shift) {
    size_t next[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        next[keys[i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        out[next[keys[i] >> shift & (DIGITS - 1)]++] = keys[i];
}

static void twin(struct compiled_run *r) {
    uint32_t *place[] = {r->buffers[KEYS].twin, r->buffers[OTHER].twin};
    for (unsigned shift = 0; shift < 32; shift += BITS)
        sort_digit(place[~shift / BITS & 1], shift ? place[shift / BITS & 1] : r->buffers[IN].twin,
                   r->size, shift);
}

/* The twin has no counts of blocks. */
static bool same(const struct compiled_run *r, unsigned i, const void *guest) {
    return i == COUNTS || memcmp(guest, r->buffers[i].twin, r->buffers[i].bytes) == 0;
}

const struct compiled_kernel compiled_radix_sort = {.name = "radix_sort",
                                                    .cubin = "sort",
                                                    .target = 25e6,
                                                    .small = 3000,
                                                    .large = 64000,
                                                    .fill = fill,
                                                    .launch = launch,
                                                    .twin = twin,
                                                    .same = same};
