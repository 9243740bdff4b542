/*
 * check_run.c - see check_run.h.
 */
#include "check_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkers.h"
#include "findings_sarif.h"
#include "findings_text.h"
#include "message.h"
#include "output.h"
#include "suppressions.h"

struct fh_cli_check {
    const struct fh_cli *cli;
    const struct fh_cli_check_options *options;
    fhec_machine *machine;
    unsigned observer; /* of launches */
    struct fh_findings *findings;
    struct fh_checkers *checkers;
    struct fh_findings *other_findings; /* of a run in another order of warps */
    struct fh_checkers *other_checkers;
    struct fh_cli_suppressions suppressions;
    struct fh_cli_outputs outputs;
};

static void check_free(struct fh_cli_check *check) {
    if (check->observer)
        (void)fhec_unobserve(check->machine, check->observer);
    fh_findings_free(check->findings);
    (void)fh_checkers_end(check->other_checkers);
    fh_findings_free(check->other_findings);
    fh_cli_suppressions_free(&check->suppressions);
    fh_cli_output_discard(&check->outputs);
    free(check);
}

static void see_launch(void *user, const fhec_event *event) {
    struct fh_cli_check *check = user;
    fh_cli_suppressions_reach(&check->suppressions, event->launch->program, event->launch->kernel);
}

static fhec_status begin(struct fh_cli_check *check) {
    const fhec_observer observer = {
        .user = check,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN)},
        .event = see_launch,
    };
    const struct fh_cli_check_options *options = check->options;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < options->suppress_count && status == FHEC_OK; i++)
        status = fh_cli_suppressions_read(check->cli, options->suppress[i], &check->suppressions);
    if (status == FHEC_OK && options->sarif && !options->sarif_results)
        status = fh_cli_output_add(check->cli, &check->outputs, options->sarif);
    if (status != FHEC_OK)
        return status;
    check->findings = fh_findings_new();
    if (!check->findings || fhec_observe(check->machine, &observer, &check->observer) != FHEC_OK ||
        fh_checkers_begin(check->machine, options->wanted, check->findings, &check->checkers) !=
            FHEC_OK)
        return fh_cli_no_memory(check->cli);
    return FHEC_OK;
}

fhec_status fh_cli_check_open(const struct fh_cli *cli, const struct fh_cli_check_options *options,
                              fhec_machine *machine, struct fh_cli_check **check) {
    *check = NULL;
    if (!options->wanted)
        return FHEC_OK;
    struct fh_cli_check *c = calloc(1, sizeof *c);
    if (!c)
        return fh_cli_no_memory(cli);
    c->cli = cli;
    c->options = options;
    c->machine = machine;
    const fhec_status status = begin(c);
    if (status == FHEC_OK)
        *check = c;
    else
        check_free(c);
    return status;
}

fhec_status fh_cli_check_source(struct fh_cli_check *check, const char *name, const char *text) {
    return check ? fh_cli_suppressions_scan(check->cli, name, text, &check->suppressions) : FHEC_OK;
}

/* ---------------------------------------------------------------- another order of warps */

enum { LONGEST = 10000000 /* warp instructions of a run that is repeated */ };

bool fh_cli_check_wants_other_order(const struct fh_cli_check *check) {
    const struct fh_place *at = check ? fh_findings_order(check->findings) : NULL;
    fhec_stats stats;
    if (!at || fhec_machine_stats(check->machine, &stats) != FHEC_OK)
        return false;
    if (stats.warp_insts <= LONGEST)
        return true;
    const fhec_location from =
        fhec_kernel_location(at->program, at->kernel, (uint32_t)(at->pc / sizeof(fhec_word)));
    fh_cli_note(check->cli,
                "races were looked for in one order of warps, and what %s%sthe instruction at pc "
                "0x%04llx reads depends on it; --seed-machine shows others",
                from.file ? from.file : "", from.file ? ", " : "", (unsigned long long)at->pc);
    return false;
}

fhec_status fh_cli_check_other_begin(struct fh_cli_check *check, fhec_machine *machine) {
    check->other_findings = fh_findings_new();
    if (!check->other_findings ||
        fh_checkers_begin(machine, FH_CHECK_BIT(FH_CHECK_RACE), check->other_findings,
                          &check->other_checkers) != FHEC_OK)
        return fh_cli_no_memory(check->cli);
    return FHEC_OK;
}

