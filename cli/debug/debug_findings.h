/*
 * debug_findings.h - what checkers find of a debugger's launches, and when.
 */
#ifndef FH_CLI_DEBUG_FINDINGS_H
#define FH_CLI_DEBUG_FINDINGS_H

#include "check_options.h"
#include "debugger.h"
#include "program_file.h"

/* What the user of a debugger has of checks. */
struct fh_cli_debug_checks {
    const struct fh_cli_check_options *options; /* those of the command line */
    const struct fh_cli_source *source;         /* of the kernels; NULL: those of programs/ */
    unsigned on;       /* FH_CHECK_BITs of the last pass; 0: none was asked for */
    size_t suppressed; /* what it found that is not told */
};

/* Runs the launches once more, as they now are, with the checkers that are wanted, and tells the
 * debugger what they found, but for what files of suppressions and comments of the sources say is
 * known. What has been found before is forgotten. What is wrong has been said, but not a cancel:
 * FHEC_CANCELLED. */
fhec_status fh_cli_debug_find(const struct fh_cli *cli, struct fh_debugger *debugger,
                              struct fh_cli_debug_checks *checks, unsigned wanted);

struct fh_cli_console;
/* Prints the list of findings, one a line: "1:39  C021: ...". */
void fh_cli_debug_tell_findings(struct fh_cli_console *console);
/* When the debugger is left, with the status that it would end with: what --check has found is
 * told, if it has not been, and is a fault of the guest. */
fhec_status fh_cli_debug_found(struct fh_cli_console *console, fhec_status status);

#endif
