/*
 * lexing.h - characters to tokens (lexer.l).
 */
#ifndef FH_LEXING_H
#define FH_LEXING_H

#include "token.h"

struct fh_asm;
struct fh_lexer_fatal;

struct fh_lexer {
    void *scanner;                /* flex's */
    struct fh_lexer_fatal *fatal; /* while flex may run out of memory */
    char hidden;                  /* what stood where a character is revealed */
};

bool fh_lexer_new(struct fh_asm *a);
void fh_lexer_free(struct fh_asm *a);
void fh_lexer_mode(struct fh_asm *a, enum fh_lexer_mode mode);
/* The next token, without its span. */
int fh_scanlex(struct fh_lexeme *lexeme, void *scanner);
/* Whether labels or what a statement begins with may come next. */
bool fh_lexer_expects_head(const struct fh_asm *a);
/* The text behind the last token, up to the two NULs at its end, for somebody else to read. The
 * lexer is then told where to go on, before it is asked for anything. */
const char *fh_lexer_ahead(struct fh_asm *a);
void fh_lexer_go_on(struct fh_asm *a, const char *at);
/* The lexer reads this buffer next; NULL when there is no memory. */
void *fh_lexer_push(struct fh_asm *a, struct fh_buffer *buffer);
void fh_lexer_pop(struct fh_asm *a, void *state, void *below);
/* Position of the next character that the lexer will read. */
uint32_t fh_lexer_position(struct fh_asm *a);
/* The lexer keeps a NUL behind its current token. Whoever looks at text there (messages show whole
 * lines) reveals the character before and hides it again. */
void fh_lexer_reveal(struct fh_asm *a, bool on);

#endif
