/*
 * ckks_boot_chain.c - the primes of a bootstrap, chosen so that scales stay where they are.
 */
#include <math.h>
#include <stdlib.h>

#include "ckks_bootstrap.h"

fh_golden_ckks_boot_params fh_golden_ckks_boot_pairs(unsigned log2_n) {
    return (fh_golden_ckks_boot_params){
        .log2_n = log2_n,
        .per_level = 2,
        .scale_bits = 62,
        .base_bits = 31,
        .extension_bits = 31,
        .alpha = 12,
        .dnum = 4,
        .levels_left = 6,
        .maps_cts = 3,
        .maps_stc = 3,
        .degree = 63,
        .double_angles = 2,
        .range = 16,
        .correction = 12,
        .weight = 32,
    };
}

fh_golden_ckks_boot_params fh_golden_ckks_boot_published(unsigned log2_n) {
    return (fh_golden_ckks_boot_params){
        .log2_n = log2_n,
        .per_level = 1,
        .scale_bits = 46,
        .base_bits = 60,
        .extension_bits = 54,
        .alpha = 9,
        .dnum = 3,
        .levels_left = 7,
        .maps_cts = 5,
        .maps_stc = 5,
        .degree = 44,
        .double_angles = 3,
        .range = 28,
        .correction = 6,
        .secret_weight = 192,
    };
}

size_t fh_golden_ckks_boot_limbs(const fh_golden_ckks_boot_params *params) {
    return params->per_level * (1 + params->levels_left + params->maps_stc + params->double_angles +
                                fh_golden_chebyshev_depth(params->degree) + params->maps_cts);
}

/* Bounds that keep every later sum and product of parameters small. */
fh_golden_status fh_golden_ckks_boot_check(const fh_golden_ckks_boot_params *params) {
    if (params->log2_n < 2 || params->log2_n > 24) {
        return FH_GOLDEN_ERR_SIZE;
    }
    size_t stages = params->log2_n - 1;
    bool maps = params->maps_cts >= 1 && params->maps_cts <= stages && params->maps_stc >= 1 &&
                params->maps_stc <= stages;
    bool series = params->degree >= 1 && params->degree <= 127 && params->double_angles <= 16 &&
                  params->range >= 1 && params->range <= 1U << 20;
    bool levels = params->per_level >= 1 && params->per_level <= 2 &&
                  params->levels_left <= FH_GOLDEN_MAX_LIMBS &&
                  params->scale_bits % params->per_level == 0 && params->correction >= 1 &&
                  params->correction < params->base_bits * params->per_level;
    size_t n = (size_t)1 << params->log2_n;
    if (!maps || !series || !levels || params->weight > n || params->secret_weight > n ||
        params->scale_bits / params->per_level > 60) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    bool fits = fh_golden_ckks_boot_limbs(params) <= FH_GOLDEN_MAX_LIMBS &&
                params->alpha <= FH_GOLDEN_MAX_LIMBS && params->alpha >= 1;
    return fits ? FH_GOLDEN_OK : FH_GOLDEN_ERR_LIMBS;
}

static bool contains(size_t count, const uint64_t *list, uint64_t q) {
    for (size_t i = 0; i < count; i++) {
        if (list[i] == q) {
            return true;
        }
    }
    return false;
}

/* moduli[0 .. per_level) and moduli[limbs .. limbs + alpha). */
static fh_golden_status ends_of_chain(const fh_golden_ckks_boot_params *params, uint64_t *moduli) {
    size_t n = (size_t)1 << params->log2_n;
    size_t limbs = fh_golden_ckks_boot_limbs(params);
    uint64_t largest[FH_GOLDEN_MAX_LIMBS + 2];
    fh_golden_status status =
        fh_golden_prime_chain(n, params->base_bits, params->per_level, moduli);
    if (status == FH_GOLDEN_OK) {
        status = fh_golden_prime_chain(n, params->extension_bits, params->alpha + params->per_level,
                                       largest);
    }
    size_t taken = 0;
    for (size_t i = 0; status == FH_GOLDEN_OK && taken < params->alpha; i++) {
        if (!contains(params->per_level, moduli, largest[i])) {
            moduli[limbs + taken++] = largest[i];
        }
    }
    return status;
}

/* The `count` primes nearest to 2^bits that the ends of the chain leave; 0 marks used ones later.
 */
