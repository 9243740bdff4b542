/*
 * input.h - whole files in.
 */
#ifndef FH_CLI_INPUT_H
#define FH_CLI_INPUT_H

#include "cli.h"

/* Limits, in bytes: of sources, listings, objects and other texts; of data. */
#define FH_CLI_MAX_TEXT ((size_t)1 << 30)
#define FH_CLI_MAX_DATA ((size_t)16 << 30)

/* The whole file, a regular one or a pipe, "-" being stdin; malloc'd, with a NUL after it. */
fhec_status fh_cli_read_file(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length);
fhec_status fh_cli_read_data(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length);
/* The same without a message of its own: on false `why` says what is wrong. */
enum { FH_CLI_WHY = 200 };
bool fh_cli_try_read(const char *path, size_t most, char **bytes, size_t *length,
                     char why[FH_CLI_WHY]);

/* Calls `line` for each line of a text file, numbered from 1 and without its end, that is neither
 * empty nor begins with #, until that fails. */
typedef fhec_status fh_cli_line_fn(void *user, char *line, uint32_t number);
fhec_status fh_cli_each_line(const struct fh_cli *cli, const char *path, fh_cli_line_fn *line,
                             void *user);

#endif
