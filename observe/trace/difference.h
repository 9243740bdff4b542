/*
 * difference.h - the first difference between two traces of the same launches, or that of each of
 * some warps. Warps are compared one by one, each with itself in the other trace, so that it does
 * not matter in which order warps and blocks have run.
 */
#ifndef FH_TRACE_DIFFERENCE_H
#define FH_TRACE_DIFFERENCE_H

#include "log.h"

struct fh_trace_difference {
    size_t warps;               /* that differ, as far as the traces have been compared */
    struct fh_trace_bytes text; /* in lines: where, and both values; to be freed */
};

/* Compares what the selection wants of both, until `most` warps differ (at least 1), each from one
 * instruction on. The statuses are those of fh_trace_log_next; `which` is 0 or 1, the log that a
 * status other than FHEC_OK is about. */
fhec_status fh_trace_compare(struct fh_trace_log *logs[2], const struct fh_trace_select *select,
                             size_t most, struct fh_trace_difference *difference, unsigned *which,
                             char *why);

#endif
