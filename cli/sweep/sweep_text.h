/*
 * sweep_text.h - what others have printed, made text that JSON and SQLite take.
 */
#ifndef FH_CLI_SWEEP_TEXT_H
#define FH_CLI_SWEEP_TEXT_H

#include <stddef.h>

/* Makes bytes that are no UTF-8, and NUL, question marks, in place. */
void fh_cli_sweep_clean_text(char *text, size_t length);

#endif
