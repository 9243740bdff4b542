/*
 * programs_poly_count_test.c - instructions of the kernels of poly.sass, as the formulas in
 * programs/lib/residue_*.sass and a count of the rest by hand say.
 */
#include "programs_poly_util.h"

static void require_count(struct poly_bench *b, const char *what, uint64_t threads, uint64_t each) {
    uint64_t got = programs_warp_insts(b->machine);
    if (got != threads / 32 * each)
        fail_msg("%s on %s: %llu instructions, not %llu", what, b->unit, (unsigned long long)got,
                 (unsigned long long)(threads / 32 * each));
}

/* Kernels whose parameters are an address for each array and a table: anything that can be read and
 * written will do for counting. */
static const struct cost {
    enum fh_poly_kernel kernel;
    const char *name;
    unsigned arrays;
    unsigned core[4],
        limb[4]; /* of an element; for the limb's constants and what follows of them */
} costs[] = {
    {FH_POLY_ADD_PAIRS, "add pairs", 6, {4, 2, 8, 2}, {2, 2, 3, 2}},
    {FH_POLY_MULTIPLY_PAIR, "multiply pair", 5, {12, 2, 38, 2}, {3, 2, 6, 2}},
    {FH_POLY_TENSOR, "tensor", 7, {13, 4, 46, 4}, {3, 2, 6, 2}},
    {FH_POLY_CORRECT, "correct", 3, {5, 2, 14, 2}, {6, 2, 5, 2}},
    {FH_POLY_CORRECT_ADD, "correct, add", 4, {7, 2, 15, 2}, {6, 2, 5, 2}},
    {FH_POLY_CORRECT_ADD_LAZY, "correct, add, lazy", 4, {9, 2, 15, 2}, {7, 2, 5, 2}},
};

/* A limb of 65536 elements: a thread has four vectors, and 7 instructions are no array's. */
static void check_costs(struct poly_bench *b, unsigned unit, uint64_t threads, unsigned count) {
    uint64_t data = poly_room(b, 1), moduli = poly_table(b, poly_fill_modulus, NULL);
    uint64_t factors = poly_table(b, fh_poly_factor, NULL);
    for (size_t k = 0; k < COUNT_OF(costs); k++) {
        const struct cost *cost = &costs[k];
        uint64_t params[8];
        for (unsigned i = 0; i < cost->arrays; i++)
            params[i] = data;
        params[cost->arrays] = cost->kernel < FH_POLY_CORRECT ? moduli : factors;
        fhec_machine_clear_stats(b->machine);
        poly_launch(b, cost->kernel, params, cost->arrays + 1);
        require_count(b, cost->name, threads,
                      7 + cost->limb[unit] + cost->arrays +
                          4 * (cost->arrays + count * cost->core[unit]));
    }
}

/* Three digits: a product of both sums, or on CUDA cores four instructions of two words; 2 or 9 to
 * reduce a sum. Besides, 7 more instructions for addresses and 5 for the digits'. */
static void check_inner_cost(struct poly_bench *b, unsigned unit, uint64_t threads,
                             unsigned count) {
    static const unsigned core[4] = {2 * (3 + 2), 2 * 3, 2 * (12 + 9), 2 * 3};
    static const unsigned limb[4] = {6, 2, 5, 2};
    uint64_t data = poly_room(b, 8), moduli = poly_table(b, poly_fill_inner, NULL);
    const uint64_t sources[3] = {data, data, data};
    assert_int_equal(fhec_write(b->machine, data, sources, sizeof sources), FHEC_OK);
    uint64_t list = poly_room(b, 1), out = poly_room(b, 1);
    assert_int_equal(fhec_write(b->machine, list, sources, sizeof sources), FHEC_OK);
    fhec_machine_clear_stats(b->machine);
    LAUNCH(b, FH_POLY_INNER, list, data, out, out, moduli);
    require_count(b, "inner product", threads,
                  7 + limb[unit] + 7 + 5 + 4 * (3 * 3 + 2 + count * core[unit]));
}

static void poly_counts(void **state) {
    (void)state;
    static const struct poly_chain narrow = {1, 1, {1073479681}};
    static const struct poly_chain wide = {2, 1, {1152921504606584833}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    for (unsigned unit = 0; unit < POLY_UNITS; unit++) {
        struct poly_bench b;
        unsigned count = unit < FH_UNIT_CUDA64 ? 4 : 2;
        poly_start(&b, machine, unit, count == 4 ? &narrow : &wide, 16, 3);
        check_costs(&b, unit, 65536 / (4 * count), count);
        check_inner_cost(&b, unit, 65536 / (4 * count), count);
        poly_stop(&b);
    }
    fhec_machine_free(machine);
}

/* Five limbs permuted, four switched; without products a unit's arithmetic is that of its words. */
static void poly_move_counts(void **state) {
    (void)state;
    static const struct poly_chain five = {1, 5, {3, 5, 65537, 257, 1073479681}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    for (unsigned unit = 0; unit < POLY_UNITS; unit++) {
        struct poly_bench b;
        unsigned count = unit < FH_UNIT_CUDA64 ? 4 : 2, words = 4 / count;
        poly_start(&b, machine, unit, &five, 16, 0);
        uint64_t data = poly_room(&b, b.limbs), table = poly_room(&b, 1);
        fhec_machine_clear_stats(machine);
        LAUNCH(&b, FH_POLY_SWITCH, data, data, table);
        require_count(&b, "switch", 65536 / (4 * count),
                      12 + 4 + 4 * count * (1 + words) + 4 / count + 4 * 4 * (count * words + 1));
        fhec_machine_clear_stats(machine);
        LAUNCH(&b, FH_POLY_AUTOMORPHISM, data, data, 1);
        require_count(&b, "automorphism", 65536 / count,
                      (count == 4 ? 17 : 15) + 3 * count + 5 * (count + 1));
        poly_stop(&b);
    }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poly_counts),
        cmocka_unit_test(poly_move_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
