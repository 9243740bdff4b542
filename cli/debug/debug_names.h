/*
 * debug_names.h - what names in a debugger's expressions mean: buffers with the types and shapes of
 * the command line, .equ, .set and .reg of the source at the focus, and golden functions.
 */
#ifndef FH_CLI_DEBUG_NAMES_H
#define FH_CLI_DEBUG_NAMES_H

#include "debugger.h"
#include "query.h"

struct fh_cli_memory;
struct fh_cli_debug_tasks;
/* What the user of a debugger (fh_debugger_user) begins with. */
struct fh_cli_debug_user {
    const struct fh_cli_memory *memory;     /* of the command line of `fhec run`; NULL: no such */
    const struct fh_cli_debug_tasks *tasks; /* NULL: none are known */
};

/* The place of the focus, whose names are those of the debugger; `names` must live as long. */
struct fh_query_place fh_cli_debug_place(struct fh_debugger *debugger, const struct fh_focus *focus,
                                         fhec_launch *launch, struct fh_query_names *names);
/* fh_debugger_options.holds: a condition is an expression, in the lanes of the stop; it holds if it
 * is not 0 for some lane. `count` and `pc` are the stop's; of a watchpoint `value` and `old` are
 * the first 8 bytes, and registers those of the lane that it is about. */
bool fh_cli_debug_holds(void *user, struct fh_debugger *debugger,
                        const struct fh_breakpoint *breakpoint, const fhec_stop *stop, bool *error);

#endif
