/*
 * script_number.h - numbers of launch scripts: names for them, and "{4*i + 1}" in a line, which
 * becomes the number's decimal digits.
 */
#ifndef FH_CLI_SCRIPT_NUMBER_H
#define FH_CLI_SCRIPT_NUMBER_H

#include "expression_text.h"

/* A name and its number; of several of one name the last one counts. */
struct fh_cli_script_name {
    char *name;
    fh_integer value;
};
struct fh_cli_script_names {
    struct fh_cli_script_name *list;
    size_t count;
};

/* What an expression, a text with braces, or a name comes to. */
enum { FH_CLI_SCRIPT_WHY = FH_EXPRESSION_WRONG + 80 };

/* False without memory. */
bool fh_cli_script_name_set(struct fh_cli_script_names *names, const char *name, fh_integer value);
/* Forgets all but the first `count`. */
void fh_cli_script_names_cut(struct fh_cli_script_names *names, size_t count);

/* An expression of numbers and names (expression_text.h). False: `why` says what is wrong. */
bool fh_cli_script_number(const struct fh_cli_script_names *names, const char *text,
                          fh_integer *value, char why[FH_CLI_SCRIPT_WHY]);
/* The line with the numbers in the place of all {EXPRESSION}, but of those within single quotes and
 * behind a backslash; malloc'd. Without what is behind a # that begins a word. NULL: `why` says
 * what is wrong, or, empty, that there is no memory. */
char *fh_cli_script_expand(const struct fh_cli_script_names *names, const char *line,
                           char why[FH_CLI_SCRIPT_WHY]);

#endif
