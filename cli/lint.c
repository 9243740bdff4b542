/*
 * lint.c - fhec lint: whether the scheduling fields of a program are safe on hardware.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char doc[] =
    "Checks the scheduling fields of FILE: a source, a listing or an object."
    "\vReports results that are read before they are there, registers that are overwritten before "
    "they are read, and reuse flags that do not hold, along every path through each kernel. "
    "Instructions of a source that have no prefix have what the assembler fills in. Exit status: "
    "0 when nothing is found, 1 otherwise.";

static const struct argp_option options[] = {
    {"include", 'I', "DIR", 0, "Look for .include files in DIR too", 0},
    {"define", 'D', "NAME=VALUE", 0, "As if by .equ at the top of the file", 0},
    {0},
};

struct lint_options {
    struct fh_cli *cli;
    struct fh_cli_source source;
    const char **include_dirs, **defines;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct lint_options *lint = state->input;
    struct fh_cli_source *source = &lint->source;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = lint->cli; return 0;
    case 'I':
        lint->include_dirs =
            fh_cli_grow(state, lint->include_dirs, source->include_count, sizeof(char *));
        lint->include_dirs[source->include_count++] = arg;
        return 0;
    case 'D':
        if (!strchr(arg, '=') || arg[0] == '=')
            argp_error(state, "-D %s: expected NAME=VALUE", arg);
        lint->defines = fh_cli_grow(state, lint->defines, source->define_count, sizeof(char *));
        lint->defines[source->define_count++] = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (source->path)
            argp_error(state, "one FILE at a time; %s is one more", arg);
        source->path = arg;
        return 0;
    case ARGP_KEY_END:
        if (!source->path)
            argp_error(state, "which FILE?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

fhec_status fh_cli_lint(struct fh_cli *cli, int argc, char **argv) {
    struct lint_options lint = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &lint);
    lint.source.include_dirs = lint.include_dirs;
    lint.source.defines = lint.defines;
    fhec_program *program;
    fhec_status status = fh_cli_load(cli, &lint.source, &program);
    if (status == FHEC_OK) {
        status = fhec_lint(program, fh_cli_diagnostic, cli);
        if (status == FHEC_HOST_ERROR)
            fh_cli_no_memory(cli);
    }
    fhec_program_free(program);
    free(lint.include_dirs);
    free(lint.defines);
    return status;
}
