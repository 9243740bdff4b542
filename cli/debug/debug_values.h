/*
 * debug_values.h - what commands of the debugger that show values have in common.
 */
#ifndef FH_CLI_DEBUG_VALUES_H
#define FH_CLI_DEBUG_VALUES_H

#include "debug_console.h"
#include "show.h"

/* Lines to where the console's answers go, in colours if that is a terminal which wants them. */
struct fh_show_out fh_cli_debug_lines(const struct fh_cli_console *console);
/* Reads "/hex", "/mod:17" and their like at the beginning; *text is behind it. FHEC_BAD_INPUT:
 * said. */
fhec_status fh_cli_debug_read_format(const struct fh_cli_console *console, char **text,
                                     struct fh_show_format *format, bool *given);
/* The warp of the focus; NULL: said. To be freed. */
struct fh_show_warp *fh_cli_debug_warp(const struct fh_cli_console *console);

#endif
