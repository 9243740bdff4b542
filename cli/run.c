/*
 * run.c - fhec run: a kernel, or several one after another, on data files.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "job.h"
#include "nearest.h"

static const char doc[] =
    "Runs a kernel of FILE, an object or a source, which is assembled in memory."
    "\vData files are raw bytes, or .npy by extension (integers, floating point numbers, "
    "booleans). Buffers of --in are read-only for the kernel, those of --out begin as zeros. BYTES "
    "may end in K, M or G; FILE:BYTES:TYPE says what a .npy file is written as (u8 ... u64, i8 ... "
    "i64, f16, f32, f64; u32 if nothing is said); with no FILE the buffer is only there to be "
    "hashed or compared. Hashes are XXH3-128. If a result differs from --expect, the exit status "
    "is 1 and the output files are written all the same, to be looked at; after any other failure "
    "no file is. FILE alone lists its kernels with their parameters, and its variables. Parameters "
    "of compiled kernels are called param0, param1, ...; a kernel of C++ may be named without its "
    "mangling."
    "\n\nVALUE is a number, which may have a type before it where it goes into a part of something "
    "(u8: u16: u32: u64: f32:1.5 f64:), @FILE with its bytes, address:BUFFER[+OFFSET], or "
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
    OPTION_TRACE,
    OPTION_TRACE_FILE,
    OPTION_TRACE_WARP,
    OPTION_TRACE_BLOCK,
    OPTION_STACK,
    OPTION_SET,
    OPTION_GET,
    OPTION_TRAP,
    OPTION_POINTERS,
    OPTION_THEN,
};

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "Which kernel, when FILE has several", 0},
    {"grid", OPTION_GRID, "X[,Y[,Z]]", 0, "Blocks of the grid", 1},
    {"block", OPTION_BLOCK, "X[,Y[,Z]]", 0, "Threads of a block, at most 1024", 1},
    {"shared", OPTION_SHARED, "BYTES", 0, "Dynamic shared memory of a block", 1},
    {"arg", OPTION_ARG, "NAME[+OFFSET]=VALUE", 0, "Value of a parameter, or of a part of it", 1},
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
    {"hash", OPTION_HASH, "NAME", 0, "Print the hash of a buffer after the run", 3},
    {"expect", OPTION_EXPECT, "NAME=FILE|xxh3:HEX", 0, "Compare a buffer after the run", 3},
    {"trace", OPTION_TRACE, "WHAT", OPTION_ARG_OPTIONAL,
     "Commit log of fetch, regs, mem (a list; default all) on stderr", 7},
    {"trace-file", OPTION_TRACE_FILE, "FILE", 0, "The log goes to FILE", 7},
    {"trace-warp", OPTION_TRACE_WARP, "N", 0, "Only warp N of each block", 7},
    {"trace-block", OPTION_TRACE_BLOCK, "N", 0, "Only block N, counted x first", 7},
    {0},
};

/* A buffer as the command line gives it. */
struct binding {
    int option; /* OPTION_IN, OPTION_OUT, OPTION_INOUT or OPTION_POINTERS */
    char *name;
    char *path; /* NULL: no file; of OPTION_POINTERS the list */
    uint64_t bytes;
    struct fh_cli_data type; /* of --out: kind and width of the elements */
};

struct expectation {
    char *name;
    const char *value;
    struct fh_cli_data want; /* of a file; read before the run, whose outputs may replace it */
};

/* One launch, and what of its shape has been given. */
struct step {
    struct fh_cli_job job;
    bool has_grid, has_block;
};

struct run_options {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    struct fh_cli_trace trace;
    struct fh_cli_source source;
    struct step *steps;
    size_t step_count;
    fhec_program *program;
    struct fh_cli_memory memory;
    struct fh_cli_outputs outputs;
    struct binding *bindings;
    size_t binding_count;
    struct expectation *expectations;
    size_t expectation_count;
    const char **hash_names;
    size_t hash_count;
    struct fh_cli_scalar *settings; /* of variables */
    size_t setting_count;
    const char **shown; /* variables: NAME or NAME=FILE */
    size_t shown_count;
    bool trap_unsupported;
    bool list; /* only say what is in FILE */
};

