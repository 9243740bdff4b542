/*
 * run_options.c - the command line of `fhec run`.
 */
#include "run_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "job.h"
#include "machine_options.h"
#include "options.h"
#include "program_file.h"
#include "trace_options.h"

static const char doc[] =
    "Runs a kernel of FILE, an object or a source, which is assembled in memory."
    "\vData files are raw bytes, or .npy by extension (integers, floating point numbers, "
    "booleans). Buffers of --in are read-only for the kernel, those of --out have no data. BYTES "
    "may end in K, M or G; FILE:BYTES:TYPE says what a .npy file is written as (u8 ... u64, i8 ... "
    "i64, f16, f32, f64; u32 if nothing is said); with no FILE the buffer is only there to be "
    "hashed or compared. Hashes are XXH3-128. If a result differs from --expect, the exit status "
    "is 1 and the output files are written all the same, to be looked at; after any other failure "
    "no file is. FILE alone lists its kernels with their parameters, and its variables. Parameters "
    "of compiled kernels are called param0, param1, ...; a kernel of C++ may be named without its "
    "mangling."
    "\n\nVALUE is a number, which may have a type before it where it goes into a part of something "
    "(u8: u16: u32: u64: f32:1.5 f64:), @FILE with its bytes, bytes:HEX, address:BUFFER[+OFFSET], "
    "or "
    "modulus:Q, the descriptor of FHEC. NAME+OFFSET is a part: --arg p+8=u32:5 sets 4 bytes of a "
    "structure. A buffer whose name no parameter has is there for values to point to. After "
    "--then the options of the launch, up to --arg, are those of one more, on the same memory.";

enum {
    OPTION_GRID = 1,
    OPTION_BLOCK,
    OPTION_SHARED,
    OPTION_ARG,
    OPTION_IN,
    OPTION_OUT,
    OPTION_INOUT,
    OPTION_HASH,
    OPTION_EXPECT,
    OPTION_STACK,
    OPTION_SET,
    OPTION_GET,
    OPTION_TRAP,
    OPTION_POINTERS,
    OPTION_THEN,
    OPTION_ORDER,
    OPTION_ALL_FAULTS,
    OPTION_DEBUG_ON_FAULT,
    OPTION_SCRIPT,
    OPTION_ALL,
};

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "Which kernel, when FILE has several", 0},
    {"grid", OPTION_GRID, "X[,Y[,Z]]", 0, "Blocks of the grid", 1},
    {"block", OPTION_BLOCK, "X[,Y[,Z]]", 0, "Threads of a block, at most 1024", 1},
    {"shared", OPTION_SHARED, "BYTES", 0, "Dynamic shared memory of a block", 1},
    {"arg", OPTION_ARG, "NAME[+OFFSET]=VALUE", 0, "Value of a parameter, or of a part of it", 1},
    {"all", OPTION_ALL, NULL, 0, "List variables that the compiler has added, too", 1},
    {"script", OPTION_SCRIPT, "FILE", 0,
     "Do what a launch script says, which names its files, buffers and launches itself", 1},
    {"then", OPTION_THEN, NULL, 0, "One more launch; its options follow", 1},
    {"in", OPTION_IN, "NAME=FILE", 0, "Buffer that the kernel reads", 2},
    {"out", OPTION_OUT, "NAME=FILE:BYTES", 0, "Buffer that the kernel writes", 2},
    {"inout", OPTION_INOUT, "NAME=FILE", 0, "Buffer that is read, and written back to FILE", 2},
    {"pointers", OPTION_POINTERS, "NAME=BUFFER[+OFFSET],...", 0,
     "Buffer of addresses that the kernel reads; numbers may stand among them", 2},
    {"stack", OPTION_STACK, "BYTES", 0,
     "Local memory of a thread, when the kernel does not ask for more (recursion)", 1},
    {"set", OPTION_SET, "NAME[+OFFSET]=VALUE", 0,
     "Value of a __device__ or __constant__ variable, or of a part of a buffer, before the run", 2},
    {"get", OPTION_GET, "NAME[=FILE]", 0, "Print a variable after the run, or write it to FILE", 3},
    {"trap-unsupported", OPTION_TRAP, NULL, 0,
     "Run a kernel with instructions that fhec cannot execute until one is reached", 4},
    {"debug-on-fault", OPTION_DEBUG_ON_FAULT, NULL, 0,
     "After a fault, look at it in the debugger, with commands from standard input", 4},
    {"all-faults", OPTION_ALL_FAULTS, NULL, 0,
     "Go on after a fault, without the warp at fault, to see all faults", 4},
    {"order", OPTION_ORDER, "default|seed=N", 0,
     "Order of warps and blocks; programs without races do not notice", 5},
    {"hash", OPTION_HASH, "NAME", 0, "Print the hash of a buffer after the run", 3},
    {"expect", OPTION_EXPECT, "NAME=FILE|xxh3:HEX", 0, "Compare a buffer after the run", 3},
    {0},
};

