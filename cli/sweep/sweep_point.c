/*
 * sweep_point.c - see sweep_point.h.
 */
#include "sweep_point.h"

#include <stdlib.h>

#include "sweep_arguments.h"

/* "--name=value", "--name"; several of a list. */
static bool append_option(json_t *arguments, const char *name, const json_t *value) {
    size_t i;
    json_t *one, *word;
    json_array_foreach(value, i, one) {
        if (!append_option(arguments, name, one))
            return false;
    }
    if (json_is_array(value))
        return true;
    if (json_is_true(value))
        word = json_sprintf("--%s", name);
    else if (json_is_integer(value))
        word = json_sprintf("--%s=%lld", name, (long long)json_integer_value(value));
    else
        word = json_sprintf("--%s=%s", name, json_string_value(value));
    return json_array_append_new(arguments, word) == 0;
}

char *fh_cli_sweep_arguments(const struct fh_cli_sweep_point *point) {
    json_t *options = json_loads(point->key.options, 0, NULL), *value;
    json_t *arguments = json_loads(point->key.command, 0, NULL);
    bool good =
        options && arguments && json_array_insert_new(arguments, 0, json_string("fhec")) == 0;
    const char *name;
    json_object_foreach(options, name, value) {
        good = good && append_option(arguments, name, value);
    }
    if (good && (point->standard & FH_CLI_SWEEP_STATS))
        good = json_array_append_new(arguments, json_string("--stats=json")) == 0;
    if (good && (point->standard & FH_CLI_SWEEP_FORMAT))
        good = json_array_append_new(arguments, json_string("--format=json")) == 0;
    if (good && (point->standard & FH_CLI_SWEEP_THREADS))
        good = json_array_append_new(arguments, json_string("--threads=1")) == 0;
    char *text = good ? json_dumps(arguments, JSON_COMPACT) : NULL;
    json_decref(options);
    json_decref(arguments);
    return text;
}

char *fh_cli_sweep_point_text(const struct fh_cli_sweep_point *point) {
    char *list = fh_cli_sweep_arguments(point);
    char *text = list ? fh_cli_sweep_arguments_text(list) : NULL;
    free(list);
    return text;
}
