/*
 * Wrong parameters of transforms: each is refused before anything runs, with a status and a message
 * that says what was expected, and the output stays as it was. Also faults on the way.
 */
#include "programs_util.h"

enum { N = 256 };

/* The largest 28-bit prime = 1 mod 512, and an input for it. */
static uint64_t good_q;
static uint32_t input[4 * N];

static int set_up(void **state) {
    (void)state;
    good_q = programs_prime(N, 28, 0);
    for (size_t i = 0; i < COUNT_OF(input); i++)
        input[i] = (uint32_t)(i * i + 3);
    return 0;
}

/* Runs with these parameters; the status must be `status` and the message contain `words`. Nothing
 * may have been launched. */
static void expect(const char *what, const struct fh_ntt_params *params, size_t bytes,
                   fhec_status status, const char *words) {
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct fh_error error = {"before"};
    uint32_t out[COUNT_OF(input)];
    memset(out, 0x5a, sizeof out);
    fhec_status got = fh_ntt_run(machine, params, input, bytes, out, &error);
    if (got != status)
        fail_msg("%s: status %d, not %d: %s", what, (int)got, (int)status, error.text);
    if (!strstr(error.text, words))
        fail_msg("%s: \"%s\" does not contain \"%s\"", what, error.text, words);
    for (size_t i = 0; i < COUNT_OF(out); i++)
        assert_int_equal(out[i], 0x5a5a5a5a);
    if (status == FHEC_BAD_INPUT) {
        fhec_stats stats;
        assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
        assert_int_equal(stats.launches, 0);
    }
    fhec_machine_free(machine);
}

static struct fh_ntt_params good(void) {
    return (struct fh_ntt_params){.map = "fhec16", .n = N, .limbs = 1, .q = &good_q};
}

static void maps(void **state) {
    (void)state;
    struct fh_ntt_params p = good();
    p.map = "fhec17";
    expect("unknown map", &p, N * 4, FHEC_BAD_INPUT, "fhec17");
    expect("unknown map", &p, N * 4, FHEC_BAD_INPUT, "fhec16, fhec256");
    /* A map of another workload is no map for transforms. */
    const struct fh_map *map;
    for (size_t i = 0; (map = fh_map_get(i)) != NULL; i++)
        if (!(map->workloads & FH_WORKLOAD_NTT)) {
            p.map = map->name;
            expect("map without transforms", &p, N * 4, FHEC_BAD_INPUT, "transforms");
        }
    p.map = "";
    expect("empty map", &p, N * 4, FHEC_BAD_INPUT, "there is no map \"\"");
}

static void sizes(void **state) {
    (void)state;
    static const size_t wrong[] = {0, 1, 2, 128, 255, 257, 384, 262144, SIZE_MAX, (size_t)1 << 40};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct fh_ntt_params p = good();
        p.n = wrong[i];
        expect("size", &p, N * 4, FHEC_BAD_INPUT, "power of two from 256 to 131072");
    }
}

