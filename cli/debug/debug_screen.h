/*
 * debug_screen.h - the full-screen mode of fhec debug: panes of source, registers, fragments and
 * memory above a console, where the tool was built with ncurses.
 *
 *     keys -> commands of debug_console.h -> the debugger -> panes of pane.h -> the screen
 */
#ifndef FH_CLI_DEBUG_SCREEN_H
#define FH_CLI_DEBUG_SCREEN_H

#include "cli.h"
#include "debugger.h"

/* Whether this tool has it. */
bool fh_cli_debug_has_screen(void);

/* A face (debug_target.h) whose user is a struct fh_cli_debug_line, of which scripts run first. The
 * status is that of the line mode. FHEC_HOST_ERROR, said: there is no terminal, or it can do too
 * little. */
fhec_status fh_cli_debug_screen(void *line, struct fh_cli *cli, struct fh_debugger *debugger);

#endif
