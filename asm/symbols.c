/*
 * symbols.c - names: the table, and the rules of defining. A name of the machine (R0, PT, UR4)
 * cannot be defined. Inside a kernel its own names come first and end with it.
 */
#include "asm.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a; the tables hold what one source file defines, so a stronger one is not needed. */
static uint32_t hash(const char *name, size_t length) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h ^ h >> 15;
}

static struct fh_symbol **slot(const struct fh_table *t, const char *name, size_t length,
                               uint32_t h) {
    size_t mask = t->capacity - 1, i = h & mask;
    while (t->slots[i] && (t->slots[i]->hash != h || t->slots[i]->length != length ||
                           memcmp(t->slots[i]->name, name, length) != 0))
        i = (i + 1) & mask;
    return &t->slots[i];
}

struct fh_symbol *fh_table_find(const struct fh_table *t, const char *name, size_t length) {
    return t->count ? *slot(t, name, length, hash(name, length)) : NULL;
}

struct fh_symbol *fh_table_add(struct fh_table *t, struct fh_arena *arena, const char *name,
                               size_t length) {
    if ((t->count + 1) * 2 > t->capacity) {
        size_t capacity = t->capacity ? t->capacity * 2 : 64;
        struct fh_table larger = {calloc(capacity, sizeof *larger.slots), capacity, t->count};
        if (!larger.slots)
            return NULL;
        for (size_t i = 0; i < t->capacity; i++) {
            struct fh_symbol *s = t->slots[i];
            if (s)
                *slot(&larger, s->name, s->length, s->hash) = s;
        }
        free(t->slots);
        *t = larger;
    }
    struct fh_symbol *s = fh_arena_alloc(arena, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct fh_symbol){.name = name, .length = (uint32_t)length, .hash = hash(name, length)};
    *slot(t, name, length, s->hash) = s;
    t->count++;
    return s;
}

void fh_table_clear(struct fh_table *t) {
    if (t->capacity > 1024) { /* do not clear a large table for every small kernel */
        free(t->slots);
        *t = (struct fh_table){0};
    } else if (t->count) {
        memset(t->slots, 0, t->capacity * sizeof *t->slots);
        t->count = 0;
    }
}

struct fh_symbol *fh_find_name(struct fh_asm *a, const char *name, size_t length) {
    uint32_t h = hash(name, length);
    struct fh_symbol *s = a->inside.count ? *slot(&a->inside, name, length, h) : NULL;
    return s || !a->names.count ? s : *slot(&a->names, name, length, h);
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

static void defined_before(struct fh_asm *a, const struct fh_symbol *s, const struct fh_value *name,
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
        defined_before(a, s, name, FH_D_TWO_NAMES);
        return NULL;
    }
    s = fh_table_add(kernel ? &a->inside : &a->names, &a->arena, name->text, name->length);
    if (!s) {
        a->no_memory = true;
        return NULL;
    }
    s->kind = (uint8_t)kind;
    s->at = name->at;
    return s;
}

