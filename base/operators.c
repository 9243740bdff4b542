/* operators.c - see operators.h. */
#include "operators.h"

#include <string.h>

static const struct {
    char text[3];
    uint8_t level;
} table[FH_OPERATORS] = {
    [FH_OP_ADD] = {"+", FH_LEVEL_SUM},      [FH_OP_SUB] = {"-", FH_LEVEL_SUM},
    [FH_OP_MUL] = {"*", FH_LEVEL_PRODUCT},  [FH_OP_DIV] = {"/", FH_LEVEL_PRODUCT},
    [FH_OP_MOD] = {"%", FH_LEVEL_PRODUCT},  [FH_OP_SHL] = {"<<", FH_LEVEL_SHIFT},
    [FH_OP_SHR] = {">>", FH_LEVEL_SHIFT},   [FH_OP_LT] = {"<", FH_LEVEL_ORDER},
    [FH_OP_LE] = {"<=", FH_LEVEL_ORDER},    [FH_OP_GT] = {">", FH_LEVEL_ORDER},
    [FH_OP_GE] = {">=", FH_LEVEL_ORDER},    [FH_OP_EQ] = {"==", FH_LEVEL_EQUALITY},
    [FH_OP_NE] = {"!=", FH_LEVEL_EQUALITY}, [FH_OP_AND] = {"&", FH_LEVEL_AND},
    [FH_OP_XOR] = {"^", FH_LEVEL_XOR},      [FH_OP_OR] = {"|", FH_LEVEL_OR},
    [FH_OP_LAND] = {"&&", FH_LEVEL_LAND},   [FH_OP_LOR] = {"||", FH_LEVEL_LOR},
    [FH_OP_SELECT] = {"?", FH_LEVEL_NONE},  [FH_OP_NEG] = {"-", FH_LEVEL_NONE},
    [FH_OP_INV] = {"~", FH_LEVEL_NONE},     [FH_OP_NOT] = {"!", FH_LEVEL_NONE},
    [FH_OP_PLUS] = {"+", FH_LEVEL_NONE},
};

enum fh_level fh_operator_level(enum fh_operator op) {
    return (enum fh_level)table[op].level;
}

const char *fh_operator_text(enum fh_operator op) {
    return table[op].text;
}

enum fh_operator fh_operator_at(const char *text, size_t *length) {
    /* What a character is alone, twice, and with = behind it. */
    static const uint8_t of[128][3] = {
        ['+'] = {FH_OP_ADD},
        ['-'] = {FH_OP_SUB},
        ['*'] = {FH_OP_MUL},
        ['/'] = {FH_OP_DIV},
        ['%'] = {FH_OP_MOD},
        ['<'] = {FH_OP_LT, FH_OP_SHL, FH_OP_LE},
        ['>'] = {FH_OP_GT, FH_OP_SHR, FH_OP_GE},
        ['&'] = {FH_OP_AND, FH_OP_LAND, FH_OP_NONE},
        ['^'] = {FH_OP_XOR},
        ['|'] = {FH_OP_OR, FH_OP_LOR, FH_OP_NONE},
        ['='] = {FH_OP_NONE, FH_OP_EQ, FH_OP_NONE},
        ['!'] = {FH_OP_NONE, FH_OP_NONE, FH_OP_NE},
    };
    const uint8_t *here = of[(unsigned char)*text & 127];
    uint8_t op = FH_OP_NONE;
    *length = 0;
    if (!*text || (unsigned char)*text > 127)
        return FH_OP_NONE;
    *length = 2;
    if (text[1] == text[0])
        op = here[1];
    else if (text[1] == '=')
        op = here[2];
    if (op == FH_OP_NONE) {
        op = here[0];
        *length = 1;
    }
    return (enum fh_operator)op;
}

enum fh_operator fh_prefix_at(const char *text) {
    switch (*text) {
    case '-': return FH_OP_NEG;
    case '~': return FH_OP_INV;
    case '!': return FH_OP_NOT;
    case '+': return FH_OP_PLUS;
    default: return FH_OP_NONE;
    }
}

/* ---------------------------------------------------------------- what they give */

static const char by_zero[] = "division by zero";
static const char too_wide[] = "the result has more than 127 bits";

static const char *shift(bool left, __int128 x, __int128 y, __int128 *r) {
    if (y < 0 || y > 127)
        return "the distance of a shift is from 0 to 127";
    if (!left)
        *r = x >> (int)y;
    else if (x == 0)
        *r = 0;
    else if (y > 126 || __builtin_mul_overflow(x, (__int128)1 << (int)y, r))
        return too_wide;
    return NULL;
}

