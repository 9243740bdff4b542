/*
 * cli.h - the subcommands of the tool, and the settings that all of them are given.
 *
 * The tool is arguments, files and printing; all meaning is in the library. Its streams: stdout
 * carries what was asked for (a listing, a hash, statistics), stderr everything said to a person.
 * Every command returns the exit status of the process, a fhec_status.
 */
#ifndef FH_CLI_H
#define FH_CLI_H

#include "fhec.h"

struct fh_cli_mutation;
struct fh_cli_question;

struct fh_cli;
typedef fhec_status fh_cli_command(struct fh_cli *cli, int argc, char **argv);

/* Settings of one run of the tool, made by main and the options that every command takes. */
struct fh_cli {
    const char *command; /* "fhec ntt": begins every message */
    bool json;           /* --diag=json: messages on stderr are JSON objects, one a line */
    bool color;          /* stderr is a terminal that wants colours */
    bool terminal;       /* stderr is a terminal: show progress */
    const char *file;    /* of the program: diagnostics without a location are about it */
    bool silent;         /* messages are not wanted: a fault that is expected */
    struct fh_cli_mutation *mutation; /* NULL: `fhec mutate` has not started this (mutation.h) */
    const struct fh_cli_debug_face *debug; /* NULL: `fhec debug` has not started this; or who is to
                                              debug what it launches (debug_target.h) */
    fh_cli_command *debug_fault; /* looks at the fault of `fhec run` with these arguments */
    const struct fh_cli_question *question; /* NULL: `fhec why` has not started this (why_run.h) */
    const char *where; /* "FILE:LINE" of a launch script that messages are about; NULL: none */
    unsigned launch;   /* which launch of several the messages are about; 0: no one of several */
};

fh_cli_command fh_cli_as, fh_cli_dis, fh_cli_lint, fh_cli_patch, fh_cli_run, fh_cli_ntt,
    fh_cli_bconv, fh_cli_eltwise, fh_cli_bigint, fh_cli_ckks, fh_cli_report, fh_cli_layout,
    fh_cli_isa, fh_cli_test, fh_cli_trace, fh_cli_origins, fh_cli_why, fh_cli_probe, fh_cli_compare,
    fh_cli_mutate, fh_cli_sweep, fh_cli_cuda, fh_cli_fmt, fh_cli_lsp, fh_cli_debug_fault,
    fh_cli_debug, fh_cli_dap, fh_cli_time, fh_cli_blocks;

#endif
