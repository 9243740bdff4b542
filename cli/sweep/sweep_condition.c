/*
 * sweep_condition.c - see sweep_condition.h.
 */
#include "sweep_condition.h"

#include <string.h>

#include "message.h"
#include "nearest.h"

static bool is_range(const json_t *value) {
    return json_is_object(value);
}

/* The end of a range: a number, or "$name", another value of the point. */
static bool check_range(struct fh_cli_sweep_reader *reader, const char *path, const json_t *range) {
    static const char *const names[] = {"from", "to", NULL};
    const char *name;
    json_t *end;
    if (!fh_cli_sweep_known_members(reader, path, range, names))
        return false;
    if (!json_object_size(range))
        return fh_cli_sweep_wrong(reader, path, "a range has \"from\", \"to\", or both");
    json_object_foreach((json_t *)range, name, end) {
        const char *text = json_string_value(end);
        if (!json_is_number(end) && !(text && text[0] == '$' && text[1]))
            return fh_cli_sweep_wrong(reader, fh_cli_sweep_member(path, name).text,
                                      "expected a number or the name of an option, \"$limbs\"");
    }
    return true;
}

static bool check_values(struct fh_cli_sweep_reader *reader, const char *path,
                         const json_t *values) {
    size_t i;
    json_t *value;
    if (is_range(values))
        return check_range(reader, path, values);
    if (json_is_array(values) && !json_array_size(values))
        return fh_cli_sweep_wrong(reader, path, "an empty list holds for nothing");
    json_array_foreach(values, i, value) {
        if (json_is_array(value) || json_is_object(value))
            return fh_cli_sweep_wrong(reader, fh_cli_sweep_element(path, i).text,
                                      "expected a number, a text, true, false or null");
    }
    return true;
}

bool fh_cli_sweep_conditions_check(struct fh_cli_sweep_reader *reader, const char *path,
                                   const json_t *list) {
    size_t i;
    json_t *condition, *values;
    const char *name;
    if (list && !json_is_array(list))
        return fh_cli_sweep_wrong(reader, path,
                                  "expected a list of conditions such as {\"map\": \"cuda32\"}");
    json_array_foreach(list, i, condition) {
        const struct fh_cli_sweep_path at = fh_cli_sweep_element(path, i);
        if (!json_is_object(condition) || !json_object_size(condition))
            return fh_cli_sweep_wrong(reader, at.text,
                                      "expected a condition such as {\"map\": \"cuda32\"}");
        json_object_foreach(condition, name, values) {
            if (!check_values(reader, fh_cli_sweep_member(at.text, name).text, values))
                return false;
        }
    }
    return true;
}

static bool name_is_known(struct fh_cli_sweep_reader *reader, const char *path, const char *name,
                          const json_t *names) {
    struct fh_nearest near;
    const char *known;
    json_t *value;
    if (json_object_get(names, name))
        return true;
    fh_nearest_begin(&near, name, strlen(name));
    json_object_foreach((json_t *)names, known, value) {
        fh_nearest_try(&near, known, strlen(known));
    }
    return fh_cli_sweep_wrong(reader, path, "no point has an option or word \"%s\"%s", name,
                              fh_cli_hint(near.best).text);
}

bool fh_cli_sweep_conditions_names(struct fh_cli_sweep_reader *reader, const char *path,
                                   const json_t *list, const json_t *names) {
    size_t i;
    json_t *condition, *values, *end;
    const char *name, *side;
    json_array_foreach(list, i, condition) {
        const struct fh_cli_sweep_path at = fh_cli_sweep_element(path, i);
        json_object_foreach(condition, name, values) {
            const struct fh_cli_sweep_path member = fh_cli_sweep_member(at.text, name);
            if (!name_is_known(reader, member.text, name, names))
                return false;
            json_object_foreach(values, side, end) {
                if (json_is_string(end) &&
                    !name_is_known(reader, fh_cli_sweep_member(member.text, side).text,
                                   json_string_value(end) + 1, names))
                    return false;
            }
        }
    }
    return true;
}

static bool equal(const json_t *wanted, const json_t *value) {
    json_t *scalar = fh_cli_sweep_scalar(wanted);
    const bool same = scalar && value && json_equal(scalar, value);
    json_decref(scalar);
    return same;
}

/* False: it is no number. */
static bool number_of(const json_t *end, const json_t *point, double *number) {
    const char *text = json_string_value(end);
    const json_t *value = text ? json_object_get(point, text + 1) : end;
    *number = json_number_value(value);
    return json_is_number(value);
}

static bool in_range(const json_t *range, const json_t *value, const json_t *point) {
    const json_t *from = json_object_get(range, "from"), *to = json_object_get(range, "to");
    double least, most;
    return json_is_number(value) &&
           (!from || (number_of(from, point, &least) && json_number_value(value) >= least)) &&
           (!to || (number_of(to, point, &most) && json_number_value(value) <= most));
}

static bool member_holds(const json_t *wanted, const json_t *value, const json_t *point) {
    size_t i;
    json_t *one;
    if (is_range(wanted))
        return in_range(wanted, value, point);
    json_array_foreach(wanted, i, one) {
        if (equal(one, value))
            return true;
    }
    return !json_is_array(wanted) && equal(wanted, value);
}

bool fh_cli_sweep_conditions_hold(const json_t *list, const json_t *point) {
    size_t i;
    json_t *condition, *wanted;
    const char *name;
    json_array_foreach(list, i, condition) {
        bool all = true;
        json_object_foreach(condition, name, wanted) {
            all = all && member_holds(wanted, json_object_get(point, name), point);
        }
        if (all)
            return true;
    }
    return false;
}
