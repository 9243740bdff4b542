/*
 * tokens.h - between lexer and parser: what words stand for, and where statements end.
 */
#ifndef FH_TOKENS_H
#define FH_TOKENS_H

#include "expr_value.h"
#include "token.h"

struct fh_asm;
struct fh_value_chunk;

/* The values of the current statement. The parser holds pointers to them and changes them in place;
 * they are taken one after another and given back all at once. */
struct fh_values {
    struct fh_value_chunk *first, *now;
    unsigned used;         /* of the chunk `now` */
    struct fh_value spare; /* where there is no memory */
};

/* Kinds of open brackets, in a few bits. */
enum fh_bracket { FH_ROUND = 1, FH_SQUARE, FH_CURLY, FH_BRACKET_BITS = 2 };

/* A token as the parser gets it. */
struct fh_parser_token {
    int kind;
    struct fh_value *value;
    struct fh_span at;
};
enum { FH_TOKENS_AHEAD = 5 };

struct fh_tokens {
    struct fh_lexeme token; /* the last one given to the parser, */
    int before;             /* its kind, */
    int brackets;           /* how many brackets are open behind it, */
    uint32_t open;          /* and which (enum fh_bracket, the innermost lowest) */
    int behind;             /* the kind of the token before the last one, */
    uint32_t open_behind;   /* and the brackets that were open there */
    bool in_statement;      /* a token of the statement was read */
    bool discarding;        /* the rest of a wrong statement is being dropped */
    bool lost;              /* in a comment without an end: the lexer eats the rest of the text */
    bool has_held;
    struct fh_lexeme held; /* a directive that skipping text ended at: the next token */
    struct fh_values values;
    /* Read before the parser was called, by short_statement.c, which looks at so many at most. */
    struct fh_parser_token ahead[FH_TOKENS_AHEAD];
    unsigned ahead_count, ahead_taken;
};

/* The parser's next token, in *value and *at; 0 at the end of the statement. */
int fh_next_token(struct fh_asm *a, struct fh_value **value, struct fh_span *at);
/* Forgets the last statement. */
void fh_tokens_begin(struct fh_asm *a);
/* The rest of the statement is read and dropped. */
void fh_skip_statement(struct fh_asm *a);
/* The next directive that begins a statement, while text is skipped; false at the end of this
 * text. */
bool fh_skip_to_directive(struct fh_asm *a, struct fh_lexeme *directive);
void fh_values_free(struct fh_values *values);

#endif
