/*
 * sweep_plot.h - two columns of results as lines, a line for each value of other columns.
 */
#ifndef FH_CLI_SWEEP_PLOT_H
#define FH_CLI_SWEEP_PLOT_H

#include "sweep_view.h"

enum fh_cli_sweep_scale { FH_CLI_SWEEP_AUTO, FH_CLI_SWEEP_LINEAR, FH_CLI_SWEEP_LOG };

struct fh_cli_sweep_plot {
    const char *path; /* of the SVG file; NULL: none is wanted */
    const char *x, *y;
    const char *series[FH_CLI_SWEEP_MOST_COLUMNS]; /* columns; none given: what else varies */
    size_t series_count;
    bool series_given;
    enum fh_cli_sweep_scale x_scale, y_scale;
    const char *title; /* NULL: none */
};

/* The drawing. FHEC_BAD_INPUT, said: there is nothing to draw, or one line would have two values at
 * one place. */
fhec_status fh_cli_sweep_plot_write(const struct fh_cli_sweep_view *view,
                                    const struct fh_cli_sweep_plot *plot, FILE *to);

#endif
