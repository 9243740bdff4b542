/* source.c - see source.h. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

/* Positions are 32 bits wide; far below that, a text is a mistake. */
enum { TEXT_LIMIT = 1 << 30 };
/* How many places are tried in order before the list is searched. */
enum { NEAR = 12 };

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
        struct fh_beginnings *lines = &file->lines;
        if (lines->count == capacity &&
            !fh_grow(&lines->offsets, &capacity, capacity + 1, sizeof *lines->offsets))
            return false;
        lines->offsets[lines->count++] = (uint32_t)(line - file->text);
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
                                 .from = from,
                                 .outer = from.begin ? fh_source_find(s, from.begin) : NULL};
    /* Lines are found now: while a text is scanned there is a NUL somewhere in it. */
    if (kind == FH_BUFFER_FILE &&
        (!fh_source_name(s, what, &buffer->file) || !make_lines(buffer))) {
        free(buffer->lines.offsets);
        return NULL;
    }
    /* One position more than bytes, so that the end of an empty text has a position too. */
    s->next = buffer->base + buffer->length + 1;
    s->buffers[s->count++] = buffer;
    return buffer;
}

/* Most questions are about the newest text and those that it stands in. */
static struct fh_buffer *search(const struct fh_sources *s, uint32_t position) {
    struct fh_buffer *buffer = s->count ? s->buffers[s->count - 1] : NULL;
    for (; buffer; buffer = buffer->outer)
        if (position - buffer->base <= buffer->length)
            return buffer;
    size_t low = 0, high = s->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->buffers[middle]->base <= position)
            low = middle;
        else
            high = middle;
    }
    if (low >= s->count || position - s->buffers[low]->base > s->buffers[low]->length)
        return NULL;
    return s->buffers[low];
}

struct fh_buffer *fh_source_find(struct fh_sources *s, uint32_t position) {
    struct fh_buffer *found = s->found[0];
    unsigned i = 0;
    while (found && position - found->base > found->length)
        found = ++i < FH_SOURCES_FOUND ? s->found[i] : NULL;
    if (i == 0 && found)
        return found;
    if (!found)
        found = search(s, position);
    if (!found)
        return NULL;
    if (i == FH_SOURCES_FOUND)
        i--;
    for (; i > 0; i--)
        s->found[i] = s->found[i - 1];
    return s->found[0] = found;
}

/* The beginning of place i of a list; each place begins with it and has `size` bytes. */
static inline uint32_t beginning(const void *list, size_t size, uint32_t i) {
    uint32_t begin;
    memcpy(&begin, (const char *)list + i * size, sizeof begin);
    return begin;
}

/* Index of the last place that does not begin behind `offset`, from that of the one found last,
 * near which most questions are. Inline, for the sake of `size`. */
