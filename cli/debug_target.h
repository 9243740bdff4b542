/*
 * debug_target.h - what a debugger is about: the host program of a command, run once with its
 * launches only noted, and a debugger for what it did.
 */
#ifndef FH_CLI_DEBUG_TARGET_H
#define FH_CLI_DEBUG_TARGET_H

#include "debugger.h"
#include "run_options.h"

struct fh_cli_debug_target;

/* The launches of `fhec run` with these options, which must live as long. What is wrong has been
 * said. */
fhec_status fh_cli_debug_run(struct fh_cli *cli, struct fh_cli_run_options *given, uint64_t memory,
                             struct fh_cli_debug_target **target);
struct fh_debugger *fh_cli_debug_debugger(struct fh_cli_debug_target *target);
void fh_cli_debug_close(struct fh_cli_debug_target *target); /* NULL is allowed */

#endif
