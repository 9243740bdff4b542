/*
 * debug_names.h - what names in a debugger's expressions mean: buffers with the types and shapes of
 * the command line, the source's names and macros' arguments at the focus, and golden functions.
 */
#ifndef FH_CLI_DEBUG_NAMES_H
#define FH_CLI_DEBUG_NAMES_H

#include "debug_findings.h"
#include "debugger.h"
#include "query.h"

struct fh_cli_memory;
struct fh_cli_debug_tasks;
/* What the user of a debugger (fh_debugger_user) begins with. */
struct fh_cli_debug_user {
    const struct fh_cli_memory *memory;     /* of the command line of `fhec run`; NULL: no such */
    const struct fh_cli_debug_tasks *tasks; /* NULL: none are known */
    struct fh_cli_debug_checks checks;
};

/* The place of the focus, whose names are those of the debugger; `names` must live as long. */
struct fh_query_place fh_cli_debug_place(struct fh_debugger *debugger, const struct fh_focus *focus,
                                         fhec_launch *launch, struct fh_query_names *names);
/* fh_debugger_options.names: the same names, for conditions. */
void fh_cli_debug_names(void *user, struct fh_debugger *debugger, struct fh_query_names *names);
/* An expression as it would stand where the focus is, in the body of a macro or a repetition:
 * `\x` becomes the argument. FHEC_BAD_INPUT with fh_debugger_error. */
fhec_status fh_cli_debug_read(struct fh_debugger *debugger, const struct fh_focus *focus,
                              const char *text, char *read, size_t size);

#endif
