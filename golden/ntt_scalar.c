/*
 * ntt_scalar.c - a radix-2 NTT on 32-bit elements, as a benchmark baseline.
 *
 * This is what one ordinary scalar core does with a good but plain algorithm: Cooley-Tukey
 * butterflies, precomputed constants with Shoup quotients, one multiplication pair and no division
 * per butterfly. It must not be vectorised, or it would be another baseline.
 */
#include "golden.h"

#include <stdlib.h>

#if defined(__clang__)
#define SCALAR_FUNCTION
#define SCALAR_LOOP _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define SCALAR_FUNCTION __attribute__((optimize("no-tree-vectorize")))
#define SCALAR_LOOP
#endif

/* Above this, values below 4q no longer fit 32 bits. */
#define LAZY_LIMIT ((uint32_t)1 << 30)

struct fh_golden_ntt32_plan {
    size_t n;
    uint32_t q;
    struct {
        uint32_t value;    /* psi^bitrev(position) */
        uint32_t quotient; /* floor(value * 2^32 / q) */
    } table[];
};

fh_golden_status fh_golden_ntt32_plan_create(fh_golden_ntt32_plan **plan, size_t n, uint64_t q,
                                             uint64_t psi) {
    *plan = NULL;
    fh_golden_status status = fh_golden_check_root(n, q, psi);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    if (q >> 32 != 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    fh_golden_ntt32_plan *made = malloc(sizeof *made + n * sizeof made->table[0]);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->n = n;
    made->q = (uint32_t)q;
    unsigned log2_n = 0;
    (void)fh_golden_log2(n, &log2_n);
    uint64_t power = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t slot = fh_golden_bitrev(i, log2_n);
        made->table[slot].value = (uint32_t)power;
        made->table[slot].quotient = (uint32_t)((power << 32) / q);
        power = power * psi % q;
    }
    *plan = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ntt32_plan_free(fh_golden_ntt32_plan *plan) {
    free(plan);
}

/* x - q if that is not negative, else x, for x < 2q < 2^33: by a mask, since a branch on a random
 * value costs more than the whole butterfly. */
static inline uint64_t subtract_once(uint64_t x, uint64_t q) {
    uint64_t difference = x - q;
    return difference + (q & (0 - (difference >> 63)));
}

/* x mod q for x < 4q, q < 2^30. */
static inline uint32_t reduce_lazy(uint32_t x, uint32_t q) {
    x = x >= 2 * q ? x - 2 * q : x;
    return x >= q ? x - q : x;
}

/* q < 2^30: values below 4q between the levels, one conditional subtraction per butterfly. */
SCALAR_FUNCTION static void levels_lazy(const fh_golden_ntt32_plan *plan, uint32_t *data) {
    uint32_t q = plan->q;
    uint32_t twice = 2 * q;
    size_t length = plan->n / 2;
    for (size_t m = 1; m < plan->n; m *= 2, length /= 2) {
        for (size_t i = 0; i < m; i++) {
            uint32_t value = plan->table[m + i].value;
            uint32_t quotient = plan->table[m + i].quotient;
            uint32_t *low = data + 2 * i * length;
            uint32_t *high = low + length;
            SCALAR_LOOP
            for (size_t j = 0; j < length; j++) {
                uint32_t x = low[j];
                uint32_t y = high[j];
                uint32_t estimate = (uint32_t)((uint64_t)y * quotient >> 32);
                uint32_t product = y * value - estimate * q; /* in [0, 2q), modulo 2^32 */
                uint32_t less = x - twice; /* wraps above x when x < twice, so take the smaller */
                x = less < x ? less : x;
                low[j] = x + product;
                high[j] = x + twice - product;
            }
        }
    }
    SCALAR_LOOP
    for (size_t i = 0; i < plan->n; i++) {
        data[i] = reduce_lazy(data[i], q);
    }
}

/* Any q < 2^32: values below q throughout, in 64-bit arithmetic since 2q may exceed 32 bits. */
SCALAR_FUNCTION static void levels_strict(const fh_golden_ntt32_plan *plan, uint32_t *data) {
    uint64_t q = plan->q;
    size_t length = plan->n / 2;
    for (size_t m = 1; m < plan->n; m *= 2, length /= 2) {
        for (size_t i = 0; i < m; i++) {
            uint64_t value = plan->table[m + i].value;
            uint64_t quotient = plan->table[m + i].quotient;
            uint32_t *low = data + 2 * i * length;
            uint32_t *high = low + length;
            SCALAR_LOOP
            for (size_t j = 0; j < length; j++) {
                uint64_t x = low[j];
                uint64_t y = high[j];
                uint64_t product = subtract_once(y * value - (y * quotient >> 32) * q, q);
                low[j] = (uint32_t)subtract_once(x + product, q);
                high[j] = (uint32_t)subtract_once(x + q - product, q);
            }
        }
    }
}

void fh_golden_ntt32_forward(const fh_golden_ntt32_plan *plan, uint32_t *data) {
    if (plan->q < LAZY_LIMIT) {
        levels_lazy(plan, data);
    } else {
        levels_strict(plan, data);
    }
}
