/*
 * check_options.h - the options of checks: --check, --suppress, --sarif.
 */
#ifndef FH_CLI_CHECK_OPTIONS_H
#define FH_CLI_CHECK_OPTIONS_H

#include <argp.h>

#include "cli.h"

struct fh_cli_check_options {
    unsigned wanted;       /* FH_CHECK_BITs; 0: no check */
    unsigned warnings;     /* those of them whose findings do not change the exit status */
    const char **suppress; /* files of suppressions */
    size_t suppress_count;
    bool own_memory;   /* the command's own, not the user's: leaks are looked for by name only */
    const char *sarif; /* file for the findings; NULL: none */
    bool sarif_alone;  /* --sarif needs no --check: the command has more to tell there */
    struct json_t *sarif_results; /* an array for the findings, instead of the file; or NULL */
};

/* The checkers of a list of names up to `length`: FH_CHECK_BITs, 0 for an empty one. False: `why`
 * says what is wrong with it. */
bool fh_cli_check_names(const char *list, size_t length, unsigned *wanted, char *why, size_t size);

/* Its input is a struct fh_cli_check_options. */
extern const struct argp fh_cli_check_argp;
void fh_cli_check_options_free(struct fh_cli_check_options *options);

#endif
