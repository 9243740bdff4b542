/*
 * Circuits as data: what a bootstrap of 2^16 coefficients is made of, counted without executing it;
 * its primes; levels, scales and last uses; and what the builders refuse.
 */
#include <math.h>

#include "ckks_bootstrap.h"

#include "golden_util.h"

typedef struct planned {
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    fh_golden_ckks_circuit *circuit;
} planned;

static planned plan(const fh_golden_ckks_boot_params *params) {
    planned made = {.circuit = NULL};
    require_ok("moduli", fh_golden_ckks_boot_moduli(params, made.moduli));
    require_ok("circuit", fh_golden_ckks_boot_circuit(params, made.moduli, &made.circuit));
    return made;
}

/* A count at one level; a list ends with level 0. */
typedef struct count_row {
    size_t level;
    size_t count;
} count_row;

/* Checks the list, and that there is nothing at other levels. Returns the sum. */
static size_t require_counts(const fh_golden_ckks_circuit *circuit, fh_golden_ckks_kind kind,
                             fh_golden_ckks_kind other, const count_row *rows) {
    size_t sum = 0;
    for (; rows->level != 0; rows++) {
        size_t got =
            fh_golden_ckks_circuit_count(circuit, kind, rows->level) +
            (other == kind ? 0 : fh_golden_ckks_circuit_count(circuit, other, rows->level));
        if (got != rows->count) {
            fail_msg("%s at level %zu: %zu, should be %zu", fh_golden_ckks_kind_name(kind),
                     rows->level, got, rows->count);
        }
        sum += rows->count;
    }
    size_t all = fh_golden_ckks_circuit_count(circuit, kind, 0) +
                 (other == kind ? 0 : fh_golden_ckks_circuit_count(circuit, other, 0));
    assert_int_equal(all, sum);
    return sum;
}

/* Counted by hand from the shapes: 5 stages a map; 32, 63, 63 diagonals; a series of degree 63. */
static void primitives_of_a_bootstrap(void **state) {
    (void)state;
    static const count_row ptmult[] = {{44, 32}, {42, 63}, {40, 63}, {20, 63},
                                       {18, 63}, {16, 32}, {0, 0}};
    static const count_row rotate[] = {{44, 10}, {42, 14}, {40, 14}, {20, 14},
                                       {18, 14}, {16, 10}, {0, 0}};
    static const count_row conjugate[] = {{38, 1}, {0, 0}};
    static const count_row hemult[] = {{38, 2}, {36, 4}, {34, 8}, {32, 2}, {30, 4},
                                       {28, 6}, {26, 6}, {24, 2}, {22, 2}, {0, 0}};
    static const count_row scalar[] = {{36, 2},  {34, 6},  {32, 14}, {30, 42},
                                       {28, 42}, {26, 14}, {0, 0}};
    static const count_row sums[] = {{44, 31}, {42, 62}, {40, 62}, {38, 4},  {36, 6}, {34, 14},
                                     {32, 14}, {30, 38}, {28, 38}, {26, 18}, {24, 8}, {22, 2},
                                     {20, 63}, {18, 62}, {16, 31}, {0, 0}};
    static const count_row monomial[] = {{38, 1}, {20, 1}, {0, 0}};
    static const count_row rescale[] = {
        {44, 1},  {43, 1},  {42, 1}, {41, 1}, {40, 1}, {39, 1}, {38, 2},  {37, 2},
        {36, 4},  {35, 4},  {34, 8}, {33, 8}, {32, 4}, {31, 4}, {30, 10}, {29, 10},
        {28, 12}, {27, 12}, {26, 8}, {25, 8}, {24, 2}, {23, 2}, {22, 2},  {21, 2},
        {20, 1},  {19, 1},  {18, 1}, {17, 1}, {16, 1}, {15, 1}, {0, 0}};
    static const count_row base[] = {{2, 1}, {0, 0}};
    static const count_row top[] = {{44, 1}, {0, 0}};
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(16);
    planned made = plan(&params);
    const fh_golden_ckks_circuit *c = made.circuit;
    assert_int_equal(c->limbs, 44);
    size_t ptmults = require_counts(c, FH_GOLDEN_CKKS_PTMULT, FH_GOLDEN_CKKS_PTMULT, ptmult);
    size_t rotations = require_counts(c, FH_GOLDEN_CKKS_ROTATE, FH_GOLDEN_CKKS_ROTATE, rotate);
    (void)require_counts(c, FH_GOLDEN_CKKS_CONJUGATE, FH_GOLDEN_CKKS_CONJUGATE, conjugate);
    size_t hemults = require_counts(c, FH_GOLDEN_CKKS_HEMULT, FH_GOLDEN_CKKS_HEMULT, hemult);
    size_t scalars =
        require_counts(c, FH_GOLDEN_CKKS_SCALAR_MULT, FH_GOLDEN_CKKS_SCALAR_MULT, scalar);
    size_t additions = require_counts(c, FH_GOLDEN_CKKS_ADD, FH_GOLDEN_CKKS_SUB, sums);
    (void)require_counts(c, FH_GOLDEN_CKKS_MONOMIAL, FH_GOLDEN_CKKS_MONOMIAL, monomial);
    size_t rescales = require_counts(c, FH_GOLDEN_CKKS_RESCALE, FH_GOLDEN_CKKS_RESCALE, rescale);
    (void)require_counts(c, FH_GOLDEN_CKKS_ENCAPSULATE, FH_GOLDEN_CKKS_ENCAPSULATE, base);
    (void)require_counts(c, FH_GOLDEN_CKKS_MOD_RAISE, FH_GOLDEN_CKKS_MOD_RAISE, base);
    (void)require_counts(c, FH_GOLDEN_CKKS_RELEASE, FH_GOLDEN_CKKS_RELEASE, top);
    assert_int_equal(ptmults, 316);
    assert_int_equal(rotations, 76);
    assert_int_equal(hemults, 36);
    assert_int_equal(scalars, 120);
    assert_int_equal(additions, 453);
    assert_int_equal(rescales, 116);
    assert_int_equal(fh_golden_ckks_circuit_count(c, FH_GOLDEN_CKKS_SCALAR_ADD, 0), 30);
    assert_int_equal(fh_golden_ckks_circuit_level(c, c->output), 14);
    fh_golden_ckks_circuit_free(made.circuit);
}

