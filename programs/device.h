/*
 * device.h - plans: kernels assembled once, with their tables in the guest, for data that are there
 * too.
 *
 *     parameters --make--> plan (program, tables, steps) --run (limbs, addresses)--> launches
 *
 * A plan is a list of launches whose parameters are addresses. Each says where its address comes
 * from: a table, the data of this run, or memory that the plan keeps between its steps. Data and
 * tables go by limbs: a run of limbs first .. first + count - 1 of the plan's chain takes the
 * addresses of limb `first`, and one launch serves them all (blockIdx.y is the limb within the
 * run). A map's planner only makes the list; that is all that a new one has to write.
 */
#ifndef FH_DEVICE_H
#define FH_DEVICE_H

#include "guest.h"

enum { FH_STEP_PARAMS = 12, FH_PLAN_STEPS = 6, FH_PLAN_SCRATCH = 2 };

enum fh_residency { FH_RESIDENT_TABLE, FH_RESIDENT_IN, FH_RESIDENT_OUT, FH_RESIDENT_SCRATCH };

/* A parameter of a kernel: 8 bytes, an address. */
struct fh_step_param {
    enum fh_residency residency;
    unsigned scratch; /* which one, of FH_RESIDENT_SCRATCH */
    uint64_t address; /* of the chain's first limb, of FH_RESIDENT_TABLE */
    size_t stride;    /* bytes of a limb in the table; 0: the table is for all limbs */
};

/* A launch of grid_x x limbs x grid_z blocks of `warps` warps. */
struct fh_step {
    const char *kernel;
    uint32_t grid_x, grid_z, warps; /* grid_z 0 is 1 */
    unsigned param_count;
    struct fh_step_param params[FH_STEP_PARAMS];
};

struct fh_plan {
    struct fh_guest guest; /* owns the program and the tables */
    size_t limbs;          /* of the chain; 1 for plans that do not go by limbs */
    unsigned step_count;
    struct fh_step steps[FH_PLAN_STEPS];
    uint64_t scratch[FH_PLAN_SCRATCH];
};

/* An empty plan; options and error must live as long as it does. fh_plan_free in any case. */
void fh_plan_begin(struct fh_plan *plan, fhec_machine *machine,
                   const struct fh_run_options *options, struct fh_error *error);
void fh_plan_free(struct fh_plan *plan);

/* Memory that the steps share; `bytes` for all limbs of the chain. */
fhec_status fh_plan_scratch(struct fh_plan *plan, unsigned index, size_t bytes);

/* One more step; its parameters are added in the kernel's order. There is room for FH_PLAN_STEPS
 * of them, and FH_STEP_PARAMS of those. */
struct fh_step *fh_plan_step(struct fh_plan *plan, const char *kernel, size_t grid_x, size_t grid_z,
                             size_t warps);
void fh_step_in(struct fh_step *step);
void fh_step_out(struct fh_step *step);
void fh_step_scratch(struct fh_step *step, unsigned index);
void fh_step_table(struct fh_step *step, uint64_t address, size_t stride);

/* Runs the steps on limbs first .. first + count - 1: `in` and `out` are the addresses of limb
 * `first`. Whether `out` may be `in` is for the planner to say; transforms allow it. */
fhec_status fh_plan_run(struct fh_plan *plan, size_t first, size_t count, uint64_t in,
                        uint64_t out);

/* ---------------------------------------------------------------- plans of this folder
 *
 * Each checks its parameters like its fh_*_run, and leaves the plan to the caller in any case. The
 * parameters are not needed any more afterwards.
 */

/* Transforms of a chain of primes; in place allowed. `in`, `out`: one limb after another. */
fhec_status fh_ntt_plan(struct fh_plan *plan, const struct fh_ntt_params *params);

/* A base conversion: in alpha x n, out target x n, distinct. Run it with first 0 and count 1. */
fhec_status fh_bconv_plan(struct fh_plan *plan, const struct fh_bconv_params *params);

#endif
