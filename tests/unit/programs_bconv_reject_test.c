/*
 * Base conversion refuses wrong parameters before anything runs, says what it expected, and leaves
 * the output alone; it survives a fault of its kernel.
 */
#include "programs_util.h"

static const uint64_t good_from[] = {97, 101, 103, 107}, good_to[] = {109, 113, 127};

static struct fh_bconv_params good_params(void) {
    return (struct fh_bconv_params){
        .n = 32, .alpha = 4, .target = 3, .from = good_from, .to = good_to};
}

/* Refused by both functions with these words, and nothing has run. */
static void refused(fhec_machine *machine, const struct fh_bconv_params *params, size_t bytes,
                    const char *words) {
    uint32_t in[4 * 32] = {0}, out[3 * 32];
    struct fh_error error;
    fhec_stats stats;
    memset(out, 0x77, sizeof out);
    if (bytes == sizeof in) {
        assert_int_equal(fh_bconv_check(params, &error), FHEC_BAD_INPUT);
        if (!strstr(error.text, words))
            fail_msg("expected \"%s\" in: %s", words, error.text);
    }
    assert_int_equal(fh_bconv_run(machine, params, in, bytes, out, &error), FHEC_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("expected \"%s\" in: %s", words, error.text);
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 0);
    for (size_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], 0x77777777);
}

/* A fault in any map's kernel leaves the output as it was, and the machine serves again. */
static void bconv_step_limit(void **state) {
    (void)state;
    const struct fh_map *map;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t m = 0; (map = programs_map(FH_WORKLOAD_BCONV, m)) != NULL; m++) {
        uint64_t in[4 * 32] = {96, 1, 2, 3}, out[3 * 32], again[3 * 32];
        size_t bytes = 4 * 32 * map->word_bits / 8;
        struct fh_bconv_params params = good_params();
        struct fh_error error;
        params.map = map->name;
        params.options.max_steps = 20;
        memset(out, 0x5a, sizeof out);
        memset(again, 0x5a, sizeof again);
        assert_int_equal(fh_bconv_run(machine, &params, in, bytes, out, &error), FHEC_GUEST_FAULT);
        assert_non_null(strstr(error.text, "kernel bconv"));
        assert_int_equal(fhec_machine_fault(machine)->kind, FHEC_FAULT_STEP_LIMIT);
        assert_memory_equal(out, again, sizeof out);
        params.options.max_steps = 0;
        assert_int_equal(fh_bconv_run(machine, &params, in, bytes, out, &error), FHEC_OK);
        assert_memory_not_equal(out, again, 3 * 32 * map->word_bits / 8);
    }
    fhec_machine_free(machine);
}

static void bconv_bad_shapes(void **state) {
    (void)state;
    static const struct {
        const char *map;
        size_t n, alpha, target, bytes;
        const char *words;
    } cases[] = {
        {"fhec16", 0, 4, 3, 512, "N must be a multiple of 16 from 16 to 1048576, not 0"},
        {"fhec16", 8, 4, 3, 512, "not 8"},
        {"fhec16", 40, 4, 3, 512, "not 40"},
        {"fhec16", FH_BCONV_MAX_N + 16, 4, 3, 512, "not 1048592"},
        {"fhec16", 32, 0, 3, 512, "1 to 64 source moduli, not 0"},
        {"fhec16", 32, 65, 3, 512, "1 to 64 source moduli, not 65"},
        {"fhec16", 32, 4, 0, 512, "1 to 64 target moduli, not 0"},
        {"fhec16", 32, 4, 65, 512, "1 to 64 target moduli, not 65"},
        {"nothing", 32, 4, 3, 512, "no map \"nothing\"; for base conversion there are: fhec"},
        {"mont", 32, 4, 3, 512, "\"mont\" has no base conversion"},
        {"fhec16", 32, 4, 3, 511,
         "must have 512 bytes (4 limbs of 32 elements of 4 bytes), not 511"},
        {"fhec16", 32, 4, 3, 0, "not 0"},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_bconv_params params = good_params();
        params.map = cases[i].map;
        params.n = cases[i].n;
        params.alpha = cases[i].alpha;
        params.target = cases[i].target;
        refused(machine, &params, cases[i].bytes, cases[i].words);
    }
    struct fh_bconv_params params = good_params();
    params.from = NULL;
    refused(machine, &params, 512, "source moduli");
    params = good_params();
    params.to = NULL;
    refused(machine, &params, 512, "target moduli");
    fhec_machine_free(machine);
}

static void bconv_bad_moduli(void **state) {
    (void)state;
    static const struct {
        bool source;
        size_t index;
        uint64_t modulus;
        const char *words;
    } cases[] = {
        {true, 0, 0, "source modulus 0 is 0; it must be at least 3"},
        {true, 1, 1, "source modulus 1 is 1; it must be at least 3"},
        {true, 2, 2, "source modulus 2 is 2; it must be at least 3"},
        {true, 3, 4294967296, "source modulus 3 is 4294967296; it must be at least 3 and below"},
        {true, 3, 4294967295 * 4294967297ULL, "below 2^32"},
        {true, 2, 100, "source modulus 2 is 100; it must be odd"},
        {true, 3, 97, "source moduli 0 and 3 are both 97; they must be distinct"},
        {true, 2, 101 * 3, "source moduli 1 and 2, 101 and 303, have the common factor 101"},
        {false, 0, 0, "target modulus 0 is 0"},
        {false, 1, 1, "target modulus 1 is 1"},
        {false, 2, 4294967297, "target modulus 2 is 4294967297"},
        {false, 1, 4294967294, "target modulus 1 is 4294967294; it must be odd"},
        {false, 2, 113, "target moduli 1 and 2 are both 113"},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t from[4], to[3];
        struct fh_bconv_params params = good_params();
        memcpy(from, good_from, sizeof from);
        memcpy(to, good_to, sizeof to);
        params.from = from;
        params.to = to;
        if (cases[i].source)
            from[cases[i].index] = cases[i].modulus;
        else
            to[cases[i].index] = cases[i].modulus;
        refused(machine, &params, 512, cases[i].words);
    }
    struct fh_bconv_params params = good_params();
    struct fh_error error;
    assert_int_equal(fh_bconv_check(&params, &error), FHEC_OK);
    assert_string_equal(error.text, "");
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bconv_step_limit),
        cmocka_unit_test(bconv_bad_shapes),
        cmocka_unit_test(bconv_bad_moduli),
    };
    return cmocka_run_group_tests_name("programs_bconv_reject", tests, NULL, NULL);
}
