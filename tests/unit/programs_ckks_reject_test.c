/*
 * What the CKKS primitives refuse: every wrong parameter has a message of its own, before a machine
 * has been touched; wrong levels and elements later on leave a chain that still works.
 */
#include "ckks_device.h"

#include "golden_util.h"
#include "programs_util.h"

static struct fh_ckks_params good_params(void) {
    return (struct fh_ckks_params){
        .map = "fhec16", .chain = {.log2_n = 9, .bits = 30, .limbs = 6, .alpha = 2, .dnum = 3}};
}

/* By the check and by make, with the same words; nothing is allocated or launched. */
static void refused(const struct fh_ckks_params *params, const char *words) {
    struct fh_error error = {""};
    struct fh_ckks *ckks = NULL;
    fhec_stats stats;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    assert_int_equal(fh_ckks_check(params, NULL, &error), FHEC_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("expected \"%s\" in: %s", words, error.text);
    error.text[0] = 0;
    assert_int_equal(fh_ckks_make(machine, params, &ckks, &error), FHEC_BAD_INPUT);
    assert_null(ckks);
    if (!strstr(error.text, words))
        fail_msg("expected \"%s\" in: %s", words, error.text);
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 0);
    fhec_machine_free(machine);
}

static void bad_shapes(void **state) {
    (void)state;
    static const struct {
        const char *map;
        unsigned log2_n, bits;
        size_t limbs, alpha, dnum;
        const char *words;
    } cases[] = {
        {"nothing", 9, 30, 6, 2, 3,
         "there is no map \"nothing\"; for CKKS primitives there are: fhec16"},
        {"mont", 9, 30, 6, 2, 3, "the map \"mont\" has no CKKS primitives"},
        {"fhec16", 7, 30, 6, 2, 3, "log2 of N must be 8 to 17, not 7"},
        {"fhec16", 18, 30, 6, 2, 3, "log2 of N must be 8 to 17, not 18"},
        {"fhec16", 200, 30, 6, 2, 3, "not 200"},
        {"fhec16", 9, 30, 0, 2, 3, "1 to 64 limbs, not 0"},
        {"fhec16", 9, 30, 65, 2, 1, "1 to 64 limbs, not 65"},
        {"fhec16", 9, 30, SIZE_MAX, 2, 1, "1 to 64 limbs"},
        {"fhec16", 9, 30, 6, 0, 3, "alpha is 0; it must be at least the 2 limbs of a digit"},
        {"fhec16", 9, 30, 6, 1, 3, "alpha is 1; it must be at least the 2 limbs"},
        {"fhec16", 9, 30, 6, 65, 3, "and at most 64"},
        {"fhec16", 9, 30, 6, SIZE_MAX, 3, "and at most 64"},
        {"fhec16", 9, 30, 6, 2, 0, "dnum is 0; there may be 1 to 6 digits"},
        {"fhec16", 9, 30, 6, 2, 4, "dnum is 4; 6 limbs are 3 digits of 2 limbs"},
        {"fhec16", 9, 30, 6, 2, 12, "dnum is 12; there may be 1 to 6 digits"},
        {"fhec16", 9, 30, 60, 7, 30, "raised to 65 others"},
        {"fhec16", 9, 0, 6, 2, 3, "primes of 0 bits"},
        {"fhec16", 9, 1, 6, 2, 3, "primes of 1 bits"},
        {"fhec16", 9, 33, 6, 2, 3, "\"fhec16\" has 32-bit elements and takes 2 to 32"},
        {"gme32", 9, 60, 6, 2, 3, "\"gme32\" has 32-bit elements and takes 2 to 32"},
        {"imma16", 9, 64, 6, 2, 3, "takes 2 to 32"},
        {"fhec16", 9, 12, 6, 2, 3,
         "need 8 primes = 1 modulo 2N = 1024 below 2^12; there are fewer"},
        {"cuda32", 17, 20, 2, 1, 2, "need 3 primes = 1 modulo 2N = 262144 below 2^20"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_ckks_params params = {.map = cases[i].map,
                                              .chain = {.log2_n = cases[i].log2_n,
                                                        .bits = cases[i].bits,
                                                        .limbs = cases[i].limbs,
                                                        .alpha = cases[i].alpha,
                                                        .dnum = cases[i].dnum}};
        refused(&params, cases[i].words);
    }
}

/* Every map that has CKKS takes primes as wide as its words allow, and says what it takes. */
static void sizes_of_maps(void **state) {
    (void)state;
    const struct fh_map *map;
    size_t found = 0;
    for (size_t m = 0; (map = fh_map_get(m)) != NULL; m++) {
        if (!(map->workloads & FH_WORKLOAD_CKKS))
            continue;
        unsigned most = map->word_bits == 32 ? 32 : 60;
        struct fh_error error = {""};
        struct fh_ckks_params params = good_params();
        params.map = map->name;
        params.chain.bits = most;
        assert_int_equal(fh_ckks_check(&params, NULL, &error), FHEC_OK);
        assert_string_equal(error.text, "");
        params.chain.bits = most + 1;
        refused(&params, map->word_bits == 32 ? "takes 2 to 32" : "takes 2 to 60");
        found++;
    }
    assert_true(found >= 7);
}

static void bad_moduli(void **state) {
    (void)state;
    static const struct {
        uint64_t moduli[3];
        const char *words;
    } cases[] = {
        {{7681, 12289, 7681}, "twice"},
        {{7681, 12289, 12291}, "prime"},
        {{7681, 12289, 1009}, "mod"},
        {{7681, 1, 12289}, "the chain of primes"},
        {{7681, 0, 12289}, "the chain of primes"},
        {{7681, 1152921504606844417, 12289},
         "prime 1 of the chain is 1152921504606844417; the map \"fhec16\" has 32-bit elements"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_ckks_params params = {
            .map = "fhec16",
            .chain = {.log2_n = 8, .limbs = 2, .alpha = 1, .dnum = 2, .moduli = cases[i].moduli}};
        refused(&params, cases[i].words);
    }
}

static void expect(struct fh_ckks *ckks, fhec_status status, const char *words) {
    assert_int_equal(status, FHEC_BAD_INPUT);
    if (!strstr(fh_ckks_error(ckks)->text, words))
        fail_msg("expected \"%s\" in: %s", words, fh_ckks_error(ckks)->text);
}

/* What only shows later. Afterwards the chain still adds. */
static void bad_calls(void **state) {
    (void)state;
    const struct fh_ckks_params params = good_params();
    struct fh_error error = {""};
    struct fh_ckks *ckks = NULL;
    enum { N = 512, LIMBS = 6 };
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN], a = 0, b = 0, key = 0;
    static uint64_t in[2 * LIMBS * N], out[2 * LIMBS * N];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    assert_int_equal(fh_ckks_check(&params, moduli, &error), FHEC_OK);
    assert_int_equal(fh_ckks_make(machine, &params, &ckks, &error), FHEC_OK);
    expect(ckks, fh_ckks_alloc(ckks, 0, 2, &a), "the level is 0; it must be 1 to 6");
    expect(ckks, fh_ckks_alloc(ckks, 7, 2, &a), "the level is 7; it must be 1 to 6");
    assert_int_equal(fh_ckks_alloc(ckks, LIMBS, 2, &a), FHEC_OK);
    assert_int_equal(fh_ckks_alloc(ckks, LIMBS, 2, &b), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(in); i++)
        in[i] = moduli[i / N % LIMBS] - 1 - i % N;
    in[7 * N + 300] = moduli[1];
    expect(ckks, fh_ckks_write(ckks, LIMBS, 2, in, a), "element 300 of limb 1 is ");
    in[7 * N + 300] = moduli[1] - 301;
    assert_int_equal(fh_ckks_write(ckks, LIMBS, 2, in, a), FHEC_OK);
    expect(ckks, fh_ckks_rescale(ckks, 1, a, b), "no limb that Rescale could drop");
    expect(ckks, fh_ckks_rescale(ckks, 7, a, b), "the level is 7");
    expect(ckks, fh_ckks_key_switch(ckks, 0, a, b, b), "the level is 0");
    expect(ckks, fh_ckks_hemult(ckks, 0, a, a, b, b), "the level is 0");
    expect(ckks, fh_ckks_hemult_rescale(ckks, 7, a, a, b, b), "the level is 7");
    expect(ckks, fh_ckks_rotate(ckks, 7, 1, a, b, b), "the level is 7");
    expect(ckks, fh_ckks_galois(ckks, 6, 4, a, b, b), "needs an odd g, not 4");
    expect(ckks, fh_ckks_automorphism(ckks, 6, 0, a, b), "needs an odd g, not 0");
    expect(ckks, fh_ckks_ptmult(ckks, 7, a, a, b), "the level is 7");
    expect(ckks, fh_ckks_ptadd(ckks, 0, a, b), "the level is 0");
    expect(ckks, fh_ckks_headd(ckks, 7, a, a, b), "the level is 7");
    expect(ckks, fh_ckks_release(ckks, a + 16), "no polynomials at this address");
    uint64_t *keys = make_array(2 * 3 * 8 * N);
    keys[2 * 3 * 8 * N - 1] = moduli[7];
    expect(ckks, fh_ckks_write_key(ckks, keys, &key), "element 511 of limb 7 is ");
    assert_int_equal(key, 0);
    free(keys);
    assert_int_equal(fh_ckks_headd(ckks, LIMBS, a, a, b), FHEC_OK);
    assert_int_equal(fh_ckks_read(ckks, LIMBS, 2, b, out), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], moduli[i / N % LIMBS] - 2 - 2 * (i % N));
    fh_ckks_free(ckks);
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_shapes),
        cmocka_unit_test(sizes_of_maps),
        cmocka_unit_test(bad_moduli),
        cmocka_unit_test(bad_calls),
    };
    return cmocka_run_group_tests_name("programs_ckks_reject", tests, NULL, NULL);
}
