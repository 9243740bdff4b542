/*
 * cuda_options.c - see cuda_options.h.
 */
#include "cuda_options.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

enum {
    OPTION_KERNELS = 0x3600,
    OPTION_REPLACE,
    OPTION_REPORT,
    OPTION_PLAIN,
    OPTION_EACH,
    OPTION_RANGES,
    OPTION_RECORD,
    OPTION_RECORD_KERNEL,
    OPTION_DEBUG
};

static const struct argp_option own_options[] = {
    {"kernels", OPTION_KERNELS, NULL, 0,
     "Tell at the end which kernels were launched, how often, their instructions and time", 1},
    {"launches", OPTION_EACH, NULL, 0,
     "The same of each launch, and of each range if there are any", 1},
    {"ranges", OPTION_RANGES, NULL, 0,
     "The same of each range that the program names by NVTX's push and pop, nested", 1},
    {"replace", OPTION_REPLACE, "KERNEL=FILE[:NAME]", 0,
     "Launch the kernel of FILE, a source or an object, in the place of the program's; NAME if it "
     "has several",
     1},
    {"plain", OPTION_PLAIN, NULL, 0,
     "Calls of fhec.cuh's functions compute in plain CUDA, instead of becoming FHE instructions",
     1},
    {"report", OPTION_REPORT, "FILE", 0,
     "What is told at the end goes there (default: stderr), and every ten seconds what there is",
     1},
    {"record", OPTION_RECORD, "DIR", 0,
     "Write launches, 1000 at most, as scripts that `fhec run --script` and `fhec test` repeat", 1},
    {"record-kernel", OPTION_RECORD_KERNEL, "KERNEL[:N]", 0,
     "Record launches of this kernel only, or only its N-th", 1},
    {"debug", OPTION_DEBUG, "KERNEL[:N]", OPTION_ARG_OPTIONAL,
     "Look at the first launch, or the N-th of a kernel, in the debugger", 1},
    {0},
};

static void add_replacement(struct argp_state *state, const char *arg,
                            struct fh_cli_cuda_options *o) {
    const char *file;
    o->replacements =
        fh_cli_grow(state, o->replacements, o->replacement_count, sizeof *o->replacements);
    struct fh_cli_cuda_replacement *r = &o->replacements[o->replacement_count++];
    *r = (struct fh_cli_cuda_replacement){0};
    r->kernel = fh_cli_assignment_option(state, "--replace", arg, &file);
    r->path = strdup(file);
    if (!r->path)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    char *colon = r->path ? strrchr(r->path, ':') : NULL;
    if (colon && !strchr(colon, '/')) {
        *colon = '\0';
        r->name = colon + 1;
    }
}

/* "KERNEL" or "KERNEL:N"; the number is 0 if there is none. */
static void choose_launch(struct argp_state *state, const char *arg, char **kernel,
                          uint64_t *number) {
    free(*kernel);
    *kernel = strdup(arg);
    if (!*kernel)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    char *colon = *kernel ? strrchr(*kernel, ':') : NULL;
    *number = 0;
    if (colon && fh_cli_number(colon + 1, number))
        *colon = '\0';
}

static void choose_debugged(struct argp_state *state, const char *arg,
                            struct fh_cli_cuda_options *o) {
    o->debug = true;
    if (arg)
        choose_launch(state, arg, &o->debug_kernel, &o->debug_number);
    if (!o->debug_number)
        o->debug_number = 1;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct fh_cli_cuda_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->check;
        state->child_inputs[2] = &o->profile;
        state->child_inputs[3] = &o->trace;
        state->child_inputs[4] = &o->time;
        return 0;
    case OPTION_KERNELS: o->kernels = true; return 0;
    case OPTION_EACH: o->each = true; return 0;
    case OPTION_RANGES: o->ranges = true; return 0;
    case OPTION_REPLACE: add_replacement(state, arg, o); return 0;
    case OPTION_REPORT: o->report = arg; return 0;
    case OPTION_PLAIN: o->plain = true; return 0;
    case OPTION_RECORD: o->record = arg; return 0;
    case OPTION_RECORD_KERNEL:
        choose_launch(state, arg, &o->record_kernel, &o->record_number);
        return 0;
    case OPTION_DEBUG: choose_debugged(state, arg, o); return 0;
    case ARGP_KEY_END:
        if (o->record_kernel && !o->record)
            argp_error(state, "--record-kernel: --record DIR says where to");
        if ((o->record || o->debug) && o->check.wanted)
            argp_error(state, "--record and --debug read all of memory, which --check would take "
                              "for the program's; recorded launches can be checked");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_machine_argp, 0, "The machine:", 2}, {&fh_cli_check_argp, 0, "Checks:", 3},
    {&fh_cli_profile_argp, 0, "Profile:", 4},     {&fh_cli_trace_run_argp, 0, "Trace:", 5},
    {&fh_cli_time_run_argp, 0, "Time:", 6},       {0},
};
const struct argp fh_cli_cuda_argp = {own_options, parse, NULL, NULL, children, NULL, NULL};

void fh_cli_cuda_options_free(struct fh_cli_cuda_options *o) {
    for (size_t i = 0; i < o->replacement_count; i++) {
        free((char *)(uintptr_t)o->replacements[i].kernel);
        free(o->replacements[i].path);
    }
    free(o->replacements);
    free(o->record_kernel);
    free(o->debug_kernel);
    fh_cli_check_options_free(&o->check);
    fh_cli_trace_options_free(&o->trace);
    fh_cli_time_options_free(&o->time.options);
}
