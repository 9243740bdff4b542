/*
 * debug_target.c - see debug_target.h.
 */
#include "debug_target.h"

#include <stdlib.h>
#include <string.h>

#include "debug_findings.h"
#include "debug_names.h"
#include "debug_tasks.h"
#include "interrupt.h"
#include "message.h"
#include "runner.h"
#include "sass_files.h"
#include "script.h"

struct fh_cli_debug_target {
    struct fh_cli_debug_user user; /* is first */
    const struct fh_cli *cli;
    fhec_machine_options machine;
    struct fh_cli_patches patches; /* the settings' */
    struct fh_cli_runner *runner;  /* NULL: the host is another command, or a script */
    struct fh_cli_script *script;
    struct fh_cli_script_settings settings; /* of the script */
    struct fh_cli_script_run *script_run;
    fhec_machine *host; /* the machine that the host talks to */
    fhec_record *record;
    struct fh_debugger *debugger;
    struct fh_cli_debug_tasks tasks;
};

static const char *find_source(void *user, const char *file, size_t *length) {
    const struct fh_cli_debug_target *t = user;
    const struct fh_cli_source *source = t->user.checks.source;
    const char *found = NULL;
    for (size_t i = 0; source && i < source->text_count && !found; i++)
        if (strcmp(source->texts[i].name, file) == 0)
            found = source->texts[i].text;
    for (size_t i = 0; !source && i < fh_sass_file_count && !found; i++)
        if (strcmp(fh_sass_files[i].name, file) == 0)
            found = fh_sass_files[i].text;
    *length = found ? strlen(found) : 0;
    return found;
}

fhec_status fh_cli_debug_begin(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               const struct fh_cli_check_options *check,
                               struct fh_cli_debug_target **target) {
    struct fh_cli_debug_target *t = calloc(1, sizeof *t);
    *target = NULL;
    if (!t)
        return fh_cli_no_memory(cli);
    t->cli = cli;
    t->user.checks.options = check;
    t->machine = settings->options;
    t->patches = settings->patches;
    if (settings->seeded)
        fh_cli_machine_seed(&t->machine, settings->seed);
    fhec_status status = fh_cli_machine_new(cli, settings, &t->host);
    if (status == FHEC_OK && (fhec_record_begin(t->host, &t->record) != FHEC_OK ||
                              fhec_record_defer(t->record) != FHEC_OK))
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        *target = t;
    else
        fh_cli_debug_close(t);
    return status;
}

void fh_cli_debug_options(struct fh_cli_debug_target *t, struct fh_run_options *options) {
    t->tasks.record = t->record;
    t->user.tasks = &t->tasks;
    options->task = fh_cli_debug_task_done;
    options->task_user = &t->tasks;
}

fhec_machine *fh_cli_debug_host(struct fh_cli_debug_target *t) {
    return t->host;
}

void fh_cli_debug_sources(struct fh_cli_debug_target *t, const struct fh_cli_source *source) {
    t->user.checks.source = source;
}

/* One of the command line, which is there from the beginning. */
static fhec_status patch(struct fh_debugger *debugger, const struct fh_cli_patch *p) {
    const struct fh_debug_patch patch = {
        .kernel = p->kernel,
        .pc = p->pc,
        .word = p->word,
        .from = {p->launch ? (size_t)p->launch - 1 : 0, 0},
        .only = p->launch != 0,
        .shown = p->instruction,
    };
    unsigned number;
    return fh_debugger_patch(debugger, &patch, &number, NULL);
}

/* The checks of the command line, which Ctrl-C may end. */
static fhec_status check(struct fh_cli_debug_target *t) {
    if (!t->user.checks.options->wanted)
        return FHEC_OK;
    fh_cli_interrupt_begin(NULL);
    const fhec_status status =
        fh_cli_debug_find(t->cli, t->debugger, &t->user.checks, t->user.checks.options->wanted);
    fh_cli_interrupt_end();
    return status == FHEC_CANCELLED ? fh_cli_error(t->cli, status, "cancelled") : status;
}

