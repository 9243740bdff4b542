/*
 * networks_twin.c - the networks of networks.cu. The size of a run is the number of elements, a
 * power of two. Equal keys have different values, so that which of them change places is seen.
 */
#include <string.h>

#include "compiled.h"

enum { BITONIC_KEYS, BITONIC_VALUES, ODD_EVEN_KEYS, ODD_EVEN_VALUES, KEYS, VALUES, PIECE = 1024 };

static void fill(struct compiled_run *r) {
    static const char *const names[] = {"bitonic keys",    "bitonic values", "odd-even keys",
                                        "odd-even values", "keys",           "values"};
    uint32_t *in[6];
    uint64_t seed = r->size;
    for (unsigned i = 0; i < 6; i++)
        in[i] = compiled_buffer(r, names[i], r->size * sizeof(uint32_t));
    for (size_t i = 0; i < r->size; i++) {
        in[KEYS][i] = (uint32_t)compiled_hostile(&seed);
        in[VALUES][i] = (uint32_t)i;
    }
}

struct step {
    uint64_t keys, values;
    uint32_t size, stride;
};

static void sort_pieces(struct compiled_run *r, const char *kernel, const struct step *step) {
    const struct {
        uint64_t keys, values, from_keys, from_values;
    } params = {step->keys, step->values, r->buffers[KEYS].guest, r->buffers[VALUES].guest};
    COMPILED_LAUNCH(r, kernel, (uint32_t)r->size / PIECE, 1, PIECE / 2, params);
}

static void launch(struct compiled_run *r) {
    const uint32_t n = (uint32_t)r->size;
    struct step step = {r->buffers[BITONIC_KEYS].guest, r->buffers[BITONIC_VALUES].guest, 0, 0};
    sort_pieces(r, "bitonic_sort", &step);
    for (step.size = 2 * PIECE; step.size <= n; step.size *= 2) {
        for (step.stride = step.size / 2; step.stride >= PIECE; step.stride /= 2)
            COMPILED_LAUNCH(r, "bitonic_step", n / 2 / 256, 1, 256, step);
        const struct {
            uint64_t keys, values;
            uint32_t size;
        } merge = {step.keys, step.values, step.size};
        COMPILED_LAUNCH(r, "bitonic_merge", n / PIECE, 1, PIECE / 2, merge);
    }
    step.keys = r->buffers[ODD_EVEN_KEYS].guest;
    step.values = r->buffers[ODD_EVEN_VALUES].guest;
    sort_pieces(r, "odd_even_sort", &step);
    for (step.size = 2 * PIECE; step.size <= n; step.size *= 2)
        for (step.stride = step.size / 2; step.stride; step.stride /= 2)
            COMPILED_LAUNCH(r, "odd_even_step", n / 2 / 256, 1, 256, step);
}

static void compare(uint32_t *keys, uint32_t *values, size_t a, size_t b, bool up) {
    if ((keys[a] > keys[b]) != up)
        return;
    const uint32_t key = keys[a], value = values[a];
    keys[a] = keys[b];
    values[a] = values[b];
    keys[b] = key;
    values[b] = value;
}

/* Batcher's two networks (1968), as they are drawn. */
static void twin(struct compiled_run *r) {
    const size_t n = r->size, bytes = n * sizeof(uint32_t);
    uint32_t *keys = r->buffers[BITONIC_KEYS].twin, *values = r->buffers[BITONIC_VALUES].twin;
    memcpy(keys, r->buffers[KEYS].twin, bytes);
    memcpy(values, r->buffers[VALUES].twin, bytes);
    for (size_t size = 2; size <= n; size *= 2)
        for (size_t stride = size / 2; stride; stride /= 2)
            for (size_t i = 0; i < n; i++)
                if (!(i & stride))
                    compare(keys, values, i, i + stride, !(i & size));
    keys = r->buffers[ODD_EVEN_KEYS].twin;
    values = r->buffers[ODD_EVEN_VALUES].twin;
    memcpy(keys, r->buffers[KEYS].twin, bytes);
    memcpy(values, r->buffers[VALUES].twin, bytes);
    for (size_t half = 1; half < n; half *= 2) {
        for (size_t i = 0; i < n; i++)
            if (!(i & half))
                compare(keys, values, i, i + half, true);
        for (size_t stride = half / 2; stride; stride /= 2)
            for (size_t i = 0; i + stride < n; i++)
                if (i & stride && (i & (2 * half - 1)) + stride < 2 * half)
                    compare(keys, values, i, i + stride, true);
    }
}

const struct compiled_kernel program_sorting_networks = {.name = "sorting_networks",
                                                         .cubin = "networks",
                                                         .program = true,
                                                         .target = 60e6,
                                                         .small = 4096,
                                                         .large = 16384,
                                                         .fill = fill,
                                                         .launch = launch,
                                                         .twin = twin};
