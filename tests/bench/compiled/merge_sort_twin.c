/*
 * merge_sort_twin.c - the stable sort of merge_sort.cu. The size of a run is the number of
 * elements, 1024 times a power of four, so that the last launch leaves them in the first of two
 * places.
 */
#include "compiled.h"

enum { KEYS, VALUES, OTHER_KEYS, OTHER_VALUES, IN_KEYS, IN_VALUES, PIECE = 1024 };

static void fill(struct compiled_run *r) {
    static const char *const names[] = {"keys",         "values",  "other keys",
                                        "other values", "in keys", "in values"};
    uint32_t *in[6];
    uint64_t seed = r->size;
    for (unsigned i = 0; i < 6; i++)
        in[i] = compiled_buffer(r, names[i], r->size * sizeof(uint32_t));
    for (size_t i = 0; i < r->size; i++) {
        in[IN_KEYS][i] = (uint32_t)compiled_hostile(&seed);
        in[IN_VALUES][i] = (uint32_t)i;
    }
}

static void launch(struct compiled_run *r) {
    const uint32_t blocks = (uint32_t)(r->size / PIECE);
    struct {
        uint64_t keys, values, from_keys, from_values;
        uint32_t run;
    } params = {r->buffers[KEYS].guest, r->buffers[VALUES].guest, r->buffers[IN_KEYS].guest,
                r->buffers[IN_VALUES].guest, PIECE};
    compiled_launch(r, "merge_pieces", (const uint32_t[3]){blocks, 1, 1},
                    (const uint32_t[3]){PIECE / 2, 1, 1}, &params,
                    offsetof(__typeof__(params), run));
    for (unsigned from = KEYS; params.run < r->size; params.run *= 2, from ^= OTHER_KEYS) {
        const unsigned to = from ^ OTHER_KEYS;
        params.from_keys = r->buffers[from].guest;
        params.from_values = r->buffers[from + 1].guest;
        params.keys = r->buffers[to].guest;
        params.values = r->buffers[to + 1].guest;
        COMPILED_LAUNCH(r, "merge_runs", blocks, 1, PIECE / 2, params);
    }
}

/* The sorted runs of n / 2 elements from `from` on, merged. */
static void merge(uint32_t *keys, uint32_t *values, const uint32_t *from_keys,
                  const uint32_t *from_values, size_t n) {
    size_t a = 0, b = n / 2;
    for (size_t i = 0; i < n; i++) {
        const size_t k = b == n || (a < n / 2 && from_keys[a] <= from_keys[b]) ? a++ : b++;
        keys[i] = from_keys[k];
        values[i] = from_values[k];
    }
}

/* An even number of rounds leaves the result where it is wanted, and what was there before the last
 * one in the other place, as the kernels do. */
static void twin(struct compiled_run *r) {
    uint32_t *place[] = {r->buffers[KEYS].twin, r->buffers[VALUES].twin,
                         r->buffers[OTHER_KEYS].twin, r->buffers[OTHER_VALUES].twin};
    unsigned to = KEYS;
    for (size_t i = 0; i < r->size; i++) {
        place[KEYS][i] = ((const uint32_t *)r->buffers[IN_KEYS].twin)[i];
        place[VALUES][i] = ((const uint32_t *)r->buffers[IN_VALUES].twin)[i];
    }
    for (size_t n = 2; n <= r->size; n *= 2) {
        const unsigned from = to;
        to ^= OTHER_KEYS;
        for (size_t i = 0; i < r->size; i += n)
            merge(place[to] + i, place[to + 1] + i, place[from] + i, place[from + 1] + i, n);
    }
}

const struct compiled_kernel program_merge_sort = {.name = "merge_sort",
                                                   .cubin = "merge_sort",
                                                   .program = true,
                                                   .target = 60e6,
                                                   .small = 4096,
                                                   .large = 65536,
                                                   .fill = fill,
                                                   .launch = launch,
                                                   .twin = twin};
