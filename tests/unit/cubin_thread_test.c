/*
 * cubin_thread_test.c - compiled kernels whose threads work alone: the same sources, compiled as C
 * for the host, are the reference.
 */
#include "cubin_util.h"
#include "slow_build.h"

#include "../cuda/cuda.h"

#include "../cuda/bits.cu"
#include "../cuda/control.cu"
#include "../cuda/divide.cu"
#include "../cuda/modular.cu"
#include "../cuda/real.cu"
#include "../cuda/wide.cu"

/* ---------------------------------------------------------------- data */

static uint32_t *words(struct cubin_case *c) {
    return (uint32_t *)(void *)c->in;
}
static uint64_t *longs(struct cubin_case *c) {
    return (uint64_t *)(void *)c->in;
}

/* An odd modulus of 2 to `most` bits. */
static uint64_t modulus(struct cubin_case *c, unsigned most) {
    unsigned bits = 2 + (unsigned)(c->s % (most - 1));
    return (c->s >> 8 & ((UINT64_C(1) << (bits - 1)) - 1)) | UINT64_C(1) << (bits - 1) | 1;
}

static void below32(struct cubin_case *c) {
    c->s = modulus(c, 31);
    for (size_t i = 0; i < c->in_bytes / 4; i++)
        words(c)[i] %= (uint32_t)c->s;
}

static void below64(struct cubin_case *c) {
    c->s = modulus(c, 62);
    for (size_t i = 0; i < c->in_bytes / 8; i++)
        longs(c)[i] %= c->s;
}

static void for_barrett64(struct cubin_case *c) {
    c->s = modulus(c, 61);
    unsigned k = 64 - (unsigned)__builtin_clzll(c->s);
    for (size_t i = 2; i < c->in_bytes / 8; i++)
        longs(c)[i] %= c->s;
    longs(c)[0] = (uint64_t)(((u128)1 << (2 * k)) / c->s);
    longs(c)[1] = k;
}

static void for_shoup32(struct cubin_case *c) {
    c->s = modulus(c, 30);
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t *v = words(c) + 4 * i, q = (uint32_t)c->s;
        v[0] %= 4 * q;
        v[1] %= 4 * q;
        v[2] %= q;
        v[3] = (uint32_t)(((uint64_t)v[2] << 32) / q);
    }
}

static void for_shoup64(struct cubin_case *c) {
    c->s = modulus(c, 61);
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t *v = longs(c) + 4 * i, q = c->s;
        v[0] %= 4 * q;
        v[1] %= 4 * q;
        v[2] %= q;
        v[3] = (uint64_t)(((u128)v[2] << 64) / q);
    }
}

static void modulus32(struct cubin_case *c) {
    c->s = modulus(c, 32);
}
static void modulus63(struct cubin_case *c) {
    c->s = modulus(c, 63);
    for (uint32_t i = 0; i < c->n; i++)
        longs(c)[2 * i + 1] >>= c->seed * 7 % 50; /* exponents of many lengths */
}

/* Divisors: not 0, and no quotient that overflows. */
static void divisors32(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t *v = words(c) + 2 * i;
        v[1] = v[1] ? v[1] : 3;
        if (v[0] == 0x80000000 && v[1] == UINT32_MAX)
            v[1] = 5;
    }
}
static void divisors64(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t *v = longs(c) + 2 * i;
        v[1] = v[1] ? v[1] : 3;
        if (v[0] == UINT64_C(1) << 63 && v[1] == UINT64_MAX)
            v[1] = 5;
    }
}
static void divisors16(struct cubin_case *c) {
    uint16_t *v = (uint16_t *)(void *)c->in;
    for (uint32_t i = 0; i < c->n; i++)
        v[2 * i + 1] = v[2 * i + 1] ? v[2 * i + 1] : 9;
}

static void for_conversion(struct cubin_case *c) {
    c->s = 1 + c->s % 20; /* alpha; the input has room for 20 */
    for (size_t i = 0; i < c->in_bytes / 8; i++)
        longs(c)[i] &= (UINT64_C(1) << 60) - 1;
    longs(c)[0] |= 1;
}

/* Small and large numbers, halves, and what is no number. */
static void for_real(struct cubin_case *c) {
    static const double some[] = {0.0, -0.0, 0.5, -2.5, 3.5, 1e300, -1e-310, 4503599627370497.5};
    uint64_t seed = c->seed;
    for (size_t i = 0; i < c->in_bytes / 8; i++) {
        uint64_t kind = cubin_random(&seed) >> 60;
        double x = (double)(int64_t)cubin_random(&seed) * 0x1p-50;
        if (kind < 3)
            x = some[cubin_random(&seed) >> 61];
        if (kind < 10)
            memcpy(&longs(c)[i], &x, 8);
    }
}