static const char *divide(bool quotient, __int128 x, __int128 y, __int128 *r) {
    if (y == 0)
        return by_zero;
    if (y == -1) {
        *r = 0;
        return quotient && __builtin_sub_overflow((__int128)0, x, r) ? too_wide : NULL;
    }
    *r = quotient ? x / y : x % y;
    return NULL;
}

static const char *calculate(enum fh_operator op, __int128 x, __int128 y, __int128 *r) {
    switch (op) {
    case FH_OP_ADD: return __builtin_add_overflow(x, y, r) ? too_wide : NULL;
    case FH_OP_SUB: return __builtin_sub_overflow(x, y, r) ? too_wide : NULL;
    case FH_OP_MUL: return __builtin_mul_overflow(x, y, r) ? too_wide : NULL;
    case FH_OP_NEG: return __builtin_sub_overflow((__int128)0, x, r) ? too_wide : NULL;
    case FH_OP_DIV:
    case FH_OP_MOD: return divide(op == FH_OP_DIV, x, y, r);
    case FH_OP_SHL:
    case FH_OP_SHR: return shift(op == FH_OP_SHL, x, y, r);
    case FH_OP_LT: *r = x < y; return NULL;
    case FH_OP_LE: *r = x <= y; return NULL;
    case FH_OP_GT: *r = x > y; return NULL;
    case FH_OP_GE: *r = x >= y; return NULL;
    case FH_OP_EQ: *r = x == y; return NULL;
    case FH_OP_NE: *r = x != y; return NULL;
    case FH_OP_AND: *r = x & y; return NULL;
    case FH_OP_XOR: *r = x ^ y; return NULL;
    case FH_OP_OR: *r = x | y; return NULL;
    case FH_OP_LAND: *r = x && y; return NULL;
    case FH_OP_LOR: *r = x || y; return NULL;
    case FH_OP_INV: *r = ~x; return NULL;
    case FH_OP_NOT: *r = !x; return NULL;
    default: *r = x; return NULL;
    }
}

const char *fh_operate_wide(enum fh_operator op, __int128 x, __int128 y, __int128 *result) {
    const char *wrong = calculate(op, x, y, result);
    if (wrong)
        *result = 0;
    return wrong;
}

static bool is_of_bits(enum fh_operator op) {
    return op == FH_OP_AND || op == FH_OP_XOR || op == FH_OP_OR || op == FH_OP_INV;
}

const char *fh_operate(enum fh_operator op, fh_integer x, fh_integer y, fh_integer *result) {
    static const char too_large[] = "the result is not from -2^63 to 2^64 - 1";
    const bool of_two = op < FH_OP_SELECT;
    fh_integer r = 0;
    const char *wrong = NULL;
    *result = 0;
    if ((op == FH_OP_SHL || op == FH_OP_SHR) && (y < 0 || y > 63))
        return "the distance of a shift is from 0 to 63";
    wrong = calculate(op, x, y, &r);
    if (wrong)
        return wrong == by_zero ? wrong : too_large;
    if (is_of_bits(op) && (x > INT64_MAX || (of_two && y > INT64_MAX)))
        r = (uint64_t)r;
    if (r < FH_INTEGER_LEAST || r > FH_INTEGER_MOST)
        return too_large;
    *result = r;
    return NULL;
}

/* ---------------------------------------------------------------- in which order */

/* Applies waiting operators down to `mark` that bind at least as strongly. */
static void reduce(struct fh_waiting *p, unsigned mark, enum fh_level level, fh_apply_fn *apply,
                   void *user) {
    while (p->count > mark && table[p->list[p->count - 1].op].level >= level) {
        p->count--;
        apply(user, (enum fh_operator)p->list[p->count].op, p->list[p->count].at);
    }
}

bool fh_waiting_add(struct fh_waiting *p, unsigned mark, enum fh_operator op, uint32_t at,
                    fh_apply_fn *apply, void *user) {
    reduce(p, mark, fh_operator_level(op), apply, user);
    if (p->count == FH_WAITING)
        return false;
    p->list[p->count].op = (uint8_t)op;
    p->list[p->count++].at = at;
    return true;
}

void fh_waiting_end(struct fh_waiting *p, unsigned mark, fh_apply_fn *apply, void *user) {
    reduce(p, mark, FH_LEVEL_NONE, apply, user);
}
