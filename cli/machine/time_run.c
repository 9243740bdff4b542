/*
 * time_run.c - see time_run.h.
 */
#include "time_run.h"

#include <stdio.h>

#include "message.h"
#include "options.h"
#include "source_lines.h"
#include "time_report.h"

enum { OPTION_TIME = 0x3500, OPTION_FORMAT };

static const struct argp_option options[] = {
    {"time", OPTION_TIME, "MACHINE", OPTION_ARG_OPTIONAL,
     "Tell how long the launches take on a machine (default a100), as `fhec time` does", 7},
    {"time-format", OPTION_FORMAT, "FORM", 0, "text (default), json or callgrind", 7},
    {0},
};

static error_t parse_time(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "callgrind", NULL};
    struct fh_cli_time_run *time = state->input;
    switch (key) {
    case OPTION_TIME:
        time->wanted = true;
        time->options.machine = arg;
        return 0;
    case OPTION_FORMAT:
        time->format = fh_cli_choice_option(state, "--time-format", arg, formats);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp fh_cli_time_run_argp = {options, parse_time, NULL, NULL, NULL, NULL, NULL};

fhec_status fh_cli_timing_open(const struct fh_cli *cli, const struct fh_cli_time_run *time,
                               fhec_machine_options *machine, struct fh_timer **timer) {
    *timer = NULL;
    if (!time->wanted)
        return FHEC_OK;
    const fhec_status status = fh_cli_timer_new(cli, &time->options, timer);
    if (status == FHEC_OK)
        machine->order = fh_timer_order(*timer);
    return status;
}

fhec_status fh_cli_timing_attach(const struct fh_cli *cli, struct fh_timer *timer,
                                 fhec_machine *machine) {
    return !timer || fh_timer_attach(timer, machine) == FHEC_OK ? FHEC_OK : fh_cli_no_memory(cli);
}

fhec_status fh_cli_times_print(const struct fh_cli *cli, const struct fh_timer *timer,
                               size_t format, FILE *to) {
    struct fh_trace_bytes bytes = {0};
    struct fh_cli_source_lines *sources = fh_cli_source_lines_new();
    const struct fh_profile_sources lines = {sources, fh_cli_line_of};
    const bool fine = sources && (format == 0   ? fh_time_text(&bytes, timer, &lines)
                                  : format == 1 ? fh_time_json(&bytes, timer)
                                                : fh_time_callgrind(&bytes, timer));
    fh_cli_source_lines_free(sources);
    if (fine)
        fwrite(bytes.bytes, 1, bytes.count, to);
    fh_trace_bytes_free(&bytes);
    return fine ? FHEC_OK : fh_cli_no_memory(cli);
}

fhec_status fh_cli_timing_close(const struct fh_cli *cli, const struct fh_cli_time_run *time,
                                struct fh_timer *timer, FILE *to, fhec_status status) {
    if (!timer)
        return status;
    fh_timer_detach(timer);
    fhec_status told = FHEC_OK;
    if (status <= FHEC_DIFFERS)
        told = fh_timer_failed(timer)
                   ? fh_cli_error(cli, FHEC_BAD_INPUT, "%s", fh_timer_failed(timer))
                   : fh_cli_times_print(cli, timer, time->format, to);
    fh_timer_free(timer);
    return told > status ? told : status;
}
