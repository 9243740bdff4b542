/*
 * expression_text.h - reads an expression from text: numbers, operators with C's precedence,
 * parentheses. Whoever reads one says what else may stand in it, and is given operands and
 * operators in the order of calculation, for a stack:
 *
 *     a + b * c   ->   a, b, c, *, +              c ? x : y   ->   c, x, y, ?:
 *
 * The assembler's operands are more than such expressions (parser.y); they have the numbers and
 * operators alone from here (literal.h, operators.h).
 */
#ifndef FH_EXPRESSION_TEXT_H
#define FH_EXPRESSION_TEXT_H

#include "literal.h"
#include "operators.h"

struct fh_expression;
struct fh_expression_rules {
    /* A number, which ends at e->at. NULL: numbers are operands like others. */
    bool (*number)(struct fh_expression *e, const struct fh_wide *value, const char *begin);
    /* What begins at e->at and is no number, sign or parenthesis; it goes behind it. */
    bool (*operand)(struct fh_expression *e);
    /* An operator, with the place where it stands; e->wrong if it cannot be applied. */
    void (*apply)(struct fh_expression *e, enum fh_operator op, const char *at);
    /* Behind an operand: what else belongs to it, or nothing. NULL: nothing ever does. */
    bool (*behind)(struct fh_expression *e);
    /* What stands in parentheses. NULL: an expression. */
    bool (*inside)(struct fh_expression *e);
};

enum { FH_EXPRESSION_WRONG = 160 };
struct fh_expression {
    const struct fh_expression_rules *rules;
    void *user;
    const char *text, *at; /* NUL at the end; what is read next */
    unsigned depth;
    struct fh_waiting waiting;
    /* The first thing that is wrong, and where; `what` is a sentence's part, empty: nothing is. */
    const char *wrong_at;
    size_t wrong_length;
    char wrong[FH_EXPRESSION_WRONG];
};

void fh_expression_begin(struct fh_expression *e, const struct fh_expression_rules *rules,
                         void *user, const char *text);
/* An expression with operators of at least this level; with FH_LEVEL_NONE with ?:, too. False:
 * something is wrong. It ends where no operator is. */
bool fh_expression_read(struct fh_expression *e, enum fh_level least);
/* An operand with its signs, as stands beside a binary operator; one without signs, and without
 * what is behind it. */
bool fh_expression_unary(struct fh_expression *e);
bool fh_expression_primary(struct fh_expression *e);
/* Past blanks; past the character, if it is there behind blanks. */
void fh_expression_skip(struct fh_expression *e);
bool fh_expression_take(struct fh_expression *e, char c);
/* Notes what is wrong, if nothing is yet. Always false. */
bool fh_expression_fail(struct fh_expression *e, const char *at, size_t length, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

/* ---------------------------------------------------------------- of numbers and names alone */

/* What a name stands for; false: nothing, and `wrong` may say why not ("no number is called"). */
typedef bool fh_expression_name_fn(void *user, const char *name, size_t length, fh_integer *value,
                                   char wrong[FH_EXPRESSION_WRONG]);
/* The value of all of the text, by the rules of fh_operate; a side of && || ?: that is not needed
 * may have none. `name` NULL: there are no names. False: what is wrong is in `wrong`. */
bool fh_expression_value(const char *text, fh_expression_name_fn *name, void *user,
                         fh_integer *value, char wrong[FH_EXPRESSION_WRONG]);
/* Such a number in decimal, of at most 21 characters. */
enum { FH_INTEGER_TEXT = 24 };
void fh_integer_text(fh_integer value, char text[FH_INTEGER_TEXT]);

#endif
