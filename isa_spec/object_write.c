/*
 * object_write.c - a program as an ELF object (object.h). Sections are gathered in memory, then
 * laid out one after another behind the ELF header; the section headers come last.
 */
#include "object.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_names.h"
#include "tables.h"

/* Bytes under construction. After `failed` nothing more is added. */
struct bytes {
    uint8_t *data;
    size_t count, capacity;
    bool failed;
};

static void put(struct bytes *b, const void *data, size_t count) {
    if (b->failed || count == 0)
        return;
    if (b->count + count > b->capacity) {
        size_t capacity = (b->count + count) * 2 + 64;
        uint8_t *moved = realloc(b->data, capacity);
        if (!moved) {
            b->failed = true;
            return;
        }
        b->data = moved;
        b->capacity = capacity;
    }
    if (data)
        memcpy(b->data + b->count, data, count);
    else
        memset(b->data + b->count, 0, count);
    b->count += count;
}

static void put_u8(struct bytes *b, unsigned v) {
    put(b, &(uint8_t){(uint8_t)v}, 1);
}

static void put_u16(struct bytes *b, unsigned v) {
    put_u8(b, v & 0xff);
    put_u8(b, v >> 8 & 0xff);
}

static void put_u32(struct bytes *b, uint32_t v) {
    put_u16(b, v & 0xffff);
    put_u16(b, v >> 16);
}

static void put_text(struct bytes *b, const char *text) {
    size_t length = strlen(text);
    put_u32(b, (uint32_t)length);
    put(b, text, length);
}

static void align(struct bytes *b, size_t alignment) {
    size_t rest = b->count % alignment;
    put(b, NULL, rest ? alignment - rest : 0);
}

/* ---------------------------------------------------------------- the object under construction */

enum { FIXED_SECTIONS = 7 }; /* null, names, strings, symbols, .nv.info, .fhec.info, constant3 */
enum { S_NAMES = 1, S_STRINGS, S_SYMBOLS, S_INFO, S_FHEC, S_CONSTANT3 };

struct object {
    Elf64_Shdr *headers;
    struct bytes *contents; /* one for each section; SHT_NOBITS have none */
    unsigned count, capacity;
    uint32_t symbols;
};