/* Degree 55 takes a level less: one more is left of the same chain. */
static void lower_degree(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(16);
    params.degree = 55;
    params.levels_left = 7;
    planned made = plan(&params);
    assert_int_equal(made.circuit->limbs, 44);
    assert_int_equal(fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_HEMULT, 0), 34);
    assert_int_equal(fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_SCALAR_MULT, 0),
                     106);
    assert_int_equal(fh_golden_ckks_circuit_level(made.circuit, made.circuit->output), 16);
    fh_golden_ckks_circuit_free(made.circuit);
}

/* Each Galois element of the circuit once. */
static size_t galois_elements(const fh_golden_ckks_circuit *circuit, uint64_t *elements) {
    size_t count = 0;
    for (size_t i = 0; i < circuit->step_count; i++) {
        fh_golden_ckks_key_kind kind = FH_GOLDEN_CKKS_RELIN_KEY;
        uint64_t element;
        if (!fh_golden_ckks_step_key(&circuit->steps[i], &kind, &element) ||
            kind != FH_GOLDEN_CKKS_GALOIS_KEY) {
            continue;
        }
        size_t k = 0;
        while (k < count && elements[k] != element) {
            k++;
        }
        elements[k] = element;
        count = k == count ? count + 1 : count;
    }
    return count;
}

