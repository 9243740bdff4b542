/*
 * How many instructions the transform kernels issue: FHEC exactly as often as the mathematics asks,
 * and all of them together within a budget.
 */
#include "programs_util.h"

/* Runs the transform of `limbs` limbs on zeros and leaves the counters of it in the machine. */
static void run(fhec_machine *machine, const char *map, unsigned log2_n, bool inverse,
                fh_golden_order order, unsigned bits, size_t limbs) {
    size_t n = (size_t)1 << log2_n, bytes = limbs * n * sizeof(uint32_t);
    uint64_t q[MAX_LIMBS];
    uint32_t *data = calloc(limbs * n, sizeof *data);
    struct fh_error error;
    assert_non_null(data);
    assert_int_equal(fh_golden_prime_chain(n, bits, limbs, q), FH_GOLDEN_OK);
    const struct fh_ntt_params params = {
        .map = map, .n = n, .limbs = limbs, .q = q, .inverse = inverse, .order = order};
    fhec_machine_clear_stats(machine);
    assert_int_equal(fh_ntt_run(machine, &params, data, bytes, data, &error), FHEC_OK);
    free(data);
}

/* An FHEC takes 16 x 8 results 16 products further. */
static uint64_t fhec_of_product(uint64_t rows, uint64_t columns, uint64_t depth) {
    return rows / 16 * (columns / 8) * (depth / 16);
}

static void fhec_counts(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned log2_n = FH_NTT_MIN_LOG2; log2_n <= FH_NTT_MAX_LOG2; log2_n++)
        for (unsigned c = 0; c < 4; c++) {
            const char *map = c & 1 ? "fhec256" : "fhec16";
            uint64_t limbs = 1 + c % 3, n = UINT64_C(1) << log2_n, want;
            uint64_t n2 = UINT64_C(1) << log2_n / 2, n1 = n / n2;
            if (c & 1)
                want = fhec_of_product(n2, n1, n2) + fhec_of_product(n2, n1, n1);
            else /* a stage of up to four bits multiplies each 16 x 16 tile once */
                want = (log2_n + 3) / 4 * (n / 256) * fhec_of_product(16, 16, 16);
            run(machine, map, log2_n, c & 2, FH_GOLDEN_BITREV, 28, limbs);
            uint64_t got = programs_count(machine, "FHEC.16816");
            if (got != want * limbs)
                fail_msg("%s, N 2^%u, %s: %llu FHEC for %llu limbs, not %llu each", map, log2_n,
                         c & 2 ? "inverse" : "forward", (unsigned long long)got,
                         (unsigned long long)limbs, (unsigned long long)want);
        }
    fhec_machine_free(machine);
}

/* The published mappings of 65536 points. */
static void fhec_counts_of_65536(void **state) {
    (void)state;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned c = 0; c < 8; c++) {
        const char *map = c & 1 ? "fhec256" : "fhec16";
        run(machine, map, 16, c & 2, c & 4 ? FH_GOLDEN_NATURAL : FH_GOLDEN_BITREV, 32, 1);
        assert_int_equal(programs_count(machine, "FHEC"), c & 1 ? 16384 : 2048);
    }
    fhec_machine_free(machine);
}

/* Everything included, per limb of 65536 points. The second limit is what the kernels need today,
 * and a little more: who makes them longer should notice. */
static void instruction_budget(void **state) {
    (void)state;
    static const struct {
        unsigned bits;
        uint64_t limit;
    } rows[] = {{28, 23000}, {31, 23000}, {32, 25000}};
    enum { BUDGET = 90000, LIMBS = 3 };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (unsigned c = 0; c < 2 * COUNT_OF(rows); c++) {
        unsigned bits = rows[c / 2].bits;
        run(machine, "fhec16", 16, c & 1, FH_GOLDEN_BITREV, bits, LIMBS);
        uint64_t each = programs_warp_insts(machine) / LIMBS;
        print_message("# fhec16, N 2^16, %u bits, %s: %llu warp instructions per limb\n", bits,
                      c & 1 ? "inverse" : "forward", (unsigned long long)each);
        assert_true(each <= BUDGET);
        assert_true(each <= rows[c / 2].limit);
    }
    fhec_machine_free(machine);
}

/* A launch serves all limbs: two launches for fhec16 up to 2^16, whatever their number. */
static void launches(void **state) {
    (void)state;
    static const struct {
        const char *map;
        unsigned log2_n, launches;
    } rows[] = {{"fhec16", 8, 1},  {"fhec16", 9, 2},  {"fhec16", 16, 2},
                {"fhec16", 17, 3}, {"fhec256", 8, 2}, {"fhec256", 17, 2}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fhec_stats stats;
        run(machine, rows[i].map, rows[i].log2_n, i & 1, FH_GOLDEN_BITREV, 30, 1 + i % 4);
        assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
        assert_int_equal(stats.launches, rows[i].launches);
    }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fhec_counts),
        cmocka_unit_test(fhec_counts_of_65536),
        cmocka_unit_test(instruction_budget),
        cmocka_unit_test(launches),
    };
    return cmocka_run_group_tests_name("programs_count", tests, NULL, NULL);
}
