/*
 * atomics_twin.c - filter and buckets of atomics.cu. The size of a run is the number of elements.
 *
 * In which order elements are kept is up to the hardware: they are compared when sorted. So that
 * the counters begin anew in each launch, the host clears them.
 */
#include <stdlib.h>
#include <string.h>

#include "compiled.h"

enum { KEPT, FILLED, COUNTS, LARGEST, IN, BUCKETS = 5, THREADS = 256 };

static void fill(struct compiled_run *r) {
    const size_t n = r->size;
    (void)compiled_buffer(r, "kept", n * sizeof(int32_t));
    (void)compiled_buffer(r, "buckets", BUCKETS * n * sizeof(int32_t));
    (void)compiled_buffer(r, "counts", (1 + BUCKETS) * sizeof(uint32_t));
    (void)compiled_buffer(r, "largest", BUCKETS * sizeof(int32_t));
    uint32_t *in = compiled_buffer(r, "in", n * sizeof *in);
    compiled_hostile_words(in, n, n);
}

static void launch(struct compiled_run *r) {
    static const uint8_t zeros[(1 + BUCKETS) * sizeof(uint32_t)];
    const uint32_t n = (uint32_t)r->size, blocks = n / THREADS / 4;
    const struct {
        uint64_t out, count, in;
        uint32_t n;
    } filter = {r->buffers[KEPT].guest, r->buffers[COUNTS].guest, r->buffers[IN].guest, n};
    const struct {
        uint64_t out, counts, largest, in;
        uint32_t n;
    } buckets = {r->buffers[FILLED].guest, r->buffers[COUNTS].guest + sizeof(uint32_t),
                 r->buffers[LARGEST].guest, r->buffers[IN].guest, n};
    (void)fhec_write(r->machine, r->buffers[COUNTS].guest, zeros, r->buffers[COUNTS].bytes);
    (void)fhec_write(r->machine, r->buffers[LARGEST].guest, zeros, r->buffers[LARGEST].bytes);
    COMPILED_LAUNCH(r, "atomics_filter", blocks, 1, THREADS, filter);
    COMPILED_LAUNCH(r, "atomics_buckets", blocks, 1, THREADS, buckets);
}

static void twin(struct compiled_run *r) {
    const size_t n = r->size;
    int32_t *kept = r->buffers[KEPT].twin, *buckets = r->buffers[FILLED].twin;
    uint32_t *counts = r->buffers[COUNTS].twin;
    int32_t *largest = r->buffers[LARGEST].twin;
    const int32_t *in = r->buffers[IN].twin;
    memset(counts, 0, r->buffers[COUNTS].bytes);
    memset(largest, 0, r->buffers[LARGEST].bytes);
    for (size_t i = 0; i < n; i++) {
        const uint32_t bucket = (uint32_t)in[i] % BUCKETS;
        if (in[i] > 0)
            kept[counts[0]++] = in[i];
        buckets[bucket * n + counts[1 + bucket]++] = in[i];
        largest[bucket] = in[i] > largest[bucket] ? in[i] : largest[bucket];
    }
}

static int by_value(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool same_set(const int32_t *a, const int32_t *b, size_t n) {
    int32_t *x = malloc(2 * n * sizeof *x), *y = x ? x + n : NULL;
    if (!x)
        compiled_fail("atomics", "out of memory");
    memcpy(x, a, n * sizeof *x);
    memcpy(y, b, n * sizeof *y);
    qsort(x, n, sizeof *x, by_value);
    qsort(y, n, sizeof *y, by_value);
    const bool same = memcmp(x, y, n * sizeof *x) == 0;
    free(x);
    return same;
}

static bool same(const struct compiled_run *r, unsigned i, const void *guest) {
    const size_t n = r->size;
    const uint32_t *counts = r->buffers[COUNTS].twin;
    const int32_t *a = guest, *b = r->buffers[i].twin;
    if (i != KEPT && i != FILLED)
        return memcmp(a, b, r->buffers[i].bytes) == 0;
    if (i == KEPT)
        return same_set(a, b, counts[0]);
    for (size_t k = 0; k < BUCKETS; k++)
        if (!same_set(a + k * n, b + k * n, counts[1 + k]))
            return false;
    return true;
}

const struct compiled_kernel program_atomics = {.name = "atomics",
                                                .cubin = "atomics",
                                                .program = true,
                                                .target = 30e6,
                                                .small = 8000,
                                                .large = 200000,
                                                .fill = fill,
                                                .launch = launch,
                                                .twin = twin,
                                                .same = same};
