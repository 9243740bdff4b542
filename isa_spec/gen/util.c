/*
 * util.c - errors, growing arrays, strings and output files of the ISA compiler.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "isac.h"
#include "nearest.h"

unsigned error_count;

void *must(void *p) {
    if (!p) {
        fputs("isac: out of memory\n", stderr);
        exit(4);
    }
    return p;
}

void *more(void *array, size_t count, size_t size) {
    must(fh_grow_by_one(&array, count, size) ? array : NULL);
    memset((char *)array + count * size, 0, size);
    return array;
}

char *copy(const char *s, size_t n) {
    char *result = must(malloc(n + 1));
    memcpy(result, s, n);
    result[n] = 0;
    return result;
}

__attribute__((format(printf, 1, 0))) static char *vprint(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *result = must(malloc((size_t)n + 1));
    vsnprintf(result, (size_t)n + 1, format, args);
    return result;
}

char *print(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *result = vprint(format, args);
    va_end(args);
    return result;
}

char *c_name(const char *name) {
    char *result = copy(name, strlen(name));
    for (char *p = result; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return result;
}

char *upper_case(const char *s) {
    char *result = copy(s, strlen(s));
    for (char *p = result; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    return result;
}

void add_number(struct numbers *numbers, uint32_t number) {
    numbers->v = more(numbers->v, numbers->n, sizeof *numbers->v);
    numbers->v[numbers->n++] = number;
}

/* The forms of an instruction can have one mistake together, which is told once. */
void error_at(struct at at, const char *format, ...) {
    static struct names told;
    va_list args;
    va_start(args, format);
    const char *message = vprint(format, args);
    va_end(args);
    message = print("%s:%d: %s", at.file, at.line, message);
    error_count++;
    if (has_name(&told, message))
        return;
    fprintf(stderr, "%s\n", message);
    add_name(&told, message);
}

const char *suggestion(const char *wanted, const struct names *names) {
    const char *near = fh_nearest_of(wanted, names->v, names->n);
    char *list = print("%s", "");
    for (size_t i = 0; i < names->n; i++)
        list = print("%s%s%s", list, i ? ", " : "", names->v[i]);
    return near ? print("; did you mean `%s`?", near) : print("; there are: %s", list);
}

void add_name(struct names *names, const char *name) {
    names->v = more(names->v, names->n, sizeof *names->v);
    names->v[names->n++] = name;
}

void add_names(struct names *names, struct names others) {
    for (size_t i = 0; i < others.n; i++)
        if (!has_name(names, others.v[i]))
            add_name(names, others.v[i]);
}

bool has_name(const struct names *names, const char *name) {
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->v[i], name) == 0)
            return true;
    return false;
}

void write_c_string(FILE *out, const char *s) {
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '\n')
            fputs(s[1] ? "\\n\"\n    \"" : "\\n", out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else
            fputc(*s, out);
    }
    fputc('"', out);
}

void write_json_string(FILE *out, const char *s) {
    fputc('"', out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\n')
            fputs("\\n", out);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void write_line_directive(FILE *out, struct at at) {
    fprintf(out, "#line %d ", at.line);
    write_c_string(out, at.file);
    fputc('\n', out);
}

/* Whether the file has this text already. */
static bool holds(const char *path, const char *text) {
    FILE *in = fopen(path, "r");
    int c = 0;
    if (!in)
        return false;
    while ((c = getc(in)) != EOF && c == (unsigned char)*text)
        text++;
    fclose(in);
    return c == EOF && !*text;
}

bool write_output(const char *folder, const char *name, const char *text) {
    const char *path = print("%s/%s", folder, name);
    if (holds(path, text))
        return true;
    FILE *out = fopen(path, "w");
    bool written = out && fputs(text, out) != EOF;
    if (out && fclose(out) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "isac: cannot write %s\n", path);
    return written;
}

uint64_t number_of(struct at at, const char *text, size_t length) {
    const char *why;
    uint64_t number;
    if (!fh_parse_number(text, length, &number, &why))
        error_at(at, "`%.*s` is no number: %s", (int)length, text, why);
    return number;
}
