/*
 * job.h - one launch of one kernel with named buffers and arguments: what `fhec run` and
 * `fhec test` have in common.
 */
#ifndef FH_JOB_H
#define FH_JOB_H

#include "buffers.h"
#include "kernel_names.h"

/* A value for a parameter, or, with "NAME+OFFSET", for a part of one: see memory.h. */
struct fh_cli_scalar {
    const char *name;
    const char *text;
    unsigned position; /* without a name: which parameter, from 1 */
};

struct fh_cli_job {
    struct fh_cli_programs programs;
    const char *kernel; /* NULL: the programs' only one */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    uint32_t stack; /* local memory of a thread, if the kernel does not ask for more */
    uint64_t max_steps;
    bool all_faults;              /* a warp at fault ends, and the launch goes on: all_faults.h */
    struct fh_cli_memory *memory; /* which several launches may share */
    struct fh_cli_scalar *scalars;
    size_t scalar_count;
    const char *raw; /* the bytes of all parameters, as a value; NULL: they are given one by one */
    /* Filled by prepare: */
    const fhec_program *program; /* that has the kernel */
    size_t index;
    fhec_kernel_info info;
    uint8_t *params;
};

/* Finds the kernel and fills in the arguments. Every parameter must be given exactly once: by a
 * value, by values for parts of it, or by a buffer of its name. What is wrong has been said.
 * Addresses are filled in when the memory is allocated. */
fhec_status fh_cli_job_prepare(const struct fh_cli *cli, struct fh_cli_job *job);
/* After all launches on the memory have been prepared: a buffer that nothing refers to is an
 * error. */
fhec_status fh_cli_job_check_buffers(const struct fh_cli *cli, const struct fh_cli_job *job);
/* One launch on memory that has been allocated. With all_faults, FHEC_GUEST_FAULT without a fault
 * of the machine: all have been said. */
fhec_status fh_cli_job_launch(const struct fh_cli *cli, struct fh_cli_job *job,
                              fhec_machine *machine);
/* Allocates the memory, launches, reads the data back. Faults have been said. */
fhec_status fh_cli_job_run(const struct fh_cli *cli, struct fh_cli_job *job, fhec_machine *machine);
void fh_cli_job_free(struct fh_cli_job *job); /* params */

/* "X[,Y[,Z]]", each in [1, most]; missing ones are 1. False if it is not that. */
bool fh_cli_dimensions(const char *text, uint32_t most, uint32_t dims[3]);
/* The most that a launch's grid, along its first side, and its block may have. */
static inline uint32_t fh_cli_most_blocks(void) {
    return fhec_target_limits("sm_80")->grid[0];
}
static inline uint32_t fh_cli_most_threads(void) {
    return fhec_target_limits("sm_80")->block_threads;
}

#endif
