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
#include <time.h>
#include <unistd.h>

#include "check_run.h"
#include "cuda_debug.h"
#include "cuda_device.h"
#include "cuda_options.h"
#include "cuda_record.h"
#include "cuda_replace.h"
#include "cuda_report.h"
#include "cuda_reporter.h"
#include "message.h"
#include "options.h"
#include "range.h"
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
    fhec_machine *machine;
    struct fh_cli_cuda_tally *tally;
    struct fh_cli_cuda_tally *shared; /* with `fhec cuda`; another process's if it is not `tally` */
    pid_t process;                    /* not one that the program has forked */
    atomic_bool telling;              /* the process tells all that there is at its own end */
    double written;                   /* when the report was, by fh_cli_now */
    size_t found;                     /* findings that the tally has */
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

static void report_afterwards(void);

/* Without a reporter `fhec cuda` tells what the tally has, and that the rest is lost. */
static void start_reporter(void) {
    if (!fh_cli_cuda_tells(&tools.options) || fh_cli_cuda_reporter_runs())
        return;
    (void)fh_cli_cuda_reporter_start(tools.shared, report_afterwards);
}

static void begin(void *user, fhec_machine *machine) {
    (void)user;
    const struct fh_cli_cuda_options *o = &tools.options;
    if (tools.process == getpid())
        start_reporter();
    tools.tally->begun = true;
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
    tools.machine = machine;
    fh_cli_cuda_replacements_attach(&tools.replaced, machine);
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
    fhec_machine_clear_stats(tools.machine);
    tools.started = fh_cli_now();
}

/* Of one range, and how often it was entered. The number of the range around it. */
static uint32_t tell_range(uint32_t range) {
    const fh_cuda_named_range r = fh_cuda_range_get(range);
    fh_cli_cuda_tally_range(tools.tally, range, r.parent, r.domain, r.name, r.entered);
    return r.parent;
}

/* Of those from this number on. */
static void tell_ranges(uint32_t first) {
    const uint32_t count = fh_cuda_range_count();
    for (uint32_t i = first; i <= count; i++)
        (void)tell_range(i);
}

static void count_launch(const fhec_launch *launch, double seconds) {
    const uint32_t range = fh_cuda_range_working();
    fhec_stats stats;
    if (!fh_cli_cuda_reports(&tools.options) ||
        fhec_machine_stats(tools.machine, &stats) != FHEC_OK)
        return;
    tell_ranges(tools.tally->range_count + 1);
    for (uint32_t n = range; n;)
        n = tell_range(n);
    fh_cli_cuda_tally_add(tools.tally, launch, &stats, range, seconds);
}

/* Findings are told at the end, which the process may never reach. */
static void keep_findings(void) {
    const size_t found = fh_cli_check_count(tools.check);
    char *text = NULL;
    size_t length = 0;
    if (found == tools.found)
        return;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return;
    fh_cli_check_print(tools.check, to);
    if (fclose(to) == 0)
        fh_cli_cuda_tally_findings(tools.tally, text, length);
    free(text);
    tools.found = found;
}

/* A long run's report is written as it goes. */
static void report_meanwhile(void) {
    enum { SECONDS = 10 };
    const double now = fh_cli_now();
    if (now - tools.written < SECONDS || !fh_cli_cuda_report_grows(&tools.options))
        return;
    tools.written = now;
    (void)fh_cli_cuda_report_write(&tools.cli, &tools.options, tools.tally, NULL);
}

static void after(void *user, const fhec_launch *launch, fhec_status status) {
    (void)user;
    count_launch(launch, fh_cli_now() - tools.started);
    keep_findings();
    report_meanwhile();
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
    tools.machine = NULL;
    fh_cli_cuda_tally_findings(tools.tally, "", 0); /* they have been told */
    tools.found = 0;
    if (status != FHEC_OK || checked != FHEC_OK)
        tell_fault();
}

/* All that is told when the process ends. */
static void tell_all(void) {
    if (tools.machine)
        end(NULL, tools.machine);
    if (tools.profile)
        (void)fh_cli_profile_close(tools.profile, FHEC_OK);
    tools.profile = NULL;
    fh_cli_cuda_replacements_end(&tools.replaced);
    fh_cli_cuda_debug_end(&tools.debug);
    tell_ranges(1);
    (void)fh_cli_cuda_report_write(&tools.cli, &tools.options, tools.tally, tools.timer);
    tools.timer = NULL;
    tools.tally->process = 0; /* it has been told */
}

/* At exit. A launch under way in another thread, or one from which a function of the host is
 * called, keeps the observers: then the reporter tells when all threads have ended. */
__attribute__((destructor)) static void finish(void) {
    if (tools.process != getpid())
        return;
    const bool idle = fh_cuda_try_enter();
    if (!idle && fh_cli_cuda_reporter_runs()) {
        tools.tally->exits = true;
        return;
    }
    tools.telling = true;
    tell_all();
    if (idle)
        fh_cuda_leave();
    fh_cli_cuda_reporter_stop();
}

/* `fhec cuda` says how the process ended that it has started, before what is told of it. Of others
 * nobody knows. */
static void announce(void) {
    static const struct timespec moment = {.tv_nsec = 1000000};
    if (tools.shared && tools.shared->program == tools.process) {
        for (int i = 0; i < 5000 && !tools.shared->announced; i++)
            nanosleep(&moment, NULL);
        return;
    }
    fh_cli_note(&tools.cli,
                "process %d has not come to its own end; until then:", (int)tools.process);
}

/* In the reporter. An end of its own that was cut short has closed some of what is there. */
static void report_afterwards(void) {
    if (tools.telling)
        return;
    announce();
    tell_all();
}

__attribute__((constructor)) static void start(void) {
    read_options();
    tools.process = getpid();
    tools.written = fh_cli_now();
    tools.tally = fh_cli_cuda_tally_claim(&tools.shared);
    if (!tools.tally)
        end_badly(fh_cli_no_memory(&tools.cli));
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
