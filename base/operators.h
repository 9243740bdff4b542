/*
 * operators.h - C's operators on integers: how they are written, how strongly they bind, and what
 * they give. All that reads expressions has them from here.
 */
#ifndef FH_OPERATORS_H
#define FH_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fh_operator {
    FH_OP_NONE,
    FH_OP_ADD,
    FH_OP_SUB,
    FH_OP_MUL,
    FH_OP_DIV, /* towards zero */
    FH_OP_MOD, /* with the sign of the left side */
    FH_OP_SHL,
    FH_OP_SHR, /* rounded down */
    FH_OP_LT,
    FH_OP_LE,
    FH_OP_GT,
    FH_OP_GE,
    FH_OP_EQ,
    FH_OP_NE,
    FH_OP_AND,
    FH_OP_XOR,
    FH_OP_OR,
    FH_OP_LAND,
    FH_OP_LOR,
    FH_OP_SELECT, /* ?: */
    FH_OP_NEG,    /* from here on with one operand */
    FH_OP_INV,
    FH_OP_NOT,
    FH_OP_PLUS,
    FH_OPERATORS,
};

/* How strongly binary operators bind; those of one level go from left to right. Looser than all is
 * ?:, which goes from right to left. */
enum fh_level {
    FH_LEVEL_NONE,
    FH_LEVEL_LOR,
    FH_LEVEL_LAND,
    FH_LEVEL_OR,
    FH_LEVEL_XOR,
    FH_LEVEL_AND,
    FH_LEVEL_EQUALITY,
    FH_LEVEL_ORDER,
    FH_LEVEL_SHIFT,
    FH_LEVEL_SUM,
    FH_LEVEL_PRODUCT,
};
enum fh_level fh_operator_level(enum fh_operator op);
const char *fh_operator_text(enum fh_operator op);

/* The binary operator that the text begins with, the longest one; FH_OP_NONE: none. *length: how
 * many characters it has. */
enum fh_operator fh_operator_at(const char *text, size_t *length);
/* The same of an operator before its operand. */
enum fh_operator fh_prefix_at(const char *text);

/* ---------------------------------------------------------------- what they give */

/* The integers of the assembler, of scripts, and of constants of the debugger. */
typedef __int128 fh_integer;
#define FH_INTEGER_LEAST (-((fh_integer)1 << 63))
#define FH_INTEGER_MOST  (((fh_integer)1 << 64) - 1)

/* x op y, or op x, of integers from FH_INTEGER_LEAST to FH_INTEGER_MOST: exact, and an error if it
 * is not one of them. ~ & ^ | are about 64 bits, which are a number with a sign unless an operand
 * is 2^63 or more. NULL, or what is wrong, and *result is 0 then. */
const char *fh_operate(enum fh_operator op, fh_integer x, fh_integer y, fh_integer *result);
/* The same of all that has 127 bits and a sign, in two's complement without an end. */
const char *fh_operate_wide(enum fh_operator op, __int128 x, __int128 y, __int128 *result);

/* ---------------------------------------------------------------- in which order */

/* Operators that wait for their right sides, of expressions within each other. */
enum { FH_WAITING = 192 };
struct fh_waiting {
    unsigned count;
    struct {
        uint8_t op;
        uint32_t at; /* where it stands */
    } list[FH_WAITING];
};
/* Is given operators in the order in which they are calculated: each takes the last two values, or
 * what it takes, and puts its own in their place. */
typedef void fh_apply_fn(void *user, enum fh_operator op, uint32_t at);

/* Behind the left side of `op`: applies what binds at least as strongly, down to the first `mark`
 * operators, and lets op wait. False: too many wait. */
bool fh_waiting_add(struct fh_waiting *waiting, unsigned mark, enum fh_operator op, uint32_t at,
                    fh_apply_fn *apply, void *user);
/* Behind the last operand: applies all but the first `mark`. */
void fh_waiting_end(struct fh_waiting *waiting, unsigned mark, fh_apply_fn *apply, void *user);

#endif
