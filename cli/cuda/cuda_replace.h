/*
 * cuda_replace.h - --replace: launches of one kernel become launches of another one, which takes
 * the same parameters. A variable of the other kernel's file that has the name of one of the
 * program's module is that one.
 */
#ifndef FH_CLI_CUDA_REPLACE_H
#define FH_CLI_CUDA_REPLACE_H

#include "cuda_options.h"

struct fh_cli_cuda_replaced;
struct fh_cli_cuda_replacements {
    struct fh_cli *cli;
    fhec_machine *machine;
    struct fh_cli_cuda_replaced *list;
    size_t count;
};

/* Reads the files. What is wrong with one is said, and ends the process. */
void fh_cli_cuda_replacements_begin(struct fh_cli_cuda_replacements *r, struct fh_cli *cli,
                                    const struct fh_cli_cuda_options *options);
/* The machine that launches are for from now on, which knows no program yet. */
void fh_cli_cuda_replacements_attach(struct fh_cli_cuda_replacements *r, fhec_machine *machine);
/* Gives the launch its other kernel, if it has one that takes its parameters and its threads;
 * else says once why the program's own is launched. */
void fh_cli_cuda_replace(struct fh_cli_cuda_replacements *r, fhec_launch *launch);
/* Says which replacements no launch has asked for. */
void fh_cli_cuda_replacements_end(struct fh_cli_cuda_replacements *r);

#endif
