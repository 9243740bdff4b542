/*
 * ckks_options.c - the options that say which chain of primes a CKKS command works with.
 */
#include "ckks_options.h"

#include "ckks.h"
#include "options.h"

enum { OPTION_LOGN = 0x1300, OPTION_LIMBS, OPTION_ALPHA, OPTION_DNUM };

static const struct argp_option options[] = {
    {"logn", OPTION_LOGN, "LOGN", 0, "N = 2^LOGN coefficients (default 16)", 0},
    {"limbs", OPTION_LIMBS, "L", 0, "Primes q of the chain (default 27; of a report 11)", 0},
    {"alpha", OPTION_ALPHA, "A", 0, "Extension primes (default 9; of a report 4)", 0},
    {"dnum", OPTION_DNUM, "D", 0,
     "Key switching digits, of ceil(L / D) limbs each, the last one of the rest (default 3)", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    fh_golden_ckks_params *chain = state->input;
    switch (key) {
    case OPTION_LOGN:
        chain->log2_n = (unsigned)fh_cli_number_option(state, "--logn", arg, 1, 24);
        return 0;
    /* The program checks these: its messages say what they must be. */
    case OPTION_LIMBS:
        chain->limbs = fh_cli_number_option(state, "--limbs", arg, 0, UINT32_MAX);
        return 0;
    case OPTION_ALPHA:
        chain->alpha = fh_cli_number_option(state, "--alpha", arg, 0, UINT32_MAX);
        return 0;
    case OPTION_DNUM:
        chain->dnum = fh_cli_number_option(state, "--dnum", arg, 0, UINT32_MAX);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_chain_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};
