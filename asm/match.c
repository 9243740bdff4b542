/*
 * match.c - see match.h. All that it knows about instructions is in the tables of isa.h.
 *
 *     IMAD.WIDE.U32.X    root IMAD; of each of its forms, the modifiers in the form's order
 *     R6, RZ, R5, R6, P1 the operands in the form's order, optional ones left out where needed
 */
#include "match.h"
#include "asm.h"
#include "asm_memory.h"
#include "explain.h"

#include <string.h>

/* A derived name ("IMAD.MOV") must be the one that the operands give. */
static bool alias_right(struct fh_asm *a, const struct fh_candidate *c,
                        const struct fh_inst *inst) {
    if (!c->alias)
        return true;
    const char *name = NULL;
    for (unsigned i = 0; i < c->form->mod_count; i++)
        if (c->form->mods[i].derived)
            name = c->form->mods[i].derived(inst);
    if (name && strcmp(name, c->alias) == 0)
        return true;
    char right[64];
    (void)fh_print_mnemonic(inst, right, sizeof right);
    const struct fh_lexeme *head = &a->st.head;
    fh_report(a, FH_D_ALIAS, head->at, fh_text_of(a, head->text, head->length),
              fh_text(a, "%s", right), NULL);
    return false;
}

bool fh_match(struct fh_asm *a, struct fh_matched *m) {
    const struct fh_lexeme *head = &a->st.head;
    const struct fh_mnemonic *mnemonic = fh_mnemonic_of(a, head->text, head->length);
    if (!mnemonic)
        return false;
    if (!mnemonic->count) {
        fh_explain_mnemonic(a, mnemonic);
        return false;
    }
    const struct fh_shape shape = fh_shape_of(&a->st);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < mnemonic->count; i++) {
            struct fh_miss miss = {0};
            const struct fh_candidate *c = &mnemonic->candidates[i];
            if (fh_plausible(&shape, c) && fh_fit_operands(a, c, pass == 0, m, &miss))
                return alias_right(a, c, &m->inst);
        }
    }
    fh_explain_operands(a, mnemonic);
    return false;
}
