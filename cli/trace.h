/*
 * trace.h - a commit log of what runs.
 */
#ifndef FH_CLI_TRACE_H
#define FH_CLI_TRACE_H

#include <stdio.h>

#include "cli.h"

struct fh_cli_trace {
    bool fetch, regs, mem;
    const char *path; /* NULL: stderr */
    int64_t warp;     /* -1: all */
    int64_t block;    /* linear, x first; -1: all */
    uint32_t grid[3];
    unsigned observer;
    FILE *to;
};
/* "fetch,regs,mem"; false if a word is none of these. NULL: all of them. */
bool fh_cli_trace_parse(const char *text, struct fh_cli_trace *trace);
/* Opens the file and observes the machine until fh_cli_trace_close. */
fhec_status fh_cli_trace_open(const struct fh_cli *cli, struct fh_cli_trace *trace,
                              fhec_machine *machine);
fhec_status fh_cli_trace_close(const struct fh_cli *cli, struct fh_cli_trace *trace,
                               fhec_machine *machine);

#endif
