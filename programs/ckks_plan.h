/*
 * ckks_plan.h - what ckks_device.c, ckks_level.c, ckks_run.c and their neighbours share: the
 * chain's tables and plans, and those of a level.
 */
#ifndef FH_CKKS_PLAN_H
#define FH_CKKS_PLAN_H

#include "ckks.h"
#include "device.h"
#include "poly.h"

/* What depends on the level. */
struct fh_ckks_level {
    size_t level, digits;
    struct fh_poly poly; /* its guest owns the tables below too */
    struct fh_poly turn_sums,
        turn_one;       /* automorphisms of hoisted rotations; rotated 0: not made */
    struct fh_plan *up; /* ModUp's conversion of each digit */
    fh_golden_ckks_conversion *up_bases;
    struct fh_plan down; /* ModDown's */
    fh_golden_ckks_conversion down_bases;
    /* Tables: */
    uint64_t sources; /* of the inner product: where limb `position` of each raised digit is */
    uint64_t source;  /* the polynomial that they have been written for; 0: none */
    uint64_t source_raised; /* and its digits */
    uint64_t addends;       /* of Rescale's switch of modulus */
    uint64_t q_factor;      /* q_last^-1 */
    /* Of a Rescale by two limbs, if paired: the tables of SWITCH_PAIR, and (q_last q_before)^-1. */
    bool paired;
    uint64_t pair_factors, pair_addends, pair_factor;
};

struct fh_ckks {
    struct fh_run_options options;
    struct fh_error error;
    const struct fh_map *map;
    size_t word; /* bytes of an element in the guest */
    unsigned log2_n;
    unsigned bits, least_bits; /* of the largest and the smallest modulus */
    uint64_t largest;          /* the former */
    bool near; /* every q is more than half of every other one, so that switching from one to
                * another leaves nothing but reduced data */
    fh_golden_ckks chain;  /* shape, moduli, P^-1; it has no transforms of its own */
    struct fh_guest guest; /* owns the memory below */
    struct fh_plan forward, inverse;
    /* Tables for each limb of the chain, and P^-1 for each q: */
    uint64_t moduli, inner_moduli, p_factor;
    size_t entry;     /* bytes of a limb's */
    uint64_t scalars; /* room for a table of one step's scalars, of several terms too */
    struct fh_poly *sum_kernels[FH_POLY_MOST_TERMS + 1]; /* the kernels for sums of so many terms */
    /* Memory between kernels, in polynomials: */
    uint64_t coefficients; /* one, extended */
    uint64_t converted;    /* one, extended */
    uint64_t raised;       /* dnum, at least two, extended */
    uint64_t sums;         /* two, extended */
    uint64_t product;      /* three: d0, d1, d2 of a product, or a permuted ciphertext */
    struct fh_ckks_level *levels[FH_GOLDEN_MAX_LIMBS + 1];
    uint64_t work[FH_GOLDEN_CKKS_WORK_COUNT];
};

/* Bytes of `limbs` limbs. */
static inline uint64_t fh_ckks_bytes(const struct fh_ckks *ckks, size_t limbs) {
    return (uint64_t)limbs * ckks->chain.n * ckks->word;
}

/* Address of limb `limb` of the polynomials at `address`. */
static inline uint64_t fh_ckks_limb_at(const struct fh_ckks *ckks, uint64_t address, size_t limb) {
    return address + fh_ckks_bytes(ckks, limb);
}

/* Golden's units of work. */
static inline void fh_ckks_tally(struct fh_ckks *ckks, fh_golden_ckks_work work, size_t amount) {
    ckks->work[work] += amount;
}

/* Kernel `kernel` of a level on `limbs` limbs; its parameters follow. */
#define FH_CKKS_RUN(level, kernel, limbs, ...)                                                     \
    fh_poly_run(&(level)->poly, kernel, limbs, (const uint64_t[]){__VA_ARGS__},                    \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* Transforms of limbs of the chain, `count` from `first` on. In place allowed. */
fhec_status fh_ckks_to_evaluations(struct fh_ckks *ckks, size_t first, size_t count, uint64_t in,
                                   uint64_t out);
fhec_status fh_ckks_to_coefficients(struct fh_ckks *ckks, size_t first, size_t count, uint64_t in,
                                    uint64_t out);

/* out = in switched with the key, plus the addends that are not 0, by this CORRECT kernel. */
fhec_status fh_ckks_switch_key(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t in,
                               uint64_t key, const uint64_t addends[2],
                               enum fh_poly_kernel correction, uint64_t out);

/* The level's part, made if this is its first use. FHEC_BAD_INPUT for a level outside the chain. */
fhec_status fh_ckks_level_get(struct fh_ckks *ckks, size_t level, struct fh_ckks_level **out);
void fh_ckks_level_free(struct fh_ckks_level *level); /* NULL is fine */

/* What ckks_sums.c has made. */
void fh_ckks_sums_free(struct fh_ckks *ckks);

/* Parameters of the element-wise kernels of a level (0: only what the chain says). */
struct fh_poly_params fh_ckks_poly_params(const struct fh_ckks *ckks, size_t level);

#endif
