/*
 * diagnostic.c - diagnostics as text for people and as JSON. Works on fhec_diagnostic alone,
 * whoever made it.
 */
#include "location.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Escapes of a colour terminal; empty without colour. */
struct colors {
    const char *strong, *severity, *note, *off;
};

static void put_place(struct fh_fixed_text *s, const fhec_location *at) {
    fh_fixed_puts(s, at->file);
    if (at->line == 0) /* the whole file: an object */
        return;
    fh_fixed_print(s, ":%lu:%lu", (unsigned long)at->line, (unsigned long)at->column);
}

enum { WINDOW = 160 }; /* bytes of a line that are shown */

/* The source line and, below it, the range. Tabs stay tabs in both, so that they line up; other
 * control characters become '?'. Of a very long line only the part around the range is shown. */
static void put_line(struct fh_fixed_text *s, const fhec_diagnostic *d, const struct colors *c) {
    size_t length = strlen(d->source_line);
    size_t first = d->at.column - 1, begin = 0;
    if (!length || first > length) /* only the beginning of so long a line is kept */
        return;
    if (length > WINDOW && first > WINDOW / 2)
        begin = first - WINDOW / 2;
    size_t end = length - begin > WINDOW ? begin + WINDOW : length;
    size_t last = first + (d->at.length ? d->at.length : 1);
    fh_fixed_puts(s, begin ? "  ..." : "  ");
    for (size_t i = begin; i < end; i++) {
        unsigned char byte = (unsigned char)d->source_line[i];
        char shown = (char)((byte < ' ' && byte != '\t') || byte == 0x7f ? '?' : byte);
        fh_fixed_put(s, &shown, 1);
    }
    fh_fixed_puts(s, end < length ? "...\n" : "\n");
    fh_fixed_puts(s, begin ? "     " : "  ");
    for (size_t i = begin; i < first; i++) {
        unsigned char byte = (unsigned char)d->source_line[i];
        if (byte == '\t')
            fh_fixed_puts(s, "\t");
        else if ((byte & 0xc0) != 0x80) /* a UTF-8 sequence is one column */
            fh_fixed_puts(s, " ");
    }
    fh_fixed_puts(s, c->severity);
    fh_fixed_puts(s, "^");
    for (size_t i = first + 1; i < last && i < end; i++)
        if (((unsigned char)d->source_line[i] & 0xc0) != 0x80)
            fh_fixed_puts(s, "~");
    fh_fixed_puts(s, c->off);
    fh_fixed_puts(s, "\n");
}

static const char *severity_name(fhec_severity severity) {
    return severity == FHEC_ERROR ? "error" : severity == FHEC_WARNING ? "warning" : "note";
}

size_t fhec_format_diagnostic(const fhec_diagnostic *d, bool color, char *text, size_t size) {
    static const struct colors none = {"", "", "", ""};
    const struct colors shown = {"\033[1m", d->severity == FHEC_ERROR ? "\033[1;31m" : "\033[1;35m",
                                 "\033[1;36m", "\033[0m"};
    const struct colors *c = color ? &shown : &none;
    struct fh_fixed_text s = {text, size, 0};
    fh_fixed_puts(&s, c->strong);
    if (d->at.file) {
        put_place(&s, &d->at);
        fh_fixed_puts(&s, ": ");
    }
    fh_fixed_puts(&s, c->severity);
    fh_fixed_puts(&s, severity_name(d->severity));
    if (d->id) {
        fh_fixed_puts(&s, "[");
        fh_fixed_puts(&s, d->id);
        fh_fixed_puts(&s, "]");
    }
    fh_fixed_puts(&s, ":");
    fh_fixed_puts(&s, c->off);
    fh_fixed_puts(&s, " ");
    fh_fixed_puts(&s, d->message);
    fh_fixed_puts(&s, "\n");
    if (d->source_line && d->at.file)
        put_line(&s, d, c);
    for (size_t i = 0; i < d->note_count; i++) {
        fh_fixed_puts(&s, "  ");
        fh_fixed_puts(&s, c->note);
        fh_fixed_puts(&s, "note:");
        fh_fixed_puts(&s, c->off);
        fh_fixed_puts(&s, " ");
        fh_fixed_puts(&s, d->notes[i]);
        fh_fixed_puts(&s, "\n");
    }
    for (size_t i = 0; i < d->expansion_count; i++) {
        fh_fixed_puts(&s, "  in ");
        fh_put_expansion(&s, &d->expansions[i]);
        fh_fixed_puts(&s, " at ");
        put_place(&s, &d->expansions[i].at);
        fh_fixed_puts(&s, "\n");
    }
    return fh_fixed_end(&s);
}

