/*
 * shell_words.h - words as a shell has them, out of one text and into it: quotes and backslashes,
 * and nothing else.
 */
#ifndef FH_CLI_SHELL_WORDS_H
#define FH_CLI_SHELL_WORDS_H

#include <stddef.h>

/* Words as one text that a shell would read as these words; malloc'd. NULL: no memory. */
char *fh_cli_words_join(char *const *words, size_t count);
/* The words of such a text. malloc'd, as one block; the list ends with NULL. NULL: no memory, or a
 * quote is not closed. */
char **fh_cli_words_split(const char *text, size_t *count);

#endif
