/*
 * command_fmt.c - fhec fmt: sources laid out alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "input.h"
#include "message.h"
#include "options.h"
#include "output.h"

static const char doc[] =
    "Lays out each source FILE in place; - lays out standard input onto standard output."
    "\vOnly blanks change, never a line's number, a word of the object or a comment's text. Lines "
    "that are no statements stay as they are, and so do listings. A file that changes is replaced "
    "as a whole, and no file is when one of them cannot be read. Exit status with --check: 0 when "
    "all files are laid out so, 1 otherwise.";

enum { OPTION_CHECK = 1 };
static const struct argp_option options[] = {
    {"check", OPTION_CHECK, NULL, 0, "Change nothing; print the names of files that would change",
     0},
    {0},
};

struct fmt_options {
    struct fh_cli *cli;
    char **files;
    size_t count;
    bool check;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct fmt_options *fmt = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = fmt->cli; return 0;
    case OPTION_CHECK: fmt->check = true; return 0;
    case ARGP_KEY_ARG:
        fmt->files = fh_cli_grow(state, fmt->files, fmt->count, sizeof *fmt->files);
        fmt->files[fmt->count++] = arg;
        return 0;
    case ARGP_KEY_END:
        if (!fmt->count)
            argp_error(state, "FILE is missing");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE...", doc, children, NULL, NULL};

/* What becomes of a file's text. Standard output gets it even if nothing has changed. */
static fhec_status put(const struct fmt_options *fmt, struct fh_cli_outputs *outputs,
                       const char *path, const struct fh_bytes *text, bool changed) {
    if (fmt->check) {
        if (changed)
            puts(path);
        return changed ? FHEC_DIFFERS : FHEC_OK;
    }
    if (!changed && strcmp(path, "-") != 0)
        return FHEC_OK;
    fhec_status status = fh_cli_output_add(fmt->cli, outputs, path);
    if (status == FHEC_OK)
        status = fh_cli_output_write(fmt->cli, outputs, path, text->data, text->count);
    return status;
}

static fhec_status lay_out(const struct fmt_options *fmt, struct fh_cli_outputs *outputs,
                           const char *path) {
    char *text;
    size_t length;
    struct fh_bytes formatted;
    fhec_status status = fh_cli_read_file(fmt->cli, path, &text, &length);
    if (status != FHEC_OK)
        return status;
    if (memchr(text, '\0', length)) {
        status =
            fh_cli_error(fmt->cli, FHEC_BAD_INPUT, "%s: a file with NUL bytes is no text", path);
    } else if (!fh_format_source(text, length, &formatted)) {
        status = fh_cli_no_memory(fmt->cli);
    } else {
        bool changed =
            formatted.count != length || (length && memcmp(formatted.data, text, length) != 0);
        status = put(fmt, outputs, path, &formatted, changed);
        fh_bytes_free(&formatted);
    }
    free(text);
    return status;
}

fhec_status fh_cli_fmt(struct fh_cli *cli, int argc, char **argv) {
    struct fmt_options fmt = {.cli = cli};
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_status worst = FHEC_OK;
    fh_cli_parse(cli, &argp, argc, argv, &fmt);
    for (size_t i = 0; i < fmt.count; i++) {
        fhec_status status = lay_out(&fmt, &outputs, fmt.files[i]);
        worst = status > worst ? status : worst;
    }
    if (worst == FHEC_OK)
        worst = fh_cli_output_commit(cli, &outputs);
    else
        fh_cli_output_discard(&outputs);
    free(fmt.files);
    return worst;
}
