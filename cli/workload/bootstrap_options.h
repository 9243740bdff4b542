/*
 * bootstrap_options.h - the options of `fhec ckks bootstrap` that say what is bootstrapped how: a
 * preset, and what differs from it.
 */
#ifndef FH_CLI_BOOTSTRAP_OPTIONS_H
#define FH_CLI_BOOTSTRAP_OPTIONS_H

#include <argp.h>

#include "ckks_bootstrap.h"

enum fh_cli_boot_preset { FH_CLI_FHEC32, FH_CLI_SMALL, FH_CLI_PAPER };
extern const char *const fh_cli_boot_preset_names[]; /* NULL-terminated */

enum fh_cli_boot_message {
    FH_CLI_RANDOM, /* in [-1, 1)^2 */
    FH_CLI_ZERO,
    FH_CLI_ONE_HOT, /* 1 in one slot */
    FH_CLI_ONES,
    FH_CLI_IS,   /* i */
    FH_CLI_BOTH, /* 1 + i */
};

/* Numbers that are 0 have not been given, but for those with a flag. */
struct fh_cli_boot_options {
    enum fh_cli_boot_preset preset;
    enum fh_cli_boot_message message;
    bool go_on;    /* a product and a rotation behind the bootstrap */
    bool insecure; /* whatever the tables say */
    bool no_hoist;
    uint64_t limbs, alpha, dnum, bits, scale, per_level, levels_cts, levels_stc, range, degree,
        correction;
    bool has_left, has_angles, has_secret;
    uint64_t left, angles;
    uint64_t weight;        /* of the encapsulated secret; 0: none */
    uint64_t secret_weight; /* of the secret; 0: ternary */
};

extern const struct argp fh_cli_boot_argp; /* its input is a struct fh_cli_boot_options */

/* The preset's parameters with what has been given; the chain keeps the preset's number of limbs
 * where neither --limbs nor --levels-left is given, and the levels that are left follow.
 * *limbs = those of the chain; of a level that is not whole, and with fewer limbs than the steps
 * take, levels_left means nothing. */
fh_golden_ckks_boot_params fh_cli_boot_params(const struct fh_cli_boot_options *options,
                                              unsigned log2_n, uint64_t *limbs);

/* Levels that a bootstrap takes, the base among them. */
size_t fh_cli_boot_levels(const fh_golden_ckks_boot_params *params);

#endif
