/*
 * ckks_options.h - the options that say which chain of primes a CKKS command works with.
 */
#ifndef FH_CLI_CKKS_OPTIONS_H
#define FH_CLI_CKKS_OPTIONS_H

#include <argp.h>

/* --logn, --limbs, --alpha, --dnum; its input is a fh_golden_ckks_params. */
extern const struct argp fh_cli_chain_argp;

#endif
