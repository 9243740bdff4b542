/*
 * book.c - the ISA book and isa.json, as the ISA compiler wrote them into the library.
 */
#include <string.h>

#include "tables.h"

/* How much of `mnemonic` the instruction's name explains: all of the name, which ends where the
 * mnemonic ends or has a dot; 0 if it does not fit. */
static size_t explains(const char *name, const char *mnemonic) {
    size_t length = strlen(name);
    bool begins = strncmp(name, mnemonic, length) == 0;
    return begins && (mnemonic[length] == '\0' || mnemonic[length] == '.') ? length : 0;
}

/* The instruction whose name explains most of the mnemonic; NULL: none does. */
static const struct fh_insn *explaining(const char *mnemonic) {
    const struct fh_insn *insn = NULL;
    size_t longest = 0;
    for (unsigned i = 0; i < fh_insn_count; i++) {
        size_t length = explains(fh_insns[i].name, mnemonic);
        if (length > longest) {
            longest = length;
            insn = &fh_insns[i];
        }
    }
    return insn;
}

const char *fhec_isa_page(const char *mnemonic) {
    if (!mnemonic)
        return fh_isa_book;
    const struct fh_insn *insn = explaining(mnemonic);
    return insn ? insn->page : NULL;
}

/* Whether the text, which may have dots in it, stands between dots of the mnemonic. */
static bool has_modifier(const char *mnemonic, const char *text) {
    const size_t length = strlen(text);
    for (const char *at = strchr(mnemonic, '.'); at; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, text, length) == 0 && (!at[1 + length] || at[1 + length] == '.'))
            return true;
    return false;
}

const char *fhec_isa_pipe(const char *mnemonic) {
    const struct fh_insn *insn = explaining(mnemonic);
    if (!insn || !insn->form_count)
        return NULL;
    struct fh_inst inst = {.form = &fh_forms[insn->first_form]};
    for (unsigned m = 0; m < inst.form->mod_count; m++) {
        const struct fh_mod_spec *mod = &inst.form->mods[m];
        inst.mod[m] = mod->fallback == UINT32_MAX ? 0 : (uint8_t)mod->fallback;
        for (unsigned v = 0; v < mod->value_count; v++)
            if (*mod->values[v].text && has_modifier(mnemonic, mod->values[v].text))
                inst.mod[m] = mod->values[v].value;
    }
    return fh_pipe_of(&inst)->name;
}

uint32_t fhec_pipe_latency(const char *pipe) {
    for (unsigned i = 0; i < fh_pipe_count; i++)
        if (strcmp(fh_pipes[i].name, pipe) == 0)
            return fh_pipes[i].variable ? 0 : fh_pipes[i].ready[fh_pipes[i].reads];
    return 0;
}

const char *fhec_isa_json(void) {
    return fh_isa_json_text;
}

bool fhec_isa_entry(size_t index, const char **mnemonic, const char **title) {
    if (index >= fh_insn_count)
        return false;
    *mnemonic = fh_insn_by_root((unsigned)index)->name;
    *title = fh_insn_by_root((unsigned)index)->title;
    return true;
}

/* The text that *index counts down to among those of a form's modifiers; false if it is beyond. */
static bool form_modifier(const struct fh_form *form, size_t *index, const char **text) {
    for (unsigned m = 0; m < form->mod_count; m++) {
        const struct fh_mod_spec *mod = &form->mods[m];
        for (unsigned v = 0; v < mod->value_count && !mod->hidden; v++) {
            *text = mod->values[v].text;
            if (**text && (*index)-- == 0)
                return true;
        }
    }
    return false;
}

bool fhec_isa_modifier(const char *mnemonic, size_t index, const char **text) {
    unsigned first, count = fh_insns_of_root(mnemonic, strcspn(mnemonic, "."), &first);
    for (unsigned i = first; i < first + count; i++) {
        const struct fh_insn *insn = fh_insn_by_root(i);
        const char *more = insn->name + strlen(insn->root);
        *text = more + 1;
        if (*more && index-- == 0)
            return true;
        for (unsigned f = 0; f < insn->form_count; f++)
            if (form_modifier(&fh_forms[insn->first_form + f], &index, text))
                return true;
    }
    return false;
}
