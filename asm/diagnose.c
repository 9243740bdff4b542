/*
 * diagnose.c - see diagnose.h. With a diagnostic go line and columns, the source line, notes, and
 * the chain of expansions that led there.
 */
#include "diagnose.h"
#include "asm.h"
#include "asm_memory.h"
#include "diagnostic.h"

#include "diagnostic.h"

#include <string.h>

#define DIAGNOSTIC FH_DIAGNOSTIC_ROW
static const struct fh_diagnostic_row rows[FH_D_COUNT] = {
#include "diagnostics.def"
};
#undef DIAGNOSTIC

enum {
    MAX_LINE = 1 << 16, /* bytes of a source line that go with a diagnostic */
    MAX_CHAIN = 16,     /* steps of the chain: the innermost ones, and the outermost */
};

const char *fh_diagnostic_id(enum fh_diagnostic d) {
    return rows[d].id;
}

void fh_note(struct fh_asm *a, const char *text) {
    if (a->reports.note_count < FH_MAX_NOTES)
        a->reports.notes[a->reports.note_count++] = text;
}

void fh_nearest_note(struct fh_asm *a, const struct fh_nearest *n, const char *what,
                     const char *prefix) {
    if (n->best)
        fh_note(a, fh_text(a, "a %s with a similar name exists: `%s%.*s`", what, prefix,
                           (int)n->best_length, n->best));
}

/* The row's text with %1, %2, %3 replaced. */
static const char *fill_in(struct fh_asm *a, const char *text, const char *const with[3]) {
    size_t size = strlen(text) + 1;
    for (int i = 0; i < 3; i++)
        size += with[i] ? strlen(with[i]) : 0;
    char *message = fh_asm_alloc(a, size);
    if (!message)
        return "";
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        if (p[0] == '%' && p[1] >= '1' && p[1] <= '3') {
            const char *s = with[*++p - '1'];
            size_t length = s ? strlen(s) : 0;
            memcpy(message + n, s ? s : "", length);
            n += length;
        } else {
            message[n++] = *p;
        }
    }
    message[n] = '\0';
    return message;
}

static fhec_location location(struct fh_asm *a, const struct fh_origin *origin) {
    return (fhec_location){a->sources.names[origin->file], origin->line, origin->column,
                           origin->length};
}

/* A copy of the line for people: no NULs, and not megabytes of it. */
static const char *line_copy(struct fh_asm *a, const char *line, size_t length) {
    if (length > MAX_LINE)
        length = MAX_LINE;
    char *copy = fh_asm_alloc(a, length + 1);
    if (!copy)
        return "";
    for (size_t i = 0; i < length; i++)
        copy[i] = (char)(line[i] ? line[i] : '?');
    copy[length] = '\0';
    return copy;
}

static size_t chain(struct fh_asm *a, struct fh_span at, fhec_expansion *steps) {
    size_t count = 0;
    struct fh_buffer *buffer;
    uint32_t iteration;
    while (fh_source_outward(&a->sources, &at, &buffer, &iteration)) {
        struct fh_origin origin;
        if (!fh_source_origin(&a->sources, at, &origin, NULL))
            break;
        if (count == MAX_CHAIN) /* the outermost step stays */
            count--;
        steps[count++] = fh_source_expansion(buffer, iteration, location(a, &origin));
    }
    return count;
}

/* Inside a macro the line as written has \names in it; say what it became. */
static void expanded_note(struct fh_asm *a, struct fh_span at, const char *written, size_t length) {
    struct fh_buffer *buffer = at.begin ? fh_source_find(&a->sources, at.begin) : NULL;
    if (!buffer || buffer->kind == FH_BUFFER_FILE)
        return;
    const char *begin = buffer->text + (at.begin - buffer->base), *end = begin;
    while (begin > buffer->text && begin[-1] != '\n')
        begin--;
    while (end < buffer->text + buffer->length && *end != '\n')
        end++;
    if ((size_t)(end - begin) == length && memcmp(begin, written, length) == 0)
        return;
    while (begin < end && (*begin == ' ' || *begin == '\t'))
        begin++;
    fh_note(a, fh_text(a, "the line became: %s", line_copy(a, begin, (size_t)(end - begin))));
}

/* ---------------------------------------------------------------- repetitions
 *
 * What is wrong in the body of .rept is wrong in every iteration. A diagnostic from within a
 * repetition therefore waits until the outermost one has been read, and those that follow with the
 * same id at the same source location, by way of the same calls and includes, are only counted. */

