/*
 * words.h - what the words and numbers of a statement stand for. A value comes with its text and
 * span and leaves with its meaning; the answer is the kind of token (enum fh_token) that it is.
 */
#ifndef FH_WORDS_H
#define FH_WORDS_H

#include "expr_value.h"
#include "token.h"

#include <stddef.h>

struct fh_asm;

/* A register, with all that follows its first dot as the suffix; a name of the program; or a name
 * that means something to an instruction: a label, a special register. */
int fh_word_token(struct fh_asm *a, struct fh_value *v);
/* The same for who knows that so many letters stand before the first dot. */
int fh_word_of(struct fh_asm *a, struct fh_value *v, size_t head);
/* A number, a local label ("1b"), or poison. */
int fh_number_token(struct fh_asm *a, struct fh_value *v);

#endif