static void limbs_and_bytes(void **state) {
    (void)state;
    struct fh_ntt_params p = good();
    static const size_t wrong[] = {0, 4, N, N * 4 - 1, N * 4 + 1, N * 8, SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        expect("bytes", &p, wrong[i], FHEC_BAD_INPUT, "the input must have 1024 bytes");
    p.limbs = 0;
    expect("no limbs", &p, 0, FHEC_BAD_INPUT, "limbs");
    p.limbs = SIZE_MAX;
    expect("too many limbs", &p, N * 4, FHEC_BAD_INPUT, "limbs");
    p.limbs = 65536;
    expect("too many limbs", &p, N * 4, FHEC_BAD_INPUT, "1 to 65535 limbs");
}

static void moduli(void **state) {
    (void)state;
    /* 268435399 is the largest prime below 2^28, = 455 mod 512; the product of two primes that are
     * 1 mod 512 is 1 mod 512 too. */
    const struct {
        uint64_t q;
        const char *words;
    } rows[] = {
        {0, "not prime"},
        {1, "not prime"},
        {2, "it must be 1"},
        {256, "not prime"},
        {good_q + 2, "not prime"},
        {UINT64_C(7681) * 10753, "not prime"},
        {268435399, "which is 455 modulo 2N = 512; it must be 1"},
        {UINT64_C(4294967296), "below 2^32"},
        {UINT64_C(1152921504606830593), "below 2^32"},
        {UINT64_MAX, "below 2^32"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fh_ntt_params p = good();
        uint64_t q[2] = {good_q, rows[i].q};
        p.q = q;
        p.limbs = 2;
        expect("modulus", &p, 2 * N * 4, FHEC_BAD_INPUT, rows[i].words);
        expect("modulus of limb 1", &p, 2 * N * 4, FHEC_BAD_INPUT, "limb 1");
    }
}

static void roots(void **state) {
    (void)state;
    uint64_t psi;
    assert_int_equal(fh_golden_smallest_root(N, good_q, &psi), FH_GOLDEN_OK);
    /* Order 2N asks for psi^N = -1. */
    const uint64_t wrong[] = {
        0, 1, good_q - 1, fh_golden_mulmod(psi, psi, good_q), psi + good_q, good_q, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct fh_ntt_params p = good();
        p.psi = &wrong[i];
        expect("psi", &p, N * 4, FHEC_BAD_INPUT, "does not have order 2N = 512");
    }
}

static void order(void **state) {
    (void)state;
    struct fh_ntt_params p = good();
    p.order = (fh_golden_order)2;
    expect("order", &p, N * 4, FHEC_BAD_INPUT, "bit-reversed or natural");
}

/* check alone says the same as run. */
static void check_alone(void **state) {
    (void)state;
    struct fh_error error = {"before"};
    struct fh_ntt_params p = good();
    assert_int_equal(fh_ntt_check(&p, &error), FHEC_OK);
    assert_string_equal(error.text, "");
    p.map = NULL;
    assert_int_equal(fh_ntt_check(&p, &error), FHEC_OK);
    p.n = 100;
    assert_int_equal(fh_ntt_check(&p, &error), FHEC_BAD_INPUT);
    assert_non_null(strstr(error.text, "not 100"));
}

/* A step limit is a guest fault; the machine serves the next run as if nothing had been. */
static void step_limit(void **state) {
    (void)state;
    struct fh_ntt_params p = good();
    p.options.max_steps = 10;
    expect("step limit", &p, N * 4, FHEC_GUEST_FAULT, "ntt_rows");
    p.map = "fhec256";
    expect("step limit", &p, N * 4, FHEC_GUEST_FAULT, "ntt_first");

    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct fh_error error;
    uint32_t out[N];
    uint64_t *in = programs_widen(input, N);
    assert_int_equal(fh_ntt_run(machine, &p, input, N * 4, out, &error), FHEC_GUEST_FAULT);
    assert_int_equal(fhec_machine_fault(machine)->kind, FHEC_FAULT_STEP_LIMIT);
    p.options.max_steps = 0;
    programs_check_ntt(machine, &p, in, "after a fault");
    free(in);
    fhec_machine_free(machine);
}

static void map_table(void **state) {
    (void)state;
    const struct fh_map *map;
    size_t count = 0;
    for (; (map = fh_map_get(count)) != NULL; count++) {
        assert_ptr_equal(fh_map_find(map->name), map);
        assert_true(map->workloads != 0);
        assert_true(map->word_bits == 32 || map->word_bits == 64);
        assert_true(map->title[0] != 0);
    }
    assert_true(count >= 2);
    assert_null(fh_map_get(count + 1));
    assert_null(fh_map_find("fhec1"));
    assert_string_equal(fh_map_default(FH_WORKLOAD_NTT), "fhec16");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),
        cmocka_unit_test(sizes),
        cmocka_unit_test(limbs_and_bytes),
        cmocka_unit_test(moduli),
        cmocka_unit_test(roots),
        cmocka_unit_test(order),
        cmocka_unit_test(check_alone),
        cmocka_unit_test(step_limit),
        cmocka_unit_test(map_table),
    };
    return cmocka_run_group_tests_name("programs_reject", tests, set_up, NULL);
}
