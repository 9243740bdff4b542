/*
 * sweep_draw.h - lines in a field with two axes, as SVG.
 */
#ifndef FH_CLI_SWEEP_DRAW_H
#define FH_CLI_SWEEP_DRAW_H

#include <stddef.h>
#include <stdio.h>

#include "sweep_plot.h"

enum { FH_CLI_SWEEP_MOST_LINES = 48 };

struct fh_cli_sweep_axis_drawing {
    const char *name; /* of the column */
    enum fh_cli_sweep_scale scale;
    double least, most; /* values */
};

struct fh_cli_sweep_drawn {
    char *label;
    struct fh_cli_sweep_point_drawn {
        double x, y;
    } * points;
    size_t count;
};

struct fh_cli_sweep_drawing {
    const char *title;  /* NULL: the axes' names */
    const char *legend; /* names of what tells the lines apart */
    struct fh_cli_sweep_axis_drawing x, y;
    struct fh_cli_sweep_drawn *lines; /* in the order of their first points */
    size_t count;
};

enum fh_cli_sweep_adding { FH_CLI_SWEEP_ADDED, FH_CLI_SWEEP_TWICE, FH_CLI_SWEEP_NO_MEMORY };
/* Adds a point to the line of this label. TWICE: it has one there with another y. */
enum fh_cli_sweep_adding fh_cli_sweep_drawing_add(struct fh_cli_sweep_drawing *drawing,
                                                  const char *label, double x, double y);
/* Sorts the points, finds the ends of the axes, and chooses scales where they are AUTO: logarithmic
 * for x that grow by factors and not by steps, and for y over more than a factor of 30. */
void fh_cli_sweep_drawing_scale(struct fh_cli_sweep_drawing *drawing);
void fh_cli_sweep_draw(const struct fh_cli_sweep_drawing *drawing, FILE *to);
void fh_cli_sweep_drawing_free(struct fh_cli_sweep_drawing *drawing);

#endif
