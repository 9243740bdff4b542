/*
 * cubin_write.c - a program as an object (cubin.h). Its sections, in their order: tables and
 * information, then what a device loads (constant banks and code; variables; memory without bytes),
 * then relocations.
 *
 * Symbols, local ones first: 0; the section .nv.constant0.K of each kernel, of each shared bank and
 * of each segment of variables; functions within code; then kernels, functions, variables.
 */
#include "cubin_writer.h"

#include "elf64_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { S_NOTES = FH_ELF_FIRST_OWN, S_INFO, S_CUINFO, FIXED_SECTIONS };
_Static_assert((unsigned)FH_ELF_FLAGS >> 24 == S_CUINFO, "the flags name the note's section");

struct object {
    const fhec_program *program;
    struct fh_elf_writer elf;
    bool no_memory;
    unsigned *rela; /* by section: the section of its relocations, 0 for none */
    /* sections: of each kernel's constant0 and code, each function, shared bank, segment */
    unsigned *constant0, *kernel_text, *function_text, *bank, *segment;
    unsigned first_loaded, first_written, first_unloaded;
};

static struct fh_elf_new_section *section(struct object *o, unsigned index) {
    return &o->elf.sections[index];
}

static struct fh_bytes *content(struct object *o, unsigned index) {
    return &section(o, index)->content;
}

static unsigned add_section(struct object *o, const char *prefix, const char *name, uint32_t type,
                            uint64_t flags, uint64_t alignment) {
    return fh_elf_add_section(&o->elf, prefix, name, type, flags, alignment);
}

/* A section that is about another one. */
static unsigned add_about(struct object *o, const char *prefix, const char *name, uint32_t type,
                          uint64_t flags, uint64_t alignment, unsigned about) {
    unsigned index = add_section(o, prefix, name, type, flags | FH_SHF_INFO_LINK, alignment);
    section(o, index)->info = about;
    return index;
}

/* ---------------------------------------------------------------- numbers of symbols */

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
    for (uint32_t i = 0; i < p->relocation_count; i++) /* it has addresses: what is whose matters */
        if (p->relocations[i].holder == FH_IN_KERNEL_BANK && p->relocations[i].bank == 3)
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

static void put_bank(struct object *o, const struct fh_constant_bank *bank, unsigned index) {
    fh_bytes_put(content(o, index), bank->bytes, bank->size);
}

static void add_shared_banks(struct object *o) {
    const fhec_program *p = o->program;
    char name[32];
    for (uint32_t i = 0; i < p->bank_count; i++) {
        (void)snprintf(name, sizeof name, "%u", p->banks[i].bank);
        o->bank[i] = add_section(o, ".nv.constant", name, FH_SHT_PROGBITS, FH_SHF_ALLOC, 8);
        put_bank(o, &p->banks[i], o->bank[i]);
    }
    const struct fh_constant_bank *common = common_bank(p);
    if (common)
        put_bank(o, common, add_section(o, ".nv.constant", "3", FH_SHT_PROGBITS, FH_SHF_ALLOC, 8));
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
        put_bank(o, &k->banks[i],
                 add_about(o, prefix, k->name, FH_SHT_PROGBITS, FH_SHF_ALLOC, 8, kernel));
    }
    o->constant0[kernel] =
        add_about(o, ".nv.constant0.", k->name, FH_SHT_PROGBITS, FH_SHF_ALLOC, 4, kernel);
    fh_bytes_put(content(o, o->constant0[kernel]), NULL, FH_PARAM_START + (size_t)k->param_bytes);
}

static unsigned add_code(struct object *o, const char *name, const fhec_word *words, uint32_t count,
                         uint64_t flags, uint32_t registers, uint32_t symbol) {
    unsigned index = add_section(o, ".text.", name, FH_SHT_PROGBITS,
                                 FH_SHF_ALLOC | FH_SHF_EXECINSTR | flags, FH_TEXT_ALIGN);
    section(o, index)->link = FH_ELF_SYMBOLS;
    section(o, index)->info = registers << 24 | symbol;
    for (uint32_t w = 0; w < count; w++) {
        fh_bytes_u64(content(o, index), words[w].lo);
        fh_bytes_u64(content(o, index), words[w].hi);
    }
    return index;
}

