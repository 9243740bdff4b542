/*
 * cubin_relocations.c - the relocations of an object: which fields of code and data hold whose
 * address. Those of code are filled in when all is read, since the code space is the
 * same everywhere (program.h), those of variables by each machine that has given them memory.
 */
#include "cubin_reader.h"

#include <stdlib.h>
#include <string.h>

/* One relocation, and the section that it changes. */
struct change {
    struct fh_elf_relocation entry;
    const struct fh_section_use *use;
    const char *section; /* name, for messages */
};

/* Where a field lies in the words of code or the bytes of data. */
struct field {
    uint64_t at;    /* byte in the section */
    unsigned bytes; /* 8, or 4 of the value's halves, or 0: the target of an absolute call */
    bool high;
};

/* The bytes of a section of data; NULL for segments of zeros. */
static uint8_t *data_bytes(const struct fh_cubin_reader *r, const struct fh_section_use *use,
                           uint64_t *size) {
    const fhec_program *p = r->program;
    if (use->kind == FH_IS_SEGMENT) {
        *size = p->segments[use->index].size;
        return p->segments[use->index].bytes;
    }
    const struct fh_constant_bank *list = p->banks;
    uint32_t i = use->index, count = p->bank_count;
    if (use->own) {
        const struct fh_kernel *k = &p->kernels[use->index];
        list = k->banks;
        count = k->bank_count;
        for (i = 0; i < count && list[i].bank != use->bank; i++)
            ;
    }
    *size = i < count ? list[i].size : 0;
    return i < count ? list[i].bytes : NULL;
}

static fhec_word *code_words(const struct fh_cubin_reader *r, const struct fh_section_use *use,
                             uint64_t *size) {
    const fhec_program *p = r->program;
    bool kernel = use->kind == FH_IS_KERNEL;
    *size = (uint64_t)FH_INST_BYTES *
            (kernel ? p->kernels[use->index].word_count : p->functions[use->index].word_count);
    return kernel ? p->kernels[use->index].words : p->functions[use->index].words;
}

/* The field that a type of relocation means; false if fhec does not know the type there. */
static bool find_field(const struct change *c, bool code, struct field *f) {
    *f = (struct field){.at = c->entry.offset + (code ? 4 : 0), .bytes = 4};
    switch (c->entry.type) {
    case FH_R_ABS32_32:
    case FH_R_ABS32_LO_32:
    case FH_R_FUNC_DESC32_32:
    case FH_R_FUNC_DESC32_LO_32: return code;
    case FH_R_ABS32_HI_32:
    case FH_R_FUNC_DESC32_HI_32: f->high = true; return code;
    case FH_R_ABS47_34: f->bytes = 0; return code;
    case FH_R_32:
    case FH_R_G32:
    case FH_R_32_LO: return !code;
    case FH_R_32_HI: f->high = true; return !code;
    case FH_R_64:
    case FH_R_G64:
    case FH_R_FUNC_DESC_64: f->bytes = 8; return !code;
    default: return false;
    }
}

/* What stands in the field: the addend of a relocation that has none of its own. */
static uint64_t get_field(const uint8_t *at, const struct field *f) {
    uint64_t value = 0;
    if (f->bytes == 0) { /* bits 80:34 of an instruction that begins 4 bytes before */
        uint64_t lo, hi;
        memcpy(&lo, at - 4, 8);
        memcpy(&hi, at + 4, 8);
        return (lo >> 34 | (hi & 0x1ffff) << 30) << 2;
    }
    memcpy(&value, at, f->bytes);
    return f->high ? value << 32 : value;
}

/* What the driver gives every program, linked or not. */
static bool is_runtime(const char *name) {
    static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Its index among those that are known; their number if it is none of them. */
static uint32_t find_external(const fhec_program *p, const char *name) {
    uint32_t i = 0;
    while (i < p->external_count && strcmp(p->externals[i], name) != 0)
        i++;
    return i;
}

static bool add_external(struct fh_cubin_reader *r, const char *name) {
    fhec_program *p = r->program;
    char *copy = fh_cubin_text(r, name, strlen(name));
    if (!copy || !fh_cubin_grow(r, &p->externals, p->external_count, sizeof *p->externals)) {
        free(copy);
        return false;
    }
    p->externals[p->external_count++] = copy;
    return true;
}

/* The index of a function that is not in the object, by its name; false after a report. */
static bool external(struct fh_cubin_reader *r, const char *name, uint32_t *index) {
    uint32_t i = *index = find_external(r->program, name);
    if (i < r->program->external_count)
        return true;
    if (i == FH_MAX_EXTERNALS || !*name) {
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "%s",
                        *name ? "too many symbols are defined nowhere"
                              : "a symbol that is defined nowhere has no name");
        return false;
    }
    if (r->unlinked && !is_runtime(name)) {
        fh_cubin_report(r, FH_OBJECT_NOT_LINKED, "`%s` is in another one; link them with nvlink",
                        name);
        return false;
    }
    fh_cubin_report(r, FH_OBJECT_UNDEFINED, "%s", name);
    return add_external(r, name);
}

/* Functions that the object declares and nothing in it calls; for text made of it. */
void fh_cubin_take_externals(struct fh_cubin_reader *r) {
    const fhec_program *p = r->program;
    struct fh_elf_symbol symbol;
    for (uint64_t i = 1; !fh_cubin_ended(r) && fh_cubin_symbol(r, i, &symbol); i++)
        if (symbol.section == FH_SHN_UNDEF && symbol.type == FH_STT_FUNC &&
            fh_cubin_good_name(symbol.name) && p->external_count < FH_MAX_EXTERNALS &&
            find_external(p, symbol.name) == p->external_count)
            (void)add_external(r, symbol.name);
}

