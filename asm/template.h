/*
 * template.h - bodies with references to parameters, and the text that they expand to, with the
 * segments that lead back to where each run of it was written.
 */
#ifndef FH_TEMPLATE_H
#define FH_TEMPLATE_H

#include "block.h"
#include "token.h"

struct fh_asm;

/* A piece of source text. */
struct fh_piece {
    const char *text;
    uint32_t length;
    uint32_t at; /* position */
};

struct fh_parameter {
    struct fh_piece name, value;
    bool given; /* has a value: a default, in a definition; an argument, in a call */
};

/* A body in runs, so that references are looked for once and not in every expansion. */
struct fh_template {
    const struct fh_body *body;
    struct fh_template_run *runs;
    size_t count, capacity;
};

/* The text being made. First it is only measured (text NULL), then written. */
struct fh_expansion {
    char *text;
    size_t length;
    struct fh_segment *segments;
    size_t segment_count;
    struct fh_beginnings iterations; /* of a repetition */
};

/* The runs of a macro's body, or a repetition's. */
bool fh_template_make(struct fh_asm *a, const struct fh_body *body,
                      const struct fh_parameter *parameters, unsigned count, bool macro,
                      struct fh_template *o);
/* One iteration; `number` is what \@ or \+ stands for. */
void fh_template_expand(struct fh_expansion *e, const struct fh_template *o,
                        const struct fh_parameter *parameters, const struct fh_piece *number);
/* Room for a measured expansion, which is then to be made again, this time into the room. Reports
 * if it is too large. */
bool fh_expansion_prepare(struct fh_asm *a, struct fh_expansion *e, const char *what,
                          uint64_t iterations);
/* The next iteration of a repetition begins here. */
static inline void fh_expansion_iterate(struct fh_expansion *e) {
    if (e->text)
        e->iterations.offsets[e->iterations.count++] = (uint32_t)e->length;
}
/* The text that was made is read next. `macro` is the name of a macro, else NULL. */
void fh_expansion_read(struct fh_asm *a, struct fh_expansion *e, enum fh_buffer_kind kind,
                       const char *what, struct fh_macro_name *macro);

enum { FH_DIGITS = 24 };
struct fh_piece fh_digits(char text[FH_DIGITS], uint64_t number);

/* The next operand from *at up to a comma outside of brackets and strings. False at the end. */
bool fh_next_piece(const struct fh_lexeme *raw, size_t *at, struct fh_piece *piece);
/* The piece from `begin` to `end` without the blanks around it. */
struct fh_piece fh_trimmed(const struct fh_lexeme *raw, size_t begin, size_t end);
/* How many characters of the piece are a name at its front. */
uint32_t fh_leading_name(const struct fh_piece *p);
bool fh_is_blank(char c);
bool fh_piece_is(const struct fh_piece *a, const char *text, size_t length);

#endif
