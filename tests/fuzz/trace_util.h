/*
 * trace_util.h - what the tests of traces share: logs in memory, their text, and logs taken apart.
 */
#ifndef FH_TESTS_TRACE_UTIL_H
#define FH_TESTS_TRACE_UTIL_H

#include "difference.h"
#include "log.h"
#include "recorder.h"
#include "text.h"

/* A fh_trace_out whose user is a fh_trace_bytes. */
bool trace_collect(void *user, const void *bytes, size_t size);

/* The log in `bytes`, which must live as long. */
fhec_status trace_open(const struct fh_trace_bytes *bytes, struct fh_trace_log **log, char *why);

/* Appends the text of what the selection wants of the log, in the format, with all parts. */
fhec_status trace_text(struct fh_trace_log *log, const struct fh_trace_select *select,
                       enum fh_trace_format format, struct fh_trace_bytes *text, char *why);

/* The frames of a log with what they hold as it is, one after another: type, length in four bytes,
 * contents. False if there is something else. */
bool trace_unpack(const struct fh_trace_bytes *log, struct fh_trace_bytes *unpacked);
/* A log of such frames, with checksums and an end that are right. Frames compress to other sizes
 * than they had, so only the first one is where the index says. */
void trace_pack(const uint8_t *unpacked, size_t length, struct fh_trace_bytes *log);

#endif
