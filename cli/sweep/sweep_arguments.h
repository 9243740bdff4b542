/*
 * sweep_arguments.h - a list of words in JSON as arguments of a process.
 */
#ifndef FH_CLI_SWEEP_ARGUMENTS_H
#define FH_CLI_SWEEP_ARGUMENTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct fh_cli_sweep_arguments {
    char **words; /* up to NULL; they belong to the list */
    json_t *list;
};

/* False: no memory, or the text is no list of texts. */
bool fh_cli_sweep_arguments_read(struct fh_cli_sweep_arguments *arguments, const char *text);
void fh_cli_sweep_arguments_free(struct fh_cli_sweep_arguments *arguments);
/* Prints a word so that a shell takes it for one. */
void fh_cli_sweep_print_word(FILE *to, const char *word);
/* The words with spaces between them, for a shell; malloc'd. NULL: no memory. */
char *fh_cli_sweep_arguments_text(const char *text);

#endif
