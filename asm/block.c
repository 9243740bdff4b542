/* block.c - see block.h. */
#include "block.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"
#include "names.h"
#include "statement.h"
#include "tokens.h"

#include <string.h>

/* ---------------------------------------------------------------- conditions */

static bool opens_condition(const struct fh_lexeme *t) {
    return t->length >= 3 && memcmp(t->text, ".if", 3) == 0;
}

static bool is(const struct fh_lexeme *t, const char *name) {
    return t->length == strlen(name) && memcmp(t->text, name, t->length) == 0;
}

/* Drops text up to the directive that ends the branch, which becomes the next statement. */
static void skip_branch(struct fh_asm *a) {
    unsigned depth = 0;
    fh_lexer_mode(a, FH_MODE_SKIP);
    struct fh_lexeme t;
    while (fh_skip_to_directive(a, &t)) {
        if (opens_condition(&t)) {
            depth++;
        } else if (is(&t, ".endif") && depth > 0) {
            depth--;
        } else if (depth == 0 && (is(&t, ".endif") || is(&t, ".else") || is(&t, ".elseif"))) {
            a->tokens.held = t;
            a->tokens.has_held = true;
            return;
        }
    }
    fh_lexer_mode(a, FH_MODE_BEGIN); /* the end of the text; fh_leave reports */
}

static void open_condition(struct fh_asm *a, bool taken) {
    if (!fh_asm_grow(a, &a->texts.conditions, &a->texts.condition_capacity,
                     a->texts.condition_count + 1, sizeof *a->texts.conditions))
        return;
    a->texts.conditions[a->texts.condition_count++] =
        (struct fh_condition){.at = a->st.head.at, .taken = taken};
    if (!taken)
        skip_branch(a);
}

void fh_act_if(struct fh_asm *a) {
    int64_t value = 0;
    if (!a->st.bad)
        (void)fh_value_number(a, a->st.args, &value);
    open_condition(a, value != 0);
}

/* .ifdef and .ifndef: names, labels of the kernel so far, and macros. */
void fh_act_ifdef(struct fh_asm *a) {
    bool defined = false;
    if (!a->st.bad) {
        const struct fh_value *v = a->st.args;
        const struct fh_symbol *label = fh_table_find(&a->labels, v->text, v->length);
        defined = fh_find_name(a, v->text, v->length) || (label && label->defined) ||
                  fh_table_find(&a->macros, v->text, v->length);
    }
    bool negated = is(&a->st.head, ".ifndef");
    open_condition(a, !a->st.bad && defined != negated);
}

/* The innermost condition of this text; reports if there is none. */
static struct fh_condition *condition(struct fh_asm *a) {
    if (a->texts.condition_count > a->texts.top->conditions)
        return &a->texts.conditions[a->texts.condition_count - 1];
    fh_report(a, FH_D_STRAY_END, a->st.head.at, a->st.directive->name, "`.if`", NULL);
    return NULL;
}

void fh_act_else(struct fh_asm *a) {
    struct fh_condition *c = condition(a);
    if (!c)
        return;
    if (c->in_else) {
        fh_report(a, FH_D_STRAY_END, a->st.head.at, a->st.directive->name,
                  "`.if`: there was an `.else`", NULL);
        skip_branch(a);
        return;
    }
    int64_t value = 1;
    c->in_else = is(&a->st.head, ".else");
    if (!c->in_else && (a->st.bad || c->taken || !fh_value_number(a, a->st.args, &value)))
        value = 0;
    if (c->taken || value == 0)
        skip_branch(a);
    else
        c->taken = true;
}

void fh_act_endif(struct fh_asm *a) {
    if (condition(a))
        a->texts.condition_count--;
}

/* ---------------------------------------------------------------- bodies */

bool fh_read_body(struct fh_asm *a, const char *end, struct fh_body *body) {
    bool macro = strcmp(end, ".endm") == 0;
    struct fh_span open = a->st.head.at;
    unsigned depth = 0;
    body->at = fh_lexer_position(a);
    fh_lexer_mode(a, FH_MODE_SKIP);
    struct fh_lexeme t;
    while (fh_skip_to_directive(a, &t)) {
        if (is(&t, end) && depth == 0) {
            body->text = fh_source_text(&a->sources, (struct fh_span){body->at, t.at.begin});
            body->length = t.at.begin - body->at;
            a->st.ended_by = FH_NOT_ENDED;
            a->tokens.in_statement = true;
            fh_lexer_mode(a, FH_MODE_OPERANDS);
            fh_skip_statement(a);
            return true;
        }
        if (is(&t, end))
            depth--;
        else if (macro ? is(&t, ".macro") : is(&t, ".rept") || is(&t, ".irp"))
            depth++;
    }
    fh_lexer_mode(a, FH_MODE_BEGIN);
    fh_report(a, FH_D_OPEN_BLOCK, open, a->st.directive->name, end, NULL);
    return false;
}

void fh_act_stray_end(struct fh_asm *a) {
    bool macro = is(&a->st.head, ".endm");
    fh_report(a, FH_D_STRAY_END, a->st.head.at, a->st.directive->name,
              macro ? "`.macro`" : "`.rept` or `.irp`", NULL);
}
