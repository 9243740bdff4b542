/*
 * test_sarif.h - what `fhec test` tells in a log of SARIF 2.1.0: the findings of all cases, what
 * differs, and every other case that does not hold.
 */
#ifndef FH_CLI_TEST_SARIF_H
#define FH_CLI_TEST_SARIF_H

#include "test_report.h"

/* Adds the results of one verdict. `findings` are those of its checkers, as check_run.h collects
 * them, and may be NULL; file and line are those of the case. */
void fh_cli_test_sarif_add(json_t *results, const struct fh_cli_test_verdict *verdict,
                           json_t *findings, const char *file, uint32_t line);
/* The whole log, malloc'd; NULL without memory. */
char *fh_cli_test_sarif(json_t *results);

#endif
