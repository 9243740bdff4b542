/*
 * token.h - tokens: the kinds that the lexer finds and the parser takes, and the lexer's modes.
 */
#ifndef FH_TOKEN_H
#define FH_TOKEN_H

#include "source.h"

/* In the order of parser.y, which checks that its numbers are these. Characters that stand for
 * themselves are their own kinds, below 256. */
#define FH_TOKENS(X)                                                                               \
    X(NUMBER)                                                                                      \
    X(NAME)                                                                                        \
    X(DOTTED)                                                                                      \
    X(REGISTER)                                                                                    \
    X(RANGE)                                                                                       \
    X(SYMBOL)                                                                                      \
    X(STRING)                                                                                      \
    X(MNEMONIC)                                                                                    \
    X(DIRECTIVE)                                                                                   \
    X(CALL)                                                                                        \
    X(LABEL)                                                                                       \
    X(LOCAL_LABEL)                                                                                 \
    X(CONTROL)                                                                                     \
    X(DEFINES)                                                                                     \
    X(RAW)                                                                                         \
    X(CONSTANT)                                                                                    \
    X(DESCRIBED)                                                                                   \
    X(DESCRIPTOR)                                                                                  \
    X(HALF)                                                                                        \
    X(SREL)                                                                                        \
    X(GENERIC)                                                                                     \
    X(SHL)                                                                                         \
    X(SHR)                                                                                         \
    X(LE)                                                                                          \
    X(GE)                                                                                          \
    X(EQ)                                                                                          \
    X(NE)                                                                                          \
    X(LAND)                                                                                        \
    X(LOR)                                                                                         \
    X(WORD)                                                                                        \
    X(NEWLINE)                                                                                     \
    X(SEMICOLON)                                                                                   \
    X(END_OF_TEXT)                                                                                 \
    X(BAD_BYTE)                                                                                    \
    X(OPEN_COMMENT)                                                                                \
    X(OPEN_STRING)

enum fh_token {
    FH_T_END = 0,     /* of the statement */
    FH_T_ERROR = 256, /* something that has been reported */
    FH_T_NONE,
#define KIND(name) FH_T_##name,
    FH_TOKENS(KIND)
#undef KIND
};

/* A token as the lexer sees it: characters of the source. */
struct fh_lexeme {
    const char *text;
    uint32_t length;
    struct fh_span at;
};

/* The lexer's modes: what the next characters are. */
enum fh_lexer_mode {
    FH_MODE_BEGIN,    /* labels, control prefix, guard, mnemonic or directive */
    FH_MODE_GUARD,    /* after @, up to the next blank */
    FH_MODE_OPERANDS, /* expressions and operands */
    FH_MODE_DEFINE,   /* a name to be defined, then operands */
    FH_MODE_RAW,      /* the rest of the statement as one text */
    FH_MODE_SKIP,     /* only directives that begin a statement are seen */
};

#endif
