/*
 * comparison_data.h - what all maps of one word size are run on in a comparison: primes, operands,
 * and what golden makes of them.
 */
#ifndef FH_COMPARISON_DATA_H
#define FH_COMPARISON_DATA_H

#include "comparison.h"

enum { FH_COMPARISON_ROTATION = 1 }; /* slots; the counts do not depend on it */

struct fh_comparison_data {
    size_t word; /* bytes of an element in the guest: 4 or 8 */
    fh_golden_ckks_params chain;
    size_t n;
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN];
    uint64_t *limb;    /* n: what is transformed, below the first prime */
    uint64_t *sources; /* alpha x n: what is converted, below the extension's primes */
    /* Operands of the primitives; NULL if no map needs them. */
    uint64_t *a, *b; /* ciphertexts of the full level */
    uint64_t *key;
    uint64_t *expected[FH_COMPARISON_KERNELS]; /* NULL without verification */
};

/* Chain and primes; nothing is allocated. */
fhec_status fh_comparison_primes(const struct fh_comparison_params *params, size_t word,
                                 struct fh_comparison_data *data, struct fh_error *error);
/* Operands, and the expected results if the parameters ask for verification. data comes from
 * fh_comparison_primes; fh_comparison_data_free in any case. */
fhec_status fh_comparison_operands(const struct fh_comparison_params *params, bool primitives,
                                   struct fh_comparison_data *data, struct fh_error *error);
void fh_comparison_data_free(struct fh_comparison_data *data);

/* Elements of a kernel's result. */
size_t fh_comparison_elements(const struct fh_comparison_data *data,
                              enum fh_comparison_kernel kernel);
/* FHEC_DIFFERS, with map, kernel and place, unless `got` is what is expected, or nothing is. */
fhec_status fh_comparison_compare(const struct fh_comparison_data *data,
                                  enum fh_comparison_kernel kernel, const char *map,
                                  const uint64_t *got, struct fh_error *error);

/* The products of multi-word integers on one map; product->map, op and words say which. */
fhec_status fh_comparison_multiply(fhec_machine *machine, const struct fh_comparison_params *params,
                                   struct fh_comparison_product *product, struct fh_error *error);

#endif