fhec_status fh_cli_check_other_end(struct fh_cli_check *check) {
    size_t added = 0;
    const fhec_status ended = fh_checkers_end(check->other_checkers);
    check->other_checkers = NULL;
    if (ended != FHEC_OK || !fh_findings_merge(check->findings, check->other_findings, &added))
        return fh_cli_no_memory(check->cli);
    if (added)
        fh_cli_note(check->cli, "%zu finding%s of the launches in another order of warps", added,
                    added == 1 ? " is" : "s are");
    return FHEC_OK;
}

/* ---------------------------------------------------------------- what was found */

static void say_finding(FILE *to, const struct fh_cli_findings_form *form,
                        const struct fh_finding *f) {
    json_t *object = form->cli->json ? fh_cli_finding_json(form, f) : NULL;
    if (!fh_cli_print_json(to, object, JSON_COMPACT))
        fh_cli_print_finding(to, form, f);
}

size_t fh_cli_check_count(const struct fh_cli_check *check) {
    return check ? fh_findings_count(check->findings) : 0;
}

void fh_cli_check_print(struct fh_cli_check *check, FILE *to) {
    const struct fh_cli_findings_form form = {check->cli, check->options->warnings, NULL};
    const struct fh_finding *f;
    for (size_t i = 0; (f = fh_findings_get(check->findings, i)) != NULL; i++)
        if (!fh_cli_suppressions_find(&check->suppressions, f))
            say_finding(to, &form, f);
}

/* Says all that is not suppressed; how many of them are errors. */
static size_t say_findings(struct fh_cli_check *check, const struct fh_cli_findings_form *form) {
    const struct fh_finding *f;
    size_t errors = 0, suppressed = 0;
    for (size_t i = 0; (f = fh_findings_get(check->findings, i)) != NULL; i++) {
        if (fh_cli_suppressions_find(&check->suppressions, f)) {
            suppressed++;
            continue;
        }
        say_finding(stderr, form, f);
        errors += !(form->warnings & FH_CHECK_BIT(fh_finding_checker(f->kind)));
    }
    if (suppressed)
        fh_cli_note(check->cli, "%zu finding%s suppressed", suppressed,
                    suppressed == 1 ? " is" : "s are");
    fh_cli_suppressions_say_unused(check->cli, &check->suppressions, check->options->wanted);
    return errors;
}

static fhec_status write_sarif(struct fh_cli_check *check,
                               const struct fh_cli_findings_form *form) {
    if (check->options->sarif_results) {
        json_t *results = fh_cli_sarif_results(form, check->findings, &check->suppressions);
        const bool added =
            results && json_array_extend(check->options->sarif_results, results) == 0;
        json_decref(results);
        return added ? FHEC_OK : fh_cli_no_memory(check->cli);
    }
    char *text = fh_cli_findings_sarif(form, check->findings, &check->suppressions);
    fhec_status status = text ? fh_cli_output_write(check->cli, &check->outputs,
                                                    check->options->sarif, text, strlen(text))
                              : fh_cli_no_memory(check->cli);
    free(text);
    return status == FHEC_OK ? fh_cli_output_commit(check->cli, &check->outputs) : status;
}

fhec_status fh_cli_check_close(struct fh_cli_check *check, const struct fh_cli_memory *memory,
                               fhec_status status) {
    if (!check)
        return status;
    const struct fh_cli_findings_form form = {check->cli, check->options->warnings, memory};
    fhec_status ended = fh_checkers_end(check->checkers);
    if (ended != FHEC_OK)
        fh_cli_error(check->cli, ended, "there was no memory for the checks");
    const size_t errors = say_findings(check, &form);
    if (ended == FHEC_OK && check->options->sarif)
        ended = write_sarif(check, &form);
    if (status == FHEC_OK || status == FHEC_DIFFERS)
        status = ended != FHEC_OK ? ended : errors ? FHEC_GUEST_FAULT : status;
    check_free(check);
    return status;
}
