/*
 * section.c - what belongs to the whole program: sections of data with their variables, the names
 * of kernels and functions, and the places that hold addresses of such things, which may be defined
 * later than they are used.
 */
#include "asm.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- names */

/* A new global name; NULL after a report. */
static struct fh_symbol *define_global(struct fh_asm *a, const struct fh_value *name,
                                       enum fh_diagnostic twice) {
    if (fh_table_find(&a->globals, name->text, name->length)) {
        fh_report(a, twice, name->at, fh_text_of(a, name->text, name->length), NULL, NULL);
        return NULL;
    }
    struct fh_symbol *s = fh_table_add(&a->globals, &a->arena, name->text, name->length);
    if (!s) {
        a->no_memory = true;
        return NULL;
    }
    s->at = name->at;
    return s;
}

bool fh_code_define(struct fh_asm *a, const struct fh_value *name, bool function, uint32_t index) {
    struct fh_symbol *s = define_global(a, name, FH_D_TWO_KERNELS);
    if (!s)
        return false;
    s->kind = FH_S_CODE;
    s->function = function;
    s->value = index;
    return true;
}

/* A new function that is not in the file; NULL after a report. */
static const struct fh_symbol *add_external(struct fh_asm *a, const struct fh_value *name) {
    struct fhec_program *p = a->program;
    if (p->external_count == FH_MAX_EXTERNALS) {
        fh_report(a, FH_D_BAD_SIZE, name->at, "the number of functions of `.extern`",
                  fh_text(a, "at most %d", FH_MAX_EXTERNALS), "more");
        return NULL;
    }
    struct fh_symbol *s = define_global(a, name, FH_D_TWO_NAMES);
    char *copy = s ? fh_copy_text(a, name->text, name->length) : NULL;
    if (!copy || !fh_asm_grow(a, &p->externals, &a->external_capacity, p->external_count + 1,
                              sizeof *p->externals)) {
        free(copy);
        return NULL;
    }
    s->kind = FH_S_EXTERNAL;
    s->value = p->external_count;
    p->externals[p->external_count++] = copy;
    return s;
}

/* A function that the file calls and does not hold, such as vprintf. */
void fh_act_extern(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    if (fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds) && fh_may_define(a, name))
        (void)add_external(a, name);
}

/* ---------------------------------------------------------------- sections */

uint64_t fh_section_here(const struct fh_section *section) {
    return section->zeros ? section->size : section->data.count;
}

static bool begins(const char *text, size_t length, const char *prefix) {
    size_t n = strlen(prefix);
    return length >= n && memcmp(text, prefix, n) == 0;
}

/* The number of the bank in ".nv.constantN" or, of the open kernel K, ".nv.constantN.K"; 0 if it
 * is not that. */
static uint8_t bank_of_name(const struct fh_asm *a, const char *text, size_t length) {
    static const char prefix[] = ".nv.constant";
    const struct fh_draft *d = &a->draft;
    unsigned bank = 0;
    size_t i = sizeof prefix - 1;
    if (!begins(text, length, prefix))
        return 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && bank < FH_BANK_COUNT; i++)
        bank = bank * 10 + (unsigned)(text[i] - '0');
    bool own = d->open && length - i == d->name_length + 1 && text[i] == '.' &&
               memcmp(text + i + 1, d->name, d->name_length) == 0;
    return (i == length || own) && bank < FH_BANK_COUNT ? (uint8_t)bank : 0;
}

static struct fh_section *add_section(struct fh_asm *a, const char *name, size_t length) {
    struct fh_section *s = fh_asm_alloc(a, sizeof *s);
    if (!s || !fh_asm_grow(a, &a->sections, &a->section_capacity, a->section_count + 1,
                           sizeof(struct fh_section *)))
        return NULL;
    *s = (struct fh_section){.name = name,
                             .name_length = length,
                             .bank = bank_of_name(a, name, length),
                             .zeros = length == strlen(".nv.global"),
                             .alignment = 1};
    s->zeros &= s->bank == 0;
    return a->sections[a->section_count++] = s;
}