/* ---------------------------------------------------------------- JSON */

/* A JSON string of any bytes: what is no UTF-8 becomes U+FFFD byte by byte. */
static json_t *json_text(const char *text) {
    static const char replacement[3] = {'\xef', '\xbf', '\xbd'};
    json_t *whole = json_string(text);
    if (whole)
        return whole;
    size_t length = strlen(text), n = 0;
    char *copy = malloc(length * sizeof replacement + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < length;) {
        size_t bytes = 1;
        unsigned char lead = (unsigned char)text[i];
        if (lead >= 0xc2)
            bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        json_t *part = i + bytes <= length ? json_stringn(text + i, bytes) : NULL;
        if (part) {
            memcpy(copy + n, text + i, bytes);
            n += bytes;
            i += bytes;
        } else {
            memcpy(copy + n, replacement, sizeof replacement);
            n += sizeof replacement;
            i++;
        }
        json_decref(part);
    }
    json_t *string = json_stringn(copy, n);
    free(copy);
    return string;
}

/* Each of these adds to `object`, which takes `value` over; false when there is no memory. */
static bool add(json_t *object, const char *key, json_t *value) {
    return value && json_object_set_new(object, key, value) == 0;
}

static bool add_place(json_t *object, const fhec_location *at) {
    return !at->file || (add(object, "file", json_text(at->file)) &&
                         add(object, "line", json_integer((json_int_t)at->line)) &&
                         add(object, "column", json_integer((json_int_t)at->column)) &&
                         add(object, "length", json_integer((json_int_t)at->length)));
}

static json_t *expansion_text(const fhec_expansion *expansion) {
    const size_t size = fhec_format_expansion(expansion, NULL, 0) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    (void)fhec_format_expansion(expansion, text, size);
    json_t *string = json_text(text);
    free(text);
    return string;
}

static json_t *expansions(const fhec_diagnostic *d) {
    json_t *array = json_array();
    bool good = array != NULL;
    for (size_t i = 0; good && i < d->expansion_count; i++) {
        json_t *step = json_object();
        good = step && add(step, "what", expansion_text(&d->expansions[i])) &&
               add_place(step, &d->expansions[i].at);
        if (good)
            good = json_array_append_new(array, step) == 0;
        else
            json_decref(step);
    }
    if (good)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *notes(const fhec_diagnostic *d) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < d->note_count; i++) {
        json_t *note = json_text(d->notes[i]);
        if (!note || json_array_append_new(array, note) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

size_t fhec_format_diagnostic_json(const fhec_diagnostic *d, char *text, size_t size) {
    struct fh_fixed_text s = {text, size, 0};
    json_t *object = json_object();
    bool good = object && add(object, "severity", json_text(severity_name(d->severity))) &&
                (!d->id || add(object, "id", json_text(d->id))) &&
                add(object, "message", json_text(d->message)) && add_place(object, &d->at) &&
                (!d->source_line || add(object, "source", json_text(d->source_line))) &&
                add(object, "notes", notes(d)) && add(object, "expansions", expansions(d));
    char *line = good ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    if (line)
        fh_fixed_puts(&s, line);
    free(line);
    json_decref(object);
    return fh_fixed_end(&s);
}
