/*
 * accelsim_files.h - `fhec run --trace=accelsim:DIR`: the files of a folder of traces, which appear
 * together when the launches have come to their end.
 */
#ifndef FH_CLI_ACCELSIM_FILES_H
#define FH_CLI_ACCELSIM_FILES_H

#include "trace_options.h"

struct fh_cli_accelsim;

/* Makes the folder and traces what the machine launches until fh_cli_accelsim_close. The options
 * must live as long. */
fhec_status fh_cli_accelsim_open(const struct fh_cli *cli,
                                 const struct fh_cli_trace_options *options, fhec_machine *machine,
                                 struct fh_cli_accelsim **files);
/* `complete`: the launches have come to their end. Else there is no trace. */
fhec_status fh_cli_accelsim_close(struct fh_cli_accelsim *files, bool complete);

#endif