struct fh_pending {
    fhec_diagnostic d;
    uint64_t key;
    unsigned more; /* that came after it with the same key */
};

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t mix_text(uint64_t hash, const char *text) {
    for (; *text; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}

/* What tells diagnostics within repetitions apart. The iterations of .irp have texts of their own,
 * and so may messages of the user's own; elsewhere the message may differ from iteration to
 * iteration. 0: it is in no repetition. */
static uint64_t key_of(struct fh_asm *a, enum fh_diagnostic id, struct fh_span at,
                       const char *message) {
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), id);
    bool repeated = false, texts = id == FH_D_USER_ERROR || id == FH_D_USER_WARNING, more;
    do {
        struct fh_origin origin = {0};
        struct fh_buffer *buffer;
        uint32_t iteration;
        (void)fh_source_origin(&a->sources, at, &origin, NULL);
        hash = mix(mix(mix(hash, origin.file), origin.line), origin.column);
        more = fh_source_outward(&a->sources, &at, &buffer, &iteration);
        if (more && fh_is_repetition(buffer)) {
            repeated = true;
            texts |= buffer->kind == FH_BUFFER_IRP;
        }
    } while (more);
    if (texts)
        hash = mix_text(hash, message);
    return repeated ? hash | 1 : 0;
}

static bool in_repetition(const struct fh_asm *a) {
    for (const struct fh_frame *f = a->texts.top; f; f = f->below)
        if (fh_is_repetition(f->buffer))
            return true;
    return false;
}

static void flush(struct fh_asm *a) {
    for (size_t i = 0; i < a->reports.pending_count && !a->no_memory; i++) {
        struct fh_pending *p = &a->reports.pending[i];
        if (p->more) /* there is room for it */
            ((const char **)p->d.notes)[p->d.note_count++] =
                fh_text(a, "the same in %u more iteration%s", p->more, p->more == 1 ? "" : "s");
        if (!a->no_memory)
            a->options->diagnostic(a->options->user, &p->d);
    }
    a->reports.pending_count = 0;
}

void fh_report_pending(struct fh_asm *a) {
    if (a->stop || !in_repetition(a))
        flush(a);
}

/* Whether the diagnostic is one more of those that wait. */
static bool is_repeated(struct fh_asm *a, uint64_t key) {
    for (size_t i = 0; key && i < a->reports.pending_count; i++) {
        if (a->reports.pending[i].key != key)
            continue;
        a->reports.pending[i].more++;
        a->reports.repeated++;
        return true;
    }
    return false;
}

/* Keeps a copy of the diagnostic, whose texts are in the arena, until the repetition ends. */
static void wait_for_iterations(struct fh_asm *a, const fhec_diagnostic *d, uint64_t key) {
    const char **notes = fh_asm_alloc(a, (d->note_count + 1) * sizeof *notes);
    fhec_expansion *steps = fh_asm_alloc(a, d->expansion_count * sizeof *steps);
    if (a->reports.pending_count == FH_MAX_PENDING)
        flush(a);
    if (!a->reports.pending)
        a->reports.pending = fh_asm_alloc(a, FH_MAX_PENDING * sizeof *a->reports.pending);
    if (!notes || !steps || !a->reports.pending)
        return;
    memcpy(notes, d->notes, d->note_count * sizeof *notes);
    memcpy(steps, d->expansions, d->expansion_count * sizeof *steps);
    struct fh_pending *p = &a->reports.pending[a->reports.pending_count++];
    *p = (struct fh_pending){.d = *d, .key = key};
    p->d.notes = notes;
    p->d.expansions = steps;
}

/* ---------------------------------------------------------------- reports */

static void deliver(struct fh_asm *a, enum fh_diagnostic id, struct fh_span at, const char *message,
                    uint64_t key) {
    fhec_expansion steps[MAX_CHAIN];
    fhec_diagnostic d = {.id = rows[id].id, .severity = rows[id].severity, .message = message};
    struct fh_origin origin;
    struct fh_buffer *file;
    if (fh_source_origin(&a->sources, at, &origin, &file)) {
        size_t length;
        const char *line = fh_source_line(file, origin.line, &length);
        expanded_note(a, at, line, length);
        d.source_line = line_copy(a, line, length);
        d.at = location(a, &origin);
        d.expansion_count = chain(a, at, steps);
        d.expansions = steps;
    }
    d.notes = a->reports.notes;
    d.note_count = a->reports.note_count;
    if (key) {
        wait_for_iterations(a, &d, key);
        return;
    }
    flush(a);
    if (!a->no_memory)
        a->options->diagnostic(a->options->user, &d);
}

void fh_report(struct fh_asm *a, enum fh_diagnostic id, struct fh_span at, const char *x,
               const char *y, const char *z) {
    const char *const with[3] = {x, y, z};
    bool error = rows[id].severity == FHEC_ERROR;
    a->st.bad |= error;
    if (a->stop)
        return;
    const char *message = fill_in(a, rows[id].text, with);
    uint64_t key = key_of(a, id, at, message);
    if (!is_repeated(a, key)) {
        a->reports.errors += error;
        if (a->options->diagnostic) {
            fh_lexer_reveal(a, true);
            deliver(a, id, at, message, key);
            fh_lexer_reveal(a, false);
        }
    }
    a->reports.note_count = 0;
    if ((a->reports.errors >= FH_MAX_ERRORS || a->reports.repeated >= FH_MAX_REPEATED) &&
        id != FH_D_TOO_MANY) {
        fh_report(a, FH_D_TOO_MANY, at, NULL, NULL, NULL);
        a->stop = true;
    }
}
