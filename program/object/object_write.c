/*
 * object_write.c - a program as an ELF object (object.h). Sections are gathered in memory, in the
 * order in which they come to lie behind the ELF header: tables and information, then what a
 * device loads (constant banks and code; variables; memory without bytes), then relocations. The
 * tables of sections and of segments come last.
 *
 * Symbols, local ones first: 0; the section .nv.constant0.K of each kernel, of each shared bank and
 * of each segment of variables; functions within code; then kernels, functions, variables.
 */
#include "object_writer.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { S_NAMES = 1, S_STRINGS, S_SYMBOLS, S_NOTES, S_INFO, S_CUINFO, FIXED_SECTIONS };
_Static_assert((unsigned)FH_ELF_FLAGS >> 24 == S_CUINFO, "the flags name the note's section");

struct object {
    const fhec_program *program;
    Elf64_Shdr *headers;
    struct fh_output *contents; /* one for each section; SHT_NOBITS have none */
    unsigned count, capacity;
    uint32_t symbols;
    unsigned *rela; /* by section: the section of its relocations, 0 for none */
    /* sections: of each kernel's constant0 and code, each function, shared bank, segment */
    unsigned *constant0, *kernel_text, *function_text, *bank, *segment;
    unsigned first_loaded, first_written, first_unloaded;
};

/* The first symbol of each group; see the head of the file. */
static uint32_t constant0_symbols(void) {
    return 1;
}

static uint32_t bank_symbols(const fhec_program *p) {
    return constant0_symbols() + p->kernel_count;
}

static uint32_t segment_symbols(const fhec_program *p) {
    return bank_symbols(p) + p->bank_count;
}

/* The functions within kernels, then those within functions. */
static uint32_t entry_symbols(const fhec_program *p) {
    return segment_symbols(p) + p->segment_count;
}

static uint32_t kernel_symbols(const fhec_program *p) {
    uint32_t entries = 0;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        entries += p->kernels[i].entry_count;
    for (uint32_t i = 0; i < p->function_count; i++)
        entries += p->functions[i].entry_count;
    return entry_symbols(p) + entries;
}

static uint32_t function_symbols(const fhec_program *p) {
    return kernel_symbols(p) + p->kernel_count;
}

static uint32_t variable_symbols(const fhec_program *p) {
    return function_symbols(p) + p->function_count;
}

static uint32_t external_symbols(const fhec_program *p) {
    return variable_symbols(p) + p->variable_count;
}

/* Adds a name to a string table; returns its offset. */
static uint32_t put_name(struct fh_output *table, const char *prefix, const char *name) {
    uint32_t at = (uint32_t)table->count;
    fh_put(table, prefix, strlen(prefix));
    fh_put(table, name, strlen(name) + 1);
    return at;
}

static unsigned add_section(struct object *o, const char *prefix, const char *name, uint32_t type,
                            uint64_t flags, uint64_t alignment) {
    unsigned index = o->count++;
    o->headers[index] = (Elf64_Shdr){.sh_name = put_name(&o->contents[S_NAMES], prefix, name),
                                     .sh_type = type,
                                     .sh_flags = flags,
                                     .sh_addralign = alignment};
    return index;
}

/* A section that is about another one. */
static unsigned add_about(struct object *o, const char *prefix, const char *name, uint32_t type,
                          uint64_t flags, uint64_t alignment, unsigned about) {
    unsigned index = add_section(o, prefix, name, type, flags | SHF_INFO_LINK, alignment);
    o->headers[index].sh_info = about;
    return index;
}

/* ---------------------------------------------------------------- constants and code */

static const struct fh_constant_bank *find_bank(const struct fh_constant_bank *banks,
                                                uint32_t count, unsigned number) {
    for (uint32_t i = 0; i < count; i++)
        if (banks[i].bank == number)
            return &banks[i];
    return NULL;
}

/* Bank 3 that all kernels have alike, which is how the assembler leaves .constant: it becomes the
 * shared one. */