/* "FILE:BYTES[:TYPE]" */
static void parse_out(const struct argp_state *state, const char *value, struct binding *binding) {
    char *copy = strdup(value), *colon = copy ? strrchr(copy, ':') : NULL;
    if (!copy)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    if (colon && fh_cli_data_named_type(colon + 1, &binding->type)) {
        *colon = 0;
        colon = strrchr(copy, ':');
    }
    if (!colon) {
        argp_error(state, "--out %s=%s: expected NAME=FILE:BYTES", binding->name, value);
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

static void add_binding(struct run_options *run, const struct argp_state *state, int key,
                        const char *option, const char *arg) {
    const char *value;
    run->bindings = fh_cli_grow(state, run->bindings, run->binding_count, sizeof *run->bindings);
    struct binding *binding = &run->bindings[run->binding_count++];
    *binding = (struct binding){.option = key};
    binding->name = fh_cli_assignment_option(state, option, arg, &value);
    if (key == OPTION_OUT) {
        parse_out(state, value, binding);
        return;
    }
    binding->path = strdup(value);
    if (!binding->path)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
}

static void add_step(struct run_options *run, const struct argp_state *state) {
    run->steps = fh_cli_grow(state, run->steps, run->step_count, sizeof *run->steps);
    run->steps[run->step_count++] = (struct step){0};
}

static void add_scalar(struct fh_cli_job *job, const struct argp_state *state, const char *arg) {
    job->scalars = fh_cli_grow(state, job->scalars, job->scalar_count, sizeof *job->scalars);
    struct fh_cli_scalar *scalar = &job->scalars[job->scalar_count++];
    scalar->name = fh_cli_assignment_option(state, "--arg", arg, &scalar->text);
}

static bool is_hash(const char *expected) {
    return !strncmp(expected, "xxh3:", 5);
}

static void add_expectation(struct run_options *run, const struct argp_state *state,
                            const char *arg) {
    run->expectations =
        fh_cli_grow(state, run->expectations, run->expectation_count, sizeof *run->expectations);
    struct expectation *expectation = &run->expectations[run->expectation_count++];
    *expectation = (struct expectation){0};
    expectation->name = fh_cli_assignment_option(state, "--expect", arg, &expectation->value);
    const char *hex = expectation->value;
    if (is_hash(hex) && (strspn(hex + 5, "0123456789abcdefABCDEF") != 32 || strlen(hex) != 37))
        argp_error(state, "--expect %s: expected 32 hexadecimal digits after xxh3:", arg);
}

/* Which of several launches the messages are about from now on; SIZE_MAX: none. */
static void speak_of(const struct run_options *run, size_t step) {
    run->cli->launch = run->step_count > 1 && step < run->step_count ? (unsigned)step + 1 : 0;
}

static uint64_t thread_count(const struct step *step) {
    const uint32_t *block = step->job.block;
    return (uint64_t)block[0] * block[1] * block[2];
}

static void check_step(const struct run_options *run, size_t i, const struct argp_state *state) {
    const struct step *step = &run->steps[i];
    const uint32_t *block = step->job.block;
    char launch[32] = "the launch";
    if (run->step_count > 1)
        snprintf(launch, sizeof launch, "launch %zu", i + 1);
    if (!step->has_grid || !step->has_block)
        argp_error(state, "--grid and --block are needed: the shape of %s", launch);
    if (thread_count(step) > FH_CLI_MAX_THREADS)
        argp_error(state, "--block %u,%u,%u: %llu threads; a block has at most %d", block[0],
                   block[1], block[2], (unsigned long long)thread_count(step), FH_CLI_MAX_THREADS);
}

/* A log of a block or warp that no launch has would be empty. */
static void check_trace(const struct run_options *run, const struct argp_state *state) {
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
    if (run->trace.block >= 0 && (uint64_t)run->trace.block >= blocks)
        argp_error(state, "--trace-block %lld: the blocks are 0 to %llu",
                   (long long)run->trace.block, (unsigned long long)blocks - 1);
    if (run->trace.warp >= 0 && (uint64_t)run->trace.warp >= warps)
        argp_error(state, "--trace-warp %lld: the warps of a block are 0 to %llu",
                   (long long)run->trace.warp, (unsigned long long)warps - 1);
}

static void check_complete(struct run_options *run, const struct argp_state *state) {
    const struct step *first = run->steps;
    run->list = run->step_count == 1 && !first->has_grid && !first->has_block &&
                !first->job.kernel && !run->binding_count && !first->job.scalar_count;
    for (size_t i = 0; i < run->step_count && !run->list; i++)
        check_step(run, i, state);
    if (!run->list)
        check_trace(run, state);
}

static error_t parse_trace(int key, char *arg, struct argp_state *state, struct run_options *run) {
    switch (key) {
    case OPTION_TRACE:
        if (!fh_cli_trace_parse(arg, &run->trace))
            argp_error(state, "--trace=%s: expected a list of fetch, regs, mem", arg);
        return 0;
    case OPTION_TRACE_FILE: run->trace.path = arg; return 0;
    case OPTION_TRACE_WARP:
        run->trace.warp = (int64_t)fh_cli_number_option(state, "--trace-warp", arg, 0, 31);
        return 0;
    case OPTION_TRACE_BLOCK:
        run->trace.block = (int64_t)fh_cli_number_option(state, "--trace-block", arg, 0, INT64_MAX);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_variable(int key, char *arg, struct argp_state *state,
                              struct run_options *run) {
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
    default: return parse_trace(key, arg, state, run);
    }
}

/* The options of one launch: the last one so far. */
static error_t parse_step(int key, char *arg, struct argp_state *state, struct run_options *run) {
    struct step *step = &run->steps[run->step_count - 1];
    struct fh_cli_job *job = &step->job;
    switch (key) {
    case 'k': job->kernel = arg; return 0;
    case OPTION_GRID:
        if (!fh_cli_dimensions(arg, FH_CLI_MAX_GRID, job->grid))
            argp_error(state, "--grid %s: expected X[,Y[,Z]], each from 1 to %d", arg,
                       FH_CLI_MAX_GRID);
        step->has_grid = true;
        return 0;
    case OPTION_BLOCK:
        if (!fh_cli_dimensions(arg, FH_CLI_MAX_THREADS, job->block))
            argp_error(state, "--block %s: expected X[,Y[,Z]], each from 1 to %d", arg,
                       FH_CLI_MAX_THREADS);
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

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct run_options *run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->source;
        state->child_inputs[1] = &run->machine;
        state->child_inputs[2] = run->cli;
        add_step(run, state);
        return 0;
    case OPTION_IN: add_binding(run, state, key, "--in", arg); return 0;
    case OPTION_OUT: add_binding(run, state, key, "--out", arg); return 0;
    case OPTION_INOUT: add_binding(run, state, key, "--inout", arg); return 0;
    case OPTION_POINTERS: add_binding(run, state, key, "--pointers", arg); return 0;
    case OPTION_HASH:
        run->hash_names =
            fh_cli_grow(state, run->hash_names, run->hash_count, sizeof *run->hash_names);
        run->hash_names[run->hash_count++] = arg;
        return 0;
    case OPTION_EXPECT: add_expectation(run, state, arg); return 0;
    case ARGP_KEY_END: check_complete(run, state); return 0;
    default: return parse_step(key, arg, state, run);
    }
}

static const struct argp_child children[] = {{&fh_cli_source_argp, 0, NULL, 4},
                                             {&fh_cli_machine_argp, 0, NULL, 0},
                                             {&fh_cli_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

static fhec_status make_zeros(const struct run_options *run, struct fh_cli_data *data,
                              uint64_t bytes, struct fh_cli_data type) {
    size_t count = bytes / type.width;
    *data = type;
    data->count = data->shape[0] = count;
    data->dims = 1;
    data->bytes = calloc(count, type.width);
    return data->bytes ? FHEC_OK : fh_cli_no_memory(run->cli);
}

/* The addresses of --pointers: the buffers that they are in must have been made. */
static fhec_status make_pointers(struct run_options *run, const char *list,
                                 struct fh_cli_buffer *buffer) {
    size_t count = 1;
    for (const char *p = list; *p; p++)
        count += *p == ',';
    char *copy = strdup(list), *rest = copy;
    fhec_status status =
        copy ? make_zeros(run, &buffer->data, 8 * count, (struct fh_cli_data){.width = 8})
             : fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < count && status == FHEC_OK; i++)
        status = fh_cli_put_address(run->cli, &run->memory, strsep(&rest, ","),
                                    buffer->data.bytes + 8 * i);
    free(copy);
    return status;
}

static fhec_status make_buffer(struct run_options *run, const struct binding *binding,
                               struct fh_cli_buffer *buffer) {
    buffer->name = binding->name;
    buffer->read_only = binding->option == OPTION_IN || binding->option == OPTION_POINTERS;
    if (binding->option == OPTION_POINTERS)
        return FHEC_OK; /* when all the others are there */
    if (binding->option == OPTION_OUT)
        return make_zeros(run, &buffer->data, binding->bytes, binding->type);
    fhec_status status = fh_cli_data_read_any(run->cli, binding->path, 0, &buffer->data);
    if (status == FHEC_OK && buffer->data.count == 0)
        status = fh_cli_error(run->cli, FHEC_BAD_INPUT,
                              "%s has no elements; buffer %s needs at least one", binding->path,
                              binding->name);
    return status;
}

/* Reads the input files and makes zeros for the outputs; sets parts of buffers. */
static fhec_status make_buffers(struct run_options *run) {
    struct fh_cli_memory *memory = &run->memory;
    fhec_status status = FHEC_OK;
    memory->buffers = calloc(run->binding_count + 1, sizeof *memory->buffers);
    if (!memory->buffers)
        return fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < run->binding_count && status == FHEC_OK; i++)
        status = make_buffer(run, &run->bindings[i], &memory->buffers[memory->buffer_count++]);
    for (size_t i = 0; i < run->binding_count && status == FHEC_OK; i++)
        if (run->bindings[i].option == OPTION_POINTERS)
            status = make_pointers(run, run->bindings[i].path, &memory->buffers[i]);
    for (size_t i = 0; i < run->setting_count && status == FHEC_OK; i++)
        status = fh_cli_names_buffer(memory, run->settings[i].name)
                     ? fh_cli_set_buffer(run->cli, memory, &run->settings[i])
                     : fh_cli_note_address(run->cli, memory, run->settings[i].text);
    return status;
}

static const struct fh_cli_buffer *find_buffer(const struct run_options *run, const char *name) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name, strlen(name));
    for (size_t i = 0; i < run->memory.buffer_count; i++) {
        const struct fh_cli_buffer *buffer = &run->memory.buffers[i];
        if (!strcmp(buffer->name, name))
            return buffer;
        fh_nearest_try(&n, buffer->name, strlen(buffer->name));
    }
    fh_cli_error(run->cli, FHEC_BAD_INPUT, "no buffer is called \"%s\"%s", name,
                 fh_cli_hint(n.best).text);
    return NULL;
}

/* The names of --hash, --expect and --get, and the files of --expect, before anything runs. */
static fhec_status prepare_results(const struct run_options *run) {
    for (size_t i = 0; i < run->hash_count; i++)
        if (!find_buffer(run, run->hash_names[i]))
            return FHEC_BAD_INPUT;
    for (size_t i = 0; i < run->expectation_count; i++) {
        struct expectation *expectation = &run->expectations[i];
        const struct fh_cli_buffer *buffer = find_buffer(run, expectation->name);
        if (!buffer)
            return FHEC_BAD_INPUT;
        if (is_hash(expectation->value))
            continue;
        fhec_status status = fh_cli_data_read_any(run->cli, expectation->value, buffer->data.width,
                                                  &expectation->want);
        if (status != FHEC_OK)
            return status;
    }
    for (size_t i = 0; i < run->shown_count; i++) {
        fhec_status status = fh_cli_check_variable(run->cli, run->program, run->shown[i]);
        if (status != FHEC_OK)
            return status;
    }
    return FHEC_OK;
}

static bool is_output(const struct binding *binding) {
    return (binding->option == OPTION_OUT || binding->option == OPTION_INOUT) && binding->path;
}

/* The files of --out, --inout, --get and --trace-file. */
static fhec_status add_outputs(struct run_options *run) {
    struct fh_cli_outputs *outputs = &run->outputs;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < run->binding_count && status == FHEC_OK; i++)
        if (is_output(&run->bindings[i]))
            status = fh_cli_output_add(run->cli, outputs, run->bindings[i].path);
    for (size_t i = 0; i < run->shown_count && status == FHEC_OK; i++) {
        const char *equals = strchr(run->shown[i], '=');
        if (equals)
            status = fh_cli_output_add(run->cli, outputs, equals + 1);
    }
    if (status == FHEC_OK && run->trace.path)
        status = fh_cli_output_add(run->cli, outputs, run->trace.path);
    return status == FHEC_OK ? fh_cli_source_spare(run->cli, &run->source, outputs) : status;
}

