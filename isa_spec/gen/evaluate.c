/*
 * evaluate.c - the value of a C expression over modifiers, for given values of the modifiers; and
 * the values that a form's modifiers can have. Expressions are those of expression_text.h, which is
 * all that conditions and register counts need.
 */
#include <string.h>

#include "expression_text.h"

#include "isac.h"

struct modifiers {
    const struct form *form;
    const uint32_t *values;
};

static bool modifier(void *user, const char *name, size_t length, fh_integer *value,
                     char wrong[FH_EXPRESSION_WRONG]) {
    const struct modifiers *m = user;
    const int mod = mod_index(m->form, copy(name, length));
    (void)wrong;
    *value = mod < 0 ? 0 : m->values[mod];
    return mod >= 0;
}

/* The expression without the letters that C has behind numbers: 1u, 0xfUL. */
static char *without_suffixes(const char *expr) {
    char *text = copy(expr, strlen(expr)), *to = text;
    while (*expr) {
        const size_t name = identifier_length(expr), number = name ? fh_literal_length(expr) : 0;
        const size_t n = name ? name : 1;
        memcpy(to, expr, n);
        to += n;
        expr += n;
        while (number && to[-1] && strchr("uUlL", to[-1]))
            to--;
    }
    *to = '\0';
    return text;
}

bool evaluate(const struct form *form, const uint32_t *values, const char *expr, int64_t *result) {
    struct modifiers m = {form, values};
    char wrong[FH_EXPRESSION_WRONG];
    fh_integer value;
    if (!fh_expression_value(without_suffixes(expr), modifier, &m, &value, wrong) ||
        value > INT64_MAX)
        return false;
    *result = (int64_t)value;
    return true;
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
