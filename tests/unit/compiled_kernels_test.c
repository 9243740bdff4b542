/*
 * compiled_kernels_test.c - the compiled kernels of tests/bench/compiled, small: what they compute
 * on both engines and at every SIMD level is what their twins compute, and the twins compute what
 * they are meant to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"
#include "golden.h"
#include "ntt_twin.h"

static const fhec_machine_options machines[] = {
    {.threads = 1},
    {.threads = 2},
    {.threads = 1, .simd = FHEC_SIMD_AVX2},
    {.threads = 1, .simd = FHEC_SIMD_PORTABLE},
    {.threads = 1, .engine = FHEC_ENGINE_REF},
};

static bool has(const fhec_machine_options *options) {
    fhec_machine *machine;
    const bool can = fhec_machine_new(options, &machine) == FHEC_OK;
    if (can)
        fhec_machine_free(machine);
    return can;
}

/* Twice on the same machine: the second time with what the first has left in its caches. */
static void equals_its_twin(void **state) {
    const struct compiled_kernel *kernel = *state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct compiled_run r;
        if (!has(&machines[i]))
            continue;
        compiled_open(&r, kernel, false, &machines[i]);
        for (int times = 0; times < 2; times++) {
            compiled_reset(&r);
            kernel->launch(&r);
            kernel->twin(&r);
            const char *buffer = compiled_difference(&r);
            if (buffer)
                fail_msg("%s, machine %zu: buffer %s differs", kernel->name, i, buffer);
        }
        compiled_close(&r);
    }
}

static const struct compiled_kernel *named(const char *name) {
    for (const struct compiled_kernel *const *k = compiled_kernels; *k; k++)
        if (!strcmp((*k)->name, name))
            return *k;
    fail_msg("there is no kernel %s", name);
    return NULL;
}

/* ---------------------------------------------------------------- what twins are meant to do */

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
        const struct compiled_kernel *kernel = named(transforms[k].name);
        const bool real = transforms[k].bits == 50;
        uint64_t q[2], psi[2];
        struct compiled_run r;
        assert_int_equal(kernel->small, 11);
        compiled_open(&r, kernel, false, &machines[0]);
        kernel->twin(&r);
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

int main(void) {
    enum { MOST = 64 };
    static struct CMUnitTest tests[MOST] = {
        cmocka_unit_test(transforms_are_by_definition),
    };
    size_t count = 0;
    while (tests[count].name)
        count++;
    for (const struct compiled_kernel *const *k = compiled_kernels; *k && count < MOST; k++)
        tests[count++] = (struct CMUnitTest){.name = (*k)->name,
                                             .test_func = equals_its_twin,
                                             .initial_state = (void *)(uintptr_t)*k};
    return _cmocka_run_group_tests("compiled_kernels", tests, count, NULL, NULL);
}
