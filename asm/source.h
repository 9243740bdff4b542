/*
 * source.h - the texts that one run of the assembler reads, and positions in them.
 *
 * All texts share one space of positions: files, and the texts that macros and repetitions expand
 * to, lie one after another. A span is a range of positions; line, column and
 * the chain of expansions are worked out only when somebody reports or an instruction is made.
 *
 *     positions  1 ........ 900 | 901 ....... 960 | 961 ....
 *                k.sass           macro ADD2        included.sass
 *                                   |  segments: where each run of the expanded text was written
 *                                   v
 *                                 the macro's body in k.sass
 *
 * The origin of a span is the innermost written line: inside a macro's body, not at its call. An
 * argument counts as the `\name` of the body that it replaced; the chain leads to the call.
 */
#ifndef FH_SOURCE_H
#define FH_SOURCE_H

#include "arena.h"
#include "program.h"

/* Positions begin <= p < end; begin 0: none. */
struct fh_span {
    uint32_t begin, end;
};

/* A run of expanded text. It begins at offset `at`, which stands first (source.c looks for it), and
 * ends where the next one begins. */
struct fh_segment {
    uint32_t at;
    uint32_t from;   /* position where the run was written */
    uint32_t length; /* 0: copied byte for byte; else the run stands for these bytes as a whole */
};

/* Where the lines of a file begin, or the iterations of a repetition: ascending offsets. */
struct fh_beginnings {
    uint32_t *offsets;
    uint32_t count;
    uint32_t last; /* index of the one found last: most questions are near it */
};

enum fh_buffer_kind { FH_BUFFER_FILE, FH_BUFFER_MACRO, FH_BUFFER_REPT, FH_BUFFER_IRP };

/* A macro's name, and its index among fh_sources.macros once a step names it. */
struct fh_macro_name {
    const char *text;
    uint32_t index; /* UINT32_MAX: not there yet */
};

struct fh_buffer {
    enum fh_buffer_kind kind;
    const char *what;            /* the file's name; "macro ADD2"; ".rept" */
    struct fh_macro_name *macro; /* MACRO: its name */
    char *text;                  /* length bytes and two NULs, which the lexer needs */
    uint32_t length;
    uint32_t base;           /* position of the first byte */
    struct fh_span from;     /* the call, the .include; begin 0 for the first file */
    struct fh_buffer *outer; /* the text that `from` is in; NULL for the first file */
    struct fh_buffer *body;  /* expansions: the earlier text that holds the body, to which all
                                segments lead */
    const struct fh_segment *segments;
    uint32_t segment_count;
    uint32_t last_segment;           /* index of the one found last: most questions are near it */
    uint32_t file;                   /* FILE: index into names */
    struct fh_beginnings lines;      /* FILE; malloc'd */
    struct fh_beginnings iterations; /* REPT, IRP */
    uint32_t step;           /* 1 + index of the step made last for a word in this text; 0: none */
    uint32_t step_iteration; /* and which iteration that is of */
};

enum { FH_SOURCES_FOUND = 6 };

struct fh_sources {
    struct fh_arena *arena;
    struct fh_buffer **buffers;
    size_t count, capacity;
    uint32_t next; /* position of the next buffer's first byte */
    char **names;  /* of files, each once; malloc'd, they become the program's */
    size_t name_count, name_capacity;
    char **macros; /* names of those that `steps` name; like names and steps they become the
                      program's */
    size_t macro_count, macro_capacity;
    struct fh_expansion_step *steps; /* of texts in which words stand */
    size_t step_count, step_capacity;
    struct fh_buffer *found[FH_SOURCES_FOUND]; /* the last ones, the newest first: a position in an
                                                  expansion is asked for with those that it came
                                                  from */
};

/* Adds a text. `text` has two NULs after `length` bytes and lives as long as the arena. NULL when
 * there is no memory; the caller has asked fh_source_fits. */
struct fh_buffer *fh_source_add(struct fh_sources *s, enum fh_buffer_kind kind, const char *what,
                                char *text, size_t length, struct fh_span from);
/* The index of a file's name among `names`, each name once; false when there is no memory. */
bool fh_source_name(struct fh_sources *s, const char *name, uint32_t *index);
bool fh_source_fits(const struct fh_sources *s, size_t length);

struct fh_buffer *fh_source_find(struct fh_sources *s, uint32_t position);
/* Where in a file `span` was written. False if it is none. */
bool fh_source_origin(struct fh_sources *s, struct fh_span span, struct fh_origin *origin,
                      struct fh_buffer **file);
/* The line of the file that holds an origin; not ended by a NUL. */
const char *fh_source_line(const struct fh_buffer *file, uint32_t line, size_t *length);
/* One step outward: the expansion or include that the span lies in, and where that was called.
 * `iteration` is which one of a repetition, else 0. False in the first file. */
bool fh_source_outward(struct fh_sources *s, struct fh_span *span, struct fh_buffer **buffer,
                       uint32_t *iteration);
/* As fh_source_origin, with the expansion that it stands in, whose step is made if it is not there.
 * *origin stays as it is if the span was written nowhere. False when there is no memory. */
bool fh_source_trace(struct fh_sources *s, struct fh_span span, struct fh_origin *origin);
/* A step of a buffer as people are told of it. */
fhec_expansion fh_source_expansion(const struct fh_buffer *buffer, uint32_t iteration,
                                   fhec_location at);
static inline bool fh_is_repetition(const struct fh_buffer *buffer) {
    return buffer->kind == FH_BUFFER_REPT || buffer->kind == FH_BUFFER_IRP;
}
/* The text of a span, which lies in one buffer. */
const char *fh_source_text(struct fh_sources *s, struct fh_span span);
/* Hands the names and the steps over to the program. */
void fh_source_give(struct fh_sources *s, struct fhec_program *program);
void fh_source_free(struct fh_sources *s);

#endif