static void add_loaded(struct object *o) {
    const fhec_program *p = o->program;
    o->first_loaded = o->elf.count;
    add_shared_banks(o);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_kernel_banks(o, i);
    unsigned constants = o->elf.count;
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct fh_kernel *k = &p->kernels[i];
        o->kernel_text[i] = add_code(o, k->name, k->words, k->word_count,
                                     (uint64_t)(k->barriers & FH_BARRIER_MASK) << FH_BARRIER_SHIFT,
                                     k->registers, kernel_symbols(p) + i);
    }
    for (unsigned i = o->first_loaded; i < constants; i++)
        if (section(o, i)->flags & FH_SHF_INFO_LINK)
            section(o, i)->info = o->kernel_text[section(o, i)->info];
    for (uint32_t i = 0; i < p->function_count; i++) {
        const struct fh_function *f = &p->functions[i];
        o->function_text[i] =
            add_code(o, f->name, f->words, f->word_count, 0, f->registers, function_symbols(p) + i);
    }
}

/* Variables and shared memory; what has no bytes comes last. */
static void add_written(struct object *o) {
    const fhec_program *p = o->program;
    const uint64_t flags = FH_SHF_ALLOC | FH_SHF_WRITE;
    o->first_written = o->elf.count;
    for (unsigned zero = 0; zero < 2; zero++) {
        for (uint32_t i = 0; i < p->segment_count; i++) {
            const struct fh_data_segment *s = &p->segments[i];
            if ((s->bytes == NULL) != zero)
                continue;
            o->segment[i] = add_section(o, "", s->name, zero ? FH_SHT_NOBITS : FH_SHT_PROGBITS,
                                        flags, s->alignment);
            section(o, o->segment[i])->size = s->size;
            if (!zero)
                fh_bytes_put(content(o, o->segment[i]), s->bytes, (size_t)s->size);
        }
    }
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct fh_kernel *k = &p->kernels[i];
        if (!k->shared_bytes)
            continue;
        unsigned index =
            add_about(o, ".nv.shared.", k->name, FH_SHT_NOBITS, flags, 16, o->kernel_text[i]);
        section(o, index)->size = k->shared_bytes;
    }
    o->first_unloaded = o->elf.count;
}

/* ---------------------------------------------------------------- symbols */

static void add_section_symbols(struct object *o, const unsigned *sections, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct fh_elf_symbol symbol = {.type = FH_STT_SECTION, .section = sections[i]};
        fh_elf_add_symbol(&o->elf, NULL, &symbol);
    }
}

static void add_code_symbol(struct object *o, const char *name, uint8_t binding, uint8_t other,
                            unsigned index, uint32_t first, uint32_t count) {
    const struct fh_elf_symbol symbol = {.binding = binding,
                                         .type = FH_STT_FUNC,
                                         .other = other,
                                         .section = index,
                                         .value = (uint64_t)first * FH_INST_BYTES,
                                         .size = (uint64_t)count * FH_INST_BYTES};
    fh_elf_add_symbol(&o->elf, name, &symbol);
}

static void add_entries(struct object *o, const struct fh_entry *entries, uint32_t count,
                        unsigned index) {
    for (uint32_t i = 0; i < count; i++)
        add_code_symbol(o, entries[i].name, FH_STB_LOCAL, 0, index, entries[i].word,
                        entries[i].word_count);
}

static void add_symbols(struct object *o) {
    const fhec_program *p = o->program;
    add_section_symbols(o, o->constant0, p->kernel_count);
    add_section_symbols(o, o->bank, p->bank_count);
    add_section_symbols(o, o->segment, p->segment_count);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_entries(o, p->kernels[i].entries, p->kernels[i].entry_count, o->kernel_text[i]);
    for (uint32_t i = 0; i < p->function_count; i++)
        add_entries(o, p->functions[i].entries, p->functions[i].entry_count, o->function_text[i]);
    fh_elf_locals_end(&o->elf);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        add_code_symbol(o, p->kernels[i].name, FH_STB_GLOBAL, FH_STO_ENTRY, o->kernel_text[i], 0,
                        p->kernels[i].word_count);
    for (uint32_t i = 0; i < p->function_count; i++)
        add_code_symbol(o, p->functions[i].name, FH_STB_GLOBAL, 0, o->function_text[i], 0,
                        p->functions[i].word_count);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const struct fh_variable *v = &p->variables[i];
        const struct fh_elf_symbol symbol = {.binding = FH_STB_GLOBAL,
                                             .type = FH_STT_OBJECT,
                                             .section = v->constant ? o->bank[v->index]
                                                                    : o->segment[v->index],
                                             .value = v->offset,
                                             .size = v->size};
        fh_elf_add_symbol(&o->elf, v->name, &symbol);
    }
    for (uint32_t i = 0; i < p->external_count; i++)
        add_code_symbol(o, p->externals[i], FH_STB_GLOBAL, 0, FH_SHN_UNDEF, 0, 0);
}

/* ---------------------------------------------------------------- relocations */

