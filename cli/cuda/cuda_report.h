/*
 * cuda_report.h - what a CUDA program has launched: for each kernel, and each launch if that is
 * wanted, how often, with how many instructions of which kind, and how long it took here.
 */
#ifndef FH_CLI_CUDA_REPORT_H
#define FH_CLI_CUDA_REPORT_H

#include <stdio.h>

#include "cuda_options.h"

struct fh_cli_cuda_kernel;
struct fh_cli_cuda_launched;
struct fh_cli_cuda_report {
    fhec_machine *machine;
    struct fh_cli_cuda_kernel *kernels;
    size_t kernel_count;
    struct fh_cli_cuda_launched *launches;
    size_t launch_count;
    bool lost; /* there was no memory for some of it */
};

/* Whether the options ask for any of it. */
bool fh_cli_cuda_reports(const struct fh_cli_cuda_options *options);
void fh_cli_cuda_report_begin(struct fh_cli_cuda_report *report, const fhec_launch *launch);
void fh_cli_cuda_report_end(struct fh_cli_cuda_report *report, const fhec_launch *launch,
                            double seconds);
/* As text, or as one object of JSON (--stats=json). Forgets all of it. */
fhec_status fh_cli_cuda_report_print(const struct fh_cli *cli,
                                     const struct fh_cli_cuda_options *options,
                                     struct fh_cli_cuda_report *report, FILE *to);

#endif
