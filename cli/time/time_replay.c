/*
 * time_replay.c - see time_replay.h.
 */
#include "time_replay.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "message.h"
#include "options.h"
#include "packed_file.h"
#include "time_report.h"
#include "time_result.h"
#include "time_run.h"
#include "trace_replay.h"

static const char doc[] =
    "Tells how long the launches take that traces for Accel-Sim tell of, as `fhec time` does."
    "\vDIR has a list, kernelslist.g, and the files that it names, as `fhec run "
    "--trace=accelsim:DIR` writes them, or NVBit's tracer; DIR may be another list, or one file "
    ".traceg or .traceg.xz. docs/accelsim.md tells what such traces say, and what they do not.";

enum { OPTION_FROM = 0x34c0 };
static const struct argp_option options[] = {
    {"from", OPTION_FROM, "DIR", 0, "The folder of the traces", 19}, {0}};

struct replayed {
    struct fh_cli *cli;
    const char *from;
    struct fh_cli_time_options time;
    struct fh_cli_time_result result;
    struct fh_timer *timer;
    struct fh_trace_replay *replay;
    char *folder;     /* with the slash behind it */
    const char *list; /* that names the files; NULL: none does */
    unsigned line;    /* of it */
    char *path;       /* of the file that is read */
    FILE *file;
    struct fh_cli_packed *packed;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct replayed *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->time;
        state->child_inputs[1] = &r->result;
        state->child_inputs[2] = r->cli;
        return 0;
    case OPTION_FROM: r->from = arg; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_time_argp, 0, NULL, 0},
                                             {&fh_cli_time_result_argp, 0, NULL, 0},
                                             {&fh_cli_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- files */

static bool is_trace(const char *name) {
    return fh_cli_extension_is(name, ".traceg") || fh_cli_extension_is(name, ".traceg.xz");
}

/* What is wrong with the file at `path`, and where a list names it. */
static fhec_status wrong_file(const struct replayed *r, fhec_status status, const char *why) {
    if (!r->list)
        return fh_cli_error(r->cli, status, "%s: %s", r->path, why);
    return fh_cli_error(r->cli, status, "%s:%u: %s: %s", r->list, r->line, r->path, why);
}

static bool read_bytes(void *user, void *bytes, size_t size, size_t *got, const char **why) {
    struct replayed *r = user;
    return fh_cli_packed_read(r->packed, bytes, size, got, why);
}

static void close_file(void *user) {
    struct replayed *r = user;
    fh_cli_packed_free(r->packed);
    r->packed = NULL;
    if (r->file)
        (void)fclose(r->file);
    r->file = NULL;
}

static bool open_file(void *user, struct fh_accelsim_in *in) {
    struct replayed *r = user;
    *in = (struct fh_accelsim_in){.name = r->path, .user = r, .read = read_bytes};
    r->file = fopen(r->path, "rbe");
    if (!r->file) {
        (void)wrong_file(r, FHEC_HOST_ERROR, strerror(errno));
        return false;
    }
    r->packed = fh_cli_packed_reader(r->file, fh_cli_is_packed_name(r->path));
    if (!r->packed) {
        (void)fh_cli_no_memory(r->cli);
        close_file(r);
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- launches */

/* A trace is read twice: first for its code. */
static bool reads_again(const char *path) {
    struct stat found;
    return stat(path, &found) != 0 || S_ISREG(found.st_mode);
}

static fhec_status replay(struct replayed *r, const char *folder, const char *name, size_t length) {
    const struct fh_trace_replay_source source = {r, open_file, close_file};
    const size_t size = strlen(folder) + length + 1;
    free(r->path);
    r->path = malloc(size);
    if (!r->path)
        return fh_cli_no_memory(r->cli);
    snprintf(r->path, size, "%s%.*s", folder, (int)length, name);
    if (!is_trace(r->path))
        return wrong_file(r, FHEC_BAD_INPUT, "expected a file .traceg or .traceg.xz");
    if (!reads_again(r->path))
        return wrong_file(r, FHEC_BAD_INPUT, "expected a regular file: a trace is read twice");
    if (fh_cli_is_packed_name(r->path) && fh_cli_packed_missing())
        return wrong_file(r, FHEC_BAD_INPUT, fh_cli_packed_missing());
    const fhec_status status = fh_trace_replay_launch(r->replay, &source);
    const char *why = fh_trace_replay_why(r->replay);
    return status != FHEC_OK && *why ? fh_cli_error(r->cli, status, "%s", why) : status;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* A line of the list. */
static fhec_status run_command(struct replayed *r, const char *line, const char *end,
                               size_t *launches) {
    struct fh_accelsim_command command;
    while (line < end && is_blank(*line))
        line++;
    while (line < end && is_blank(end[-1]))
        end--;
    const size_t length = (size_t)(end - line);
    const char *wrong = fh_accelsim_command(line, length, &command);
    if (wrong)
        return fh_cli_error(r->cli, FHEC_BAD_INPUT, "%s:%u: %s", r->list, r->line, wrong);
    if (command.kind != FH_ACCELSIM_LAUNCH)
        return FHEC_OK;
    ++*launches;
    return replay(r, r->folder, line, length);
}

/* All launches of a list, in order. */
static fhec_status run_list(struct replayed *r, const char *list) {
    char *text = NULL;
    size_t length, launches = 0;
    fhec_status status = fh_cli_read_file(r->cli, list, &text, &length);
    r->list = list;
    r->line = 1;
    for (const char *at = text; status == FHEC_OK && at < text + length; r->line++) {
        const char *end = memchr(at, '\n', (size_t)(text + length - at));
        if (!end)
            status =
                fh_cli_error(r->cli, FHEC_BAD_INPUT,
                             "%s:%u: the line does not end: the file is truncated", list, r->line);
        else
            status = run_command(r, at, end, &launches);
        at = end ? end + 1 : text + length;
    }
    free(text);
    if (status == FHEC_OK && !launches)
        status = fh_cli_error(r->cli, FHEC_BAD_INPUT, "%s: there are no launches", list);
    return status;
}

/* The folder that a list lies in becomes r->folder. */
static bool set_folder(struct replayed *r, const char *list) {
    const char *slash = strrchr(list, '/');
    const size_t length = slash ? (size_t)(slash - list) + 1 : 0;
    r->folder = malloc(length + 1);
    if (!r->folder)
        return false;
    memcpy(r->folder, list, length);
    r->folder[length] = '\0';
    return true;
}

static fhec_status run_all(struct replayed *r) {
    struct stat found;
    const bool is_folder = stat(r->from, &found) == 0 && S_ISDIR(found.st_mode);
    if (!is_folder && is_trace(r->from))
        return replay(r, "", r->from, strlen(r->from));
    const size_t size = strlen(r->from) + sizeof "/kernelslist.g";
    char *list = malloc(size);
    if (!list)
        return fh_cli_no_memory(r->cli);
    snprintf(list, size, "%s%s", r->from, is_folder ? "/kernelslist.g" : "");
    const fhec_status status = set_folder(r, list) ? run_list(r, list) : fh_cli_no_memory(r->cli);
    free(list);
    return status;
}

static fhec_status tell(struct replayed *r) {
    struct fh_time_total total;
    fhec_status status = fh_cli_time_result_write(r->cli, &r->result, r->timer);
    if (status == FHEC_OK)
        status = fh_cli_times_print(r->cli, r->timer, r->result.format, stdout);
    fh_time_total(r->timer, &total);
    return status == FHEC_OK
               ? fh_cli_time_result_check(r->cli, r->result.expected, (double)total.cycles)
               : status;
}

fhec_status fh_cli_time_replay(struct fh_cli *cli, int argc, char **argv) {
    struct replayed r = {.cli = cli, .result.expected = -1};
    fh_cli_parse(cli, &argp, argc, argv, &r);
    fhec_status status = fh_cli_timer_new(cli, &r.time, &r.timer);
    if (status == FHEC_OK && !(r.replay = fh_trace_replay_new(r.timer)))
        status = fh_cli_no_memory(cli);
    if (status == FHEC_OK) {
        fh_cli_time_result_keep(&r.result, r.timer);
        status = run_all(&r);
    }
    if (status == FHEC_OK)
        status = tell(&r);
    fh_timer_free(r.timer);
    fh_trace_replay_free(r.replay);
    fh_cli_time_result_free(&r.result);
    fh_cli_time_options_free(&r.time);
    free(r.folder);
    free(r.path);
    return status;
}
