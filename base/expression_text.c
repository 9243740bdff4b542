/* expression_text.c - see expression_text.h. */
#include "expression_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 };

void fh_expression_begin(struct fh_expression *e, const struct fh_expression_rules *rules,
                         void *user, const char *text) {
    *e = (struct fh_expression){.rules = rules, .user = user, .text = text, .at = text};
}

bool fh_expression_fail(struct fh_expression *e, const char *at, size_t length, const char *format,
                        ...) {
    va_list arguments;
    if (*e->wrong)
        return false;
    va_start(arguments, format);
    (void)vsnprintf(e->wrong, sizeof e->wrong, format, arguments);
    va_end(arguments);
    e->wrong_at = at;
    e->wrong_length = length;
    return false;
}

void fh_expression_skip(struct fh_expression *e) {
    e->at += strspn(e->at, " \t\r\n\f\v");
}

bool fh_expression_take(struct fh_expression *e, char c) {
    fh_expression_skip(e);
    if (*e->at != c || !c)
        return false;
    e->at++;
    return true;
}

static bool expect(struct fh_expression *e, char c) {
    return fh_expression_take(e, c) || fh_expression_fail(e, e->at, 1, "`%c` is expected here", c);
}

static bool read_number(struct fh_expression *e, size_t length) {
    const char *begin = e->at, *why;
    struct fh_wide value;
    if (!fh_parse_wide(begin, length, &value, &why))
        return fh_expression_fail(e, begin, length, "`%.*s` is no number: %s",
                                  length > 60 ? 60 : (int)length, begin, why);
    e->at += length;
    return e->rules->number(e, &value, begin);
}

bool fh_expression_primary(struct fh_expression *e) {
    fh_expression_skip(e);
    const size_t digits = e->rules->number ? fh_literal_length(e->at) : 0;
    if (digits && !fh_is_real(e->at, digits))
        return read_number(e, digits);
    if (*e->at != '(')
        return e->rules->operand(e);
    e->at++;
    return (e->rules->inside ? e->rules->inside(e) : fh_expression_read(e, FH_LEVEL_NONE)) &&
           expect(e, ')');
}

bool fh_expression_unary(struct fh_expression *e) {
    fh_expression_skip(e);
    const char *at = e->at;
    const enum fh_operator op = fh_prefix_at(at);
    bool good;
    if (e->depth == DEEPEST)
        return fh_expression_fail(e, at, 1, "the expression is nested too deep");
    e->depth++;
    if (op) {
        e->at++;
        good = fh_expression_unary(e);
        if (good)
            e->rules->apply(e, op, at);
    } else {
        good = fh_expression_primary(e) && (!e->rules->behind || e->rules->behind(e));
    }
    e->depth--;
    return good && !*e->wrong;
}

static void apply_waiting(void *user, enum fh_operator op, uint32_t at) {
    struct fh_expression *e = user;
    if (!*e->wrong)
        e->rules->apply(e, op, e->text + at);
}

static bool read_select(struct fh_expression *e) {
    const char *at = e->at - 1;
    if (e->depth == DEEPEST)
        return fh_expression_fail(e, at, 1, "the expression is nested too deep");
    e->depth++;
    const bool good = fh_expression_read(e, FH_LEVEL_NONE) && expect(e, ':') &&
                      fh_expression_read(e, FH_LEVEL_NONE);
    e->depth--;
    if (good)
        e->rules->apply(e, FH_OP_SELECT, at);
    return good && !*e->wrong;
}

bool fh_expression_read(struct fh_expression *e, enum fh_level least) {
    const unsigned mark = e->waiting.count;
    for (;;) {
        size_t length;
        if (!fh_expression_unary(e))
            return false;
        fh_expression_skip(e);
        const enum fh_operator op = fh_operator_at(e->at, &length);
        if (op == FH_OP_NONE || fh_operator_level(op) < least)
            break;
        if (!fh_waiting_add(&e->waiting, mark, op, (uint32_t)(e->at - e->text), apply_waiting, e))
            return fh_expression_fail(e, e->at, length, "the expression is nested too deep");
        e->at += length;
    }
    fh_waiting_end(&e->waiting, mark, apply_waiting, e);
    if (*e->wrong)
        return false;
    return least > FH_LEVEL_NONE || !fh_expression_take(e, '?') || read_select(e);
}