/* Adds a name to a string table; returns its offset. */
static uint32_t put_name(struct bytes *table, const char *prefix, const char *name) {
    uint32_t at = (uint32_t)table->count;
    put(table, prefix, strlen(prefix));
    put(table, name, strlen(name) + 1);
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

static uint32_t add_symbol(struct object *o, const char *name, unsigned char info,
                           unsigned char other, unsigned section, uint64_t size) {
    Elf64_Sym symbol = {.st_name = name ? put_name(&o->contents[S_STRINGS], "", name) : 0,
                        .st_info = info,
                        .st_other = other,
                        .st_shndx = (Elf64_Section)section,
                        .st_size = size};
    put(&o->contents[S_SYMBOLS], &symbol, sizeof symbol);
    return o->symbols++;
}

/* ---------------------------------------------------------------- .nv.info */

static void sized_record(struct bytes *b, unsigned attribute, unsigned size) {
    put_u8(b, FH_NV_SIZED);
    put_u8(b, attribute);
    put_u16(b, size);
}

static void symbol_record(struct bytes *b, unsigned attribute, uint32_t symbol, uint32_t value) {
    sized_record(b, attribute, 8);
    put_u32(b, symbol);
    put_u32(b, value);
}

static void put_exits(struct bytes *b, const struct fh_kernel *k) {
    struct fh_inst inst;
    struct bytes offsets = {0};
    for (uint32_t w = 0; w < k->word_count; w++)
        if (fh_decode(k->words[w], &inst) && fh_form_control[inst.form->id] == FH_CTRL_exit)
            put_u32(&offsets, w * FH_INST_BYTES);
    /* The length is 16 bits: a kernel with more exits than that lists the first ones. */
    size_t count = offsets.count < 0xfffc ? offsets.count : 0xfffc;
    if (count) {
        sized_record(b, FH_NV_EXIT_OFFSETS, (unsigned)count);
        put(b, offsets.data, count);
    }
    b->failed |= offsets.failed;
    free(offsets.data);
}

static void put_kernel_info(struct bytes *b, const struct fh_kernel *k, uint32_t bank_symbol) {
    sized_record(b, FH_NV_PARAM_CBANK, 8);
    put_u32(b, bank_symbol);
    put_u16(b, FH_PARAM_START);
    put_u16(b, k->param_bytes);
    put_u8(b, FH_NV_HALF);
    put_u8(b, FH_NV_CBANK_PARAM_SIZE);
    put_u16(b, k->param_bytes);
    for (uint32_t i = k->param_count; i-- > 0;) { /* the last one first, as compilers do */
        const struct fh_param *p = &k->params[i];
        sized_record(b, FH_NV_KPARAM_INFO, 12);
        put_u32(b, 0);
        put_u16(b, i);
        put_u16(b, p->offset);
        put_u32(b, p->size << 18 | 0x1f000); /* bank 0 by the compilers' code, no space */
    }
    if (k->barriers) {
        put_u8(b, FH_NV_BYTE);
        put_u8(b, FH_NV_NUM_BARRIERS);
        put_u16(b, k->barriers);
    }
    put_exits(b, k);
}

/* ---------------------------------------------------------------- .fhec.info */

static void put_origin(struct bytes *b, const struct fh_origin *origin) {
    put_u32(b, origin->file);
    put_u32(b, origin->line);
    put_u32(b, origin->column);
    put_u32(b, origin->length);
}

static void put_fhec_info(struct bytes *b, const fhec_program *program) {
    put(b, "fhec", 4);
    put_u32(b, FH_INFO_VERSION);
    put_u32(b, program->file_count);
    for (uint32_t i = 0; i < program->file_count; i++)
        put_text(b, program->files[i]);
    put_u32(b, program->kernel_count);
    for (uint32_t i = 0; i < program->kernel_count; i++) {
        const struct fh_kernel *k = &program->kernels[i];
        put_text(b, k->name);
        put_text(b, k->target);
        put_u32(b, k->param_count);
        for (uint32_t p = 0; p < k->param_count; p++)
            put_text(b, k->params[p].name);
        put_u32(b, k->origins ? k->word_count : 0);
        for (uint32_t w = 0; k->origins && w < k->word_count; w++)
            put_origin(b, &k->origins[w]);
    }
    put_u32(b, program->test_count);
    for (uint32_t i = 0; i < program->test_count; i++) {
        put_text(b, program->tests[i].text);
        put_origin(b, &program->tests[i].origin);
    }
}

/* ---------------------------------------------------------------- kernels */

static const struct fh_constant_bank *find_bank(const struct fh_kernel *k, unsigned number) {
    for (uint32_t i = 0; i < k->bank_count; i++)
        if (k->banks[i].bank == number)
            return &k->banks[i];
    return NULL;
}

static void add_text(struct object *o, const struct fh_kernel *k, unsigned *section,
                     uint32_t *symbol) {
    uint64_t flags =
        SHF_ALLOC | SHF_EXECINSTR | (uint64_t)(k->barriers & FH_BARRIER_MASK) << FH_BARRIER_SHIFT;
    *section = add_section(o, ".text.", k->name, SHT_PROGBITS, flags, FH_TEXT_ALIGN);
    struct bytes *code = &o->contents[*section];
    for (uint32_t w = 0; w < k->word_count; w++) {
        put(code, &k->words[w].lo, 8);
        put(code, &k->words[w].hi, 8);
    }
    *symbol = add_symbol(o, k->name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), FH_STO_ENTRY, *section,
                         (uint64_t)k->word_count * FH_INST_BYTES);
    o->headers[*section].sh_link = S_SYMBOLS;
    o->headers[*section].sh_info = k->registers << 24 | *symbol;
}

/* A section that belongs to the kernel's code. */
static unsigned add_private(struct object *o, const char *prefix, const struct fh_kernel *k,
                            uint32_t type, uint64_t flags, uint64_t alignment, unsigned text) {
    unsigned section = add_section(o, prefix, k->name, type, flags, alignment);
    o->headers[section].sh_info = text;
    return section;
}

/* `bank_symbols` are the section symbols made before, since local symbols come first. */
static void add_kernel(struct object *o, const struct fh_kernel *k, uint32_t bank_symbol) {
    unsigned text, section;
    uint32_t symbol;
    add_text(o, k, &text, &symbol);
    symbol_record(&o->contents[S_INFO], FH_NV_REGCOUNT, symbol, k->registers);
    symbol_record(&o->contents[S_INFO], FH_NV_FRAME_SIZE, symbol, k->local_bytes);
    symbol_record(&o->contents[S_INFO], FH_NV_MIN_STACK_SIZE, symbol, k->local_bytes);

    section = add_private(o, ".nv.info.", k, FH_SHT_NV_INFO, 0, 4, text);
    o->headers[section].sh_link = S_SYMBOLS;
    put_kernel_info(&o->contents[section], k, bank_symbol);

    section = add_private(o, ".nv.constant0.", k, SHT_PROGBITS, SHF_ALLOC, 4, text);
    put(&o->contents[section], NULL, FH_PARAM_START + (size_t)k->param_bytes);
    o->contents[S_SYMBOLS].failed |= o->contents[section].failed;
    if (!o->contents[S_SYMBOLS].failed) {
        Elf64_Sym *local = (Elf64_Sym *)(void *)o->contents[S_SYMBOLS].data + bank_symbol;
        local->st_shndx = (Elf64_Section)section;
    }
    const struct fh_constant_bank *own = find_bank(k, 2);
    if (own) {
        section = add_private(o, ".nv.constant2.", k, SHT_PROGBITS, SHF_ALLOC, 8, text);
        put(&o->contents[section], own->bytes, own->size);
    }
    if (k->shared_bytes) {
        section = add_private(o, ".nv.shared.", k, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 16, text);
        o->headers[section].sh_size = k->shared_bytes;
    }
}

