/*
 * job.h - one launch of one kernel with named buffers and arguments: what `fhec run` and
 * `fhec test` have in common.
 */
#ifndef FH_JOB_H
#define FH_JOB_H

#include "cli.h"

/* Global memory for one parameter of 8 bytes. The data go to the guest before the launch and,
 * unless read_only, come back after it. */
struct fh_cli_buffer {
    const char *name;
    struct fh_cli_data data;
    bool read_only;
    uint64_t address; /* once allocated */
};

/* A value for one parameter: a number of any size up to 8 bytes, its bytes from a file, or FHEC's
 * modulus descriptor, 16 bytes {u32 q, u32 0, u64 floor(2^64 / q)}. */
struct fh_cli_scalar {
    const char *name;
    const char *text; /* "17", "0x11", "-3", "@FILE", "modulus:17" */
};

struct fh_cli_job {
    const fhec_program *program;
    const char *kernel; /* NULL: the program's only one */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    uint32_t stack; /* local memory of a thread, if the kernel does not ask for more */
    uint64_t max_steps;
    struct fh_cli_buffer *buffers;
    size_t buffer_count;
    struct fh_cli_scalar *scalars;
    size_t scalar_count;
    /* Filled by prepare: */
    size_t index;
    fhec_kernel_info info;
    uint8_t *params;
};

/* Finds the kernel and fills in the arguments; every parameter must be given exactly once. What is
 * wrong has been said. The parameters that are addresses are filled in by run. */
fhec_status fh_cli_job_prepare(const struct fh_cli *cli, struct fh_cli_job *job);
/* Allocates, copies in, launches, copies back, releases. Faults have been said. */
fhec_status fh_cli_job_run(const struct fh_cli *cli, struct fh_cli_job *job, fhec_machine *machine);
void fh_cli_job_free(struct fh_cli_job *job); /* the buffers' data and params; not the arrays */

/* ---------------------------------------------------------------- compiled programs (variables.c)
 */

/* Prints kernels with their parameters, and variables. */
void fh_cli_list(const fhec_program *program);
/* Says which instructions of the prepared job's kernel cannot be executed; unless `trap`, that is
 * an error. */
fhec_status fh_cli_check_kernel(const struct fh_cli *cli, const struct fh_cli_job *job, bool trap);
/* A variable's value before a run: a number, or @FILE; and its value after it, as hex words. */
fhec_status fh_cli_set_variable(const struct fh_cli *cli, const fhec_program *program,
                                fhec_machine *machine, const char *name, const char *text);
fhec_status fh_cli_get_variable(const struct fh_cli *cli, const fhec_program *program,
                                fhec_machine *machine, const char *name);

/* Compares a buffer with what it should hold and says where they part first. FHEC_DIFFERS. */
fhec_status fh_cli_compare(const struct fh_cli *cli, const char *name,
                           const struct fh_cli_data *got, const struct fh_cli_data *want);

/* "X[,Y[,Z]]", each in [1, most]; missing ones are 1. False if it is not that. */
bool fh_cli_dimensions(const char *text, uint32_t most, uint32_t dims[3]);
enum { FH_CLI_MAX_GRID = 0x7fffffff, FH_CLI_MAX_THREADS = 1024 };

#endif
