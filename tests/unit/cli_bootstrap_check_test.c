/*
 * What parameters of a bootstrap are checked against: the probability that coefficients leave the
 * range, by exact sums for few numbers and by published ones, the error of the sine, security
 * tables, estimated memory; and instruction counts added up.
 */
#include <math.h>

#include "bootstrap_check.h"
#include "bootstrap_options.h"
#include "circuit_memory.h"
#include "counts.h"
#include "security.h"

#include "golden_util.h"

static void require_within(const char *what, double got, double want, double off) {
    if (!(fabs(got - want) <= off))
        fail_msg("%s is %.3f, not %.3f", what, got, want);
}

/* log2 of 2 N P(sum of m numbers uniform in [-1/2, 1/2] > K) by Irwin and Hall:
 * P = sum_j (-1)^j C(m, j) (m/2 - K - j)^m / m!, exact enough where the terms are few. */
static double irwin_hall(unsigned log2_n, unsigned m, unsigned range) {
    long double sum = 0, choose = 1, factorial = 1;
    for (unsigned j = 0; (long double)m / 2 - range - j > 0; j++) {
        sum += (j % 2 ? -1 : 1) * choose * powl((long double)m / 2 - range - j, m);
        choose *= (long double)(m - j) / (j + 1);
    }
    for (unsigned i = 2; i <= m; i++)
        factorial *= i;
    return (double)log2l(2 * sum / factorial) + log2_n;
}

static void overflow(void **state) {
    (void)state;
    static const struct {
        unsigned log2_n, weight, range;
    } few[] = {{16, 32, 16}, {16, 32, 12}, {10, 32, 14}, {12, 24, 11}, {16, 20, 8}};
    for (size_t i = 0; i < COUNT_OF(few); i++)
        require_within("the overflow",
                       fh_cli_boot_overflow(few[i].log2_n, few[i].weight, few[i].range),
                       irwin_hall(few[i].log2_n, few[i].weight + 1, few[i].range), 0.1);
    /* Of dense secrets at N = 2^16, to the bit: OpenFHE's ranges. */
    require_within("weight 192, K 28", fh_cli_boot_overflow(16, 192, 28), -23, 1);
    require_within("ternary, K 512", fh_cli_boot_overflow(16, 2 * 65536 / 3, 512), -39, 1);
    assert_true(fh_cli_boot_overflow(16, 32, 17) == -INFINITY); /* half of 33 is less */
    for (unsigned range = 1; range < 16; range++)
        assert_true(fh_cli_boot_overflow(16, 32, range) > fh_cli_boot_overflow(16, 32, range + 1));
}

/* log2 of the sine's error near the zeros; each series must be at its own, but for those below what
 * long doubles can tell after the double angles. */
static void sine(void **state) {
    (void)state;
    static const struct {
        unsigned range, double_angles;
        size_t degree;
        double error;
    } known[] = {{16, 2, 63, -61.5}, {16, 2, 55, -43.8}, {16, 3, 31, -28.1}, {16, 3, 39, -48.1},
                 {12, 3, 31, -40.7}, {28, 3, 44, -28.8}, {28, 3, 59, -61},   {512, 6, 88, -37.5}};
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(10);
        params.range = known[i].range;
        params.double_angles = known[i].double_angles;
        params.degree = known[i].degree;
        const double got = fh_cli_boot_sine_error(&params), least = -52;
        if (known[i].error < least)
            assert_true(got < least);
        else
            require_within("the sine's error", got, known[i].error, 1);
        params.double_angles--; /* one missing */
        assert_true(fh_cli_boot_sine_error(&params) > known[i].error + 10);
    }
}

static void security(void **state) {
    (void)state;
    static const unsigned most[] = {0, 27, 54, 109, 218, 438, 881, 1747, 3523, 0};
    for (unsigned log2_n = 9; log2_n <= 18; log2_n++)
        assert_int_equal(fh_cli_secure_bits(log2_n), most[log2_n - 9]);
    static const uint64_t moduli[] = {(uint64_t)1 << 30, (uint64_t)1 << 29, (uint64_t)1 << 31};
    const fh_golden_ckks_params chain = {10, 0, 2, 1, 2, moduli};
    require_within("log2 QP", fh_cli_modulus_bits(&chain), 90, 1e-9);
}

