/*
 * evaluate.c - the value of a C expression over modifiers, for given values of the modifiers; and
 * the values that a form's modifiers can have.
 *
 * Numbers, modifiers, parentheses and the operators of C on integers but for assignments and casts,
 * which are all that conditions and register counts need. The arithmetic is that of 64 bits.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "isac.h"

struct reader {
    const struct form *form;
    const uint32_t *values;
    const char *s;
    bool failed;
};

static void skip_blanks(struct reader *r) {
    while (isspace((unsigned char)*r->s))
        r->s++;
}

static bool take(struct reader *r, const char *token) {
    skip_blanks(r);
    if (strncmp(r->s, token, strlen(token)) != 0)
        return false;
    r->s += strlen(token);
    return true;
}

static int64_t conditional(struct reader *r);

static int64_t primary(struct reader *r) {
    skip_blanks(r);
    size_t n = identifier_length(r->s);
    if (isdigit((unsigned char)*r->s)) {
        char *end;
        int64_t value = (int64_t)strtoull(r->s, &end, 0);
        end += strspn(end, "uUlL");
        r->failed |= end != r->s + n;
        r->s += n;
        return value;
    }
    if (n) {
        int mod = mod_index(r->form, copy(r->s, n));
        r->failed |= mod < 0;
        r->s += n;
        return mod < 0 ? 0 : r->values[mod];
    }
    if (take(r, "(")) {
        int64_t value = conditional(r);
        r->failed |= !take(r, ")");
        return value;
    }
    r->failed = true;
    return 0;
}

static int64_t unary(struct reader *r) {
    if (take(r, "!"))
        return !unary(r);
    if (take(r, "~"))
        return ~unary(r);
    if (take(r, "-"))
        return (int64_t)(0 - (uint64_t)unary(r));
    if (take(r, "+"))
        return unary(r);
    return primary(r);
}

/* Binary operators, those that bind tightest first; a longer one stands before its beginning. */
static const struct operator{
    const char *token;
    int level;
}
operators[] = {
    {"<<", 7}, {">>", 7}, {"<=", 6}, {">=", 6}, {"==", 5}, {"!=", 5},
    {"&&", 1}, {"||", 0}, {"*", 9},  {"/", 9},  {"%", 9},  {"+", 8},
    {"-", 8},  {"<", 6},  {">", 6},  {"&", 4},  {"^", 3},  {"|", 2},
};
enum { LEVELS = 10 };

static const struct operator* next_operator(struct reader *r) {
    skip_blanks(r);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(r->s, operators[i].token, strlen(operators[i].token)) == 0)
            return &operators[i];
    return NULL;
}

/* Both sides of `?:` are evaluated, so what must not be divided gives 0. */
static int64_t divide(int64_t a, int64_t b, bool remainder) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return 0;
    return remainder ? a % b : a / b;
}

static int64_t apply(const char *token, int64_t a, int64_t b) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (token[0]) {
    case '*': return (int64_t)(x * y);
    case '/': return divide(a, b, false);
    case '%': return divide(a, b, true);
    case '+': return (int64_t)(x + y);
    case '-': return (int64_t)(x - y);
    case '<': return token[1] == '<' ? (int64_t)(x << (y & 63)) : token[1] ? a <= b : a < b;
    case '>': return token[1] == '>' ? a >> (y & 63) : token[1] ? a >= b : a > b;
    case '=': return a == b;
    case '!': return a != b;
    case '&': return token[1] ? a && b : a & b;
    case '^': return a ^ b;
    default: return token[1] ? a || b : a | b;
    }
}

/* Operators of at least this level. */
static int64_t binary(struct reader *r, int level) {
    int64_t value = level == LEVELS ? unary(r) : binary(r, level + 1);
    const struct operator* o;
    while (level < LEVELS && (o = next_operator(r)) != NULL && o->level == level) {
        r->s += strlen(o->token);
        value = apply(o->token, value, binary(r, level + 1));
    }
    return value;
}

static int64_t conditional(struct reader *r) {
    int64_t condition = binary(r, 0);
    if (!take(r, "?"))
        return condition;
    int64_t yes = conditional(r);
    r->failed |= !take(r, ":");
    int64_t no = conditional(r);
    return condition ? yes : no;
}

bool evaluate(const struct form *form, const uint32_t *values, const char *expr, int64_t *result) {
    struct reader r = {.form = form, .values = values, .s = expr};
    *result = conditional(&r);
    skip_blanks(&r);
    return !r.failed && !*r.s;
}

/* ---------------------------------------------------------------- values of modifiers */

/* Whether value i of a modifier, which may have several texts, has not come before. */
static bool is_new_value(const struct mod *mod, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (mod->values->v[k].value == mod->values->v[i].value)
            return false;
    return true;
}

void first_values(const struct form *form, uint32_t *values) {
    for (size_t i = 0; i < form->mod_count; i++)
        values[i] = form->mods[i]->values->n ? form->mods[i]->values->v[0].value : 0;
}

bool next_values(const struct form *form, const struct names *names, uint32_t *values) {
    for (size_t i = 0; i < form->mod_count; i++) {
        const struct choices *c = form->mods[i]->values;
        size_t at = 0;
        if (form->mods[i]->literal || !c->n || !has_name(names, form->mods[i]->name))
            continue;
        while (c->v[at].value != values[i])
            at++;
        do
            at++;
        while (at < c->n && !is_new_value(form->mods[i], at));
        if (at < c->n) {
            values[i] = c->v[at].value;
            return true;
        }
        values[i] = c->v[0].value;
    }
    return false;
}

int64_t most_of(const struct form *form, const char *expr) {
    struct names names = expr_names(expr);
    uint32_t values[FH_MAX_MODS + 1];
    int64_t most = INT64_MIN, value;
    first_values(form, values);
    do
        if (evaluate(form, values, expr, &value) && value > most)
            most = value;
    while (next_values(form, &names, values));
    return most;
}
