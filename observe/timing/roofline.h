/*
 * roofline.h - kernels under the roofs of a machine: warp instructions a second against warp
 * instructions per sector of 32 bytes, for L1, L2 and HBM (Ding and Williams, PMBS 2019: An
 * instruction roofline model for GPUs).
 */
#ifndef FH_ROOFLINE_H
#define FH_ROOFLINE_H

#include "timer.h"
#include "trace_bytes.h"

enum fh_roofline_level { FH_ROOFLINE_L1, FH_ROOFLINE_L2, FH_ROOFLINE_HBM, FH_ROOFLINE_LEVELS };
const char *fh_roofline_level_name(enum fh_roofline_level level); /* "L1", "L2", "HBM" */

/* What all schedulers issue at most, and all sectors that come through a level: 10^9 a second. */
double fh_roofline_issue(const struct fh_time_machine *machine);
double fh_roofline_sectors(const struct fh_time_machine *machine, enum fh_roofline_level level);

/* A kernel, without what its launches take beside: 10^9 warp instructions a second, and for each
 * sector of the level, 0 where it moves none. */
double fh_roofline_rate(const struct fh_timed_kernel *kernel,
                        const struct fh_time_machine *machine);
double fh_roofline_intensity(const struct fh_timed_kernel *kernel, enum fh_roofline_level level);
/* What it reaches at most under the lowest of its roofs. *level is that one's, or
 * FH_ROOFLINE_LEVELS if it is that of issues. */
double fh_roofline_attainable(const struct fh_timed_kernel *kernel,
                              const struct fh_time_machine *machine, enum fh_roofline_level *level);

/* Both axes are logarithmic. Appended to `to`; false without host memory. */
bool fh_roofline_svg(struct fh_trace_bytes *to, const struct fh_timer *timer);

#endif
