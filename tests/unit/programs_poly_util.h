/*
 * programs_poly_util.h - what the tests of poly.sass share: its kernels assembled for a chain of
 * moduli, data and tables in the guest, launches, comparisons.
 */
#ifndef FH_TESTS_PROGRAMS_POLY_UTIL_H
#define FH_TESTS_PROGRAMS_POLY_UTIL_H

#include "poly.h"
#include "programs_util.h"

enum { POLY_UNITS = 4, MOST_LIMBS = 10, MOST_BUFFERS = 12, POLY_CHAINS = 10 };

extern const char *const poly_unit_names[POLY_UNITS]; /* by enum fh_unit */

/* Moduli of a launch. Odd: the inner product divides by 2^32 or 2^64. */
struct poly_chain {
    unsigned words; /* that hold them: 1 and 2, or 2 only */
    size_t limbs;
    uint64_t q[MOST_LIMBS];
};

/* Largest and smallest of their bits, primes and not, and small ones beside large ones: the kernels
 * choose their reduction by the largest modulus, and with two words by the smallest one too. */
extern const struct poly_chain poly_chains[POLY_CHAINS];

struct poly_bench {
    fhec_machine *machine;
    const struct poly_chain *chain;
    const char *unit;
    struct fh_poly poly;
    struct fh_run_options options;
    struct fh_error error;
    size_t n, limbs, words;
    uint64_t seed;
    uint64_t buffers[MOST_BUFFERS];
    unsigned buffer_count;
};

/* Fails the test if the kernels do not assemble. The last modulus is the one that poly_switch
 * drops, and poly_switch_pair with the one before it, if all are more than half of each other. The
 * key has a digit more than `digits`. */
void poly_start(struct poly_bench *b, fhec_machine *machine, enum fh_unit unit,
                const struct poly_chain *chain, unsigned log2_n, size_t digits);
/* The kernels for sums of so many products. */
void poly_start_sums(struct poly_bench *b, fhec_machine *machine, enum fh_unit unit,
                     const struct poly_chain *chain, unsigned log2_n, size_t terms);
void poly_release(struct poly_bench *b); /* the guest's memory */
void poly_stop(struct poly_bench *b);

/* Guest memory of `limbs` limbs; all its bits set, or these elements. */
uint64_t poly_room(struct poly_bench *b, size_t limbs);
uint64_t poly_put(struct poly_bench *b, size_t limbs, const uint64_t *elements);

/* Elements below `times` q: the edges, powers of two and their neighbours, and anything. The caller
 * frees. */
uint64_t *poly_hostile(struct poly_bench *b, unsigned times);

/* A table of the limbs' entries in the guest, with their constants c or without. */
typedef void poly_fill_fn(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry);
void poly_fill_modulus(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry);
void poly_fill_inner(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry);
uint64_t poly_table(struct poly_bench *b, poly_fill_fn *fill, const uint64_t *c);

/* Fails the test if the kernel does not run. */
void poly_launch(struct poly_bench *b, enum fh_poly_kernel kernel, const uint64_t *params,
                 size_t count);
#define LAUNCH(b, kernel, ...)                                                                     \
    poly_launch(b, kernel, (const uint64_t[]){__VA_ARGS__},                                        \
                sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* What is at `address` must have the residues `want` and be below `times` q (0: any). Frees want.
 */
void poly_compare(struct poly_bench *b, const char *what, uint64_t address, size_t limbs,
                  uint64_t *want, unsigned times);

#endif
