/*
 * sweep_plot.c - see sweep_plot.h: what is drawn. sweep_draw.c draws it.
 */
#include "sweep_plot.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "sweep_draw.h"

struct gathering {
    const struct fh_cli_sweep_view *view;
    const struct fh_cli_sweep_plot *plot;
    struct fh_cli_sweep_drawing drawing;
    size_t rows;
};

/* The values of the series' columns: "fhec16, 27". NULL: no memory. */
static char *label_of(const struct fh_cli_sweep_plot *plot, const struct fh_cli_sweep_line *line) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    for (size_t i = 0; to && i < plot->series_count; i++) {
        json_t *cell = fh_cli_sweep_cell(line, plot->series[i]);
        char *other = json_is_string(cell) ? NULL : json_dumps(cell, JSON_ENCODE_ANY);
        const char *value = json_is_null(cell) ? "-" : other ? other : json_string_value(cell);
        fprintf(to, "%s%s", i ? ", " : "", value ? value : "?");
        free(other);
        json_decref(cell);
    }
    if (to && fclose(to) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Adds a point. False: the line has another value there already, or no memory. */
static fhec_status add_point(struct gathering *gathering, const char *label, double x, double y) {
    const struct fh_cli *cli = gathering->view->cli;
    switch (fh_cli_sweep_drawing_add(&gathering->drawing, label, x, y)) {
    case FH_CLI_SWEEP_ADDED: return FHEC_OK;
    case FH_CLI_SWEEP_TWICE:
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--plot: at %s = %g the line \"%s\" would have two values of %s; what "
                            "do they differ in? --series takes it, --where leaves out the rest",
                            gathering->plot->x, x, label, gathering->plot->y);
    default: return fh_cli_no_memory(cli);
    }
}

static fhec_status gather_line(void *user, const struct fh_cli_sweep_line *line) {
    struct gathering *gathering = user;
    json_t *x = fh_cli_sweep_cell(line, gathering->plot->x);
    json_t *y = fh_cli_sweep_cell(line, gathering->plot->y);
    fhec_status status = FHEC_OK;
    gathering->rows++;
    if (json_is_number(x) && json_is_number(y)) {
        char *label = label_of(gathering->plot, line);
        status = label ? add_point(gathering, label, json_number_value(x), json_number_value(y))
                       : fh_cli_no_memory(gathering->view->cli);
        free(label);
    }
    json_decref(x);
    json_decref(y);
    return status;
}

/* What varies, but for the axes. */
static fhec_status choose_series(const struct fh_cli_sweep_view *view,
                                 struct fh_cli_sweep_plot *plot, json_t **names) {
    fhec_status status = FHEC_OK;
    json_t *name;
    size_t i;
    *names = plot->series_given ? NULL : fh_cli_sweep_view_varying(view, &status);
    json_array_foreach(*names, i, name) {
        const char *text = json_string_value(name);
        if (strcmp(text, plot->x) && strcmp(text, plot->y) &&
            plot->series_count < FH_CLI_SWEEP_MOST_COLUMNS)
            plot->series[plot->series_count++] = text;
    }
    return status;
}

static char *series_names(const struct fh_cli_sweep_plot *plot) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    for (size_t i = 0; to && i < plot->series_count; i++)
        fprintf(to, "%s%s", i ? ", " : "", plot->series[i]);
    if (to && fclose(to) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

static fhec_status check_drawing(const struct gathering *gathering) {
    const struct fh_cli_sweep_drawing *drawing = &gathering->drawing;
    const struct fh_cli *cli = gathering->view->cli;
    if (!drawing->count)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--plot: none of %zu results has numbers for both %s and %s",
                            gathering->rows, gathering->plot->x, gathering->plot->y);
    if (drawing->count > FH_CLI_SWEEP_MOST_LINES)
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "--plot: %zu lines are more than can be told apart; --where and "
                            "--series choose",
                            drawing->count);
    if ((drawing->x.scale == FH_CLI_SWEEP_LOG && drawing->x.least <= 0) ||
        (drawing->y.scale == FH_CLI_SWEEP_LOG && drawing->y.least <= 0))
        return fh_cli_error(cli, FHEC_BAD_INPUT, "--scale: a value is not above 0");
    return FHEC_OK;
}

fhec_status fh_cli_sweep_plot_write(const struct fh_cli_sweep_view *view,
                                    const struct fh_cli_sweep_plot *wanted, FILE *to) {
    struct fh_cli_sweep_plot plot = *wanted;
    struct gathering gathering = {.view = view,
                                  .plot = &plot,
                                  .drawing = {.title = plot.title,
                                              .x = {.name = plot.x, .scale = plot.x_scale},
                                              .y = {.name = plot.y, .scale = plot.y_scale}}};
    json_t *names = NULL;
    char *legend = NULL;
    fhec_status status = choose_series(view, &plot, &names);
    if (status == FHEC_OK)
        status = fh_cli_sweep_view_each(view, gather_line, &gathering);
    if (status == FHEC_OK) {
        legend = series_names(&plot);
        gathering.drawing.legend = legend ? legend : "";
        fh_cli_sweep_drawing_scale(&gathering.drawing);
        status = check_drawing(&gathering);
    }
    if (status == FHEC_OK)
        fh_cli_sweep_draw(&gathering.drawing, to);
    fh_cli_sweep_drawing_free(&gathering.drawing);
    free(legend);
    json_decref(names);
    return status;
}
