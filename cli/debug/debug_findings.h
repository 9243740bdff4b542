/*
 * debug_findings.h - fhec debug --check: what checkers find of the launches, and when.
 */
#ifndef FH_CLI_DEBUG_FINDINGS_H
#define FH_CLI_DEBUG_FINDINGS_H

#include "debugger.h"
#include "runner.h"

/* Runs the launches once, on a machine like that of the settings, with the checkers that are
 * wanted, and tells the debugger what they found. Comments and files that suppress findings do not
 * count here. */
fhec_status fh_cli_debug_findings(struct fh_cli *cli, const struct fh_cli_machine *settings,
                                  const struct fh_cli_check_options *check,
                                  struct fh_cli_runner *runner, struct fh_debugger *debugger);

#endif
