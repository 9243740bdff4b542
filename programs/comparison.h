/*
 * comparison.h - the same kernels on many maps, counted: transforms of a limb, a base conversion,
 * the CKKS primitives, products of multi-word integers. What the numbers are compared with, and how
 * they are printed, is not decided here.
 *
 * Everything runs on the emulator with seeded data, and is compared with golden, which computes
 * each reference once for all maps of a word size.
 */
#ifndef FH_COMPARISON_H
#define FH_COMPARISON_H

#include "bigint.h"
#include "ckks.h"
#include "profile.h"

enum fh_comparison_kernel {
    FH_COMPARISON_NTT,   /* one limb */
    FH_COMPARISON_INTT,  /* one limb */
    FH_COMPARISON_BCONV, /* from the alpha extension primes to all limbs: that of ModDown */
    FH_COMPARISON_RESCALE,
    FH_COMPARISON_ROTATE,
    FH_COMPARISON_HEMULT, /* without Rescale */
    FH_COMPARISON_KERNELS
};

/* Work of which people are told before it begins; `map` is NULL for the references. */
typedef void fh_comparison_progress(void *user, const char *map, const char *what, size_t step,
                                    size_t steps);

struct fh_comparison_params {
    const struct fh_map *const *maps; /* the rows, in this order; some may do only a part */
    size_t map_count;
    fh_golden_ckks_params chain; /* log2_n, limbs, alpha, dnum; the rest is not looked at */
    /* 1u << fh_comparison_kernel of those that are wanted, without multi-word products; 0: all. */
    unsigned kernels;
    unsigned bits_32, bits_64; /* of the primes of maps with 32-bit and 64-bit words */
    const uint64_t *words;     /* sizes of multi-word integers */
    size_t word_count;
    uint64_t seed;
    bool verify;
    struct fh_run_options options;
    fh_comparison_progress *progress; /* may be NULL */
    void *progress_user;
};

struct fh_comparison_cell {
    bool counted; /* false: the map has no such kernel */
    struct fh_profile profile;
    uint64_t work[FH_GOLDEN_CKKS_WORK_COUNT]; /* of a primitive: fh_golden_ckks_work */
};

struct fh_comparison_row {
    const struct fh_map *map;
    unsigned bits; /* of its primes */
    struct fh_comparison_cell cells[FH_COMPARISON_KERNELS];
};

/* FH_COMPARISON_PRODUCTS independent products, one a thread. */
enum { FH_COMPARISON_PRODUCTS = 128 };
struct fh_comparison_product {
    const struct fh_map *map;
    enum fh_bigint_op op;
    size_t words;
    struct fh_part_profile counts;
};

struct fh_comparison {
    struct fh_comparison_row *rows; /* as many as maps */
    size_t row_count;
    struct fh_comparison_product *products; /* by op, then map, then words */
    size_t product_count;
};

/* All that can be wrong with the parameters, in one sentence and before any long work. */
fhec_status fh_comparison_check(const struct fh_comparison_params *params, struct fh_error *error);

/* Checks, runs and counts all of it. The machine's counters are left on. FHEC_DIFFERS names the
 * first element that golden has otherwise. fh_comparison_free in any case. */
fhec_status fh_comparison_run(fhec_machine *machine, const struct fh_comparison_params *params,
                              struct fh_comparison *comparison, struct fh_error *error);
void fh_comparison_free(struct fh_comparison *comparison);

/* "ntt", "intt", "bconv", "rescale", "rotate", "hemult". */
const char *fh_comparison_kernel_name(enum fh_comparison_kernel kernel);
/* The workload that a map must have for it. */
enum fh_workload fh_comparison_kernel_workload(enum fh_comparison_kernel kernel);

#endif
