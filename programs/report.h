/*
 * report.h - the same kernels on many maps, counted: transforms of a limb, a base conversion, the
 * CKKS primitives, products of multi-word integers. What the numbers are compared with, and how
 * they are printed, is not decided here.
 *
 * Everything runs on the emulator with seeded data, and is compared with golden, which computes
 * each reference once for all maps of a word size.
 */
#ifndef FH_REPORT_H
#define FH_REPORT_H

#include "bigint.h"
#include "ckks.h"
#include "profile.h"

enum fh_report_kernel {
    FH_REPORT_NTT,   /* one limb */
    FH_REPORT_INTT,  /* one limb */
    FH_REPORT_BCONV, /* from the alpha extension primes to all limbs: that of ModDown */
    FH_REPORT_RESCALE,
    FH_REPORT_ROTATE,
    FH_REPORT_HEMULT, /* without Rescale */
    FH_REPORT_KERNELS
};

/* Work of which people are told before it begins; `map` is NULL for the references. */
typedef void fh_report_progress(void *user, const char *map, const char *what, size_t step,
                                size_t steps);

struct fh_report_params {
    const struct fh_map *const *maps; /* the rows, in this order; some may do only a part */
    size_t map_count;
    fh_golden_ckks_params chain; /* log2_n, limbs, alpha, dnum; the rest is not looked at */
    unsigned bits_32, bits_64;   /* of the primes of maps with 32-bit and 64-bit words */
    const uint64_t *words;       /* sizes of multi-word integers */
    size_t word_count;
    uint64_t seed;
    bool verify;
    struct fh_run_options options;
    fh_report_progress *progress; /* may be NULL */
    void *progress_user;
};

struct fh_report_cell {
    bool counted; /* false: the map has no such kernel */
    struct fh_profile profile;
    uint64_t work[FH_GOLDEN_CKKS_WORK_COUNT]; /* of a primitive: fh_golden_ckks_work */
};

struct fh_report_row {
    const struct fh_map *map;
    unsigned bits; /* of its primes */
    struct fh_report_cell cells[FH_REPORT_KERNELS];
};

/* FH_REPORT_PRODUCTS independent products, one a thread. */
enum { FH_REPORT_PRODUCTS = 128 };
struct fh_report_product {
    const struct fh_map *map;
    enum fh_bigint_op op;
    size_t words;
    struct fh_part_profile counts;
};

struct fh_report {
    struct fh_report_row *rows; /* as many as maps */
    size_t row_count;
    struct fh_report_product *products; /* by op, then map, then words */
    size_t product_count;
};

/* All that can be wrong with the parameters, in one sentence and before any long work. */
fhec_status fh_report_check(const struct fh_report_params *params, struct fh_error *error);

/* Checks, runs and counts all of it. The machine's counters are left on. FHEC_DIFFERS names the
 * first element that golden has otherwise. fh_report_free in any case. */
fhec_status fh_report_run(fhec_machine *machine, const struct fh_report_params *params,
                          struct fh_report *report, struct fh_error *error);
void fh_report_free(struct fh_report *report);

/* "ntt", "intt", "bconv", "rescale", "rotate", "hemult". */
const char *fh_report_kernel_name(enum fh_report_kernel kernel);
/* The workload that a map must have for it. */
enum fh_workload fh_report_kernel_workload(enum fh_report_kernel kernel);

#endif
