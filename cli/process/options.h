/*
 * options.h - option values for argp: numbers, lists, choices, NAME=VALUE. What is wrong goes out
 * through argp_error, which ends the process with status 2.
 */
#ifndef FH_CLI_OPTIONS_H
#define FH_CLI_OPTIONS_H

#include <argp.h>

#include "cli.h"

extern const struct argp fh_cli_common_argp; /* --diag; its input is a struct fh_cli */

/* Parses with exit status 2 for usage errors. The name of the program is cli->command. */
void fh_cli_parse(struct fh_cli *cli, const struct argp *argp, int argc, char **argv, void *input);
/* The same with options only up to the first argument that is none, in their order. */
void fh_cli_parse_in_order(struct fh_cli *cli, const struct argp *argp, int argc, char **argv,
                           void *input);

/* An unsigned number (literal.h); false if `text` is anything else or too large. */
bool fh_cli_number(const char *text, uint64_t *value);
/* An address as lists have it, hexadecimal with 0x or without: how many characters, 0: none. */
size_t fh_cli_address(const char *text, uint64_t *address);
/* A number of bytes: it may end in K, M or G. */
bool fh_cli_bytes(const char *text, uint64_t *value);
/* The same, ending the process with a message that names the option and the range. */
uint64_t fh_cli_number_option(const struct argp_state *state, const char *option, const char *text,
                              uint64_t least, uint64_t most);
/* The same, of bytes: the number may end in K, M or G. */
uint64_t fh_cli_bytes_option(const struct argp_state *state, const char *option, const char *text,
                             uint64_t least, uint64_t most);
/* Numbers separated by commas, each in [least, most]; malloc'd, *count of them. */
uint64_t *fh_cli_list_option(const struct argp_state *state, const char *option, const char *text,
                             uint64_t least, uint64_t most, size_t *count);
/* Whether a file's name ends with ".json", or what else; such a name has something before it. */
bool fh_cli_extension_is(const char *name, const char *extension);
/* The index of `text` among the NULL-terminated `names`. */
size_t fh_cli_choice_option(const struct argp_state *state, const char *option, const char *text,
                            const char *const *names);
/* "NAME=VALUE": a copy of NAME, and *value pointing into text. */
char *fh_cli_assignment_option(const struct argp_state *state, const char *option, const char *text,
                               const char **value);
/* Grows an array of `count` elements of `size` bytes so that one more fits; ends the process with
 * status 4 when there is no memory (fh_cli_more). */
void *fh_cli_grow(const struct argp_state *state, void *array, size_t count, size_t size);

#endif
