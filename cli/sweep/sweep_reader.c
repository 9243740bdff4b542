/*
 * sweep_reader.c - see sweep_reader.h.
 */
#include "sweep_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "sweep_place.h"

/* ---------------------------------------------------------------- messages */

bool fh_cli_sweep_wrong(struct fh_cli_sweep_reader *reader, const char *path, const char *format,
                        ...) {
    const struct fh_cli_sweep_place place = fh_cli_sweep_place(reader->text, path);
    char *message = NULL;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&message, format, list);
    va_end(list);
    reader->status =
        length < 0 ? fh_cli_no_memory(reader->cli)
                   : fh_cli_error(reader->cli, FHEC_BAD_INPUT, "%s:%zu:%zu: %s%s%s", reader->file,
                                  place.line, place.column, path, *path ? ": " : "", message);
    if (length >= 0)
        free(message);
    return false;
}

bool fh_cli_sweep_there(struct fh_cli_sweep_reader *reader, const void *pointer) {
    if (!pointer)
        reader->status = fh_cli_no_memory(reader->cli);
    return pointer != NULL;
}

bool fh_cli_sweep_known_members(struct fh_cli_sweep_reader *reader, const char *path,
                                const json_t *object, const char *const *names) {
    size_t count = 0;
    const char *name;
    json_t *value;
    while (names[count])
        count++;
    json_object_foreach((json_t *)object, name, value) {
        size_t i = 0;
        while (i < count && strcmp(name, names[i]) != 0)
            i++;
        if (i == count)
            return fh_cli_sweep_wrong(reader, fh_cli_sweep_member(path, name).text,
                                      "this is no member of a plan here%s",
                                      fh_cli_hint(fh_nearest_of(name, names, count)).text);
    }
    return true;
}

struct fh_cli_sweep_path fh_cli_sweep_member(const char *path, const char *name) {
    struct fh_cli_sweep_path made;
    snprintf(made.text, sizeof made.text, "%s%s%s", path, *path ? "." : "", name);
    return made;
}

struct fh_cli_sweep_path fh_cli_sweep_element(const char *path, size_t index) {
    struct fh_cli_sweep_path made;
    snprintf(made.text, sizeof made.text, "%s[%zu]", path, index);
    return made;
}

/* ---------------------------------------------------------------- values */

/* The integer that a text is as JSON would write it; NULL: it is none. */
static json_t *integer_of(const char *text) {
    char *end, again[32];
    const long long value = strtoll(text, &end, 10);
    snprintf(again, sizeof again, "%lld", value);
    return *text && !*end && !strcmp(again, text) ? json_integer(value) : NULL;
}

json_t *fh_cli_sweep_scalar(const json_t *value) {
    char number[40];
    switch (json_typeof(value)) {
    case JSON_STRING: {
        json_t *integer = integer_of(json_string_value(value));
        return integer ? integer : json_incref((json_t *)value);
    }
    case JSON_REAL: /* a whole number, or the shortest text that is this number again */
        if (fabs(json_real_value(value)) < 1e15 &&
            trunc(json_real_value(value)) == json_real_value(value))
            return json_integer((json_int_t)json_real_value(value));
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(number, sizeof number, "%.*g", digits, json_real_value(value));
            if (strtod(number, NULL) == json_real_value(value))
                break;
        }
        return fh_cli_sweep_scalar_text(number);
    case JSON_INTEGER:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL: return json_incref((json_t *)value);
    default: return NULL;
    }
}

json_t *fh_cli_sweep_scalar_text(const char *text) {
    json_t *integer = integer_of(text);
    return integer ? integer : json_string(text);
}