/* The section that holds the field of a relocation; 0 if there is none. */
static unsigned section_of(struct object *o, const struct fh_relocation *relocation) {
    switch (relocation->holder) {
    case FH_IN_KERNEL: return o->kernel_text[relocation->index];
    case FH_IN_FUNCTION: return o->function_text[relocation->index];
    case FH_IN_BANK: return o->bank[relocation->index];
    case FH_IN_SEGMENT: return o->segment[relocation->index];
    default: break;
    }
    /* a bank of the kernel: it is about the kernel's code and has the bank's name */
    char prefix[32];
    int length = snprintf(prefix, sizeof prefix, ".nv.constant%u.", relocation->bank);
    for (unsigned i = o->first_loaded; i < o->first_written; i++)
        if (section(o, i)->info == o->kernel_text[relocation->index] &&
            strncmp(fh_elf_section_name(&o->elf, i), prefix, (size_t)length) == 0)
            return i;
    return 0;
}

static uint32_t relocation_type(const struct fh_relocation *relocation) {
    bool code = relocation->holder == FH_IN_KERNEL || relocation->holder == FH_IN_FUNCTION;
    switch (relocation->field) {
    case FH_FIELD_64: return relocation->generic ? FH_R_G64 : FH_R_64;
    case FH_FIELD_HIGH: return code ? FH_R_ABS32_HI_32 : FH_R_32_HI;
    case FH_FIELD_CALL: return FH_R_ABS47_34;
    default: return code ? FH_R_ABS32_LO_32 : relocation->generic ? FH_R_G32 : FH_R_32;
    }
}

/* The symbol that an address is counted from, which lies at *base of its section. */
static uint32_t symbol_of(const fhec_program *p, const struct fh_relocation *relocation,
                          uint64_t *base) {
    *base = 0;
    if (relocation->of == FH_OF_KERNEL)
        return kernel_symbols(p) + relocation->target;
    if (relocation->of == FH_OF_FUNCTION)
        return function_symbols(p) + relocation->target;
    if (relocation->of == FH_OF_EXTERNAL)
        return external_symbols(p) + relocation->target;
    const uint32_t variable = fh_relocation_variable(p, relocation);
    if (variable) {
        *base = relocation->from;
        return variable_symbols(p) + variable - 1;
    }
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const struct fh_variable *v = &p->variables[i];
        if (v->constant == (relocation->of == FH_OF_BANK) && v->index == relocation->target &&
            relocation->addend >= v->offset && relocation->addend - v->offset < v->size) {
            *base = v->offset;
            return variable_symbols(p) + i;
        }
    }
    return (relocation->of == FH_OF_BANK ? bank_symbols(p) : segment_symbols(p)) +
           relocation->target;
}

/* The section of relocations of a section, made when it is first asked for; NULL without memory. */
static struct fh_bytes *rela_of(struct object *o, unsigned index) {
    if (!o->rela[index]) {
        /* the name is copied: the table that it stands in may move as it grows */
        char *name = strdup(fh_elf_section_name(&o->elf, index));
        if (!name)
            return NULL;
        unsigned rela = add_about(o, ".rela", name, FH_SHT_RELA, 0, 8, index);
        section(o, rela)->link = FH_ELF_SYMBOLS;
        section(o, rela)->entry = FH_ELF_RELA_BYTES;
        o->rela[index] = rela;
        free(name);
    }
    return content(o, o->rela[index]);
}

static void add_relocations(struct object *o) {
    const fhec_program *p = o->program;
    for (uint32_t i = 0; i < p->relocation_count && !o->no_memory; i++) {
        const struct fh_relocation *relocation = &p->relocations[i];
        bool code = relocation->holder == FH_IN_KERNEL || relocation->holder == FH_IN_FUNCTION;
        uint64_t base;
        if (relocation->relative)
            continue;
        unsigned index = section_of(o, relocation);
        uint32_t symbol = symbol_of(p, relocation, &base);
        if (!index)
            continue;
        const struct fh_elf_relocation entry = {.offset = relocation->offset - (code ? 4 : 0),
                                                .symbol = symbol,
                                                .type = relocation_type(relocation),
                                                .addend = relocation->addend - base};
        struct fh_bytes *rela = rela_of(o, index);
        if (rela)
            fh_elf_put_rela(rela, &entry);
        else
            o->no_memory = true;
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
static uint32_t put_frames(struct fh_bytes *info, const struct fh_entry *entries, uint32_t count,
                           uint32_t symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].local_bytes)
            fh_put_frame(info, symbol + i, entries[i].local_bytes);
    return symbol + count;
}

