/*
 * The references do not depend on the number of threads: keys, a rotation, a product and a Rescale,
 * large enough for threads to be used, with one, two and three of them.
 */
#include "ckks_circuit.h"

#include "golden_util.h"
#include "limbs.h"

enum { LIMBS = 8, ALPHA = 4, DNUM = 2, LOG2_N = 15, N = 1 << LOG2_N, RESULTS = 4 };

/* results[k]: arrays that the caller frees. */
static void compute(size_t threads, uint64_t *results[RESULTS], size_t elements[RESULTS]) {
    const fh_golden_ckks_params params = {LOG2_N, 31, LIMBS, ALPHA, DNUM, NULL};
    fh_golden_ckks *ckks = NULL;
    require_ok("create", fh_golden_ckks_create(&ckks, &params));
    assert_int_equal(ckks->threads, 1);
    ckks->threads = threads;
    uint64_t *secret = make_array((size_t)(LIMBS + ALPHA) * N);
    uint64_t *in = make_array((size_t)2 * LIMBS * N);
    elements[0] = fh_golden_ckks_key_elements(ckks);
    elements[1] = elements[2] = (size_t)2 * LIMBS * N;
    elements[3] = (size_t)2 * (LIMBS - 2) * N;
    for (size_t k = 0; k < RESULTS; k++) {
        results[k] = make_array(elements[k]);
    }
    require_ok("secret", fh_golden_ckks_make_secret(ckks, 5, secret));
    require_ok("key", fh_golden_ckks_make_relin_key(ckks, 5, secret, results[0]));
    require_ok("in", fh_golden_ckks_generate(ckks, FH_GOLDEN_RANDOM, 6, LIMBS, false, 2, in));
    require_ok("rotate", fh_golden_ckks_rotate(ckks, LIMBS, 3, in, results[0], results[1]));
    require_ok("hemult", fh_golden_ckks_hemult(ckks, LIMBS, in, in, results[0], results[2]));
    require_ok("rescale", fh_golden_ckks_rescale_limbs(ckks, LIMBS, 2, in, results[3]));
    fh_golden_ckks_free(ckks);
    free(secret);
    free(in);
}

static void equal_results(void **state) {
    (void)state;
    uint64_t *want[RESULTS], *got[RESULTS];
    size_t elements[RESULTS];
    compute(1, want, elements);
    for (size_t threads = 2; threads <= 3; threads++) {
        compute(threads, got, elements);
        for (size_t k = 0; k < RESULTS; k++) {
            require_array("threads", k, threads, elements[k], got[k], want[k]);
            free(got[k]);
        }
    }
    for (size_t k = 0; k < RESULTS; k++) {
        free(want[k]);
    }
}

static void count_one(void *context, size_t i) {
    ((size_t *)context)[i]++;
}

/* Each piece once, whatever there is more of. */
static void each_once(void **state) {
    (void)state;
    for (size_t threads = 0; threads <= 40; threads += 5) {
        size_t done[64] = {0};
        for (size_t count = 0; count <= 60; count += 12) {
            fh_golden_for_each(threads, count, count_one, done);
        }
        for (size_t i = 0; i < 64; i++) {
            assert_int_equal(done[i], 5 - (i < 60 ? i / 12 : 5));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_once),
        cmocka_unit_test(equal_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
