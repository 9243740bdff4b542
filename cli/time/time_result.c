/*
 * time_result.c - see time_result.h.
 */
#include "time_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "roofline.h"

enum { OPTION_FORMAT = 0x3480, OPTION_TIMELINE, OPTION_WINDOW, OPTION_ROOFLINE, OPTION_CYCLES };

static const struct argp_option options[] = {
    {"format", OPTION_FORMAT, "FORM", 0, "text (default), json or callgrind", 20},
    {"timeline", OPTION_TIMELINE, "FILE", 0,
     "What the SM issued when: events for a trace viewer (.json), or a drawing (.svg)", 21},
    {"timeline-cycles", OPTION_WINDOW, "A,B", 0,
     "Only from cycle A to before B (default: all of them, in a drawing the first 2000)", 21},
    {"roofline", OPTION_ROOFLINE, "FILE", 0,
     "A drawing (.svg) of the kernels under what the machine issues, and moves through L1, L2 and "
     "HBM, at most",
     21},
    {"cycles", OPTION_CYCLES, "CYCLES", 0, "It is an error if there are more cycles, or fewer", 21},
    {0},
};

void fh_cli_pair_option(const struct argp_state *state, const char *option, const char *arg,
                        uint64_t most, uint64_t pair[2]) {
    size_t count;
    uint64_t *list = fh_cli_list_option(state, option, arg, 0, most, &count);
    if (count != 2 || list[0] >= list[1])
        argp_error(state, "%s %s: expected two numbers, the smaller one first", option, arg);
    memcpy(pair, list, 2 * sizeof *list);
    free(list);
}

static double parse_expected(const struct argp_state *state, const char *arg) {
    double value;
    if (!fh_parse_real(arg, &value) || !(value >= 0 && value < 1e15))
        argp_error(state, "--cycles: expected a number of cycles, not \"%s\"", arg);
    return value;
}

static error_t parse_result(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "callgrind", NULL};
    struct fh_cli_time_result *t = state->input;
    switch (key) {
    case OPTION_FORMAT: t->format = fh_cli_choice_option(state, "--format", arg, formats); return 0;
    case OPTION_TIMELINE:
        if (!fh_cli_extension_is(arg, ".json") && !fh_cli_extension_is(arg, ".svg"))
            argp_error(state, "--timeline %s: expected a file .json or .svg", arg);
        t->timeline = arg;
        return 0;
    case OPTION_WINDOW:
        fh_cli_pair_option(state, "--timeline-cycles", arg, UINT64_C(1) << 60, t->window);
        return 0;
    case OPTION_ROOFLINE:
        if (!fh_cli_extension_is(arg, ".svg"))
            argp_error(state, "--roofline %s: expected a file .svg", arg);
        t->roofline = arg;
        return 0;
    case OPTION_CYCLES: t->expected = parse_expected(state, arg); return 0;
    case ARGP_KEY_END:
        if (t->window[1] && !t->timeline)
            argp_error(state, "--timeline-cycles needs --timeline");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_time_result_argp = {options, parse_result, NULL, NULL, NULL, NULL, NULL};

void fh_cli_time_result_free(struct fh_cli_time_result *result) {
    fh_issue_log_free(&result->kept);
}

void fh_cli_time_result_keep(struct fh_cli_time_result *t, struct fh_timer *timer) {
    enum { MOST = 1000000, DRAWN = 2000 };
    if (!t->timeline)
        return;
    const bool drawing = fh_cli_extension_is(t->timeline, ".svg");
    t->kept = (struct fh_issue_log){.to = drawing ? DRAWN : UINT64_MAX, .most = MOST};
    if (t->window[1]) {
        t->kept.from = t->window[0];
        t->kept.to = t->window[1];
    }
    fh_timer_keep(timer, &t->kept);
}

/* The bytes, which it frees, become what `path` will hold, if `fine`. */
static fhec_status write_file(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path, struct fh_trace_bytes *bytes, bool fine) {
    const fhec_status status =
        fine ? fh_cli_output_write(cli, outputs, path, bytes->bytes, bytes->count)
             : fh_cli_no_memory(cli);
    fh_trace_bytes_free(bytes);
    return status;
}

static fhec_status write_timeline(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                                  struct fh_cli_time_result *t, const struct fh_timer *timer) {
    struct fh_trace_bytes bytes = {0};
    const struct fh_time_machine *machine = fh_timer_machine(timer);
    const bool fine = fh_cli_extension_is(t->timeline, ".svg")
                          ? fh_issue_log_svg(&bytes, &t->kept, machine)
                          : fh_issue_log_json(&bytes, &t->kept, machine);
    if (t->kept.left)
        fh_cli_note(cli, "--timeline: %zu instructions are left out; --timeline-cycles chooses",
                    t->kept.left);
    return write_file(cli, outputs, t->timeline, &bytes, fine);
}

static fhec_status write_roofline(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                                  const struct fh_cli_time_result *t,
                                  const struct fh_timer *timer) {
    struct fh_trace_bytes bytes = {0};
    const bool fine = fh_roofline_svg(&bytes, timer);
    return write_file(cli, outputs, t->roofline, &bytes, fine);
}

fhec_status fh_cli_time_result_write(const struct fh_cli *cli, struct fh_cli_time_result *t,
                                     const struct fh_timer *timer) {
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_status status = t->timeline ? fh_cli_output_add(cli, &outputs, t->timeline) : FHEC_OK;
    if (status == FHEC_OK && t->roofline)
        status = fh_cli_output_add(cli, &outputs, t->roofline);
    if (status == FHEC_OK && t->timeline)
        status = write_timeline(cli, &outputs, t, timer);
    if (status == FHEC_OK && t->roofline)
        status = write_roofline(cli, &outputs, t, timer);
    if (status == FHEC_OK)
        return fh_cli_output_commit(cli, &outputs);
    fh_cli_output_discard(&outputs);
    return status;
}

fhec_status fh_cli_time_result_check(const struct fh_cli *cli, double expected, double cycles) {
    if (expected < 0 || fabs(cycles - expected) <= 1e-9 * expected)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_DIFFERS, "%.10g cycles; expected %.10g", cycles, expected);
}
