/*
 * ntt.c - number-theoretic transforms: by the definition, and fast.
 *
 * The definitions are the reference. The fast transforms split X^(2L) - c^2 into X^L - c and
 * X^L + c until single points remain (Cooley-Tukey), which leaves the evaluations in bit-reversed
 * order; the inverse walks back (Gentleman-Sande). Group i of the level with m groups uses the
 * constant c at table position m + i:
 *   negacyclic   c = psi^bitrev(m + i)        the root of the tree is X^N + 1 = X^N - psi^N
 *   cyclic       c = omega^bitrev(i)          the root of the tree is X^N - 1
 * with bitrev over log2 N bits, respectively log2 N - 1.
 */
#include "golden.h"
#include "ntt_levels.h"
#include "residues.h"
#include "room.h"

#include <stdlib.h>

typedef fh_golden_u128 u128;

/* ------------------------------------------------------------------------- by the definition */

/* Position of the evaluation A(k) in an array of the given order. */
static size_t position(fh_golden_order order, size_t k, unsigned log2_n) {
    return order == FH_GOLDEN_NATURAL ? k : (size_t)fh_golden_bitrev(k, log2_n);
}

fh_golden_status fh_golden_ntt_schoolbook(const fh_golden_ntt_params *params, fh_golden_order order,
                                          const uint64_t *in, uint64_t *out) {
    uint64_t q = params->q;
    fh_golden_status status = fh_golden_check_root(params->n, q, params->psi);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    unsigned log2_n = 0;
    (void)fh_golden_log2(params->n, &log2_n);
    for (size_t k = 0; k < params->n; k++) {
        uint64_t exponent = params->ring == FH_GOLDEN_NEGACYCLIC ? 2 * k + 1 : 2 * k;
        uint64_t point = fh_golden_powmod(params->psi, exponent, q);
        uint64_t power = 1; /* point^i */
        uint64_t sum = 0;
        for (size_t i = 0; i < params->n; i++) {
            sum = (sum + fh_golden_mulmod(in[i], power, q)) % q;
            power = fh_golden_mulmod(power, point, q);
        }
        out[position(order, k, log2_n)] = sum;
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_intt_schoolbook(const fh_golden_ntt_params *params,
                                           fh_golden_order order, const uint64_t *in,
                                           uint64_t *out) {
    uint64_t q = params->q;
    fh_golden_status status = fh_golden_check_root(params->n, q, params->psi);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    unsigned log2_n = 0;
    (void)fh_golden_log2(params->n, &log2_n);
    uint64_t psi_inverse = 0;
    uint64_t n_inverse = 0;
    /* q is an odd prime above N and psi is a unit: neither call can fail. */
    (void)fh_golden_invmod(params->psi, q, &psi_inverse);
    (void)fh_golden_invmod(params->n, q, &n_inverse);
    for (size_t i = 0; i < params->n; i++) {
        uint64_t step = fh_golden_powmod(psi_inverse, 2 * i, q);
        uint64_t power = /* psi^(-(2k+1) i), or psi^(-2k i) for the cyclic ring */
            params->ring == FH_GOLDEN_NEGACYCLIC ? fh_golden_powmod(psi_inverse, i, q) : 1;
        uint64_t sum = 0;
        for (size_t k = 0; k < params->n; k++) {
            sum = (sum + fh_golden_mulmod(in[position(order, k, log2_n)], power, q)) % q;
            power = fh_golden_mulmod(power, step, q);
        }
        out[i] = fh_golden_mulmod(sum, n_inverse, q);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_poly_mul(fh_golden_ring ring, size_t n, uint64_t q, const uint64_t *a,
                                    const uint64_t *b, uint64_t *out) {
    if (n == 0) {
        return FH_GOLDEN_ERR_SIZE;
    }
    if (q < 2 || q >> FH_GOLDEN_MAX_MODULUS_BITS != 0) {
        return FH_GOLDEN_ERR_MODULUS;
    }
    for (size_t k = 0; k < n; k++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            bool wraps = i > k; /* X^i X^(n+k-i) = X^n X^k */
            uint64_t product = fh_golden_mulmod(a[i], b[wraps ? n + k - i : k - i], q);
            if (wraps && ring == FH_GOLDEN_NEGACYCLIC) {
                product = (q - product) % q;
            }
            sum = (sum + product) % q;
        }
        out[k] = sum;
    }
    return FH_GOLDEN_OK;
}

/* --------------------------------------------------------------------------------------- fast */

typedef fh_golden_factor factor;

struct fh_golden_ntt_plan {
    size_t n;
    unsigned log2_n;
    uint64_t q;
    factor n_inverse;
    factor table[]; /* n forward constants, then their n inverses; position 0 of each is unused */
};

static factor make_factor(uint64_t value, uint64_t q) {
    return (factor){value, (uint64_t)(((u128)value << 64) / q)};
}

/* x * w mod q, but only reduced to [0, 2q): the quotient estimate is at most one too small for any
 * 64-bit x. Arithmetic modulo 2^64. */
static uint64_t multiply_lazy(uint64_t x, factor w, uint64_t q) {
    uint64_t estimate = (uint64_t)((u128)x * w.quotient >> 64);
    return x * w.value - estimate * q;
}

/* table[m + i] = constant of group i at the level of m groups; root = psi or psi^-1. */
static void fill_table(factor *table, const fh_golden_ntt_params *params, unsigned log2_n,
                       uint64_t root) {
    uint64_t q = params->q;
    if (params->ring == FH_GOLDEN_NEGACYCLIC) {
        uint64_t power = 1;
        for (size_t i = 0; i < params->n; i++) {
            table[fh_golden_bitrev(i, log2_n)] = make_factor(power, q);
            power = fh_golden_mulmod(power, root, q);
        }
        return;
    }
    /* The constants of a smaller level are the first ones of the largest, that of m = n / 2. */
    size_t half = params->n / 2;
    uint64_t omega = fh_golden_mulmod(root, root, q);
    uint64_t power = 1;
    for (size_t i = 0; i < half; i++) {
        table[half + fh_golden_bitrev(i, log2_n - 1)] = make_factor(power, q);
        power = fh_golden_mulmod(power, omega, q);
    }
    for (size_t m = half / 2; m >= 1; m /= 2) {
        for (size_t i = 0; i < m; i++) {
            table[m + i] = table[half + i];
        }
    }
}

fh_golden_status fh_golden_ntt_plan_create(fh_golden_ntt_plan **plan,
                                           const fh_golden_ntt_params *params) {
    *plan = NULL;
    fh_golden_status status = fh_golden_check_root(params->n, params->q, params->psi);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    /* n <= 2^24, so the size cannot overflow. */
    fh_golden_ntt_plan *made =
        fh_golden_room(1, sizeof *made + 2 * params->n * sizeof made->table[0]);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->n = params->n;
    made->q = params->q;
    made->log2_n = 0;
    (void)fh_golden_log2(params->n, &made->log2_n);
    uint64_t psi_inverse = 0;
    uint64_t n_inverse = 0;
    (void)fh_golden_invmod(params->psi, params->q, &psi_inverse);
    (void)fh_golden_invmod(params->n, params->q, &n_inverse);
    made->n_inverse = make_factor(n_inverse, params->q);
    fill_table(made->table, params, made->log2_n, params->psi);
    fill_table(made->table + params->n, params, made->log2_n, psi_inverse);
    *plan = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ntt_plan_free(fh_golden_ntt_plan *plan) {
    free(plan);
}

static void permute_bitrev(uint64_t *data, size_t n, unsigned log2_n) {
    for (size_t i = 0; i < n; i++) {
        size_t j = (size_t)fh_golden_bitrev(i, log2_n);
        if (i < j) {
            uint64_t held = data[i];
            data[i] = data[j];
            data[j] = held;
        }
    }
}

/* Values stay below 4q < 2^63 until the end (Harvey, 2014). */
static void butterflies_forward(const fh_golden_ntt_plan *plan, uint64_t *data) {
    uint64_t q = plan->q;
    uint64_t twice = 2 * q;
    size_t length = plan->n / 2;
    for (size_t m = 1; m < plan->n; m *= 2, length /= 2) {
        for (size_t i = 0; i < m; i++) {
            factor w = plan->table[m + i];
            uint64_t *low = data + 2 * i * length;
            uint64_t *high = low + length;
            for (size_t j = 0; j < length; j++) {
                uint64_t x = low[j] >= twice ? low[j] - twice : low[j];
                uint64_t y = multiply_lazy(high[j], w, q);
                low[j] = x + y;
                high[j] = x + twice - y;
            }
        }
    }
    for (size_t i = 0; i < plan->n; i++) {
        uint64_t below_twice = data[i] >= twice ? data[i] - twice : data[i];
        data[i] = below_twice >= q ? below_twice - q : below_twice;
    }
}

/* Values stay below 2q until the end. */
static void butterflies_inverse(const fh_golden_ntt_plan *plan, uint64_t *data) {
    uint64_t q = plan->q;
    uint64_t twice = 2 * q;
    size_t length = 1;
    for (size_t m = plan->n / 2; m >= 1; m /= 2, length *= 2) {
        for (size_t i = 0; i < m; i++) {
            factor w = plan->table[plan->n + m + i];
            uint64_t *low = data + 2 * i * length;
            uint64_t *high = low + length;
            for (size_t j = 0; j < length; j++) {
                uint64_t sum = low[j] + high[j];
                uint64_t difference = low[j] + twice - high[j];
                low[j] = sum >= twice ? sum - twice : sum;
                high[j] = multiply_lazy(difference, w, q);
            }
        }
    }
    for (size_t i = 0; i < plan->n; i++) {
        uint64_t below_twice = multiply_lazy(data[i], plan->n_inverse, q);
        data[i] = below_twice >= q ? below_twice - q : below_twice;
    }
}

/* out = in, below q. */
static void reduce(const fh_golden_ntt_plan *plan, const uint64_t *in, uint64_t *out) {
    size_t i = fh_golden_residues_add_scalar(plan->n, plan->q, in, 0, out);
    for (; i < plan->n; i++) {
        out[i] = in[i] < plan->q ? in[i] : in[i] % plan->q;
    }
}

void fh_golden_ntt_forward(const fh_golden_ntt_plan *plan, fh_golden_order order,
                           const uint64_t *in, uint64_t *out) {
    reduce(plan, in, out);
    if (fh_golden_levels_usable(plan->n, plan->q)) {
        fh_golden_levels_forward(plan->n, plan->q, plan->table, out);
    } else {
        butterflies_forward(plan, out);
    }
    if (order == FH_GOLDEN_NATURAL) {
        permute_bitrev(out, plan->n, plan->log2_n);
    }
}

void fh_golden_ntt_inverse(const fh_golden_ntt_plan *plan, fh_golden_order order,
                           const uint64_t *in, uint64_t *out) {
    reduce(plan, in, out);
    if (order == FH_GOLDEN_NATURAL) {
        permute_bitrev(out, plan->n, plan->log2_n);
    }
    if (fh_golden_levels_usable(plan->n, plan->q)) {
        fh_golden_levels_inverse(plan->n, plan->q, plan->table + plan->n, out);
        (void)fh_golden_mul_scalar(plan->n, plan->q, out, plan->n_inverse.value, out);
    } else {
        butterflies_inverse(plan, out);
    }
}

fh_golden_status fh_golden_ntt_limbs(bool inverse, fh_golden_order order, size_t n, size_t limbs,
                                     const uint64_t *q, const uint64_t *psi, const uint64_t *in,
                                     uint64_t *out) {
    if (limbs == 0) {
        return FH_GOLDEN_ERR_LIMBS;
    }
    for (size_t j = 0; j < limbs; j++) {
        fh_golden_ntt_params params = {FH_GOLDEN_NEGACYCLIC, n, q[j], 0};
        fh_golden_status status = FH_GOLDEN_OK;
        if (psi != NULL) {
            params.psi = psi[j];
        } else {
            status = fh_golden_smallest_root(n, q[j], &params.psi);
        }
        fh_golden_ntt_plan *plan = NULL;
        if (status == FH_GOLDEN_OK) {
            status = fh_golden_ntt_plan_create(&plan, &params);
        }
        if (status != FH_GOLDEN_OK) {
            return status;
        }
        if (inverse) {
            fh_golden_ntt_inverse(plan, order, in + j * n, out + j * n);
        } else {
            fh_golden_ntt_forward(plan, order, in + j * n, out + j * n);
        }
        fh_golden_ntt_plan_free(plan);
    }
    return FH_GOLDEN_OK;
}