fhec_status fh_cli_debug_open(struct fh_cli_debug_target *t, uint64_t memory) {
    const struct fh_debugger_options options = {
        .machine = t->machine,
        .memory = memory,
        .user = t,
        .source = find_source,
        .names = fh_cli_debug_names,
    };
    fhec_status status = fh_debugger_new(&options, &t->debugger);
    if (status != FHEC_OK)
        return fh_cli_no_memory(t->cli);
    status = fh_debugger_take(t->debugger, t->record);
    for (size_t i = 0; i < t->patches.count && status == FHEC_OK; i++)
        status = patch(t->debugger, &t->patches.list[i]);
    return status == FHEC_OK ? check(t)
                             : fh_cli_error(t->cli, status, "%s", fh_debugger_error(t->debugger));
}

fhec_status fh_cli_debug_show(struct fh_cli *cli, struct fh_cli_debug_target *t) {
    fhec_status status = fh_cli_debug_open(t, cli->debug->memory);
    if (status == FHEC_OK)
        status = cli->debug->run(cli->debug->user, cli, t->debugger);
    fh_debugger_free(t->debugger); /* while the programs are there */
    t->debugger = NULL;
    return status;
}

/* The launches of a script (docs/scripts.md), which has made its buffers by then. */
static fhec_status debug_script(struct fh_cli *cli, struct fh_cli_run_options *given,
                                uint64_t memory, struct fh_cli_debug_target **target) {
    struct fh_cli_debug_target *t;
    fhec_status status = fh_cli_debug_begin(cli, &given->machine, &given->check, &t);
    if (status != FHEC_OK)
        return status;
    t->settings = (struct fh_cli_script_settings){.machine = &given->machine,
                                                  .source = &given->source,
                                                  .trap_unsupported = given->trap_unsupported,
                                                  .deferred = true};
    t->user.checks.source = &given->source;
    status = fh_cli_script_read(cli, given->script, &t->script);
    if (status == FHEC_OK)
        status = fh_cli_script_begin(cli, t->script, &t->settings, t->host, &t->script_run);
    if (status == FHEC_OK)
        status = fh_cli_script_go(t->script_run);
    if (status == FHEC_OK) {
        t->user.memory = fh_cli_script_memory(t->script_run);
        status = fh_cli_debug_open(t, memory);
    }
    if (status == FHEC_OK)
        *target = t;
    else
        fh_cli_debug_close(t);
    return status;
}

fhec_status fh_cli_debug_run(struct fh_cli *cli, struct fh_cli_run_options *given, uint64_t memory,
                             struct fh_cli_debug_target **target) {
    struct fh_cli_runner *runner = NULL;
    struct fh_cli_debug_target *t = NULL;
    *target = NULL;
    if (given->script)
        return debug_script(cli, given, memory, target);
    given->all_faults = false; /* each is a stop */
    fhec_status status = fh_cli_runner_open(cli, given, &runner);
    if (status == FHEC_OK)
        status = fh_cli_debug_begin(cli, &given->machine, &given->check, &t);
    if (status != FHEC_OK) {
        fh_cli_runner_close(runner);
        return status;
    }
    t->runner = runner;
    t->user.memory = fh_cli_runner_memory(runner);
    t->user.checks.source = &given->source;
    status = fh_cli_runner_launch(runner, t->host);
    if (status == FHEC_OK)
        status = fh_cli_debug_open(t, memory);
    if (status == FHEC_OK)
        *target = t;
    else
        fh_cli_debug_close(t);
    return status;
}

struct fh_debugger *fh_cli_debug_debugger(struct fh_cli_debug_target *t) {
    return t->debugger;
}

void fh_cli_debug_close(struct fh_cli_debug_target *t) {
    if (!t)
        return;
    fh_debugger_free(t->debugger);
    fh_cli_debug_tasks_free(&t->tasks);
    fhec_record_end(t->record);
    fhec_machine_free(t->host);
    fh_cli_runner_close(t->runner);
    fh_cli_script_end(t->script_run);
    fh_cli_script_free(t->script);
    free(t);
}
