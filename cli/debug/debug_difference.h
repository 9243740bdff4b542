/*
 * debug_difference.h - what a command has changed, in words.
 */
#ifndef FH_CLI_DEBUG_DIFFERENCE_H
#define FH_CLI_DEBUG_DIFFERENCE_H

#include "debug_console.h"

/* Prints the registers and the memory that are not what they were in the snapshot. */
void fh_cli_debug_difference(const struct fh_cli_console *console, const fhec_snapshot *before);

#endif
