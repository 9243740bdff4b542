/*
 * debug_commands.c - the table of debug_console.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_console.h"
#include "options.h"

/* ---------------------------------------------------------------- moving */

static fhec_status move(struct fh_cli_console *c, const struct fh_move *m) {
    struct fh_debug_stop stop;
    const fhec_status status = fh_debugger_move(c->debugger, m, &stop);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    fh_cli_console_stopped(c, &stop);
    return FHEC_OK;
}

/* The number that is all of the arguments; nothing: 1. */
static fhec_status times(const struct fh_cli_console *c, const char *text, uint64_t *n) {
    *n = 1;
    if (*text && (!fh_cli_number(text, n) || !*n))
        return fh_cli_console_error(c, "\"%s\" is no number of times", text);
    return FHEC_OK;
}

static fhec_status move_times(struct fh_cli_console *c, const char *text, enum fh_move_kind kind,
                              bool back) {
    struct fh_move m = {.kind = kind, .back = back};
    const fhec_status status = times(c, text, &m.times);
    return status == FHEC_OK ? move(c, &m) : status;
}

static fhec_status run_step(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_INSTRUCTION, false);
}
static fhec_status run_next(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_NEXT, false);
}
static fhec_status run_continue(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_CONTINUE, false);
}
static fhec_status run_reverse_step(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_INSTRUCTION, true);
}
static fhec_status run_reverse_next(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_NEXT, true);
}
static fhec_status run_reverse_continue(struct fh_cli_console *c, char *text) {
    return move_times(c, text, FH_MOVE_CONTINUE, true);
}

/* ---------------------------------------------------------------- stops */

static fhec_status run_break(struct fh_cli_console *c, char *text) {
    struct fh_breakpoint b = {.kind = FH_BREAK_LINE, .shown = text};
    uint64_t number;
    unsigned given;
    if (!fh_cli_number(text, &number))
        return fh_cli_console_error(c, "\"%s\" is no line", text);
    b.line = (uint32_t)number;
    const fhec_status status = fh_debugger_add(c->debugger, &b, &given);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    fprintf(c->out, "breakpoint %u, %s\n", given, text);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- looking */

static fhec_status run_print(struct fh_cli_console *c, char *text) {
    const struct fh_focus *f = fh_debugger_focus(c->debugger);
    fhec_session *session = fh_debugger_session(c->debugger);
    uint32_t values[FHEC_WARP_LANES];
    uint64_t number;
    if ((*text != 'R' && *text != 'P') || !fh_cli_number(text + 1, &number))
        return fh_cli_console_error(c, "\"%s\" is no register", text);
    const fhec_register_file file = *text == 'R' ? FHEC_FILE_R : FHEC_FILE_P;
    if (!session || fhec_session_read_register(session, f->block, f->warp, file, (uint32_t)number,
                                               values) != FHEC_OK)
        return fh_cli_console_error(c, "%s cannot be read: the block is not resident", text);
    if (file == FHEC_FILE_P)
        values[f->lane] = values[0] >> f->lane & 1;
    fprintf(c->out, "%s lane %u = 0x%x\n", text, f->lane, values[f->lane]);
    return FHEC_OK;
}

static fhec_status run_quit(struct fh_cli_console *c, char *text) {
    if (*text)
        return fh_cli_console_error(c, "`quit` takes no arguments");
    c->quit = true;
    return FHEC_OK;
}

const struct fh_cli_debug_command fh_cli_debug_commands[] = {
    {"step", "s", "[N]", "issue an instruction of the focus' group of lanes", FH_DEBUG_MOVING, true,
     run_step},
    {"next", "n", "[N]", "the same, over calls and macros", FH_DEBUG_MOVING, true, run_next},
    {"continue", "c", "[N]", "go on to the next stop", FH_DEBUG_MOVING, true, run_continue},
    {"reverse-step", "rs", "[N]", "take back an instruction of the focus' group of lanes",
     FH_DEBUG_MOVING, true, run_reverse_step},
    {"reverse-next", "rn", "[N]", "the same, over calls and macros", FH_DEBUG_MOVING, true,
     run_reverse_next},
    {"reverse-continue", "rc", "[N]", "go back to the last stop before", FH_DEBUG_MOVING, true,
     run_reverse_continue},
    {"break", "b", "LINE", "stop before the first instruction of a line", FH_DEBUG_STOPS, false,
     run_break},
    {"print", "p", "REGISTER", "a register of the focus' lane", FH_DEBUG_LOOKING, true, run_print},
    {"quit", "q", "", "end the debugger", FH_DEBUG_OTHER, false, run_quit},
    {0},
};
