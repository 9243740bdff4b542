/*
 * test_golden.h - `expect NAME golden FUNCTION ...`: the references by name (test_case.h).
 */
#ifndef FH_CLI_TEST_GOLDEN_H
#define FH_CLI_TEST_GOLDEN_H

#include "test_data.h"

/* Computes what FUNCTION (words[3], which must be there, on) gives; *result is malloc'd and has
 * `count` elements. */
fhec_status fh_cli_test_golden(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               const struct fh_cli_test_value *values, size_t value_count,
                               size_t count, uint64_t **result);

#endif