/* "FILE:BYTES[:TYPE]" */
static void parse_out(const struct argp_state *state, const char *value,
                      struct fh_cli_binding *binding) {
    char *copy = strdup(value), *colon = copy ? strrchr(copy, ':') : NULL;
    if (!copy)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    if (colon && fh_cli_data_named_type(colon + 1, &binding->type)) {
        *colon = 0;
        colon = strrchr(copy, ':');
    }
    if (!colon) { /* join_files knows the size, or nobody does */
        binding->path = copy;
        return;
    }
    if (isalpha((unsigned char)colon[1]))
        argp_error(state,
                   "--out %s=%s: \"%s\" is neither BYTES nor a type, which are u8, u16, u32, u64, "
                   "i8, i16, i32, i64, f16, f32 and f64",
                   binding->name, value, colon + 1);
    *colon = 0;
    binding->bytes = fh_cli_bytes_option(state, "BYTES of --out:", colon + 1, 1, UINT64_C(1) << 40);
    if (!binding->type.width)
        binding->type.width = binding->bytes % 4 ? 1 : 4;
    if (binding->bytes % binding->type.width)
        argp_error(state, "--out %s=%s: not a multiple of %u bytes", binding->name, value,
                   binding->type.width);
    binding->path = *copy ? copy : NULL;
    if (!*copy)
        free(copy);
}

static void add_binding(struct fh_cli_run_options *run, const struct argp_state *state,
                        enum fh_cli_direction direction, const char *arg) {
    static const char *const options_of[] = {"--in", "--out", "--inout", "--pointers"};
    const char *value;
    run->bindings = fh_cli_grow(state, run->bindings, run->binding_count, sizeof *run->bindings);
    struct fh_cli_binding *binding = &run->bindings[run->binding_count++];
    *binding = (struct fh_cli_binding){.direction = direction};
    binding->name = fh_cli_assignment_option(state, options_of[direction], arg, &value);
    if (direction == FH_CLI_OUT) {
        parse_out(state, value, binding);
        return;
    }
    binding->path = strdup(value);
    if (!binding->path)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
}

/* --in NAME=A and --out NAME=B are about one buffer, which comes from A and goes to B. */
static void join_files(struct fh_cli_run_options *run, const struct argp_state *state) {
    for (size_t i = 0; i < run->binding_count; i++) {
        struct fh_cli_binding *in = &run->bindings[i];
        for (size_t k = 0; k < run->binding_count && in->direction == FH_CLI_IN; k++) {
            struct fh_cli_binding *out = &run->bindings[k];
            if (out->direction != FH_CLI_OUT || strcmp(out->name, in->name) != 0)
                continue;
            if (out->bytes)
                argp_error(state, "--out %s: the buffer has the size of --in: --out %s=FILE",
                           in->name, in->name);
            in->direction = FH_CLI_INOUT;
            in->from = in->path;
            in->path = out->path;
            free(out->name);
            memmove(out, out + 1, (--run->binding_count - k) * sizeof *out);
            i -= k < i;
            break;
        }
    }
    for (size_t i = 0; i < run->binding_count; i++)
        if (run->bindings[i].direction == FH_CLI_OUT && !run->bindings[i].bytes)
            argp_error(state, "--out %s=%s: expected NAME=FILE:BYTES, or --in of the same buffer",
                       run->bindings[i].name, run->bindings[i].path);
}

