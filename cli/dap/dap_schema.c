/*
 * dap_schema.c - see dap_schema.h.
 */
#include "dap_schema.h"

#include <stdio.h>
#include <string.h>

/* Where a check stands, and where it writes what is wrong. */
struct check {
    const char *shape; /* what has not been read of it */
    char *why;
    size_t size;
};

enum { PATH = 200 };

static const char *type_name(char type) {
    switch (type) {
    case 'i': return "a whole number";
    case 'b': return "true or false";
    case 's': return "a text";
    case '[': return "a list";
    case 'o':
    case '{': return "an object";
    default: return "a value";
    }
}

static bool has_type(const json_t *value, char type) {
    switch (type) {
    case 'i': return json_is_integer(value);
    case 'b': return json_is_boolean(value);
    case 's': return json_is_string(value);
    case '[': return json_is_array(value);
    case 'o':
    case '{': return json_is_object(value);
    default: return true;
    }
}

static bool check_members(struct check *check, const json_t *object, const char *path);

/* The elements of a list: texts, or objects whose shape goes on to the "]". */
static bool check_list(struct check *check, const json_t *list, const char *path) {
    const char *shape = check->shape;
    const bool texts = shape[0] == 's' && shape[1] == ']';
    const size_t count = json_array_size(list);
    bool fine = true;
    for (size_t i = 0; i < count && fine; i++) {
        char element[PATH];
        const json_t *value = json_array_get(list, i);
        snprintf(element, sizeof element, "%.150s[%zu]", path, i);
        if (!has_type(value, texts ? 's' : '{')) {
            snprintf(check->why, check->size, "%s is not %s", element,
                     texts ? "a text" : "an object");
            return false;
        }
        check->shape = shape;
        fine = texts || check_members(check, value, element);
    }
    check->shape = shape + strcspn(shape, "]") + 1;
    return fine;
}

/* The members up to the end of the shape or a "]". `object` may be NULL: nothing is there. */
static bool check_members(struct check *check, const json_t *object, const char *path) {
    while (*check->shape && *check->shape != ']') {
        char name[64], full[PATH];
        const size_t length = strcspn(check->shape, ":");
        snprintf(name, sizeof name, "%.*s", (int)length, check->shape);
        snprintf(full, sizeof full, "%.130s%s%s", path, *path ? "." : "", name);
        const char type = check->shape[length + 1];
        check->shape += length + 2;
        const json_t *value = json_object_get(object, name);
        if (json_is_null(value))
            value = NULL;
        if (value && !has_type(value, type)) {
            snprintf(check->why, check->size, "%s is not %s", full, type_name(type));
            return false;
        }
        if (type == '[' && !check_list(check, value, full))
            return false;
        if (*check->shape == '!') {
            check->shape++;
            if (!value) {
                snprintf(check->why, check->size, "%s is missing", full);
                return false;
            }
        }
        check->shape += *check->shape == ' ';
    }
    return true;
}

bool fh_dap_shape_holds(const char *shape, const json_t *arguments, char *why, size_t size) {
    struct check check = {shape, why, size};
    if (arguments && !json_is_null(arguments) && !json_is_object(arguments)) {
        snprintf(why, size, "arguments is not an object");
        return false;
    }
    return check_members(&check, json_is_object(arguments) ? arguments : NULL, "");
}