/* Code and data whose address may be asked for; in `of` as in struct fh_relocation. */
static bool has_address(const struct fh_section_use *to, uint8_t *of) {
    static const uint8_t kinds[] = {[FH_IS_KERNEL] = FH_OF_KERNEL,
                                    [FH_IS_FUNCTION] = FH_OF_FUNCTION,
                                    [FH_IS_BANK] = FH_OF_BANK,
                                    [FH_IS_SEGMENT] = FH_OF_SEGMENT};
    if (!to || to->kind == FH_IS_NOTHING || (to->kind == FH_IS_BANK && to->own))
        return false;
    *of = kinds[to->kind];
    return true;
}

static uint8_t holder_of(const struct fh_section_use *use) {
    switch (use->kind) {
    case FH_IS_KERNEL: return FH_IN_KERNEL;
    case FH_IS_FUNCTION: return FH_IN_FUNCTION;
    case FH_IS_BANK: return use->own ? FH_IN_KERNEL_BANK : FH_IN_BANK;
    default: return FH_IN_SEGMENT;
    }
}

/* Whose address it is; false after a report. */
static bool find_target(struct fh_cubin_reader *r, const struct change *c,
                        const struct fh_elf_symbol *symbol, struct fh_relocation *relocation) {
    if (symbol->section == FH_SHN_UNDEF) { /* code that is called, or nothing works with it */
        relocation->of = FH_OF_EXTERNAL;
        return external(r, symbol->name, &relocation->target);
    }
    const struct fh_section_use *to = fh_cubin_symbol_use(r, symbol);
    if (!has_address(to, &relocation->of)) {
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "%s asks for the address of `%s`, which has none",
                        c->section, symbol->name);
        return false;
    }
    bool data = relocation->of == FH_OF_BANK || relocation->of == FH_OF_SEGMENT;
    if (data && (relocation->field == FH_FIELD_CALL || relocation->holder == FH_IN_KERNEL_BANK)) {
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "the address of a variable in %s", c->section);
        return false;
    }
    relocation->target = to->index;
    relocation->addend = symbol->value;
    return true;
}

/* Adds the relocation to the program. */
static void add_relocation(struct fh_cubin_reader *r, const struct change *c, const struct field *f,
                           const uint8_t *at, const struct fh_elf_symbol *symbol) {
    fhec_program *p = r->program;
    struct fh_relocation relocation = {.holder = holder_of(c->use),
                                       .field = f->bytes == 8   ? FH_FIELD_64
                                                : f->bytes == 0 ? FH_FIELD_CALL
                                                : f->high       ? FH_FIELD_HIGH
                                                                : FH_FIELD_LOW,
                                       .bank = c->use->own ? c->use->bank : 0,
                                       .generic =
                                           c->entry.type == FH_R_G32 || c->entry.type == FH_R_G64,
                                       .index = c->use->index,
                                       .offset = (uint32_t)f->at};
    if (f->at > UINT32_MAX) {
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "%s is about an address too far away", c->section);
        return;
    }
    if (!find_target(r, c, symbol, &relocation))
        return;
    relocation.addend += c->entry.has_addend ? c->entry.addend : get_field(at, f);
    relocation.from = symbol->type == FH_STT_OBJECT || symbol->type == FH_STT_NV_OBJECT
                          ? symbol->value
                          : relocation.addend;
    if (fh_cubin_grow(r, &p->relocations, p->relocation_count, sizeof *p->relocations))
        p->relocations[p->relocation_count++] = relocation;
}

static void take_change(struct fh_cubin_reader *r, const struct change *c) {
    const struct fh_elf_relocation *e = &c->entry;
    bool code = c->use->kind == FH_IS_KERNEL || c->use->kind == FH_IS_FUNCTION;
    struct fh_elf_symbol symbol;
    struct field f;
    uint64_t size;
    uint8_t *bytes = code ? (uint8_t *)code_words(r, c->use, &size) : data_bytes(r, c->use, &size);
    bool known = find_field(c, code, &f);
    uint64_t need = code ? FH_INST_BYTES : f.bytes;
    if (!known && r->unlinked)
        fh_cubin_report(r, FH_OBJECT_NOT_LINKED,
                        "%s has a relocation of type %u, which nvlink can fill in", c->section,
                        e->type);
    else if (!known)
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "%s has a relocation of type %u", c->section,
                        e->type);
    else if (!fh_cubin_symbol(r, e->symbol, &symbol))
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "a symbol of %s is missing", c->section);
    else if (!bytes || e->offset > size || need > size - e->offset ||
             (code && e->offset % FH_INST_BYTES))
        fh_cubin_report(r, FH_OBJECT_RELOCATION, "%s has none of its bytes at 0x%llx", c->section,
                        (unsigned long long)e->offset);
    else
        add_relocation(r, c, &f, bytes + f.at, &symbol);
}

void fh_cubin_take_relocations(struct fh_cubin_reader *r, uint32_t section) {
    const struct fh_elf_section *s = &r->elf.sections[section];
    if ((s->type != FH_SHT_REL && s->type != FH_SHT_RELA) || s->info >= r->elf.section_count ||
        r->use[s->info].kind == FH_IS_NOTHING || !fh_cubin_has_bytes(r, s))
        return;
    struct change c = {.use = &r->use[s->info], .section = s->name};
    for (uint64_t i = 0; !fh_cubin_ended(r) && fh_elf_relocation(s, i, &c.entry); i++)
        if (c.entry.type) /* 0 is none */
            take_change(r, &c);
}
