/*
 * sweep_view.h - results as rows of columns: those of a plan's points, or all that a file has.
 */
#ifndef FH_CLI_SWEEP_VIEW_H
#define FH_CLI_SWEEP_VIEW_H

#include "sweep_store.h"

enum { FH_CLI_SWEEP_MOST_COLUMNS = 64 };

/* Column names: an option, "command", "build", "hash", "state", "reason", "status", "signal",
 * "attempts", "seconds", "user_s", "system_s", "peak_kib", "host", "ended", "output", "stderr", and
 * places in the statistics, "opcodes.EXIT.warp", which may begin with "stats.". */
struct fh_cli_sweep_view {
    const struct fh_cli *cli;
    struct fh_cli_sweep_store *store;
    const struct fh_cli_sweep_plan *plan; /* NULL: all results of the file */
    const char *columns[FH_CLI_SWEEP_MOST_COLUMNS];
    size_t column_count;
    bool named;    /* they were asked for: what none of the results has is told */
    json_t *where; /* column -> list of values, one of which a row must have; NULL: all rows */
};

/* One result, taken apart. */
struct fh_cli_sweep_line {
    const struct fh_cli_sweep_row *row;
    json_t *command, *options, *stats; /* stats may be NULL */
};
/* The value of a column, a new reference; null where the result has none. */
json_t *fh_cli_sweep_cell(const struct fh_cli_sweep_line *line, const char *column);

typedef fhec_status fh_cli_sweep_line_fn(void *user, const struct fh_cli_sweep_line *line);
/* Calls `fn` for every result in question, those of a plan in its order. */
fhec_status fh_cli_sweep_view_each(const struct fh_cli_sweep_view *view, fh_cli_sweep_line_fn *fn,
                                   void *user);

/* What varies among the rows: names of options, and "command" and "build"; a list of texts, to be
 * released. NULL: *status says why. */
json_t *fh_cli_sweep_view_varying(const struct fh_cli_sweep_view *view, fhec_status *status);
/* Gives a view without columns what varies, the state, counts, seconds and memory; their names are
 * in `names`, to be released after the view. */
fhec_status fh_cli_sweep_view_default(struct fh_cli_sweep_view *view, json_t **names);

/* Writes the rows. */
enum fh_cli_sweep_form { FH_CLI_SWEEP_TABLE, FH_CLI_SWEEP_CSV, FH_CLI_SWEEP_JSON };
fhec_status fh_cli_sweep_view_write(const struct fh_cli_sweep_view *view,
                                    enum fh_cli_sweep_form form, FILE *to);

#endif
