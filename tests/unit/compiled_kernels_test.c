/*
 * compiled_kernels_test.c - the compiled kernels of tests/bench/compiled, small: what they compute
 * on both engines and at every SIMD level is what their twins compute. That the twins compute what
 * they are meant to is for compiled_twins_test.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiled.h"

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

int main(void) {
    enum { MOST = 64 };
    static struct CMUnitTest tests[MOST];
    static char names[MOST][48];
    size_t count = 0;
    for (const struct compiled_kernel *const *k = compiled_kernels; *k && count < MOST; k++) {
        snprintf(names[count], sizeof *names, "%s.%s", (*k)->program ? "program" : "compiled",
                 (*k)->name);
        tests[count] = (struct CMUnitTest){.name = names[count],
                                           .test_func = equals_its_twin,
                                           .initial_state = (void *)(uintptr_t)*k};
        count++;
    }
    return _cmocka_run_group_tests("compiled_kernels", tests, count, NULL, NULL);
}
