/*
 * debug_target.c - see debug_target.h.
 */
#include "debug_target.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "runner.h"

struct fh_cli_debug_target {
    struct fh_cli *cli;
    const struct fh_cli_run_options *given;
    struct fh_cli_runner *runner;
    fhec_machine *host; /* the machine that the host talked to */
    fhec_record *record;
    struct fh_debugger *debugger;
};

static const char *find_source(void *user, const char *file, size_t *length) {
    const struct fh_cli_debug_target *t = user;
    const struct fh_cli_source *source = &t->given->source;
    for (size_t i = 0; i < source->text_count; i++) {
        const struct fh_cli_text *text = &source->texts[i];
        if (!text->text || strcmp(text->name, file) != 0)
            continue;
        *length = strlen(text->text);
        return text->text;
    }
    return NULL;
}

static fhec_status make_debugger(struct fh_cli_debug_target *t,
                                 const struct fh_cli_machine *settings, uint64_t memory) {
    struct fh_debugger_options options = {
        .machine = settings->options, .memory = memory, .user = t, .source = find_source};
    if (settings->seeded)
        fh_cli_machine_seed(&options.machine, settings->seed);
    fhec_status status = fh_debugger_new(&options, &t->debugger);
    if (status != FHEC_OK)
        return fh_cli_no_memory(t->cli);
    status = fh_debugger_take(t->debugger, t->record);
    return status == FHEC_OK ? status
                             : fh_cli_error(t->cli, status, "%s", fh_debugger_error(t->debugger));
}

/* The host's launches, noted. */
static fhec_status note(struct fh_cli_debug_target *t, const struct fh_cli_machine *settings) {
    fhec_status status = fh_cli_machine_new(t->cli, settings, &t->host);
    if (status != FHEC_OK)
        return status;
    if (fhec_record_begin(t->host, &t->record) != FHEC_OK ||
        fhec_record_defer(t->record) != FHEC_OK)
        return fh_cli_no_memory(t->cli);
    return fh_cli_runner_launch(t->runner, t->host);
}

fhec_status fh_cli_debug_run(struct fh_cli *cli, struct fh_cli_run_options *given, uint64_t memory,
                             struct fh_cli_debug_target **target) {
    struct fh_cli_debug_target *t = calloc(1, sizeof *t);
    *target = NULL;
    if (!t)
        return fh_cli_no_memory(cli);
    t->cli = cli;
    t->given = given;
    given->all_faults = false; /* each is a stop */
    fhec_status status = fh_cli_runner_open(cli, given, &t->runner);
    if (status == FHEC_OK)
        status = note(t, &given->machine);
    if (status == FHEC_OK)
        status = make_debugger(t, &given->machine, memory);
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
    fhec_record_end(t->record);
    fhec_machine_free(t->host);
    fh_cli_runner_close(t->runner);
    free(t);
}
