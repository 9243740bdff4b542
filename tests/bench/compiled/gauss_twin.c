/*
 * gauss_twin.c - the samples of gauss.cu. The size of a run is the number of counters.
 *
 * By table they are equal. The logarithm, sine and cosine of the hardware are a little off: a
 * sample between two integers may be rounded to the other one, so it may differ by one, rarely.
 */
#include <math.h>
#include <string.h>

#include "compiled.h"

enum { OUT, TABLE, ENTRIES = 32, THREADS = 256, FIRST = 0xfffffff0 };
#define KEY              UINT64_C(0x13198a2e03707344)
#define DEVIATION        3.2
#define SQUARE_ROOT_HALF 0.70710678118654752440

struct counters {
    uint32_t x[4];
};

static struct counters philox(uint32_t counter) {
    struct counters c = {{counter, 0, 0x243f6a88, 0x85a308d3}};
    uint32_t k0 = (uint32_t)KEY, k1 = (uint32_t)(KEY >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)c.x[0] * 0xd2511f53u, b = (uint64_t)c.x[2] * 0xcd9e8d57u;
        c = (struct counters){{(uint32_t)(b >> 32) ^ c.x[1] ^ k0, (uint32_t)b,
                               (uint32_t)(a >> 32) ^ c.x[3] ^ k1, (uint32_t)a}};
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

static uint32_t blocks_of(const struct compiled_run *r) {
    return (uint32_t)(r->size / THREADS / 2 + 1);
}

/* ---------------------------------------------------------------- by table */

/* table[i]: the probability of at most i of a rounded half Gaussian, in units of 2^-63. */
static void fill_cdt(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", r->size * 2 * sizeof(int32_t));
    uint64_t *table = compiled_buffer(r, "table", ENTRIES * sizeof *table);
    for (size_t i = 0; i < ENTRIES; i++) {
        const double below = erf(((double)i + 0.5) / DEVIATION * SQUARE_ROOT_HALF);
        table[i] = below < 1 ? (uint64_t)(below * 0x1p63) : UINT64_C(0x7fffffffffffffff);
    }
}

static void launch_cdt(struct compiled_run *r) {
    const struct {
        uint64_t out, table, key;
        uint32_t first, n;
    } params = {r->buffers[OUT].guest, r->buffers[TABLE].guest, KEY, FIRST, (uint32_t)r->size};
    COMPILED_LAUNCH(r, "gauss_cdt", blocks_of(r), 1, THREADS, params);
}

static int32_t sample(const uint64_t *table, uint32_t low, uint32_t high) {
    const uint64_t x = (uint64_t)(high & 0x7fffffff) << 32 | low;
    int32_t magnitude = 0;
    for (size_t i = 0; i < ENTRIES; i++)
        magnitude += x >= table[i];
    return high >> 31 ? -magnitude : magnitude;
}

static void twin_cdt(struct compiled_run *r) {
    int32_t *out = r->buffers[OUT].twin;
    const uint64_t *table = r->buffers[TABLE].twin;
    for (size_t i = 0; i < r->size; i++) {
        const struct counters c = philox(FIRST + (uint32_t)i);
        out[2 * i] = sample(table, c.x[0], c.x[1]);
        out[2 * i + 1] = sample(table, c.x[2], c.x[3]);
    }
}

const struct compiled_kernel compiled_gauss_cdt = {.name = "gauss_cdt",
                                                   .cubin = "gauss",
                                                   .target = 25e6,
                                                   .small = 700,
                                                   .large = 65536,
                                                   .fill = fill_cdt,
                                                   .launch = launch_cdt,
                                                   .twin = twin_cdt};

/* ---------------------------------------------------------------- Box and Muller */

static void fill_box_muller(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", r->size * 4 * sizeof(int32_t));
}

static void launch_box_muller(struct compiled_run *r) {
    const struct {
        uint64_t out, key;
        uint32_t first, n;
        float deviation;
    } params = {r->buffers[OUT].guest, KEY, FIRST, (uint32_t)r->size, (float)DEVIATION};
    COMPILED_LAUNCH(r, "gauss_box_muller", blocks_of(r), 1, THREADS, params);
}

static void twin_box_muller(struct compiled_run *r) {
    int32_t *out = r->buffers[OUT].twin;
    const float scale = 0x1p-32f, turn = 6.2831853071795865f * scale;
    for (size_t i = 0; i < r->size; i++) {
        const struct counters c = philox(FIRST + (uint32_t)i);
        for (size_t k = 0; k < 4; k += 2) {
            const float u = (float)c.x[k] * scale + scale / 2, angle = (float)c.x[k + 1] * turn;
            const float radius = (float)DEVIATION * sqrtf(-2 * logf(u));
            out[4 * i + k] = (int32_t)lrintf(radius * cosf(angle));
            out[4 * i + k + 1] = (int32_t)lrintf(radius * sinf(angle));
        }
    }
}

static bool nearly_the_same(const struct compiled_run *r, unsigned i, const void *guest) {
    const struct compiled_buffer *b = &r->buffers[i];
    const int32_t *x = guest, *y = b->twin;
    const size_t n = b->bytes / sizeof *x;
    size_t other = 0;
    for (size_t k = 0; k < n; k++) {
        if (x[k] - y[k] > 1 || y[k] - x[k] > 1)
            return false;
        other += x[k] != y[k];
    }
    return other <= n / 1000;
}

const struct compiled_kernel compiled_gauss_box_muller = {.name = "gauss_box_muller",
                                                          .cubin = "gauss",
                                                          .target = 25e6,
                                                          .small = 700,
                                                          .large = 65536,
                                                          .fill = fill_box_muller,
                                                          .launch = launch_box_muller,
                                                          .twin = twin_box_muller,
                                                          .same = nearly_the_same};
