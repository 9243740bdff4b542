/*
 * bootstrap_options.c - see bootstrap_options.h.
 */
#include "bootstrap_options.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

enum {
    OPTION_PRESET = 0x1600,
    OPTION_MESSAGE,
    OPTION_CONTINUE,
    OPTION_INSECURE,
    OPTION_LIMBS,
    OPTION_ALPHA,
    OPTION_DNUM,
    OPTION_BITS,
    OPTION_SCALE,
    OPTION_PER_LEVEL,
    OPTION_LEVELS_LEFT,
    OPTION_LEVELS_CTS,
    OPTION_LEVELS_STC,
    OPTION_SECRET,
    OPTION_RANGE,
    OPTION_DEGREE,
    OPTION_DOUBLE_ANGLES,
    OPTION_CORRECTION,
    OPTION_NO_HOIST,
};

static const struct argp_option options[] = {
    {"preset", OPTION_PRESET, "NAME", 0, "fhec32, small or paper (default fhec32)", 0},
    {"message", OPTION_MESSAGE, "NAME", 0,
     "random, zero, one-hot, ones, i or 1+i in all slots (default random)", 0},
    {"continue", OPTION_CONTINUE, NULL, 0, "Square and rotate the result, and decrypt that too", 0},
    {"insecure", OPTION_INSECURE, NULL, 0,
     "Whatever the tables say: N from 2^15 on is refused with too large a modulus", 0},
    {0, 0, 0, 0, "Instead of what the preset has:", 1},
    {"limbs", OPTION_LIMBS, "L", 0, "Primes q of the chain", 1},
    {"alpha", OPTION_ALPHA, "A", 0, "Extension primes", 1},
    {"dnum", OPTION_DNUM, "D", 0,
     "Key switching digits, of ceil(L / D) limbs each, the last one of the rest", 1},
    {"bits", OPTION_BITS, "BITS", 0, "Size of the base and extension primes", 1},
    {"scale", OPTION_SCALE, "BITS", 0,
     "Scales are 2^BITS (with two primes a level twice their size)", 1},
    {"per-level", OPTION_PER_LEVEL, "P", 0, "Primes that a level has, 1 or 2", 1},
    {"levels-left", OPTION_LEVELS_LEFT, "M", 0, "Levels of the result above the base", 1},
    {"levels-cts", OPTION_LEVELS_CTS, "M", 0, "Linear maps of CoeffsToSlots", 1},
    {"levels-stc", OPTION_LEVELS_STC, "M", 0, "Linear maps of SlotsToCoeffs", 1},
    {"secret", OPTION_SECRET, "KIND", 0,
     "encapsulated[:H], sparse[:W], uniform or two of them with a comma: weights", 1},
    {"range", OPTION_RANGE, "K", 0, "Multiples of Q0 that EvalMod removes, up to K", 1},
    {"degree", OPTION_DEGREE, "D", 0, "Of the Chebyshev series", 1},
    {"double-angles", OPTION_DOUBLE_ANGLES, "R", 0, "After the series", 1},
    {"correction", OPTION_CORRECTION, "BITS", 0, "The input has the scale Q0 / 2^BITS", 1},
    {"no-hoist", OPTION_NO_HOIST, NULL, 0, "Each rotation of the linear maps by itself", 1},
    {0},
};

const char *const fh_cli_boot_preset_names[] = {"fhec32", "small", "paper", NULL};

/* One item of --secret. */
static void parse_kind(const struct argp_state *state, const char *text, const char *item,
                       struct fh_cli_boot_options *o) {
    enum { ENCAPSULATED_WEIGHT = 32, SPARSE_WEIGHT = 192, MOST_WEIGHT = 1 << 16 };
    const char *colon = strchr(item, ':');
    const size_t length = colon ? (size_t)(colon - item) : strlen(item);
    const bool encapsulated = length == 12 && !strncmp(item, "encapsulated", length);
    const bool sparse = length == 6 && !strncmp(item, "sparse", length);
    uint64_t weight = encapsulated ? ENCAPSULATED_WEIGHT : SPARSE_WEIGHT;
    if (!encapsulated && !sparse && strcmp(item, "uniform") != 0)
        argp_error(state, "--secret %s: expected encapsulated[:H], sparse[:W] or uniform", text);
    if (colon && (!fh_cli_number(colon + 1, &weight) || !weight || weight > MOST_WEIGHT))
        argp_error(state, "--secret %s: a weight is a number from 1 to %d", text, MOST_WEIGHT);
    if (encapsulated)
        o->weight = weight;
    else
        o->secret_weight = sparse ? weight : 0;
}

static void parse_secret(const struct argp_state *state, char *text,
                         struct fh_cli_boot_options *o) {
    char copy[64];
    if (strlen(text) >= sizeof copy)
        argp_error(state, "--secret %s: expected encapsulated[:H], sparse[:W] or uniform", text);
    memcpy(copy, text, strlen(text) + 1);
    o->has_secret = true;
    o->weight = o->secret_weight = 0;
    char *rest = copy;
    for (char *item = strsep(&rest, ","); item; item = strsep(&rest, ","))
        parse_kind(state, text, item, o);
}

