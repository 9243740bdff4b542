/*
 * variables.h - what compiled programs have beside kernels: a list of everything in them, variables
 * that are set before a run and shown after it, and instructions that fhec cannot execute.
 */
#ifndef FH_CLI_VARIABLES_H
#define FH_CLI_VARIABLES_H

#include "job.h"
#include "output.h"

/* Prints kernels with their parameters and what of them cannot be executed, and variables. */
void fh_cli_list(const fhec_program *program);
/* Says which instructions of the prepared job's kernel cannot be executed; unless `trap`, that is
 * an error. */
fhec_status fh_cli_check_kernel(const struct fh_cli *cli, const struct fh_cli_job *job, bool trap);
/* Whether "NAME" or "NAME+OFFSET" names a buffer of the memory. */
bool fh_cli_names_buffer(const struct fh_cli_memory *memory, const char *name);
/* A value for a part of a buffer, before the memory is allocated. */
fhec_status fh_cli_set_buffer(const struct fh_cli *cli, struct fh_cli_memory *memory,
                              const struct fh_cli_scalar *setting);
/* A variable's value, or that of a part of it, before a run; the memory has been allocated. */
fhec_status fh_cli_set_variable(const struct fh_cli *cli, const fhec_program *program,
                                fhec_machine *machine, const struct fh_cli_memory *memory,
                                const struct fh_cli_scalar *setting);
/* Whether the program has the variable of such a request. */
fhec_status fh_cli_check_variable(const struct fh_cli *cli, const fhec_program *program,
                                  const char *request);
/* A variable after the run: "NAME" is printed as hex words, "NAME=FILE" written to the file. */
fhec_status fh_cli_get_variable(const struct fh_cli *cli, const fhec_program *program,
                                fhec_machine *machine, const char *request,
                                struct fh_cli_outputs *outputs);

#endif
