/*
 * object_data.c - the data of an object: constant banks, shared memory, memory of variables, and
 * the relocations that tie them to code and to each other. Addresses of code are filled in here,
 * since the code space is the same everywhere (program.h); addresses of variables become patches,
 * which each machine fills in when it has given the variables their places.
 */
#include "object_reader.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- banks and memory */

/* Adds a bank to a list of a kernel or of the program. */
static void add_bank(struct fh_reader *r, struct fh_constant_bank **list, uint32_t *count,
                     uint8_t bank, const uint8_t *bytes, uint32_t size, const char *name) {
    for (uint32_t i = 0; i < *count; i++) {
        if ((*list)[i].bank == bank) {
            fh_object_report(r, FH_OBJECT_SECTION, "%s is there twice", name);
            return;
        }
    }
    if (!fh_object_grow(r, list, *count, sizeof **list))
        return;
    uint8_t *copy = fh_object_allocate(r, size, 1);
    if (!copy)
        return;
    memcpy(copy, bytes, size);
    (*list)[(*count)++] = (struct fh_constant_bank){bank, copy, size};
}

/* ".nv.constant2.K", and ".nv.constant3" for all kernels. */
static void take_constants(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name) {
    char *end;
    unsigned long bank = strtoul(name + strlen(".nv.constant"), &end, 10);
    struct fh_kernel *k = *end == '.' ? fh_object_kernel(r, end + 1, strlen(end + 1)) : NULL;
    const uint8_t *bytes;
    fhec_program *p = r->program;
    if (end == name + strlen(".nv.constant") || bank == 0 || header->sh_size == 0)
        return; /* bank 0 is the launch's */
    if (bank > 31 || header->sh_size > FH_BANK_MAX) {
        fh_object_report(r, FH_OBJECT_LIMIT, "%s has %llu bytes", name,
                         (unsigned long long)header->sh_size);
        return;
    }
    if ((*end && !k) || !fh_object_bytes(r, section, header, name, &bytes) || !bytes)
        return;
    uint32_t size = (uint32_t)header->sh_size;
    if (!fh_object_count(r, size, name))
        return;
    struct fh_section_use *use = &r->use[elf_ndxscn(section)];
    *use = (struct fh_section_use){.kind = FH_IS_BANK, .bank = (uint8_t)bank, .own = k != NULL};
    if (k) {
        use->index = (uint32_t)(k - p->kernels);
        add_bank(r, &k->banks, &k->bank_count, (uint8_t)bank, bytes, size, name);
    } else {
        use->index = p->bank_count;
        add_bank(r, &p->banks, &p->bank_count, (uint8_t)bank, bytes, size, name);
    }
}

/* ".nv.global" and ".nv.global.init": memory of variables. */
static void take_segment(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                         const char *name) {
    fhec_program *p = r->program;
    const uint8_t *bytes = NULL;
    if (header->sh_size == 0)
        return;
    if (header->sh_size > FH_SEGMENT_MAX || p->segment_count >= FH_MAX_KERNELS) {
        fh_object_report(r, FH_OBJECT_LIMIT, "%s has %llu bytes", name,
                         (unsigned long long)header->sh_size);
        return;
    }
    if (!fh_object_no_bits(header) && (!fh_object_bytes(r, section, header, name, &bytes) ||
                                       !fh_object_count(r, header->sh_size, name)))
        return;
    if (!fh_object_grow(r, &p->segments, p->segment_count, sizeof *p->segments))
        return;
    uint64_t alignment = header->sh_addralign;
    bool good = alignment && alignment <= FH_SEGMENT_ALIGN_MAX && !(alignment & (alignment - 1));
    struct fh_data_segment s = {.size = header->sh_size,
                                .alignment = good ? (uint32_t)alignment : 1,
                                .name = fh_object_text(r, name, strlen(name))};
    if (bytes)
        s.bytes = fh_object_allocate(r, (size_t)s.size, 1);
    if (bytes && s.bytes)
        memcpy(s.bytes, bytes, (size_t)s.size);
    r->use[elf_ndxscn(section)] =
        (struct fh_section_use){.kind = FH_IS_SEGMENT, .index = p->segment_count};
    p->segments[p->segment_count++] = s;
}

