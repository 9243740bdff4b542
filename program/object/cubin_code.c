/*
 * cubin_code.c - the code of an object: .text.K of kernels, .text.F of functions that they call.
 */
#include "cubin_reader.h"

#include <stdlib.h>
#include <string.h>

/* Whether the section's code is a function's, and no kernel's: it has a symbol of its own that is
 * no entry. */
static bool is_function(const struct fh_cubin_reader *r, uint32_t section) {
    bool function = false;
    struct fh_elf_symbol symbol;
    for (uint64_t i = 1; fh_cubin_symbol(r, i, &symbol); i++) {
        if (symbol.section != section || symbol.type != FH_STT_FUNC || symbol.value != 0)
            continue;
        if (symbol.other & FH_STO_ENTRY)
            return false;
        function = true;
    }
    return function;
}

static bool check_code(struct fh_cubin_reader *r, const struct fh_elf_section *s, const char *name,
                       bool function) {
    const fhec_program *p = r->program;
    if (!fh_cubin_good_name(name) || (!function && fh_cubin_kernel(r, name, strlen(name))))
        fh_cubin_report(r, FH_OBJECT_CODE, "a kernel has no name of its own");
    else if (s->size == 0 || s->size % FH_INST_BYTES != 0 ||
             s->size / FH_INST_BYTES > UINT32_MAX / FH_INST_BYTES)
        fh_cubin_report(r, FH_OBJECT_CODE, "%s has %llu bytes, which is no number of instructions",
                        s->name, (unsigned long long)s->size);
    else if (p->kernel_count + p->function_count >= FH_MAX_KERNELS)
        fh_cubin_report(r, FH_OBJECT_LIMIT, "more than %d kernels", FH_MAX_KERNELS);
    return !r->bad && fh_cubin_has_bytes(r, s) && fh_cubin_count(r, s);
}

static fhec_word *copy_code(struct fh_cubin_reader *r, const struct fh_elf_section *s) {
    uint32_t count = (uint32_t)(s->size / FH_INST_BYTES);
    fhec_word *words = fh_cubin_allocate(r, count, sizeof *words);
    struct fh_cursor c = {s->bytes, (size_t)s->size, false};
    for (uint32_t w = 0; words && w < count; w++) {
        words[w].lo = fh_take_u64(&c);
        words[w].hi = fh_take_u64(&c);
    }
    return words;
}

void fh_cubin_take_code(struct fh_cubin_reader *r, uint32_t section) {
    static const char prefix[] = ".text.";
    const struct fh_elf_section *s = &r->elf.sections[section];
    const char *name = s->name + sizeof prefix - 1;
    fhec_program *p = r->program;
    if (strncmp(s->name, prefix, sizeof prefix - 1) != 0 || s->type != FH_SHT_PROGBITS)
        return;
    bool function = is_function(r, section);
    if (!check_code(r, s, name, function))
        return;
    char *own = fh_cubin_text(r, name, strlen(name));
    fhec_word *words = copy_code(r, s);
    if (!own || !words ||
        !(function ? fh_cubin_grow(r, &p->functions, p->function_count, sizeof *p->functions)
                   : fh_cubin_grow(r, &p->kernels, p->kernel_count, sizeof *p->kernels))) {
        free(own);
        free(words);
        return;
    }
    struct fh_section_use *use = &r->use[section];
    uint32_t count = (uint32_t)(s->size / FH_INST_BYTES), registers = s->info >> 24;
    if (function) {
        *use = (struct fh_section_use){.kind = FH_IS_FUNCTION, .index = p->function_count};
        p->functions[p->function_count++] = (struct fh_function){
            .name = own, .words = words, .word_count = count, .registers = registers};
        return;
    }
    *use = (struct fh_section_use){.kind = FH_IS_KERNEL, .index = p->kernel_count};
    p->kernels[p->kernel_count++] =
        (struct fh_kernel){.name = own,
                           .words = words,
                           .word_count = count,
                           .registers = registers,
                           .barriers = (uint32_t)(s->flags >> FH_BARRIER_SHIFT) & FH_BARRIER_MASK};
}
