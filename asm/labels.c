/* labels.c - see labels.h. */
#include "labels.h"
#include "asm.h"
#include "asm_memory.h"
#include "name_list.h"
#include "names.h"
#include "open_code.h"

#include <string.h>

/* Finds the symbol of a label or makes one that is not defined yet; NULL when there is no memory.
 */
static struct fh_symbol *symbol_of(struct fh_asm *a, const char *name, size_t length) {
    struct fh_symbol *s = fh_table_find(&a->labels, name, length);
    return s ? s : fh_add_symbol(a, &a->labels, name, length);
}

/* The label stands before the next instruction. */
static void define_here(const struct fh_asm *a, struct fh_symbol *s, struct fh_span at) {
    s->kind = FH_S_LABEL;
    s->defined = true;
    s->value = (int64_t)fh_here(a);
    s->at = at;
}

static bool is_inside(struct fh_asm *a, const struct fh_value *label) {
    if (a->code.open || a->single)
        return true;
    fh_report(a, FH_D_LABEL_OUTSIDE, label->at, NULL, NULL, NULL);
    return false;
}

void fh_label_define(struct fh_asm *a, const struct fh_value *label) {
    if (!is_inside(a, label) || !fh_may_define(a, label))
        return;
    struct fh_symbol *s = fh_find_name(a, label->text, label->length);
    if (s) { /* a use of it would mean the other thing */
        fh_defined_before(a, s, label, FH_D_TWO_NAMES);
        return;
    }
    s = symbol_of(a, label->text, label->length);
    if (s && s->defined) {
        fh_defined_before(a, s, label, FH_D_TWO_LABELS);
    } else if (s) {
        define_here(a, s, label->at);
        fh_name_list_add(a, s);
    }
}

const char *fh_listed_label(struct fh_asm *a, uint64_t address) {
    return fh_text(a, "/*%04llx*/", (unsigned long long)address);
}

/* A line that was copied has the same address twice: the first one keeps it. */
void fh_listed_label_define(struct fh_asm *a, uint64_t address) {
    const char *name = fh_listed_label(a, address);
    struct fh_symbol *s = symbol_of(a, name, strlen(name));
    if (s && !s->defined)
        define_here(a, s, s->at);
}

/* ---------------------------------------------------------------- labels that are numbers */

static struct fh_symbol *new_local(struct fh_asm *a, const char *name, size_t length) {
    struct fh_symbol *s = fh_asm_alloc(a, sizeof *s);
    if (s)
        *s = (struct fh_symbol){.name = name, .length = (uint32_t)length, .kind = FH_S_LABEL};
    return s;
}

/* The entry of a number that serves as a label. */
static struct fh_symbol *local_entry(struct fh_asm *a, const char *digits, size_t length) {
    struct fh_symbol *s = symbol_of(a, digits, length);
    if (s)
        s->kind = FH_S_LOCAL;
    return s;
}

void fh_local_label_define(struct fh_asm *a, const struct fh_value *label) {
    struct fh_symbol *entry =
        is_inside(a, label) ? local_entry(a, label->text, label->length) : NULL;
    if (!entry)
        return;
    struct fh_symbol *s =
        entry->forward ? entry->forward : new_local(a, label->text, label->length);
    if (!s)
        return;
    define_here(a, s, label->at);
    entry->back = s;
    entry->forward = NULL;
}

static struct fh_symbol *local_refer(struct fh_asm *a, const struct fh_value *name) {
    size_t digits = name->length - 1;
    struct fh_symbol *entry = local_entry(a, name->text, digits);
    if (!entry)
        return NULL;
    if (name->text[digits] == 'b') {
        if (!entry->back)
            fh_report(a, FH_D_NO_LOCAL_LABEL, name->at, fh_text_of(a, name->text, digits), "before",
                      NULL);
        return entry->back;
    }
    if (!entry->forward)
        entry->forward = new_local(a, name->text, digits);
    return entry->forward;
}

struct fh_symbol *fh_label_refer(struct fh_asm *a, const struct fh_value *name) {
    if (name->text[0] >= '0' && name->text[0] <= '9')
        return local_refer(a, name);
    struct fh_symbol *s = symbol_of(a, name->text, name->length);
    if (s)
        s->kind = FH_S_LABEL;
    return s;
}
