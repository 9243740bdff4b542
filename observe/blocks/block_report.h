/*
 * block_report.h - a plan as text, as JSON and as a Gantt chart: docs/blocks.md explains them.
 */
#ifndef FH_BLOCK_REPORT_H
#define FH_BLOCK_REPORT_H

#include "block_plan.h"
#include "time_machine.h"
#include "trace_bytes.h"

/* What the plan was made of. */
struct fh_block_view {
    const struct fh_block_graph *graph;
    const struct fh_block_cost *costs; /* of each block */
    const struct fh_tiles *tiles;
    const struct fh_tiling *tiling;
    const struct fh_time_machine *described; /* without features */
    const struct fh_block_machine *machine;
    const struct fh_block_plan *plan;
    const char *features; /* "cnoc, mod", "" */
    double sms_of_engine;
};

/* False: no host memory. */
bool fh_block_text(struct fh_trace_bytes *to, const struct fh_block_view *view);
bool fh_block_json(struct fh_trace_bytes *to, const struct fh_block_view *view);
/* A row for each engine, from the left to the right the plan's time. */
bool fh_block_gantt(struct fh_trace_bytes *to, const struct fh_block_view *view);

#endif
