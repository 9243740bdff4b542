/*
 * address_text.c - addresses that code and data hold, as text: by the names of kernels, functions,
 * variables and labels.
 */
#include "text_writer.h"

#include <stdlib.h>
#include <string.h>

static int compare_u64(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

static int compare_holders(const struct fh_relocation *a, const struct fh_relocation *b) {
    int order = compare_u64(a->holder, b->holder);
    order = order ? order : compare_u64(a->index, b->index);
    return order ? order : compare_u64(a->bank, b->bank);
}

static int by_holder(const void *a, const void *b) {
    const struct fh_relocation *x = *(const struct fh_relocation *const *)a,
                               *y = *(const struct fh_relocation *const *)b;
    int order = compare_holders(x, y);
    order = order ? order : compare_u64(x->offset, y->offset);
    return order ? order : compare_u64((uintptr_t)x, (uintptr_t)y); /* as they came */
}

static int by_offset(const void *a, const void *b) {
    const struct fh_variable *x = *(const struct fh_variable *const *)a,
                             *y = *(const struct fh_variable *const *)b;
    int order = compare_u64(x->constant, y->constant);
    order = order ? order : compare_u64(x->index, y->index);
    order = order ? order : compare_u64(x->offset, y->offset);
    return order ? order : compare_u64((uintptr_t)x, (uintptr_t)y);
}

bool fh_text_index(struct fh_text_writer *w) {
    const fhec_program *p = w->program;
    w->relocations = calloc(p->relocation_count + 1u, sizeof *w->relocations);
    w->variables = calloc(p->variable_count + 1u, sizeof *w->variables);
    if (!w->relocations || !w->variables)
        return false;
    for (uint32_t i = 0; i < p->relocation_count; i++)
        w->relocations[i] = &p->relocations[i];
    for (uint32_t i = 0; i < p->variable_count; i++)
        w->variables[i] = &p->variables[i];
    if (p->relocation_count)
        qsort(w->relocations, p->relocation_count, sizeof *w->relocations, by_holder);
    if (p->variable_count)
        qsort(w->variables, p->variable_count, sizeof *w->variables, by_offset);
    return true;
}

struct fh_relocation_list fh_relocations_of(const struct fh_text_writer *w, enum fh_holder holder,
                                            uint32_t index, uint8_t bank) {
    const struct fh_relocation key = {.holder = (uint8_t)holder, .index = index, .bank = bank};
    uint32_t low = 0, high = w->program->relocation_count, end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_holders(w->relocations[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < w->program->relocation_count; end++)
        if (compare_holders(w->relocations[end], &key) != 0)
            break;
    return (struct fh_relocation_list){w->relocations + low, end - low};
}

/* The variable that an address of data is counted from: the one that it lies in, else one of the
 * same memory. NULL: there is none. */
static const struct fh_variable *variable_at(const struct fh_text_writer *w,
                                             const struct fh_relocation *relocation) {
    const struct fh_variable *any = NULL;
    for (uint32_t i = 0; i < w->program->variable_count; i++) {
        const struct fh_variable *v = w->variables[i];
        if (v->constant != (relocation->of == FH_OF_BANK) || v->index != relocation->target)
            continue;
        if (relocation->addend >= v->offset && relocation->addend - v->offset < v->size)
            return v;
        if (!any || v->offset <= relocation->addend)
            any = v;
    }
    return any;
}

/* What the address is counted from; *base is where that lies. */
static const char *symbol_of(struct fh_text_writer *w, const struct fh_relocation *relocation,
                             uint64_t *base) {
    const fhec_program *p = w->program;
    *base = 0;
    if (relocation->of == FH_OF_KERNEL) {
        (void)fh_write_check_name(w, p->kernels[relocation->target].name);
        return p->kernels[relocation->target].name;
    }
    if (relocation->of == FH_OF_FUNCTION)
        return p->functions[relocation->target].name;
    if (relocation->of == FH_OF_EXTERNAL)
        return p->externals[relocation->target];
    const struct fh_variable *v = variable_at(w, relocation);
    if (!v) {
        fh_write_problem(w, "an address is that of data without a name");
        return "?";
    }
    *base = v->offset;
    return v->name;
}

struct fh_text_code fh_text_of_kernel(const fhec_program *p, uint32_t index) {
    const struct fh_kernel *k = &p->kernels[index];
    return (struct fh_text_code){.name = k->name,
                                 .words = k->words,
                                 .origins = k->origins,
                                 .word_count = k->word_count,
                                 .entries = k->entries,
                                 .entry_count = k->entry_count,
                                 .index = index};
}

struct fh_text_code fh_text_of_function(const fhec_program *p, uint32_t index) {
    const struct fh_function *f = &p->functions[index];
    return (struct fh_text_code){.name = f->name,
                                 .words = f->words,
                                 .origins = f->origins,
                                 .word_count = f->word_count,
                                 .entries = f->entries,
                                 .entry_count = f->entry_count,
                                 .function = true,
                                 .index = index};
}

/* The code that the relocation belongs to: where it is, or whose constants it is in. */
static struct fh_text_code code_with(const fhec_program *p,
                                     const struct fh_relocation *relocation) {
    return relocation->holder == FH_IN_FUNCTION ? fh_text_of_function(p, relocation->index)
                                                : fh_text_of_kernel(p, relocation->index);
}

bool fh_relocation_label(const fhec_program *p, const struct fh_relocation *relocation,
                         uint32_t *word) {
    bool function = relocation->holder == FH_IN_FUNCTION;
    if (!function && relocation->holder != FH_IN_KERNEL && relocation->holder != FH_IN_KERNEL_BANK)
        return false;
    const struct fh_text_code own = code_with(p, relocation);
    *word = (uint32_t)(relocation->addend / FH_INST_BYTES);
    return relocation->of == (function ? FH_OF_FUNCTION : FH_OF_KERNEL) &&
           relocation->target == relocation->index && relocation->addend != 0 &&
           relocation->addend % FH_INST_BYTES == 0 &&
           relocation->addend / FH_INST_BYTES <= own.word_count;
}

void fh_print_label(struct fh_bytes *to, const struct fh_text_code *code, uint32_t word) {
    for (uint32_t i = 0; i < code->entry_count; i++) {
        if (code->entries[i].word == word) {
            fh_print_to(to, "%s", code->entries[i].name);
            return;
        }
    }
    fh_print_to(to, ".L_%u", word);
}

static void write_symbol(struct fh_text_writer *w, struct fh_bytes *to,
                         const struct fh_relocation *relocation) {
    uint64_t base;
    const char *name = symbol_of(w, relocation, &base);
    uint64_t offset = relocation->addend - base;
    fh_print_to(to, relocation->generic ? "generic(%s" : "%s", name);
    if (offset > INT64_MAX)
        fh_print_to(to, "-0x%llx", (unsigned long long)(0 - offset));
    else if (offset)
        fh_print_to(to, "+0x%llx", (unsigned long long)offset);
    fh_print_to(to, relocation->generic ? ")" : "");
}

void fh_write_address(struct fh_text_writer *w, struct fh_bytes *to,
                      const struct fh_relocation *relocation) {
    uint32_t word;
    bool code = relocation->holder == FH_IN_KERNEL || relocation->holder == FH_IN_FUNCTION;
    bool low = relocation->field == FH_FIELD_LOW && code && !relocation->relative;
    bool high = relocation->field == FH_FIELD_HIGH;
    bool call = relocation->field == FH_FIELD_CALL && relocation->addend == 0;
    fh_print_to(to, low ? "32@lo((" : high ? "32@hi((" : call ? "`(" : "");
    if (!fh_relocation_label(w->program, relocation, &word)) {
        write_symbol(w, to, relocation);
    } else if (!relocation->relative && !call) {
        const struct fh_text_code own = code_with(w->program, relocation);
        (void)fh_write_check_name(w, own.name);
        fh_print_to(to, "%s + ", own.name);
        fh_print_label(to, &own, word);
        fh_print_to(to, "@srel");
    } else {
        const struct fh_text_code own = code_with(w->program, relocation);
        fh_print_label(to, &own, word);
    }
    fh_print_to(to, low || high ? "))" : call ? ")" : "");
}
