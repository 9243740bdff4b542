/*
 * trace.c - see trace.h.
 */
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelsim_files.h"
#include "log.h"
#include "message.h"
#include "output.h"
#include "recorder.h"
#include "text.h"

struct fh_cli_trace {
    const char *path; /* NULL: stderr */
    struct fh_cli_outputs file;
    FILE *to;
    struct fh_trace_recorder *recorder;
    struct fh_trace_text text;
    struct fh_trace_log_writer *log;  /* NULL: text */
    struct fh_trace_sink sink;        /* of the text or the log */
    bool chosen;                      /* some of what happens is chosen by options ... */
    bool any;                         /* ... and something was, but for launches and the host */
    int error;                        /* of the first write that failed */
    struct fh_cli_accelsim *accelsim; /* it is for Accel-Sim; all else is unused */
};

bool fh_cli_trace_write(void *file, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, file) == size;
}

static bool write_bytes(void *user, const void *bytes, size_t size) {
    struct fh_cli_trace *trace = user;
    const bool fine = fh_cli_trace_write(trace->to, bytes, size);
    if (!fine && !trace->error)
        trace->error = errno ? errno : EIO;
    return fine;
}

static bool put_record(void *user, struct fh_trace_names *names,
                       const struct fh_trace_record *record) {
    struct fh_cli_trace *trace = user;
    trace->any |= record->kind > FHEC_EVENT_LAUNCH_END && record->kind < FHEC_EVENT_ALLOC;
    return trace->sink.put(trace->sink.user, names, record);
}

static void discard(struct fh_cli_trace *trace) {
    (void)fh_trace_log_end(trace->log, NULL);
    fh_trace_bytes_free(&trace->text.line);
    if (trace->to && trace->to != stderr)
        (void)fclose(trace->to);
    fh_cli_output_discard(&trace->file);
    free(trace);
}

/* A log without its end is none: it appears when it is complete. Text comes as it is printed. */
static fhec_status open_file(const struct fh_cli *cli, struct fh_cli_trace *trace, bool whole) {
    fhec_status status = FHEC_OK;
    trace->to = stderr;
    if (trace->path)
        status = fh_cli_output_add(cli, &trace->file, trace->path);
    if (trace->path && status == FHEC_OK)
        trace->to = fh_cli_output_open(cli, &trace->file, trace->path, whole);
    return trace->to ? status : FHEC_HOST_ERROR;
}

static fhec_status begin(const struct fh_cli *cli, const struct fh_cli_trace_options *options,
                         fhec_machine *machine, struct fh_cli_trace *trace) {
    const struct fh_trace_out out = {trace, write_bytes};
    const bool is_log = options->format == FH_CLI_TRACE_LOG;
    fhec_status status = open_file(cli, trace, is_log);
    if (status != FHEC_OK)
        return status;
    trace->text = (struct fh_trace_text){
        .format = (enum fh_trace_format)options->format,
        .view = {fh_cli_trace_printed(options), fh_trace_select_lanes(&options->select)},
        .out = out,
    };
    for (size_t i = 0; i < FH_TRACE_SUBJECTS; i++)
        trace->chosen |= options->select.counts[i] != 0;
    trace->sink = fh_trace_text_sink(&trace->text);
    if (is_log) {
        trace->log = fh_trace_log_new(out);
        if (!trace->log)
            return fh_cli_no_memory(cli);
        trace->sink = fh_trace_log_sink(trace->log);
    }
    status = fh_trace_record(machine, fh_cli_trace_recorded(options), &options->select,
                             (struct fh_trace_sink){trace, put_record}, &trace->recorder);
    return status == FHEC_OK ? status : fh_cli_no_memory(cli);
}

fhec_status fh_cli_trace_open(const struct fh_cli *cli, const struct fh_cli_trace_options *options,
                              fhec_machine *machine, struct fh_cli_trace **trace) {
    *trace = NULL;
    if (!fh_cli_trace_is_wanted(options))
        return FHEC_OK;
    struct fh_cli_trace *t = calloc(1, sizeof *t);
    if (!t)
        return fh_cli_no_memory(cli);
    t->path = options->path;
    fhec_status status = options->accelsim
                             ? fh_cli_accelsim_open(cli, options, machine, &t->accelsim)
                             : begin(cli, options, machine, t);
    if (status == FHEC_OK)
        *trace = t;
    else
        discard(t);
    return status;
}

fhec_status fh_cli_trace_close(const struct fh_cli *cli, struct fh_cli_trace *trace,
                               bool complete) {
    if (!trace)
        return FHEC_OK;
    if (trace->accelsim) {
        const fhec_status written = fh_cli_accelsim_close(trace->accelsim, complete);
        free(trace);
        return written;
    }
    bool fine =
        !trace->log || fh_trace_log_end(trace->log, fh_trace_recorder_names(trace->recorder));
    trace->log = NULL;
    fine &= fh_trace_record_end(trace->recorder);
    if (fflush(trace->to) != 0 && !trace->error)
        trace->error = errno;
    if (trace->to != stderr && fclose(trace->to) != 0 && !trace->error)
        trace->error = errno;
    trace->to = NULL;
    fhec_status status = FHEC_OK;
    if (!fine || trace->error)
        status = fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s",
                              trace->path ? trace->path : "the trace",
                              strerror(trace->error ? trace->error : ENOMEM));
    else if (trace->path)
        status = fh_cli_output_commit(cli, &trace->file);
    if (status == FHEC_OK && trace->chosen && !trace->any)
        fh_cli_note(cli, "nothing in the launches is what the options of the trace ask for");
    discard(trace);
    return status;
}