/* ---------------------------------------------------------------- of numbers and names alone */

enum { VALUES = DEEPEST + FH_WAITING + 2 };

/* What cannot be calculated is wrong only where it is needed: the reason goes along with it. */
struct value {
    fh_integer is;
    const char *wrong, *at; /* NULL: it is a number */
};
struct calculation {
    fh_expression_name_fn *name;
    void *user;
    unsigned count;
    struct value values[VALUES];
};

static bool push(struct fh_expression *e, fh_integer value) {
    struct calculation *c = e->user;
    if (c->count == VALUES)
        return fh_expression_fail(e, e->at, 1, "the expression is too long");
    c->values[c->count++] = (struct value){.is = value};
    return true;
}

static bool push_number(struct fh_expression *e, const struct fh_wide *value, const char *begin) {
    __int128 narrow;
    if (!fh_wide_narrow(value, &narrow) || narrow > FH_INTEGER_MOST)
        return fh_expression_fail(e, begin, (size_t)(e->at - begin),
                                  "`%.*s` is no number: it has more than 64 bits",
                                  e->at - begin > 60 ? 60 : (int)(e->at - begin), begin);
    return push(e, narrow);
}

static bool push_name(struct fh_expression *e) {
    struct calculation *c = e->user;
    char wrong[FH_EXPRESSION_WRONG] = "";
    fh_integer value = 0;
    const char *begin = e->at;
    const size_t real = fh_literal_length(begin);
    const size_t length = strspn(begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_");
    if (real)
        return fh_expression_fail(e, begin, real, "`%.*s` is no integer", (int)real, begin);
    if (!length || !c->name)
        return fh_expression_fail(e, begin, 1, "a number is expected");
    e->at += length;
    if (!c->name(c->user, begin, length, &value, wrong))
        return fh_expression_fail(e, begin, length, "%s", *wrong ? wrong : "a number is expected");
    return push(e, value);
}

/* The operand of the three that counts. */
static void select_value(struct value *c) {
    if (!c[0].wrong)
        c[0] = c[0].is ? c[1] : c[2];
}

static void apply(struct fh_expression *e, enum fh_operator op, const char *at) {
    struct calculation *c = e->user;
    const unsigned operands = op == FH_OP_SELECT ? 3 : op < FH_OP_SELECT ? 2 : 1;
    c->count -= operands - 1;
    struct value *x = &c->values[c->count - 1];
    const struct value *y = x + 1;
    if (op == FH_OP_SELECT) {
        select_value(x);
        return;
    }
    if (x->wrong)
        return;
    if ((op == FH_OP_LAND || op == FH_OP_LOR) && (x->is != 0) == (op == FH_OP_LOR)) {
        x->is = op == FH_OP_LOR;
    } else if (operands == 2 && y->wrong) {
        *x = *y;
    } else {
        x->wrong = fh_operate(op, x->is, operands == 2 ? y->is : 0, &x->is);
        x->at = at;
    }
}

bool fh_expression_value(const char *text, fh_expression_name_fn *name, void *user,
                         fh_integer *value, char wrong[FH_EXPRESSION_WRONG]) {
    static const struct fh_expression_rules rules = {
        .number = push_number, .operand = push_name, .apply = apply};
    struct calculation c; /* large: not all of it is needed */
    struct fh_expression e;
    c.name = name, c.user = user, c.count = 0;
    fh_expression_begin(&e, &rules, &c, text);
    bool good = fh_expression_read(&e, FH_LEVEL_NONE);
    if (good && *e.at)
        good = fh_expression_fail(&e, e.at, 1, "an operator is expected");
    if (good && c.values[0].wrong)
        good = fh_expression_fail(&e, c.values[0].at, 1, "%s", c.values[0].wrong);
    *value = good ? c.values[0].is : 0;
    (void)snprintf(wrong, FH_EXPRESSION_WRONG, "%s", e.wrong);
    return good;
}

void fh_integer_text(fh_integer value, char text[FH_INTEGER_TEXT]) {
    if (value > INT64_MAX)
        (void)snprintf(text, FH_INTEGER_TEXT, "%llu", (unsigned long long)value);
    else
        (void)snprintf(text, FH_INTEGER_TEXT, "%lld", (long long)value);
}
