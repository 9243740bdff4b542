/*
 * test_line.h - a line of expectations: its words, the options among them, and what is wrong with
 * it.
 */
#ifndef FH_CLI_TEST_LINE_H
#define FH_CLI_TEST_LINE_H

#include "cli.h"

enum { FH_CLI_TEST_WORDS = 32 };

struct fh_cli_test_line {
    const char *file; /* where it stands, for messages and --update */
    uint32_t line;
    char *text; /* owned; cut into words */
    const char *words[FH_CLI_TEST_WORDS];
    size_t count;
};

/* Cuts the text into words; false if there are too many. The text is copied. */
bool fh_cli_test_cut(const char *text, const char *file, uint32_t line,
                     struct fh_cli_test_line *cut);

/* Says "FILE:LINE: error: ..." and returns FHEC_BAD_INPUT. */
fhec_status fh_cli_test_error(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The words behind the keyword `key`, from words[from] on; NULL if it is not there. */
const char *fh_cli_test_option(const struct fh_cli_test_line *line, size_t from, const char *key);

/* A list "V,V,..." of numbers; malloc'd. Errors have been said. */
fhec_status fh_cli_test_list(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                             const char *text, uint64_t **values, size_t *count);

#endif
