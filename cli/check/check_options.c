/*
 * check_options.c - see check_options.h.
 */
#include "check_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkers.h"
#include "message.h"
#include "nearest.h"
#include "options.h"

enum { OPTION_CHECK = 0x3000, OPTION_SUPPRESS, OPTION_SARIF };

static const struct argp_option check_options[] = {
    {"check", OPTION_CHECK, "LIST[:warn]", OPTION_ARG_OPTIONAL,
     "Look for errors while it runs: a list of init, race, sync, async, bounds, operands, "
     "fragments, leaks (default: all); findings make the exit status 3, but for those of :warn",
     7},
    {"suppress", OPTION_SUPPRESS, "FILE", 0, "Findings that are known: a list of id, place, reason",
     7},
    {"sarif", OPTION_SARIF, "FILE", 0, "Write the findings to FILE as SARIF 2.1.0", 7},
    {0},
};

/* The bit of the checker that the first `length` letters name; 0: `why` says what is wrong. */
static unsigned checker_named(const char *name, size_t length, char *why, size_t size) {
    const char *names[FH_CHECKERS];
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)(length < sizeof copy ? length : sizeof copy - 1),
             name);
    for (unsigned i = 0; i < FH_CHECKERS; i++) {
        names[i] = fh_checker_name((enum fh_checker)i);
        if (strcmp(names[i], copy) != 0)
            continue;
        if (fh_checkers_present() & FH_CHECK_BIT(i))
            return FH_CHECK_BIT(i);
        snprintf(why, size, "%s: this fhec does not have that check", copy);
        return 0;
    }
    snprintf(why, size, "%s: no check is called that%s", copy,
             fh_cli_hint(fh_nearest_of(copy, names, FH_CHECKERS)).text);
    return 0;
}

bool fh_cli_check_names(const char *list, size_t length, unsigned *wanted, char *why, size_t size) {
    *wanted = 0;
    for (size_t at = 0; at < length;) {
        const size_t rest = length - at, word = strcspn(list + at, ",");
        const unsigned bit = checker_named(list + at, word < rest ? word : rest, why, size);
        if (!bit)
            return false;
        *wanted |= bit;
        at += word + 1;
    }
    return true;
}

static void parse_list(const struct argp_state *state, const char *list,
                       struct fh_cli_check_options *options) {
    static const char warn[] = ":warn";
    const char *colon = list ? strchr(list, ':') : NULL;
    const size_t length = colon ? (size_t)(colon - list) : list ? strlen(list) : 0;
    char why[200];
    unsigned wanted;
    if (colon && strcmp(colon, warn) != 0)
        argp_error(state, "--check=%s: expected nothing or \":warn\" behind the list", list);
    if (!fh_cli_check_names(list, length, &wanted, why, sizeof why))
        argp_error(state, "--check=%s", why);
    const unsigned leaks = FH_CHECK_BIT(FH_CHECK_LEAKS), all = fh_checkers_present();
    const bool named = wanted;
    if (!named)
        wanted = options->own_memory ? all & ~leaks : all;
    options->wanted |= wanted;
    options->warnings &= ~wanted;
    options->warnings |= wanted & (colon ? all : named ? 0 : leaks);
}

static error_t parse_check(int key, char *arg, struct argp_state *state) {
    struct fh_cli_check_options *options = state->input;
    switch (key) {
    case OPTION_CHECK: parse_list(state, arg, options); return 0;
    case OPTION_SUPPRESS:
        options->suppress = fh_cli_grow(state, options->suppress, options->suppress_count,
                                        sizeof *options->suppress);
        options->suppress[options->suppress_count++] = arg;
        return 0;
    case OPTION_SARIF: options->sarif = arg; return 0;
    case ARGP_KEY_END:
        if (!options->wanted && options->suppress_count)
            argp_error(state, "--suppress needs --check");
        if (!options->wanted && options->sarif && !options->sarif_alone)
            argp_error(state, "--sarif needs --check");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_check_argp = {check_options, parse_check, NULL, NULL, NULL, NULL, NULL};

void fh_cli_check_options_free(struct fh_cli_check_options *options) {
    free(options->suppress);
}