/* The same, but for the trace, which goes there as it comes. */
static fhec_status write_outputs(struct run_options *run, fhec_machine *machine) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < run->binding_count && status == FHEC_OK; i++)
        if (is_output(&run->bindings[i]))
            status = fh_cli_data_write(run->cli, &run->outputs, run->bindings[i].path,
                                       &run->memory.buffers[i].data);
    for (size_t i = 0; i < run->shown_count && status == FHEC_OK; i++)
        if (strchr(run->shown[i], '='))
            status =
                fh_cli_get_variable(run->cli, run->program, machine, run->shown[i], &run->outputs);
    return status;
}

static fhec_status expect(const struct run_options *run, const struct expectation *expectation) {
    const struct fh_cli_buffer *buffer = find_buffer(run, expectation->name);
    if (is_hash(expectation->value)) {
        char hex[FH_GOLDEN_HASH_CHARS];
        fh_golden_hash_bytes(buffer->data.bytes, buffer->data.count * buffer->data.width, hex);
        if (!strcasecmp(hex, expectation->value + 5))
            return FHEC_OK;
        fh_cli_error(run->cli, FHEC_DIFFERS, "%s has the hash %s; expected %s", buffer->name, hex,
                     expectation->value + 5);
        return FHEC_DIFFERS;
    }
    /* The same bytes are compared as what the file says that they are. */
    const struct fh_cli_data *want = &expectation->want;
    struct fh_cli_data got = buffer->data;
    if (got.count * got.width == want->count * want->width) {
        got.count = want->count;
        got.width = want->width;
    }
    return fh_cli_compare(run->cli, buffer->name, &got, want);
}

