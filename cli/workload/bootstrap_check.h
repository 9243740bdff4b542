/*
 * bootstrap_check.h - whether a bootstrap with these parameters would come to a right end, before
 * any work.
 */
#ifndef FH_CLI_BOOTSTRAP_CHECK_H
#define FH_CLI_BOOTSTRAP_CHECK_H

#include "ckks_bootstrap.h"
#include "cli.h"

/* Says in one sentence what is wrong; limbs as fh_cli_boot_params gives them. */
fhec_status fh_cli_boot_check(const struct fh_cli *cli, const fh_golden_ckks_boot_params *params,
                              uint64_t limbs);

/* log2 of the probability that one of N coefficients of I leaves [-range, range]: a sum of
 * weight + 1 numbers, uniform in [-1/2, 1/2], by the saddle point approximation of Lugannani and
 * Rice (Advances in Applied Probability 12, 1980). -INFINITY where it cannot happen. */
double fh_cli_boot_overflow(unsigned log2_n, size_t weight, unsigned range);

/* log2 of the largest error of the sine that the series and the double angles make, for arguments
 * within 2^-correction of the integers up to range. */
double fh_cli_boot_sine_error(const fh_golden_ckks_boot_params *params);

#endif
