/*
 * job.h - one launch of one kernel with named buffers and arguments: what `fhec run` and
 * `fhec test` have in common.
 */
#ifndef FH_JOB_H
#define FH_JOB_H

#include "memory.h"
#include "output.h"

/* A value for a parameter, or, with "NAME+OFFSET", for a part of one: see memory.h. */
struct fh_cli_scalar {
    const char *name;
    const char *text;
};

struct fh_cli_job {
    const fhec_program *program;
    const char *kernel; /* NULL: the program's only one */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    uint32_t stack; /* local memory of a thread, if the kernel does not ask for more */
    uint64_t max_steps;
    struct fh_cli_memory *memory; /* which several launches may share */
    struct fh_cli_scalar *scalars;
    size_t scalar_count;
    /* Filled by prepare: */
    size_t index;
    fhec_kernel_info info;
    uint8_t *params;
};

/* Finds the kernel and fills in the arguments. Every parameter must be given exactly once: by a
 * value, by values for parts of it, or by a buffer of its name. What is wrong has been said.
 * Addresses are filled in when the memory is placed. */
fhec_status fh_cli_job_prepare(const struct fh_cli *cli, struct fh_cli_job *job);
/* After all launches on the memory have been prepared: a buffer that nothing refers to is a slip.
 */
fhec_status fh_cli_job_check_buffers(const struct fh_cli *cli, const struct fh_cli_job *job);
/* One launch on memory that has been placed. */
fhec_status fh_cli_job_launch(const struct fh_cli *cli, struct fh_cli_job *job,
                              fhec_machine *machine);
/* Places the memory, launches, collects. Faults have been said. */
fhec_status fh_cli_job_run(const struct fh_cli *cli, struct fh_cli_job *job, fhec_machine *machine);
void fh_cli_job_free(struct fh_cli_job *job); /* params */

/* ---------------------------------------------------------------- compiled programs (variables.c)
 */

/* Prints kernels with their parameters and what of them cannot be executed, and variables. */
void fh_cli_list(const fhec_program *program);
/* Says which instructions of the prepared job's kernel cannot be executed; unless `trap`, that is
 * an error. */
fhec_status fh_cli_check_kernel(const struct fh_cli *cli, const struct fh_cli_job *job, bool trap);
/* Whether "NAME" or "NAME+OFFSET" names a buffer of the memory. */
bool fh_cli_names_buffer(const struct fh_cli_memory *memory, const char *name);
/* A value for a part of a buffer, before the memory is placed. */
fhec_status fh_cli_set_buffer(const struct fh_cli *cli, struct fh_cli_memory *memory,
                              const struct fh_cli_scalar *setting);
/* A variable's value, or that of a part of it, before a run; the memory has been placed. */
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

/* Compares a buffer with what it should hold and says where they part first. FHEC_DIFFERS. */
fhec_status fh_cli_compare(const struct fh_cli *cli, const char *name,
                           const struct fh_cli_data *got, const struct fh_cli_data *want);

/* "X[,Y[,Z]]", each in [1, most]; missing ones are 1. False if it is not that. */
bool fh_cli_dimensions(const char *text, uint32_t most, uint32_t dims[3]);
enum { FH_CLI_MAX_GRID = 0x7fffffff, FH_CLI_MAX_THREADS = 1024 };

#endif
