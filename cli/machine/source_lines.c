/*
 * source_lines.c - see source_lines.h.
 */
#include "source_lines.h"

#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "input.h"
#include "sass_files.h"

/* The text of a file, and where its lines begin. */
struct source {
    char *file, *text; /* text NULL: nobody has it */
    size_t length;
    size_t *starts; /* of line i + 1 */
    size_t count;
};

struct fh_cli_source_lines {
    struct source *sources;
    size_t source_count;
};

/* A file, or one of those that are part of the tool. */
static void read_source(struct source *s) {
    char why[FH_CLI_WHY];
    if (fh_cli_try_read(s->file, FH_CLI_MAX_TEXT, &s->text, &s->length, why))
        return;
    s->text = NULL;
    for (size_t i = 0; i < fh_sass_file_count && !s->text; i++) {
        const struct fh_sass_file *f = &fh_sass_files[i];
        if (strcmp(f->name, s->file) != 0)
            continue;
        s->text = malloc(f->length + 1);
        s->length = f->length;
        if (s->text)
            memcpy(s->text, f->text, f->length + 1);
    }
}

static void find_lines(struct source *s) {
    size_t lines = 1;
    for (size_t i = 0; s->text && i < s->length; i++)
        lines += s->text[i] == '\n';
    s->starts = s->text ? calloc(lines + 1, sizeof *s->starts) : NULL;
    if (!s->starts)
        return;
    for (size_t i = 0, line = 1; i < s->length; i++)
        if (s->text[i] == '\n')
            s->starts[line++] = i + 1;
    s->starts[lines] = s->length + 1;
    s->count = lines;
}

static const struct source *source_of(struct fh_cli_source_lines *p, const char *file) {
    for (size_t i = 0; i < p->source_count; i++)
        if (!strcmp(p->sources[i].file, file))
            return &p->sources[i];
    struct source *more = fh_cli_more(p->sources, p->source_count, sizeof *p->sources);
    if (!more)
        return NULL;
    p->sources = more;
    struct source *s = &p->sources[p->source_count];
    *s = (struct source){.file = strdup(file)};
    if (!s->file)
        return NULL;
    p->source_count++;
    read_source(s);
    find_lines(s);
    return s;
}

bool fh_cli_line_of(void *user, const char *file, uint32_t line, const char **text,
                    size_t *length) {
    const struct source *s = source_of(user, file);
    if (!s || line < 1 || line > s->count)
        return false;
    *text = s->text + s->starts[line - 1];
    *length = s->starts[line] - s->starts[line - 1] - 1;
    if (*length && (*text)[*length - 1] == '\r')
        --*length;
    return true;
}

struct fh_cli_source_lines *fh_cli_source_lines_new(void) {
    return calloc(1, sizeof(struct fh_cli_source_lines));
}

void fh_cli_source_lines_free(struct fh_cli_source_lines *lines) {
    for (size_t i = 0; lines && i < lines->source_count; i++) {
        free(lines->sources[i].file);
        free(lines->sources[i].text);
        free(lines->sources[i].starts);
    }
    if (lines)
        free(lines->sources);
    free(lines);
}
