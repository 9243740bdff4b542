/*
 * debug_line.h - the line mode of fhec debug: commands from scripts, a pipe or a terminal.
 */
#ifndef FH_CLI_DEBUG_LINE_H
#define FH_CLI_DEBUG_LINE_H

#include <stddef.h>

#include "cli.h"
#include "debugger.h"

struct fh_cli_debug_line {
    const char **scripts; /* paths, in their order */
    size_t script_count;
    bool batch;      /* end behind the scripts */
    bool keep_going; /* behind a command that is wrong */
};

/* A face (debug_target.h) whose user is a struct fh_cli_debug_line: reads commands until there are
 * no more. The status: FHEC_BAD_INPUT after a command of a batch that was wrong; else what the last
 * stop was: FHEC_GUEST_FAULT for a fault. */
fhec_status fh_cli_debug_line(void *line, struct fh_cli *cli, struct fh_debugger *debugger);

/* A face for a terminal without scripts. */
extern const struct fh_cli_debug_face fh_cli_debug_terminal;

#endif
