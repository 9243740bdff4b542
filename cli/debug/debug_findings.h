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

#endif
