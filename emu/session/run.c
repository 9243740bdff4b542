/*
 * run.c - launches: checks, what they need, and running them to their end.
 */
#include "decode.h"
#include "host_float.h"
#include "session_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fhec_status check_sides(fhec_machine *machine, const char *what, const char *unit,
                               const uint32_t sides[3], const uint32_t limit[3]) {
    for (int i = 0; i < 3; i++)
        if (sides[i] < 1 || sides[i] > limit[i])
            return fh_machine_fail(machine, FHEC_BAD_INPUT,
                                   "the %s is %u x %u x %u %s; side %c must be 1 to %u", what,
                                   sides[0], sides[1], sides[2], unit, "xyz"[i], limit[i]);
    return FHEC_OK;
}

/* How many threads a block has: what the machine and the kernel allow. */
static fhec_status check_threads(fhec_machine *machine, const fhec_launch *launch,
                                 const struct fh_kernel *code) {
    const fhec_limits *limits = launch->program->machine;
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    if (threads > limits->block_threads)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the block is %u x %u x %u = %u threads; at most %u are possible",
                               launch->block[0], launch->block[1], launch->block[2], threads,
                               limits->block_threads);
    const uint32_t *required = code->required;
    for (unsigned i = 0; required[0] && i < 3; i++)
        if (launch->block[i] != required[i])
            return fh_machine_fail(
                machine, FHEC_BAD_INPUT,
                "the block is %u x %u x %u; kernel %s takes blocks of %u x %u x %u only (.reqntid)",
                launch->block[0], launch->block[1], launch->block[2], code->name, required[0],
                required[1], required[2]);
    const uint32_t *bound = code->max_threads;
    uint32_t most = bound[0] * bound[1] * bound[2]; /* no more than a block can have */
    if (bound[0] && threads > most)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the block has %u threads; kernel %s was made for at most %u "
                               "(__launch_bounds__)",
                               threads, code->name, most);
    return FHEC_OK;
}

fhec_status fh_launch_check(fhec_machine *machine, const fhec_launch *launch) {
    const struct fhec_program *program = launch->program;
    if (!program || launch->kernel >= program->kernel_count)
        return fh_machine_fail(machine, FHEC_BAD_INPUT, "the program has no kernel number %zu",
                               launch->kernel);
    const fhec_limits *limits = program->machine;
    const struct fh_kernel *code = &program->kernels[launch->kernel];
    fhec_status status = check_sides(machine, "grid", "blocks", launch->grid, limits->grid);
    if (status == FHEC_OK)
        status = check_sides(machine, "block", "threads", launch->block, limits->block);
    if (status != FHEC_OK)
        return status;
    status = check_threads(machine, launch, code);
    if (status != FHEC_OK)
        return status;
    uint64_t shared = (uint64_t)code->shared_bytes + launch->dynamic_shared;
    if (shared > limits->block_shared)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "a block needs %llu bytes of shared memory (%u static, %u dynamic); "
                               "at most %u are possible",
                               (unsigned long long)shared, code->shared_bytes,
                               launch->dynamic_shared, limits->block_shared);
    if (launch->param_bytes != code->param_bytes)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "kernel %s takes %u bytes of parameters, not %zu", code->name,
                               code->param_bytes, launch->param_bytes);
    if (launch->param_bytes > FH_MAX_BANK - FH_PARAM_START ||
        (launch->param_bytes && !launch->params))
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "kernel %s: %zu bytes of parameters cannot be passed", code->name,
                               launch->param_bytes);
    if (code->registers > limits->thread_registers)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "kernel %s needs %u registers; a thread has at most %u", code->name,
                               code->registers, limits->thread_registers);
    if (code->local_bytes > limits->thread_local_bytes)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "kernel %s needs %u bytes of local memory; a thread has at most %u",
                               code->name, code->local_bytes, limits->thread_local_bytes);
    if (launch->stack_bytes > limits->thread_local_bytes)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "a stack of %u bytes; a thread has at most %u bytes of local memory",
                               launch->stack_bytes, limits->thread_local_bytes);
    return FHEC_OK;
}

/* Every launch is a cooperative one: a kernel that uses barriers of the whole grid gets the memory
 * for them, fresh. */
static fhec_status prepare_grid(fhec_machine *machine, struct fh_image *image) {
    static const uint32_t fresh[2] = {sizeof fresh, 0};
    if (!fh_image_uses_workspace(image))
        return FHEC_OK;
    if (!machine->grid_workspace &&
        fh_memory_alloc(&machine->memory, "the grid's barrier", sizeof fresh, false,
                        &machine->grid_workspace) != FHEC_OK)
        return FHEC_HOST_ERROR;
    fh_image_give_workspace(image, machine->grid_workspace);
    return fh_machine_write(machine, machine->grid_workspace, fresh, sizeof fresh);
}