static void try_names(struct fh_nearest *n, const struct fh_table *t) {
    for (size_t i = 0; i < t->capacity; i++) {
        const struct fh_symbol *s = t->slots[i];
        bool waits = s && (s->kind == FH_S_LABEL || s->kind == FH_S_VARIABLE) && !s->defined;
        if (s && s->kind != FH_S_LOCAL && !waits)
            fh_nearest_try(n, s->name, s->length);
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

/* ---------------------------------------------------------------- labels */

void fh_label_define(struct fh_asm *a, const struct fh_value *label) {
    if (!a->draft.open && fh_section_label(a, label))
        return;
    if (!a->draft.open && !a->single) {
        fh_report(a, FH_D_LABEL_OUTSIDE, label->at, NULL, NULL, NULL);
        return;
    }
    if (!fh_may_define(a, label))
        return;
    struct fh_symbol *name = fh_find_name(a, label->text, label->length);
    if (name) { /* a use of it would mean the other thing */
        defined_before(a, name, label, FH_D_TWO_NAMES);
        return;
    }
    struct fh_symbol *s = fh_table_find(&a->labels, label->text, label->length);
    if (s && s->defined) {
        defined_before(a, s, label, FH_D_TWO_LABELS);
        return;
    }
    if (!s)
        s = fh_table_add(&a->labels, &a->arena, label->text, label->length);
    if (!s) {
        a->no_memory = true;
        return;
    }
    s->kind = FH_S_LABEL;
    s->defined = true;
    s->value = (int64_t)fh_here(a);
    s->at = label->at;
}

/* A line that was copied has the same address twice: the first one keeps it. */
void fh_listed_label_define(struct fh_asm *a, uint64_t address) {
    const char *name = fh_listing_label(a, address);
    size_t length = strlen(name);
    struct fh_symbol *s = fh_table_find(&a->labels, name, length);
    if (!s)
        s = fh_table_add(&a->labels, &a->arena, name, length);
    if (!s) {
        a->no_memory = true;
    } else if (!s->defined) {
        s->kind = FH_S_LABEL;
        s->defined = true;
        s->value = (int64_t)fh_here(a);
    }
}

static struct fh_symbol *new_local(struct fh_asm *a, const char *name, size_t length) {
    struct fh_symbol *s = fh_asm_alloc(a, sizeof *s);
    if (s)
        *s = (struct fh_symbol){.name = name, .length = (uint32_t)length, .kind = FH_S_LABEL};
    return s;
}

/* The entry of a number that serves as a label. */
static struct fh_symbol *local_entry(struct fh_asm *a, const char *digits, size_t length) {
    struct fh_symbol *s = fh_table_find(&a->labels, digits, length);
    if (!s)
        s = fh_table_add(&a->labels, &a->arena, digits, length);
    if (!s)
        a->no_memory = true;
    else
        s->kind = FH_S_LOCAL;
    return s;
}

void fh_local_label_define(struct fh_asm *a, const struct fh_value *label) {
    if (!a->draft.open && !a->single) {
        fh_report(a, FH_D_LABEL_OUTSIDE, label->at, NULL, NULL, NULL);
        return;
    }
    struct fh_symbol *entry = local_entry(a, label->text, label->length);
    if (!entry)
        return;
    struct fh_symbol *s =
        entry->forward ? entry->forward : new_local(a, label->text, label->length);
    if (!s)
        return;
    s->defined = true;
    s->value = (int64_t)fh_here(a);
    s->at = label->at;
    entry->back = s;
    entry->forward = NULL;
}

struct fh_symbol *fh_label_refer(struct fh_asm *a, const struct fh_value *name) {
    const char *text = name->text;
    size_t length = name->length;
    if (text[0] < '0' || text[0] > '9') {
        struct fh_symbol *s = fh_table_find(&a->labels, text, length);
        if (!s)
            s = fh_table_add(&a->labels, &a->arena, text, length);
        if (!s)
            a->no_memory = true;
        else
            s->kind = FH_S_LABEL;
        return s;
    }
    struct fh_symbol *entry = local_entry(a, text, length - 1);
    if (!entry)
        return NULL;
    if (text[length - 1] == 'b') {
        if (!entry->back)
            fh_report(a, FH_D_NO_LOCAL_LABEL, name->at, fh_text_of(a, text, length - 1), "before",
                      NULL);
        return entry->back;
    }
    if (!entry->forward)
        entry->forward = new_local(a, text, length - 1);
    return entry->forward;
}

static void no_label(struct fh_asm *a, const struct fh_fixup *f) {
    const struct fh_symbol *label = f->label;
    const char *name = fh_text_of(a, label->name, label->length);
    if (fh_table_find(&a->globals, label->name, label->length))
        fh_note(a, fh_text(a,
                           "`%s` is not in this code: its distance is not known, its address is "
                           "(CALL.ABS.NOINC)",
                           name));
    if (name[0] >= '0' && name[0] <= '9') {
        fh_report(a, FH_D_NO_LOCAL_LABEL, f->at, name, "after", NULL);
        return;
    }
    struct fh_nearest n;
    fh_nearest_begin(&n, label->name, label->length);
    for (size_t i = 0; i < a->labels.capacity; i++) {
        const struct fh_symbol *s = a->labels.slots[i];
        if (s && s->kind == FH_S_LABEL && s->defined)
            fh_nearest_try(&n, s->name, s->length);
    }
    fh_nearest_note(a, &n, "label", "");
    fh_report(a, FH_D_NO_LABEL, f->at, name, NULL, NULL);
}

/* The code's own name, where no label has it, is its first instruction. */
static bool is_draft(const struct fh_draft *d, const struct fh_symbol *label) {
    return label->length == d->name_length && memcmp(label->name, d->name, d->name_length) == 0;
}

/* Functions within the code begin at their labels. */
static void resolve_entries(struct fh_asm *a) {
    struct fh_draft *d = &a->draft;
    for (size_t i = 0; i < d->entry_count && !a->stop; i++) {
        struct fh_entry *entry = &d->entries[i];
        const struct fh_symbol *s = fh_table_find(&a->labels, entry->name, strlen(entry->name));
        if (!s || s->kind != FH_S_LABEL || !s->defined)
            fh_report(a, FH_D_NO_LABEL, d->at, fh_text_of(a, entry->name, strlen(entry->name)),
                      NULL, NULL);
        else
            entry->word = (uint32_t)((uint64_t)s->value / FH_INST_BYTES);
    }
}

/* Nothing runs there: the warp faults. */
static void check_inside(struct fh_asm *a, const struct fh_fixup *f, int64_t target) {
    const struct fh_draft *d = &a->draft;
    size_t bytes = d->word_count * FH_INST_BYTES;
    if (target >= 0 && (uint64_t)target < bytes)
        return;
    const char *text = fh_text_of(a, fh_source_text(&a->sources, f->at), f->at.end - f->at.begin);
    fh_report(a, FH_D_TARGET_OUTSIDE, f->at, fh_text(a, "`%s`", text),
              fh_text_of(a, d->name, d->name_length), fh_text(a, "%zx", bytes));
}

void fh_labels_resolve(struct fh_asm *a) {
    resolve_entries(a);
    struct fh_draft *d = &a->draft;
    for (size_t i = 0; i < d->fixup_count && !a->stop; i++) {
        const struct fh_fixup *f = &d->fixups[i];
        int64_t next = ((int64_t)f->word + 1) * FH_INST_BYTES;
        if (!f->label) {
            check_inside(a, f, next + f->addend);
            continue;
        }
        bool local = f->label->name[0] >= '0' && f->label->name[0] <= '9';
        if (!f->distance && (f->label->defined || !local)) {
            fh_address_resolve(a, f);
            continue;
        }
        if (!f->label->defined && !is_draft(d, f->label)) {
            no_label(a, f);
            continue;
        }
        const struct fh_operand_spec *spec = &f->form->operands[f->operand];
        int64_t distance = (int64_t)((uint64_t)f->label->value + (uint64_t)f->addend) - next;
        if (!fh_target_reachable(a, spec, f->at, distance))
            continue;
        check_inside(a, f, next + distance);
        fh_field_set(&spec->value, &d->words[f->word], (uint64_t)distance);
    }
}