/* A section of the open kernel, or, going on where it was left, of the program. */
void fh_act_section(struct fh_asm *a) {
    const char *text = a->st.raw.text;
    size_t length = 0;
    while (length < a->st.raw.length && !strchr(", \t\r", text[length]))
        length++;
    if (!fh_usage(a, length > 0))
        return;
    if (a->draft.open && a->draft.in_listing) /* nvdisasm does not end its sections */
        fh_act_end(a);
    uint8_t bank = bank_of_name(a, text, length);
    a->data_name = NULL;
    a->section = NULL;
    a->data = NULL;
    a->data_bank = 0;
    if (a->draft.open) {
        if (bank && !a->draft.function) {
            a->data = &a->draft.banks[bank];
            a->data_bank = bank;
            return;
        }
        fh_report(a, FH_D_BAD_SECTION, a->st.raw.at, fh_text_of(a, text, length),
                  "inside a kernel there are .nv.constant1 to .nv.constant31", NULL);
        return;
    }
    if (!bank && !begins(text, length, ".nv.global.") &&
        !(length == strlen(".nv.global") && begins(text, length, ".nv.global"))) {
        fh_report(a, FH_D_BAD_SECTION, a->st.raw.at, fh_text_of(a, text, length),
                  ".nv.global, .nv.global.init and .nv.constant1 to .nv.constant31 are known",
                  NULL);
        return;
    }
    for (size_t i = 0; i < a->section_count && !a->section; i++)
        if (a->sections[i]->name_length == length &&
            memcmp(a->sections[i]->name, text, length) == 0)
            a->section = a->sections[i];
    if (!a->section)
        a->section = add_section(a, text, length);
    if (a->section)
        a->data = &a->section->data;
}

void fh_section_zeros(struct fh_asm *a, uint64_t count) {
    struct fh_section *s = a->section;
    if (count > FH_MAX_SEGMENT - s->size) {
        fh_report(a, FH_D_TOO_MUCH, (struct fh_span){a->st.head.at.begin, a->st.end}, "memory",
                  fh_text(a, "%llu", (unsigned long long)(s->size + count)),
                  fh_text(a, "%d", FH_MAX_SEGMENT));
        return;
    }
    s->size += count;
}

/* ---------------------------------------------------------------- variables */

/* A variable without .size goes up to the next one. */
static void end_variable(struct fh_section *section) {
    struct fh_symbol *s = section->last;
    if (s)
        s->count = (uint32_t)(fh_section_here(section) - (uint64_t)s->value);
    section->last = NULL;
}

bool fh_section_label(struct fh_asm *a, const struct fh_value *label) {
    struct fh_section *section = a->section;
    if (!section)
        return false;
    if (label->length == section->name_length &&
        memcmp(label->text, section->name, label->length) == 0)
        return true; /* nvdisasm repeats the section's name, */
    if (begins(label->text, label->length, ".L_"))
        return true; /* and marks ends for .size */
    struct fh_symbol *s = fh_table_find(&a->globals, label->text, label->length);
    if (!fh_may_define(a, label))
        return true;
    if (!s || s->kind != FH_S_VARIABLE || s->defined)
        s = define_global(a, label, FH_D_TWO_NAMES);
    end_variable(section);
    if (!s || !fh_asm_grow(a, &a->variables, &a->variable_capacity, a->variable_count + 1,
                           sizeof(struct fh_symbol *)))
        return true;
    if (s->kind != FH_S_VARIABLE) /* no .size before it */
        section->last = s;
    s->kind = FH_S_VARIABLE;
    s->defined = true;
    s->value = (int64_t)fh_section_here(section);
    s->more = section;
    s->at = label->at;
    a->variables[a->variable_count++] = s;
    return true;
}

static struct fh_entry *find_entry(struct fh_draft *d, const struct fh_value *name) {
    for (size_t i = 0; i < d->entry_count; i++)
        if (strlen(d->entries[i].name) == name->length &&
            memcmp(d->entries[i].name, name->text, name->length) == 0)
            return &d->entries[i];
    return NULL;
}

/* The name is none of a function within the open code. */
static void no_entry(struct fh_asm *a, const struct fh_value *name) {
    const char *text = fh_text_of(a, name->text, name->length);
    fh_note(a, fh_text(a, "a function within the code needs `.type %s, @function` before", text));
    fh_report(a, FH_D_NO_NAME, name->at, text, NULL, NULL);
}

/* .size of a variable, before or behind its label, or of a function within the open code. */
void fh_act_size(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    uint32_t size;
    if (!fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds) ||
        !fh_size(a, &name[1], "the size", 0, FH_MAX_SEGMENT, false, &size))
        return;
    if (a->draft.open) {
        struct fh_entry *entry = find_entry(&a->draft, name);
        if (entry)
            entry->word_count = size / FH_INST_BYTES;
        else
            no_entry(a, name);
        return;
    }
    struct fh_symbol *s = fh_table_find(&a->globals, name->text, name->length);
    if (!s && (s = define_global(a, name, FH_D_TWO_NAMES)))
        s->kind = FH_S_VARIABLE;
    if (!s)
        return;
    if (s->kind != FH_S_VARIABLE) {
        fh_report(a, FH_D_TWO_NAMES, name->at, fh_text_of(a, name->text, name->length), NULL, NULL);
        return;
    }
    struct fh_section *section = s->more;
    if (section && section->last == s)
        section->last = NULL;
    s->count = size;
}