static void add_step(struct fh_cli_run_options *run, const struct argp_state *state) {
    run->steps = fh_cli_grow(state, run->steps, run->step_count, sizeof *run->steps);
    run->steps[run->step_count++] = (struct fh_cli_step){0};
}

static void add_scalar(struct fh_cli_job *job, const struct argp_state *state, const char *arg) {
    job->scalars = fh_cli_grow(state, job->scalars, job->scalar_count, sizeof *job->scalars);
    struct fh_cli_scalar *scalar = &job->scalars[job->scalar_count++];
    scalar->name = fh_cli_assignment_option(state, "--arg", arg, &scalar->text);
}

static void add_expectation(struct fh_cli_run_options *run, const struct argp_state *state,
                            const char *arg) {
    static const char prefix[] = "xxh3:";
    const char *value;
    run->expectations =
        fh_cli_grow(state, run->expectations, run->expectation_count, sizeof *run->expectations);
    struct fh_cli_expectation *expectation = &run->expectations[run->expectation_count++];
    *expectation = (struct fh_cli_expectation){0};
    expectation->name = fh_cli_assignment_option(state, "--expect", arg, &value);
    if (strncmp(value, prefix, sizeof prefix - 1) != 0) {
        expectation->path = value;
        return;
    }
    expectation->hash = value + sizeof prefix - 1;
    if (strspn(expectation->hash, "0123456789abcdefABCDEF") != 32 ||
        strlen(expectation->hash) != 32)
        argp_error(state, "--expect %s: expected 32 hexadecimal digits after xxh3:", arg);
}

static uint64_t thread_count(const struct fh_cli_step *step) {
    const uint32_t *block = step->job.block;
    return (uint64_t)block[0] * block[1] * block[2];
}

static void check_step(const struct fh_cli_run_options *run, size_t i,
                       const struct argp_state *state) {
    const struct fh_cli_step *step = &run->steps[i];
    const uint32_t *block = step->job.block;
    char launch[32] = "the launch";
    if (run->step_count > 1)
        snprintf(launch, sizeof launch, "launch %zu", i + 1);
    if (!step->has_grid || !step->has_block)
        argp_error(state, "--grid and --block are needed: the shape of %s", launch);
    if (thread_count(step) > fh_cli_most_threads())
        argp_error(state, "--block %u,%u,%u: %llu threads; a block has at most %u", block[0],
                   block[1], block[2], (unsigned long long)thread_count(step),
                   fh_cli_most_threads());
}

__attribute__((format(printf, 4, 0))) static void
check_numbers(const struct fh_cli_run_options *run, enum fh_trace_subject subject, uint64_t count,
              const char *message, const struct argp_state *state) {
    const struct fh_trace_select *select = &run->trace.select;
    for (size_t i = 0; i < select->counts[subject]; i++)
        if (select->ranges[subject][i].last >= count)
            argp_error(state, message, (unsigned long long)select->ranges[subject][i].last,
                       (unsigned long long)count - 1);
}

