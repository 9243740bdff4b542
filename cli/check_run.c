/*
 * check_run.c - see check_run.h.
 */
#include "check_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkers.h"
#include "findings_text.h"
#include "message.h"
#include "nearest.h"

enum { OPTION_CHECK = 0x3000 };

static const struct argp_option check_options[] = {
    {"check", OPTION_CHECK, "LIST[:warn]", OPTION_ARG_OPTIONAL,
     "Look for errors while it runs: a list of init, race, sync, async, bounds, operands, "
     "fragments, leaks (default: all); findings make the exit status 3, but for those of :warn",
     7},
    {0},
};

/* The bit of the checker that the first `length` letters name. */
static unsigned checker_option(const struct argp_state *state, const char *name, size_t length) {
    const char *names[FH_CHECKERS];
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1),
             name);
    for (unsigned i = 0; i < FH_CHECKERS; i++) {
        names[i] = fh_checker_name((enum fh_checker)i);
        if (strcmp(names[i], copy) != 0)
            continue;
        if (!(fh_checkers_present() & FH_CHECK_BIT(i)))
            argp_error(state, "--check=%s: this fhec does not have that check", copy);
        return FH_CHECK_BIT(i);
    }
    argp_error(state, "--check=%s: no check is called that%s", copy,
               fh_cli_hint(fh_nearest_of(copy, names, FH_CHECKERS)).text);
    return 0;
}

static void parse_list(const struct argp_state *state, const char *list,
                       struct fh_cli_check_options *options) {
    static const char warn[] = ":warn";
    const char *colon = list ? strchr(list, ':') : NULL;
    const size_t length = colon ? (size_t)(colon - list) : list ? strlen(list) : 0;
    unsigned wanted = 0;
    if (colon && strcmp(colon, warn) != 0)
        argp_error(state, "--check=%s: expected nothing or \":warn\" behind the list", list);
    for (size_t at = 0; at < length;) {
        const size_t word = strcspn(list + at, ",:");
        wanted |= checker_option(state, list + at, word);
        at += word + 1;
    }
    if (!wanted)
        wanted = fh_checkers_present();
    options->wanted |= wanted;
    options->warnings &= ~wanted;
    options->warnings |= colon ? wanted : 0;
}

static error_t parse_check(int key, char *arg, struct argp_state *state) {
    if (key != OPTION_CHECK)
        return ARGP_ERR_UNKNOWN;
    parse_list(state, arg, state->input);
    return 0;
}

const struct argp fh_cli_check_argp = {check_options, parse_check, NULL, NULL, NULL, NULL, NULL};

/* ---------------------------------------------------------------- the checkers at work */

struct fh_cli_check {
    const struct fh_cli *cli;
    const struct fh_cli_check_options *options;
    struct fh_findings *findings;
    struct fh_checkers *checkers;
};

static void check_free(struct fh_cli_check *check) {
    fh_findings_free(check->findings);
    free(check);
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
    c->findings = fh_findings_new();
    if (!c->findings ||
        fh_checkers_begin(machine, options->wanted, c->findings, &c->checkers) != FHEC_OK) {
        check_free(c);
        return fh_cli_no_memory(cli);
    }
    *check = c;
    return FHEC_OK;
}

static void say_finding(const struct fh_cli_findings_form *form, const struct fh_finding *f) {
    json_t *object = form->cli->json ? fh_cli_finding_json(form, f) : NULL;
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    if (text)
        fprintf(stderr, "%s\n", text);
    else
        fh_cli_print_finding(stderr, form, f);
    free(text);
    json_decref(object);
}

fhec_status fh_cli_check_close(struct fh_cli_check *check, const struct fh_cli_memory *memory,
                               fhec_status status) {
    if (!check)
        return status;
    const struct fh_cli_findings_form form = {check->cli, check->options->warnings, memory};
    const fhec_status ended = fh_checkers_end(check->checkers);
    const struct fh_finding *f;
    size_t errors = 0;
    for (size_t i = 0; (f = fh_findings_get(check->findings, i)) != NULL; i++) {
        say_finding(&form, f);
        errors += !(form.warnings & FH_CHECK_BIT(fh_finding_checker(f->kind)));
    }
    if (ended != FHEC_OK)
        fh_cli_error(check->cli, ended, "there was no memory for the checks");
    if (status == FHEC_OK || status == FHEC_DIFFERS)
        status = ended != FHEC_OK ? ended : errors ? FHEC_GUEST_FAULT : status;
    check_free(check);
    return status;
}
