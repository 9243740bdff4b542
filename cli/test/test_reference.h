/*
 * test_reference.h - `expect NAME reference FILE FUNCTION ARGUMENT...`: references of the user's
 * own. FILE.so is a shared object (fhec_reference.h says what its function is given); FILE.py is
 * Python, whose function takes lists of integers for buffers and integers for numbers, and returns
 * a sequence of integers.
 */
#ifndef FH_CLI_TEST_REFERENCE_H
#define FH_CLI_TEST_REFERENCE_H

#include "test_data.h"

/* Computes what FUNCTION (words[4]) of FILE (words[3]) gives; *result is malloc'd and has as many
 * elements as `like`. `python` is the interpreter, found as a shell finds it. */
fhec_status fh_cli_test_reference(const struct fh_cli *cli, const char *python,
                                  const struct fh_cli_test_line *line,
                                  const struct fh_cli_test_value *values, size_t value_count,
                                  const struct fh_cli_test_value *like, uint64_t **result);

#endif
