/* names.c - see names.h. */
#include "names.h"
#include "asm.h"
#include "asm_memory.h"
#include "register_names.h"

#include <string.h>

struct fh_symbol *fh_add_symbol(struct fh_asm *a, struct fh_table *table, const char *name,
                                size_t length) {
    struct fh_symbol *s = fh_table_add(table, &a->arena, name, length);
    if (!s)
        a->no_memory = true;
    return s;
}

struct fh_symbol *fh_find_name(struct fh_asm *a, const char *name, size_t length) {
    return fh_table_find_in_two(&a->inside, &a->names, name, length);
}

bool fh_may_define(struct fh_asm *a, const struct fh_value *name) {
    struct fh_value machine = {0};
    const char *dot = memchr(name->text, '.', name->length);
    size_t head = dot && dot != name->text ? (size_t)(dot - name->text) : name->length;
    if (!fh_machine_register(a, name->text, head, &machine) &&
        !(name->length == 1 && name->text[0] == 'c') &&
        !(name->length == 2 && memcmp(name->text, "cx", 2) == 0) &&
        !(name->length == 4 && memcmp(name->text, "desc", 4) == 0))
        return true;
    fh_report(a, FH_D_RESERVED, name->at, fh_text_of(a, name->text, name->length), NULL, NULL);
    return false;
}

void fh_defined_before(struct fh_asm *a, const struct fh_symbol *s, const struct fh_value *name,
                       enum fh_diagnostic d) {
    struct fh_origin origin;
    if (fh_source_origin(&a->sources, s->at, &origin, NULL))
        fh_note(a, fh_text(a, "it was defined at %s:%u:%u", a->sources.names[origin.file],
                           origin.line, origin.column));
    fh_report(a, d, name->at, fh_text_of(a, name->text, name->length), NULL, NULL);
}

struct fh_symbol *fh_define(struct fh_asm *a, const struct fh_value *name, enum fh_symbol_kind kind,
                            bool kernel) {
    if (!fh_may_define(a, name))
        return NULL;
    struct fh_symbol *s = fh_find_name(a, name->text, name->length);
    if (s) {
        fh_defined_before(a, s, name, FH_D_TWO_NAMES);
        return NULL;
    }
    s = fh_add_symbol(a, kernel ? &a->inside : &a->names, name->text, name->length);
    if (!s)
        return NULL;
    s->kind = (uint8_t)kind;
    s->at = name->at;
    return s;
}

/* ---------------------------------------------------------------- misspelt names */

static void try_names(struct fh_nearest *n, const struct fh_table *t) {
    for (size_t i = 0; i < t->capacity; i++) {
        const struct fh_symbol *s = t->slots[i];
        bool waits = s && (s->kind == FH_S_LABEL || s->kind == FH_S_VARIABLE) && !s->defined;
        if (s && s->kind != FH_S_LOCAL && !waits)
            fh_nearest_try_unordered(n, s->name, s->length);
    }
}

void fh_try_code_names(struct fh_asm *a, struct fh_nearest *n) {
    enum { MANY = 256 }; /* generated code: no one has misspelt a label there */
    try_names(n, &a->inside);
    if (a->labels.count < MANY)
        try_names(n, &a->labels);
}

void fh_try_global_names(struct fh_asm *a, struct fh_nearest *n) {
    try_names(n, &a->names);
    try_names(n, &a->globals);
}

/* A register in lower case, "r5": names of the machine are in upper case. */
static bool note_register(struct fh_asm *a, const char *name, size_t length) {
    char upper[8];
    struct fh_value v = {0};
    if (length >= sizeof upper)
        return false;
    for (size_t i = 0; i < length; i++)
        upper[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    if (!fh_machine_register(a, upper, length, &v) || v.kind != FH_V_REGISTER)
        return false;
    fh_note(a, fh_text(a, "the register is written `%.*s`", (int)length, upper));
    return true;
}

void fh_unknown_name(struct fh_asm *a, const char *name, size_t length, struct fh_span at) {
    struct fh_nearest n;
    fh_nearest_begin(&n, name, length);
    try_names(&n, &a->inside);
    try_names(&n, &a->names);
    const char *dot = memchr(name, '.', length);
    if (!note_register(a, name, dot ? (size_t)(dot - name) : length))
        fh_nearest_note(a, &n, "name", "");
    fh_report(a, FH_D_NO_NAME, at, fh_text_of(a, name, length), NULL, NULL);
}
