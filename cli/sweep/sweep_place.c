/*
 * sweep_place.c - see sweep_place.h. The JSON library keeps no places of values; the text is known
 * to be valid when one is looked for, so going through it needs brackets and strings only.
 */
#include "sweep_place.h"

#include <stdbool.h>
#include <string.h>

#include "literal.h"

static const char *skip_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Behind the string that begins here. */
static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at) {
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
        } else if (strchr("[{", *at) && *at) {
            depth++;
            at++;
        } else if (strchr("]}", *at) && *at) {
            depth--;
            at++;
        } else if (depth) {
            at += *at != 0;
        } else {
            at += strcspn(at, ",]} \t\r\n"); /* a number or a word */
        }
    } while (depth && *at);
    return at;
}

/* Values of members of the object that begins here; NULL: it has none of this name. */
static const char *member(const char *at, const char *name, size_t length) {
    if (*at != '{')
        return NULL;
    for (at = skip_space(at + 1); *at == '"'; at = skip_space(at + 1)) {
        const char *end = skip_string(at);
        const bool found = (size_t)(end - at) == length + 2 && !strncmp(at + 1, name, length);
        at = skip_space(skip_space(end) + 1); /* behind the colon */
        if (found)
            return at;
        at = skip_space(skip_value(at));
        if (*at != ',')
            return NULL;
    }
    return NULL;
}

static const char *element(const char *at, size_t index) {
    if (*at != '[')
        return NULL;
    at = skip_space(at + 1);
    for (; index && *at && *at != ']'; index--) {
        at = skip_space(skip_value(at));
        if (*at != ',')
            return NULL;
        at = skip_space(at + 1);
    }
    return *at == ']' ? NULL : at;
}

struct fh_cli_sweep_place fh_cli_sweep_place(const char *text, const char *path) {
    const char *found = skip_space(text);
    for (const char *next = found; *path && next;) {
        if (*path == '[') {
            uint64_t index;
            path += 1 + fh_parse_digits(path + 1, 10, &index);
            next = element(found, (size_t)index);
            path += *path == ']';
        } else {
            path += *path == '.';
            const size_t length = strcspn(path, ".[");
            next = member(found, path, length);
            path += length;
        }
        found = next ? next : found;
    }
    struct fh_cli_sweep_place place = {1, 1};
    for (const char *at = text; at < found; at++) {
        place.column = *at == '\n' ? 1 : place.column + 1;
        place.line += *at == '\n';
    }
    return place;
}
