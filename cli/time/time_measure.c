/*
 * time_measure.c - see time_measure.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "output.h"
#include "roofline.h"
#include "runner.h"
#include "time_measure.h"
#include "time_report.h"
#include "time_run.h"

static const char doc[] =
    "Runs a kernel and tells how long it takes on a machine, cycle by cycle for one of its SMs, "
    "and why it does not take less."
    "\vThe other options are those of `fhec run`. Machines are described in text files "
    "(docs/machines.md); what is simulated, and what is not, is in docs/timing.md. Exit status: 1 "
    "if --cycles is not met.";

enum {
    OPTION_FORMAT = 0x3400,
    OPTION_TIMELINE,
    OPTION_WINDOW,
    OPTION_ROOFLINE,
    OPTION_STEPS,
    OPTION_CYCLES,
    OPTION_EXPERIMENT
};

static const struct argp_option options[] = {
    {"format", OPTION_FORMAT, "FORM", 0, "text (default), json or callgrind", 20},
    {"timeline", OPTION_TIMELINE, "FILE", 0,
     "What the SM issued when: events for a trace viewer (.json), or a drawing (.svg)", 21},
    {"timeline-cycles", OPTION_WINDOW, "A,B", 0,
     "Only from cycle A to before B (default: all of them, in a drawing the first 2000)", 21},
    {"roofline", OPTION_ROOFLINE, "FILE", 0,
     "A drawing (.svg) of the kernels under what the machine issues, and moves through L1, L2 and "
     "HBM, at most",
     21},
    {"steps", OPTION_STEPS, "A,B", 0,
     "Run with STEPS=A and with STEPS=B, and tell the cycles of a step: their difference by B - A",
     21},
    {"cycles", OPTION_CYCLES, "CYCLES", 0, "It is an error if there are more cycles, or fewer", 21},
    {"experiment", OPTION_EXPERIMENT, "FILE", 0,
     "Comes first, and files behind it: run each line of them as the arguments of `fhec time`", 21},
    {0},
};

/* One run, or one of two. */
struct timed {
    struct fh_cli_run_options run;
    struct fh_cli_time_options time;
    size_t format;
    uint64_t steps[2];    /* both 0: not asked for */
    double expected;      /* negative: nothing is */
    const char *timeline; /* the file; NULL: none is wanted */
    uint64_t window[2];   /* both 0: not asked for */
    const char *roofline; /* the file; NULL: none is wanted */
    struct fh_issue_log kept;
    struct fh_timer *timer;
};

static void parse_pair(const struct argp_state *state, const char *option, const char *arg,
                       uint64_t most, uint64_t steps[2]) {
    size_t count;
    uint64_t *list = fh_cli_list_option(state, option, arg, 0, most, &count);
    if (count != 2 || list[0] >= list[1])
        argp_error(state, "%s %s: expected two numbers, the smaller one first", option, arg);
    memcpy(steps, list, 2 * sizeof *list);
    free(list);
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), more = strlen(end);
    return length > more && strcmp(text + length - more, end) == 0;
}