static fhec_status report(const struct run_options *run, fhec_machine *machine, double seconds) {
    struct fh_cli_hash *hashes = calloc(run->hash_count + 1, sizeof *hashes);
    if (!hashes)
        return fh_cli_no_memory(run->cli);
    for (size_t i = 0; i < run->hash_count; i++) {
        const struct fh_cli_buffer *buffer = find_buffer(run, run->hash_names[i]);
        hashes[i].name = buffer->name;
        fh_golden_hash_bytes(buffer->data.bytes, buffer->data.count * buffer->data.width,
                             hashes[i].hex);
    }
    fhec_status status =
        fh_cli_report(run->cli, &run->machine, machine, seconds, hashes, run->hash_count);
    free(hashes);
    return status;
}

/* Everything that can be checked before there is a machine. */
static fhec_status prepare(struct run_options *run) {
    fhec_status status = add_outputs(run);
    if (status == FHEC_OK)
        status = make_buffers(run);
    if (status == FHEC_OK)
        status = prepare_results(run);
    for (size_t i = 0; i < run->step_count && status == FHEC_OK; i++) {
        struct fh_cli_job *job = &run->steps[i].job;
        job->program = run->program;
        job->memory = &run->memory;
        job->max_steps = run->machine.max_steps;
        speak_of(run, i);
        status = fh_cli_job_prepare(run->cli, job);
        if (status == FHEC_OK)
            status = fh_cli_check_kernel(run->cli, job, run->trap_unsupported);
    }
    speak_of(run, SIZE_MAX);
    return status == FHEC_OK ? fh_cli_job_check_buffers(run->cli, &run->steps[0].job) : status;
}

