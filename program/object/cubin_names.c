/*
 * cubin_names.c - what has a name in an object: variables, and functions within code, by the
 * symbols. The linker of CUDA leaves functions and variables that are local to their sources with
 * the names that they had there; here each gets one of its own.
 */
#include "cubin_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- symbols */

/* Bytes of the bank or segment that a section became. */
static uint64_t data_size(const struct fh_cubin_reader *r, const struct fh_section_use *use) {
    const fhec_program *p = r->program;
    return use->kind == FH_IS_BANK ? p->banks[use->index].size : p->segments[use->index].size;
}

static void take_variable(struct fh_cubin_reader *r, const struct fh_section_use *use,
                          const struct fh_elf_symbol *symbol) {
    fhec_program *p = r->program;
    uint64_t size = data_size(r, use);
    if (symbol->value > size || symbol->size > size - symbol->value) {
        fh_cubin_report(r, FH_OBJECT_SECTION, "the variable %s is not in its section",
                        symbol->name);
        return;
    }
    if (!fh_cubin_grow(r, &p->variables, p->variable_count, sizeof *p->variables))
        return;
    struct fh_variable *v = &p->variables[p->variable_count];
    *v = (struct fh_variable){.constant = use->kind == FH_IS_BANK,
                              .index = use->index,
                              .offset = symbol->value,
                              .size = symbol->size,
                              .name = fh_cubin_text(r, symbol->name, strlen(symbol->name))};
    p->variable_count += v->name != NULL;
}

/* A function within a kernel's code or another function's. One that makes no sense is left out:
 * nothing but its name depends on it. Entries are few, and kept in order. */
static void take_entry(struct fh_cubin_reader *r, const struct fh_section_use *use,
                       const struct fh_elf_symbol *symbol) {
    fhec_program *p = r->program;
    bool kernel = use->kind == FH_IS_KERNEL;
    struct fh_entry **list =
        kernel ? &p->kernels[use->index].entries : &p->functions[use->index].entries;
    uint32_t *count =
        kernel ? &p->kernels[use->index].entry_count : &p->functions[use->index].entry_count;
    uint32_t words =
        kernel ? p->kernels[use->index].word_count : p->functions[use->index].word_count;
    uint64_t first = symbol->value / FH_INST_BYTES, length = symbol->size / FH_INST_BYTES;
    if (symbol->value == 0 || symbol->value % FH_INST_BYTES || first >= words ||
        length > words - first || *count >= FH_MAX_KERNELS)
        return;
    if (!fh_cubin_grow(r, list, *count, sizeof **list))
        return;
    struct fh_entry entry = {.name = fh_cubin_text(r, symbol->name, strlen(symbol->name)),
                             .word = (uint32_t)first,
                             .word_count = (uint32_t)length};
    if (!entry.name)
        return;
    uint32_t at = (*count)++;
    for (; at > 0 && (*list)[at - 1].word > entry.word; at--)
        (*list)[at] = (*list)[at - 1];
    (*list)[at] = entry;
}

void fh_cubin_take_names(struct fh_cubin_reader *r) {
    struct fh_elf_symbol symbol;
    for (uint64_t i = 1; !fh_cubin_ended(r) && fh_cubin_symbol(r, i, &symbol); i++) {
        const struct fh_section_use *use = fh_cubin_symbol_use(r, &symbol);
        if (!use || !fh_cubin_good_name(symbol.name))
            continue;
        bool code = use->kind == FH_IS_KERNEL || use->kind == FH_IS_FUNCTION;
        bool data = (use->kind == FH_IS_BANK && !use->own) || use->kind == FH_IS_SEGMENT;
        if ((symbol.type == FH_STT_OBJECT || symbol.type == FH_STT_NV_OBJECT) && data)
            take_variable(r, use, &symbol);
        else if (symbol.type == FH_STT_FUNC && code)
            take_entry(r, use, &symbol);
    }
}

/* ---------------------------------------------------------------- names of their own */

/* A name that may have to change, and what it was in the object. */
struct named {
    char **name;
    char *was;
    uint32_t order; /* of equal ones the first keeps the name */
};

/* Names as they were, in the order of their bytes. */
struct names {
    struct named *list;
    size_t count;
};

static int by_name(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    int order = strcmp(x->was, y->was);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static void add_name(struct names *names, char **name) {
    names->list[names->count] =
        (struct named){.name = name, .was = *name, .order = (uint32_t)names->count};
    names->count++;
}

static void sort_names(struct names *names) {
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, by_name);
}

static bool has_name(const struct names *names, const char *name) {
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(names->list[middle].was, name);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* NAME.1, NAME.2, ...: the first one behind *number that is in neither list. */
static char *free_name(struct fh_cubin_reader *r, const char *name, uint32_t *number,
                       const struct names *a, const struct names *b) {
    size_t size = strlen(name) + sizeof ".4294967295";
    char *text = fh_cubin_allocate(r, size, 1);
    do {
        if (text)
            (void)snprintf(text, size, "%s.%u", name, ++*number);
    } while (text && (has_name(a, text) || has_name(b, text)));
    return text;
}

/* Changes all but the first of equal names, and those that `others` has, too. */
static void make_unique(struct fh_cubin_reader *r, struct names *names,
                        const struct names *others) {
    uint32_t number = 0;
    sort_names(names);
    for (size_t i = 0; i < names->count && !r->no_memory; i++) {
        struct named *n = &names->list[i];
        bool again = i > 0 && strcmp(n->was, n[-1].was) == 0;
        number = again ? number : 0;
        if (!again && !has_name(others, n->was))
            continue;
        char *text = free_name(r, n->was, &number, names, others);
        if (text)
            *n->name = text;
    }
    for (size_t i = 0; i < names->count; i++) { /* what they were is compared up to here */
        struct named *n = &names->list[i];
        if (*n->name != n->was)
            free(n->was);
        n->was = *n->name;
    }
}

static void make_entries_unique(struct fh_cubin_reader *r, struct fh_entry *entries, uint32_t count,
                                const struct names *others) {
    struct names own = {0};
    if (count == 0 || r->no_memory)
        return;
    own.list = fh_cubin_allocate(r, count, sizeof *own.list);
    for (uint32_t i = 0; own.list && i < count; i++)
        add_name(&own, &entries[i].name);
    make_unique(r, &own, others);
    free(own.list);
}

void fh_cubin_make_names_unique(struct fh_cubin_reader *r) {
    fhec_program *p = r->program;
    const struct names none = {0};
    struct names all = {0};
    size_t count =
        (size_t)p->kernel_count + p->external_count + p->function_count + p->variable_count;
    all.list = fh_cubin_allocate(r, count, sizeof *all.list);
    if (!all.list)
        return;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_name(&all, &p->kernels[i].name);
    for (uint32_t i = 0; i < p->external_count; i++)
        add_name(&all, &p->externals[i]);
    for (uint32_t i = 0; i < p->function_count; i++)
        add_name(&all, &p->functions[i].name);
    for (uint32_t i = 0; i < p->variable_count; i++)
        add_name(&all, &p->variables[i].name);
    make_unique(r, &all, &none);
    sort_names(&all);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        make_entries_unique(r, p->kernels[i].entries, p->kernels[i].entry_count, &all);
    for (uint32_t i = 0; i < p->function_count; i++)
        make_entries_unique(r, p->functions[i].entries, p->functions[i].entry_count, &all);
    free(all.list);
}
