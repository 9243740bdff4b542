/*
 * test_data.h - the data of a test case, from the SOURCE of its line (test_case.h).
 */
#ifndef FH_CLI_TEST_DATA_H
#define FH_CLI_TEST_DATA_H

#include "test_line.h"

/* A buffer of a case as the references see it: elements before the run. */
struct fh_cli_test_value {
    const char *name;
    uint64_t *elements;
    size_t count;
    unsigned width;
};

/* The one of that name; NULL if there is none. */
const struct fh_cli_test_value *fh_cli_test_find(const struct fh_cli_test_value *values,
                                                 size_t count, const char *name);
/* Fills `value` from the line's SOURCE, words[3] on, of which there is one at least. */
fhec_status fh_cli_test_source(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               struct fh_cli_test_value *value);

#endif
