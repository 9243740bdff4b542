/*
 * trace.h - `fhec run --trace`: what runs, as it runs, as text or into a log.
 */
#ifndef FH_CLI_TRACE_H
#define FH_CLI_TRACE_H

#include "trace_options.h"

struct fh_cli_trace;

/* Opens the file and records what runs on the machine until fh_cli_trace_close. *trace is NULL if
 * no trace is wanted. The options must live as long. */
fhec_status fh_cli_trace_open(const struct fh_cli *cli, const struct fh_cli_trace_options *options,
                              fhec_machine *machine, struct fh_cli_trace **trace);
/* `complete`: the launches have come to their end; a trace for Accel-Sim is written then only. */
fhec_status fh_cli_trace_close(const struct fh_cli *cli, struct fh_cli_trace *trace, bool complete);

/* A fh_trace_out whose user is a FILE. */
bool fh_cli_trace_write(void *file, const void *bytes, size_t size);

#endif