static const struct fh_constant_bank *common_bank(const fhec_program *p) {
    const struct fh_constant_bank *common = NULL;
    if (find_bank(p->banks, p->bank_count, 3))
        return NULL;
    for (uint32_t i = 0; i < p->patch_count; i++) /* it has addresses: what is whose matters */
        if (p->patches[i].place == FH_IN_KERNEL_BANK && p->patches[i].bank == 3)
            return NULL;
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct fh_kernel *k = &p->kernels[i];
        const struct fh_constant_bank *own = find_bank(k->banks, k->bank_count, 3);
        if (!own || (common && (own->size != common->size ||
                                memcmp(own->bytes, common->bytes, own->size) != 0)))
            return NULL;
        common = own;
    }
    return common;
}

static void add_bank(struct object *o, const struct fh_constant_bank *bank, unsigned section) {
    fh_put(&o->contents[section], bank->bytes, bank->size);
}

static void add_shared_banks(struct object *o) {
    const fhec_program *p = o->program;
    char name[32];
    for (uint32_t i = 0; i < p->bank_count; i++) {
        (void)snprintf(name, sizeof name, "%u", p->banks[i].bank);
        o->bank[i] = add_section(o, ".nv.constant", name, SHT_PROGBITS, SHF_ALLOC, 8);
        add_bank(o, &p->banks[i], o->bank[i]);
    }
    const struct fh_constant_bank *common = common_bank(p);
    if (common)
        add_bank(o, common, add_section(o, ".nv.constant", "3", SHT_PROGBITS, SHF_ALLOC, 8));
}

/* The sections of constants are made before those of code, whose indices they will hold. */
static void add_kernel_banks(struct object *o, uint32_t kernel) {
    const struct fh_kernel *k = &o->program->kernels[kernel];
    bool common = common_bank(o->program) != NULL;
    char prefix[32];
    for (uint32_t i = 0; i < k->bank_count; i++) {
        if (k->banks[i].bank == 3 && common)
            continue;
        (void)snprintf(prefix, sizeof prefix, ".nv.constant%u.", k->banks[i].bank);
        unsigned section = add_about(o, prefix, k->name, SHT_PROGBITS, SHF_ALLOC, 8, kernel);
        add_bank(o, &k->banks[i], section);
    }
    o->constant0[kernel] =
        add_about(o, ".nv.constant0.", k->name, SHT_PROGBITS, SHF_ALLOC, 4, kernel);
    fh_put(&o->contents[o->constant0[kernel]], NULL, FH_PARAM_START + (size_t)k->param_bytes);
}

static unsigned add_code(struct object *o, const char *name, const fhec_word *words, uint32_t count,
                         uint64_t flags, uint32_t registers, uint32_t symbol) {
    unsigned section = add_section(o, ".text.", name, SHT_PROGBITS,
                                   SHF_ALLOC | SHF_EXECINSTR | flags, FH_TEXT_ALIGN);
    o->headers[section].sh_link = S_SYMBOLS;
    o->headers[section].sh_info = registers << 24 | symbol;
    for (uint32_t w = 0; w < count; w++) {
        fh_put(&o->contents[section], &words[w].lo, 8);
        fh_put(&o->contents[section], &words[w].hi, 8);
    }
    return section;
}

static void add_loaded(struct object *o) {
    const fhec_program *p = o->program;
    o->first_loaded = o->count;
    add_shared_banks(o);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_kernel_banks(o, i);
    unsigned constants = o->count;
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct fh_kernel *k = &p->kernels[i];
        o->kernel_text[i] = add_code(o, k->name, k->words, k->word_count,
                                     (uint64_t)(k->barriers & FH_BARRIER_MASK) << FH_BARRIER_SHIFT,
                                     k->registers, kernel_symbols(p) + i);
    }
    for (unsigned i = o->first_loaded; i < constants; i++)
        if (o->headers[i].sh_flags & SHF_INFO_LINK)
            o->headers[i].sh_info = o->kernel_text[o->headers[i].sh_info];
    for (uint32_t i = 0; i < p->function_count; i++) {
        const struct fh_function *f = &p->functions[i];
        o->function_text[i] =
            add_code(o, f->name, f->words, f->word_count, 0, f->registers, function_symbols(p) + i);
    }
}

