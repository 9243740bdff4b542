/*
 * cuda_report.h - what a CUDA program has launched, as text or JSON: for each kernel, each range
 * and, if that is wanted, each launch, how often, with how many instructions of which kind, and how
 * long it took here.
 */
#ifndef FH_CLI_CUDA_REPORT_H
#define FH_CLI_CUDA_REPORT_H

#include <stdio.h>

#include "cuda_options.h"
#include "cuda_tally.h"

/* Whether the options ask for any of it. */
bool fh_cli_cuda_reports(const struct fh_cli_cuda_options *options);
/* Whether they ask for anything that is told, or closed, when the program ends. */
bool fh_cli_cuda_tells(const struct fh_cli_cuda_options *options);
/* As text, or as one object of JSON (--stats=json); nothing if the options ask for nothing. */
fhec_status fh_cli_cuda_report_print(const struct fh_cli *cli,
                                     const struct fh_cli_cuda_options *options,
                                     const struct fh_cli_cuda_tally *tally, FILE *to);
/* The same, and the times of a timer (NULL: none), which is closed, to the file of --report, whose
 * contents are replaced at once, or to stderr. FHEC_HOST_ERROR, said: it cannot be written. */
fhec_status fh_cli_cuda_report_write(const struct fh_cli *cli,
                                     const struct fh_cli_cuda_options *options,
                                     const struct fh_cli_cuda_tally *tally, struct fh_timer *timer);
/* Whether the report goes to a file that can be replaced while the program runs. */
bool fh_cli_cuda_report_grows(const struct fh_cli_cuda_options *options);

#endif
