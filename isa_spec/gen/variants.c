/*
 * variants.c - which fragment layouts the operands of a form have: one set for all values of its
 * modifiers, or several, by the modifiers that the layouts' names go on with.
 *
 * As in fhec_layout_find the longest name that a mnemonic begins with counts. So IMMA.4, which has
 * the texts `16832` and `U4`, has the layouts IMMA.16832.U4 and not IMMA.16832.
 */
#include <string.h>

#include "isac.h"

/* Adds one behind those whose names are as long or longer. */
static void add(struct variants *list, const struct variant *variant) {
    list->v = more(list->v, list->n, sizeof *list->v);
    size_t at = list->n++;
    for (; at && strlen(list->v[at - 1].layouts) < strlen(variant->layouts); at--)
        list->v[at] = list->v[at - 1];
    list->v[at] = *variant;
}

/* All values of modifiers i.. of the form with which `text`, ".A.B", is a beginning of theirs. */
static void match(struct variants *list, const struct form *form, size_t i, const char *text,
                  const struct variant *so_far) {
    if (!*text)
        add(list, so_far);
    if (!*text || i == form->mod_count || form->mods[i]->hidden)
        return;
    const struct mod *mod = form->mods[i];
    if (mod->derived || (mod->literal && form->mod_optional[i]))
        match(list, form, i + 1, text, so_far);
    for (size_t k = 0; k < mod->values->n && !mod->derived; k++) {
        const char *value = mod->values->v[k].text;
        size_t n = strlen(value);
        struct variant next = *so_far;
        next.fixed[i] = !mod->literal;
        next.value[i] = mod->values->v[k].value;
        if (!n)
            match(list, form, i + 1, text, &next);
        else if (strncmp(text + 1, value, n) == 0 && (text[n + 1] == '.' || !text[n + 1]))
            match(list, form, i + 1, text + n + 1, &next);
    }
}

/* All that the texts allow; a longer name before a shorter one. */
static struct variants candidates_of(const struct description *d, const struct form *form) {
    struct variants list = {0};
    struct names done = {0};
    size_t root = strlen(form->insn->root);
    for (size_t i = 0; i < d->layout_count; i++) {
        const char *name = d->layouts[i].insn;
        if (strncmp(name, form->insn->root, root) != 0 || (name[root] && name[root] != '.') ||
            has_name(&done, name))
            continue;
        struct variant none = {.layouts = name};
        add_name(&done, name);
        match(&list, form, 0, name + root, &none);
    }
    return list;
}

static bool agrees(const struct variant *v, const struct form *form, const uint32_t *values) {
    for (size_t i = 0; i < form->mod_count; i++)
        if (v->fixed[i] && v->value[i] != values[i])
            return false;
    return true;
}

/* The modifiers that choose among them. */
static struct names deciding(const struct form *form, const struct variants *list) {
    struct names names = {0};
    for (size_t i = 0; i < form->mod_count; i++)
        for (size_t k = 0; k < list->n; k++)
            if (list->v[k].fixed[i] && !has_name(&names, form->mods[i]->name))
                add_name(&names, form->mods[i]->name);
    return names;
}

/* The one that these values choose. */
static struct variant *choose(const struct form *form, const struct variants *list,
                              const uint32_t *values) {
    for (size_t i = 0; i < list->n; i++)
        if (agrees(&list->v[i], form, values))
            return &list->v[i];
    return NULL;
}

/* Those of the candidates that some values of the modifiers choose. */
static struct variants chosen(const struct form *form, struct variants *list) {
    struct variants result = {0};
    struct names names = deciding(form, list);
    uint32_t values[FH_MAX_MODS + 1];
    first_values(form, values);
    do {
        struct variant *v = choose(form, list, values);
        if (v)
            v->chosen = true;
        else if (!result.without)
            result.without = mnemonic_text(form, values);
    } while (next_values(form, &names, values));
    for (size_t i = 0; i < list->n; i++)
        if (list->v[i].chosen)
            add(&result, &list->v[i]);
    return result;
}

void find_variants(struct description *d) {
    for (size_t i = 0; i < d->form_count; i++) {
        struct variants list = candidates_of(d, d->forms[i]);
        if (list.n)
            d->forms[i]->variants = chosen(d->forms[i], &list);
    }
}

const struct variant *variant_for(const struct form *form, const uint32_t *values) {
    return choose(form, &form->variants, values);
}

struct names variant_names(const struct form *form) {
    return deciding(form, &form->variants);
}

bool has_layout(const struct insn *insn, const struct layout *l) {
    for (size_t i = 0; i < insn->form_count; i++)
        for (size_t k = 0; k < insn->forms[i].variants.n; k++)
            if (strcmp(insn->forms[i].variants.v[k].layouts, l->insn) == 0)
                return true;
    return false;
}

const struct layout *layout_of(const struct description *d, const struct variant *v,
                               const struct operand *o) {
    for (size_t i = 0; i < d->layout_count; i++) {
        const struct layout *l = &d->layouts[i];
        if (strcmp(l->insn, v->layouts) != 0)
            continue;
        bool same = o->kind == FH_K_ADDR ? strcmp(l->operand, "address") == 0
                                         : strcmp(body_name(l->operand), o->var) == 0;
        if (same)
            return l;
    }
    return NULL;
}