/* 38 rotations, the same for both directions, and the conjugation; hoisting leaves them. */
static void keys_of_a_bootstrap(void **state) {
    (void)state;
    static const int giants[] = {8, 16, 24, -8, -16, -24, -32};
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(16);
    for (int hoist = 0; hoist < 2; hoist++) {
        params.hoist = hoist != 0;
        planned made = plan(&params);
        uint64_t *elements = make_array(made.circuit->step_count);
        assert_int_equal(galois_elements(made.circuit, elements), 39);
        for (size_t stride = 1; stride <= 1024; stride *= 32) {
            for (size_t r = 1; r < 8 + COUNT_OF(giants); r++) {
                int64_t by = (int64_t)stride * (r < 8 ? (int)r : giants[r - 8]);
                if (stride == 1024 && by < 0) {
                    continue;
                }
                uint64_t want = fh_golden_powmod(5, (uint64_t)(by + 32768) % 32768, 131072);
                size_t k = 0;
                while (k < 39 && elements[k] != want) {
                    k++;
                }
                assert_true(k < 39);
            }
        }
        size_t raises = fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_RAISE_DIGITS, 0);
        assert_int_equal(raises, hoist != 0 ? 6 : 0);
        assert_int_equal(
            fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_ROTATE_RAISED, 0),
            hoist != 0 ? 42 : 0);
        assert_int_equal(fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_ROTATE, 0),
                         hoist != 0 ? 34 : 76);
        free(elements);
        fh_golden_ckks_circuit_free(made.circuit);
    }
}

/* Every operand was made before, is alive until its last use, and is read at no more limbs than it
 * has; linear maps end at delta, and no scale strays by more than the primes do. */
static void levels_and_scales(void **state) {
    (void)state;
    for (unsigned log2_n = 10; log2_n <= 16; log2_n++) {
        const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(log2_n);
        planned made = plan(&params);
        const fh_golden_ckks_circuit *c = made.circuit;
        for (size_t i = 0; i < c->step_count; i++) {
            const fh_golden_ckks_step *step = &c->steps[i];
            assert_true(step->a <= i && c->last_use[step->a] >= i);
            assert_true(step->level <= fh_golden_ckks_circuit_level(c, step->a));
            assert_true(step->b == FH_GOLDEN_CKKS_NONE ||
                        (step->b <= i && c->last_use[step->b] >= i));
            assert_true(step->name[0] != 0);
            long double drift = step->scale / c->delta - 1;
            if (step->kind == FH_GOLDEN_CKKS_RESCALE && fabsl(drift) > 1e-3L) {
                fail_msg("log N %u, step %zu (%s): scale off by %Lg", log2_n, i, step->name, drift);
            }
        }
        long double last = fh_golden_ckks_circuit_scale(c, c->output);
        assert_true(fabsl(last / c->delta - 1) < 0x1p-60L);
        assert_int_equal(c->last_use[c->output], c->step_count);
        fh_golden_ckks_circuit_free(made.circuit);
    }
}

/* The chain of 2^16: the extremes of the choice, computed elsewhere, and its size. */
static void primes(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(16);
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    require_ok("moduli", fh_golden_ckks_boot_moduli(&params, moduli));
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    double bits = 0;
    for (size_t j = 0; j < 56; j++) {
        require_ok("modulus", fh_golden_check_modulus(1 << 16, moduli[j]));
        for (size_t i = 0; i < j; i++) {
            assert_true(moduli[i] != moduli[j]);
        }
        least = moduli[j] < least ? moduli[j] : least;
        most = moduli[j] > most ? moduli[j] : most;
        bits += log2((double)moduli[j]);
    }
    assert_int_equal(least, 2022965249);
    assert_int_equal(most, 2279473153);
    assert_int_equal(moduli[42], 2265579521);
    assert_int_equal(moduli[43], 2035548161);
    assert_true(bits > 1735 && bits < 1736);
    assert_true(moduli[0] > moduli[1] && moduli[1] > moduli[44] && moduli[44] > moduli[45]);
    long double scale = 0x1p62L; /* of ciphertexts that are squared at every level */
    for (size_t level = 21; level >= 1; level--) {
        scale =
            scale * scale / ((long double)moduli[2 * level] * (long double)moduli[2 * level + 1]);
        assert_true(fabsl(scale / 0x1p62L - 1) < 1e-4L);
    }
}

/* One prime a level: the scale stays near delta there, too. */
static void single_primes(void **state) {
    (void)state;
    fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(12);
    params.per_level = 1;
    params.scale_bits = 50;
    params.base_bits = params.extension_bits = 60;
    params.alpha = 6;
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    require_ok("moduli", fh_golden_ckks_boot_moduli(&params, moduli));
    assert_int_equal(fh_golden_ckks_boot_limbs(&params), 22);
    uint64_t largest[7];
    require_ok("chain", fh_golden_prime_chain(1 << 12, 60, 7, largest));
    assert_int_equal(moduli[0], largest[0]);
    assert_memory_equal(moduli + 22, largest + 1, 6 * sizeof largest[0]);
    long double scale = 0x1p50L;
    for (size_t level = 21; level >= 1; level--) {
        scale = scale * scale / (long double)moduli[level];
        assert_true(fabsl(scale / 0x1p50L - 1) < 1e-7L);
    }
}

