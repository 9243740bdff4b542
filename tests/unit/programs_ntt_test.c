/*
 * The transforms of every map with 32-bit words against the reference, in every shape. See
 * programs_shapes.c; programs_ntt_edge_test.c has engines, roots, pinned and outside results.
 */
#include "programs_shapes.h"

static void words_of_32_bits(void **state) {
    (void)state;
    programs_check_shapes(32);
}

/* Tensor Cores have a way of their own for moduli above 2^32 - 2^14, which exist for these sizes
 * only, and the sets above have them. */
static void tight_moduli(void **state) {
    (void)state;
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= FH_NTT_MAX_LOG2; log2_n++) {
        uint64_t q = programs_prime((size_t)1 << log2_n, 32, 0);
        assert_int_equal(q > UINT32_MAX - (1 << 14), log2_n <= 11);
        assert_true(programs_prime((size_t)1 << log2_n, 32, 7) < UINT32_MAX - (1 << 14));
    }
}

/* Nobody left out: nine maps transform. */
static void all_maps(void **state) {
    (void)state;
    static const char *const names[] = {"fhec16", "fhec256", "fhec16+gme", "cuda32", "cuda64",
                                        "gme32",  "gme64",   "imma16",     "imma256"};
    size_t count = 0;
    while (programs_map(FH_WORKLOAD_NTT, count))
        count++;
    assert_int_equal(count, COUNT_OF(names));
    for (size_t i = 0; i < count; i++)
        assert_true(fh_map_find(names[i])->workloads & FH_WORKLOAD_NTT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_maps),
        cmocka_unit_test(tight_moduli),
        cmocka_unit_test(words_of_32_bits),
    };
    return cmocka_run_group_tests_name("programs_ntt", tests, NULL, NULL);
}