/* ---------------------------------------------------------------- the whole */

/* Bank 3: of the program, or, as the assembler leaves it, of each of its kernels. */
static const struct fh_constant_bank *shared_bank(const fhec_program *program) {
    for (uint32_t i = 0; i < program->bank_count; i++)
        if (program->banks[i].bank == 3)
            return &program->banks[i];
    return program->kernel_count ? find_bank(&program->kernels[0], 3) : NULL;
}

static void fill(struct object *o, const fhec_program *program) {
    o->count = 1; /* the null section */
    put_u8(&o->contents[S_NAMES], 0);
    put_u8(&o->contents[S_STRINGS], 0);
    (void)add_section(o, "", ".shstrtab", SHT_STRTAB, 0, 1);
    (void)add_section(o, "", ".strtab", SHT_STRTAB, 0, 1);
    (void)add_section(o, "", ".symtab", SHT_SYMTAB, 0, 8);
    (void)add_section(o, "", ".nv.info", FH_SHT_NV_INFO, 0, 4);
    (void)add_section(o, "", ".fhec.info", SHT_PROGBITS, 0, 4);
    (void)add_section(o, "", ".nv.constant3", SHT_PROGBITS, SHF_ALLOC, 8);
    o->headers[S_INFO].sh_link = S_SYMBOLS;
    put_fhec_info(&o->contents[S_FHEC], program);
    const struct fh_constant_bank *shared = shared_bank(program);
    if (shared)
        put(&o->contents[S_CONSTANT3], shared->bytes, shared->size);

    (void)add_symbol(o, NULL, 0, 0, 0, 0);
    for (uint32_t i = 0; i < program->kernel_count; i++)
        (void)add_symbol(o, NULL, ELF64_ST_INFO(STB_LOCAL, STT_SECTION), 0, 0, 0);
    o->headers[S_SYMBOLS].sh_link = S_STRINGS;
    o->headers[S_SYMBOLS].sh_info = o->symbols; /* the first global one */
    o->headers[S_SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
    for (uint32_t i = 0; i < program->kernel_count; i++)
        add_kernel(o, &program->kernels[i], i + 1);
}

static bool any_failed(const struct object *o) {
    for (unsigned i = 0; i < o->count; i++)
        if (o->contents[i].failed)
            return true;
    return false;
}

static void lay_out(struct object *o, struct bytes *file) {
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
    put(file, &header, sizeof header);
    for (unsigned i = 1; i < o->count; i++) {
        Elf64_Shdr *h = &o->headers[i];
        align(file, h->sh_addralign);
        h->sh_offset = file->count;
        if (h->sh_type != SHT_NOBITS) {
            h->sh_size = o->contents[i].count;
            put(file, o->contents[i].data, o->contents[i].count);
        }
    }
    align(file, 8);
    header.e_shoff = file->count;
    put(file, o->headers, o->count * sizeof *o->headers);
    if (!file->failed)
        memcpy(file->data, &header, sizeof header);
}

/* Indices of sections have 16 bits. */
_Static_assert(FIXED_SECTIONS + 5 * FH_MAX_KERNELS < SHN_LORESERVE, "too many sections");

fhec_status fhec_program_write(const fhec_program *program, uint8_t **bytes, size_t *length) {
    *bytes = NULL;
    *length = 0;
    if (program->segment_count || program->function_count || program->patch_count)
        return FHEC_BAD_INPUT; /* what a compiler's object has besides has no writer */
    struct object o = {.capacity = FIXED_SECTIONS + 5 * program->kernel_count};
    struct bytes file = {0};
    o.headers = calloc(o.capacity, sizeof *o.headers);
    o.contents = calloc(o.capacity, sizeof *o.contents);
    bool good = o.headers && o.contents;
    if (good) {
        fill(&o, program);
        good = !any_failed(&o);
    }
    if (good)
        lay_out(&o, &file);
    for (unsigned i = 0; o.contents && i < o.count; i++)
        free(o.contents[i].data);
    free(o.contents);
    free(o.headers);
    if (!good || file.failed) {
        free(file.data);
        return FHEC_HOST_ERROR;
    }
    *bytes = file.data;
    *length = file.count;
    return FHEC_OK;
}