/* The published chain: 27 limbs, and at N = 2^16 no more bits than the table of secure moduli has.
 */
static void published_parameters(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_published(16);
    planned made = plan(&params);
    assert_int_equal(made.circuit->limbs, 27);
    double bits = 0;
    for (size_t j = 0; j < 36; j++) {
        bits += log2((double)made.moduli[j]);
    }
    assert_true(bits > 1741 && bits < 1743);
    assert_int_equal(fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_ENCAPSULATE, 0), 0);
    assert_int_equal(fh_golden_ckks_circuit_count(made.circuit, FH_GOLDEN_CKKS_MOD_RAISE, 1), 1);
    assert_int_equal(fh_golden_ckks_circuit_level(made.circuit, made.circuit->output), 8);
    fh_golden_ckks_circuit_free(made.circuit);
}

static void refused_parameters(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params good = fh_golden_ckks_boot_pairs(10);
    struct {
        const char *name;
        fh_golden_ckks_boot_params params;
        fh_golden_status want;
    } cases[] = {
        {"log N", good, FH_GOLDEN_ERR_SIZE},
        {"limbs a level", good, FH_GOLDEN_ERR_ARGUMENT},
        {"odd scale", good, FH_GOLDEN_ERR_ARGUMENT},
        {"no map", good, FH_GOLDEN_ERR_ARGUMENT},
        {"more maps than stages", good, FH_GOLDEN_ERR_ARGUMENT},
        {"degree", good, FH_GOLDEN_ERR_ARGUMENT},
        {"weight", good, FH_GOLDEN_ERR_ARGUMENT},
        {"range", good, FH_GOLDEN_ERR_ARGUMENT},
        {"correction", good, FH_GOLDEN_ERR_ARGUMENT},
        {"levels", good, FH_GOLDEN_ERR_LIMBS},
        {"primes", good, FH_GOLDEN_ERR_TOO_FEW_PRIMES},
        {"base", good, FH_GOLDEN_ERR_ARGUMENT},
    };
    cases[0].params.log2_n = 1;
    cases[1].params.per_level = 3;
    cases[2].params.scale_bits = 61;
    cases[3].params.maps_cts = 0;
    cases[4].params.maps_stc = 10;
    cases[5].params.degree = 128;
    cases[6].params.weight = 1025;
    cases[7].params.range = 0;
    cases[8].params.correction = 62;
    cases[9].params.levels_left = 17;
    cases[10].params.scale_bits = 34;
    cases[11].params.base_bits = 62;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
        require_status(cases[i].name, fh_golden_ckks_boot_moduli(&cases[i].params, moduli),
                       cases[i].want);
    }
    uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
    require_ok("moduli", fh_golden_ckks_boot_moduli(&good, moduli));
    fh_golden_ckks_circuit *circuit = NULL;
    fh_golden_ckks_boot_params high = good;
    high.input_level = 3;
    high.input_scale = 0x1p62L;
    require_status("input", fh_golden_ckks_boot_circuit(&high, moduli, &circuit),
                   FH_GOLDEN_ERR_LEVEL);
    high.input_level = 44;
    high.input_scale = 0;
    require_status("scale", fh_golden_ckks_boot_circuit(&high, moduli, &circuit),
                   FH_GOLDEN_ERR_SCALE);
    assert_null(circuit);
}

static fh_golden_ckks_circuit *small_circuit(void) {
    static const uint64_t moduli[] = {97, 193, 257, 353};
    const fh_golden_ckks_circuit_params params = {4, 4, moduli, 1, 200, false, 4, 200};
    fh_golden_ckks_circuit *circuit = NULL;
    require_ok("create", fh_golden_ckks_circuit_create(&circuit, &params));
    return circuit;
}

