/*
 * text_stack.h - the texts being read, each within the one below: files, includes, expansions.
 */
#ifndef FH_TEXT_STACK_H
#define FH_TEXT_STACK_H

#include "source.h"

struct fh_asm;
struct fh_listing;

/* One text being read; the innermost is on top. */
struct fh_frame {
    struct fh_frame *below;
    struct fh_buffer *buffer;
    void *state;                /* the lexer's */
    struct fh_listing *listing; /* if the text is one; the frame's own */
    unsigned conditions;        /* how many .if were open when this text began */
    unsigned errors;            /* and how many errors there were */
};

/* An open .if. */
struct fh_condition {
    struct fh_span at;
    bool taken; /* one of the branches was read */
    bool in_else;
};

struct fh_text_stack {
    struct fh_frame *top;
    unsigned depth;
    uint32_t expansions;
    size_t expanded; /* bytes */
    struct fh_condition *conditions;
    size_t condition_count, condition_capacity;
};

bool fh_enter(struct fh_asm *a, struct fh_buffer *buffer);
void fh_leave(struct fh_asm *a);
/* Whether `length` bytes more may be read within the present text; counts them, or reports. */
bool fh_may_expand(struct fh_asm *a, const char *what, size_t length, struct fh_span at);
/* Adds the file's text (copied) and reads it next. */
bool fh_enter_file(struct fh_asm *a, const char *name, const char *text, size_t length,
                   struct fh_span from);
/* .include */
void fh_act_include(struct fh_asm *a);
/* At the end of a run that may have ended early. */
void fh_text_stack_free(struct fh_asm *a);

#endif