/* The stack of a function within the open code. */
void fh_act_frame(struct fh_asm *a) {
    const struct fh_value *name = a->st.args;
    uint32_t size;
    if (!fh_usage(a, name->kind == FH_V_DEFINES && !name->bounds) ||
        !fh_size(a, &name[1], "the size", 0, FH_MAX_LOCAL, false, &size))
        return;
    struct fh_entry *entry = find_entry(&a->draft, name);
    if (entry)
        entry->local_bytes = size;
    else
        no_entry(a, name);
}

/* .type NAME, @function: a function within the open code, whose label follows. What is data needs
 * no type. */
void fh_act_type(struct fh_asm *a) {
    static const char function[] = "@function";
    const char *text = a->st.raw.text;
    struct fh_value name = {.kind = FH_V_DEFINES, .text = text, .at = a->st.raw.at};
    size_t kind = sizeof function - 1, total = a->st.raw.length;
    while (name.length < total && !strchr(", \t", text[name.length]))
        name.length++;
    name.at.end = name.at.begin + name.length;
    bool is_function = total > kind && memcmp(text + total - kind, function, kind) == 0;
    struct fh_draft *d = &a->draft;
    if (!fh_usage(a, name.length > 0 && total > name.length) || !is_function)
        return;
    if (!d->open) {
        fh_report(a, FH_D_ONLY_INSIDE, a->st.head.at, ".type NAME, @function", NULL, NULL);
        return;
    }
    if (find_entry(d, &name)) {
        fh_report(a, FH_D_TWO_NAMES, name.at, fh_text_of(a, name.text, name.length), NULL, NULL);
        return;
    }
    char *copy = fh_copy_text(a, name.text, name.length);
    if (!copy ||
        !fh_asm_grow(a, &d->entries, &d->entry_capacity, d->entry_count + 1, sizeof *d->entries)) {
        free(copy);
        return;
    }
    d->entries[d->entry_count++] = (struct fh_entry){.name = copy};
}

/* ---------------------------------------------------------------- addresses */

void fh_refer(struct fh_asm *a, const struct fh_reference *reference) {
    if (fh_asm_grow(a, &a->references, &a->reference_capacity, a->reference_count + 1,
                    sizeof *a->references))
        a->references[a->reference_count++] = *reference;
}

void fh_add_relocation(struct fh_asm *a, const struct fh_relocation *relocation) {
    struct fhec_program *p = a->program;
    if (fh_asm_grow(a, &p->relocations, &a->relocation_capacity, p->relocation_count + 1,
                    sizeof *p->relocations))
        p->relocations[p->relocation_count++] = *relocation;
}

static void unknown_global(struct fh_asm *a, const struct fh_reference *r) {
    struct fh_nearest n = r->name;
    fh_try_global_names(a, &n);
    fh_nearest_note(a, &n, "name", "");
    fh_report(a, FH_D_NO_NAME, r->at, fh_text_of(a, n.wanted, n.length), NULL, NULL);
}

static void resolve(struct fh_asm *a, const struct fh_reference *r) {
    const struct fh_symbol *s = fh_table_find(&a->globals, r->name.wanted, r->name.length);
    struct fh_relocation relocation = r->relocation;
    if (!s && r->listed) {
        const struct fh_value name = {
            .text = r->name.wanted, .length = (uint32_t)r->name.length, .at = r->at};
        fh_report(a, FH_D_EXTERNAL, r->at, fh_text_of(a, name.text, name.length), NULL, NULL);
        s = add_external(a, &name);
        if (!s)
            return;
    }
    if (!s || (s->kind == FH_S_VARIABLE && !s->defined)) {
        unknown_global(a, r);
        return;
    }
    if (r->section) {
        relocation.holder = r->section->bank ? FH_IN_BANK : FH_IN_SEGMENT;
        relocation.index = r->section->index;
    }
    if (s->kind == FH_S_CODE) {
        relocation.of = s->function ? FH_OF_FUNCTION : FH_OF_KERNEL;
        relocation.target = (uint32_t)s->value;
    } else if (s->kind == FH_S_EXTERNAL) {
        relocation.of = FH_OF_EXTERNAL;
        relocation.target = (uint32_t)s->value;
    } else {
        const struct fh_section *to = s->more;
        relocation.of = to->bank ? FH_OF_BANK : FH_OF_SEGMENT;
        relocation.target = to->index;
        relocation.addend += (uint64_t)s->value;
        const char *why = relocation.field == FH_FIELD_CALL ? "it is no code"
                          : relocation.holder == FH_IN_KERNEL_BANK
                              ? "a kernel's own constants are the "
                                "same in all machines"
                              : NULL;
        if (why) {
            fh_report(a, FH_D_NO_ADDRESS, r->at, fh_text_of(a, r->name.wanted, r->name.length), why,
                      NULL);
            return;
        }
    }
    fh_add_relocation(a, &relocation);
}

