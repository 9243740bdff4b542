/*
 * test_update.h - `fhec test --update`: pinned hashes in the files of tests.
 */
#ifndef FH_CLI_TEST_UPDATE_H
#define FH_CLI_TEST_UPDATE_H

#include "test_line.h"

/* Writes the new hash into the line's file and prints the difference. */
fhec_status fh_cli_test_update(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               const char *hex);

#endif
