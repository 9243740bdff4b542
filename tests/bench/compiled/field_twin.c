/*
 * field_twin.c - powers in the field of field.cu, with four words of 64 bits. The size of a run is
 * the number of powers.
 */
#include <string.h>

#include "compiled.h"
#include "field_twin.h"

enum { OUT, IN, EXPONENTS, THREADS = 128 };

const uint64_t field_prime[FIELD_WORDS] = {
    UINT64_C(0xffffffff00000001), UINT64_C(0x53bda402fffe5bfe), UINT64_C(0x3339d80809a1d805),
    UINT64_C(0x73eda753299d7d48)};
/* 2^256 modulo the prime, and -1 / prime modulo 2^64 */
static const uint64_t one[FIELD_WORDS] = {
    UINT64_C(0x00000001fffffffe), UINT64_C(0x5884b7fa00034802), UINT64_C(0x998c4fefecbc4ff5),
    UINT64_C(0x1824b159acc5056f)};
#define INVERSE UINT64_C(0xfffffffeffffffff)

/* r = a b 2^-256; it may be a or b. Coarsely integrated operand scanning (Koc, Acar, Kaliski
 * 1996). */
static void times(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t sum[FIELD_WORDS + 1] = {0}, less[FIELD_WORDS];
    for (size_t i = 0; i < FIELD_WORDS; i++) {
        compiled_u128 x = 0;
        for (size_t k = 0; k < FIELD_WORDS; k++) {
            x = (compiled_u128)a[k] * b[i] + sum[k] + (uint64_t)(x >> 64);
            sum[k] = (uint64_t)x;
        }
        const uint64_t top = sum[FIELD_WORDS] + (uint64_t)(x >> 64);
        const uint64_t m = sum[0] * INVERSE;
        x = (compiled_u128)m * field_prime[0] + sum[0];
        for (size_t k = 1; k < FIELD_WORDS; k++) {
            x = (compiled_u128)m * field_prime[k] + sum[k] + (uint64_t)(x >> 64);
            sum[k - 1] = (uint64_t)x;
        }
        x = (compiled_u128)top + (uint64_t)(x >> 64);
        sum[FIELD_WORDS - 1] = (uint64_t)x;
        sum[FIELD_WORDS] = (uint64_t)(x >> 64);
    }
    uint64_t borrow = 0;
    for (size_t k = 0; k < FIELD_WORDS; k++) {
        const compiled_u128 x = (compiled_u128)sum[k] - field_prime[k] - borrow;
        less[k] = (uint64_t)x;
        borrow = (uint64_t)(x >> 64) & 1;
    }
    memcpy(r, borrow > sum[FIELD_WORDS] ? sum : less, sizeof less);
}

/* Residues with extreme words: the top one below the prime's. */
static void fill(struct compiled_run *r) {
    (void)compiled_buffer(r, "out", r->size * sizeof one);
    uint64_t *in = compiled_buffer(r, "in", r->size * sizeof one), seed = r->size;
    uint32_t *exponents = compiled_buffer(r, "exponents", r->size * sizeof *exponents);
    for (size_t i = 0; i < r->size; i++) {
        for (size_t k = 0; k < FIELD_WORDS; k++)
            in[FIELD_WORDS * i + k] = compiled_hostile(&seed);
        in[FIELD_WORDS * i + 3] %= field_prime[3];
        exponents[i] = 0x8000 | (uint32_t)(compiled_random(&seed) & 0x7fff);
    }
    memcpy(in, field_prime, sizeof field_prime); /* less 1 */
    in[0]--;
}

static void launch(struct compiled_run *r) {
    struct {
        uint64_t out, in, exponents, one[FIELD_WORDS];
        uint32_t n;
    } params = {.out = r->buffers[OUT].guest,
                .in = r->buffers[IN].guest,
                .exponents = r->buffers[EXPONENTS].guest,
                .n = (uint32_t)r->size};
    memcpy(params.one, one, sizeof one);
    COMPILED_LAUNCH(r, "field_power", (uint32_t)(r->size + THREADS - 1) / THREADS, 1, THREADS,
                    params);
}

static void twin(struct compiled_run *r) {
    for (size_t i = 0; i < r->size; i++) {
        uint64_t power[FIELD_WORDS], product[FIELD_WORDS];
        memcpy(power, (const uint64_t *)r->buffers[IN].twin + FIELD_WORDS * i, sizeof power);
        memcpy(product, one, sizeof product);
        for (uint32_t e = ((const uint32_t *)r->buffers[EXPONENTS].twin)[i]; e; e >>= 1) {
            if (e & 1)
                times(product, product, power);
            times(power, power, power);
        }
        memcpy((uint64_t *)r->buffers[OUT].twin + FIELD_WORDS * i, product, sizeof product);
    }
}

const struct compiled_kernel compiled_field256 = {.name = "field256",
                                                  .cubin = "field",
                                                  .target = 25e6,
                                                  .small = 150,
                                                  .large = 1024,
                                                  .fill = fill,
                                                  .launch = launch,
                                                  .twin = twin};
