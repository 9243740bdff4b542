/*
 * ckks_switch.c - hybrid key switching: ModUp, inner product, ModDown.
 *
 *   in = sum_d x_d g_d mod Q             x_d = in mod Q_d, the value of digit d
 *   sum_d (x_d + u Q_d) (b_d + a_d s)  = P in s' + small      (g_d kills the u Q_d modulo Q)
 *   dividing by P leaves in s' + (small / P) + rounding.
 */
#include "ckks_internal.h"

#include <stdlib.h>

/* INTT of the source limbs of the extended polynomial `in`, fast base conversion, NTT. converted:
 * the target limbs one after another, in their order; scratch: room for the source limbs. */
static fh_golden_status convert_limbs(const fh_golden_ckks *ckks, size_t level,
                                      const fh_golden_ckks_conversion *conversion,
                                      const uint64_t *in, uint64_t *scratch, uint64_t *converted) {
    size_t n = ckks->n;
    for (size_t j = 0; j < conversion->from_count; j++) {
        size_t position = conversion->from_limb[j];
        to_coefficients(ckks, chain_limb(ckks, level, position), in + position * n,
                        scratch + j * n);
    }
    const fh_golden_bases bases = {conversion->from_count, conversion->from, conversion->to_count,
                                   conversion->to};
    fh_golden_status status = fh_golden_bconv_fast(&bases, n, scratch, converted);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    tally(ckks, FH_GOLDEN_CKKS_CONVERSION, 1);
    tally(ckks, FH_GOLDEN_CKKS_PREMULTIPLY, conversion->from_count);
    for (size_t i = 0; i < conversion->to_count; i++) {
        uint64_t *limb = converted + i * n;
        to_evaluations(ckks, chain_limb(ckks, level, conversion->to_limb[i]), limb, limb);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_mod_up(const fh_golden_ckks *ckks, size_t level, size_t digit,
                                       const uint64_t *in, uint64_t *out) {
    size_t n = ckks->n;
    fh_golden_ckks_conversion conversion;
    fh_golden_status status = fh_golden_ckks_mod_up_bases(ckks, level, digit, &conversion);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    uint64_t *scratch = malloc((level + ckks->alpha) * n * sizeof *scratch);
    if (scratch == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *converted = scratch + conversion.from_count * n;
    /* The digit's positions lie below the level, so `in` need not be extended. */
    status = convert_limbs(ckks, level, &conversion, in, scratch, converted);
    for (size_t i = 0; status == FH_GOLDEN_OK && i < conversion.to_count; i++) {
        for (size_t c = 0; c < n; c++) {
            out[conversion.to_limb[i] * n + c] = converted[i * n + c];
        }
    }
    for (size_t j = 0; status == FH_GOLDEN_OK && j < conversion.from_count; j++) {
        for (size_t c = 0; c < n; c++) {
            size_t at = conversion.from_limb[j] * n + c;
            out[at] = in[at] % conversion.from[j];
        }
    }
    free(scratch);
    return status;
}

/* sum (two extended polynomials) += raised (extended) * key of this digit; digit 0 starts the sum.
 */
static void accumulate(const fh_golden_ckks *ckks, size_t level, size_t digit,
                       const uint64_t *raised, const uint64_t *key, uint64_t *sum) {
    size_t n = ckks->n;
    size_t extended = level + ckks->alpha;
    for (size_t component = 0; component < 2; component++) {
        for (size_t position = 0; position < extended; position++) {
            size_t limb = chain_limb(ckks, level, position);
            uint64_t q = ckks->moduli[limb];
            const uint64_t *factor = key + fh_golden_ckks_key_offset(ckks, digit, component, limb);
            uint64_t *to = sum + (component * extended + position) * n;
            if (digit == 0) {
                (void)fh_golden_mul(n, q, raised + position * n, factor, to);
            } else {
                (void)fh_golden_mac(n, q, raised + position * n, factor, to, to);
            }
            tally(ckks, FH_GOLDEN_CKKS_KEY_PRODUCT, 1);
        }
    }
}

fh_golden_status fh_golden_ckks_inner_product(const fh_golden_ckks *ckks, size_t level,
                                              const uint64_t *raised, const uint64_t *key,
                                              uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t elements = (level + ckks->alpha) * ckks->n;
    for (size_t digit = 0; digit < fh_golden_ckks_digits(ckks, level); digit++) {
        accumulate(ckks, level, digit, raised + digit * elements, key, out);
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_mod_down(const fh_golden_ckks *ckks, size_t level,
                                         const uint64_t *in, uint64_t *out) {
    size_t n = ckks->n;
    fh_golden_ckks_conversion conversion;
    fh_golden_status status = fh_golden_ckks_mod_down_bases(ckks, level, &conversion);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    uint64_t *scratch = malloc((level + ckks->alpha) * n * sizeof *scratch);
    if (scratch == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *converted = scratch + ckks->alpha * n;
    status = convert_limbs(ckks, level, &conversion, in, scratch, converted);
    for (size_t i = 0; status == FH_GOLDEN_OK && i < level; i++) {
        correct(ckks, ckks->moduli[i], ckks->p_inverse[i], in + i * n, converted + i * n,
                out + i * n);
    }
    free(scratch);
    return status;
}

fh_golden_status fh_golden_ckks_key_switch(const fh_golden_ckks *ckks, size_t level,
                                           const uint64_t *in, const uint64_t *key, uint64_t *out) {
    fh_golden_status status = check_level(ckks, level);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t elements = (level + ckks->alpha) * ckks->n;
    uint64_t *raised = malloc(3 * elements * sizeof *raised);
    if (raised == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    uint64_t *sum = raised + elements; /* two extended polynomials */
    size_t digits = fh_golden_ckks_digits(ckks, level);
    for (size_t digit = 0; digit < digits && status == FH_GOLDEN_OK; digit++) {
        status = fh_golden_ckks_mod_up(ckks, level, digit, in, raised);
        if (status == FH_GOLDEN_OK) {
            accumulate(ckks, level, digit, raised, key, sum);
        }
    }
    for (size_t component = 0; component < 2 && status == FH_GOLDEN_OK; component++) {
        status = fh_golden_ckks_mod_down(ckks, level, sum + component * elements,
                                         out + component * level * ckks->n);
    }
    free(raised);
    return status;
}
