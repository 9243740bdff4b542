/*
 * compiled_twins_test.c - the twins of the compiled kernels of tests/bench/compiled compute what
 * they are meant to: transforms, products and sums by their definitions, sorted keys, samples with
 * the right variance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "field_twin.h"
#include "golden.h"
#include "ntt_twin.h"

/* The twin of a small run has been called. */
static struct compiled_run run_twin(const char *name) {
    struct compiled_run r;
    for (const struct compiled_kernel *const *k = compiled_kernels; *k; k++) {
        if (!strcmp((*k)->name, name)) {
            compiled_open(&r, *k, false, &(const fhec_machine_options){.threads = 1});
            (*k)->twin(&r);
            return r;
        }
    }
    fail_msg("there is no kernel %s", name);
    abort();
}

/* ---------------------------------------------------------------- transforms */

/* Both limbs as integers; the twin's data are those, or the same numbers in floating point. */
static void integers(const struct compiled_run *r, bool real, const void *data, uint64_t *out) {
    for (size_t i = 0; i < (size_t)2 << r->size; i++) {
        double x;
        memcpy(real ? (void *)&x : (void *)(out + i), (const uint64_t *)data + i, 8);
        if (real)
            out[i] = (uint64_t)x;
    }
}

static void transforms_are_by_definition(void **state) {
    static const struct {
        const char *name;
        unsigned bits;
    } transforms[] = {
        {"ntt_barrett", 60}, {"ntt_shoup", 60}, {"ntt_montgomery", 60}, {"ntt_fp64", 50}};
    enum { N = 2048 };
    static uint64_t in[2 * N], out[2 * N], want[N];
    (void)state;
    for (size_t k = 0; k < sizeof transforms / sizeof *transforms; k++) {
        struct compiled_run r = run_twin(transforms[k].name);
        const bool real = transforms[k].bits == 50;
        uint64_t q[2], psi[2];
        assert_int_equal(r.size, 11);
        ntt_primes(&r, transforms[k].bits, q, psi);
        integers(&r, real, r.buffers[0].first, in);
        integers(&r, real, r.buffers[0].twin, out);
        for (size_t limb = 0; limb < 2; limb++) {
            const fh_golden_ntt_params params = {FH_GOLDEN_NEGACYCLIC, N, q[limb], psi[limb]};
            assert_int_equal(
                fh_golden_ntt_schoolbook(&params, FH_GOLDEN_BITREV, in + limb * N, want),
                FH_GOLDEN_OK);
            assert_memory_equal(out + limb * N, want, sizeof want);
        }
        compiled_close(&r);
    }
}

/* ---------------------------------------------------------------- sums of products */

enum { LIMBS = 4, DIGITS = 6, SOURCES = 9, TARGETS = 12 }; /* as in rns_twin.c */

/* Of the moduli that stand in a buffer, three words for each. */
static uint64_t modulus(const struct compiled_run *r, unsigned buffer, size_t k) {
    return ((const uint64_t *)r->buffers[buffer].first)[3 * k];
}

static void inner_products_are_by_definition(void **state) {
    struct compiled_run r = run_twin("keyswitch");
    const uint64_t *out = r.buffers[0].twin, *digits = r.buffers[1].first,
                   *key = r.buffers[2].first;
    const size_t n = r.size;
    (void)state;
    for (size_t j = 0; j < 2; j++)
        for (size_t at = 0; at < LIMBS * n; at++) {
            const uint64_t q = modulus(&r, 3, at / n);
            uint64_t sum = 0;
            for (size_t d = 0; d < DIGITS; d++)
                sum = (sum + fh_golden_mulmod(digits[d * LIMBS * n + at],
                                              key[(2 * d + j) * LIMBS * n + at], q)) %
                      q;
            assert_int_equal(out[j * LIMBS * n + at], sum);
        }
    compiled_close(&r);
}

static void conversions_are_by_definition(void **state) {
    struct compiled_run r = run_twin("bconv");
    const uint64_t *out = r.buffers[0].twin, *in = r.buffers[2].first;
    const uint64_t *factors = r.buffers[3].first, *weights = r.buffers[4].first;
    const size_t n = r.size;
    (void)state;
    for (size_t t = 0; t < TARGETS; t++)
        for (size_t i = 0; i < n; i++) {
            const uint64_t q = modulus(&r, 5, SOURCES + t);
            uint64_t sum = 0;
            for (size_t s = 0; s < SOURCES; s++) {
                const uint64_t scaled =
                    fh_golden_mulmod(in[s * n + i], factors[2 * s], modulus(&r, 5, s));
                sum = (sum + fh_golden_mulmod(scaled, weights[t * SOURCES + s], q)) % q;
            }
            assert_int_equal(out[t * n + i], sum);
        }
    compiled_close(&r);
}

/* ---------------------------------------------------------------- powers in the field */

