/*
 * poly.c - the kernels of poly.sass: how they are assembled and launched.
 */
#include "poly.h"
#include "residue.h"

#include <string.h>

enum { MAX_WARPS = 4, MAX_VECTORS = 4, FARTHEST = 0x7fffff };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t elements(const struct fh_poly_params *params) {
    return params->n ? params->n : (size_t)1 << params->log2_n;
}

static size_t vectors_of(const struct fh_poly_params *params) {
    return elements(params) / fh_poly_vector(params);
}

/* ---------------------------------------------------------------- kernels */

/* How many of `count` limbs a thread takes: as many as offsets reach, in shares as equal as can be.
 * At least 1. */
static size_t at_once(const struct fh_poly *poly, size_t count) {
    size_t limb_bytes = 16 * vectors_of(&poly->params);
    if (!count)
        return 1;
    size_t most = (FARTHEST - 16 * 32 * poly->warps * poly->vectors) / limb_bytes;
    size_t shares = (count + most - 1) / most;
    return (count + shares - 1) / shares;
}

/* How many products of two residues fit 64 bits together; at least 1. */
static unsigned free_terms(const struct fh_poly_params *params) {
    uint64_t q = params->largest ? params->largest
                                 : (uint64_t)1 << fh_poly_modulus_bits(params); /* or below */
    if (q >> 32)
        return 1;
    uint64_t count = UINT64_MAX / ((q - 1) * (q - 1) | 1);
    return (unsigned)(count < FH_POLY_MOST_TERMS ? count : FH_POLY_MOST_TERMS);
}

/* LOWERED of poly.sass, for moduli of one word up to the largest: bits of the digits after which an
 * inner product is lowered. False: 2^32 q + q^2 does not fit 64 bits, or there are too many digits;
 * then it is done with carries. A sum is kept below 2^64 and 2^33 q, so that lowering it once
 * leaves at most 2^32 q; what is said of the largest q holds for all smaller ones. */
static bool lowered_digits(const struct fh_poly_params *params, uint32_t *lowered) {
    const fh_u128 q = params->largest,
                  most = ((fh_u128)1 << 64) < q << 33 ? (fh_u128)1 << 64 : q << 33;
    fh_u128 sum = 0; /* at most */
    *lowered = 0;
    if (!q || q >> 32 || (q << 32) + q * q > most || params->digits > 32)
        return false;
    for (size_t d = 0; d < params->digits; d++) {
        sum += q * q;
        if (sum + q * q > most || (d + 1 == params->digits && sum > q << 32)) {
            *lowered |= (uint32_t)1 << d;
            sum = sum < q << 32 ? sum : q << 32;
        }
    }
    return true;
}

fhec_status fh_poly_make(struct fh_poly *poly, const struct fh_poly_params *params,
                         fhec_machine *machine, const struct fh_run_options *options,
                         struct fh_error *error) {
    size_t vectors = vectors_of(params);
    uint32_t lowered;
    const bool exact = lowered_digits(params, &lowered);
    uint64_t half = params->dropped / 2, second = params->second / 2;
    memset(poly, 0, sizeof *poly);
    poly->guest = (struct fh_guest){.machine = machine, .options = options, .error = error};
    poly->params = *params;
    poly->warps = (unsigned)least((vectors + 31) / 32, MAX_WARPS);
    size_t round = 32 * poly->warps;
    poly->vectors = (unsigned)least((vectors + round - 1) / round, MAX_VECTORS);
    poly->rotated_at_once = at_once(poly, params->rotated);
    poly->switched_at_once = at_once(poly, params->switched);
    poly->paired_at_once = at_once(poly, fh_poly_paired(params));
    const struct fh_define defines[] = {
        {"LOGN", params->log2_n},
        {"N", (unsigned)elements(params)},
        {"CIPHERTEXTS", params->n == 0 && !params->terms},
        {"WORDS", fh_poly_words(params)},
        {"GME", fh_poly_is_gme(params)},
        {"MODULUS_BITS", fh_poly_modulus_bits(params)},
        {"SHIFTED", fh_poly_is_shifted(params)},
        {"WARPS", poly->warps},
        {"VECTORS", poly->vectors},
        {"DIGITS", (unsigned)params->digits},
        {"KEY_DIGITS", (unsigned)params->key_digits},
        {"LOWERED", lowered},
        {"LOWERED_ALL", !exact},
        {"TERMS", (unsigned)params->terms},
        {"FREE_TERMS", free_terms(params)},
        {"ROTATED", (unsigned)params->rotated},
        {"ROTATED_AT_ONCE", (unsigned)poly->rotated_at_once},
        {"SWITCHED", (unsigned)params->switched},
        {"SWITCHED_AT_ONCE", (unsigned)poly->switched_at_once},
        {"PAIRED", (unsigned)fh_poly_paired(params)},
        {"PAIRED_AT_ONCE", (unsigned)poly->paired_at_once},
        {"SECOND_LOW", (unsigned)second},
        {"SECOND_HIGH", (unsigned)(second >> 32)},
        {"HALF_LOW", (unsigned)half},
        {"HALF_HIGH", (unsigned)(half >> 32)},
    };
    return fh_guest_assemble(&poly->guest, "poly.sass", defines, sizeof defines / sizeof *defines);
}

void fh_poly_free(struct fh_poly *poly) {
    fh_guest_end(&poly->guest);
}

fhec_status fh_poly_run(struct fh_poly *poly, enum fh_poly_kernel kernel, size_t limbs,
                        const uint64_t *params, size_t param_count) {
    static const char *const names[] = {
        "poly_add",
        "poly_subtract",
        "poly_multiply",
        "poly_multiply_add",
        "poly_add_scalar",
        "poly_multiply_scalar",
        "poly_add_pairs",
        "poly_multiply_pair",
        "poly_tensor",
        "poly_inner",
        "poly_correct",
        "poly_correct_add",
        "poly_correct_add_lazy",
        "poly_switch",
        "poly_switch_pair",
        "poly_automorphism",
        "poly_sum_products",
        "poly_sum_multiples",
    };
    size_t each = poly->vectors;
    if (kernel == FH_POLY_AUTOMORPHISM) {
        each = 1;
        limbs = (poly->params.rotated + poly->rotated_at_once - 1) / poly->rotated_at_once;
    } else if (kernel == FH_POLY_SWITCH) {
        limbs = (poly->params.switched + poly->switched_at_once - 1) / poly->switched_at_once;
    } else if (kernel == FH_POLY_SWITCH_PAIR) {
        size_t paired = fh_poly_paired(&poly->params);
        limbs = (paired + poly->paired_at_once - 1) / poly->paired_at_once;
    }
    size_t share = 32 * poly->warps * each; /* vectors of a block */
    const struct fh_guest_launch launch = {
        .kernel = names[kernel],
        .grid_x = (uint32_t)((vectors_of(&poly->params) + share - 1) / share),
        .grid_y = (uint32_t)limbs,
        .warps = poly->warps,
        .params = params,
        .param_count = param_count,
    };
    return limbs ? fh_guest_run(&poly->guest, &launch) : FHEC_OK;
}
