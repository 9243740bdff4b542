/*
 * time_report.h - what a timer has found, as text, as JSON and for callgrind_annotate and
 * KCachegrind: docs/timing.md.
 */
#ifndef FH_TIME_REPORT_H
#define FH_TIME_REPORT_H

#include "profile_report.h"
#include "timer.h"

/* All launches of all kernels together. */
struct fh_time_total {
    uint64_t cycles, warp_insts, sm_cycles, sm_issued, hbm_bytes, launches;
    double us;
    double ipc;       /* of the simulated SM, while it runs */
    double occupancy; /* resident warps by those that an SM holds, at the most, by sm_cycles */
    uint64_t stalls[FH_TIME_REASONS];
};
void fh_time_total(const struct fh_timer *timer, struct fh_time_total *total);

/* Appended to `to`; false without host memory. The text shows source lines. */
bool fh_time_text(struct fh_trace_bytes *to, const struct fh_timer *timer,
                  const struct fh_profile_sources *sources);
bool fh_time_json(struct fh_trace_bytes *to, const struct fh_timer *timer);
bool fh_time_callgrind(struct fh_trace_bytes *to, const struct fh_timer *timer);

#endif
