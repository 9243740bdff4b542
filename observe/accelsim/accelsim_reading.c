/*
 * accelsim_reading.c - see accelsim_reading.h.
 */
#include "accelsim_reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { AT_ONCE = 1 << 16 };

fhec_status fh_accelsim_wrong(struct fh_accelsim_reader *r, const char *format, ...) {
    va_list args;
    const int length =
        r->line ? snprintf(r->why, sizeof r->why, "%.200s:%u: ", r->in.name, (unsigned)r->line)
                : snprintf(r->why, sizeof r->why, "%.200s: ", r->in.name);
    va_start(args, format);
    vsnprintf(r->why + length, sizeof r->why - (size_t)length, format, args);
    va_end(args);
    return r->status = FHEC_BAD_INPUT;
}

fhec_status fh_accelsim_no_memory(struct fh_accelsim_reader *r) {
    snprintf(r->why, sizeof r->why, "%.200s: no host memory", r->in.name);
    return r->status = FHEC_HOST_ERROR;
}

/* Reads on. What has been taken is forgotten. */
static fhec_status more_bytes(struct fh_accelsim_reader *r) {
    const char *why = NULL;
    size_t got = 0;
    if (r->at) {
        memmove(r->buffer.bytes, r->buffer.bytes + r->at, r->buffer.count - r->at);
        r->buffer.count -= r->at;
        r->at = 0;
    }
    uint8_t *to = fh_trace_extend(&r->buffer, AT_ONCE);
    if (!to)
        return fh_accelsim_no_memory(r);
    const bool fine = r->in.read(r->in.user, to, AT_ONCE, &got, &why);
    r->buffer.count -= AT_ONCE - got;
    if (!fine) {
        snprintf(r->why, sizeof r->why, "%.200s: %s", r->in.name, why);
        return r->status = FHEC_BAD_INPUT;
    }
    r->ended = got == 0;
    return FHEC_OK;
}

fhec_status fh_accelsim_next_line(struct fh_accelsim_reader *r, struct fh_accelsim_line *line,
                                  bool *more) {
    size_t searched = 0;
    *more = false;
    if (r->status != FHEC_OK)
        return r->status;
    for (;;) {
        const size_t left = r->buffer.count - r->at;
        const char *const from = left ? (const char *)r->buffer.bytes + r->at : "";
        const char *const end =
            left > searched ? memchr(from + searched, '\n', left - searched) : NULL;
        if (end) {
            r->at += (size_t)(end - from) + 1;
            r->line++;
            *line = (struct fh_accelsim_line){from, end > from && end[-1] == '\r' ? end - 1 : end};
            searched = 0;
            struct fh_accelsim_line blank = *line;
            if (fh_accelsim_line_ends(&blank))
                continue;
            *more = true;
            return FHEC_OK;
        }
        searched = left;
        if (r->ended && left) {
            r->line++;
            return fh_accelsim_wrong(r, "the line does not end: the file is truncated");
        }
        if (r->ended)
            return FHEC_OK;
        if (left > FH_ACCELSIM_LONGEST) {
            r->line++;
            return fh_accelsim_wrong(r, "the line is longer than %d bytes", FH_ACCELSIM_LONGEST);
        }
        const fhec_status status = more_bytes(r);
        if (status != FHEC_OK)
            return status;
    }
}
