/* source.c - see source.h. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

/* Positions are 32 bits wide; far below that, a text is a mistake. */
enum { TEXT_LIMIT = 1 << 30 };

bool fh_source_fits(const struct fh_sources *s, size_t length) {
    return length < TEXT_LIMIT && s->next + length < TEXT_LIMIT;
}

/* Adds a copy of the name to a list of them. */
static bool add_name(char ***names, size_t *count, size_t *capacity, const char *name) {
    if (!fh_grow(names, capacity, *count + 1, sizeof **names))
        return false;
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, name, size);
    (*names)[(*count)++] = copy;
    return true;
}

bool fh_source_name(struct fh_sources *s, const char *name, uint32_t *index) {
    for (size_t i = 0; i < s->name_count; i++) {
        if (strcmp(s->names[i], name) == 0) {
            *index = (uint32_t)i;
            return true;
        }
    }
    *index = (uint32_t)s->name_count;
    return add_name(&s->names, &s->name_count, &s->name_capacity, name);
}

static bool make_lines(struct fh_buffer *file) {
    size_t capacity = 0;
    const char *line = file->text, *end = line + file->length;
    for (;;) {
        if (file->line_count == capacity &&
            !fh_grow(&file->lines, &capacity, capacity + 1, sizeof *file->lines))
            return false;
        file->lines[file->line_count++] = (uint32_t)(line - file->text);
        line = memchr(line, '\n', (size_t)(end - line));
        if (!line)
            return true;
        line++;
    }
}

struct fh_buffer *fh_source_add(struct fh_sources *s, enum fh_buffer_kind kind, const char *what,
                                char *text, size_t length, struct fh_span from) {
    struct fh_buffer *buffer = fh_arena_alloc(s->arena, sizeof *buffer);
    if (!buffer || !fh_grow(&s->buffers, &s->capacity, s->count + 1, sizeof *s->buffers))
        return NULL;
    *buffer = (struct fh_buffer){.kind = kind,
                                 .what = what,
                                 .text = text,
                                 .length = (uint32_t)length,
                                 .base = s->next ? s->next : 1,
                                 .from = from};
    /* Lines are found now: while a text is scanned there is a NUL somewhere in it. */
    if (kind == FH_BUFFER_FILE &&
        (!fh_source_name(s, what, &buffer->file) || !make_lines(buffer))) {
        free(buffer->lines);
        return NULL;
    }
    /* One position more than bytes, so that the end of an empty text has a position too. */
    s->next = buffer->base + buffer->length + 1;
    s->buffers[s->count++] = buffer;
    return buffer;
}

struct fh_buffer *fh_source_find(struct fh_sources *s, uint32_t position) {
    for (unsigned i = 0; i < FH_SOURCES_FOUND; i++)
        if (s->found[i] && position - s->found[i]->base <= s->found[i]->length)
            return s->found[i];
    size_t low = 0, high = s->count;
    if (high && position >= s->buffers[high - 1]->base) /* the newest is what is read now */
        low = high - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->buffers[middle]->base <= position)
            low = middle;
        else
            high = middle;
    }
    if (low >= s->count || position - s->buffers[low]->base > s->buffers[low]->length)
        return NULL;
    return s->found[s->next_found++ % FH_SOURCES_FOUND] = s->buffers[low];
}

static const struct fh_segment *segment_at(const struct fh_buffer *buffer, uint32_t offset) {
    size_t low = 0, high = buffer->segment_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (buffer->segments[middle].at <= offset)
            low = middle;
        else
            high = middle;
    }
    return high ? &buffer->segments[low] : NULL;
}

/* Follows one position into the file where it was written; *length is how far the span extends
 * there: 1, or the whole of what an argument replaced. */
static struct fh_buffer *written_at(struct fh_sources *s, uint32_t *position, uint32_t *length) {
    *length = 1;
    struct fh_buffer *buffer = fh_source_find(s, *position);
    /* A segment leads to an earlier buffer, so this ends. */
    while (buffer && buffer->kind != FH_BUFFER_FILE) {
        uint32_t offset = *position - buffer->base;
        const struct fh_segment *segment = segment_at(buffer, offset);
        if (!segment)
            return NULL;
        if (segment->length) {
            *position = segment->from;
            *length = segment->length;
        } else {
            *position = segment->from + (offset - segment->at);
        }
        buffer = fh_source_find(s, *position);
    }
    return buffer;
}

