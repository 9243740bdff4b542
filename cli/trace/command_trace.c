/*
 * command_trace.c - fhec trace: logs of `fhec run --trace-format=log`, shown, made smaller,
 * compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays.h"
#include "difference.h"
#include "input.h"
#include "log.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "text.h"
#include "trace.h"

enum { OPTION_OUTPUT = 'o', OPTION_DIFFERENCES = 0x1800 };

struct trace_options {
    struct fh_cli *cli;
    struct fh_cli_trace_options choice;
    const char **paths;
    size_t path_count;
    const char *output; /* of filter */
    size_t differences; /* that diff tells at most: one for each warp */
};

/* ---------------------------------------------------------------- logs */

/* A log, and the bytes that it is read from: a file, or, of what is none, all of it in memory. */
struct opened {
    const char *path;
    int file; /* -1: in memory */
    char *bytes;
    size_t length;
    struct fh_trace_log *log;
};

static bool read_file(void *user, uint64_t offset, void *to, size_t size) {
    const struct opened *o = user;
    for (char *at = to; size;) {
        const ssize_t got = pread(o->file, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

static bool read_memory(void *user, uint64_t offset, void *to, size_t size) {
    const struct opened *o = user;
    if (size)
        memcpy(to, o->bytes + offset, size);
    return true;
}

static void close_log(struct opened *o) {
    fh_trace_log_free(o->log);
    if (o->file >= 0)
        (void)close(o->file);
    free(o->bytes);
}

/* Says what is wrong with the log. */
static fhec_status complain(const struct fh_cli *cli, const struct opened *o, fhec_status status,
                            const char *why) {
    return fh_cli_error(cli, status, "%s: %s", o->path, why);
}

static fhec_status open_log(const struct fh_cli *cli, const char *path, struct opened *o) {
    struct stat found;
    char why[FH_TRACE_WHY];
    *o = (struct opened){.path = path, .file = -1};
    /* A pipe is opened once only: its writer would see that its reader has gone. */
    if (strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISREG(found.st_mode))
        o->file = open(path, O_RDONLY | O_CLOEXEC);
    struct fh_trace_in in = {.user = o, .read = read_file};
    if (o->file >= 0 && fstat(o->file, &found) == 0) {
        in.size = (uint64_t)found.st_size;
    } else {
        fhec_status status = fh_cli_read_data(cli, path, &o->bytes, &o->length);
        if (status != FHEC_OK)
            return status;
        in.read = read_memory;
        in.size = o->length;
    }
    fhec_status status = fh_trace_log_open(&in, &o->log, why);
    if (status == FHEC_OK)
        return FHEC_OK;
    (void)complain(cli, o, status, why);
    close_log(o);
    return status;
}

/* Hands all records that are wanted to the sink. */
static fhec_status copy_records(const struct fh_cli *cli, const struct opened *o,
                                const struct fh_trace_select *select, struct fh_trace_sink sink) {
    const struct fh_trace_record *record;
    char why[FH_TRACE_WHY];
    fhec_status status;
    while ((status = fh_trace_log_next(o->log, select, &record, why)) == FHEC_OK && record)
        if (!sink.put(sink.user, fh_trace_log_names(o->log), record))
            return FHEC_HOST_ERROR; /* which the caller says, or fh_cli_flush */
    return status == FHEC_OK ? status : complain(cli, o, status, why);
}

/* ---------------------------------------------------------------- show, filter, diff */

static fhec_status show(const struct trace_options *t) {
    struct fh_trace_text text = {
        .format = (enum fh_trace_format)t->choice.format,
        .view = {fh_cli_trace_printed(&t->choice), fh_trace_select_lanes(&t->choice.select)},
        .out = {stdout, fh_cli_trace_write},
    };
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < t->path_count && status == FHEC_OK; i++) {
        struct opened o;
        status = open_log(t->cli, t->paths[i], &o);
        if (status != FHEC_OK)
            break;
        status = copy_records(t->cli, &o, &t->choice.select, fh_trace_text_sink(&text));
        close_log(&o);
    }
    if (text.line.failed)
        (void)fh_cli_no_memory(t->cli);
    fh_trace_bytes_free(&text.line);
    return status;
}

/* The records that are wanted as a log. */
static fhec_status filter_into(const struct trace_options *t, const struct opened *o, FILE *to) {
    struct fh_trace_log_writer *writer =
        fh_trace_log_new((struct fh_trace_out){to, fh_cli_trace_write});
    if (!writer)
        return fh_cli_no_memory(t->cli);
    errno = 0;
    fhec_status status = copy_records(t->cli, o, &t->choice.select, fh_trace_log_sink(writer));
    const bool fine =
        fh_trace_log_end(writer, status == FHEC_OK ? fh_trace_log_names(o->log) : NULL);
    if ((status == FHEC_OK || status == FHEC_HOST_ERROR) && (!fine || fflush(to) != 0))
        return fh_cli_error(t->cli, FHEC_HOST_ERROR, "cannot write %s: %s", t->output,
                            strerror(errno ? errno : ENOMEM));
    return status;
}

static fhec_status filter(const struct trace_options *t) {
    struct fh_cli_outputs outputs = {0};
    struct opened o;
    FILE *to = NULL;
    fhec_status status = fh_cli_output_add(t->cli, &outputs, t->output);
    if (status == FHEC_OK)
        status = fh_cli_output_spare(t->cli, &outputs, t->paths[0]);
    if (status == FHEC_OK)
        status = open_log(t->cli, t->paths[0], &o);
    if (status == FHEC_OK) {
        to = fh_cli_output_open(t->cli, &outputs, t->output, true);
        status = to ? filter_into(t, &o, to) : FHEC_HOST_ERROR;
        close_log(&o);
    }
    if (to)
        (void)fclose(to);
    if (status == FHEC_OK)
        return fh_cli_output_commit(t->cli, &outputs);
    fh_cli_output_discard(&outputs);
    return status;
}

static fhec_status diff(const struct trace_options *t) {
    struct opened o[2];
    struct fh_trace_difference difference = {.warps = 0};
    char why[FH_TRACE_WHY];
    unsigned which;
    fhec_status status = open_log(t->cli, t->paths[0], &o[0]);
    if (status != FHEC_OK)
        return status;
    status = open_log(t->cli, t->paths[1], &o[1]);
    if (status == FHEC_OK) {
        struct fh_trace_log *logs[2] = {o[0].log, o[1].log};
        status =
            fh_trace_compare(logs, &t->choice.select, t->differences, &difference, &which, why);
        if (status != FHEC_OK)
            (void)complain(t->cli, &o[which], status, why);
        close_log(&o[1]);
    }
    close_log(&o[0]);
    if (difference.warps)
        (void)fh_cli_trace_write(stdout, difference.text.bytes, difference.text.count);
    fh_trace_bytes_free(&difference.text);
    return status == FHEC_OK && difference.warps ? FHEC_DIFFERS : status;
}

/* ---------------------------------------------------------------- the command line */

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct trace_options *t = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &t->choice;
        state->child_inputs[1] = t->cli;
        return 0;
    case ARGP_KEY_ARG:
        t->paths = fh_cli_grow(state, t->paths, t->path_count, sizeof *t->paths);
        t->paths[t->path_count++] = arg;
        return 0;
    case OPTION_OUTPUT: t->output = arg; return 0;
    case OPTION_DIFFERENCES:
        t->differences = fh_cli_number_option(state, "--differences", arg, 1, SIZE_MAX);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_show(int key, char *arg, struct argp_state *state) {
    const struct trace_options *t = state->input;
    if (key == ARGP_KEY_END && !t->path_count)
        argp_error(state, "expected LOG...");
    return parse_option(key, arg, state);
}

static error_t parse_filter(int key, char *arg, struct argp_state *state) {
    const struct trace_options *t = state->input;
    if (key == ARGP_KEY_END && (t->path_count != 1 || !t->output))
        argp_error(state, "expected LOG -o OUT");
    return parse_option(key, arg, state);
}

static error_t parse_diff(int key, char *arg, struct argp_state *state) {
    const struct trace_options *t = state->input;
    if (key == ARGP_KEY_END && t->path_count != 2)
        argp_error(state, "expected LOG LOG");
    return parse_option(key, arg, state);
}

static const struct argp_option filter_output[] = {
    {"output", OPTION_OUTPUT, "OUT", 0, "The log that is written", 1}, {0}};
static const struct argp_option diff_count[] = {
    {"differences", OPTION_DIFFERENCES, "N", 0,
     "Go on after the first warp that differs, and tell the first difference of up to N", 1},
    {0}};
static const struct argp_child show_children[] = {
    {&fh_cli_trace_show_argp, 0, NULL, 7}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp_child filter_children[] = {
    {&fh_cli_trace_filter_argp, 0, NULL, 8}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};

static const struct {
    const char *name;
    const char *full;
    fhec_status (*run)(const struct trace_options *t);
    struct argp argp;
} commands[] = {
    {"show",
     "fhec trace show",
     show,
     {NULL, parse_show, "LOG...",
      "Prints logs of `fhec run --trace-format=log`, or what of them is wanted.", show_children,
      NULL, NULL}},
    {"filter",
     "fhec trace filter",
     filter,
     {filter_output, parse_filter, "LOG -o OUT",
      "Writes a log with what of LOG is wanted. Faults are, and launches of the kernels that are.",
      filter_children, NULL, NULL}},
    {"diff",
     "fhec trace diff",
     diff,
     {diff_count, parse_diff, "LOG LOG",
      "Finds the first difference between two traces: an instruction that only one of them has, "
      "its lanes, a value that it read or wrote, an address."
      "\vEach warp is compared with itself in the other trace: the order in which warps and blocks "
      "have run does not matter. Addresses in buffers of the same name are equal if they are as "
      "far from their beginnings. Exit status: 0 if there is none, 1 if there is one.",
      filter_children, NULL, NULL}},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to) {
    fputs("Usage: fhec trace show LOG... | filter LOG -o OUT | diff LOG LOG\n"
          "Reads the logs of `fhec run --trace-format=log --trace-file LOG`.\n"
          "`fhec trace show --help` and its like tell more; so does the man page.\n",
          to);
}

fhec_status fh_cli_trace(struct fh_cli *cli, int argc, char **argv) {
    struct trace_options t = {.cli = cli, .differences = 1};
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?"))) {
        print_help(stdout);
        return fh_cli_flush(cli);
    }
    size_t i = 0;
    while (i < COMMANDS && (argc < 2 || strcmp(argv[1], commands[i].name) != 0))
        i++;
    if (i == COMMANDS) {
        if (argc > 1)
            return fh_cli_error(cli, FHEC_BAD_INPUT, "\"%s\": expected show, filter or diff",
                                argv[1]);
        print_help(stderr);
        return FHEC_BAD_INPUT;
    }
    cli->command = commands[i].full;
    fh_cli_parse(cli, &commands[i].argp, argc - 1, argv + 1, &t);
    fhec_status status = commands[i].run(&t);
    fh_cli_trace_options_free(&t.choice);
    free(t.paths);
    return status;
}