/* After a fault: a stack whose need nobody knows may have been too small. */
static void say_stack(const struct run_options *run, const struct fh_cli_job *job,
                      const fhec_machine *machine) {
    const fhec_fault *fault = fhec_machine_fault(machine);
    if (fault->kind == FHEC_FAULT_OUT_OF_BOUNDS && job->info.stack_unknown && fault->space &&
        !strcmp(fault->space, "local"))
        fh_cli_note(run->cli, "how much stack kernel %s needs is not known; --stack gives it more",
                    job->info.name);
}

/* Memory, variables, launches, and the memory back. */
static fhec_status launch_all(struct run_options *run, fhec_machine *machine) {
    fhec_status status = fh_cli_memory_place(&run->memory, machine);
    if (status != FHEC_OK)
        return fh_cli_machine_error(run->cli, machine, status);
    for (size_t i = 0; i < run->setting_count && status == FHEC_OK; i++)
        if (!fh_cli_names_buffer(&run->memory, run->settings[i].name))
            status = fh_cli_set_variable(run->cli, run->program, machine, &run->memory,
                                         &run->settings[i]);
    if (status != FHEC_OK)
        return status;
    const struct fh_cli_job *last = NULL;
    for (size_t i = 0; i < run->step_count && status == FHEC_OK; i++) {
        last = &run->steps[i].job;
        speak_of(run, i);
        memcpy(run->trace.grid, last->grid, sizeof run->trace.grid);
        status = fh_cli_job_launch(run->cli, &run->steps[i].job, machine);
    }
    if (status == FHEC_OK)
        status = fh_cli_memory_collect(&run->memory, machine);
    if (status != FHEC_OK)
        status = fh_cli_machine_error(run->cli, machine, status);
    if (status == FHEC_GUEST_FAULT)
        say_stack(run, last, machine);
    speak_of(run, SIZE_MAX);
    return status;
}