/* Variables and shared memory; what has no bytes comes last. */
static void add_written(struct object *o) {
    const fhec_program *p = o->program;
    o->first_written = o->count;
    for (unsigned zero = 0; zero < 2; zero++) {
        for (uint32_t i = 0; i < p->segment_count; i++) {
            const struct fh_data_segment *s = &p->segments[i];
            if ((s->bytes == NULL) != zero)
                continue;
            o->segment[i] = add_section(o, "", s->name, zero ? SHT_NOBITS : SHT_PROGBITS,
                                        SHF_ALLOC | SHF_WRITE, s->alignment);
            o->headers[o->segment[i]].sh_size = s->size;
            if (!zero)
                fh_put(&o->contents[o->segment[i]], s->bytes, (size_t)s->size);
        }
    }
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        if (!p->kernels[i].shared_bytes)
            continue;
        unsigned section = add_about(o, ".nv.shared.", p->kernels[i].name, SHT_NOBITS,
                                     SHF_ALLOC | SHF_WRITE, 16, o->kernel_text[i]);
        o->headers[section].sh_size = p->kernels[i].shared_bytes;
    }
    o->first_unloaded = o->count;
}

/* ---------------------------------------------------------------- symbols */

static void add_symbol(struct object *o, const char *name, unsigned binding, unsigned type,
                       unsigned other, unsigned section, uint64_t value, uint64_t size) {
    Elf64_Sym symbol = {.st_name = name ? put_name(&o->contents[S_STRINGS], "", name) : 0,
                        .st_info = (unsigned char)ELF64_ST_INFO(binding, type),
                        .st_other = (unsigned char)other,
                        .st_shndx = (Elf64_Section)section,
                        .st_value = value,
                        .st_size = size};
    fh_put(&o->contents[S_SYMBOLS], &symbol, sizeof symbol);
    o->symbols++;
}

static void add_section_symbols(struct object *o, const unsigned *sections, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        add_symbol(o, NULL, STB_LOCAL, STT_SECTION, 0, sections[i], 0, 0);
}

static void add_entries(struct object *o, const struct fh_entry *entries, uint32_t count,
                        unsigned section) {
    for (uint32_t i = 0; i < count; i++)
        add_symbol(o, entries[i].name, STB_LOCAL, STT_FUNC, 0, section,
                   (uint64_t)entries[i].word * FH_INST_BYTES,
                   (uint64_t)entries[i].word_count * FH_INST_BYTES);
}

static void add_symbols(struct object *o) {
    const fhec_program *p = o->program;
    add_symbol(o, NULL, STB_LOCAL, STT_NOTYPE, 0, 0, 0, 0);
    add_section_symbols(o, o->constant0, p->kernel_count);
    add_section_symbols(o, o->bank, p->bank_count);
    add_section_symbols(o, o->segment, p->segment_count);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_entries(o, p->kernels[i].entries, p->kernels[i].entry_count, o->kernel_text[i]);
    for (uint32_t i = 0; i < p->function_count; i++)
        add_entries(o, p->functions[i].entries, p->functions[i].entry_count, o->function_text[i]);
    o->headers[S_SYMBOLS].sh_info = o->symbols; /* the first global one */
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_symbol(o, p->kernels[i].name, STB_GLOBAL, STT_FUNC, FH_STO_ENTRY, o->kernel_text[i], 0,
                   (uint64_t)p->kernels[i].word_count * FH_INST_BYTES);
    for (uint32_t i = 0; i < p->function_count; i++)
        add_symbol(o, p->functions[i].name, STB_GLOBAL, STT_FUNC, 0, o->function_text[i], 0,
                   (uint64_t)p->functions[i].word_count * FH_INST_BYTES);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const struct fh_variable *v = &p->variables[i];
        add_symbol(o, v->name, STB_GLOBAL, STT_OBJECT, 0,
                   v->constant ? o->bank[v->index] : o->segment[v->index], v->offset, v->size);
    }
    for (uint32_t i = 0; i < p->external_count; i++)
        add_symbol(o, p->externals[i], STB_GLOBAL, STT_FUNC, 0, SHN_UNDEF, 0, 0);
}

/* ---------------------------------------------------------------- relocations */

