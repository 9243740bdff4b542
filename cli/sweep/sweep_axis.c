/*
 * sweep_axis.c - see sweep_axis.h.
 */
#include "sweep_axis.h"

#include <ctype.h>
#include <string.h>

bool fh_cli_sweep_name_check(struct fh_cli_sweep_reader *reader, const char *path,
                             const char *name) {
    const char *at = name;
    while (isalnum((unsigned char)*at) || (*at == '-' && at > name))
        at++;
    if (*name && !*at)
        return true;
    return fh_cli_sweep_wrong(reader, path,
                              "\"%s\" is no option's name, which is written without "
                              "dashes before it",
                              name);
}

/* ---------------------------------------------------------------- ranges */

static bool range_number(struct fh_cli_sweep_reader *reader, const char *path, const json_t *range,
                         const char *name, json_int_t otherwise, json_int_t *number) {
    const json_t *value = json_object_get(range, name);
    *number = value ? json_integer_value(value) : otherwise;
    return !value || json_is_integer(value) ||
           fh_cli_sweep_wrong(reader, fh_cli_sweep_member(path, name).text,
                              "expected a whole number");
}

static bool read_range(struct fh_cli_sweep_reader *reader, const char *path, const json_t *range,
                       json_t *values) {
    static const char *const names[] = {"from", "to", "step", "factor", NULL};
    const bool steps = !json_object_get(range, "factor");
    json_int_t from, to, step, factor;
    if (!fh_cli_sweep_known_members(reader, path, range, names) ||
        !range_number(reader, path, range, "from", 0, &from) ||
        !range_number(reader, path, range, "to", 0, &to) ||
        !range_number(reader, path, range, "step", 1, &step) ||
        !range_number(reader, path, range, "factor", 2, &factor))
        return false;
    if (!json_object_get(range, "from") || !json_object_get(range, "to") ||
        (!steps && json_object_get(range, "step")))
        return fh_cli_sweep_wrong(reader, path,
                                  "a range has \"from\", \"to\", and \"step\" or \"factor\"");
    if (from > to)
        return fh_cli_sweep_wrong(reader, path, "from %lld to %lld there is no value",
                                  (long long)from, (long long)to);
    if (steps ? step < 1 : factor < 2 || from < 1)
        return fh_cli_sweep_wrong(reader, path,
                                  "a step is 1 at least, a factor 2, of numbers from 1");
    for (json_int_t value = from; value <= to;) {
        if (json_array_size(values) == FH_CLI_SWEEP_MOST_POINTS)
            return fh_cli_sweep_wrong(reader, path, "these are more than %d values",
                                      FH_CLI_SWEEP_MOST_POINTS);
        if (json_array_append_new(values, json_integer(value)) != 0)
            return fh_cli_sweep_there(reader, NULL);
        if (steps ? value > to - step : value > to / factor)
            break;
        value = steps ? value + step : value * factor;
    }
    return true;
}

/* ---------------------------------------------------------------- lists */

static bool check_setting(struct fh_cli_sweep_reader *reader, const char *path,
                          const json_t *setting) {
    const char *name;
    json_t *value;
    if (!json_object_size(setting))
        return fh_cli_sweep_wrong(reader, path, "expected options and their values");
    json_object_foreach((json_t *)setting, name, value) {
        const struct fh_cli_sweep_path member = fh_cli_sweep_member(path, name);
        if (!fh_cli_sweep_name_check(reader, member.text, name))
            return false;
        if (json_is_object(value) || json_is_array(value))
            return fh_cli_sweep_wrong(reader, member.text,
                                      "expected a number, a text, true or false");
    }
    return true;
}

/* Adds one value, which must be like the first one, and unlike all of them. */
static bool add_value(struct fh_cli_sweep_reader *reader, const char *path, const json_t *value,
                      json_t *values, json_t *seen) {
    const bool setting = json_is_object(value);
    json_t *put = setting ? json_incref((json_t *)value) : fh_cli_sweep_scalar(value);
    if (!put && json_is_array(value))
        return fh_cli_sweep_wrong(reader, path, "expected a number, a text, true or false");
    if (!fh_cli_sweep_there(reader, put))
        return false;
    char *text = json_dumps(put, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    const bool twice = text && json_object_get(seen, text);
    const bool added = text && json_object_set_new(seen, text, json_true()) == 0 &&
                       json_array_append_new(values, put) == 0;
    if (twice)
        fh_cli_sweep_wrong(reader, path, "this value is there twice: %s", text);
    free(text);
    return !twice && fh_cli_sweep_there(reader, added ? values : NULL);
}

static bool read_list(struct fh_cli_sweep_reader *reader, const char *path, const json_t *list,
                      json_t *values) {
    json_t *seen = json_object(), *value;
    bool good = fh_cli_sweep_there(reader, seen);
    size_t i;
    json_array_foreach(list, i, value) {
        const struct fh_cli_sweep_path element = fh_cli_sweep_element(path, i);
        if (good && json_is_object(value) != json_is_object(json_array_get(list, 0)))
            good = fh_cli_sweep_wrong(reader, element.text,
                                      "values of one list are all objects, or none is");
        if (good && json_is_object(value))
            good = check_setting(reader, element.text, value);
        good = good && add_value(reader, element.text, value, values, seen);
    }
    json_decref(seen);
    return good;
}

static bool is_word(const json_t *command, const char *name) {
    size_t i;
    json_t *word;
    json_array_foreach(command, i, word) {
        const char *text = json_string_value(word);
        if (text[0] == '$' && !strcmp(text + 1, name))
            return true;
    }
    return false;
}

bool fh_cli_sweep_axis_read(struct fh_cli_sweep_reader *reader, const char *path, const char *name,
                            const json_t *values, const json_t *command,
                            struct fh_cli_sweep_axis *axis) {
    *axis = (struct fh_cli_sweep_axis){name, FH_CLI_SWEEP_AXIS_OPTION, json_array()};
    if (!fh_cli_sweep_there(reader, axis->values) || !fh_cli_sweep_name_check(reader, path, name))
        return false;
    if (!json_is_object(values) && !json_is_array(values))
        return fh_cli_sweep_wrong(reader, path,
                                  "expected a list of values, or a range such as {\"from\": 1, "
                                  "\"to\": 44}; one value belongs to \"options\"");
    if (json_is_array(values) && !json_array_size(values))
        return fh_cli_sweep_wrong(reader, path, "an empty list leaves no point");
    if (!(json_is_object(values) ? read_range : read_list)(reader, path, values, axis->values))
        return false;
    if (json_is_object(json_array_get(axis->values, 0)))
        axis->kind = FH_CLI_SWEEP_AXIS_SETTINGS;
    if (is_word(command, name)) {
        if (axis->kind == FH_CLI_SWEEP_AXIS_SETTINGS)
            return fh_cli_sweep_wrong(reader, path, "\"$%s\" stands for a word, not for options",
                                      name);
        for (size_t i = 0; i < json_array_size(axis->values); i++)
            if (!json_is_string(json_array_get(axis->values, i)) &&
                !json_is_integer(json_array_get(axis->values, i)))
                return fh_cli_sweep_wrong(reader, fh_cli_sweep_element(path, i).text,
                                          "expected a word");
        axis->kind = FH_CLI_SWEEP_AXIS_WORD;
    }
    return true;
}
