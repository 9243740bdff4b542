/*
 * Every allocation of the parts of a bootstrap can fail: each call is made with its first, second,
 * ... allocation refused, until it succeeds; each time it says so, and frees what it has.
 */
#include "ckks_bootstrap.h"

#include "golden_util.h"
#include "refuse.h"

enum { N = 16, LIMBS = 8, CHAIN = 12, DNUM = 2 };

/* Shared by the calls; made before any allocation is refused. */
static fh_golden_ckks_boot_params params;
static uint64_t moduli[2 * FH_GOLDEN_MAX_LIMBS];
static fh_golden_ckks *ckks;
static fh_golden_ckks *base;
static fh_golden_ckks_boot_keys *keys;
static fh_golden_ckks_circuit *circuit;
static fh_golden_ckks_map map;
static uint64_t in[2 * LIMBS * N];
static uint64_t out[2 * DNUM * CHAIN * N];

static fh_golden_status boot_moduli(void) {
    return fh_golden_ckks_boot_moduli(&params, moduli);
}

static fh_golden_status chains(void) {
    fh_golden_ckks *made[2] = {NULL, NULL};
    fh_golden_status status = fh_golden_ckks_boot_chains(&params, moduli, &made[0], &made[1]);
    assert_true((made[0] == NULL) == (status != FH_GOLDEN_OK));
    assert_true((made[1] == NULL) == (status != FH_GOLDEN_OK));
    fh_golden_ckks_free(made[0]);
    fh_golden_ckks_free(made[1]);
    return status;
}

static fh_golden_status whole_circuit(void) {
    fh_golden_ckks_circuit *made = NULL;
    fh_golden_status status = fh_golden_ckks_boot_circuit(&params, moduli, &made);
    assert_true((made == NULL) == (status != FH_GOLDEN_OK));
    fh_golden_ckks_circuit_free(made);
    return status;
}

static fh_golden_status make_keys(void) {
    fh_golden_ckks_boot_keys *made = NULL;
    fh_golden_status status = fh_golden_ckks_boot_keys_create(&made, &params, ckks, base, 1, 2);
    const uint64_t *key = NULL;
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_boot_key(made, FH_GOLDEN_CKKS_RELIN_KEY, 0, &key);
    }
    fh_golden_ckks_boot_keys_free(made);
    return status;
}

/* Hoisted and other rotations, diagonals, a product, a Rescale, ModRaise: nearly every kind. */
static fh_golden_status execute(void) {
    const fh_golden_ckks_environment environment = {ckks, base, keys, fh_golden_ckks_boot_key,
                                                    NULL};
    return fh_golden_ckks_execute(circuit, &environment, in, NULL, NULL, out);
}

static fh_golden_status monomial(void) {
    return fh_golden_ckks_monomial(ckks, LIMBS, 3, in, out);
}

static fh_golden_status rescale_limbs(void) {
    return fh_golden_ckks_rescale_limbs(ckks, LIMBS, 2, in, out);
}

static fh_golden_status mod_raise(void) {
    return fh_golden_ckks_mod_raise(ckks, 2, LIMBS, in, out);
}

static fh_golden_status sparse_secret(void) {
    return fh_golden_ckks_make_sparse_secret(ckks, 1, 3, out);
}

static fh_golden_status diagonals(void) {
    static fh_golden_wide_complex unused[N * N / 4];
    return fh_golden_ckks_map_diagonals(&map, unused);
}

static fh_golden_status make_encoder(void) {
    fh_golden_ckks_encoder *made = NULL;
    fh_golden_status status = fh_golden_ckks_encoder_create(&made, N);
    fh_golden_i128 coefficients[N];
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_encode_diagonal(made, &map, 0, coefficients);
    }
    fh_golden_ckks_encoder_free(made);
    return status;
}

static void make_circuit(void) {
    const fh_golden_ckks_circuit_params shape = {4, LIMBS, moduli, 2, 0x1p62L, true, 2, 0x1p50L};
    require_ok("create", fh_golden_ckks_circuit_create(&circuit, &shape));
    size_t value = fh_golden_ckks_circuit_raise(circuit, true, 0);
    value = fh_golden_ckks_circuit_linear(circuit, value, &map);
    value = fh_golden_ckks_circuit_double_angle(circuit, value);
    require_ok("finish", fh_golden_ckks_circuit_finish(circuit, value));
}

static void make_all(void) {
    params = fh_golden_ckks_boot_pairs(4);
    params.levels_left = 0; /* 2 (1 + 1 + 1 + 1) limbs */
    params.maps_cts = params.maps_stc = 1;
    params.degree = 1;
    params.double_angles = 0;
    params.weight = 3;
    params.alpha = 4;
    params.dnum = DNUM;
    require_ok("moduli", fh_golden_ckks_boot_moduli(&params, moduli));
    require_ok("chains", fh_golden_ckks_boot_chains(&params, moduli, &ckks, &base));
    assert_int_equal(ckks->limbs, LIMBS);
    require_ok("keys", fh_golden_ckks_boot_keys_create(&keys, &params, ckks, base, 1, 1));
    require_ok("map", fh_golden_ckks_map_shape(3, true, 1, 3, 1, &map));
    require_ok("in", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 1, LIMBS, false, 2, in));
    make_circuit();
}

static void each_allocation_fails(void **state) {
    (void)state;
    static const struct {
        const char *name;
        fh_golden_status (*call)(void);
    } cases[] = {
        {"moduli", boot_moduli},    {"chains", chains},        {"circuit", whole_circuit},
        {"keys", make_keys},        {"execute", execute},      {"monomial", monomial},
        {"rescale", rescale_limbs}, {"mod raise", mod_raise},  {"sparse secret", sparse_secret},
        {"diagonals", diagonals},   {"encoder", make_encoder},
    };
    make_all();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fh_golden_status status = FH_GOLDEN_ERR_NO_MEMORY;
        for (long allowed = 0; status != FH_GOLDEN_OK; allowed++) {
            refuse_after(allowed, false);
            status = cases[i].call();
            (void)refuse_end();
            if (status != FH_GOLDEN_OK) {
                require_status(cases[i].name, status, FH_GOLDEN_ERR_NO_MEMORY);
            }
            assert_true(allowed < 2000);
        }
    }
    fh_golden_ckks_circuit_free(circuit);
    fh_golden_ckks_boot_keys_free(keys);
    fh_golden_ckks_free(ckks);
    fh_golden_ckks_free(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