static error_t parse_chain(int key, char *arg, struct argp_state *state) {
    struct fh_cli_boot_options *o = state->input;
    switch (key) {
    /* Whether they go together is checked when all are known. */
    case OPTION_LIMBS: o->limbs = fh_cli_number_option(state, "--limbs", arg, 1, 1 << 10); return 0;
    case OPTION_ALPHA: o->alpha = fh_cli_number_option(state, "--alpha", arg, 1, 1 << 10); return 0;
    case OPTION_DNUM: o->dnum = fh_cli_number_option(state, "--dnum", arg, 1, 1 << 10); return 0;
    case OPTION_BITS: o->bits = fh_cli_number_option(state, "--bits", arg, 18, 61); return 0;
    case OPTION_SCALE: o->scale = fh_cli_number_option(state, "--scale", arg, 1, 122); return 0;
    case OPTION_PER_LEVEL:
        o->per_level = fh_cli_number_option(state, "--per-level", arg, 1, 2);
        return 0;
    case OPTION_LEVELS_LEFT:
        o->left = fh_cli_number_option(state, "--levels-left", arg, 0, FH_GOLDEN_MAX_LIMBS);
        o->has_left = true;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_steps(int key, char *arg, struct argp_state *state) {
    struct fh_cli_boot_options *o = state->input;
    switch (key) {
    case OPTION_LEVELS_CTS:
        o->levels_cts = fh_cli_number_option(state, "--levels-cts", arg, 1, 23);
        return 0;
    case OPTION_LEVELS_STC:
        o->levels_stc = fh_cli_number_option(state, "--levels-stc", arg, 1, 23);
        return 0;
    case OPTION_SECRET: parse_secret(state, arg, o); return 0;
    case OPTION_RANGE: o->range = fh_cli_number_option(state, "--range", arg, 1, 1 << 12); return 0;
    case OPTION_DEGREE: o->degree = fh_cli_number_option(state, "--degree", arg, 1, 127); return 0;
    case OPTION_DOUBLE_ANGLES:
        o->angles = fh_cli_number_option(state, "--double-angles", arg, 0, 16);
        o->has_angles = true;
        return 0;
    case OPTION_CORRECTION:
        o->correction = fh_cli_number_option(state, "--correction", arg, 1, 60);
        return 0;
    case OPTION_NO_HOIST: o->no_hoist = true; return 0;
    default: return parse_chain(key, arg, state);
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const messages[] = {"random", "zero", "one-hot", "ones", "i", "1+i", NULL};
    struct fh_cli_boot_options *o = state->input;
    switch (key) {
    case OPTION_PRESET:
        o->preset = (enum fh_cli_boot_preset)fh_cli_choice_option(state, "--preset", arg,
                                                                  fh_cli_boot_preset_names);
        return 0;
    case OPTION_MESSAGE:
        o->message =
            (enum fh_cli_boot_message)fh_cli_choice_option(state, "--message", arg, messages);
        return 0;
    case OPTION_CONTINUE: o->go_on = true; return 0;
    case OPTION_INSECURE: o->insecure = true; return 0;
    case ARGP_KEY_END:
        if (o->limbs && o->has_left)
            argp_error(state, "--limbs and --levels-left: one follows from the other");
        return 0;
    default: return parse_steps(key, arg, state);
    }
}

const struct argp fh_cli_boot_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

/* ---------------------------------------------------------------- what they give */

size_t fh_cli_boot_levels(const fh_golden_ckks_boot_params *params) {
    return 1 + params->maps_cts + fh_golden_chebyshev_depth(params->degree) +
           params->double_angles + params->maps_stc;
}

/* Sizes of primes and scales. */
static void set_sizes(const struct fh_cli_boot_options *o, fh_golden_ckks_boot_params *params) {
    enum { WORD = 32 }; /* primes nearest to 2^32 lie above it, too */
    params->per_level = o->per_level ? o->per_level : params->per_level;
    if (o->bits) {
        params->base_bits = params->extension_bits = (unsigned)o->bits;
        if (params->per_level == 2)
            params->scale_bits = 2 * (unsigned)(o->bits == WORD ? WORD - 1 : o->bits);
    }
    params->scale_bits = o->scale ? (unsigned)o->scale : params->scale_bits;
}

static void set_steps(const struct fh_cli_boot_options *o, fh_golden_ckks_boot_params *params) {
    params->alpha = o->alpha ? o->alpha : params->alpha;
    params->dnum = o->dnum ? o->dnum : params->dnum;
    params->maps_cts = o->levels_cts ? o->levels_cts : params->maps_cts;
    params->maps_stc = o->levels_stc ? o->levels_stc : params->maps_stc;
    params->degree = o->degree ? o->degree : params->degree;
    params->double_angles = o->has_angles ? (unsigned)o->angles : params->double_angles;
    params->range = o->range ? (unsigned)o->range : params->range;
    params->correction = o->correction ? (unsigned)o->correction : params->correction;
    params->hoist = !o->no_hoist;
    if (o->has_secret) {
        params->weight = o->weight;
        params->secret_weight = o->secret_weight;
    }
}

fh_golden_ckks_boot_params fh_cli_boot_params(const struct fh_cli_boot_options *o, unsigned log2_n,
                                              uint64_t *limbs) {
    fh_golden_ckks_boot_params params =
        (o->preset == FH_CLI_PAPER ? fh_golden_ckks_boot_published
                                   : fh_golden_ckks_boot_pairs)(log2_n);
    *limbs = o->limbs ? o->limbs : fh_golden_ckks_boot_limbs(&params);
    set_sizes(o, &params);
    set_steps(o, &params);
    const size_t levels = *limbs / params.per_level, taken = fh_cli_boot_levels(&params);
    params.levels_left = o->has_left ? o->left : levels < taken ? 0 : levels - taken;
    if (o->has_left)
        *limbs = params.per_level * (taken + o->left);
    return params;
}
