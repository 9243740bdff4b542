/*
 * time_options.c - see time_options.h.
 */
#include "time_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "literal.h"
#include "machine_files.h"
#include "message.h"
#include "nearest.h"
#include "options.h"

enum { OPTION_MACHINE = 0x3300, OPTION_CLOCK, OPTION_CHANGE };

static const struct argp_option options[] = {
    {"machine", OPTION_MACHINE, "NAME|FILE", 0,
     "The machine that is timed: a100 (default, but for blocks: mi100), a100+fhecore, a100+etc, "
     "mi100, mi100+mod, mi100+mod+wmac, gtx580, gtx580+a, gtx580+b, or a file that describes one",
     20},
    {"clock", OPTION_CLOCK, "MHZ", 0, "Another clock than the machine's", 20},
    {"change", OPTION_CHANGE, "LINE", 0,
     "One more line of the machine's description, such as \"op FHEC interval 44\"", 20},
    {0},
};

static double clock_option(const struct argp_state *state, const char *arg) {
    double value;
    if (!fh_parse_real(arg, &value) || !(value >= 1 && value <= 1e5))
        argp_error(state, "--clock: expected MHz from 1 to 100000, not \"%s\"", arg);
    return value;
}

static error_t parse_time(int key, char *arg, struct argp_state *state) {
    struct fh_cli_time_options *o = state->input;
    switch (key) {
    case OPTION_MACHINE: o->machine = arg; return 0;
    case OPTION_CLOCK: o->clock_mhz = clock_option(state, arg); return 0;
    case OPTION_CHANGE:
        o->changes = fh_cli_grow(state, o->changes, o->change_count, sizeof *o->changes);
        o->changes[o->change_count++] = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_time_argp = {options, parse_time, NULL, NULL, NULL, NULL, NULL};

void fh_cli_time_options_free(struct fh_cli_time_options *o) {
    free(o->changes);
    o->changes = NULL;
}

/* ---------------------------------------------------------------- machines */

static bool find(void *user, const char *name, const char **text, const char **file) {
    (void)user;
    for (size_t i = 0; i < fh_machine_file_count; i++)
        if (strcmp(fh_machine_files[i].name, name) == 0) {
            *text = fh_machine_files[i].text;
            *file = fh_machine_files[i].name;
            return true;
        }
    return false;
}

/* Neither a machine nor a file. */
static fhec_status say_none(const struct fh_cli *cli, const char *name) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name, strlen(name));
    for (size_t i = 0; i < fh_machine_file_count; i++)
        fh_nearest_try(&n, fh_machine_files[i].name, strlen(fh_machine_files[i].name));
    return fh_cli_error(cli, FHEC_BAD_INPUT, "there is no machine and no file \"%s\"%s", name,
                        fh_cli_hint(n.best).text);
}

static fhec_status read_machine(const struct fh_cli *cli, const char *name,
                                struct fh_time_machine *machine) {
    const struct fh_time_reading reading = {fh_cli_diagnostic, find, (void *)cli};
    const char *text, *file;
    char *bytes = NULL, why[FH_CLI_WHY];
    size_t length;
    if (find(NULL, name, &text, &file))
        return fh_time_machine_read(file, text, &reading, machine);
    if (!strpbrk(name, "./"))
        return say_none(cli, name);
    if (!fh_cli_try_read(name, FH_CLI_MAX_TEXT, &bytes, &length, why))
        return fh_cli_error(cli, FHEC_HOST_ERROR, "%s: %s", name, why);
    fhec_status status;
    if (memchr(bytes, 0, length))
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "%s is no text", name);
    else
        status = fh_time_machine_read(name, bytes, &reading, machine);
    free(bytes);
    return status;
}

static bool same_rule(const struct fh_time_rule *a, const struct fh_time_rule *b) {
    return a->latency == b->latency && a->interval == b->interval && a->read == b->read;
}

static struct fh_time_rule *find_rule(struct fh_time_machine *m, const struct fh_time_rule *like) {
    for (uint32_t i = 0; i < m->rule_count; i++)
        if (m->rules[i].pipe == like->pipe && strcmp(m->rules[i].name, like->name) == 0)
            return &m->rules[i];
    return NULL;
}

/* pair[0]: without the feature, pair[1]: with it. What the description has changed stays. */
static void take_rules(struct fh_time_machine *pair, struct fh_time_machine *machine) {
    for (uint32_t i = 0; i < pair[1].rule_count; i++) {
        const struct fh_time_rule *with = &pair[1].rules[i], *without = find_rule(&pair[0], with);
        struct fh_time_rule *to = find_rule(machine, with);
        if (without && same_rule(with, without))
            continue;
        if (to && (!without || !same_rule(to, without)))
            continue;
        if (!to && machine->rule_count < FH_TIME_RULES)
            to = &machine->rules[machine->rule_count++];
        if (to)
            *to = *with;
    }
}

/* Gives it the instructions' costs that differ between the tool's machine that it is, or is like,
 * and the one whose name has `suffix` behind that. */
static fhec_status add_feature(const struct fh_cli *cli, const char *suffix,
                               struct fh_time_machine *machine) {
    char names[2][2 * FH_TIME_NAME];
    struct fh_time_machine *pair = calloc(2, sizeof *pair);
    const char *text, *file;
    if (!pair)
        return fh_cli_no_memory(cli);
    snprintf(names[0], sizeof *names, "%s",
             find(NULL, machine->name, &text, &file) ? machine->name : machine->like);
    snprintf(names[1], sizeof *names, "%s%s", names[0], suffix);
    fhec_status status =
        find(NULL, names[1], &text, &file)
            ? FHEC_OK
            : fh_cli_error(
                  cli, FHEC_BAD_INPUT,
                  "--features %s: machine %s is not, and is not like, one of the tool that "
                  "has a variant %s",
                  strrchr(suffix, '+') + 1, machine->name, suffix);
    for (unsigned i = 0; i < 2 && status == FHEC_OK; i++)
        status = read_machine(cli, names[i], &pair[i]);
    if (status == FHEC_OK)
        take_rules(pair, machine);
    free(pair);
    return status;
}

fhec_status fh_cli_time_machine(const struct fh_cli *cli, const struct fh_cli_time_options *o,
                                const char *other, const char *feature,
                                struct fh_time_machine *machine) {
    const struct fh_time_reading reading = {fh_cli_diagnostic, find, (void *)cli};
    fhec_status status = read_machine(cli, o->machine ? o->machine : other, machine);
    if (status == FHEC_OK && feature)
        status = add_feature(cli, feature, machine);
    for (size_t i = 0; i < o->change_count && status == FHEC_OK; i++)
        status = fh_time_machine_set(o->changes[i], &reading, machine);
    if (status == FHEC_OK && o->clock_mhz > 0)
        machine->clock_mhz = o->clock_mhz;
    return status;
}

fhec_status fh_cli_timer_new(const struct fh_cli *cli, const struct fh_cli_time_options *o,
                             struct fh_timer **timer) {
    struct fh_time_machine *machine = malloc(sizeof *machine);
    *timer = NULL;
    if (!machine)
        return fh_cli_no_memory(cli);
    fhec_status status = fh_cli_time_machine(cli, o, "a100", NULL, machine);
    if (status == FHEC_OK && !(*timer = fh_timer_new(machine)))
        status = fh_cli_no_memory(cli);
    free(machine);
    return status;
}