static double parse_expected(const struct argp_state *state, const char *arg) {
    char *end;
    const double value = strtod(arg, &end);
    if (end == arg || *end || !(value >= 0 && value < 1e15))
        argp_error(state, "--cycles: expected a number of cycles, not \"%s\"", arg);
    return value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "callgrind", NULL};
    struct timed *t = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &t->run;
        state->child_inputs[1] = &t->time;
        return 0;
    case OPTION_FORMAT: t->format = fh_cli_choice_option(state, "--format", arg, formats); return 0;
    case OPTION_TIMELINE:
        if (!ends_with(arg, ".json") && !ends_with(arg, ".svg"))
            argp_error(state, "--timeline %s: expected a file .json or .svg", arg);
        t->timeline = arg;
        return 0;
    case OPTION_WINDOW:
        parse_pair(state, "--timeline-cycles", arg, UINT64_C(1) << 60, t->window);
        return 0;
    case OPTION_ROOFLINE:
        if (!ends_with(arg, ".svg"))
            argp_error(state, "--roofline %s: expected a file .svg", arg);
        t->roofline = arg;
        return 0;
    case OPTION_STEPS: parse_pair(state, "--steps", arg, 1000000, t->steps); return 0;
    case OPTION_CYCLES: t->expected = parse_expected(state, arg); return 0;
    case OPTION_EXPERIMENT: argp_error(state, "--experiment comes first, without =");
    /* fallthrough */
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_run_argp, 0, NULL, 0}, {&fh_cli_time_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- one run */

static void timed_free(struct timed *t) {
    fh_timer_free(t->timer);
    fh_issue_log_free(&t->kept);
    fh_cli_time_options_free(&t->time);
    fh_cli_run_options_free(&t->run);
}

static void keep_timeline(struct timed *t) {
    enum { MOST = 1000000, DRAWN = 2000 };
    const bool drawing = ends_with(t->timeline, ".svg");
    t->kept = (struct fh_issue_log){.to = drawing ? DRAWN : UINT64_MAX, .most = MOST};
    if (t->window[1]) {
        t->kept.from = t->window[0];
        t->kept.to = t->window[1];
    }
    fh_timer_keep(t->timer, &t->kept);
}

/* The bytes, which it frees, become the file, if `fine`. */
static fhec_status write_file(struct fh_cli *cli, const char *path, struct fh_trace_bytes *bytes,
                              bool fine) {
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_status status = fine ? fh_cli_output_add(cli, &outputs, path) : fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = fh_cli_output_write(cli, &outputs, path, bytes->bytes, bytes->count);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(cli, &outputs);
    else
        fh_cli_output_discard(&outputs);
    fh_trace_bytes_free(bytes);
    return status;
}

static fhec_status write_roofline(struct fh_cli *cli, struct timed *t) {
    struct fh_trace_bytes bytes = {0};
    const bool fine = fh_roofline_svg(&bytes, t->timer);
    return write_file(cli, t->roofline, &bytes, fine);
}

static fhec_status write_timeline(struct fh_cli *cli, struct timed *t) {
    struct fh_trace_bytes bytes = {0};
    const struct fh_time_machine *machine = fh_timer_machine(t->timer);
    const bool fine = ends_with(t->timeline, ".svg") ? fh_issue_log_svg(&bytes, &t->kept, machine)
                                                     : fh_issue_log_json(&bytes, &t->kept, machine);
    if (t->kept.left)
        fh_cli_note(cli, "--timeline: %zu instructions are left out; --timeline-cycles chooses",
                    t->kept.left);
    return write_file(cli, t->timeline, &bytes, fine);
}

static fhec_status run_timed(struct fh_cli *cli, struct timed *t) {
    struct fh_cli_runner *runner = NULL;
    fhec_machine *machine = NULL;
    fhec_status status = fh_cli_timer_new(cli, &t->time, &t->timer);
    if (status == FHEC_OK)
        status = fh_cli_runner_open_unwatched(cli, &t->run, &runner);
    if (status == FHEC_OK) {
        t->run.machine.options.order = fh_timer_order(t->timer);
        status = fh_cli_machine_new(cli, &t->run.machine, &machine);
    }
    if (t->timeline && t->timer)
        keep_timeline(t);
    if (status == FHEC_OK && fh_timer_attach(t->timer, machine) != FHEC_OK)
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = fh_cli_runner_launch(runner, machine);
    if (t->timer)
        fh_timer_detach(t->timer);
    if (status == FHEC_OK && fh_timer_failed(t->timer))
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s", fh_timer_failed(t->timer));
    if (status == FHEC_OK && t->timeline)
        status = write_timeline(cli, t);
    if (status == FHEC_OK && t->roofline)
        status = write_roofline(cli, t);
    fhec_machine_free(machine);
    fh_cli_runner_close(runner);
    return status;
}

/* With STEPS=`steps`, if that is not NULL. To be freed in any case. */
static fhec_status parse_and_run(struct fh_cli *cli, int argc, char **argv, const char *steps,
                                 struct timed *t) {
    char **args = calloc((size_t)argc + 3, sizeof *args);
    static char define[] = "--define";
    *t = (struct timed){.run = {.cli = cli}, .expected = -1};
    if (!args)
        return fh_cli_no_memory(cli);
    memcpy(args, argv, (size_t)argc * sizeof *args);
    if (steps) {
        args[argc++] = define;
        args[argc++] = (char *)steps;
    }
    fh_cli_parse(cli, &argp, argc, args, t);
    const bool first = !steps && t->steps[1];
    const fhec_status status = first ? FHEC_OK : run_timed(cli, t);
    free(args);
    return status;
}

/* ---------------------------------------------------------------- results */

static uint64_t cycles_of(const struct timed *t) {
    struct fh_time_total total;
    fh_time_total(t->timer, &total);
    return total.cycles;
}

/* Cycles of a step, from two runs. */
static fhec_status run_steps(struct fh_cli *cli, int argc, char **argv, const struct timed *t,
                             double *cycles) {
    uint64_t took[2] = {0};
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; i < 2 && status == FHEC_OK; i++) {
        char define[40];
        struct timed one;
        snprintf(define, sizeof define, "STEPS=%llu", (unsigned long long)t->steps[i]);
        status = parse_and_run(cli, argc, argv, define, &one);
        if (status == FHEC_OK)
            took[i] = cycles_of(&one);
        timed_free(&one);
    }
    *cycles = ((double)took[1] - (double)took[0]) / (double)(t->steps[1] - t->steps[0]);
    return status;
}

fhec_status fh_cli_time_measure(struct fh_cli *cli, int argc, char **argv, bool quiet,
                                double *cycles, double *expected) {
    struct timed t;
    fhec_status status = parse_and_run(cli, argc, argv, NULL, &t);
    *expected = t.expected;
    if (status == FHEC_OK && t.steps[1]) {
        status = run_steps(cli, argc, argv, &t, cycles);
        if (status == FHEC_OK && !quiet)
            printf(t.format == 1 ? "{\"cycles_per_step\": %.10g}\n" : "%.10g cycles a step\n",
                   *cycles);
    } else if (status == FHEC_OK) {
        *cycles = (double)cycles_of(&t);
        status = quiet ? status : fh_cli_times_print(cli, t.timer, t.format, stdout);
    }
    timed_free(&t);
    if (status == FHEC_OK && *expected >= 0 && fabs(*cycles - *expected) > 1e-9 * *expected)
        status =
            fh_cli_error(cli, FHEC_DIFFERS, "%.10g cycles; expected %.10g", *cycles, *expected);
    return status;
}
