/*
 * Every allocation of the CKKS references can fail: each call below is made with its first, second,
 * ... allocation refused, until it succeeds; each time it says so, and frees what it has.
 */
#include "ckks.h"

#include "golden_util.h"
#include "refuse.h"

enum { N = 16, LIMBS = 4, CHAIN = 6, DNUM = 2, G = 5 };
static const fh_golden_ckks_params params = {4, 40, LIMBS, 2, DNUM, NULL};

/* Shared by the calls; made before any allocation is refused. */
static fh_golden_ckks *ckks;
static uint64_t secret[CHAIN * N];
static uint64_t a[2 * LIMBS * N];
static uint64_t b[2 * LIMBS * N];
static uint64_t key[2 * DNUM * CHAIN * N];
static uint64_t out[2 * DNUM * CHAIN * N];

static fh_golden_status create(void) {
    fh_golden_ckks *made = NULL;
    fh_golden_status status = fh_golden_ckks_create(&made, &params);
    assert_true((made == NULL) == (status != FH_GOLDEN_OK));
    fh_golden_ckks_free(made);
    return status;
}

static fh_golden_status mod_up(void) {
    return fh_golden_ckks_mod_up(ckks, LIMBS, 1, a, out);
}

static fh_golden_status mod_down(void) {
    return fh_golden_ckks_mod_down(ckks, LIMBS, key, out);
}

static fh_golden_status key_switch(void) {
    return fh_golden_ckks_key_switch(ckks, LIMBS, a, key, out);
}

static fh_golden_status rescale(void) {
    return fh_golden_ckks_rescale(ckks, LIMBS, a, out);
}

static fh_golden_status rotate(void) {
    return fh_golden_ckks_rotate(ckks, LIMBS, 1, a, key, out);
}

static fh_golden_status hemult(void) {
    return fh_golden_ckks_hemult(ckks, LIMBS, a, b, key, out);
}

static fh_golden_status hemult_rescale(void) {
    return fh_golden_ckks_hemult_rescale(ckks, LIMBS, a, b, key, out);
}

static const fh_golden_complex slots[N / 2] = {{1, 0.5}, {-0.25, 2}};

static fh_golden_status encode(void) {
    return fh_golden_ckks_encode(ckks, LIMBS, 1024, slots, out);
}

static fh_golden_status decode(void) {
    fh_golden_complex got[N / 2];
    return fh_golden_ckks_decode(ckks, LIMBS, 1024, a, got);
}

static fh_golden_status lift(void) {
    long double coefficients[N];
    return fh_golden_ckks_lift(ckks, LIMBS, a, coefficients);
}

static fh_golden_status relin_key(void) {
    return fh_golden_ckks_make_relin_key(ckks, 1, secret, out);
}

static fh_golden_status galois_key(void) {
    return fh_golden_ckks_make_galois_key(ckks, 1, secret, G, out);
}

static fh_golden_status encrypt(void) {
    return fh_golden_ckks_encrypt(ckks, LIMBS, 1, b, a, out);
}

static void each_allocation_fails(void **state) {
    (void)state;
    static const struct {
        const char *name;
        fh_golden_status (*call)(void);
        long allocations;
    } cases[] = {
        {"create", create, 1 + CHAIN},
        {"mod up", mod_up, 1},
        {"mod down", mod_down, 1},
        {"key switch", key_switch, 1 + DNUM + 2},
        {"rescale", rescale, 1},
        {"rotate", rotate, 2 + (1 + DNUM + 2)},
        {"hemult", hemult, 1 + (1 + DNUM + 2)},
        {"hemult, rescale", hemult_rescale, 1 + (2 + DNUM + 2) + 1},
        {"encode", encode, 1},
        {"decode", decode, 3},
        {"lift", lift, 1},
        {"relin key", relin_key, 2},
        {"galois key", galois_key, 3},
        {"encrypt", encrypt, 2},
    };
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    require_ok("secret", fh_golden_ckks_make_secret(ckks, 1, secret));
    require_ok("a", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 1, LIMBS, false, 2, a));
    require_ok("b", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 2, LIMBS, false, 2, b));
    require_ok("key", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 3, LIMBS, true,
                                              (size_t)2 * DNUM, key));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (long allowed = 0; allowed <= cases[i].allocations; allowed++) {
            refuse_after(allowed, false);
            fh_golden_status status = cases[i].call();
            (void)refuse_end();
            require_status(cases[i].name, status,
                           allowed < cases[i].allocations ? FH_GOLDEN_ERR_NO_MEMORY : FH_GOLDEN_OK);
        }
    }
    fh_golden_ckks_free(ckks);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