void fh_object_take_data(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                         const char *name) {
    static const char shared[] = ".nv.shared.";
    size_t n = sizeof shared - 1;
    if (strncmp(name, shared, n) == 0) {
        struct fh_kernel *k = fh_object_kernel(r, name + n, strlen(name + n));
        if (k && header->sh_size > 1 << 20)
            fh_object_report(r, FH_OBJECT_LIMIT, "%s has %llu bytes", name,
                             (unsigned long long)header->sh_size);
        else if (k)
            k->shared_bytes = (uint32_t)header->sh_size;
    } else if (strncmp(name, ".nv.constant", 12) == 0) {
        take_constants(r, section, header, name);
    } else if (strcmp(name, ".nv.global") == 0 || strncmp(name, ".nv.global.", 11) == 0) {
        take_segment(r, section, header, name);
    }
}

/* ---------------------------------------------------------------- names */

/* Bytes of the bank or segment that a section became. */
static uint64_t room(const struct fh_reader *r, const struct fh_section_use *use) {
    const fhec_program *p = r->program;
    return use->kind == FH_IS_BANK ? p->banks[use->index].size : p->segments[use->index].size;
}

static void take_variable(struct fh_reader *r, const struct fh_section_use *use,
                          const GElf_Sym *symbol, const char *name) {
    fhec_program *p = r->program;
    uint64_t size = room(r, use);
    if (symbol->st_value > size || symbol->st_size > size - symbol->st_value) {
        fh_object_report(r, FH_OBJECT_SECTION, "the variable %s is not in its section", name);
        return;
    }
    if (!fh_object_grow(r, &p->variables, p->variable_count, sizeof *p->variables))
        return;
    struct fh_variable *v = &p->variables[p->variable_count];
    *v = (struct fh_variable){.constant = use->kind == FH_IS_BANK,
                              .index = use->index,
                              .offset = symbol->st_value,
                              .size = symbol->st_size,
                              .name = fh_object_text(r, name, strlen(name))};
    p->variable_count += v->name != NULL;
}

/* A function within a kernel's code or another function's. One that makes no sense is left out:
 * nothing but its name depends on it. Entries are few, and kept in order. */
static void take_entry(struct fh_reader *r, const struct fh_section_use *use,
                       const GElf_Sym *symbol, const char *name) {
    fhec_program *p = r->program;
    bool kernel = use->kind == FH_IS_KERNEL;
    struct fh_entry **list =
        kernel ? &p->kernels[use->index].entries : &p->functions[use->index].entries;
    uint32_t *count =
        kernel ? &p->kernels[use->index].entry_count : &p->functions[use->index].entry_count;
    uint32_t words =
        kernel ? p->kernels[use->index].word_count : p->functions[use->index].word_count;
    uint64_t first = symbol->st_value / FH_INST_BYTES, length = symbol->st_size / FH_INST_BYTES;
    if (symbol->st_value == 0 || symbol->st_value % FH_INST_BYTES || first >= words ||
        length > words - first || *count >= FH_MAX_KERNELS)
        return;
    if (!fh_object_grow(r, list, *count, sizeof **list))
        return;
    struct fh_entry entry = {.name = fh_object_text(r, name, strlen(name)),
                             .word = (uint32_t)first,
                             .word_count = (uint32_t)length};
    if (!entry.name)
        return;
    uint32_t at = (*count)++;
    for (; at > 0 && (*list)[at - 1].word > entry.word; at--)
        (*list)[at] = (*list)[at - 1];
    (*list)[at] = entry;
}

void fh_object_take_names(struct fh_reader *r) {
    GElf_Sym symbol;
    const char *name;
    for (uint64_t i = 1; !r->bad && !r->no_memory && fh_object_symbol(r, i, &symbol, &name); i++) {
        if (symbol.st_shndx >= r->section_count || !fh_object_good_name(name))
            continue;
        const struct fh_section_use *use = &r->use[symbol.st_shndx];
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        bool code = use->kind == FH_IS_KERNEL || use->kind == FH_IS_FUNCTION;
        bool data = (use->kind == FH_IS_BANK && !use->own) || use->kind == FH_IS_SEGMENT;
        if ((type == STT_OBJECT || type == FH_STT_NV_OBJECT) && data)
            take_variable(r, use, &symbol, name);
        else if (type == STT_FUNC && code)
            take_entry(r, use, &symbol, name);
    }
}

/* ---------------------------------------------------------------- relocations */

