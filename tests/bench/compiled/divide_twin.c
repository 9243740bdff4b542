/*
 * divide_twin.c - quotients and remainders of divide.cu. The size of a run is the number of pairs.
 *
 * No divisor is 0, and none is -1 with the least dividend: C does not say what those give.
 */
#include "compiled.h"

enum { OUT, DIVIDENDS, DIVISORS, THREADS = 256 };

#define DIVIDE(name_, U, S)                                                                        \
    static void fill_##name_(struct compiled_run *r) {                                             \
        (void)compiled_buffer(r, "quotients and remainders", 4 * r->size * sizeof(U));             \
        U *a = compiled_buffer(r, "dividends", r->size * sizeof *a);                               \
        U *b = compiled_buffer(r, "divisors", r->size * sizeof *b);                                \
        uint64_t seed = sizeof *a;                                                                 \
        for (size_t i = 0; i < r->size; i++) {                                                     \
            a[i] = (U)compiled_hostile(&seed);                                                     \
            do                                                                                     \
                b[i] = (U)compiled_hostile(&seed);                                                 \
            while (b[i] == 0 || (b[i] == (U)-1 && a[i] == (U)1 << (8 * sizeof *a - 1)));           \
        }                                                                                          \
    }                                                                                              \
    static void launch_##name_(struct compiled_run *r) {                                           \
        const struct {                                                                             \
            uint64_t out, dividends, divisors;                                                     \
            uint32_t n;                                                                            \
        } params = {r->buffers[OUT].guest, r->buffers[DIVIDENDS].guest,                            \
                    r->buffers[DIVISORS].guest, (uint32_t)r->size};                                \
        COMPILED_LAUNCH(r, #name_, (uint32_t)(r->size / THREADS / 2 + 1), 1, THREADS, params);     \
    }                                                                                              \
    static void twin_##name_(struct compiled_run *r) {                                             \
        U *out = r->buffers[OUT].twin;                                                             \
        const U *a = r->buffers[DIVIDENDS].twin, *b = r->buffers[DIVISORS].twin;                   \
        const size_t n = r->size;                                                                  \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i] = a[i] / b[i];                                                                  \
            out[n + i] = a[i] % b[i];                                                              \
            out[2 * n + i] = (U)((S)a[i] / (S)b[i]);                                               \
            out[3 * n + i] = (U)((S)a[i] % (S)b[i]);                                               \
        }                                                                                          \
    }                                                                                              \
    const struct compiled_kernel compiled_##name_ = {.name = #name_,                               \
                                                     .cubin = "divide",                            \
                                                     .target = 25e6,                               \
                                                     .small = 1000,                                \
                                                     .large = 100000,                              \
                                                     .fill = fill_##name_,                         \
                                                     .launch = launch_##name_,                     \
                                                     .twin = twin_##name_};
DIVIDE(divide32, uint32_t, int32_t)
DIVIDE(divide64, uint64_t, int64_t)