/* Tells the observers of the fault. */
static void observe_fault(const fhec_session *s) {
    const fhec_fault *fault = &s->machine->fault;
    const uint32_t word = (uint32_t)(fault->pc / FH_INST_BYTES);
    fhec_event event = {
        .kind = FHEC_EVENT_FAULT,
        .block = {fault->block[0], fault->block[1], fault->block[2]},
        .warp = fault->warp,
        .pc = fault->pc,
        .word = word < s->image.count ? s->image.words[word] : (fhec_word){0, 0},
        .lanes = fault->lanes,
        .active = fault->lanes,
        .fault = fault,
    };
    fh_observers_tell(s->machine, &s->observation, &event);
}

/* The stricter one of two limits, of which 0 is none. */
static uint64_t fewer_steps(uint64_t a, uint64_t b) {
    return a && (!b || a < b) ? a : b;
}

static fhec_status prepare(fhec_session *s, const fhec_launch *launch) {
    fhec_machine *machine = s->machine;
    struct fh_module *module;
    if (fh_module_load(&machine->modules, &machine->memory, launch->program, NULL, &module) !=
        FHEC_OK)
        return fh_machine_fail(machine, FHEC_HOST_ERROR,
                               "no host memory for the program's variables");
    machine->decoder.launch = machine->launches + 1;
    if (fh_image_make(&s->image, launch, &machine->engine, module, &machine->decoder) != FHEC_OK)
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory to decode the kernel");
    s->launch = (struct fh_launch_state){
        .image = &s->image,
        .memory = &machine->memory,
        .max_steps = fewer_steps(launch->max_steps, machine->max_steps),
        .order = machine->order.kind == FHEC_ORDER_DEFAULT ? NULL : &machine->order,
        .host_functions = &machine->host_functions,
        .cancel = &machine->cancelled,
    };
    s->image.fills = machine->fills;
    const bool counting = s->counting || fh_observers_count(machine, &s->image);
    if (prepare_grid(machine, &s->image) != FHEC_OK || !fh_launch_arrays(&s->launch, counting))
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory to run the kernel");
    fh_observation_begin(&s->observation, machine, &s->image, launch);
    s->observation.counts = s->launch.counts;
    if (!fh_observation_watch(&s->observation, &s->launch, NULL, 0))
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory for the observers");
    return FHEC_OK;
}

static void discard(fhec_session *s) {
    fh_residents_end(&s->residents);
    fh_points_free(s);
    fh_observation_end(&s->observation);
    fh_launch_arrays_free(&s->launch);
    fh_image_free(&s->image);
    free(s->params);
    free(s->unpatched);
    s->machine->session = NULL;
    free(s);
}

/* Counts from now on how far the launch is, if somebody wants to know. */
static void follow_progress(fhec_session *s) {
    fhec_machine *machine = s->machine;
    atomic_fetch_add(&machine->progress_launches, 1);
    if (!atomic_load(&machine->progress_wanted))
        return;
    atomic_store(&machine->progress_blocks, s->image.blocks);
    atomic_store(&machine->progress.blocks_done, 0);
    atomic_store(&machine->progress.instructions, 0);
    atomic_store(&machine->progress.spinning, false);
    s->launch.progress = &machine->progress;
}

fhec_status fh_session_open(fhec_machine *machine, const fhec_launch *launch,
                            fhec_session **session) {
    *session = NULL;
    machine->fault = (fhec_fault){0};
    machine->error[0] = '\0';
    fh_positions_free(&machine->positions);
    if (machine->session)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               "the machine has a session; its launch has to be ended first");
    fhec_status status = fh_launch_check(machine, launch);
    if (status != FHEC_OK)
        return status;
    fhec_session *s = calloc(1, sizeof *s);
    void *params = malloc(launch->param_bytes + 1);
    if (!s || !params) {
        free(s);
        free(params);
        return fh_machine_fail(machine, FHEC_HOST_ERROR, "no host memory to run the kernel");
    }
    s->machine = machine;
    s->id = ++machine->opened;
    s->asked = *launch;
    s->asked.params = s->params = params;
    if (launch->param_bytes)
        memcpy(params, launch->params, launch->param_bytes);
    s->counting = machine->counting;
    status = prepare(s, launch);
    if (status != FHEC_OK) {
        discard(s);
        return status;
    }
    *session = machine->session = s;
    follow_progress(s);
    fh_observers_tell(machine, &s->observation, &(fhec_event){.kind = FHEC_EVENT_LAUNCH_BEGIN});
    return FHEC_OK;
}