/* A log of a block or warp that no launch has would be empty. */
static void check_trace(const struct fh_cli_run_options *run, const struct argp_state *state) {
    uint64_t blocks = 0, warps = 0; /* of the largest launch */
    for (size_t i = 0; i < run->step_count; i++) {
        const uint32_t *grid = run->steps[i].job.grid;
        uint64_t all, some = (uint64_t)grid[0] * grid[1];
        if (__builtin_mul_overflow(some, grid[2], &all))
            all = UINT64_MAX;
        uint64_t of_block = (thread_count(&run->steps[i]) + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
        blocks = all > blocks ? all : blocks;
        warps = of_block > warps ? of_block : warps;
    }
    check_numbers(run, FH_TRACE_BY_BLOCK, blocks, "--trace-block %llu: the blocks are 0 to %llu",
                  state);
    check_numbers(run, FH_TRACE_BY_WARP, warps,
                  "--trace-warp %llu: the warps of a block are 0 to %llu", state);
}

static void check_complete(struct fh_cli_run_options *run, const struct argp_state *state) {
    const struct fh_cli_step *first = run->steps;
    join_files(run, state);
    run->list = run->step_count == 1 && !first->has_grid && !first->has_block &&
                !first->job.kernel && !run->binding_count && !first->job.scalar_count;
    if (run->script && (!run->list || run->source.path || run->setting_count || run->shown_count ||
                        run->hash_count || run->expectation_count))
        argp_error(state, "--script: files, buffers, launches and results are named in the script");
    for (size_t i = 0; i < run->step_count && !run->list; i++)
        check_step(run, i, state);
    if (!run->list)
        check_trace(run, state);
}

static error_t parse_variable(int key, char *arg, struct argp_state *state,
                              struct fh_cli_run_options *run) {
    switch (key) {
    case OPTION_SET:
        run->settings =
            fh_cli_grow(state, run->settings, run->setting_count, sizeof *run->settings);
        run->settings[run->setting_count].name =
            fh_cli_assignment_option(state, "--set", arg, &run->settings[run->setting_count].text);
        run->setting_count++;
        return 0;
    case OPTION_GET:
        run->shown = fh_cli_grow(state, run->shown, run->shown_count, sizeof *run->shown);
        run->shown[run->shown_count++] = arg;
        return 0;
    case OPTION_TRAP: run->trap_unsupported = true; return 0;
    case OPTION_ALL_FAULTS: run->all_faults = true; return 0;
    case OPTION_ALL: run->all = true; return 0;
    case OPTION_SCRIPT:
        run->script = arg;
        run->source.optional = true;
        return 0;
    case OPTION_DEBUG_ON_FAULT: run->debug_on_fault = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The options of one launch: the last one so far. */
static error_t parse_step(int key, char *arg, struct argp_state *state,
                          struct fh_cli_run_options *run) {
    struct fh_cli_step *step = &run->steps[run->step_count - 1];
    struct fh_cli_job *job = &step->job;
    switch (key) {
    case 'k': job->kernel = arg; return 0;
    case OPTION_GRID:
        if (!fh_cli_dimensions(arg, fh_cli_most_blocks(), job->grid))
            argp_error(state, "--grid %s: expected X[,Y[,Z]], each from 1 to %u", arg,
                       fh_cli_most_blocks());
        step->has_grid = true;
        return 0;
    case OPTION_BLOCK:
        if (!fh_cli_dimensions(arg, fh_cli_most_threads(), job->block))
            argp_error(state, "--block %s: expected X[,Y[,Z]], each from 1 to %u", arg,
                       fh_cli_most_threads());
        step->has_block = true;
        return 0;
    case OPTION_SHARED:
        job->dynamic_shared = (uint32_t)fh_cli_bytes_option(state, "--shared", arg, 0, UINT32_MAX);
        return 0;
    case OPTION_STACK:
        job->stack = (uint32_t)fh_cli_bytes_option(state, "--stack", arg, 0, UINT32_MAX);
        return 0;
    case OPTION_ARG: add_scalar(job, state, arg); return 0;
    case OPTION_THEN: add_step(run, state); return 0;
    default: return parse_variable(key, arg, state, run);
    }
}

static fhec_order order_option(const struct argp_state *state, const char *arg) {
    static const char seed[] = "seed=";
    if (strcmp(arg, "default") == 0)
        return (fhec_order){.kind = FHEC_ORDER_DEFAULT};
    if (strncmp(arg, seed, sizeof seed - 1) != 0)
        argp_error(state, "--order %s: expected default or seed=N", arg);
    return (fhec_order){
        .kind = FHEC_ORDER_SEED,
        .seed = fh_cli_number_option(state, "--order seed:", arg + sizeof seed - 1, 0, UINT64_MAX)};
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_cli_run_options *run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        run->source.several = true;
        state->child_inputs[0] = &run->source;
        state->child_inputs[1] = &run->machine;
        state->child_inputs[2] = run->cli;
        state->child_inputs[3] = &run->trace;
        state->child_inputs[4] = &run->check;
        state->child_inputs[5] = &run->profile;
        state->child_inputs[6] = &run->time;
        add_step(run, state);
        return 0;
    case OPTION_IN: add_binding(run, state, FH_CLI_IN, arg); return 0;
    case OPTION_OUT: add_binding(run, state, FH_CLI_OUT, arg); return 0;
    case OPTION_INOUT: add_binding(run, state, FH_CLI_INOUT, arg); return 0;
    case OPTION_POINTERS: add_binding(run, state, FH_CLI_POINTERS, arg); return 0;
    case OPTION_HASH:
        run->hash_names =
            fh_cli_grow(state, run->hash_names, run->hash_count, sizeof *run->hash_names);
        run->hash_names[run->hash_count++] = arg;
        return 0;
    case OPTION_ORDER: run->machine.options.order = order_option(state, arg); return 0;
    case OPTION_EXPECT: add_expectation(run, state, arg); return 0;
    case ARGP_KEY_END: check_complete(run, state); return 0;
    default: return parse_step(key, arg, state, run);
    }
}

static const struct argp_child children[] = {
    {&fh_cli_source_argp, 0, NULL, 4},   {&fh_cli_machine_argp, 0, NULL, 0},
    {&fh_cli_common_argp, 0, NULL, 0},   {&fh_cli_trace_run_argp, 0, NULL, 7},
    {&fh_cli_check_argp, 0, NULL, 7},    {&fh_cli_profile_argp, 0, NULL, 7},
    {&fh_cli_time_run_argp, 0, NULL, 7}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};
const struct argp fh_cli_run_argp = {options, parse_option, NULL, NULL, children, NULL, NULL};
const struct argp_child fh_cli_run_children[] = {{&fh_cli_run_argp, 0, NULL, 0}, {0}};

void fh_cli_run_options_parse(struct fh_cli *cli, int argc, char **argv,
                              struct fh_cli_run_options *run) {
    *run = (struct fh_cli_run_options){.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, run);
}

void fh_cli_run_options_free(struct fh_cli_run_options *run) {
    fh_cli_trace_options_free(&run->trace);
    fh_cli_check_options_free(&run->check);
    for (size_t i = 0; i < run->step_count; i++) {
        struct fh_cli_job *job = &run->steps[i].job;
        for (size_t k = 0; k < job->scalar_count; k++)
            free((char *)job->scalars[k].name);
        free(job->scalars);
        fh_cli_job_free(job);
    }
    for (size_t i = 0; i < run->binding_count; i++) {
        free(run->bindings[i].name);
        free(run->bindings[i].path);
        free(run->bindings[i].from);
    }
    for (size_t i = 0; i < run->expectation_count; i++) {
        free(run->expectations[i].name);
        fh_cli_data_free(&run->expectations[i].want);
    }
    for (size_t i = 0; i < run->setting_count; i++)
        free((char *)run->settings[i].name);
    free(run->settings);
    free(run->shown);
    free(run->bindings);
    free(run->expectations);
    free(run->steps);
    free(run->hash_names);
    fh_cli_source_free(&run->source);
}
