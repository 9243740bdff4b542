/*
 * ckks_raise.c - ModRaise, and rotations that share one ModUp.
 */
#include "ckks_circuit.h"
#include "ckks_internal.h"
#include "room.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------ ModRaise */

/* The base primes and what their integers are made of. */
typedef struct base_pair {
    uint64_t q0;
    uint64_t q1;            /* 1 for a base of one prime */
    uint64_t q0_inverse;    /* modulo q1 */
    fh_golden_u128 product; /* Q0, below 2^122 */
} base_pair;

/* Distinct primes: nothing here can fail. */
static base_pair make_base(const fh_golden_ckks *ckks, size_t base) {
    base_pair made = {ckks->moduli[0], 1, 0, ckks->moduli[0]};
    if (base == 2) {
        made.q1 = ckks->moduli[1];
        made.product = (fh_golden_u128)made.q0 * made.q1;
        (void)fh_golden_invmod(made.q0, made.q1, &made.q0_inverse);
    }
    return made;
}

/* The integer in (-Q0/2, Q0/2) that is x0 modulo q0 and x1 modulo q1; Q0 is odd. */
static fh_golden_i128 centred(const base_pair *base, uint64_t x0, uint64_t x1) {
    fh_golden_u128 value = x0;
    if (base->q1 != 1) {
        uint64_t missing = (x1 + (base->q1 - x0 % base->q1)) % base->q1;
        value += (fh_golden_u128)base->q0 * fh_golden_mulmod(missing, base->q0_inverse, base->q1);
    }
    fh_golden_i128 integer = (fh_golden_i128)value;
    return value > base->product / 2 ? integer - (fh_golden_i128)base->product : integer;
}

fh_golden_status fh_golden_ckks_mod_raise(const fh_golden_ckks *ckks, size_t base, size_t level,
                                          const uint64_t *in, uint64_t *out) {
    if (base < 1 || base > 2 || base > level || level > ckks->limbs) {
        return FH_GOLDEN_ERR_LEVEL;
    }
    size_t n = ckks->n;
    uint64_t *low = malloc(base * n * sizeof *low);
    fh_golden_i128 *integers = malloc(n * sizeof *integers);
    fh_golden_status status =
        low == NULL || integers == NULL ? FH_GOLDEN_ERR_NO_MEMORY : FH_GOLDEN_OK;
    const base_pair pair = make_base(ckks, base);
    for (size_t component = 0; component < 2 && status == FH_GOLDEN_OK; component++) {
        for (size_t j = 0; j < base; j++) {
            to_coefficients(ckks, j, in + (component * base + j) * n, low + j * n);
        }
        for (size_t k = 0; k < n; k++) {
            integers[k] = centred(&pair, low[k], low[(base - 1) * n + k]);
        }
        status = fh_golden_ckks_plain(ckks, level, integers, out + component * level * n);
    }
    free(low);
    free(integers);
    return status;
}

/* -------------------------------------------------------------------------- hoisted rotations */

fh_golden_status fh_golden_ckks_raise_digits(const fh_golden_ckks *ckks, size_t level,
                                             const uint64_t *in, uint64_t *raised) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t elements = (level + ckks->alpha) * ckks->n;
    size_t digits = fh_golden_ckks_digits(ckks, level);
    for (size_t digit = 0; digit < digits && status == FH_GOLDEN_OK; digit++) {
        status = fh_golden_ckks_mod_up(ckks, level, digit, in, raised + digit * elements);
    }
    return status;
}

typedef struct permutation_job {
    size_t n;
    const uint64_t *source; /* the place that each element comes from */
    const uint64_t *in;
    uint64_t *out;
} permutation_job;

static void permute_limb(void *context, size_t j) {
    const permutation_job *job = context;
    for (size_t x = 0; x < job->n; x++) {
        job->out[j * job->n + x] = job->in[j * job->n + job->source[x]];
    }
}

fh_golden_status fh_golden_ckks_permute(const fh_golden_ckks *ckks, size_t limbs, uint64_t g,
                                        const uint64_t *in, uint64_t *out) {
    size_t n = ckks->n;
    uint64_t *places = malloc(2 * n * sizeof *places);
    if (places == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    permutation_job job = {n, places + n, in, out};
    for (size_t x = 0; x < n; x++) {
        places[x] = x;
    }
    fh_golden_status status =
        fh_golden_automorphism_eval(n, g, FH_GOLDEN_BITREV, places, places + n);
    if (status == FH_GOLDEN_OK) {
        for_each_limb(ckks, limbs, permute_limb, &job);
        tally(ckks, FH_GOLDEN_CKKS_PERMUTATION, limbs);
    }
    free(places);
    return status;
}

fh_golden_status fh_golden_ckks_galois_hoisted(const fh_golden_ckks *ckks, size_t level, uint64_t g,
                                               const uint64_t *in, const uint64_t *raised,
                                               const uint64_t *key, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK || (g & 1) == 0) {
        return status != FH_GOLDEN_OK ? status : FH_GOLDEN_ERR_ARGUMENT;
    }
    size_t n = ckks->n;
    size_t extended = level + ckks->alpha;
    size_t limbs = fh_golden_ckks_digits(ckks, level) * extended;
    uint64_t *permuted = fh_golden_room((limbs + 2 * extended) * n, sizeof *permuted);
    if (permuted == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *sum = permuted + limbs * n; /* two extended polynomials */
    status = fh_golden_ckks_permute(ckks, limbs, g, raised, permuted);
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_inner_product(ckks, level, permuted, key, sum);
    }
    for (size_t component = 0; component < 2 && status == FH_GOLDEN_OK; component++) {
        status = fh_golden_ckks_mod_down(ckks, level, sum + component * extended * n,
                                         out + component * level * n);
    }
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_ckks_permute(ckks, level, g, in, permuted); /* c0 */
    }
    if (status == FH_GOLDEN_OK) {
        for (size_t j = 0; j < level; j++) {
            uint64_t *limb = out + j * n;
            (void)fh_golden_add(n, ckks->moduli[j], limb, permuted + j * n, limb);
        }
        tally(ckks, FH_GOLDEN_CKKS_ADDITION, level);
    }
    free(permuted);
    return status;
}
