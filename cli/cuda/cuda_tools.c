/*
 * cuda_tools.c - the tool in the process of a CUDA program: its options for the machine, checks,
 * trace and profile at work, kernels replaced, and what is told at the end. It stands in the
 * library of the emulated device (cuda/core), which knows it as struct fh_cuda_tools only.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_run.h"
#include "cuda_debug.h"
#include "cuda_device.h"
#include "cuda_options.h"
#include "cuda_record.h"
#include "cuda_replace.h"
#include "cuda_report.h"
#include "message.h"
#include "options.h"
#include "seconds.h"
#include "shell_words.h"
#include "trace.h"

static struct {
    struct fh_cli cli;
    char **words, **argv; /* which options point into */
    struct fh_cli_cuda_options options;
    struct fh_cli_check *check;
    struct fh_cli_profile *profile;
    struct fh_cli_trace *trace;
    struct fh_timer *timer;
    struct fh_cli_cuda_report report;
    struct fh_cli_cuda_replacements replaced;
    struct fh_cli_cuda_record record;
    struct fh_cli_cuda_debug debug;
    double started; /* of the launch under way */
} tools = {.cli = {.command = "fhec cuda"}};

/* For `fhec cuda`, which waits for the end of the process. */
static void tell_fault(void) {
    const char *number = getenv(FH_CLI_CUDA_FAULTS);
    if (number && *number)
        (void)!write(atoi(number), "!", 1);
}

static void end_badly(fhec_status status) {
    if (status != FHEC_OK)
        _exit((int)status); /* the program has not begun, or its results cannot be kept */
}

static void read_options(void) {
    static char name[] = "fhec cuda";
    const char *text = getenv(FH_CLI_CUDA_OPTIONS);
    size_t count;
    tools.words = fh_cli_words_split(text ? text : "", &count);
    tools.argv = tools.words ? calloc(count + 2, sizeof *tools.argv) : NULL;
    if (!tools.argv)
        end_badly(fh_cli_error(&tools.cli, FHEC_BAD_INPUT, "%s: a quote is not closed",
                               FH_CLI_CUDA_OPTIONS));
    tools.argv[0] = name;
    memcpy(tools.argv + 1, tools.words, count * sizeof *tools.words);
    fh_cli_parse(&tools.cli, &fh_cli_cuda_argp, (int)count + 1, tools.argv, &tools.options);
}

static void give_options(void *user, fhec_machine_options *options) {
    (void)user;
    *options = tools.options.machine.options;
    if (tools.options.machine.seeded)
        fh_cli_machine_seed(options, tools.options.machine.seed);
    if (tools.timer) /* of the device before a reset */
        options->order = fh_timer_order(tools.timer);
    else
        end_badly(fh_cli_timing_open(&tools.cli, &tools.options.time, options, &tools.timer));
}

static void begin(void *user, fhec_machine *machine) {
    (void)user;
    const struct fh_cli_cuda_options *o = &tools.options;
    fhec_status status = fh_cli_check_open(&tools.cli, &o->check, machine, &tools.check);
    if (status == FHEC_OK)
        status = fh_cli_trace_open(&tools.cli, &o->trace, machine, &tools.trace);
    if (status == FHEC_OK && !tools.profile)
        status = fh_cli_profile_open(&tools.cli, &o->profile, &tools.profile);
    if (status == FHEC_OK)
        status = fh_cli_profile_attach(tools.profile, machine);
    if (status == FHEC_OK)
        status = fh_cli_timing_attach(&tools.cli, tools.timer, machine);
    end_badly(status);
    tools.report.machine = machine;
    tools.record.machine = machine;
    tools.record.cli = &tools.cli;
    tools.record.options = o;
    fh_cli_cuda_debug_begin(&tools.debug, &tools.cli, o, machine);
    fhec_machine_count(machine, fh_cli_cuda_reports(o));
}

static void know_module(void *user, const fhec_program *program, const uint8_t *image,
                        size_t length) {
    (void)user;
    fh_cli_profile_know(tools.profile, program);
    fh_cli_cuda_record_module(&tools.record, program, image, length);
    fh_cli_cuda_record_module(&tools.debug.record, program, image, length);
}

static void before(void *user, fhec_launch *launch) {
    (void)user;
    if (launch->max_steps == 0)
        launch->max_steps = tools.options.machine.max_steps;
    fh_cli_cuda_replace(&tools.replaced, launch);
    fh_cli_cuda_record_before(&tools.record, launch);
    fh_cli_cuda_debug_before(&tools.debug, launch);
    fh_cli_cuda_report_begin(&tools.report, launch);
    tools.started = fh_cli_now();
}

static void after(void *user, const fhec_launch *launch, fhec_status status) {
    (void)user;
    fh_cli_cuda_report_end(&tools.report, launch, fh_cli_now() - tools.started);
    fh_cli_cuda_record_after(&tools.record, launch, status);
    fh_cli_cuda_debug_after(&tools.debug, launch, status);
    if (status == FHEC_GUEST_FAULT)
        tell_fault();
}

static void end(void *user, fhec_machine *machine) {
    (void)user, (void)machine;
    fhec_status status = fh_cli_trace_close(&tools.cli, tools.trace, true);
    fhec_status checked = fh_cli_check_close(tools.check, NULL, FHEC_OK);
    fh_cli_profile_detach(tools.profile);
    if (tools.timer)
        fh_timer_detach(tools.timer);
    tools.trace = NULL;
    tools.check = NULL;
    if (status != FHEC_OK || checked != FHEC_OK)
        tell_fault();
}

/* To the file of --report, or stderr. */
static void report(void) {
    const char *path = tools.options.report;
    FILE *to = path ? fopen(path, "we") : stderr;
    if (!to) {
        (void)fh_cli_error(&tools.cli, FHEC_HOST_ERROR, "cannot write %s: %s", path,
                           strerror(errno));
        return;
    }
    (void)fh_cli_cuda_report_print(&tools.cli, &tools.options, &tools.report, to);
    (void)fh_cli_timing_close(&tools.cli, &tools.options.time, tools.timer, to, FHEC_OK);
    if (to != stderr && fclose(to) != 0)
        (void)fh_cli_error(&tools.cli, FHEC_HOST_ERROR, "cannot write %s: %s", path,
                           strerror(errno));
}

/* When the process ends: after the device's own end, which is called by then or never. */
__attribute__((destructor(102))) static void finish(void) {
    if (tools.profile)
        (void)fh_cli_profile_close(tools.profile, FHEC_OK);
    tools.profile = NULL;
    fh_cli_cuda_replacements_end(&tools.replaced);
    fh_cli_cuda_debug_end(&tools.debug);
    report();
}

__attribute__((constructor)) static void start(void) {
    read_options();
    tools.cli.terminal = isatty(STDERR_FILENO);
    fh_cli_cuda_replacements_begin(&tools.replaced, &tools.cli, &tools.options);
    fh_cuda_set_tools(&(fh_cuda_tools){.plain = tools.options.plain,
                                       .options = give_options,
                                       .begin = begin,
                                       .module = know_module,
                                       .before = before,
                                       .after = after,
                                       .end = end});
}