static void for_real32(struct cubin_case *c) {
    static const float some[] = {0.0f, -0.0f, 0.5f, -2.5f, 8388609.0f, 1e38f, -1e-40f, 3.5f};
    uint64_t seed = c->seed;
    for (size_t i = 0; i < c->in_bytes / 4; i++) {
        uint64_t kind = cubin_random(&seed) >> 60;
        float x = (float)(int64_t)cubin_random(&seed) * 0x1p-30f;
        if (kind < 3)
            x = some[cubin_random(&seed) >> 61];
        if (kind < 10)
            memcpy(&words(c)[i], &x, 4);
    }
}

/* ---------------------------------------------------------------- references */

#define REFERENCE(name)                                                                            \
    static void ref_##name(struct cubin_case *c) {                                                 \
        gridDim.x = c->grid;                                                                       \
        blockDim.x = c->block;                                                                     \
        CUDA_FOR_EACH_THREAD name(c->want, c->in, c->n, c->s);                                     \
    }

static const uint32_t shapes[][3] = {{1, 1, 32},   {31, 1, 32},    {100, 2, 64},
                                     {257, 3, 96}, {1000, 4, 256}, {0, 0, 0}};

#define KERNELS(X)                                                                                 \
    X(modular, barrett32, below32, 8, 4, 0)                                                        \
    X(modular, barrett64, for_barrett64, 16, 8, 16)                                                \
    X(modular, montgomery32, below32, 8, 4, 0)                                                     \
    X(modular, montgomery64, below64, 16, 8, 0)                                                    \
    X(modular, shoup32, for_shoup32, 16, 8, 0)                                                     \
    X(modular, shoup64, for_shoup64, 32, 16, 0)                                                    \
    X(modular, power64, modulus63, 16, 8, 0)                                                       \
    X(modular, inverse, modulus32, 4, 4, 0)                                                        \
    X(modular, goldilocks, NULL, 16, 8, 0)                                                         \
    X(modular, addsub, below32, 32, 32, 0)                                                         \
    X(wide, int128, NULL, 32, 112, 0)                                                              \
    X(wide, carry, NULL, 64, 72, 0)                                                                \
    X(wide, product256, NULL, 64, 64, 0)                                                           \
    X(wide, base_conversion, for_conversion, 160, 8, 168)                                          \
    X(divide, divide_u32, divisors32, 8, 8, 0)                                                     \
    X(divide, divide_s32, divisors32, 8, 8, 0)                                                     \
    X(divide, divide_u64, divisors64, 16, 16, 0)                                                   \
    X(divide, divide_s64, divisors64, 16, 16, 0)                                                   \
    X(divide, divide_narrow, divisors16, 4, 12, 0)                                                 \
    X(divide, divide_constant, NULL, 8, 64, 0)                                                     \
    X(control, switches, NULL, 4, 4, 0)                                                            \
    X(control, recursion, NULL, 4, 4, 0)                                                           \
    X(control, local_sort, NULL, 64, 64, 0)                                                        \
    X(control, collatz, NULL, 8, 4, 0)                                                             \
    X(control, nested, NULL, 4, 4, 0)                                                              \
    X(control, binary_gcd, NULL, 16, 8, 0)                                                         \
    X(control, pointers, NULL, 4, 4, 0)                                                            \
    X(real, arithmetic64, for_real, 24, 96, 0)                                                     \
    X(real, torus, NULL, 8, 48, 0)                                                                 \
    X(real, butterfly, NULL, 24, 48, 0)                                                            \
    X(real, arithmetic32, for_real32, 12, 48, 0)                                                   \
    X(bits, bits32, NULL, 8, 64, 0)                                                                \
    X(bits, bits64, NULL, 16, 64, 0)                                                               \
    X(bits, narrow, NULL, 4, 8, 0)                                                                 \
    X(bits, mix, NULL, 4, 4, 0)

#define X(file, name, prepare, in, out, more) REFERENCE(name)
KERNELS(X)
#undef X

#define X(file, name, prepare_, in, out, more)                                                     \
    CUBIN_KERNEL(#file, name, .prepare = prepare_, .in_size = in, .out_size = out,                 \
                 .in_more = more, .shapes = shapes, .seeds = SLOW_BUILD ? 3 : 8)
KERNELS(X)
#undef X

int main(void) {
    const struct CMUnitTest tests[] = {
#define X(file, name, prepare, in, out, more) CUBIN_TEST(name),
        KERNELS(X)
#undef X
    };
    return cmocka_run_group_tests_name("compiled kernels, thread by thread", tests, NULL, NULL);
}
