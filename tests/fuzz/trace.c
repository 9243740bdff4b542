/*
 * trace.c - fuzzing logs of traces: the bytes as a log, or, if they do not begin like one, as the
 * contents of its frames, of which a log is made whose checksums are right.
 */
#include "fuzz.h"
#include "log_format.h"
#include "trace_util.h"

#include <stdlib.h>
#include <string.h>

static const struct fh_trace_select everything;

/* The log's text; how reading it ended. */
static fhec_status read_all(const struct fh_trace_bytes *log, enum fh_trace_format format,
                            struct fh_trace_bytes *text, char why[FH_TRACE_WHY]) {
    struct fh_trace_log *opened;
    fhec_status status = trace_open(log, &opened, why);
    if (status != FHEC_OK)
        return status;
    status = trace_text(opened, &everything, format, text, why);
    fh_trace_log_free(opened);
    return status;
}

/* The log's records in a log of their own. */
static bool copy(const struct fh_trace_bytes *log, struct fh_trace_bytes *to) {
    struct fh_trace_log *opened;
    char why[FH_TRACE_WHY];
    const struct fh_trace_record *record;
    if (trace_open(log, &opened, why) != FHEC_OK)
        return false;
    struct fh_trace_log_writer *writer = fh_trace_log_new((struct fh_trace_out){to, trace_collect});
    bool fine = writer;
    const struct fh_trace_sink sink = fh_trace_log_sink(writer);
    while (fine && fh_trace_log_next(opened, &everything, &record, why) == FHEC_OK && record)
        fine = sink.put(sink.user, fh_trace_log_names(opened), record);
    fine = fh_trace_log_end(writer, fine ? fh_trace_log_names(opened) : NULL) && fine;
    fh_trace_log_free(opened);
    return fine;
}

/* Of a log that can be read: it is the same when it has been written again, and does not differ
 * from itself. */
static const char *check_copy(const struct fh_trace_bytes *log, const struct fh_trace_bytes *text,
                              char why[FH_TRACE_WHY]) {
    struct fh_trace_bytes again = {0}, same = {0};
    const char *wrong = NULL;
    /* It is not written where there is no host memory for it. */
    if (copy(log, &again)) {
        if (read_all(&again, FH_TRACE_JSON, &same, why) != FHEC_OK)
            wrong = "what was written cannot be read";
        else if (same.count != text->count ||
                 (same.count && memcmp(same.bytes, text->bytes, same.count) != 0))
            wrong = "what was written is not what was read";
    }
    fh_trace_bytes_free(&again);
    fh_trace_bytes_free(&same);
    return wrong;
}

static const char *check_difference(const struct fh_trace_bytes *log, char why[FH_TRACE_WHY]) {
    struct fh_trace_log *logs[2] = {NULL, NULL};
    struct fh_trace_difference difference = {.warps = 0};
    const char *wrong = NULL;
    unsigned which;
    if (trace_open(log, &logs[0], why) == FHEC_OK && trace_open(log, &logs[1], why) == FHEC_OK &&
        fh_trace_compare(logs, &everything, 2, &difference, &which, why) == FHEC_OK &&
        difference.warps)
        wrong = "a log differs from itself";
    fh_trace_bytes_free(&difference.text);
    fh_trace_log_free(logs[0]);
    fh_trace_log_free(logs[1]);
    return wrong;
}

const char *fuzz_trace(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    struct fh_trace_bytes log = {0}, text = {0}, other = {0};
    char why[FH_TRACE_WHY] = "";
    const char *wrong = NULL;
    if (length >= FH_MAGIC_BYTES && memcmp(bytes, FH_TRACE_MAGIC, FH_MAGIC_BYTES - 1) == 0)
        fh_trace_put(&log, bytes, length);
    else
        trace_pack(bytes, length, &log);
    const fhec_status status = read_all(&log, FH_TRACE_JSON, &text, why);
    if (status == FHEC_OK) {
        (void)read_all(&log, FH_TRACE_TEXT, &other, why);
        wrong = check_copy(&log, &text, why);
        if (!wrong)
            wrong = check_difference(&log, why);
    } else if (status != FHEC_BAD_INPUT && status != FHEC_HOST_ERROR) {
        wrong = "an unknown status";
    } else if (!*why || !memchr(why, 0, sizeof why)) {
        wrong = "an error without a reason";
    }
    if (wrong)
        memcpy(shown, why, sizeof why);
    fh_trace_bytes_free(&log);
    fh_trace_bytes_free(&text);
    fh_trace_bytes_free(&other);
    return wrong;
}
