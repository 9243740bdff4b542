/*
 * sweep_write.c - rows as a table for people, as CSV (RFC 4180), and as JSON.
 */
#include <string.h>

#include "message.h"
#include "sweep_view.h"
#include "text_table.h"

struct writing {
    const struct fh_cli_sweep_view *view;
    FILE *to;
    struct fh_cli_table table;
    size_t rows;
    bool seen[FH_CLI_SWEEP_MOST_COLUMNS]; /* columns in which a row has had something */
};

/* The cell of a column of the view. */
static json_t *cell_of(struct writing *writing, const struct fh_cli_sweep_line *line,
                       size_t column) {
    json_t *cell = fh_cli_sweep_cell(line, writing->view->columns[column]);
    writing->seen[column] = writing->seen[column] || !json_is_null(cell);
    return cell;
}

/* ---------------------------------------------------------------- table */

static void table_cell(struct fh_cli_table *table, const json_t *cell) {
    const char *text = json_string_value(cell);
    if (json_is_integer(cell) && json_integer_value(cell) >= 10000)
        fh_cli_table_number(table, (uint64_t)json_integer_value(cell));
    else if (json_is_integer(cell))
        fh_cli_table_cell(table, "%lld", (long long)json_integer_value(cell));
    else if (json_is_real(cell))
        fh_cli_table_cell(table, "%.4g", json_real_value(cell));
    else if (text)
        fh_cli_table_cell(table, "%.*s", (int)strcspn(text, "\n"), text);
    else
        fh_cli_table_cell(table, "%s",
                          json_is_true(cell)    ? "yes"
                          : json_is_false(cell) ? "no"
                          : json_is_null(cell)  ? "-"
                                                : "...");
}

static fhec_status table_line(void *user, const struct fh_cli_sweep_line *line) {
    struct writing *writing = user;
    writing->rows++;
    fh_cli_table_row(&writing->table);
    for (size_t i = 0; i < writing->view->column_count; i++) {
        json_t *cell = cell_of(writing, line, i);
        table_cell(&writing->table, cell);
        json_decref(cell);
    }
    return FHEC_OK;
}

static fhec_status write_table(struct writing *writing) {
    const struct fh_cli_sweep_view *view = writing->view;
    if (view->column_count > FH_CLI_TABLE_COLUMNS)
        return fh_cli_error(view->cli, FHEC_BAD_INPUT,
                            "a table has %d columns at most, not %zu; --columns chooses some, "
                            "--format=csv takes them all",
                            FH_CLI_TABLE_COLUMNS, view->column_count);
    fh_cli_table_row(&writing->table);
    for (size_t i = 0; i < view->column_count; i++)
        fh_cli_table_cell(&writing->table, "%s", view->columns[i]);
    fhec_status status = fh_cli_sweep_view_each(view, table_line, writing);
    if (status != FHEC_OK)
        fh_cli_table_free(&writing->table);
    else if (!fh_cli_table_print(&writing->table, writing->to, false))
        status = fh_cli_no_memory(view->cli);
    return status;
}

/* ---------------------------------------------------------------- CSV */

static void csv_text(FILE *to, const char *text) {
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static void csv_cell(FILE *to, const json_t *cell) {
    char *text = json_is_string(cell) || json_is_null(cell)
                     ? NULL
                     : json_dumps(cell, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
    if (text || json_is_string(cell))
        csv_text(to, text ? text : json_string_value(cell));
    free(text);
}

static fhec_status csv_line(void *user, const struct fh_cli_sweep_line *line) {
    struct writing *writing = user;
    writing->rows++;
    for (size_t i = 0; i < writing->view->column_count; i++) {
        json_t *cell = cell_of(writing, line, i);
        if (i)
            fputc(',', writing->to);
        csv_cell(writing->to, cell);
        json_decref(cell);
    }
    fputc('\n', writing->to);
    return FHEC_OK;
}

static fhec_status write_csv(struct writing *writing) {
    for (size_t i = 0; i < writing->view->column_count; i++) {
        if (i)
            fputc(',', writing->to);
        csv_text(writing->to, writing->view->columns[i]);
    }
    fputc('\n', writing->to);
    return fh_cli_sweep_view_each(writing->view, csv_line, writing);
}

/* ---------------------------------------------------------------- JSON */

/* All that is known. */
static json_t *whole_row(const struct fh_cli_sweep_line *line) {
    static const char *const own[] = {"build",    "hash",     "state",   "reason", "status",
                                      "signal",   "attempts", "seconds", "user_s", "system_s",
                                      "peak_kib", "host",     "ended",   "output", "stderr"};
    json_t *object = json_object();
    json_object_set(object, "command", line->command);
    json_object_set(object, "options", line->options);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_set_new(object, own[i], fh_cli_sweep_cell(line, own[i]));
    if (line->stats)
        json_object_set(object, "stats", line->stats);
    return object;
}

static json_t *row_of_columns(struct writing *writing, const struct fh_cli_sweep_line *line) {
    json_t *object = json_object();
    for (size_t i = 0; i < writing->view->column_count; i++)
        json_object_set_new(object, writing->view->columns[i], cell_of(writing, line, i));
    return object;
}

static fhec_status json_line(void *user, const struct fh_cli_sweep_line *line) {
    struct writing *writing = user;
    json_t *row = writing->view->column_count ? row_of_columns(writing, line) : whole_row(line);
    char *text = row ? json_dumps(row, JSON_COMPACT) : NULL;
    if (text)
        fprintf(writing->to, "%s\n%s", writing->rows++ ? "," : "", text);
    free(text);
    json_decref(row);
    return text ? FHEC_OK : fh_cli_no_memory(writing->view->cli);
}

static fhec_status write_json(struct writing *writing) {
    fputc('[', writing->to);
    const fhec_status status = fh_cli_sweep_view_each(writing->view, json_line, writing);
    fputs("\n]\n", writing->to);
    return status;
}

static fhec_status write_form(struct writing *writing, enum fh_cli_sweep_form form) {
    switch (form) {
    case FH_CLI_SWEEP_TABLE: return write_table(writing);
    case FH_CLI_SWEEP_CSV: return write_csv(writing);
    default: return write_json(writing);
    }
}

fhec_status fh_cli_sweep_view_write(const struct fh_cli_sweep_view *view,
                                    enum fh_cli_sweep_form form, FILE *to) {
    struct writing writing = {.view = view, .to = to};
    const fhec_status status = write_form(&writing, form);
    for (size_t i = 0; i < view->column_count && writing.rows && status == FHEC_OK; i++)
        if (view->named && !writing.seen[i])
            fh_cli_note(view->cli, "no result has anything in the column \"%s\"", view->columns[i]);
    return status;
}
