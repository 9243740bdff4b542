/* annotate.c - see annotate.h. */
#include "annotate.h"
#include "asm.h"
#include "asm_memory.h"
#include "expression.h"

void fh_act_message(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    if (fh_usage(a, v->kind == FH_V_STRING))
        fh_report(a, a->st.directive->name[1] == 'e' ? FH_D_USER_ERROR : FH_D_USER_WARNING,
                  fh_statement_span(&a->st), fh_text_of(a, v->text, v->length), NULL, NULL);
}

/* What follows was compiled from that line, which faults and traces name. Line 0: from an unknown
 * one. */
void fh_act_loc(struct fh_asm *a) {
    const struct fh_value *v = a->st.args;
    struct fh_origin loc = {.column = 1, .length = 1};
    if (!fh_usage(a, v->kind == FH_V_STRING) ||
        !fh_size(a, &v[1], "the line", 0, INT32_MAX, false, &loc.line))
        return;
    if (loc.line == 0)
        loc = (struct fh_origin){.file = UINT32_MAX};
    else if (!fh_source_name(&a->sources, fh_text_of(a, v->text, v->length), &loc.file))
        a->no_memory = true;
    a->loc = loc;
    a->has_loc = true;
}

/* A line of the file's own test, kept for `fhec test`, which reads it. */
void fh_act_test(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    if (!fh_usage(a, a->st.raw.length > 0) ||
        !fh_asm_grow(a, &p->tests, &a->test_capacity, p->test_count + 1, sizeof *p->tests))
        return;
    struct fh_test *t = &p->tests[p->test_count];
    t->text = fh_copy_text(a, a->st.raw.text, a->st.raw.length);
    if (!t->text)
        return;
    (void)fh_source_origin(&a->sources, fh_statement_span(&a->st), &t->origin, NULL);
    p->test_count++;
}
