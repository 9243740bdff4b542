/*
 * ckks_rescale.c - Rescale on a machine: by one limb, by two in one pass, by more.
 */
#include "ckks_device.h"
#include "ckks_plan.h"

fhec_status fh_ckks_rescale(struct fh_ckks *ckks, size_t level, uint64_t in, uint64_t out) {
    struct fh_ckks_level *l;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status == FHEC_OK && level == 1)
        status = fh_fail(&ckks->error, FHEC_BAD_INPUT,
                         "the level is 1: there is no limb that Rescale could drop");
    size_t last = level - 1;
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++) {
        uint64_t from = fh_ckks_limb_at(ckks, in, c * level);
        status = fh_ckks_to_coefficients(ckks, last, 1, fh_ckks_limb_at(ckks, from, last),
                                         ckks->coefficients);
        if (status == FHEC_OK)
            status = FH_CKKS_RUN(l, FH_POLY_SWITCH, last, ckks->coefficients, ckks->converted,
                                 l->addends);
        if (status == FHEC_OK)
            status = fh_ckks_to_evaluations(ckks, 0, last, ckks->converted, ckks->converted);
        if (status == FHEC_OK)
            status = FH_CKKS_RUN(l, FH_POLY_CORRECT, last, from, ckks->converted,
                                 fh_ckks_limb_at(ckks, out, c * last), l->q_factor);
        fh_ckks_tally(ckks, FH_GOLDEN_CKKS_CORRECTION, last);
    }
    return status;
}

/* Both polynomials by the last two limbs: one transform for each limb that stays. */
static fhec_status rescale_pair(struct fh_ckks *ckks, struct fh_ckks_level *l, uint64_t in,
                                uint64_t out) {
    size_t level = l->level, left = level - 2;
    fhec_status status = FHEC_OK;
    for (size_t c = 0; c < 2 && status == FHEC_OK; c++) {
        uint64_t from = fh_ckks_limb_at(ckks, in, c * level);
        status = fh_ckks_to_coefficients(ckks, left, 2, fh_ckks_limb_at(ckks, from, left),
                                         ckks->coefficients);
        if (status == FHEC_OK)
            status = FH_CKKS_RUN(l, FH_POLY_SWITCH_PAIR, left, ckks->coefficients, ckks->converted,
                                 l->pair_factors, l->pair_addends);
        if (status == FHEC_OK)
            status = fh_ckks_to_evaluations(ckks, 0, left, ckks->converted, ckks->converted);
        if (status == FHEC_OK)
            status = FH_CKKS_RUN(l, FH_POLY_CORRECT, left, from, ckks->converted,
                                 fh_ckks_limb_at(ckks, out, c * left), l->pair_factor);
        fh_ckks_tally(ckks, FH_GOLDEN_CKKS_CORRECTION, left + 1); /* one in the dropped limb */
    }
    return status;
}

fhec_status fh_ckks_rescale_limbs(struct fh_ckks *ckks, size_t level, size_t limbs, uint64_t in,
                                  uint64_t out) {
    if (limbs < 1 || limbs >= level)
        return fh_fail(&ckks->error, FHEC_BAD_INPUT,
                       "Rescale cannot drop %zu of %zu limbs; it drops 1 to all but one", limbs,
                       level);
    if (limbs == 1)
        return fh_ckks_rescale(ckks, level, in, out);
    struct fh_ckks_level *l;
    uint64_t between;
    fhec_status status = fh_ckks_level_get(ckks, level, &l);
    if (status == FHEC_OK && limbs == 2 && l->paired)
        return rescale_pair(ckks, l, in, out);
    size_t first = l->paired ? 2 : 1; /* now */
    if (status == FHEC_OK)
        status = fh_ckks_alloc(ckks, level - first, 2, &between);
    if (status != FHEC_OK)
        return status;
    status = fh_ckks_rescale_limbs(ckks, level, first, in, between);
    if (status == FHEC_OK)
        status = fh_ckks_rescale_limbs(ckks, level - first, limbs - first, between, out);
    (void)fhec_release(ckks->guest.machine, between);
    return status;
}
