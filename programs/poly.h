/*
 * poly.h - the kernels of poly.sass on data that are in the guest: polynomials of a prime chain,
 * element by element.
 */
#ifndef FH_POLY_H
#define FH_POLY_H

#include "guest.h"

/* What executes the products, and on how many bits. */
enum fh_unit { FH_UNIT_CUDA32, FH_UNIT_GME32, FH_UNIT_CUDA64, FH_UNIT_GME64 };

/* What a map has for the products besides its matrices. */
static inline enum fh_unit fh_poly_unit(const struct fh_map *map) {
    if (map->word_bits == 64)
        return map->gme ? FH_UNIT_GME64 : FH_UNIT_CUDA64;
    return map->gme ? FH_UNIT_GME32 : FH_UNIT_CUDA32;
}

/* What poly.sass is assembled for. Counts of 0 mean that the kernel is not used. */
struct fh_poly_params {
    unsigned log2_n; /* 8 .. 17 */
    size_t n;        /* 0: 2^log2_n; else a multiple of 4, and only the kernels for one operation */
    enum fh_unit unit;
    unsigned modulus_bits; /* of the largest modulus: up to 32 or 60 */
    unsigned least_bits;   /* of the smallest one */
    size_t digits;         /* of a key switching at this level */
    size_t key_digits;     /* of the key */
    size_t rotated;        /* limbs of one automorphism */
    size_t switched;       /* limbs that a Rescale leaves */
    uint64_t dropped;      /* the modulus that it drops */
    uint64_t second;  /* the one that a Rescale by two limbs drops after that; 0: there is none */
    size_t terms;     /* of a sum of products: then there are the SUM kernels, and only those
                       * for one operation besides; 1 .. FH_POLY_MOST_TERMS */
    uint64_t largest; /* modulus; 0: as modulus_bits says */
};

/* Terms of a sum of products, and of SUM_MULTIPLES. */
enum { FH_POLY_MOST_TERMS = 32, FH_POLY_MOST_MULTIPLES = 8 };

/* The kernels, in the order of poly.sass; parameters as there. */
enum fh_poly_kernel {
    FH_POLY_ADD,
    FH_POLY_SUBTRACT,
    FH_POLY_MULTIPLY,
    FH_POLY_MULTIPLY_ADD,
    FH_POLY_ADD_SCALAR,
    FH_POLY_MULTIPLY_SCALAR,
    FH_POLY_ADD_PAIRS,
    FH_POLY_MULTIPLY_PAIR,
    FH_POLY_TENSOR,
    FH_POLY_INNER,
    FH_POLY_CORRECT,
    FH_POLY_CORRECT_ADD,
    FH_POLY_CORRECT_ADD_LAZY,
    FH_POLY_SWITCH,
    FH_POLY_SWITCH_PAIR,
    FH_POLY_AUTOMORPHISM,
    FH_POLY_SUM_PRODUCTS,
    FH_POLY_SUM_MULTIPLES,
};

struct fh_poly {
    struct fh_guest guest; /* owns the program */
    struct fh_poly_params params;
    unsigned warps, vectors;                                  /* of a block, of a thread */
    size_t rotated_at_once, switched_at_once, paired_at_once; /* limbs of one thread */
};

/* Assembles the kernels; fh_poly_free in any case. options and error must live as long. */
fhec_status fh_poly_make(struct fh_poly *poly, const struct fh_poly_params *params,
                         fhec_machine *machine, const struct fh_run_options *options,
                         struct fh_error *error);
void fh_poly_free(struct fh_poly *poly);

/* Runs one kernel on `limbs` limbs, those of the parameters' addresses and on. AUTOMORPHISM,
 * SWITCH and SWITCH_PAIR take the numbers of limbs that they were assembled for; `limbs` is not
 * looked at. */
fhec_status fh_poly_run(struct fh_poly *poly, enum fh_poly_kernel kernel, size_t limbs,
                        const uint64_t *params, size_t param_count);

/* ---------------------------------------------------------------- tables (poly_tables.c)
 *
 * Each entry is for one limb and has fh_poly_entry_bytes, at most FH_POLY_MAX_ENTRY.
 */
enum { FH_POLY_MAX_ENTRY = 48 };
size_t fh_poly_entry_bytes(const struct fh_poly_params *params);

/* `moduli` of the sums and products. */
void fh_poly_modulus(const struct fh_poly_params *params, uint64_t q, void *entry);
/* `moduli` of FH_POLY_INNER and of the SUM kernels. */
void fh_poly_inner_modulus(const struct fh_poly_params *params, uint64_t q, void *entry);
/* `factors` of the CORRECT kernels and of MULTIPLY_SCALAR: multiplication by c. */
void fh_poly_factor(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry);
/* `scalars` of ADD_SCALAR. */
void fh_poly_scalar(const struct fh_poly_params *params, uint64_t q, uint64_t s, void *entry);

/* An element of a switching key as FH_POLY_INNER wants it: x, or x 2^32 or x 2^64 mod q. */
uint64_t fh_poly_key_element(const struct fh_poly_params *params, uint64_t q, uint64_t x);
void fh_poly_key_elements(const struct fh_poly_params *params, uint64_t q, size_t count,
                          const uint64_t *in, uint64_t *out); /* in place allowed */

/* Elements of a plaintext, or integers, as the SUM kernels want them: x, or x 2^64 mod q. In place
 * allowed. */
void fh_poly_sum_elements(const struct fh_poly_params *params, uint64_t q, size_t count,
                          const uint64_t *in, uint64_t *out);

/* Bytes of a limb's integers in `scalars` of SUM_MULTIPLES: terms words, padded to a vector. */
size_t fh_poly_scalar_row(const struct fh_poly_params *params);

/* `addends` of SWITCH: bytes of the table, and the table, for the moduli q[switched]. */
size_t fh_poly_addend_bytes(const struct fh_poly *poly);
void fh_poly_addends(const struct fh_poly *poly, const uint64_t *q, void *table);

/* Limbs that SWITCH_PAIR writes. */
static inline size_t fh_poly_paired(const struct fh_poly_params *params) {
    return params->second ? params->switched - 1 : 0;
}
/* `addends` of SWITCH_PAIR, 16 bytes for each of the moduli q[switched], the last one first. */
void fh_poly_pair_addends(const struct fh_poly_params *params, const uint64_t *q, void *table);

/* What poly.c and poly_tables.c share: words of an element, elements of a vector; MODULUS_BITS,
 * LAZY and SHIFTED of poly.sass. */
static inline bool fh_poly_is_gme(const struct fh_poly_params *params) {
    return params->unit == FH_UNIT_GME32 || params->unit == FH_UNIT_GME64;
}
static inline unsigned fh_poly_words(const struct fh_poly_params *params) {
    return params->unit == FH_UNIT_CUDA64 || params->unit == FH_UNIT_GME64 ? 2 : 1;
}
static inline unsigned fh_poly_vector(const struct fh_poly_params *params) {
    return 4 / fh_poly_words(params);
}
static inline unsigned fh_poly_modulus_bits(const struct fh_poly_params *params) {
    return params->modulus_bits < 30 ? 30 : params->modulus_bits;
}
static inline bool fh_poly_is_lazy(const struct fh_poly_params *params) {
    if (fh_poly_is_gme(params) || params->terms)
        return false;
    return fh_poly_words(params) == 2
               ? params->key_digits <= 14
               : fh_poly_modulus_bits(params) <= 30 && params->key_digits <= 7;
}
static inline bool fh_poly_is_shifted(const struct fh_poly_params *params) {
    return params->unit == FH_UNIT_CUDA64 && params->least_bits < 40;
}

#endif
