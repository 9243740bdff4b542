/*
 * issue_log.h - what one SM issued when: kept while a timer simulates it, and written as events of
 * Chrome's trace viewer or as a drawing.
 */
#ifndef FH_ISSUE_LOG_H
#define FH_ISSUE_LOG_H

#include "profiled_code.h"
#include "time_machine.h"
#include "trace_bytes.h"

/* A warp instruction. Cycles count from the begin of the first launch. */
struct fh_issue_log_event {
    uint64_t begin, end; /* when it issued; when what it does is done */
    uint64_t waited;     /* cycles before it in which its scheduler issued nothing */
    uint32_t word;       /* of its kernel */
    uint16_t slot, warp; /* the place of its block on the SM; its number in the block */
    uint8_t scheduler, unit;
    uint8_t why; /* what it waited for in these cycles: enum fh_time_reason */
};

struct fh_issue_log_launch {
    const struct fh_profiled_kernel *kernel;
    uint64_t begin;
    size_t first; /* its first event */
};

/* All zero at first, but for these: events that begin in [from, to) are kept, `most` at most. */
struct fh_issue_log {
    uint64_t from, to;
    size_t most;
    struct fh_issue_log_event *events;
    size_t count, room;
    struct fh_issue_log_launch *launches;
    size_t launch_count, launch_room;
    size_t left; /* events in the range for which there was no room */
    bool failed; /* no host memory */
};
void fh_issue_log_free(struct fh_issue_log *log);

/* The events that follow are of this launch, which begins at a cycle from which theirs count. */
void fh_issue_log_launch(struct fh_issue_log *log, const struct fh_profiled_kernel *kernel,
                         uint64_t begin);
void fh_issue_log_add(struct fh_issue_log *log, const struct fh_issue_log_event *event);

/* Appended to `to`; false without host memory. Trace Event Format: a process for each scheduler of
 * each launch, a thread for each warp; a cycle is a nanosecond there. */
bool fh_issue_log_json(struct fh_trace_bytes *to, const struct fh_issue_log *log,
                       const struct fh_time_machine *machine);
/* A row for each warp: what it issued, dark, and until when that took, light, coloured by unit. */
bool fh_issue_log_svg(struct fh_trace_bytes *to, const struct fh_issue_log *log,
                      const struct fh_time_machine *machine);

#endif