/* ---------------------------------------------------------------- the end */

static bool add_shared_bank(struct fh_asm *a, struct fh_section *s) {
    struct fhec_program *p = a->program;
    if (!fh_grow_by_one(&p->banks, p->bank_count, sizeof *p->banks))
        return false;
    s->index = p->bank_count;
    p->banks[p->bank_count++] = (struct fh_constant_bank){
        .bank = s->bank, .bytes = s->data.data, .size = (uint32_t)s->data.count};
    s->data.data = NULL; /* the program's now */
    return true;
}

static bool add_segment(struct fh_asm *a, struct fh_section *s) {
    struct fhec_program *p = a->program;
    char *name = fh_copy_text(a, s->name, s->name_length);
    if (!name || !fh_grow_by_one(&p->segments, p->segment_count, sizeof *p->segments)) {
        free(name);
        return false;
    }
    s->index = p->segment_count;
    p->segments[p->segment_count++] = (struct fh_data_segment){
        .name = name, .bytes = s->data.data, .size = fh_section_here(s), .alignment = s->alignment};
    s->data.data = NULL;
    return true;
}

static bool add_variable(struct fh_asm *a, const struct fh_symbol *s) {
    struct fhec_program *p = a->program;
    const struct fh_section *section = s->more;
    uint64_t size = section->zeros  ? section->size
                    : section->bank ? p->banks[section->index].size
                                    : p->segments[section->index].size;
    uint64_t offset = (uint64_t)s->value;
    if (s->count > size - offset) {
        fh_report(
            a, FH_D_BAD_SIZE, s->at, "the variable's size",
            fh_text(a, "at most %llu, which is what is there", (unsigned long long)(size - offset)),
            fh_text(a, "%u", s->count));
        return true;
    }
    char *name = fh_copy_text(a, s->name, s->length);
    if (!name)
        return false;
    p->variables[p->variable_count++] = (struct fh_variable){.name = name,
                                                             .constant = section->bank != 0,
                                                             .index = section->index,
                                                             .offset = offset,
                                                             .size = s->count};
    return true;
}

void fh_sections_finish(struct fh_asm *a) {
    struct fhec_program *p = a->program;
    bool good = !a->no_memory;
    for (size_t i = 0; i < a->section_count && good; i++) {
        struct fh_section *s = a->sections[i];
        end_variable(s);
        if (s->bank == FH_BANK_DATA && a->bank.count)
            fh_report(a, FH_D_BAD_SECTION, (struct fh_span){1, 2},
                      fh_text_of(a, s->name, s->name_length),
                      "`.constant` outside of kernels has made that bank", NULL);
        if (s->bank && s->data.count == 0) /* a bank without bytes is none */
            fh_report(a, FH_D_BAD_SECTION, (struct fh_span){1, 2},
                      fh_text_of(a, s->name, s->name_length), "it is empty", NULL);
        else
            good = s->bank ? add_shared_bank(a, s) : add_segment(a, s);
    }
    if (good && a->variable_count)
        good = (p->variables = calloc(a->variable_count, sizeof *p->variables)) != NULL;
    for (size_t i = 0; i < a->variable_count && good && !a->errors; i++)
        good = add_variable(a, a->variables[i]);
    for (size_t i = 0; i < a->reference_count && good && !a->stop; i++)
        resolve(a, &a->references[i]);
    a->no_memory |= !good;
}

void fh_sections_free(struct fh_asm *a) {
    for (size_t i = 0; i < a->section_count; i++)
        fh_bytes_free(&a->sections[i]->data);
    free(a->sections);
    free(a->variables);
    free(a->references);
    free(a->globals.slots);
}
