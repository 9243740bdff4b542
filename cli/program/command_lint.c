/*
 * command_lint.c - fhec lint: whether the scheduling fields of a program are safe on hardware.
 */
#include <stdlib.h>

#include "message.h"
#include "options.h"
#include "program_file.h"

static const char doc[] =
    "Checks the scheduling fields of each FILE: a source, a listing, an object, or all "
    "objects of a library, an executable or a fat binary."
    "\vReports results that are read before they are there, registers that are overwritten before "
    "they are read, and reuse flags that do not hold, along every path through each kernel. "
    "Instructions of a source that have no prefix have what the assembler fills in. Exit status: "
    "0 when nothing is found, 1 otherwise.";

struct lint_options {
    struct fh_cli *cli;
    struct fh_cli_source source;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct lint_options *lint = state->input;
    (void)arg;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = &lint->source;
    state->child_inputs[1] = lint->cli;
    return 0;
}

static const struct argp_child children[] = {
    {&fh_cli_source_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {NULL, parse_option, "FILE...", doc, children, NULL, NULL};

/* The library knows words and locations: the text of a source's line is added here. */
static void finding(void *user, const fhec_diagnostic *d) {
    const struct lint_options *lint = user;
    fhec_diagnostic said = *d;
    char *line = fh_cli_source_line(&lint->source, &d->at);
    said.source_line = line;
    fh_cli_diagnostic(lint->cli, &said);
    free(line);
}

static fhec_status lint_program(void *user, const fhec_program *program) {
    struct lint_options *lint = user;
    fhec_status status = fhec_lint(program, finding, lint);
    return status == FHEC_HOST_ERROR ? fh_cli_no_memory(lint->cli) : status;
}

fhec_status fh_cli_lint(struct fh_cli *cli, int argc, char **argv) {
    struct lint_options lint = {.cli = cli, .source.several = true};
    fh_cli_parse(cli, &argp, argc, argv, &lint);
    fhec_status worst = FHEC_OK;
    size_t index = 0;
    do {
        fhec_status status = fh_cli_load_each(cli, &lint.source, lint_program, &lint);
        worst = status > worst ? status : worst;
    } while (fh_cli_source_next(&lint.source, &index));
    fh_cli_source_free(&lint.source);
    return worst;
}
