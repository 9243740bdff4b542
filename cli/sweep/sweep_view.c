/*
 * sweep_view.c - see sweep_view.h.
 */
#include "sweep_view.h"

#include <stddef.h>
#include <string.h>

#include "message.h"

/* ---------------------------------------------------------------- cells */

static json_t *text_or_null(const char *text) {
    return text ? json_string(text) : json_null();
}

/* The words with spaces between them. */
static json_t *command_text(const json_t *command) {
    json_t *all = json_string(""), *word;
    size_t i;
    json_array_foreach(command, i, word) {
        json_t *longer =
            json_sprintf("%s%s%s", json_string_value(all), i ? " " : "", json_string_value(word));
        json_decref(all);
        all = longer;
    }
    return all;
}

/* A value by names with dots between them. A name may have dots itself, as those of opcodes do: the
 * longest one that is there is meant. NULL: there is none. */
static const json_t *value_at(const json_t *object, const char *path) {
    for (size_t length = strlen(path); length; length--) {
        char name[256];
        if ((path[length] && path[length] != '.') || length >= sizeof name)
            continue;
        memcpy(name, path, length);
        name[length] = 0;
        const json_t *value = json_object_get(object, name);
        if (value && path[length])
            value = value_at(value, path + length + 1);
        if (value)
            return value;
    }
    return NULL;
}

static json_t *own_cell(const struct fh_cli_sweep_line *line, const char *column) {
    const struct fh_cli_sweep_row *row = line->row;
    const struct fh_cli_sweep_result *result = &row->result;
    enum kind { TEXT, INTEGER, REAL };
    const struct {
        const char *name;
        enum kind kind;
        const char *text;
        double number;
    } own[] = {
        {"build", TEXT, row->build_name, 0},
        {"hash", TEXT, row->build, 0},
        {"state", TEXT, result->good ? "ok" : "failed", 0},
        {"reason", TEXT, result->reason, 0},
        {"host", TEXT, result->host, 0},
        {"ended", TEXT, result->ended, 0},
        {"output", TEXT, result->output, 0},
        {"stderr", TEXT, result->err, 0},
        {"status", INTEGER, NULL, result->status},
        {"signal", INTEGER, NULL, result->signal},
        {"attempts", INTEGER, NULL, result->attempts},
        {"peak_kib", INTEGER, NULL, (double)result->peak_kib},
        {"seconds", REAL, NULL, result->seconds},
        {"user_s", REAL, NULL, result->user_s},
        {"system_s", REAL, NULL, result->system_s},
    };
    if (!strcmp(column, "command"))
        return command_text(line->command);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (strcmp(column, own[i].name) != 0)
            continue;
        switch (own[i].kind) {
        case TEXT: return text_or_null(own[i].text);
        case INTEGER: return json_integer((json_int_t)own[i].number);
        case REAL: return json_real(own[i].number);
        }
    }
    return NULL;
}

json_t *fh_cli_sweep_cell(const struct fh_cli_sweep_line *line, const char *column) {
    static const char prefix[] = "stats.";
    const json_t *option = json_object_get(line->options, column);
    if (option)
        return json_incref((json_t *)option);
    json_t *own = own_cell(line, column);
    if (own)
        return own;
    const json_t *value = value_at(line->stats, column);
    if (!value && !strncmp(column, prefix, sizeof prefix - 1))
        value = value_at(line->stats, column + sizeof prefix - 1);
    return value ? json_incref((json_t *)value) : json_null();
}

/* ---------------------------------------------------------------- rows */

struct visit {
    const struct fh_cli_sweep_view *view;
    fh_cli_sweep_line_fn *fn;
    void *user;
};

static bool is_wanted(const struct fh_cli_sweep_view *view, const struct fh_cli_sweep_line *line) {
    const char *column;
    json_t *values, *value;
    size_t i;
    json_object_foreach(view->where, column, values) {
        json_t *cell = fh_cli_sweep_cell(line, column);
        bool found = false;
        json_array_foreach(values, i, value) {
            found = found || json_equal(cell, value);
        }
        json_decref(cell);
        if (!found)
            return false;
    }
    return true;
}

