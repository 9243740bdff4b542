/*
 * debug_findings.c - see debug_findings.h. An observer behind those of the checkers counts what is
 * issued, and looks after each event whether a finding is new.
 */
#include "debug_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkers.h"
#include "fhec_observe.h"
#include "message.h"

enum { TEXT = FH_FINDING_MESSAGE + 64 };

struct finder {
    struct fh_findings *findings;
    size_t known; /* findings so far */
    bool no_memory;
    uint64_t issued;
    size_t launches;
    struct fh_debug_finding *list;
    size_t count, capacity;
};

static bool is_known(const struct finder *f, const char *text) {
    for (size_t i = 0; i < f->count; i++)
        if (!strcmp(f->list[i].text, text))
            return true;
    return false;
}

static void add(struct finder *f, struct fh_debug_time time, const char *text) {
    if (f->count == f->capacity) {
        const size_t capacity = f->capacity * 2 + 16;
        struct fh_debug_finding *more = realloc(f->list, capacity * sizeof *more);
        if (more) {
            f->list = more;
            f->capacity = capacity;
        }
    }
    char *copy = f->count < f->capacity ? strdup(text) : NULL;
    if (copy)
        f->list[f->count++] = (struct fh_debug_finding){.time = time, .text = copy};
    f->no_memory |= !copy;
}

/* Those that have come since the last time; they are in no order of time among the others. */
static void look(struct finder *f) {
    const struct fh_finding *finding;
    if (fh_findings_count(f->findings) == f->known || !f->launches)
        return;
    f->known = fh_findings_count(f->findings);
    for (size_t i = 0; (finding = fh_findings_get(f->findings, i)) != NULL; i++) {
        char text[TEXT];
        (void)snprintf(text, sizeof text, "%s: %s", fh_finding_id(finding->kind), finding->message);
        if (!is_known(f, text))
            add(f, (struct fh_debug_time){f->launches - 1, f->issued ? f->issued - 1 : 0}, text);
    }
}

static void see(void *user, const fhec_event *event) {
    struct finder *f = user;
    if (event->kind == FHEC_EVENT_ISSUE)
        look(f); /* of what was issued before, too */
    if (event->kind == FHEC_EVENT_LAUNCH_BEGIN) {
        f->launches++;
        f->issued = 0;
    }
    f->issued += event->kind == FHEC_EVENT_ISSUE;
    if (event->kind != FHEC_EVENT_LAUNCH_BEGIN)
        look(f);
}

/* What the checkers know at the end only is of no time, and left out. */
static fhec_status run(struct fh_cli *cli, struct finder *f, unsigned wanted, fhec_machine *machine,
                       struct fh_cli_runner *runner) {
    struct fh_checkers *checkers = NULL;
    const fhec_observer observer = {
        .user = f,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                            FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) | FHEC_EVENT_BIT(FHEC_EVENT_RETIRE)},
        .event = see,
    };
    fhec_status status = fh_checkers_begin(machine, wanted, f->findings, &checkers);
    if (status == FHEC_OK)
        status = fhec_observe(machine, &observer, NULL);
    if (status != FHEC_OK)
        return fh_cli_no_memory(cli);
    cli->silent = true; /* a fault will be told by the debugger */
    status = fh_cli_runner_launch(runner, machine);
    cli->silent = false;
    const fhec_status ended = fh_checkers_end(checkers);
    return status == FHEC_GUEST_FAULT ? ended : status == FHEC_OK ? ended : status;
}

fhec_status fh_cli_debug_findings(struct fh_cli *cli, const struct fh_cli_machine *settings,
                                  const struct fh_cli_check_options *check,
                                  struct fh_cli_runner *runner, struct fh_debugger *debugger) {
    struct finder f = {.findings = fh_findings_new()};
    fhec_machine *machine = NULL;
    fhec_status status = f.findings ? FHEC_OK : fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(cli, settings, &machine);
    if (status == FHEC_OK)
        status = run(cli, &f, check->wanted, machine, runner);
    if (status == FHEC_OK && f.no_memory)
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK)
        status = fh_debugger_set_findings(debugger, f.list, f.count);
    for (size_t i = 0; i < f.count; i++)
        free((char *)f.list[i].text);
    free(f.list);
    fhec_machine_free(machine);
    fh_findings_free(f.findings);
    return status;
}
