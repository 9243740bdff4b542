/*
 * command_debug.c - fhec debug: a kernel, a case of a test, or a workload in the debugger.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug_line.h"
#include "debug_screen.h"
#include "debug_target.h"
#include "message.h"
#include "options.h"
#include "other_command.h"

static const char doc[] =
    "Runs a kernel of FILE as `fhec run` with the same options does, one instruction or many at a "
    "time, forwards and backwards, and shows what registers and memory hold. With the name of "
    "another command and its options instead of FILE, that is what is debugged: `fhec debug ckks "
    "hemult --limbs 27`, `fhec debug test FILE:CASE`."
    "\vCommands are read from SCRIPT, then, without --batch, from standard input; a batch without "
    "SCRIPT reads that, too. `help` lists them. Exit status: 0, or 3 if the last stop was a fault; "
    "of a batch, 2 if a command was wrong.";

enum { OPTION_BATCH = 0x2800, OPTION_KEEP_GOING, OPTION_MEMORY, OPTION_TEST, OPTION_TUI };

static const struct argp_option options[] = {
    {"execute", 'x', "SCRIPT", 0, "Run the commands of this file first", 20},
    {"batch", OPTION_BATCH, NULL, 0, "End behind the scripts, or the input, and at a wrong command",
     20},
    {"keep-going", OPTION_KEEP_GOING, NULL, 0, "Go on behind a command that is wrong", 20},
    {"memory", OPTION_MEMORY, "BYTES", 0, "How much snapshots may take (default 2G)", 20},
    {"tui", OPTION_TUI, NULL, 0, "The whole terminal: source, registers, memory, console", 20},
    {"test", OPTION_TEST, "FILE:CASE", 0, "Debug this case of `fhec test`", 20},
    {0},
};

struct debug {
    struct fh_cli *cli;
    struct fh_cli_run_options run;
    struct fh_cli_debug_line line;
    struct fh_cli_debug_face face;
    char *test;
};

static error_t parse_own(int key, char *arg, struct argp_state *state) {
    struct debug *debug = state->input;
    struct fh_cli_debug_line *line = &debug->line;
    switch (key) {
    case 'x':
        line->scripts =
            fh_cli_grow(state, line->scripts, line->script_count, sizeof *line->scripts);
        line->scripts[line->script_count++] = arg;
        return 0;
    case OPTION_BATCH: line->batch = true; return 0;
    case OPTION_KEEP_GOING: line->keep_going = true; return 0;
    case OPTION_MEMORY:
        debug->face.memory =
            fh_cli_bytes_option(state, "--memory", arg, UINT64_C(1) << 20, UINT64_C(1) << 46);
        return 0;
    case OPTION_TEST: debug->test = arg; return 0;
    case OPTION_TUI:
        if (!fh_cli_debug_has_screen())
            argp_error(
                state,
                "--tui: this fhec was built without ncurses (Debian and Ubuntu: libncurses-dev)");
        debug->face.run = fh_cli_debug_screen;
        return 0;
    case ARGP_KEY_END:
        if (line->batch && debug->face.run == fh_cli_debug_screen)
            argp_error(state, "--tui goes without --batch");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct debug *debug = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = &debug->run;
        return 0;
    }
    return parse_own(key, arg, state);
}

static const char usage[] = "FILE\nntt|bconv|eltwise|ckks|bigint|test ...";
static const struct argp_child children[] = {{&fh_cli_run_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, usage, doc, children, NULL, NULL};
static const struct argp own_argp = {options, parse_own, usage, doc, NULL, NULL, NULL};

/* ---------------------------------------------------------------- other commands */

/* Which command the first argument names that is no option of this one; NULL: none. */
static const struct fh_cli_other *find_other(int argc, char **argv) {
    for (int i = 1; i < argc;) {
        const int own = fh_cli_own_option(options, argv[i], i + 1 < argc);
        if (!own)
            return fh_cli_other_find(argv[i]);
        if (!strncmp(argv[i], "--test", 6))
            return fh_cli_other_find("test");
        i += own;
    }
    return NULL;
}

/* Options of this command may stand anywhere; all others are the other's. */
static fhec_status debug_other(struct debug *debug, int argc, char **argv,
                               const struct fh_cli_other *other) {
    struct fh_cli_split split;
    fhec_status status = fh_cli_split(debug->cli, options, argc, argv, 0, &split);
    if (status == FHEC_OK) {
        fh_cli_parse(debug->cli, &own_argp, split.mine_count, split.mine, debug);
        if (debug->test) { /* as if `test FILE:CASE` had been written */
            memmove(split.theirs + 2, split.theirs,
                    (size_t)split.their_count * sizeof(*split.theirs));
            split.theirs[0] = argv[0];
            split.theirs[1] = debug->test;
            split.their_count += 2;
        }
        status = fh_cli_other_run(debug->cli, other, &split);
    }
    fh_cli_split_free(&split);
    return status;
}

/* ---------------------------------------------------------------- fhec run */

static fhec_status debug_run(struct debug *debug) {
    struct fh_cli_debug_target *target = NULL;
    fhec_status status = fh_cli_debug_run(debug->cli, &debug->run, debug->face.memory, &target);
    if (status == FHEC_OK)
        status = debug->face.run(debug->face.user, debug->cli, fh_cli_debug_debugger(target));
    fh_cli_debug_close(target);
    return status;
}

fhec_status fh_cli_debug(struct fh_cli *cli, int argc, char **argv) {
    struct debug debug = {.cli = cli, .run = {.cli = cli}};
    const struct fh_cli_other *other = find_other(argc, argv);
    fhec_status status;
    debug.face = (struct fh_cli_debug_face){.run = fh_cli_debug_line, .user = &debug.line};
    cli->debug = &debug.face;
    if (other) {
        status = debug_other(&debug, argc, argv, other);
    } else {
        fh_cli_parse(cli, &argp, argc, argv, &debug);
        status = debug_run(&debug);
        fh_cli_run_options_free(&debug.run);
    }
    free(debug.line.scripts);
    cli->debug = NULL;
    return status;
}

fhec_status fh_cli_debug_fault(struct fh_cli *cli, int argc, char **argv) {
    const struct fh_move move = {.kind = FH_MOVE_CONTINUE};
    struct fh_cli_run_options given = {.cli = cli};
    struct fh_cli_debug_target *target = NULL;
    struct fh_debug_stop stop;
    fh_cli_run_options_parse(cli, argc, argv, &given);
    fhec_status status = fh_cli_debug_run(cli, &given, 0, &target);
    if (status == FHEC_OK) {
        struct fh_debugger *debugger = fh_cli_debug_debugger(target);
        status = fh_debugger_move(debugger, &move, &stop);
        status = status == FHEC_OK
                     ? fh_cli_debug_terminal.run(fh_cli_debug_terminal.user, cli, debugger)
                     : fh_cli_error(cli, status, "%s", fh_debugger_error(debugger));
    }
    fh_cli_debug_close(target);
    fh_cli_run_options_free(&given);
    return status;
}