/* Index of the line that holds `offset`. */
static uint32_t line_of(struct fh_buffer *file, uint32_t offset) {
    uint32_t near = file->last_line;
    for (uint32_t i = near; i < near + 4 && i < file->line_count; i++)
        if (file->lines[i] <= offset && (i + 1 == file->line_count || file->lines[i + 1] > offset))
            return file->last_line = i;
    uint32_t low = 0, high = file->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (file->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return file->last_line = low;
}

bool fh_source_origin(struct fh_sources *s, struct fh_span span, struct fh_origin *origin,
                      struct fh_buffer **file) {
    uint32_t begin = span.begin, begin_length = 1;
    struct fh_buffer *buffer = begin ? written_at(s, &begin, &begin_length) : NULL;
    if (!buffer)
        return false;
    uint32_t offset = begin - buffer->base;
    uint32_t line = line_of(buffer, offset);
    size_t line_length;
    (void)fh_source_line(buffer, line + 1, &line_length);

    uint32_t end = begin + begin_length;
    if (span.end > span.begin + 1) {
        uint32_t last = span.end - 1, last_length;
        if (written_at(s, &last, &last_length) == buffer && last + last_length > end)
            end = last + last_length;
    }
    /* A range does not run past its line; at the very end of a line it is one column wide. */
    uint32_t line_end = buffer->base + buffer->lines[line] + (uint32_t)line_length;
    if (end > line_end)
        end = line_end;
    *origin = (struct fh_origin){.file = buffer->file,
                                 .line = line + 1,
                                 .column = offset - buffer->lines[line] + 1,
                                 .length = end > begin ? end - begin : 1};
    if (file)
        *file = buffer;
    return true;
}

const char *fh_source_line(const struct fh_buffer *file, uint32_t line, size_t *length) {
    uint32_t begin = file->lines[line - 1];
    uint32_t end = line < file->line_count ? file->lines[line] - 1 : file->length;
    if (end > begin && file->text[end - 1] == '\r')
        end--;
    *length = end - begin;
    return file->text + begin;
}

bool fh_source_outward(struct fh_sources *s, struct fh_span *span, struct fh_buffer **buffer,
                       uint32_t *iteration) {
    struct fh_buffer *here = span->begin ? fh_source_find(s, span->begin) : NULL;
    if (!here || !here->from.begin)
        return false;
    const struct fh_segment *segment = segment_at(here, span->begin - here->base);
    *iteration = segment ? segment->iteration : 0;
    *buffer = here;
    *span = here->from;
    return true;
}

/* ---------------------------------------------------------------- steps */

fhec_expansion fh_source_expansion(const struct fh_buffer *buffer, uint32_t iteration,
                                   fhec_location at) {
    fhec_expansion e = {.name = buffer->what, .at = at};
    if (buffer->kind == FH_BUFFER_FILE) {
        e.kind = FHEC_EXPANSION_INCLUDE;
    } else if (buffer->kind == FH_BUFFER_MACRO) {
        e.kind = FHEC_EXPANSION_MACRO;
        e.name = buffer->macro->text;
    } else {
        e.kind = FHEC_EXPANSION_REPETITION;
        e.iteration = iteration;
    }
    return e;
}

static bool name_macro(struct fh_sources *s, struct fh_macro_name *macro) {
    if (macro->index != UINT32_MAX)
        return true;
    if (!add_name(&s->macros, &s->macro_count, &s->macro_capacity, macro->text))
        return false;
    macro->index = (uint32_t)s->macro_count - 1;
    return true;
}

static bool add_step(struct fh_sources *s, struct fh_buffer *buffer, uint32_t iteration) {
    static const enum fh_expansion_kind kinds[] = {[FH_BUFFER_FILE] = FH_FROM_INCLUDE,
                                                   [FH_BUFFER_MACRO] = FH_FROM_MACRO,
                                                   [FH_BUFFER_REPT] = FH_FROM_REPT,
                                                   [FH_BUFFER_IRP] = FH_FROM_IRP};
    struct fh_expansion_step step = {.kind = kinds[buffer->kind], .iteration = iteration};
    if (buffer->kind == FH_BUFFER_FILE)
        step.name = buffer->file;
    else if (buffer->kind == FH_BUFFER_MACRO && !name_macro(s, buffer->macro))
        return false;
    else if (buffer->kind == FH_BUFFER_MACRO)
        step.name = buffer->macro->index;
    (void)fh_source_origin(s, buffer->from, &step.at, NULL);
    if (!fh_source_step(s, buffer->from.begin, &step.at.expansion) ||
        !fh_grow(&s->steps, &s->step_capacity, s->step_count + 1, sizeof *s->steps))
        return false;
    s->steps[s->step_count++] = step;
    buffer->step = (uint32_t)s->step_count;
    buffer->step_iteration = iteration;
    return true;
}

/* As deep as texts are nested: FH_MAX_NESTING at most. */
bool fh_source_step(struct fh_sources *s, uint32_t position, uint32_t *step) {
    struct fh_buffer *buffer = fh_source_find(s, position);
    *step = 0;
    if (!buffer || !buffer->from.begin)
        return true;
    const struct fh_segment *segment =
        fh_is_repetition(buffer) ? segment_at(buffer, position - buffer->base) : NULL;
    const uint32_t iteration = segment ? segment->iteration : 0;
    if ((!buffer->step || buffer->step_iteration != iteration) && !add_step(s, buffer, iteration))
        return false;
    *step = buffer->step;
    return true;
}

const char *fh_source_text(struct fh_sources *s, struct fh_span span) {
    struct fh_buffer *buffer = fh_source_find(s, span.begin);
    return buffer ? buffer->text + (span.begin - buffer->base) : "";
}

void fh_source_give(struct fh_sources *s, struct fhec_program *program) {
    program->files = s->names;
    program->file_count = (uint32_t)s->name_count;
    program->macros = s->macros;
    program->macro_count = (uint32_t)s->macro_count;
    program->expansion_steps = s->steps;
    program->expansion_step_count = (uint32_t)s->step_count;
    s->names = s->macros = NULL;
    s->steps = NULL;
    s->name_count = s->macro_count = s->step_count = 0;
}

void fh_source_free(struct fh_sources *s) {
    for (size_t i = 0; i < s->name_count; i++)
        free(s->names[i]);
    for (size_t i = 0; i < s->count; i++)
        free(s->buffers[i]->lines);
    for (size_t i = 0; i < s->macro_count; i++)
        free(s->macros[i]);
    free(s->names);
    free(s->macros);
    free(s->steps);
    free(s->buffers);
}
