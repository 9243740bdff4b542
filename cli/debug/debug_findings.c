/*
 * debug_findings.c - see debug_findings.h; and the command `check`. An observer before those of the
 * checkers counts what is issued; one behind them looks after each event whether a finding is new.
 */
#include "debug_findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkers.h"
#include "debug_commands.h"
#include "debug_names.h"
#include "fhec_observe.h"
#include "interrupt.h"
#include "message.h"
#include "progress.h"
#include "replay.h"
#include "sass_files.h"
#include "suppressions.h"

/* What makes two findings the same one (fh_findings_add). */
struct key {
    unsigned kind;
    struct fh_place at, other;
};

struct finder {
    struct fh_findings *findings;
    struct fh_cli_suppressions suppressions;
    struct fh_debugger *replay;
    size_t known; /* findings so far */
    bool no_memory;
    uint64_t issued;
    size_t launch, launches; /* the one under way, and how many have begun */
    struct fh_debug_finding *list;
    struct key *keys; /* of those of the list */
    size_t count, capacity;
};

static bool same_place(const struct fh_place *a, const struct fh_place *b) {
    return a->program == b->program && a->kernel == b->kernel && a->pc == b->pc &&
           a->word.lo == b->word.lo && a->word.hi == b->word.hi;
}

static bool is_known(const struct finder *f, const struct fh_finding *finding) {
    for (size_t i = 0; i < f->count; i++)
        if (f->keys[i].kind == finding->kind && same_place(&f->keys[i].at, &finding->at) &&
            same_place(&f->keys[i].other, &finding->other))
            return true;
    return false;
}

static bool make_room(struct finder *f) {
    const size_t capacity = f->capacity * 2 + 16;
    if (f->count < f->capacity)
        return true;
    struct fh_debug_finding *list = realloc(f->list, capacity * sizeof *list);
    if (list)
        f->list = list;
    struct key *keys = realloc(f->keys, capacity * sizeof *keys);
    if (keys)
        f->keys = keys;
    if (!list || !keys)
        return false;
    f->capacity = capacity;
    return true;
}

static void add(struct finder *f, struct fh_debug_time time, const struct fh_finding *finding) {
    char *text = NULL;
    if (make_room(f) &&
        asprintf(&text, "%s: %s", fh_finding_id(finding->kind), finding->message) >= 0) {
        f->keys[f->count] = (struct key){finding->kind, finding->at, finding->other};
        f->list[f->count++] = (struct fh_debug_finding){.time = time, .text = text};
    } else {
        f->no_memory = true;
    }
}

/* Those that have come since the last time; they are in no order of time among the others. */
static void look(struct finder *f) {
    const struct fh_finding *finding;
    if (fh_findings_count(f->findings) == f->known || !f->launches)
        return;
    f->known = fh_findings_count(f->findings);
    for (size_t i = 0; (finding = fh_findings_get(f->findings, i)) != NULL; i++) {
        if (!is_known(f, finding) && !fh_cli_suppressions_find(&f->suppressions, finding))
            add(f, (struct fh_debug_time){f->launch, f->issued ? f->issued - 1 : 0}, finding);
    }
}

/* Before the checkers: what is found from here on is of this instruction. */
static void see_before(void *user, const fhec_event *event) {
    struct finder *f = user;
    look(f); /* of what was issued before */
    if (event->kind == FHEC_EVENT_ISSUE) {
        f->issued++;
        return;
    }
    f->launch = fh_debugger_time(f->replay).launch;
    f->launches++;
    f->issued = 0;
}

static void see_behind(void *user, const fhec_event *event) {
    (void)event;
    look(user);
}

static fhec_status read_suppressions(const struct fh_cli *cli,
                                     const struct fh_cli_debug_checks *checks,
                                     struct fh_cli_suppressions *s) {
    const struct fh_cli_source *source = checks->source;
    const struct fh_cli_check_options *options = checks->options;
    const size_t texts = source ? source->text_count : fh_sass_file_count;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < options->suppress_count && status == FHEC_OK; i++)
        status = fh_cli_suppressions_read(cli, options->suppress[i], s);
    for (size_t i = 0; i < texts && status == FHEC_OK; i++) {
        const char *text = source ? source->texts[i].text : fh_sass_files[i].text;
        if (text)
            status = fh_cli_suppressions_scan(
                cli, source ? source->texts[i].name : fh_sass_files[i].name, text, s);
    }
    return status;
}

/* All launches, or those up to a fault. */
static fhec_status run_launches(const struct fh_cli *cli, struct finder *f,
                                struct fh_debugger *debugger) {
    fhec_machine *machine = fh_debugger_machine(f->replay);
    const size_t count = fh_debugger_launch_count(debugger);
    fhec_status status = FHEC_OK;
    struct fh_cli_progress *progress =
        fh_cli_progress_start(cli, machine, "%s: checking", cli->command);
    fhec_machine *before = fh_cli_interrupt_other(machine);
    for (size_t i = 0; i < count && status == FHEC_OK; i++)
        status = fh_replay_launch(debugger, f->replay);
    (void)fh_cli_interrupt_other(before);
    fh_cli_progress_stop(progress);
    if (status == FHEC_OK || status == FHEC_GUEST_FAULT || status == FHEC_CANCELLED)
        return status == FHEC_GUEST_FAULT ? FHEC_OK : status;
    return fh_cli_error(cli, status, "%s", fh_debugger_error(debugger));
}