/* Once the sections of code have their indices. */
static void fill_info(struct object *o) {
    const fhec_program *p = o->program;
    struct fh_bytes *whole = content(o, S_INFO);
    const uint32_t externals = external_symbols(p);
    fh_put_attributes(whole, &p->info, externals);
    fh_put_cuinfo(content(o, S_CUINFO), o->program->machine);
    fh_put_notes(content(o, S_NOTES), p);
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        const struct fh_kernel *k = &p->kernels[i];
        unsigned index = FIXED_SECTIONS + i;
        section(o, index)->link = FH_ELF_SYMBOLS;
        section(o, index)->info = o->kernel_text[i];
        fh_put_code_info(whole, kernel_symbols(p) + i, k->registers, k->local_bytes, true);
        fh_put_symbol_attributes(whole, &k->info, kernel_symbols(p) + i);
        fh_put_kernel_info(content(o, index), k, constant0_symbols() + i, externals);
    }
    for (uint32_t i = 0; i < p->function_count; i++) {
        const struct fh_function *f = &p->functions[i];
        unsigned index = FIXED_SECTIONS + p->kernel_count + i;
        section(o, index)->link = FH_ELF_SYMBOLS;
        section(o, index)->info = o->function_text[i];
        fh_put_code_info(whole, function_symbols(p) + i, f->registers, f->local_bytes, false);
        fh_put_symbol_attributes(whole, &f->info, function_symbols(p) + i);
        fh_put_function_info(content(o, index), f, externals);
    }
    uint32_t entry = entry_symbols(p);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        entry = put_frames(whole, p->kernels[i].entries, p->kernels[i].entry_count, entry);
    for (uint32_t i = 0; i < p->function_count; i++)
        entry = put_frames(whole, p->functions[i].entries, p->functions[i].entry_count, entry);
}

static void fill(struct object *o) {
    (void)add_section(o, "", ".fhec.info", FH_SHT_PROGBITS, 0, 4);
    (void)add_section(o, "", ".nv.info", FH_SHT_NV_INFO, 0, 4);
    (void)add_section(o, "", ".note.nv.cuinfo", FH_SHT_NOTE, 0, 4);
    section(o, S_INFO)->link = FH_ELF_SYMBOLS;
    add_info(o);
    add_loaded(o);
    add_written(o);
    add_symbols(o);
    add_relocations(o);
    fill_info(o);
}

/* ---------------------------------------------------------------- the whole */

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
    fh_elf_writer_free(&o->elf);
    free(o->rela);
    free(o->constant0);
    free(o->kernel_text);
    free(o->function_text);
    free(o->bank);
    free(o->segment);
}

static bool object_new(struct object *o, const fhec_program *p, size_t sections) {
    *o = (struct object){.program = p};
    o->rela = calloc(sections, sizeof *o->rela);
    o->constant0 = calloc(p->kernel_count + 1u, sizeof *o->constant0);
    o->kernel_text = calloc(p->kernel_count + 1u, sizeof *o->kernel_text);
    o->function_text = calloc(p->function_count + 1u, sizeof *o->function_text);
    o->bank = calloc(p->bank_count + 1u, sizeof *o->bank);
    o->segment = calloc(p->segment_count + 1u, sizeof *o->segment);
    return o->rela && o->constant0 && o->kernel_text && o->function_text && o->bank && o->segment &&
           fh_elf_writer_new(&o->elf, (unsigned)sections);
}

static bool write_file(struct object *o, struct fh_bytes *file) {
    const uint32_t architecture = o->program->machine->architecture;
    const struct fh_elf_identity identity = {.osabi = FH_ELF_OSABI,
                                             .abi_version = FH_ELF_ABIVERSION,
                                             .type = FH_ELF_EXEC_FILE,
                                             .machine = FH_EM_CUDA,
                                             .flags = FH_ELF_FLAGS | architecture
                                                                         << FH_ELF_ARCHITECTURE};
    const struct fh_elf_segment segments[] = {
        {o->first_loaded, o->first_written, FH_PF_R | FH_PF_X},
        {o->first_written, o->first_unloaded, FH_PF_R | FH_PF_W}};
    unsigned count = o->first_written < o->first_unloaded ? 2 : 1;
    return fh_elf_write(&o->elf, &identity, segments, count, file);
}

fhec_status fhec_program_write(const fhec_program *program, uint8_t **bytes, size_t *length) {
    *bytes = NULL;
    *length = 0;
    size_t sections = section_limit(program);
    if (sections >= FH_SHN_RESERVED) /* indices of sections have 16 bits */
        return FHEC_BAD_INPUT;
    struct object o;
    struct fh_bytes file = {0};
    bool good = object_new(&o, program, sections);
    if (good) {
        fill(&o);
        good = !o.no_memory && write_file(&o, &file);
    }
    object_free(&o);
    if (!good) {
        fh_bytes_free(&file);
        return FHEC_HOST_ERROR;
    }
    *bytes = file.data;
    *length = file.count;
    return FHEC_OK;
}
