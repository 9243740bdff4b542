/*
 * test_script.h - launch scripts as cases of `fhec test`.
 */
#ifndef FH_CLI_TEST_SCRIPT_H
#define FH_CLI_TEST_SCRIPT_H

#include "test_case.h"

/* Runs the script on one machine. */
enum fh_cli_verdict fh_cli_test_script(struct fh_cli_test_run *run, const char *path);

#endif