/* Adds up what was counted. */
static fhec_status account(fhec_session *s) {
    fhec_machine *machine = s->machine;
    const struct fh_launch_state *launch = &s->launch;
    if (launch->counts)
        fh_counts_settle(launch->image, launch->counts);
    if (!s->counting)
        return FHEC_OK;
    machine->tally.launches++;
    machine->tally.array_cycles += launch->array_cycles;
    return fh_tally_add(&machine->tally, launch->image, launch->counts) ? FHEC_OK : FHEC_HOST_ERROR;
}

fhec_status fh_session_close(fhec_session *s, fhec_status how) {
    fhec_machine *machine = s->machine;
    fhec_status status = account(s);
    fhec_event event = {
        .kind = FHEC_EVENT_LAUNCH_END,
        .end = {.status = status == FHEC_OK ? how : status, .instructions = s->launch.steps}};
    fh_observers_tell(machine, &s->observation, &event);
    discard(s);
    return status == FHEC_OK ? status
                             : fh_machine_fail(machine, status, "no host memory to run the kernel");
}

fhec_status fh_session_no_choice(const fhec_session *s) {
    const struct fh_order *o = &s->residents.order;
    if (o->answer < o->ready_count)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "the order of warps: the callback lets a warp issue no instruction");
    return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                           "the order of warps: the callback chose number %zu of %zu warps, "
                           "counted from 0",
                           o->answer, o->ready_count);
}

bool fh_session_fault(fhec_session *s) {
    if (s->launch.fault.kind == FHEC_FAULT_NONE)
        return false;
    fh_machine_report(s->machine, &s->image, &s->launch.fault);
    observe_fault(s);
    return true;
}

static void leaves(void *user, const struct fh_block *block) {
    fh_positions_add(user, block);
}

void fh_session_leave(fhec_session *s) {
    for (uint64_t i = 0; i < s->residents.count; i++)
        leaves(&s->machine->positions, s->residents.blocks[i]);
    fh_positions_sort(&s->machine->positions);
    atomic_store(&s->machine->cancelled, false);
}

/* Runs all blocks: several at once if the machine has threads for it, the others sequentially. */
static enum fh_outcome run_blocks(fhec_session *s) {
    fhec_machine *machine = s->machine;
    struct fh_launch_state *launch = &s->launch;
    uint64_t next = 0, blocks = launch->image->blocks;
    bool parallel = machine->threads > 1 && blocks > 1 && !launch->order &&
                    (!launch->watch || launch->watch->fork) &&
                    !fh_calls_host(&machine->host_functions, launch->image->program);
    if (parallel && !machine->speculator)
        machine->speculator = fh_speculator_new(machine->threads); /* without one: sequentially */
    parallel =
        parallel && machine->speculator && fh_speculator_worthwhile(machine->speculator, launch);
    if (parallel)
        next = fh_speculator_run(machine->speculator, launch);
    enum fh_outcome outcome = launch->no_memory ? FH_NO_MEMORY : FH_DONE;
    if (parallel && next < blocks && fh_launch_cancelled(launch))
        outcome = FH_CANCELLED;
    if (outcome == FH_DONE && next < blocks && launch->fault.kind == FHEC_FAULT_NONE) {
        fh_machine_run_alone(machine, launch);
        fh_residents_begin(&s->residents, launch, next);
        outcome = fh_ordered_go(&s->residents);
    }
    if (machine->speculator && outcome != FH_NO_MEMORY && outcome != FH_CANCELLED)
        fh_speculator_remember(machine->speculator, launch);
    return outcome;
}

fhec_status fh_session_run_all(fhec_machine *machine, const fhec_launch *launch) {
    fhec_session *s;
    fhec_status status = fh_session_open(machine, launch, &s);
    if (status != FHEC_OK)
        return status;
    s->launch.leaves = leaves;
    s->launch.leaves_user = &machine->positions;
    const fh_host_float host = fh_host_float_enter();
    const enum fh_outcome outcome = run_blocks(s);
    fh_host_float_leave(host);
    if (outcome == FH_CANCELLED)
        fh_session_leave(s);
    if (outcome == FH_NO_CHOICE)
        (void)fh_session_no_choice(s);
    const fhec_status how = outcome == FH_NO_MEMORY   ? FHEC_HOST_ERROR
                            : outcome == FH_NO_CHOICE ? FHEC_BAD_INPUT
                            : fh_session_fault(s)     ? FHEC_GUEST_FAULT
                            : outcome == FH_CANCELLED ? FHEC_CANCELLED
                                                      : FHEC_OK;
    status = fh_session_close(s, how);
    if (how == FHEC_HOST_ERROR)
        fh_machine_fail(machine, how, "no host memory to run the kernel");
    return status != FHEC_OK ? status : how;
}
