/*
 * json.h - records as JSON: one object a line, whose keys docs/man/fhec-trace.1 lists.
 */
#ifndef FH_TRACE_JSON_H
#define FH_TRACE_JSON_H

#include "describe.h"
#include "trace_bytes.h"

/* Appends the record; nothing if it is not shown. */
void fh_trace_json(struct fh_trace_bytes *to, const struct fh_trace_view *view,
                   struct fh_trace_names *names, const struct fh_trace_record *record);

#endif
