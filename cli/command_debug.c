/*
 * command_debug.c - fhec debug: a terminal for the debugger, or a script.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug_console.h"
#include "debug_target.h"
#include "message.h"
#include "options.h"

static const char doc[] =
    "Runs a kernel of FILE as `fhec run` with the same options does, one instruction or many at a "
    "time, forwards and backwards, and shows what registers and memory hold."
    "\vCommands are read from SCRIPT, then, without --batch, from standard input; `help` lists "
    "them. Exit status: 0, or 3 if the last stop was a fault; 2 if a command of a script was "
    "wrong.";

enum { OPTION_BATCH = 0x2800, OPTION_KEEP_GOING, OPTION_MEMORY };

static const struct argp_option options[] = {
    {"execute", 'x', "SCRIPT", 0, "Run the commands of this file first", 20},
    {"batch", OPTION_BATCH, NULL, 0, "End behind the scripts", 20},
    {"keep-going", OPTION_KEEP_GOING, NULL, 0, "Go on behind a command that is wrong", 20},
    {"memory", OPTION_MEMORY, "BYTES", 0, "How much snapshots may take (default 2G)", 20},
    {0},
};

struct debug {
    struct fh_cli *cli;
    struct fh_cli_run_options run;
    const char **scripts;
    size_t script_count;
    bool batch, keep_going;
    uint64_t memory;
    struct fh_cli_console console;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct debug *debug = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &debug->run; return 0;
    case 'x':
        debug->scripts =
            fh_cli_grow(state, debug->scripts, debug->script_count, sizeof *debug->scripts);
        debug->scripts[debug->script_count++] = arg;
        return 0;
    case OPTION_BATCH: debug->batch = true; return 0;
    case OPTION_KEEP_GOING: debug->keep_going = true; return 0;
    case OPTION_MEMORY:
        debug->memory =
            fh_cli_bytes_option(state, "--memory", arg, UINT64_C(1) << 20, UINT64_C(1) << 46);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_run_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

/* The lines of a file; of a script the first one that is wrong ends it. */
static fhec_status read_lines(struct debug *debug, FILE *file) {
    struct fh_cli_console *c = &debug->console;
    fhec_status status = FHEC_OK;
    char *line = NULL;
    size_t size = 0;
    while (!c->quit && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        const fhec_status one = fh_cli_console_run(c, line);
        if (one != FHEC_OK)
            status = one;
        if (fflush(c->out) != 0 || (one != FHEC_OK && debug->batch && !debug->keep_going))
            break;
    }
    free(line);
    return debug->keep_going && status == FHEC_BAD_INPUT ? FHEC_OK : status;
}

static fhec_status run_script(struct debug *debug, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        return fh_cli_error(debug->cli, FHEC_HOST_ERROR, "cannot read %s: %s", path,
                            strerror(errno));
    const fhec_status status = read_lines(debug, file);
    (void)fclose(file);
    return status;
}

static fhec_status run_console(struct debug *debug) {
    struct fh_cli_console *c = &debug->console;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < debug->script_count && status == FHEC_OK && !c->quit; i++)
        status = run_script(debug, debug->scripts[i]);
    if (status == FHEC_OK && !debug->batch && !c->quit)
        status = read_lines(debug, stdin);
    return status == FHEC_OK ? c->status : status;
}

fhec_status fh_cli_debug(struct fh_cli *cli, int argc, char **argv) {
    struct debug debug = {.cli = cli, .run = {.cli = cli}};
    struct fh_cli_debug_target *target = NULL;
    fh_cli_parse(cli, &argp, argc, argv, &debug);
    fhec_status status = fh_cli_debug_run(cli, &debug.run, debug.memory, &target);
    if (status == FHEC_OK) {
        debug.console = (struct fh_cli_console){.cli = cli,
                                                .commands = fh_cli_debug_commands,
                                                .debugger = fh_cli_debug_debugger(target),
                                                .out = stdout,
                                                .errors = stderr};
        status = run_console(&debug);
        free(debug.console.last);
    }
    fh_cli_debug_close(target);
    fh_cli_run_options_free(&debug.run);
    free(debug.scripts);
    return status;
}