static inline uint32_t place_at(const void *list, size_t size, uint32_t count, uint32_t last,
                                uint32_t offset) {
    uint32_t low = 0, high = count;
    if (last < count && beginning(list, size, last) <= offset) {
        const uint32_t end = count - last > NEAR ? last + NEAR : count;
        for (low = last; low + 1 < end && beginning(list, size, low + 1) <= offset;)
            low++;
        if (low + 1 < end || end == count)
            return low;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (beginning(list, size, middle) <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t index_of(struct fh_beginnings *list, uint32_t offset) {
    return list->last =
               place_at(list->offsets, sizeof *list->offsets, list->count, list->last, offset);
}

static const struct fh_segment *segment_at(struct fh_buffer *buffer, uint32_t offset) {
    const struct fh_segment *list = buffer->segments;
    if (!buffer->segment_count)
        return NULL;
    buffer->last_segment =
        place_at(list, sizeof *list, buffer->segment_count, buffer->last_segment, offset);
    return &list[buffer->last_segment];
}

/* Follows one position of a buffer into the file where it was written; *length is how far the span
 * extends there: 1, or the whole of what an argument replaced. */
static struct fh_buffer *written_at(struct fh_buffer *buffer, uint32_t *position,
                                    uint32_t *length) {
    *length = 1;
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
        buffer = buffer->body;
    }
    return buffer;
}

/* Which iteration of a repetition an offset is in, from 1; 0 in other texts. */
static uint32_t iteration_at(struct fh_buffer *buffer, uint32_t offset) {
    return buffer->iterations.count ? index_of(&buffer->iterations, offset) + 1 : 0;
}

/* Where a span that begins in the buffer was written; the file, or NULL if that is nowhere. */
static struct fh_buffer *origin_of(struct fh_buffer *within, struct fh_span span,
                                   struct fh_origin *origin) {
    uint32_t begin = span.begin, begin_length = 1;
    struct fh_buffer *buffer = written_at(within, &begin, &begin_length);
    if (!buffer)
        return NULL;
    uint32_t offset = begin - buffer->base;
    uint32_t line = index_of(&buffer->lines, offset);
    size_t line_length;
    (void)fh_source_line(buffer, line + 1, &line_length);

    uint32_t end = begin + begin_length;
    uint32_t last = span.end - 1, last_length;
    if (last > span.begin && last - within->base <= within->length &&
        written_at(within, &last, &last_length) == buffer && last + last_length > end)
        end = last + last_length;
    /* A range does not run past its line; at the very end of a line it is one column wide. */
    uint32_t line_end = buffer->base + buffer->lines.offsets[line] + (uint32_t)line_length;
    if (end > line_end)
        end = line_end;
    *origin = (struct fh_origin){.file = buffer->file,
                                 .line = line + 1,
                                 .column = offset - buffer->lines.offsets[line] + 1,
                                 .length = end > begin ? end - begin : 1};
    return buffer;
}

bool fh_source_origin(struct fh_sources *s, struct fh_span span, struct fh_origin *origin,
                      struct fh_buffer **file) {
    struct fh_buffer *buffer = span.begin ? fh_source_find(s, span.begin) : NULL;
    struct fh_buffer *found = buffer ? origin_of(buffer, span, origin) : NULL;
    if (file && found)
        *file = found;
    return found;
}

const char *fh_source_line(const struct fh_buffer *file, uint32_t line, size_t *length) {
    uint32_t begin = file->lines.offsets[line - 1];
    uint32_t end = line < file->lines.count ? file->lines.offsets[line] - 1 : file->length;
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
    *iteration = iteration_at(here, span->begin - here->base);
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

static bool step_in(struct fh_sources *s, struct fh_buffer *buffer, uint32_t position,
                    uint32_t *step);

/* A step as it is for the first word of a text; further iterations differ in their numbers only. */
static bool first_step(struct fh_sources *s, struct fh_buffer *buffer,
                       struct fh_expansion_step *step) {
    static const enum fh_expansion_kind kinds[] = {[FH_BUFFER_FILE] = FH_FROM_INCLUDE,
                                                   [FH_BUFFER_MACRO] = FH_FROM_MACRO,
                                                   [FH_BUFFER_REPT] = FH_FROM_REPT,
                                                   [FH_BUFFER_IRP] = FH_FROM_IRP};
    *step = (struct fh_expansion_step){.kind = kinds[buffer->kind]};
    if (buffer->kind == FH_BUFFER_FILE) {
        step->number = buffer->file % FH_EXPANSION_NUMBERS;
    } else if (buffer->kind == FH_BUFFER_MACRO) {
        if (!name_macro(s, buffer->macro))
            return false;
        step->number = buffer->macro->index % FH_EXPANSION_NUMBERS;
    }
    (void)origin_of(buffer->outer, buffer->from, &step->at);
    return step_in(s, buffer->outer, buffer->from.begin, &step->at.expansion);
}

static bool add_step(struct fh_sources *s, struct fh_buffer *buffer, uint32_t iteration) {
    struct fh_expansion_step step;
    if (buffer->step)
        step = s->steps[buffer->step - 1];
    else if (!first_step(s, buffer, &step))
        return false;
    if (!fh_grow(&s->steps, &s->step_capacity, s->step_count + 1, sizeof *s->steps))
        return false;
    if (fh_is_repetition(buffer))
        step.number = iteration % FH_EXPANSION_NUMBERS;
    s->steps[s->step_count++] = step;
    buffer->step = (uint32_t)s->step_count;
    buffer->step_iteration = iteration;
    return true;
}

/* The expansion that a position of a buffer lies in: 1 + index of its step, which is made if it is
 * not there, with those further out, at most FH_MAX_NESTING; 0 in a first file. False when there is
 * no memory. */
static bool step_in(struct fh_sources *s, struct fh_buffer *buffer, uint32_t position,
                    uint32_t *step) {
    *step = 0;
    if (!buffer->outer)
        return true;
    const uint32_t iteration = iteration_at(buffer, position - buffer->base);
    if ((!buffer->step || buffer->step_iteration != iteration) && !add_step(s, buffer, iteration))
        return false;
    *step = buffer->step;
    return true;
}

bool fh_source_trace(struct fh_sources *s, struct fh_span span, struct fh_origin *origin) {
    struct fh_buffer *buffer = fh_source_find(s, span.begin);
    return !buffer || !origin_of(buffer, span, origin) ||
           step_in(s, buffer, span.begin, &origin->expansion);
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
        free(s->buffers[i]->lines.offsets);
    for (size_t i = 0; i < s->macro_count; i++)
        free(s->macros[i]);
    free(s->names);
    free(s->macros);
    free(s->steps);
    free(s->buffers);
}
