/* statement.c - see statement.h. */
#include "statement.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"

#include <string.h>

struct fh_value *fh_next_argument(struct fh_asm *a) {
    struct fh_statement *st = &a->st;
    if (!fh_asm_grow(a, &st->args, &st->arg_capacity, st->arg_count + 1, sizeof *st->args))
        return NULL;
    return &st->args[st->arg_count];
}

void fh_take_argument(struct fh_asm *a) {
    struct fh_statement *st = &a->st;
    st->named |= st->args[st->arg_count++].kind == FH_V_NAME;
}

void fh_add_argument(struct fh_asm *a, const struct fh_value *v) {
    struct fh_value *argument = fh_value_sound(a, v) ? fh_next_argument(a) : NULL;
    if (!argument)
        return;
    *argument = *v;
    fh_take_argument(a);
}

bool fh_usage(struct fh_asm *a, bool good) {
    const struct fh_directive *d = a->st.directive;
    if (good)
        return true;
    fh_report(a, FH_D_USAGE, fh_statement_span(&a->st), d->name, fh_text(a, "write %s", d->usage),
              NULL);
    return false;
}

const char *fh_end_name(const struct fh_asm *a) {
    return a->st.ended_by == ';' ? "`;`" : "end of line";
}

const struct fh_directive *fh_find_directive(const struct fh_asm *a, const char *name,
                                             size_t length) {
    const struct fh_directive *list = a->directives->list;
    size_t low = 0, high = a->directives->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *candidate = list[middle].name;
        int order = strncmp(candidate, name, length);
        if (order == 0 && candidate[length] == '\0')
            return &list[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void fh_unknown_directive(struct fh_asm *a, const struct fh_lexeme *name) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name->text, name->length);
    for (size_t i = 0; i < a->directives->count; i++)
        fh_nearest_try(&n, a->directives->list[i].name, strlen(a->directives->list[i].name));
    fh_nearest_note(a, &n, "directive", "");
    fh_report(a, FH_D_UNKNOWN_DIRECTIVE, name->at, fh_text_of(a, name->text, name->length), NULL,
              NULL);
}
