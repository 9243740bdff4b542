/*
 * poly.c - the kernels of poly.sass: how they are assembled and launched, and their tables. The
 * formulas are explained there.
 */
#include "poly.h"
#include "residue.h"

#include <string.h>

enum { LANE_ELEMENTS = 4, MAX_WARPS = 4, MAX_VECTORS = 4, FARTHEST = 0x7fffff };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static unsigned bit_length(uint64_t x) {
    unsigned bits = 0;
    for (; x; x >>= 1)
        bits++;
    return bits;
}

static bool is_gme(const struct fh_poly_params *params) {
    return params->unit == FH_UNIT_GME32;
}

/* MODULUS_BITS of poly.sass. */
static unsigned modulus_bits(const struct fh_poly_params *params) {
    return params->modulus_bits < 30 ? 30 : params->modulus_bits;
}

/* LAZY of poly.sass. */
static bool is_lazy(const struct fh_poly_params *params) {
    return modulus_bits(params) <= 30 && params->key_digits <= 7 && !is_gme(params);
}

/* ---------------------------------------------------------------- kernels */

/* How many of `count` limbs a thread takes: as many as offsets reach, in shares as equal as can be.
 * At least 1. */
static size_t at_once(const struct fh_poly *poly, size_t count) {
    size_t limb_bytes = sizeof(uint32_t) << poly->params.log2_n;
    size_t most = (FARTHEST - 16 * 32 * poly->warps * poly->vectors) / limb_bytes;
    size_t shares = (count + most - 1) / most;
    return shares ? (count + shares - 1) / shares : 1;
}

fhec_status fh_poly_make(struct fh_poly *poly, const struct fh_poly_params *params,
                         fhec_machine *machine, const struct fh_run_options *options,
                         struct fh_error *error) {
    size_t vectors = ((size_t)1 << params->log2_n) / LANE_ELEMENTS;
    memset(poly, 0, sizeof *poly);
    poly->guest = (struct fh_guest){.machine = machine, .options = options, .error = error};
    poly->params = *params;
    poly->warps = (unsigned)least(vectors / 32, MAX_WARPS);
    poly->vectors = (unsigned)least(vectors / 32 / poly->warps, MAX_VECTORS);
    poly->rotated_at_once = at_once(poly, params->rotated);
    poly->switched_at_once = at_once(poly, params->switched);
    const struct fh_define defines[] = {
        {"LOGN", params->log2_n},
        {"GME", is_gme(params)},
        {"MODULUS_BITS", modulus_bits(params)},
        {"WARPS", poly->warps},
        {"VECTORS", poly->vectors},
        {"DIGITS", params->digits ? (unsigned)params->digits : 1},
        {"KEY_DIGITS", params->key_digits ? (unsigned)params->key_digits : 1},
        {"ROTATED", params->rotated ? (unsigned)params->rotated : 1},
        {"ROTATED_AT_ONCE", (unsigned)poly->rotated_at_once},
        {"SWITCHED", params->switched ? (unsigned)params->switched : 1},
        {"SWITCHED_AT_ONCE", (unsigned)poly->switched_at_once},
        {"HALF", (unsigned)(params->dropped / 2)},
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
        "poly_automorphism",
    };
    size_t vectors = ((size_t)1 << poly->params.log2_n) / LANE_ELEMENTS;
    size_t each = poly->vectors;
    if (kernel == FH_POLY_AUTOMORPHISM) {
        each = 1;
        limbs = (poly->params.rotated + poly->rotated_at_once - 1) / poly->rotated_at_once;
    } else if (kernel == FH_POLY_SWITCH) {
        limbs = (poly->params.switched + poly->switched_at_once - 1) / poly->switched_at_once;
    }
    const struct fh_guest_launch launch = {
        .kernel = names[kernel],
        .grid_x = (uint32_t)(vectors / (32 * poly->warps * each)),
        .grid_y = (uint32_t)limbs,
        .warps = poly->warps,
        .params = params,
        .param_count = param_count,
    };
    return limbs ? fh_guest_run(&poly->guest, &launch) : FHEC_OK;
}

/* ---------------------------------------------------------------- tables */

/* The shift of REDUCE_30, q < 2^30: the largest s with 2^s < q and 2^s / q + h / 2^32 <= 1 for
 * every h of a product. There is one: with q between 2^(k-1) and 2^k, k - 1 or k - 2. */
static unsigned barrett_shift(uint32_t q) {
    unsigned s = bit_length(q) - 1;
    uint64_t most = (uint64_t)(q - 1) * (q - 1);
    while ((uint64_t)1 << s >= q || ((uint64_t)1 << (s + 32)) + (most >> s) * q > (uint64_t)q << 32)
        s--;
    return s;
}

struct fh_poly_entry fh_poly_modulus(const struct fh_poly_params *params, uint64_t q) {
    struct fh_poly_entry entry = {{(uint32_t)q}};
    unsigned bits = modulus_bits(params);
    if (bits <= 30) {
        entry.words[2] = barrett_shift((uint32_t)q);
        entry.words[1] = (uint32_t)(((uint64_t)1 << (entry.words[2] + 32)) / q);
        return entry;
    }
    fh_u128 quotient = ((fh_u128)1 << 96) / q + (bits == 31);
    for (unsigned i = 0; i < 3; i++)
        entry.words[i + 1] = (uint32_t)(quotient >> 32 * i);
    return entry;
}

struct fh_poly_entry fh_poly_inner_modulus(const struct fh_poly_params *params, uint64_t q) {
    uint32_t negative = fh_negative_inverse((uint32_t)q);
    return (struct fh_poly_entry){{(uint32_t)q, is_lazy(params) ? negative : 0 - negative}};
}

struct fh_poly_entry fh_poly_factor(const struct fh_poly_params *params, uint64_t q, uint64_t c) {
    if (is_gme(params))
        return (struct fh_poly_entry){{(uint32_t)(c % q), 0, 0, (uint32_t)q}};
    struct fh_factor factor = fh_factor(c, (uint32_t)q);
    uint64_t quotient = factor.quotient + 1;
    return (struct fh_poly_entry){
        {factor.value, (uint32_t)quotient, (uint32_t)(quotient >> 32), 0 - factor.q}};
}

struct fh_poly_entry fh_poly_scalar(const struct fh_poly_params *params, uint64_t q, uint64_t s) {
    (void)params;
    return (struct fh_poly_entry){{(uint32_t)q, (uint32_t)(s % q)}};
}

uint64_t fh_poly_key_element(const struct fh_poly_params *params, uint64_t q, uint64_t x) {
    return is_gme(params) ? x : (x << 32) % q;
}

size_t fh_poly_addend_bytes(const struct fh_poly *poly) {
    size_t shares = (poly->params.switched + poly->switched_at_once - 1) / poly->switched_at_once;
    return shares * ((poly->switched_at_once + 3) / 4 * 16);
}

void fh_poly_addends(const struct fh_poly *poly, const uint64_t *q, void *table) {
    size_t each = poly->switched_at_once, row = (each + 3) / 4 * 4;
    uint64_t dropped = poly->params.dropped, half = dropped / 2;
    uint32_t *words = table;
    for (size_t i = 0; i < poly->params.switched; i++)
        words[i / each * row + i % each] = (uint32_t)((half + q[i] - 1) / q[i] * q[i] - dropped);
}
