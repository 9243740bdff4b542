/*
 * explain_mnemonic.c - why no form has a mnemonic with its modifiers: the modifier that is unknown,
 * misplaced or missing, with the legal forms as notes.
 */
#include "asm.h"
#include "asm_memory.h"
#include "explain.h"
#include "mnemonic.h"

#include <string.h>

enum { MAX_FORMS = 8 }; /* legal forms shown */

/* Notes that show the syntax of these forms, each text once. */
static void note_syntax(struct fh_asm *a, const char **shown, unsigned *count, const char *syntax) {
    if (!syntax || *count >= MAX_FORMS)
        return;
    for (unsigned i = 0; i < *count; i++)
        if (strcmp(shown[i], syntax) == 0)
            return;
    shown[(*count)++] = syntax;
    fh_note(a, fh_text(a, "legal: %s", syntax));
}

static const char *head_text(struct fh_asm *a) {
    return fh_text_of(a, a->st.head.text, a->st.head.length);
}

static void unknown_mnemonic(struct fh_asm *a) {
    const struct fh_lexeme *head = &a->st.head;
    const char *dot = memchr(head->text, '.', head->length);
    size_t length = dot ? (size_t)(dot - head->text) : head->length;
    struct fh_span at = {head->at.begin, head->at.begin + (uint32_t)length};
    const struct fh_outside *outside = fh_outside_of_root(head->text, length);
    if (outside) {
        fh_report(a, FH_D_OUTSIDE, at, outside->root, outside->why, NULL);
        return;
    }
    struct fh_nearest n;
    fh_nearest_begin(&n, head->text, length);
    for (unsigned i = 0; i < fh_insn_count; i++)
        fh_nearest_try(&n, fh_insns[i].root, strlen(fh_insns[i].root));
    fh_nearest_note(a, &n, "mnemonic", "");
    struct fh_nearest m;
    fh_nearest_begin(&m, head->text, head->length);
    for (size_t i = 0; i < a->macros.capacity; i++)
        if (a->macros.slots[i])
            fh_nearest_try_unordered(&m, a->macros.slots[i]->name, a->macros.slots[i]->length);
    fh_nearest_note(a, &m, "macro", "");
    fh_report(a, FH_D_UNKNOWN_MNEMONIC, at, fh_text_of(a, head->text, length), NULL, NULL);
}

/* Whether any form of the root has this modifier, anywhere; n collects near ones. */
static bool known_modifier(const struct fh_mnemonic *m, const char *word, size_t length,
                           struct fh_nearest *n) {
    bool known = false;
    for (unsigned i = 0; i < m->insn_count; i++) {
        const struct fh_insn *insn = fh_insn_by_root(m->first_insn + i);
        for (unsigned k = 0; k < insn->form_count; k++) {
            const struct fh_form *form = &fh_forms[insn->first_form + k];
            for (unsigned g = 0; g < form->mod_count; g++) {
                const struct fh_mod_spec *mod = &form->mods[g];
                for (unsigned v = 0; v < mod->value_count && !mod->hidden; v++) {
                    const char *text = mod->values[v].text;
                    size_t size = strlen(text), at = 0;
                    /* Each word of "STRONG.SM" counts. */
                    while (at < size) {
                        const char *dot = memchr(text + at, '.', size - at);
                        size_t part = dot ? (size_t)(dot - text) - at : size - at;
                        known |= part == length && memcmp(text + at, word, length) == 0;
                        fh_nearest_try(n, text + at, part);
                        at += part + 1;
                    }
                }
            }
        }
    }
    return known;
}

static void note_forms_of_root(struct fh_asm *a, const struct fh_mnemonic *m) {
    const char *shown[MAX_FORMS];
    unsigned count = 0;
    for (unsigned i = 0; i < m->insn_count; i++) {
        const struct fh_insn *insn = fh_insn_by_root(m->first_insn + i);
        for (unsigned k = 0; k < insn->form_count; k++)
            note_syntax(a, shown, &count, fh_forms[insn->first_form + k].syntax);
    }
}

static const char *choices(struct fh_asm *a, const struct fh_mod_spec *mod) {
    const char *list = "";
    for (unsigned v = 0; v < mod->value_count; v++)
        list = fh_text(a, "%s%s`.%s`", list, v ? ", " : "", mod->values[v].text);
    return mod->value_count > 1 ? fh_text(a, "one of %s", list) : list;
}

void fh_explain_mnemonic(struct fh_asm *a, const struct fh_mnemonic *m) {
    const struct fh_lexeme *head = &a->st.head;
    const char *text = head->text;
    size_t length = head->length;
    if (m->insn_count == 0) {
        unknown_mnemonic(a);
        return;
    }
    const char *root = fh_insn_by_root(m->first_insn)->root;
    for (size_t at = strlen(root); at < length;) {
        const char *dot = memchr(text + at + 1, '.', length - at - 1);
        size_t end = dot ? (size_t)(dot - text) : length;
        struct fh_nearest n;
        fh_nearest_begin(&n, text + at + 1, end - at - 1);
        if (!known_modifier(m, text + at + 1, end - at - 1, &n)) {
            struct fh_span span = {head->at.begin + (uint32_t)at, head->at.begin + (uint32_t)end};
            fh_nearest_note(a, &n, "modifier", ".");
            note_forms_of_root(a, m);
            fh_report(a, FH_D_UNKNOWN_MODIFIER, span, root,
                      fh_text_of(a, text + at + 1, end - at - 1), NULL);
            return;
        }
        at = end;
    }
    note_forms_of_root(a, m);
    uint32_t fitted = m->fitted;
    if (fitted < length) {
        const char *dot = memchr(text + fitted + 1, '.', length - fitted - 1);
        size_t end = dot ? (size_t)(dot - text) : length;
        struct fh_span span = {head->at.begin + fitted, head->at.begin + (uint32_t)end};
        fh_report(a, FH_D_WRONG_MODIFIERS, span, head_text(a),
                  fh_text_of(a, text + fitted + 1, end - fitted - 1), NULL);
    } else {
        fh_report(a, FH_D_MISSING_MODIFIER, head->at, head_text(a),
                  m->wanted ? choices(a, m->wanted) : "", NULL);
    }
}
