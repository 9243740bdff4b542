/* statement.c - carries out one parsed statement; expressions of operands end up here first. */
#include "asm.h"

#include <string.h>

void fh_add_argument(struct fh_asm *a, const struct fh_value *v) {
    struct fh_statement *st = &a->st;
    if (!fh_value_sound(a, v))
        return;
    if (!fh_asm_grow(a, &st->args, &st->arg_capacity, st->arg_count + 1, sizeof *st->args))
        return;
    st->args[st->arg_count++] = *v;
    st->named |= v->kind == FH_V_NAME;
}

bool fh_usage(struct fh_asm *a, bool good) {
    const struct fh_directive *d = a->st.directive;
    if (good)
        return true;
    fh_report(a, FH_D_USAGE, (struct fh_span){a->st.head.at.begin, a->st.end}, d->name,
              fh_text(a, "write %s", d->usage), NULL);
    return false;
}

static void directive(struct fh_asm *a) {
    const struct fh_directive *d = a->st.directive;
    if (!d) {
        fh_unknown_directive(a, &a->st.head);
        return;
    }
    if (a->single && d->act != fh_act_inst) { /* words are not kept: no kernel could be closed */
        fh_report(a, FH_D_USAGE, a->st.head.at, d->name, "one instruction stands for itself", NULL);
        a->stop = true;
        return;
    }
    /* Directives with a block must read it even when they are wrong, or all that is in the block
     * would be an error too. */
    if (a->st.bad && !d->block)
        return;
    if ((d->where != FH_ANYWHERE && !a->draft.open && !a->single) ||
        (d->where == FH_IN_A_KERNEL && a->draft.function))
        fh_report(a, FH_D_ONLY_INSIDE, a->st.head.at, d->name, NULL, NULL);
    else if (!a->st.bad && d->mode != FH_MODE_RAW)
        (void)fh_usage(a, a->st.arg_count >= d->least &&
                              (a->st.arg_count <= d->most || d->most == FH_MANY));
    if (!a->st.bad || d->block)
        d->act(a);
}

void fh_carry_out(struct fh_asm *a) {
    struct fh_statement *st = &a->st;
    switch (st->kind) {
    case FH_INSTRUCTION:
        if (!st->bad && st->arg_count > FH_MAX_ARGUMENTS) {
            fh_report(a, FH_D_SURPLUS_OPERAND, st->args[FH_MAX_ARGUMENTS].at,
                      fh_text_of(a, st->head.text, st->head.length), "fewer operands", NULL);
        } else if (!st->bad) {
            fh_emit(a);
        }
        break;
    case FH_DIRECTIVE: directive(a); break;
    case FH_CALL:
        if (!st->bad)
            fh_call_macro(a);
        break;
    default: /* a syntax error, or nothing */
        if (st->directive && st->directive->block)
            directive(a);
    }
}
