/*
 * device.c - plans: their steps, and runs of them.
 */
#include "device.h"

#include <assert.h>
#include <string.h>

void fh_plan_begin(struct fh_plan *plan, fhec_machine *machine,
                   const struct fh_run_options *options, struct fh_error *error) {
    memset(plan, 0, sizeof *plan);
    plan->guest = (struct fh_guest){.machine = machine, .options = options, .error = error};
    plan->limbs = 1;
}

void fh_plan_free(struct fh_plan *plan) {
    fh_guest_end(&plan->guest);
}

fhec_status fh_plan_scratch(struct fh_plan *plan, unsigned index, size_t bytes) {
    static const char *const names[FH_PLAN_SCRATCH] = {"scratch", "scratch'"};
    return fh_guest_alloc(&plan->guest, names[index], bytes, &plan->scratch[index]);
}

struct fh_step *fh_plan_step(struct fh_plan *plan, const char *kernel, size_t grid_x, size_t grid_z,
                             size_t warps) {
    assert(plan->step_count < FH_PLAN_STEPS);
    struct fh_step *step = &plan->steps[plan->step_count++];
    *step = (struct fh_step){
        .kernel = kernel,
        .grid_x = (uint32_t)grid_x,
        .grid_z = (uint32_t)grid_z,
        .warps = (uint32_t)warps,
    };
    return step;
}

static void add(struct fh_step *step, struct fh_step_param param) {
    assert(step->param_count < FH_STEP_PARAMS);
    step->params[step->param_count++] = param;
}

void fh_step_in(struct fh_step *step) {
    add(step, (struct fh_step_param){.residency = FH_RESIDENT_IN});
}

void fh_step_out(struct fh_step *step) {
    add(step, (struct fh_step_param){.residency = FH_RESIDENT_OUT});
}

void fh_step_scratch(struct fh_step *step, unsigned index) {
    add(step, (struct fh_step_param){.residency = FH_RESIDENT_SCRATCH, .scratch = index});
}

void fh_step_table(struct fh_step *step, uint64_t address, size_t stride) {
    add(step, (struct fh_step_param){
                  .residency = FH_RESIDENT_TABLE, .address = address, .stride = stride});
}

fhec_status fh_plan_run(struct fh_plan *plan, size_t first, size_t count, uint64_t in,
                        uint64_t out) {
    fhec_status status = FHEC_OK;
    assert(first + count <= plan->limbs);
    for (unsigned i = 0; i < plan->step_count && count && status == FHEC_OK; i++) {
        const struct fh_step *step = &plan->steps[i];
        uint64_t addresses[FH_STEP_PARAMS];
        for (unsigned p = 0; p < step->param_count; p++) {
            const struct fh_step_param *param = &step->params[p];
            switch (param->residency) {
            case FH_RESIDENT_IN: addresses[p] = in; break;
            case FH_RESIDENT_OUT: addresses[p] = out; break;
            case FH_RESIDENT_SCRATCH: addresses[p] = plan->scratch[param->scratch]; break;
            default: addresses[p] = param->address + first * param->stride; break;
            }
        }
        const struct fh_guest_launch launch = {
            .kernel = step->kernel,
            .grid_x = step->grid_x,
            .grid_y = (uint32_t)count,
            .grid_z = step->grid_z,
            .warps = step->warps,
            .params = addresses,
            .param_count = step->param_count,
        };
        status = fh_guest_run(&plan->guest, &launch);
    }
    return status;
}
