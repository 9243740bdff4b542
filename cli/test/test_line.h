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

/* From words[from] on there must be nothing but the keywords `keys` (ended by NULL), each at most
 * once and with a value behind it. What is wrong is said, with the nearest keyword. */
fhec_status fh_cli_test_options(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                                size_t from, const char *const *keys);
/* The line must end at words[count]. */
fhec_status fh_cli_test_end(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                            size_t count);
/* `unknown WHAT "WORD"`, with the nearest of `names` (ended by NULL). FHEC_BAD_INPUT. */
fhec_status fh_cli_test_unknown(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                                const char *what, const char *word, const char *const *names);
/* A path in a test is relative to the file that the test stands in. Malloc'd. */
char *fh_cli_test_path(const struct fh_cli_test_line *line, const char *path);

/* A list "V,V,..." of numbers; malloc'd. Errors have been said. */
fhec_status fh_cli_test_list(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                             const char *text, uint64_t **values, size_t *count);

#endif
