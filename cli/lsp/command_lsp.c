/*
 * command_lsp.c - fhec lsp: what editors are told of sources.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp_files.h"
#include "lsp_server.h"
#include "options.h"

static const char doc[] =
    "Serves an editor with the Language Server Protocol, version 3.17, on standard input and "
    "output."
    "\vDiagnostics are those of `fhec as` and `fhec lint`, the layout that of `fhec fmt`. Exit "
    "status: 0 when the client has said shutdown before it left, else 1.";

static const struct argp_option options[] = {
    {"include", 'I', "DIR", 0, "Look for included files in DIR, too", 0},
    {"define", 'D', "NAME=VALUE", 0, "As if by .equ at the top of each source", 0},
    {"stdio", 's', NULL, OPTION_HIDDEN, NULL, 0}, /* that clients say, and nothing else there is */
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fh_lsp *lsp = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = lsp->cli; return 0;
    case 'I':
        lsp->include_dirs =
            fh_cli_grow(state, lsp->include_dirs, lsp->include_count, sizeof *lsp->include_dirs);
        lsp->include_dirs[lsp->include_count++] = arg;
        return 0;
    case 'D':
        if (!strchr(arg, '=') || arg[0] == '=')
            argp_error(state, "-D %s: expected NAME=VALUE", arg);
        lsp->defines = fh_cli_grow(state, lsp->defines, lsp->define_count, sizeof *lsp->defines);
        lsp->defines[lsp->define_count++] = arg;
        return 0;
    case 's': return 0;
    case ARGP_KEY_ARG: argp_error(state, "no argument is wanted; %s is one", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

fhec_status fh_cli_lsp(struct fh_cli *cli, int argc, char **argv) {
    struct fh_lsp lsp = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &lsp);
    (void)signal(SIGPIPE, SIG_IGN); /* a client that has gone is seen when it is written to */
    fhec_status status = fh_lsp_serve(&lsp, STDIN_FILENO, STDOUT_FILENO);
    fh_lsp_files_free(&lsp);
    json_decref(lsp.published);
    json_decref(lsp.settings);
    free(lsp.include_dirs);
    free(lsp.defines);
    return status;
}
