/*
 * variables.h - what compiled programs have beside kernels: a list of everything in them, variables
 * that are set before a run and shown after it, and instructions that fhec cannot execute.
 */
#ifndef FH_CLI_VARIABLES_H
#define FH_CLI_VARIABLES_H

#include "job.h"
#include "output.h"

/* Prints kernels with their parameters and what of them cannot be executed, and variables; the
 * compiler's own, as string constants, only if `all`. */
void fh_cli_list(const fhec_program *program, bool all);
/* Says which instructions of the prepared job's kernel cannot be executed; unless `trap`, that is
 * an error. */
fhec_status fh_cli_check_kernel(const struct fh_cli *cli, const struct fh_cli_job *job, bool trap);
/* Whether "NAME" or "NAME+OFFSET" names a buffer of the memory. */
bool fh_cli_names_buffer(const struct fh_cli_memory *memory, const char *name);
/* A value for a part of a buffer, before the memory is allocated. */
fhec_status fh_cli_set_buffer(const struct fh_cli *cli, struct fh_cli_memory *memory,
                              const struct fh_cli_scalar *setting);
/* A variable of one of several programs. */
struct fh_cli_variable {
    const fhec_program *program;
    size_t index;
    fhec_variable_info info;
};
/* The one of that name. FHEC_BAD_INPUT, said: there is none, or several. */
fhec_status fh_cli_find_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                 const char *name, struct fh_cli_variable *variable);
/* A variable's value, or that of a part of it, before a run; the memory has been allocated. */
fhec_status fh_cli_set_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                fhec_machine *machine, const struct fh_cli_memory *memory,
                                const struct fh_cli_scalar *setting);
/* Whether the programs have the variable of such a request. */
fhec_status fh_cli_check_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                  const char *request);
/* A variable after the run: "NAME" is printed as hex words, "NAME=FILE" written to the file. */
fhec_status fh_cli_get_variable(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                fhec_machine *machine, const char *request,
                                struct fh_cli_outputs *outputs);

#endif
