/*
 * forms.c - questions about forms and bodies that several emitters ask.
 */
#include <string.h>

#include "isac.h"

int operand_index(const struct form *form, const char *name) {
    for (size_t i = 0; i < form->operand_count; i++)
        if (strcmp(form->operands[i].name, name) == 0)
            return (int)i;
    return -1;
}

int mod_index(const struct form *form, const char *name) {
    for (size_t i = 0; i < form->mod_count; i++)
        if (!form->mods[i]->literal && strcmp(form->mods[i]->name, name) == 0)
            return (int)i;
    return -1;
}

/* With the texts that are printed for these values of the modifiers. */
const char *mnemonic_text(const struct form *form, const uint32_t *values) {
    char *text = print("%s", form->insn->root);
    for (size_t i = 0; i < form->mod_count; i++) {
        const struct mod *mod = form->mods[i];
        size_t k = 0;
        while (k < mod->values->n && !mod->literal && mod->values->v[k].value != values[i])
            k++;
        if (!mod->hidden && !mod->derived && k < mod->values->n && *mod->values->v[k].text)
            text = print("%s.%s", text, mod->values->v[k].text);
    }
    return text;
}

/* Whether the generator makes this instruction's functions from its body. */
bool has_body(const struct insn *insn) {
    if (strcmp(insn->kind.s, "mem") == 0)
        return insn->access.at.file != NULL;
    return !insn->handler.s && insn->body_owner->body.s &&
           (strcmp(insn->kind.s, "lane") == 0 || strcmp(insn->kind.s, "uniform") == 0 ||
            strcmp(insn->kind.s, "warp") == 0 || strcmp(insn->kind.s, "matrix") == 0);
}

bool body_uses(const struct insn *insn, const char *word) {
    return has_name(&insn->body_owner->body_names, word);
}

/* The number of registers an operand always has; 0 if it depends on modifiers. */
unsigned constant_regs(const struct operand *o) {
    if (!o->regs.s)
        return 1;
    uint64_t n;
    const char *why;
    return fh_parse_number(o->regs.s, strlen(o->regs.s), &n, &why) && n <= UINT32_MAX ? (unsigned)n
                                                                                      : 0;
}

bool is_set(unsigned access, enum fh_access bit) {
    return (access & (unsigned)bit) != 0;
}
