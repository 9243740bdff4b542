/*
 * source_tokens.h - the tokens of one text as it is written: for editors, which want all of it.
 *
 * Nothing is executed: macros are not expanded, conditions not evaluated, files not included, and
 * no name has a value. What a word is follows from where it stands. Comments are tokens, too, so
 * that what lies between two tokens is blanks.
 */
#ifndef FH_SOURCE_TOKENS_H
#define FH_SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fh_source_token_kind {
    FH_SOURCE_NEWLINE,
    FH_SOURCE_COMMENT,   /* of one line or several */
    FH_SOURCE_LABEL,     /* with its colon; a number's, too */
    FH_SOURCE_CONTROL,   /* [B------:R-:W0:-:S01] */
    FH_SOURCE_MNEMONIC,  /* or the name of a macro */
    FH_SOURCE_DIRECTIVE, /* with its dot */
    FH_SOURCE_DEFINES,   /* the name behind .equ, .reg, .kernel, .macro and their like */
    FH_SOURCE_WORD,      /* a name, a register; with its suffix */
    FH_SOURCE_NUMBER,
    FH_SOURCE_STRING,   /* with its quotes */
    FH_SOURCE_RAW,      /* a word of what follows a directive that takes text */
    FH_SOURCE_OPERATOR, /* one character or two */
    FH_SOURCE_COMMA,
    FH_SOURCE_SEMICOLON,
    FH_SOURCE_BACKSLASH, /* before the name of a macro's parameter */
    FH_SOURCE_BAD,       /* what can be in no statement; what is left open, up to its end */
};

struct fh_source_token {
    uint32_t begin, end; /* bytes of the text */
    uint8_t kind;        /* enum fh_source_token_kind */
};

struct fh_source_tokens {
    struct fh_source_token *list; /* in order, none of them empty */
    size_t count, capacity;
    bool listing; /* the text is a listing: comments say where instructions are */
    bool binary;  /* it has NUL bytes: there are no tokens */
};

/* False when there is no memory, or the text is longer than a source can be (1 GiB): then there is
 * nothing to free. */
bool fh_source_tokens_read(const char *text, size_t length, struct fh_source_tokens *tokens);
void fh_source_tokens_free(struct fh_source_tokens *tokens);
/* The index of the first token that ends behind `offset`; the count if none does. */
size_t fh_source_token_behind(const struct fh_source_tokens *tokens, size_t offset);

/* The index-th directive, with its dot, and how it is written; false past the end. */
bool fh_source_directive(size_t index, const char **name, const char **usage);

#endif