/* Options change what they name, and levels follow. */
static void parameters(void **state) {
    (void)state;
    uint64_t limbs;
    struct fh_cli_boot_options o = {.preset = FH_CLI_FHEC32};
    const fh_golden_ckks_boot_params pairs = fh_golden_ckks_boot_pairs(16);
    fh_golden_ckks_boot_params p = fh_cli_boot_params(&o, 16, &limbs);
    assert_int_equal(limbs, 44);
    assert_int_equal(p.levels_left, pairs.levels_left);
    assert_int_equal(p.scale_bits, 62);
    assert_true(p.hoist);
    o = (struct fh_cli_boot_options){.bits = 29, .degree = 55, .has_angles = true, .angles = 1};
    p = fh_cli_boot_params(&o, 16, &limbs);
    assert_int_equal(p.base_bits, 29);
    assert_int_equal(p.scale_bits, 58);
    assert_int_equal(limbs, 44);
    assert_int_equal(p.levels_left, 22 - (1 + 3 + 6 + 1 + 3)); /* degree 55 takes 6 levels */
    o = (struct fh_cli_boot_options){
        .has_left = true, .left = 2, .levels_cts = 4, .no_hoist = true};
    p = fh_cli_boot_params(&o, 16, &limbs);
    assert_int_equal(limbs, 2 * (1 + 4 + 7 + 2 + 3 + 2));
    assert_int_equal(limbs, fh_golden_ckks_boot_limbs(&p));
    assert_false(p.hoist);
    o = (struct fh_cli_boot_options){.preset = FH_CLI_PAPER, .has_secret = true, .weight = 24};
    p = fh_cli_boot_params(&o, 12, &limbs);
    assert_int_equal(limbs, 27);
    assert_int_equal(p.weight, 24);
    assert_int_equal(p.secret_weight, 0);
}

/* The estimate grows with N and with the reference, and has at least keys and values. */
static void memory(void **state) {
    (void)state;
    double before = 0;
    for (unsigned log2_n = 10; log2_n <= 13; log2_n++) {
        uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
        const fh_golden_ckks_boot_params boot = fh_golden_ckks_boot_pairs(log2_n);
        fh_golden_ckks_circuit *circuit;
        require_ok("moduli", fh_golden_ckks_boot_moduli(&boot, moduli));
        require_ok("circuit", fh_golden_ckks_boot_circuit(&boot, moduli, &circuit));
        const fh_golden_ckks_params chain = {log2_n, 0, 44, boot.alpha, boot.dnum, moduli};
        const struct fh_ckks_steps_params params = {
            .map = "fhec16", .circuit = circuit, .chain = &chain, .key_places = 2};
        const double alone = fh_cli_memory_estimate(
            &params, &(struct fh_cli_memory_use){.host_keys = 128, .ahead = 0});
        const double both = fh_cli_memory_estimate(
            &params, &(struct fh_cli_memory_use){.host_keys = 128, .ahead = 12});
        const double keys = 20.0 * (double)fh_golden_ckks_boot_key_bytes(&chain);
        assert_true(alone > keys && both > alone && both > before);
        before = both;
        fh_golden_ckks_circuit_free(circuit);
    }
}

/* Counts of two machines: sums by mnemonic, sorted, also by way of JSON. */
static void counts(void **state) {
    (void)state;
    const fhec_count first[] = {{"BRA", "control", 3, 96, "branch"},
                                {"MOV", "move", 5, 160, "alu"}};
    const fhec_count second[] = {{"ADD", "integer", 1, 32, "alu"}, {"MOV", "move", 7, 224, "alu"}};
    struct fh_cli_counts sum = {0}, copy = {0};
    assert_true(fh_cli_counts_add(&sum, &(fhec_stats){.launches = 1,
                                                      .warp_insts = 8,
                                                      .thread_insts = 256,
                                                      .counts = first,
                                                      .count_count = 2}));
    assert_true(fh_cli_counts_add(&sum, &(fhec_stats){.launches = 2,
                                                      .warp_insts = 8,
                                                      .thread_insts = 256,
                                                      .fhec_cycles = 4,
                                                      .counts = second,
                                                      .count_count = 2}));
    json_t *object = fh_cli_counts_json(&sum);
    assert_non_null(object);
    assert_true(fh_cli_counts_read(object, &copy));
    const fhec_stats *both[] = {&sum.stats, &copy.stats};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(both[i]->launches, 3);
        assert_int_equal(both[i]->warp_insts, 16);
        assert_int_equal(both[i]->thread_insts, 512);
        assert_int_equal(both[i]->fhec_cycles, 4);
        assert_int_equal(both[i]->count_count, 3);
        static const char *const names[] = {"ADD", "BRA", "MOV"};
        static const uint64_t warps[] = {1, 3, 12};
        for (size_t k = 0; k < 3; k++) {
            assert_string_equal(both[i]->counts[k].mnemonic, names[k]);
            assert_int_equal(both[i]->counts[k].warp, warps[k]);
            assert_int_equal(both[i]->counts[k].thread, 32 * warps[k]);
        }
    }
    json_object_del(object, "warp");
    assert_false(fh_cli_counts_read(object, &copy));
    json_decref(object);
    fh_cli_counts_free(&sum);
    fh_cli_counts_free(&copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow),   cmocka_unit_test(sine),   cmocka_unit_test(security),
        cmocka_unit_test(parameters), cmocka_unit_test(memory), cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