/* The section that holds the place of a patch. */
static unsigned section_of(const struct object *o, const struct fh_patch *patch) {
    switch (patch->place) {
    case FH_IN_KERNEL: return o->kernel_text[patch->index];
    case FH_IN_FUNCTION: return o->function_text[patch->index];
    case FH_IN_BANK: return o->bank[patch->index];
    case FH_IN_SEGMENT: return o->segment[patch->index];
    default: break;
    }
    /* a bank of the kernel: it is about the kernel's code and has the bank's name */
    char prefix[32];
    int length = snprintf(prefix, sizeof prefix, ".nv.constant%u.", patch->bank);
    for (unsigned i = o->first_loaded; i < o->first_written; i++)
        if (o->headers[i].sh_info == o->kernel_text[patch->index] &&
            memcmp(o->contents[S_NAMES].data + o->headers[i].sh_name, prefix, (size_t)length) == 0)
            return i;
    return 0;
}

static uint32_t relocation_type(const struct fh_patch *patch) {
    bool code = patch->place == FH_IN_KERNEL || patch->place == FH_IN_FUNCTION;
    switch (patch->field) {
    case FH_FIELD_64: return patch->generic ? FH_R_G64 : FH_R_64;
    case FH_FIELD_HIGH: return code ? FH_R_ABS32_HI_32 : FH_R_32_HI;
    case FH_FIELD_CALL: return FH_R_ABS47_34;
    default: return code ? FH_R_ABS32_LO_32 : patch->generic ? FH_R_G32 : FH_R_32;
    }
}

/* The symbol that an address is counted from, which lies at *base of its section. */
static uint32_t symbol_of(const fhec_program *p, const struct fh_patch *patch, uint64_t *base) {
    *base = 0;
    if (patch->of == FH_OF_KERNEL)
        return kernel_symbols(p) + patch->target;
    if (patch->of == FH_OF_FUNCTION)
        return function_symbols(p) + patch->target;
    if (patch->of == FH_OF_EXTERNAL)
        return external_symbols(p) + patch->target;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const struct fh_variable *v = &p->variables[i];
        if (v->constant == (patch->of == FH_OF_BANK) && v->index == patch->target &&
            patch->addend >= v->offset && patch->addend - v->offset < v->size) {
            *base = v->offset;
            return variable_symbols(p) + i;
        }
    }
    return (patch->of == FH_OF_BANK ? bank_symbols(p) : segment_symbols(p)) + patch->target;
}

/* The section of relocations of a section, made when it is first asked for. */
static struct fh_output *rela_of(struct object *o, unsigned section) {
    if (!o->rela[section]) {
        /* the name is copied: the table that it stands in may move as it grows */
        struct fh_output *names = &o->contents[S_NAMES];
        char *name =
            names->failed ? NULL : strdup((char *)names->data + o->headers[section].sh_name);
        names->failed |= !name;
        o->rela[section] = add_about(o, ".rela", name ? name : "", SHT_RELA, 0, 8, section);
        o->headers[o->rela[section]].sh_link = S_SYMBOLS;
        o->headers[o->rela[section]].sh_entsize = sizeof(Elf64_Rela);
        free(name);
    }
    return &o->contents[o->rela[section]];
}

static void add_relocations(struct object *o) {
    const fhec_program *p = o->program;
    for (uint32_t i = 0; i < p->patch_count && !o->contents[S_NAMES].failed; i++) {
        const struct fh_patch *patch = &p->patches[i];
        bool code = patch->place == FH_IN_KERNEL || patch->place == FH_IN_FUNCTION;
        uint64_t base;
        if (patch->relative)
            continue;
        unsigned section = section_of(o, patch);
        uint32_t symbol = symbol_of(p, patch, &base);
        if (!section)
            continue;
        Elf64_Rela rela = {.r_offset = patch->offset - (code ? 4 : 0),
                           .r_info = ELF64_R_INFO((uint64_t)symbol, relocation_type(patch)),
                           .r_addend = (int64_t)(patch->addend - base)};
        fh_put(rela_of(o, section), &rela, sizeof rela);
    }
}

/* ---------------------------------------------------------------- information */

static void add_info(struct object *o) {
    const fhec_program *p = o->program;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        (void)add_about(o, ".nv.info.", p->kernels[i].name, FH_SHT_NV_INFO, 0, 4, 0);
    for (uint32_t i = 0; i < p->function_count; i++)
        (void)add_about(o, ".nv.info.", p->functions[i].name, FH_SHT_NV_INFO, 0, 4, 0);
}