static int field_compare(const uint64_t *a, const uint64_t *b) {
    for (size_t k = FIELD_WORDS; k-- > 0;)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* a + b modulo the prime, which is below 2^255. */
static void field_add(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t carry = 0, borrow = 0;
    for (size_t k = 0; k < FIELD_WORDS; k++) {
        const compiled_u128 x = (compiled_u128)a[k] + b[k] + carry;
        r[k] = (uint64_t)x;
        carry = (uint64_t)(x >> 64);
    }
    if (field_compare(r, field_prime) < 0)
        return;
    for (size_t k = 0; k < FIELD_WORDS; k++) {
        const compiled_u128 x = (compiled_u128)r[k] - field_prime[k] - borrow;
        r[k] = (uint64_t)x;
        borrow = (uint64_t)(x >> 64) & 1;
    }
}

/* a b, by doubling. */
static void field_times(uint64_t *r, const uint64_t *a, const uint64_t *b) {
    uint64_t sum[FIELD_WORDS] = {0};
    for (size_t bit = 64 * FIELD_WORDS; bit-- > 0;) {
        field_add(sum, sum, sum);
        if (b[bit / 64] >> bit % 64 & 1)
            field_add(sum, sum, a);
    }
    memcpy(r, sum, sizeof sum);
}

/* x is a 2^256: the power of x is a^e 2^256, so times 2^(256 (e - 1)) it is x^e. */
static void powers_are_by_definition(void **state) {
    struct compiled_run r = run_twin("field256");
    uint64_t radix[FIELD_WORDS] = {1};
    (void)state;
    for (size_t bit = 0; bit < 256; bit++)
        field_add(radix, radix, radix);
    for (size_t i = 0; i < r.size; i += 15) {
        const uint64_t *x = (const uint64_t *)r.buffers[1].first + FIELD_WORDS * i;
        uint64_t got[FIELD_WORDS], want[FIELD_WORDS], square[FIELD_WORDS], factor[FIELD_WORDS];
        uint32_t e = ((const uint32_t *)r.buffers[2].first)[i];
        memcpy(got, (const uint64_t *)r.buffers[0].twin + FIELD_WORDS * i, sizeof got);
        assert_true(field_compare(got, field_prime) < 0);
        memcpy(want, x, sizeof want);
        memcpy(square, x, sizeof square);
        memcpy(factor, radix, sizeof factor);
        for (e--; e; e >>= 1) {
            if (e & 1) {
                field_times(want, want, square);
                field_times(got, got, factor);
            }
            field_times(square, square, square);
            field_times(factor, factor, factor);
        }
        assert_memory_equal(got, want, sizeof got);
    }
    compiled_close(&r);
}

/* ---------------------------------------------------------------- order and chance */

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void keys_are_sorted(void **state) {
    static const struct {
        const char *name;
        unsigned in, out; /* buffers */
    } sorts[] = {{"radix_sort", 0, 1},
                 {"merge_sort", 4, 0},
                 {"sorting_networks", 4, 0},
                 {"sorting_networks", 4, 2}};
    (void)state;
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++) {
        struct compiled_run r = run_twin(sorts[k].name);
        const struct compiled_buffer *in = &r.buffers[sorts[k].in];
        qsort(in->first, r.size, sizeof(uint32_t), by_value);
        assert_memory_equal(r.buffers[sorts[k].out].twin, in->first, in->bytes);
        compiled_close(&r);
    }
}

/* What was element i is where its value says, and equal keys stay in order. */
static void values_go_with_their_keys(void **state) {
    struct compiled_run r = run_twin("merge_sort");
    const uint32_t *keys = r.buffers[0].twin, *values = r.buffers[1].twin, *in = r.buffers[4].first;
    (void)state;
    for (size_t i = 0; i < r.size; i++) {
        assert_int_equal(keys[i], in[values[i]]);
        if (i && keys[i] == keys[i - 1])
            assert_true(values[i - 1] < values[i]);
    }
    compiled_close(&r);
}

/* A deviation of 3.2, and 1/12 for being rounded. The bounds are five standard errors of the mean
 * and of the variance of n samples. */
static void samples_are_gaussian(void **state) {
    static const char *const names[] = {"gauss_cdt", "gauss_box_muller"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct compiled_run r = run_twin(names[k]);
        const int32_t *x = r.buffers[0].twin;
        const double variance = 3.2 * 3.2 + 1.0 / 12;
        const double n = (double)(r.buffers[0].bytes / sizeof *x);
        double sum = 0, squares = 0;
        for (size_t i = 0; i < (size_t)n; i++) {
            sum += x[i];
            squares += (double)x[i] * x[i];
        }
        assert_true(sum * sum < 25 * variance * n);
        assert_true((squares / n - variance) * (squares / n - variance) <
                    25 * 2 * variance * variance / n);
        compiled_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_are_by_definition),
        cmocka_unit_test(inner_products_are_by_definition),
        cmocka_unit_test(conversions_are_by_definition),
        cmocka_unit_test(powers_are_by_definition),
        cmocka_unit_test(keys_are_sorted),
        cmocka_unit_test(values_go_with_their_keys),
        cmocka_unit_test(samples_are_gaussian),
    };
    return cmocka_run_group_tests_name("compiled_twins", tests, NULL, NULL);
}