/* What the checkers know at the end only is of no time, and left out. */
static fhec_status run(const struct fh_cli *cli, struct finder *f, struct fh_debugger *debugger,
                       unsigned wanted) {
    struct fh_checkers *checkers = NULL;
    const unsigned issue = FHEC_EVENT_BIT(FHEC_EVENT_ISSUE);
    const fhec_observer before = {
        .user = f,
        .filter = {.kinds = issue | FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN)},
        .event = see_before,
    };
    const fhec_observer behind = {
        .user = f,
        .filter = {.kinds = issue | FHEC_EVENT_BIT(FHEC_EVENT_RETIRE) |
                            FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END)},
        .event = see_behind,
    };
    fhec_machine *machine = fh_debugger_machine(f->replay);
    fhec_status status = fhec_observe(machine, &before, NULL);
    if (status == FHEC_OK)
        status = fh_checkers_begin(machine, wanted, f->findings, &checkers);
    if (status == FHEC_OK)
        status = fhec_observe(machine, &behind, NULL);
    status = status == FHEC_OK ? run_launches(cli, f, debugger) : fh_cli_no_memory(cli);
    const fhec_status ended = fh_checkers_end(checkers);
    if (status == FHEC_OK && (ended != FHEC_OK || f->no_memory))
        return fh_cli_no_memory(cli);
    return status;
}

static size_t count_suppressed(struct finder *f) {
    const struct fh_finding *finding;
    size_t count = 0;
    for (size_t i = 0; (finding = fh_findings_get(f->findings, i)) != NULL; i++)
        count += fh_cli_suppressions_find(&f->suppressions, finding) != NULL;
    return count;
}

fhec_status fh_cli_debug_find(const struct fh_cli *cli, struct fh_debugger *debugger,
                              struct fh_cli_debug_checks *checks, unsigned wanted) {
    struct finder f = {.findings = fh_findings_new()};
    fhec_status status =
        f.findings ? read_suppressions(cli, checks, &f.suppressions) : fh_cli_no_memory(cli);
    if (status == FHEC_OK && fh_replay_new(debugger, &f.replay) != FHEC_OK)
        status = fh_cli_error(cli, FHEC_HOST_ERROR, "%s", fh_debugger_error(debugger));
    if (status == FHEC_OK)
        status = run(cli, &f, debugger, wanted);
    if (status == FHEC_OK && fh_debugger_set_findings(debugger, f.list, f.count) != FHEC_OK)
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK) {
        checks->on = wanted;
        checks->suppressed = count_suppressed(&f);
    }
    for (size_t i = 0; i < f.count; i++)
        free((char *)f.list[i].text);
    free(f.list);
    free(f.keys);
    fh_replay_free(f.replay);
    fh_cli_suppressions_free(&f.suppressions);
    fh_findings_free(f.findings);
    return status;
}

/* ---------------------------------------------------------------- what is told */

void fh_cli_debug_tell_findings(struct fh_cli_console *c) {
    const struct fh_debug_finding *f;
    for (size_t i = 0; (f = fh_debugger_finding(c->debugger, i)) != NULL; i++)
        fprintf(c->out, "%zu:%" PRIu64 "  %s\n", f->time.launch + 1, f->time.count, f->text);
    c->told = true;
}

fhec_status fh_cli_debug_found(struct fh_cli_console *c, fhec_status status) {
    const struct fh_cli_debug_user *user = fh_debugger_user(c->debugger);
    const struct fh_cli_check_options *options = user->checks.options;
    if (!options || !options->wanted || !fh_debugger_finding(c->debugger, 0))
        return status;
    if (!c->told)
        fh_cli_debug_tell_findings(c);
    return status == FHEC_OK ? FHEC_GUEST_FAULT : status;
}

/* ---------------------------------------------------------------- the command */

static void print_count(const struct fh_cli_console *c, const struct fh_cli_debug_checks *checks) {
    size_t count = 0;
    while (fh_debugger_finding(c->debugger, count))
        count++;
    fprintf(c->out, "%zu finding%s", count, count == 1 ? "" : "s");
    if (checks->suppressed)
        fprintf(c->out, ", %zu suppressed", checks->suppressed);
    fputc('\n', c->out);
}

/* "check [LIST]" */
fhec_status fh_cli_debug_check(struct fh_cli_console *c, char *text) {
    struct fh_cli_debug_user *user = fh_debugger_user(c->debugger);
    const unsigned leaks = FH_CHECK_BIT(FH_CHECK_LEAKS);
    char why[200];
    unsigned wanted;
    if (!fh_cli_check_names(text, strlen(text), &wanted, why, sizeof why))
        return fh_cli_console_error(c, "%s", why);
    if (wanted & leaks)
        return fh_cli_console_error(c, "leaks are of no launch: `fhec run --check=leaks` tells "
                                       "them");
    const fhec_status status = fh_cli_debug_find(c->cli, c->debugger, &user->checks,
                                                 wanted ? wanted : fh_checkers_present() & ~leaks);
    if (status == FHEC_CANCELLED) {
        c->interrupted = true;
        return fh_cli_console_error(c, "cancelled: nothing new is known");
    }
    if (status == FHEC_OK)
        print_count(c, &user->checks);
    c->told = false;
    return status;
}