/* Returns the symbol behind those of the entries. */
static uint32_t put_frames(struct fh_output *info, const struct fh_entry *entries, uint32_t count,
                           uint32_t symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].local_bytes)
            fh_put_frame(info, symbol + i, entries[i].local_bytes);
    return symbol + count;
}

/* Once the sections of code have their indices. */
static void fill_info(struct object *o) {
    const fhec_program *p = o->program;
    struct fh_output *whole = &o->contents[S_INFO];
    fh_put_cuinfo(&o->contents[S_CUINFO]);
    fh_put_notes(&o->contents[S_NOTES], p);
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct fh_kernel *k = &p->kernels[i];
        unsigned section = FIXED_SECTIONS + i;
        o->headers[section].sh_link = S_SYMBOLS;
        o->headers[section].sh_info = o->kernel_text[i];
        fh_put_code_info(whole, kernel_symbols(p) + i, k->registers, k->local_bytes, true);
        fh_put_kernel_info(&o->contents[section], k, constant0_symbols() + i);
    }
    for (uint32_t i = 0; i < p->function_count; i++) {
        const struct fh_function *f = &p->functions[i];
        unsigned section = FIXED_SECTIONS + p->kernel_count + i;
        o->headers[section].sh_link = S_SYMBOLS;
        o->headers[section].sh_info = o->function_text[i];
        fh_put_code_info(whole, function_symbols(p) + i, f->registers, f->local_bytes, false);
        fh_put_function_info(&o->contents[section]);
    }
    uint32_t entry = entry_symbols(p);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        entry = put_frames(whole, p->kernels[i].entries, p->kernels[i].entry_count, entry);
    for (uint32_t i = 0; i < p->function_count; i++)
        entry = put_frames(whole, p->functions[i].entries, p->functions[i].entry_count, entry);
}

static void fill(struct object *o) {
    o->count = 1; /* the null section */
    fh_put_u8(&o->contents[S_NAMES], 0);
    fh_put_u8(&o->contents[S_STRINGS], 0);
    (void)add_section(o, "", ".shstrtab", SHT_STRTAB, 0, 1);
    (void)add_section(o, "", ".strtab", SHT_STRTAB, 0, 1);
    (void)add_section(o, "", ".symtab", SHT_SYMTAB, 0, 8);
    (void)add_section(o, "", ".fhec.info", SHT_PROGBITS, 0, 4);
    (void)add_section(o, "", ".nv.info", FH_SHT_NV_INFO, 0, 4);
    (void)add_section(o, "", ".note.nv.cuinfo", SHT_NOTE, 0, 4);
    o->headers[S_INFO].sh_link = S_SYMBOLS;
    o->headers[S_SYMBOLS].sh_link = S_STRINGS;
    o->headers[S_SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
    add_info(o);
    add_loaded(o);
    add_written(o);
    add_symbols(o);
    add_relocations(o);
    fill_info(o);
}

/* ---------------------------------------------------------------- the file */

/* What a device loads, from section `first` up to `end`, as one segment. */
static Elf64_Phdr segment(const struct object *o, unsigned first, unsigned end, uint32_t flags) {
    Elf64_Phdr p = {.p_type = PT_LOAD, .p_flags = flags, .p_align = 8};
    uint64_t memory = 0;
    p.p_offset = o->headers[first].sh_offset;
    for (unsigned i = first; i < end; i++) {
        const Elf64_Shdr *h = &o->headers[i];
        bool bytes = h->sh_type != SHT_NOBITS;
        memory = (memory + h->sh_addralign - 1) / h->sh_addralign * h->sh_addralign;
        if (bytes)
            memory = h->sh_offset - p.p_offset;
        memory += h->sh_size;
        if (bytes)
            p.p_filesz = memory;
    }
    p.p_memsz = memory;
    return p;
}

static void put_segments(const struct object *o, struct fh_output *file, Elf64_Ehdr *header) {
    Elf64_Phdr table[4];
    unsigned count = 1;
    header->e_phoff = file->count;
    table[count++] = segment(o, o->first_loaded, o->first_written, PF_R | PF_X);
    if (o->first_written < o->first_unloaded)
        table[count++] = segment(o, o->first_written, o->first_unloaded, PF_R | PF_W);
    count++;
    table[0] = (Elf64_Phdr){.p_type = PT_PHDR,
                            .p_flags = PF_R | PF_X,
                            .p_offset = file->count,
                            .p_filesz = count * sizeof *table,
                            .p_memsz = count * sizeof *table,
                            .p_align = 8};
    table[count - 1] = table[0];
    table[count - 1].p_type = PT_LOAD;
    header->e_phnum = (Elf64_Half)count;
    header->e_phentsize = sizeof *table;
    fh_put(file, table, count * sizeof *table);
}

static void lay_out(struct object *o, struct fh_output *file) {
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                     EV_CURRENT, FH_ELF_OSABI, FH_ELF_ABIVERSION},
                         .e_type = ET_EXEC,
                         .e_machine = FH_EM_CUDA,
                         .e_version = EV_CURRENT,
                         .e_flags = FH_ELF_FLAGS,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = (Elf64_Half)o->count,
                         .e_shstrndx = S_NAMES};
    fh_put(file, &header, sizeof header);
    for (unsigned i = 1; i < o->count; i++) {
        Elf64_Shdr *h = &o->headers[i];
        if (i == o->first_loaded || i == o->first_written)
            fh_put_align(file, 8); /* where a segment begins */
        fh_put_align(file, h->sh_type == SHT_NOBITS ? 1 : h->sh_addralign);
        h->sh_offset = file->count;
        if (h->sh_type != SHT_NOBITS) {
            h->sh_size = o->contents[i].count;
            fh_put(file, o->contents[i].data, o->contents[i].count);
        }
    }
    fh_put_align(file, 8);
    header.e_shoff = file->count;
    fh_put(file, o->headers, o->count * sizeof *o->headers);
    put_segments(o, file, &header);
    if (!file->failed)
        memcpy(file->data, &header, sizeof header);
}

