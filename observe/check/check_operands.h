/*
 * check_operands.h - the checker `operands`: what FHEC, MOD* and MONTMUL are given.
 *
 *     modulus          q of 0 or 1; even where Montgomery's method needs it odd; of .MIX lanes of
 *                      one column that disagree
 *     mu               another one than floor(2^64 / q)
 *     accumulator      C >= q, of FHEC and MODMAD
 *     factors, terms   A or B >= q; but A and B of .MIX and A of MODRED may be anything
 *
 * The instructions are total: what is found here has a defined result, which is hardly the one that
 * was meant.
 */
#ifndef FH_CHECK_OPERANDS_H
#define FH_CHECK_OPERANDS_H

#include "checker.h"

extern const struct fh_checker_row fh_check_operands;

#endif
