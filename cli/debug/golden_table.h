/*
 * golden_table.h - golden.NAME(...) in a debugger's expressions: references of golden/ for arrays
 * and numbers. One table says what there is, for calls, `help golden` and the manual.
 *
 * Arrays are limb-major, as everywhere: a list of moduli, [q0, q1], stands for limbs one after
 * another, each with as many elements as the array has for each of them.
 */
#ifndef FH_CLI_GOLDEN_TABLE_H
#define FH_CLI_GOLDEN_TABLE_H

#include <stdio.h>

#include "query.h"

/* struct fh_query_names.golden; `user` is not looked at. */
fhec_status fh_cli_golden(void *user, const struct fh_query_place *place, const char *function,
                          const struct fh_query_value *arguments, size_t count,
                          struct fh_query_value *result, char *problem, size_t size);
/* Prints what there is. */
void fh_cli_golden_help(FILE *out);

#endif