static bool any_failed(const struct object *o) {
    for (unsigned i = 0; i < o->count; i++)
        if (o->contents[i].failed)
            return true;
    return false;
}

/* How many sections there may be at most. */
static size_t section_limit(const fhec_program *p) {
    size_t own = 0;
    for (uint32_t i = 0; i < p->kernel_count; i++)
        own += p->kernels[i].bank_count;
    /* a kernel: information, constant0, code and its relocations, shared memory */
    return FIXED_SECTIONS + 5 * (size_t)p->kernel_count + 3 * (size_t)p->function_count +
           2 * (own + p->bank_count + p->segment_count) + 1;
}

static void object_free(struct object *o) {
    for (unsigned i = 0; o->contents && i < o->count; i++)
        free(o->contents[i].data);
    free(o->contents);
    free(o->headers);
    free(o->rela);
    free(o->constant0);
    free(o->kernel_text);
    free(o->function_text);
    free(o->bank);
    free(o->segment);
}

static bool object_new(struct object *o, const fhec_program *p, size_t sections) {
    *o = (struct object){.program = p, .capacity = (unsigned)sections};
    o->headers = calloc(sections, sizeof *o->headers);
    o->contents = calloc(sections, sizeof *o->contents);
    o->rela = calloc(sections, sizeof *o->rela);
    o->constant0 = calloc(p->kernel_count + 1u, sizeof *o->constant0);
    o->kernel_text = calloc(p->kernel_count + 1u, sizeof *o->kernel_text);
    o->function_text = calloc(p->function_count + 1u, sizeof *o->function_text);
    o->bank = calloc(p->bank_count + 1u, sizeof *o->bank);
    o->segment = calloc(p->segment_count + 1u, sizeof *o->segment);
    return o->headers && o->contents && o->rela && o->constant0 && o->kernel_text &&
           o->function_text && o->bank && o->segment;
}

fhec_status fhec_program_write(const fhec_program *program, uint8_t **bytes, size_t *length) {
    *bytes = NULL;
    *length = 0;
    size_t sections = section_limit(program);
    if (sections >= SHN_LORESERVE) /* indices of sections have 16 bits */
        return FHEC_BAD_INPUT;
    struct object o;
    struct fh_output file = {0};
    bool good = object_new(&o, program, sections);
    if (good) {
        fill(&o);
        good = !any_failed(&o);
    }
    if (good)
        lay_out(&o, &file);
    object_free(&o);
    if (!good || file.failed) {
        free(file.data);
        return FHEC_HOST_ERROR;
    }
    *bytes = file.data;
    *length = file.count;
    return FHEC_OK;
}
