/*
 * time_measure.c - see time_measure.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "runner.h"
#include "time_measure.h"
#include "time_report.h"
#include "time_result.h"
#include "time_run.h"

static const char doc[] =
    "Runs a kernel and tells how long it takes on a machine, cycle by cycle for one of its SMs, "
    "and why it does not take less."
    "\vThe other options are those of `fhec run`. Machines are described in text files "
    "(docs/machines.md); what is simulated, and what is not, is in docs/timing.md. Exit status: 1 "
    "if --cycles is not met.";

enum { OPTION_STEPS = 0x3400, OPTION_EXPERIMENT, OPTION_FROM };

static const struct argp_option options[] = {
    {"steps", OPTION_STEPS, "A,B", 0,
     "Run with STEPS=A and with STEPS=B, and tell the cycles of a step: their difference by B - A",
     21},
    {"experiment", OPTION_EXPERIMENT, "FILE", 0,
     "Comes first, and files behind it: run each line of them as the arguments of `fhec time`", 21},
    {"from", OPTION_FROM, "DIR", 0,
     "Comes first: time the traces for Accel-Sim in DIR, in the place of FILE", 21},
    {0},
};

/* One run, or one of two. */
struct timed {
    struct fh_cli_run_options run;
    struct fh_cli_time_options time;
    struct fh_cli_time_result result;
    uint64_t steps[2]; /* both 0: not asked for */
    struct fh_timer *timer;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct timed *t = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &t->run;
        state->child_inputs[1] = &t->time;
        state->child_inputs[2] = &t->result;
        return 0;
    case OPTION_STEPS: fh_cli_pair_option(state, "--steps", arg, 1000000, t->steps); return 0;
    case OPTION_EXPERIMENT: argp_error(state, "--experiment comes first, without ="); return 0;
    case OPTION_FROM: argp_error(state, "--from comes first"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_run_argp, 0, NULL, 0},
                                             {&fh_cli_time_argp, 0, NULL, 0},
                                             {&fh_cli_time_result_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- one run */

static void timed_free(struct timed *t) {
    fh_timer_free(t->timer);
    fh_cli_time_result_free(&t->result);
    fh_cli_time_options_free(&t->time);
    fh_cli_run_options_free(&t->run);
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
    if (t->timer)
        fh_cli_time_result_keep(&t->result, t->timer);
    if (status == FHEC_OK && fh_timer_attach(t->timer, machine) != FHEC_OK)
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = fh_cli_runner_launch(runner, machine);
    if (t->timer)
        fh_timer_detach(t->timer);
    if (status == FHEC_OK && fh_timer_failed(t->timer))
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s", fh_timer_failed(t->timer));
    if (status == FHEC_OK)
        status = fh_cli_time_result_write(cli, &t->result, t->timer);
    fhec_machine_free(machine);
    fh_cli_runner_close(runner);
    return status;
}

/* With STEPS=`steps`, if that is not NULL. To be freed in any case. */
static fhec_status parse_and_run(struct fh_cli *cli, int argc, char **argv, const char *steps,
                                 struct timed *t) {
    char **args = calloc((size_t)argc + 3, sizeof *args);
    static char define[] = "--define";
    *t = (struct timed){.run = {.cli = cli}, .result.expected = -1};
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
    *expected = t.result.expected;
    if (status == FHEC_OK && t.steps[1]) {
        status = run_steps(cli, argc, argv, &t, cycles);
        if (status == FHEC_OK && !quiet)
            printf(t.result.format == 1 ? "{\"cycles_per_step\": %.10g}\n"
                                        : "%.10g cycles a step\n",
                   *cycles);
    } else if (status == FHEC_OK) {
        *cycles = (double)cycles_of(&t);
        status = quiet ? status : fh_cli_times_print(cli, t.timer, t.result.format, stdout);
    }
    timed_free(&t);
    return status == FHEC_OK ? fh_cli_time_result_check(cli, *expected, *cycles) : status;
}
