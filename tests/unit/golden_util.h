/*
 * golden_util.h - what the tests of golden/ share: comparing arrays and naming a failure's seed.
 */
#ifndef FH_TESTS_GOLDEN_UTIL_H
#define FH_TESTS_GOLDEN_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static inline void require_status(const char *what, fh_golden_status got, fh_golden_status want) {
    if (got != want) {
        fail_msg("%s: got \"%s\", want \"%s\"", what, fh_golden_status_text(got),
                 fh_golden_status_text(want));
    }
}

static inline void require_ok(const char *what, fh_golden_status got) {
    require_status(what, got, FH_GOLDEN_OK);
}

static inline void require_u64(const char *what, uint64_t seed, uint64_t iteration, uint64_t got,
                               uint64_t want) {
    if (got != want) {
        fail_msg("%s: seed %llu, iteration %llu: got %llu, want %llu", what,
                 (unsigned long long)seed, (unsigned long long)iteration, (unsigned long long)got,
                 (unsigned long long)want);
    }
}

/* The operands of a failing array comparison follow from what, q and the seed. */
static inline void require_array(const char *what, uint64_t q, uint64_t seed, size_t n,
                                 const uint64_t *got, const uint64_t *want) {
    for (size_t i = 0; i < n; i++) {
        if (got[i] != want[i]) {
            fail_msg("%s: n %zu, q %llu, seed %llu, element %zu: got %llu, want %llu", what, n,
                     (unsigned long long)q, (unsigned long long)seed, i, (unsigned long long)got[i],
                     (unsigned long long)want[i]);
        }
    }
}

/* count zeroed elements; the caller frees. */
static inline uint64_t *make_array(size_t count) {
    uint64_t *array = calloc(count, sizeof *array);
    assert_non_null(array);
    return array;
}

/* The `index`-th largest prime = 1 mod 2N below 2^bits. */
static inline uint64_t chain_prime(size_t n, unsigned bits, size_t index) {
    uint64_t primes[FH_GOLDEN_MAX_LIMBS];
    require_ok("prime chain", fh_golden_prime_chain(n, bits, index + 1, primes));
    return primes[index];
}

static inline fh_golden_ntt_params make_params(fh_golden_ring ring, size_t n, uint64_t q) {
    fh_golden_ntt_params params = {ring, n, q, 0};
    require_ok("smallest root", fh_golden_smallest_root(n, q, &params.psi));
    return params;
}

#endif
