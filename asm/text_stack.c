/* text_stack.c - see text_stack.h. */
#include "text_stack.h"
#include "asm.h"
#include "asm_memory.h"
#include "listing_read.h"
#include "statement.h"

#include <stdlib.h>
#include <string.h>

bool fh_enter(struct fh_asm *a, struct fh_buffer *buffer) {
    struct fh_frame *frame = fh_asm_alloc(a, sizeof *frame);
    if (!frame)
        return false;
    *frame = (struct fh_frame){.below = a->texts.top,
                               .buffer = buffer,
                               .conditions = (unsigned)a->texts.condition_count,
                               .errors = a->reports.errors};
    frame->state = fh_lexer_push(a, buffer);
    if (!frame->state) {
        a->no_memory = true;
        return false;
    }
    a->texts.top = frame;
    a->texts.depth++;
    fh_lexer_mode(a, FH_MODE_BEGIN);
    return true;
}

void fh_leave(struct fh_asm *a) {
    struct fh_frame *frame = a->texts.top;
    while (a->texts.condition_count > frame->conditions && !a->stop) {
        const struct fh_condition *c = &a->texts.conditions[--a->texts.condition_count];
        fh_report(a, FH_D_OPEN_BLOCK, c->at, ".if", ".endif", NULL);
    }
    a->texts.top = frame->below;
    a->texts.depth--;
    a->tokens.lost = false;
    fh_lexer_pop(a, frame->state, a->texts.top ? a->texts.top->state : NULL);
    fh_listing_free(frame->listing);
    fh_lexer_mode(a, FH_MODE_BEGIN);
}

/* May another text be read within the present ones, from `at`? */
bool fh_may_expand(struct fh_asm *a, const char *what, size_t length, struct fh_span at) {
    if (a->texts.depth >= FH_MAX_NESTING) {
        fh_report(a, FH_D_NESTING, at, fh_text(a, "%d", FH_MAX_NESTING), NULL, NULL);
        a->stop = true; /* each of the outer texts would come to the same */
        return false;
    }
    const char *limit = NULL;
    if (length > FH_MAX_EXPANDED - a->texts.expanded || !fh_source_fits(&a->sources, length))
        limit = fh_text(a, "%d MiB", FH_MAX_EXPANDED >> 20);
    else if (a->texts.expansions >= FH_MAX_EXPANSIONS)
        limit = fh_text(a, "%d expansions", FH_MAX_EXPANSIONS);
    if (limit) {
        fh_report(a, FH_D_TOO_MUCH_TEXT, at, what, limit, NULL);
        a->stop = true; /* all that follows would fail in the same way */
        return false;
    }
    a->texts.expanded += length;
    a->texts.expansions++;
    return true;
}

/* A file with NUL bytes is an object of another kind, a picture, anything: one error is enough. The
 * lexer never sees one: flex would take it for a possible end. */
static bool is_text(struct fh_asm *a, const struct fh_buffer *buffer) {
    const char *p = memchr(buffer->text, '\0', buffer->length);
    if (!p)
        return true;
    uint32_t at = buffer->base + (uint32_t)(p - buffer->text);
    fh_note(a, "a file with NUL bytes is no text");
    fh_report(a, FH_D_BAD_BYTE, (struct fh_span){at, at + 1}, "byte 0x00", NULL, NULL);
    a->stop = true;
    return false;
}

bool fh_enter_file(struct fh_asm *a, const char *name, const char *text, size_t length,
                   struct fh_span from) {
    char *copy = fh_asm_alloc(a, length + 2);
    if (!copy)
        return false;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
        text += 3;
        length -= 3;
    }
    if (length)
        memcpy(copy, text, length);
    copy[length] = copy[length + 1] = '\0';
    struct fh_buffer *buffer = fh_source_add(&a->sources, FH_BUFFER_FILE, name, copy, length, from);
    if (!buffer) {
        a->no_memory = true;
        return false;
    }
    if (!is_text(a, buffer))
        return false;
    struct fh_listing *listing = fh_listing_read(a, buffer);
    if (a->no_memory || !fh_enter(a, buffer)) {
        fh_listing_free(listing);
        return false;
    }
    a->texts.top->listing = listing;
    return true;
}

/* ---------------------------------------------------------------- includes */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether the text of a file that is being read is the one that is included under this name. The
 * first file of a run may have been called by another path. */
static bool is_same_file(const struct fh_buffer *file, const char *name, const char *text,
                         size_t length) {
    return strcmp(file->what, name) == 0 ||
           (strcmp(base_name(file->what), base_name(name)) == 0 && file->length == length &&
            memcmp(file->text, text, length) == 0);
}

/* Whether including the file would go on for ever: it is being read, and no condition, macro or
 * repetition stands between it and its being included again. Where one does, it might end; but not
 * any more when errors have come up within it, which would only be reported again. */
static bool includes_itself(const struct fh_asm *a, const char *name, const char *text,
                            size_t length) {
    size_t conditions = a->texts.condition_count;
    bool certain = true;
    for (const struct fh_frame *f = a->texts.top; f; f = f->below) {
        bool file = f->buffer->kind == FH_BUFFER_FILE;
        certain &= file && conditions == f->conditions;
        if (file && is_same_file(f->buffer, name, text, length) &&
            (certain || a->reports.errors > f->errors))
            return true;
        conditions = f->conditions;
    }
    return false;
}

static void include_text(struct fh_asm *a, const char *name, const char *text, size_t length,
                         struct fh_span at) {
    fh_lexer_reveal(a, true);
    bool loop = includes_itself(a, name, text, length);
    fh_lexer_reveal(a, false);
    if (loop) {
        fh_note(a, "what may be included again stands between `.ifndef NAME` and `.endif`, and "
                   "defines NAME");
        fh_report(a, FH_D_INCLUDE_LOOP, at, name, NULL, NULL);
        a->stop = true;
    } else if (fh_may_expand(a, fh_text(a, "including \"%s\"", name), length, at)) {
        (void)fh_enter_file(a, name, text, length, at);
    }
}

void fh_act_include(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    if (!fh_usage(a, v->kind == FH_V_STRING))
        return;
    const char *name = fh_text_of(a, v->text, v->length);
    struct fh_origin here = {0};
    if (a->no_memory || !fh_source_origin(&a->sources, v->at, &here, NULL)) {
        a->no_memory = true;
        return;
    }
    char *text = NULL;
    size_t length = 0;
    if (!a->options->include) {
        fh_report(a, FH_D_NO_INCLUDE, v->at, name, "includes are not available here", NULL);
        return;
    }
    fhec_status status =
        a->options->include(a->options->user, name, a->sources.names[here.file], &text, &length);
    if (status == FHEC_HOST_ERROR)
        a->no_memory = true;
    else if (status != FHEC_OK)
        fh_report(a, FH_D_NO_INCLUDE, v->at, name, text ? text : "there is no such file", NULL);
    else
        include_text(a, name, text, length, v->at);
    if (status != FHEC_HOST_ERROR)
        free(text);
}

void fh_text_stack_free(struct fh_asm *a) {
    for (; a->texts.top; a->texts.top = a->texts.top->below) {
        fh_lexer_pop(a, a->texts.top->state, NULL);
        fh_listing_free(a->texts.top->listing);
    }
    free(a->texts.conditions);
}
