/*
 * debug_moving.c - commands that move, forwards and backwards.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"

static fhec_status move(struct fh_cli_console *c, const struct fh_move *m) {
    struct fh_debug_stop stop;
    const fhec_status status = fh_debugger_move(c->debugger, m, &stop);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    fh_cli_console_stopped(c, &stop);
    return FHEC_OK;
}

/* The number that is all of the arguments; nothing: 1. */
static fhec_status move_times(struct fh_cli_console *c, char *text, enum fh_move_kind kind,
                              bool back) {
    struct fh_move m = {.kind = kind, .back = back, .times = 1};
    if (*text && (!fh_cli_debug_number(text, &m.times) || !m.times))
        return fh_cli_console_error(c, "\"%s\" is no number of times", text);
    return move(c, &m);
}

fhec_status fh_cli_debug_step(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_INSTRUCTION, false);
}
fhec_status fh_cli_debug_next(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_NEXT, false);
}
fhec_status fh_cli_debug_continue(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_CONTINUE, false);
}
fhec_status fh_cli_debug_finish(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_FINISH, false);
}
fhec_status fh_cli_debug_count(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_COUNT, false);
}
fhec_status fh_cli_debug_reverse_step(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_INSTRUCTION, true);
}
fhec_status fh_cli_debug_reverse_next(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_NEXT, true);
}
fhec_status fh_cli_debug_reverse_continue(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_CONTINUE, true);
}
fhec_status fh_cli_debug_reverse_finish(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_FINISH, true);
}
fhec_status fh_cli_debug_reverse_count(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_COUNT, true);
}

static fhec_status move_until(struct fh_cli_console *c, char *text, enum fh_move_kind kind) {
    struct fh_breakpoint b = {.shown = "until"};
    const struct fh_move m = {.kind = kind, .until = &b};
    const fhec_status status = fh_cli_debug_read_location(c, text, &b);
    return status == FHEC_OK ? move(c, &m) : status;
}

fhec_status fh_cli_debug_until(struct fh_cli_console *c, char *text) {
    return move_until(c, text, FH_MOVE_UNTIL);
}
fhec_status fh_cli_debug_run_to(struct fh_cli_console *c, char *text) {
    return move_until(c, text, FH_MOVE_RUN_TO);
}

/* "[LAUNCH:]COUNT", "begin", "end"; launches count from 1 for people. */
fhec_status fh_cli_debug_goto(struct fh_cli_console *c, char *text) {
    const size_t launches = fh_debugger_launch_count(c->debugger);
    struct fh_move m = {.kind = FH_MOVE_GOTO, .to = fh_debugger_time(c->debugger)};
    uint64_t launch = m.to.launch + 1;
    char *colon = strchr(text, ':');
    m.to.count = 0;
    if (colon)
        *colon = '\0';
    if (!strcmp(text, "begin")) {
        launch = 1;
    } else if (!strcmp(text, "end")) {
        launch = launches + 1;
    } else if (!fh_cli_debug_number(colon ? colon + 1 : text, &m.to.count) ||
               (colon && !fh_cli_debug_number(text, &launch))) {
        return fh_cli_console_error(c, "where? COUNT of instructions, LAUNCH:COUNT, begin or end");
    }
    if (!launch || launch > launches + 1 || (launch > launches && m.to.count))
        return fh_cli_console_error(c, "there are %zu launches", launches);
    m.to.launch = (size_t)launch - 1;
    m.back = fh_debug_time_compare(m.to, fh_debugger_time(c->debugger)) < 0;
    return move(c, &m);
}

/* To the beginning of a launch, which is said unless more follows. */
static fhec_status go_to_launch(struct fh_cli_console *c, size_t launch, bool said) {
    struct fh_debug_stop stop;
    const struct fh_debug_time to = {launch, 0};
    const struct fh_move m = {.kind = FH_MOVE_GOTO,
                              .back = fh_debug_time_compare(to, fh_debugger_time(c->debugger)) < 0,
                              .to = to};
    const fhec_status status = fh_debugger_move(c->debugger, &m, &stop);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    if (said)
        fh_cli_console_stopped(c, &stop);
    return FHEC_OK;
}

fhec_status fh_cli_debug_run_again(struct fh_cli_console *c, char *text) {
    if (*text)
        return fh_cli_console_error(c, "`run` takes no arguments");
    const fhec_status status = go_to_launch(c, 0, false);
    return status == FHEC_OK ? move(c, &(struct fh_move){.kind = FH_MOVE_CONTINUE}) : status;
}

fhec_status fh_cli_debug_restart(struct fh_cli_console *c, char *text) {
    const size_t launch = fh_debugger_time(c->debugger).launch;
    if (*text)
        return fh_cli_console_error(c, "`restart` takes no arguments");
    return go_to_launch(c, launch, true);
}

/* ---------------------------------------------------------------- who wrote this */

/* `access` 0: another origin. */
static fhec_status find(struct fh_cli_console *c, char *text, unsigned access, bool back) {
    struct fh_breakpoint b = {.shown = "last", .access = access};
    struct fh_debug_stop stop;
    fhec_status status = fh_cli_debug_read_target(c, text, &b);
    if (status == FHEC_OK && !access)
        status = fh_cli_debug_origin_target(c, &b);
    if (status != FHEC_OK)
        return status;
    status = fh_debugger_find(c->debugger, &b, back, &stop);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    fh_cli_console_stopped(c, &stop);
    return FHEC_OK;
}

/* "write TARGET", "read TARGET", "change TARGET", "use TARGET", "origin TARGET". */
static fhec_status find_access(struct fh_cli_console *c, char *text, bool back) {
    const char *word = fh_cli_debug_word(&text);
    if (!strcmp(word, "write"))
        return find(c, text, FHEC_ACCESS_WRITE, back);
    if (!strcmp(word, "change"))
        return find(c, text, FHEC_ACCESS_CHANGE, back);
    if (!strcmp(word, "read") || !strcmp(word, "use"))
        return find(c, text, FHEC_ACCESS_READ, back);
    if (!strcmp(word, "origin"))
        return find(c, text, 0, back);
    return fh_cli_console_error(c, "write, change, use or origin of what? `help %s`",
                                back ? "last" : "first");
}

fhec_status fh_cli_debug_last(struct fh_cli_console *c, char *text) {
    return find_access(c, text, true);
}
fhec_status fh_cli_debug_first(struct fh_cli_console *c, char *text) {
    return find_access(c, text, false);
}
