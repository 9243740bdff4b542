/*
 * security.h - what the size of the modulus says of a chain's security.
 */
#ifndef FH_CLI_SECURITY_H
#define FH_CLI_SECURITY_H

#include "ckks.h"
#include "cli.h"

/* The most bits that QP may have for 128 bits of security against classical attacks with a ternary
 * secret at this N; 0: the tables have no such N. */
unsigned fh_cli_secure_bits(unsigned log2_n);

/* log2 of the product of the chain's primes, which are in moduli. */
double fh_cli_modulus_bits(const fh_golden_ckks_params *chain);

/* FHEC_BAD_INPUT from N = 2^15 on when QP has more bits than the tables allow. */
fhec_status fh_cli_security_check(const struct fh_cli *cli, const fh_golden_ckks_params *chain);

/* Says what the table says of the chain. */
void fh_cli_security_note(const struct fh_cli *cli, const fh_golden_ckks_params *chain);

#endif