/* One relocation, and the bytes of the section that it changes. */
struct change {
    uint64_t offset, addend;
    uint32_t type;
    bool explicit_addend;
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
static uint8_t *data_bytes(const struct fh_reader *r, const struct fh_section_use *use,
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

static fhec_word *code_words(const struct fh_reader *r, const struct fh_section_use *use,
                             uint64_t *size) {
    const fhec_program *p = r->program;
    bool kernel = use->kind == FH_IS_KERNEL;
    *size = (uint64_t)FH_INST_BYTES *
            (kernel ? p->kernels[use->index].word_count : p->functions[use->index].word_count);
    return kernel ? p->kernels[use->index].words : p->functions[use->index].words;
}

/* The field that a type of relocation means; false if fhec does not know the type there. */
static bool find_field(const struct change *c, bool code, struct field *f) {
    *f = (struct field){.at = c->offset + (code ? 4 : 0), .bytes = 4};
    switch (c->type) {
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
static uint64_t get_field(const uint8_t *place, const struct field *f) {
    uint64_t value = 0;
    if (f->bytes == 0) { /* bits 80:34 of an instruction that begins 4 bytes before */
        uint64_t lo, hi;
        memcpy(&lo, place - 4, 8);
        memcpy(&hi, place + 4, 8);
        return (lo >> 34 | (hi & 0x1ffff) << 30) << 2;
    }
    memcpy(&value, place, f->bytes);
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

static bool add_external(struct fh_reader *r, const char *name) {
    fhec_program *p = r->program;
    char *copy = fh_object_text(r, name, strlen(name));
    if (!copy || !fh_object_grow(r, &p->externals, p->external_count, sizeof *p->externals)) {
        free(copy);
        return false;
    }
    p->externals[p->external_count++] = copy;
    return true;
}

/* The index of a function that is not in the object, by its name; false after a report. */
static bool external(struct fh_reader *r, const char *name, uint32_t *index) {
    uint32_t i = *index = find_external(r->program, name);
    if (i < r->program->external_count)
        return true;
    if (i == FH_MAX_EXTERNALS || !*name) {
        fh_object_report(r, FH_OBJECT_RELOCATION, "%s",
                         *name ? "too many symbols are defined nowhere"
                               : "a symbol that is defined nowhere has no name");
        return false;
    }
    if (r->unlinked && !is_runtime(name)) {
        fh_object_report(r, FH_OBJECT_NOT_LINKED, "`%s` is in another one; link them with nvlink",
                         name);
        return false;
    }
    fh_object_report(r, FH_OBJECT_UNDEFINED, "%s", name);
    return add_external(r, name);
}

/* Functions that the object declares and nothing in it calls; for text made of it. */
void fh_object_take_externals(struct fh_reader *r) {
    const fhec_program *p = r->program;
    GElf_Sym symbol;
    const char *name;
    for (uint64_t i = 1; !r->bad && fh_object_symbol(r, i, &symbol, &name); i++) {
        if (symbol.st_shndx != SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
            !fh_object_good_name(name) || p->external_count == FH_MAX_EXTERNALS ||
            find_external(p, name) < p->external_count)
            continue;
        if (!add_external(r, name))
            return;
    }
}

/* Code and data whose address may be asked for; in `of` as in struct fh_patch. */
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

static uint8_t place_kind(const struct fh_section_use *use) {
    switch (use->kind) {
    case FH_IS_KERNEL: return FH_IN_KERNEL;
    case FH_IS_FUNCTION: return FH_IN_FUNCTION;
    case FH_IS_BANK: return use->own ? FH_IN_KERNEL_BANK : FH_IN_BANK;
    default: return FH_IN_SEGMENT;
    }
}

/* Whose address it is; false after a report. */
static bool find_target(struct fh_reader *r, const struct change *c, const GElf_Sym *symbol,
                        const char *name, struct fh_patch *patch) {
    if (symbol->st_shndx == SHN_UNDEF) { /* code that is called, or nothing works with it */
        patch->of = FH_OF_EXTERNAL;
        return external(r, name, &patch->target);
    }
    const struct fh_section_use *to =
        symbol->st_shndx < r->section_count ? &r->use[symbol->st_shndx] : NULL;
    if (!has_address(to, &patch->of)) {
        fh_object_report(r, FH_OBJECT_RELOCATION, "%s asks for the address of `%s`, which has none",
                         c->section, name);
        return false;
    }
    bool data = patch->of == FH_OF_BANK || patch->of == FH_OF_SEGMENT;
    if (data && (patch->field == FH_FIELD_CALL || patch->place == FH_IN_KERNEL_BANK)) {
        fh_object_report(r, FH_OBJECT_RELOCATION, "the address of a variable in %s", c->section);
        return false;
    }
    patch->target = to->index;
    patch->addend = symbol->st_value;
    return true;
}

/* Notes where the address of the symbol goes. */
static void apply(struct fh_reader *r, const struct change *c, const struct field *f,
                  const uint8_t *place, const GElf_Sym *symbol, const char *name) {
    fhec_program *p = r->program;
    struct fh_patch patch = {.place = place_kind(c->use),
                             .field = f->bytes == 8   ? FH_FIELD_64
                                      : f->bytes == 0 ? FH_FIELD_CALL
                                      : f->high       ? FH_FIELD_HIGH
                                                      : FH_FIELD_LOW,
                             .bank = c->use->own ? c->use->bank : 0,
                             .generic = c->type == FH_R_G32 || c->type == FH_R_G64,
                             .index = c->use->index,
                             .offset = (uint32_t)f->at};
    if (f->at > UINT32_MAX) {
        fh_object_report(r, FH_OBJECT_RELOCATION, "%s is about a place too far away", c->section);
        return;
    }
    if (!find_target(r, c, symbol, name, &patch))
        return;
    patch.addend += c->explicit_addend ? c->addend : get_field(place, f);
    if (fh_object_grow(r, &p->patches, p->patch_count, sizeof *p->patches))
        p->patches[p->patch_count++] = patch;
}

static void take_change(struct fh_reader *r, struct change *c, uint64_t info) {
    GElf_Sym symbol;
    const char *name;
    struct field f;
    uint64_t size;
    bool code = c->use->kind == FH_IS_KERNEL || c->use->kind == FH_IS_FUNCTION;
    c->type = (uint32_t)GELF_R_TYPE(info);
    if (!c->type)
        return;
    uint8_t *bytes = code ? (uint8_t *)code_words(r, c->use, &size) : data_bytes(r, c->use, &size);
    uint64_t need = code ? FH_INST_BYTES : 8;
    if (!find_field(c, code, &f) && r->unlinked)
        fh_object_report(r, FH_OBJECT_NOT_LINKED,
                         "%s has a relocation of type %u, which nvlink can fill in", c->section,
                         c->type);
    else if (!find_field(c, code, &f))
        fh_object_report(r, FH_OBJECT_RELOCATION, "%s has a relocation of type %u", c->section,
                         c->type);
    else if (!fh_object_symbol(r, GELF_R_SYM(info), &symbol, &name))
        fh_object_report(r, FH_OBJECT_RELOCATION, "a symbol of %s is missing", c->section);
    else if (!bytes || c->offset > size || (code ? need : f.bytes) > size - c->offset ||
             (code && c->offset % FH_INST_BYTES))
        fh_object_report(r, FH_OBJECT_RELOCATION, "%s has none of its bytes at 0x%llx", c->section,
                         (unsigned long long)c->offset);
    else
        apply(r, c, &f, bytes + f.at, &symbol, name);
}

void fh_object_take_relocations(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                                const char *name) {
    bool explicit_addend = header->sh_type == SHT_RELA;
    if ((header->sh_type != SHT_REL && !explicit_addend) || header->sh_info >= r->section_count ||
        r->use[header->sh_info].kind == FH_IS_NOTHING)
        return;
    Elf_Data *data = elf_getdata(section, NULL);
    struct change c = {
        .explicit_addend = explicit_addend, .use = &r->use[header->sh_info], .section = name};
    if (!data && header->sh_size)
        fh_object_report(r, FH_OBJECT_SECTION, "%s has no bytes in the file", name);
    for (int i = 0; data && !r->bad && !r->no_memory; i++) {
        GElf_Rel rel;
        GElf_Rela rela;
        if (explicit_addend ? !gelf_getrela(data, i, &rela) : !gelf_getrel(data, i, &rel))
            break;
        c.offset = explicit_addend ? rela.r_offset : rel.r_offset;
        c.addend = explicit_addend ? (uint64_t)rela.r_addend : 0;
        take_change(r, &c, explicit_addend ? rela.r_info : rel.r_info);
    }
}
