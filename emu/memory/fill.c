/* fill.c - see fill.h. */
#include "fill.h"

#include <string.h>

bool fh_fill_valid(const fhec_fill *fill) {
    return fill->kind == FHEC_FILL_ZERO || fill->kind == FHEC_FILL_WORD ||
           fill->kind == FHEC_FILL_SEED;
}

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * 2014). */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t fh_fill_word64(uint64_t seed, uint64_t stream, uint64_t index) {
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    return mix(mix(seed + step * (stream + 1)) + step * (index + 1));
}

uint32_t fh_fill_word(const fhec_fill *fill, uint64_t stream, uint64_t i) {
    switch (fill->kind) {
    case FHEC_FILL_WORD: return (uint32_t)fill->value;
    case FHEC_FILL_SEED:
        return (uint32_t)(fh_fill_word64(fill->value, stream, i / 2) >> (i % 2 ? 32 : 0));
    default: return 0;
    }
}

void fh_clear(void *to, size_t bytes) {
    memset(to, 0, bytes);
}

void fh_fill_bytes(const fhec_fill *fill, uint64_t stream, uint64_t at, void *to, size_t bytes) {
    uint8_t *out = to;
    if (fill->kind == FHEC_FILL_ZERO) {
        memset(to, 0, bytes);
        return;
    }
    while (bytes) {
        const uint32_t word = fh_fill_word(fill, stream, at / 4) >> 8 * (at % 4);
        const size_t left = 4 - at % 4, here = left < bytes ? left : bytes;
        for (size_t i = 0; i < here; i++)
            out[i] = (uint8_t)(word >> 8 * i);
        out += here;
        at += here;
        bytes -= here;
    }
}