static fh_golden_status find_candidates(const fh_golden_ckks_boot_params *params,
                                        const uint64_t *moduli, size_t count,
                                        uint64_t *candidates) {
    uint64_t centre = (uint64_t)1 << params->scale_bits / params->per_level;
    uint64_t step = (uint64_t)2 << params->log2_n;
    const uint64_t *extension = moduli + fh_golden_ckks_boot_limbs(params);
    size_t found = 0;
    for (uint64_t i = 0; found < count; i++) {
        if (step * (i + 1) > centre / 2) {
            return FH_GOLDEN_ERR_TOO_FEW_PRIMES;
        }
        uint64_t both[2] = {centre + 1 - step * i, centre + 1 + step * (i + 1)};
        for (size_t side = 0; side < 2 && found < count; side++) {
            if (fh_golden_is_prime(both[side]) &&
                !contains(params->per_level, moduli, both[side]) &&
                !contains(params->alpha, extension, both[side])) {
                candidates[found++] = both[side];
            }
        }
    }
    return FH_GOLDEN_OK;
}

/* level[per_level] = the unused candidates with the product nearest to `target`, the larger one
 * first; marks them as used. Returns the product. */
static long double take_nearest(size_t per_level, size_t count, uint64_t *candidates,
                                long double target, uint64_t *level) {
    long double least = INFINITY;
    size_t best[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = per_level == 1 ? i : i + 1; candidates[i] != 0 && j < count; j++) {
            long double product = (long double)candidates[i];
            product *= per_level == 1 ? 1 : (long double)candidates[j];
            if (candidates[j] != 0 && fabsl(product - target) < least) {
                least = fabsl(product - target);
                best[0] = candidates[i] > candidates[j] ? i : j;
                best[1] = candidates[i] > candidates[j] ? j : i;
            }
            if (per_level == 1) {
                break;
            }
        }
    }
    long double product = 1;
    for (size_t i = 0; i < per_level; i++) {
        level[i] = candidates[best[i]];
        product *= (long double)level[i];
        candidates[best[i]] = 0;
    }
    return product;
}

fh_golden_status fh_golden_ckks_boot_moduli(const fh_golden_ckks_boot_params *params,
                                            uint64_t *moduli) {
    fh_golden_status status = fh_golden_ckks_boot_check(params);
    if (status == FH_GOLDEN_OK) {
        status = ends_of_chain(params, moduli);
    }
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t levels = fh_golden_ckks_boot_limbs(params) / params->per_level - 1;
    size_t count = 6 * levels + 40;
    uint64_t *candidates = malloc(count * sizeof *candidates);
    if (candidates == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    status = find_candidates(params, moduli, count, candidates);
    long double delta = ldexpl(1, (int)params->scale_bits);
    long double scale = delta;
    for (size_t level = levels; level >= 1 && status == FH_GOLDEN_OK; level--) {
        scale = scale * scale /
                take_nearest(params->per_level, count, candidates, scale * scale / delta,
                             moduli + level * params->per_level);
    }
    free(candidates);
    return status;
}

fh_golden_status fh_golden_ckks_boot_chains(const fh_golden_ckks_boot_params *params,
                                            const uint64_t *moduli, fh_golden_ckks **ckks,
                                            fh_golden_ckks **base) {
    *base = NULL;
    size_t limbs = fh_golden_ckks_boot_limbs(params);
    size_t low = params->per_level;
    const fh_golden_ckks_params full = {params->log2_n, 0,     limbs, params->alpha,
                                        params->dnum,   moduli};
    fh_golden_status status = fh_golden_ckks_create(ckks, &full);
    if (status == FH_GOLDEN_OK && params->alpha < low) {
        status = FH_GOLDEN_ERR_EXTENSION;
    }
    if (status == FH_GOLDEN_OK) {
        uint64_t few[4];
        for (size_t j = 0; j < low; j++) {
            few[j] = moduli[j];
            few[low + j] = moduli[limbs + j];
        }
        const fh_golden_ckks_params short_chain = {params->log2_n, 0, low, low, 1, few};
        status = fh_golden_ckks_create(base, &short_chain);
    }
    if (status != FH_GOLDEN_OK) {
        fh_golden_ckks_free(*ckks);
        *ckks = NULL;
    }
    return status;
}
