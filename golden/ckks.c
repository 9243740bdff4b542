/*
 * ckks.c - parameters of the CKKS references: the chain of primes, its constants, the shapes of the
 * base conversions, and seeded polynomials.
 */
#include "ckks_internal.h"

#include <stdlib.h>
#include <string.h>

size_t fh_golden_ckks_digit(size_t limbs, size_t dnum) {
    if (dnum == 0 || dnum > limbs) {
        return 0;
    }
    size_t digit = (limbs + dnum - 1) / dnum;
    return (dnum - 1) * digit < limbs ? digit : 0;
}

/* Everything that can be said without looking at a prime. */
static fh_golden_status check_shape(const fh_golden_ckks_params *params) {
    if (params->log2_n < 1 || params->log2_n > 24) {
        return FH_GOLDEN_ERR_SIZE;
    }
    if (params->limbs == 0 || params->limbs > FH_GOLDEN_MAX_LIMBS) {
        return FH_GOLDEN_ERR_LIMBS;
    }
    size_t digit = fh_golden_ckks_digit(params->limbs, params->dnum);
    if (digit == 0) {
        return FH_GOLDEN_ERR_DIGITS;
    }
    size_t others = (params->dnum - 1) * digit; /* than the limbs of the last, shortest digit */
    if (params->alpha < digit || params->alpha > FH_GOLDEN_MAX_LIMBS ||
        others + params->alpha > FH_GOLDEN_MAX_LIMBS) {
        return FH_GOLDEN_ERR_EXTENSION;
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_chain(const fh_golden_ckks_params *params, uint64_t *chain) {
    fh_golden_status status = check_shape(params);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t n = (size_t)1 << params->log2_n;
    size_t count = params->limbs + params->alpha;
    if (params->moduli == NULL) {
        return fh_golden_prime_chain(n, params->bits, count, chain);
    }
    for (size_t j = 0; j < count; j++) {
        chain[j] = params->moduli[j];
        status = fh_golden_check_modulus(n, chain[j]);
        for (size_t i = 0; i < j && status == FH_GOLDEN_OK; i++) {
            status = chain[i] == chain[j] ? FH_GOLDEN_ERR_REPEATED : FH_GOLDEN_OK;
        }
        if (status != FH_GOLDEN_OK) {
            return status;
        }
    }
    return FH_GOLDEN_OK;
}

/* Distinct primes: nothing here can fail. */
static void fill_constants(fh_golden_ckks *ckks) {
    for (size_t i = 0; i < ckks->limbs; i++) {
        uint64_t q = ckks->moduli[i];
        uint64_t product = 1;
        for (size_t k = 0; k < ckks->alpha; k++) {
            product = fh_golden_mulmod(product, ckks->moduli[ckks->limbs + k], q);
        }
        ckks->p_residue[i] = product;
        (void)fh_golden_invmod(product, q, &ckks->p_inverse[i]);
        for (size_t l = 0; l < ckks->limbs; l++) {
            if (l != i) {
                (void)fh_golden_invmod(ckks->moduli[l], q, &ckks->q_inverse[l][i]);
            }
        }
    }
}

fh_golden_status fh_golden_ckks_create(fh_golden_ckks **ckks, const fh_golden_ckks_params *params) {
    *ckks = NULL;
    uint64_t chain[FH_GOLDEN_CKKS_MAX_CHAIN] = {0};
    fh_golden_status status = fh_golden_ckks_chain(params, chain);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    fh_golden_ckks *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    made->n = (size_t)1 << params->log2_n;
    made->limbs = params->limbs;
    made->alpha = params->alpha;
    made->dnum = params->dnum;
    made->threads = 1;
    made->digit = fh_golden_ckks_digit(params->limbs, params->dnum);
    for (size_t j = 0; j < made->limbs + made->alpha && status == FH_GOLDEN_OK; j++) {
        made->moduli[j] = chain[j];
        status = fh_golden_smallest_root(made->n, chain[j], &made->psi[j]);
        if (status == FH_GOLDEN_OK) {
            const fh_golden_ntt_params ntt = {FH_GOLDEN_NEGACYCLIC, made->n, chain[j],
                                              made->psi[j]};
            status = fh_golden_ntt_plan_create(&made->plans[j], &ntt);
        }
    }
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_free(made);
        return status;
    }
    fill_constants(made);
    *ckks = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ckks_free(fh_golden_ckks *ckks) {
    if (ckks == NULL) {
        return;
    }
    for (size_t j = 0; j < FH_GOLDEN_CKKS_MAX_CHAIN; j++) {
        fh_golden_ntt_plan_free(ckks->plans[j]);
    }
    free(ckks);
}

size_t fh_golden_ckks_key_elements(const fh_golden_ckks *ckks) {
    return fh_golden_ckks_key_offset(ckks, ckks->dnum, 0, 0);
}

size_t fh_golden_ckks_key_offset(const fh_golden_ckks *ckks, size_t digit, size_t component,
                                 size_t chain_limb) {
    return ((2 * digit + component) * (ckks->limbs + ckks->alpha) + chain_limb) * ckks->n;
}

size_t fh_golden_ckks_digits(const fh_golden_ckks *ckks, size_t level) {
    return (level + ckks->digit - 1) / ckks->digit;
}

/* Splits the extended polynomial's limbs: those in [first, end) are the source; those below `upto`
 * that are not, the target. */
static void split_limbs(const fh_golden_ckks *ckks, size_t level, size_t first, size_t end,
                        size_t upto, fh_golden_ckks_conversion *conversion) {
    memset(conversion, 0, sizeof *conversion);
    for (size_t position = 0; position < level + ckks->alpha; position++) {
        uint64_t modulus = ckks->moduli[chain_limb(ckks, level, position)];
        if (position >= first && position < end) {
            conversion->from_limb[conversion->from_count] = position;
            conversion->from[conversion->from_count++] = modulus;
        } else if (position < upto) {
            conversion->to_limb[conversion->to_count] = position;
            conversion->to[conversion->to_count++] = modulus;
        }
    }
}

fh_golden_status fh_golden_ckks_mod_up_bases(const fh_golden_ckks *ckks, size_t level, size_t digit,
                                             fh_golden_ckks_conversion *conversion) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    if (digit >= fh_golden_ckks_digits(ckks, level)) {
        return FH_GOLDEN_ERR_DIGITS;
    }
    size_t first = digit * ckks->digit;
    size_t end = first + ckks->digit < level ? first + ckks->digit : level;
    split_limbs(ckks, level, first, end, level + ckks->alpha, conversion);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_mod_down_bases(const fh_golden_ckks *ckks, size_t level,
                                               fh_golden_ckks_conversion *conversion) {
    fh_golden_status status = check_level(ckks, level);
    if (status == FH_GOLDEN_OK) {
        split_limbs(ckks, level, level, level + ckks->alpha, level, conversion);
    }
    return status;
}

fh_golden_status fh_golden_ckks_generate(const fh_golden_ckks *ckks, fh_golden_pattern pattern,
                                         uint64_t seed, size_t level, bool extended, size_t count,
                                         uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    size_t limbs = level + (extended ? ckks->alpha : 0);
    for (size_t k = 0; k < count; k++) {
        for (size_t j = 0; j < limbs && status == FH_GOLDEN_OK; j++) {
            size_t limb = chain_limb(ckks, level, j);
            uint64_t stream = k * (ckks->limbs + ckks->alpha) + limb;
            status = fh_golden_generate(pattern, seed, stream, ckks->moduli[limb], ckks->n,
                                        out + (k * limbs + j) * ckks->n);
        }
    }
    return status;
}
