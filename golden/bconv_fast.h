/*
 * bconv_fast.h - the fast base conversion (golden.h) in parts, which threads can share.
 */
#ifndef FH_GOLDEN_BCONV_FAST_H
#define FH_GOLDEN_BCONV_FAST_H

#include "golden.h"

typedef struct fh_golden_fast_conversion {
    const fh_golden_bases *bases;
    uint64_t phat_inverse[FH_GOLDEN_MAX_LIMBS];
    uint64_t phat[FH_GOLDEN_MAX_LIMBS * FH_GOLDEN_MAX_LIMBS];
    bool words; /* all source moduli are below 2^32: the y_j fit residues.h */
} fh_golden_fast_conversion;

/* The constants; bases must outlive them. Errors of fh_golden_bconv_constants. */
fh_golden_status fh_golden_bconv_fast_begin(const fh_golden_bases *bases,
                                            fh_golden_fast_conversion *conversion);

/* Elements first .. end - 1 of every target limb; out[i] is target limb i. in: alpha x n. */
void fh_golden_bconv_fast_part(const fh_golden_fast_conversion *conversion, size_t n, size_t first,
                               size_t end, const uint64_t *in, uint64_t *const *out);

#endif