static void refused_steps(void **state) {
    (void)state;
    fh_golden_ckks_circuit *c = small_circuit();
    size_t square = fh_golden_ckks_circuit_hemult(c, 4, 0, 0);
    assert_true(fh_golden_ckks_circuit_scale(c, square) == 40000);
    (void)fh_golden_ckks_circuit_add(c, 4, 0, square);
    require_status("scales", c->status, FH_GOLDEN_ERR_SCALE);
    assert_int_equal(fh_golden_ckks_circuit_hemult(c, 4, 0, 0), 0); /* the first error stays */
    require_status("finish", fh_golden_ckks_circuit_finish(c, 0), FH_GOLDEN_ERR_SCALE);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    (void)fh_golden_ckks_circuit_hemult(c, 5, 0, 0);
    require_status("level", c->status, FH_GOLDEN_ERR_LEVEL);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    (void)fh_golden_ckks_circuit_add(c, 4, 0, 1);
    require_status("value", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    size_t value = 0;
    for (size_t i = 0; i < 3; i++) {
        value = fh_golden_ckks_circuit_rescale(c, value);
    }
    require_ok("three Rescales", c->status);
    assert_int_equal(fh_golden_ckks_circuit_level(c, value), 1);
    (void)fh_golden_ckks_circuit_rescale(c, value);
    require_status("a fourth", c->status, FH_GOLDEN_ERR_LEVEL);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    (void)fh_golden_ckks_circuit_add_constant(c, 0, 0x1p119L);
    require_status("constant", c->status, FH_GOLDEN_ERR_SCALE);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    fh_golden_ckks_map pair;
    require_ok("map", fh_golden_ckks_map_shape(3, true, 1, 2, 1, &pair));
    c->hoist = true;
    (void)fh_golden_ckks_circuit_linear(c, 0, &pair); /* step 0 makes value 1, raised digits */
    require_ok("hoisted", c->status);
    assert_int_equal(c->steps[0].kind, FH_GOLDEN_CKKS_RAISE_DIGITS);
    (void)fh_golden_ckks_circuit_hemult(c, 3, 1, 0);
    require_status("digits", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    const long double coefficients[17] = {0};
    (void)fh_golden_ckks_circuit_chebyshev(c, 0, 16, coefficients);
    require_status("series", c->status, FH_GOLDEN_ERR_LEVEL);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    fh_golden_ckks_map map;
    require_ok("map", fh_golden_ckks_map_shape(4, true, 1, 4, 1, &map));
    (void)fh_golden_ckks_circuit_linear(c, 0, &map);
    require_status("map of another N", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    require_status("stages", fh_golden_ckks_map_shape(4, true, 3, 2, 1, &map),
                   FH_GOLDEN_ERR_ARGUMENT);
    require_status("stages", fh_golden_ckks_map_shape(4, true, 1, 5, 1, &map),
                   FH_GOLDEN_ERR_ARGUMENT);
    require_status("factor", fh_golden_ckks_map_shape(4, true, 1, 4, INFINITY, &map),
                   FH_GOLDEN_ERR_ARGUMENT);
}

/* Inputs come before everything else; vectors and further outputs that there are not are refused.
 */
static void inputs_and_vectors(void **state) {
    (void)state;
    fh_golden_complex slots[8] = {{1, 0}};
    fh_golden_ckks_circuit *c = small_circuit();
    assert_int_equal(fh_golden_ckks_circuit_input(c, 3, 100), 1);
    assert_int_equal(fh_golden_ckks_circuit_input(c, 2, 50), 2);
    assert_int_equal(c->input_count, 3);
    size_t vector = fh_golden_ckks_circuit_vector(c, slots);
    size_t product = fh_golden_ckks_circuit_ptmult(c, 1, vector, 300);
    assert_true(fh_golden_ckks_circuit_scale(c, product) == 300);
    assert_true(c->steps[product - 1].plain_scale == 3);
    size_t sum = fh_golden_ckks_circuit_ptadd(c, 2, vector);
    assert_true(c->steps[sum - 1].plain_scale == 50);
    fh_golden_ckks_circuit_keep(c, 2);
    require_ok("finish", fh_golden_ckks_circuit_finish(c, sum));
    assert_int_equal(c->last_use[2], c->step_count);
    assert_int_equal(c->last_use[sum], c->step_count);
    assert_int_equal(c->last_use[1], product - 1);
    (void)fh_golden_ckks_circuit_input(c, 3, 100);
    require_status("late input", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    (void)fh_golden_ckks_circuit_input(c, 5, 100);
    require_status("input's level", c->status, FH_GOLDEN_ERR_LEVEL);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    (void)fh_golden_ckks_circuit_input(c, 4, NAN);
    require_status("input's scale", c->status, FH_GOLDEN_ERR_SCALE);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    (void)fh_golden_ckks_circuit_ptmult(c, 0, 0, 400);
    require_status("vector", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    vector = fh_golden_ckks_circuit_vector(c, slots);
    (void)fh_golden_ckks_circuit_ptmult(c, 0, vector, 0);
    require_status("product's scale", c->status, FH_GOLDEN_ERR_SCALE);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    fh_golden_ckks_circuit_keep(c, 1);
    require_status("kept", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    c = small_circuit();
    for (size_t i = 0; i <= FH_GOLDEN_CKKS_MAX_KEPT; i++) {
        fh_golden_ckks_circuit_keep(c, 0);
    }
    require_status("too many kept", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
}

/* A bootstrap inside another circuit: the same steps behind those before it; what it refuses. */
static void bootstrap_inside(void **state) {
    (void)state;
    const fh_golden_ckks_boot_params params = fh_golden_ckks_boot_pairs(10);
    planned alone = plan(&params);
    fh_golden_ckks_circuit *c = NULL;
    require_ok("host", fh_golden_ckks_boot_host(&params, alone.moduli, &c));
    assert_int_equal(c->input_level, 14);
    size_t a = fh_golden_ckks_circuit_add(c, 14, 0, 0);
    a = fh_golden_ckks_circuit_bootstrap(c, &params, a);
    require_ok("finish", fh_golden_ckks_circuit_finish(c, a));
    /* One sum, then a product and a Rescale to the base. */
    assert_int_equal(c->step_count, alone.circuit->step_count + 3);
    for (size_t i = 0; i < alone.circuit->step_count; i++) {
        const fh_golden_ckks_step *step = &c->steps[i + 3];
        const fh_golden_ckks_step *want = &alone.circuit->steps[i];
        assert_true(step->kind == want->kind && step->level == want->level &&
                    step->a == want->a + 3 && step->element == want->element &&
                    fabsl(step->scale / want->scale - 1) < 0x1p-55L);
    }
    assert_int_equal(fh_golden_ckks_circuit_level(c, a), 14);
    fh_golden_ckks_circuit_free(c);
    require_ok("host", fh_golden_ckks_boot_host(&params, alone.moduli, &c));
    fh_golden_ckks_boot_params longer = params;
    longer.levels_left = 8;
    (void)fh_golden_ckks_circuit_bootstrap(c, &longer, 0);
    require_status("chain", c->status, FH_GOLDEN_ERR_ARGUMENT);
    fh_golden_ckks_circuit_free(c);
    require_ok("host", fh_golden_ckks_boot_host(&params, alone.moduli, &c));
    a = 0;
    while (fh_golden_ckks_circuit_level(c, a) > 2) {
        a = fh_golden_ckks_circuit_rescale(c, a);
    }
    (void)fh_golden_ckks_circuit_bootstrap(c, &params, a);
    require_status("scale at the base", c->status, FH_GOLDEN_ERR_SCALE);
    fh_golden_ckks_circuit_free(c);
    fh_golden_ckks_circuit_free(alone.circuit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_of_a_bootstrap),
        cmocka_unit_test(lower_degree),
        cmocka_unit_test(keys_of_a_bootstrap),
        cmocka_unit_test(levels_and_scales),
        cmocka_unit_test(primes),
        cmocka_unit_test(single_primes),
        cmocka_unit_test(published_parameters),
        cmocka_unit_test(refused_parameters),
        cmocka_unit_test(refused_steps),
        cmocka_unit_test(inputs_and_vectors),
        cmocka_unit_test(bootstrap_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