static fhec_status visit_row(void *user, const struct fh_cli_sweep_row *row) {
    const struct visit *visit = user;
    struct fh_cli_sweep_line line = {row, json_loads(row->key.command, 0, NULL),
                                     json_loads(row->key.options, 0, NULL), NULL};
    fhec_status status = FHEC_OK;
    if (row->result.stats)
        line.stats = json_loads(row->result.stats, JSON_ALLOW_NUL, NULL);
    if (!line.command || !line.options || (row->result.stats && !line.stats))
        status = fh_cli_no_memory(visit->view->cli);
    else if (is_wanted(visit->view, &line))
        status = visit->fn(visit->user, &line);
    json_decref(line.command);
    json_decref(line.options);
    json_decref(line.stats);
    return status;
}

fhec_status fh_cli_sweep_view_each(const struct fh_cli_sweep_view *view, fh_cli_sweep_line_fn *fn,
                                   void *user) {
    struct visit visit = {view, fn, user};
    fhec_status status = FHEC_OK;
    if (!view->plan)
        return fh_cli_sweep_store_each(view->store, visit_row, &visit);
    for (size_t i = 0; i < view->plan->count && status == FHEC_OK; i++)
        status = fh_cli_sweep_store_get(view->store,
                                        view->plan->builds[view->plan->points[i].build].hash,
                                        &view->plan->points[i].key, visit_row, &visit);
    return status;
}

/* ---------------------------------------------------------------- what varies */

struct varying {
    json_t *first;  /* name -> value of the first row that has it */
    json_t *varies; /* name -> true */
    json_t *count;  /* name -> rows that have it */
    size_t rows;
};

static void note_value(struct varying *varying, const char *name, json_t *value) {
    const json_t *first = json_object_get(varying->first, name);
    const json_int_t count = json_integer_value(json_object_get(varying->count, name));
    json_object_set_new(varying->count, name, json_integer(count + 1));
    if (!first)
        json_object_set(varying->first, name, value);
    else if (!json_equal(first, value))
        json_object_set_new(varying->varies, name, json_true());
}

static fhec_status note_line(void *user, const struct fh_cli_sweep_line *line) {
    struct varying *varying = user;
    static const char *const own[] = {"command", "build"};
    const char *name;
    json_t *value;
    for (size_t i = 0; i < 2; i++) {
        json_t *cell = fh_cli_sweep_cell(line, own[i]);
        note_value(varying, own[i], cell);
        json_decref(cell);
    }
    json_object_foreach(line->options, name, value) {
        note_value(varying, name, value);
    }
    varying->rows++;
    return FHEC_OK;
}

json_t *fh_cli_sweep_view_varying(const struct fh_cli_sweep_view *view, fhec_status *status) {
    struct varying varying = {json_object(), json_object(), json_object(), 0};
    json_t *list = json_array(), *value;
    const char *name;
    *status = fh_cli_sweep_view_each(view, note_line, &varying);
    json_object_foreach(varying.first, name, value) {
        if (json_object_get(varying.varies, name) ||
            json_integer_value(json_object_get(varying.count, name)) < (json_int_t)varying.rows)
            json_array_append_new(list, json_string(name));
    }
    json_decref(varying.first);
    json_decref(varying.varies);
    json_decref(varying.count);
    if (*status == FHEC_OK)
        return list;
    json_decref(list);
    return NULL;
}

fhec_status fh_cli_sweep_view_default(struct fh_cli_sweep_view *view, json_t **names) {
    static const char *const others[] = {"state", "warp_insts", "seconds", "peak_kib"};
    enum { OTHERS = sizeof others / sizeof *others };
    fhec_status status;
    json_t *name;
    size_t i;
    *names = fh_cli_sweep_view_varying(view, &status);
    json_array_foreach(*names, i, name) {
        if (view->column_count + OTHERS < FH_CLI_SWEEP_MOST_COLUMNS)
            view->columns[view->column_count++] = json_string_value(name);
    }
    for (i = 0; i < OTHERS; i++)
        view->columns[view->column_count++] = others[i];
    return status;
}