static fhec_status run_program(struct run_options *run) {
    fhec_machine *machine = NULL;
    fhec_status status = prepare(run);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(run->cli, &run->machine, &machine);
    if (status == FHEC_OK)
        status = fh_cli_trace_open(run->cli, &run->trace, machine);
    if (status == FHEC_OK) {
        double started = fh_cli_now();
        status = launch_all(run, machine);
        double seconds = fh_cli_now() - started;
        fhec_status closed = fh_cli_trace_close(run->cli, &run->trace, machine);
        if (status == FHEC_OK)
            status = closed;
        if (status == FHEC_OK)
            status = write_outputs(run, machine);
        if (status == FHEC_OK)
            status = report(run, machine, seconds);
        for (size_t i = 0; i < run->shown_count && status == FHEC_OK; i++)
            if (!strchr(run->shown[i], '='))
                status = fh_cli_get_variable(run->cli, run->program, machine, run->shown[i], NULL);
    }
    for (size_t i = 0; i < run->expectation_count && status <= FHEC_DIFFERS; i++) {
        fhec_status compared = expect(run, &run->expectations[i]);
        status = compared > status ? compared : status;
    }
    fhec_machine_free(machine);
    if (status <= FHEC_DIFFERS) {
        fhec_status committed = fh_cli_output_commit(run->cli, &run->outputs);
        status = committed == FHEC_OK ? status : committed;
    }
    return status;
}

static void free_options(struct run_options *run) {
    for (size_t i = 0; i < run->step_count; i++) {
        struct fh_cli_job *job = &run->steps[i].job;
        for (size_t k = 0; k < job->scalar_count; k++)
            free((char *)job->scalars[k].name);
        free(job->scalars);
        fh_cli_job_free(job);
    }
    fh_cli_output_discard(&run->outputs);
    fh_cli_memory_free(&run->memory);
    for (size_t i = 0; i < run->binding_count; i++) {
        free(run->bindings[i].name);
        free(run->bindings[i].path);
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
    free(run->memory.buffers);
    free(run->hash_names);
    fh_cli_source_free(&run->source);
}

fhec_status fh_cli_run(struct fh_cli *cli, int argc, char **argv) {
    struct run_options run = {.cli = cli, .trace = {.warp = -1, .block = -1}};
    fh_cli_parse(cli, &argp, argc, argv, &run);
    fhec_status status = fh_cli_load(cli, &run.source, &run.program);
    if (status == FHEC_OK && run.list)
        fh_cli_list(run.program);
    else if (status == FHEC_OK)
        status = run_program(&run);
    free_options(&run);
    fhec_program_free(run.program);
    return status;
}
