/*
 * elf64_writer.c - see elf64_writer.h.
 */
#include "elf64_writer.h"

#include <stdlib.h>
#include <string.h>

bool fh_elf_writer_new(struct fh_elf_writer *w, unsigned capacity) {
    *w = (struct fh_elf_writer){.capacity = capacity, .count = 1};
    w->sections = calloc(capacity, sizeof *w->sections);
    if (!w->sections)
        return false;
    static const struct fh_elf_symbol none = {.section = FH_SHN_UNDEF};
    fh_bytes_u8(&w->sections[FH_ELF_NAMES].content, 0);
    fh_bytes_u8(&w->sections[FH_ELF_STRINGS].content, 0);
    (void)fh_elf_add_section(w, "", ".shstrtab", FH_SHT_STRTAB, 0, 1);
    (void)fh_elf_add_section(w, "", ".strtab", FH_SHT_STRTAB, 0, 1);
    (void)fh_elf_add_section(w, "", ".symtab", FH_SHT_SYMTAB, 0, 8);
    w->sections[FH_ELF_SYMBOLS].link = FH_ELF_STRINGS;
    w->sections[FH_ELF_SYMBOLS].entry = FH_ELF_SYMBOL_BYTES;
    fh_elf_add_symbol(w, NULL, &none);
    return true;
}

void fh_elf_writer_free(struct fh_elf_writer *w) {
    for (unsigned i = 0; w->sections && i < w->count; i++)
        fh_bytes_free(&w->sections[i].content);
    free(w->sections);
    w->sections = NULL;
    w->count = 0;
}

/* Adds a name to a table of strings; returns where it is. */
static uint32_t put_name(struct fh_bytes *table, const char *prefix, const char *name) {
    uint32_t at = (uint32_t)table->count;
    fh_bytes_put(table, prefix, strlen(prefix));
    fh_bytes_put(table, name, strlen(name) + 1);
    return at;
}

unsigned fh_elf_add_section(struct fh_elf_writer *w, const char *prefix, const char *name,
                            uint32_t type, uint64_t flags, uint64_t alignment) {
    unsigned index = w->count++;
    struct fh_elf_new_section *s = &w->sections[index];
    s->name = put_name(&w->sections[FH_ELF_NAMES].content, prefix, name);
    s->type = type;
    s->flags = flags;
    s->alignment = alignment;
    return index;
}

const char *fh_elf_section_name(const struct fh_elf_writer *w, unsigned section) {
    const struct fh_bytes *names = &w->sections[FH_ELF_NAMES].content;
    return names->failed ? "" : (const char *)names->data + w->sections[section].name;
}

void fh_elf_add_symbol(struct fh_elf_writer *w, const char *name,
                       const struct fh_elf_symbol *symbol) {
    struct fh_bytes *b = &w->sections[FH_ELF_SYMBOLS].content;
    fh_bytes_u32(b, name ? put_name(&w->sections[FH_ELF_STRINGS].content, "", name) : 0);
    fh_bytes_u8(b, (unsigned)symbol->binding << 4 | symbol->type);
    fh_bytes_u8(b, symbol->other);
    fh_bytes_u16(b, symbol->section);
    fh_bytes_u64(b, symbol->value);
    fh_bytes_u64(b, symbol->size);
    w->symbol_count++;
}

void fh_elf_locals_end(struct fh_elf_writer *w) {
    w->sections[FH_ELF_SYMBOLS].info = w->symbol_count;
}

void fh_elf_put_rela(struct fh_bytes *content, const struct fh_elf_relocation *relocation) {
    fh_bytes_u64(content, relocation->offset);
    fh_bytes_u32(content, relocation->type);
    fh_bytes_u32(content, relocation->symbol);
    fh_bytes_u64(content, relocation->addend);
}

/* ---------------------------------------------------------------- the file */

static void put_section(struct fh_bytes *file, const struct fh_elf_new_section *s) {
    fh_bytes_u32(file, s->name);
    fh_bytes_u32(file, s->type);
    fh_bytes_u64(file, s->flags);
    fh_bytes_u64(file, 0); /* address */
    fh_bytes_u64(file, s->offset);
    fh_bytes_u64(file, s->size);
    fh_bytes_u32(file, s->link);
    fh_bytes_u32(file, s->info);
    fh_bytes_u64(file, s->alignment);
    fh_bytes_u64(file, s->entry);
}

static void put_segment(struct fh_bytes *file, uint32_t type, uint32_t flags, uint64_t offset,
                        uint64_t bytes, uint64_t memory) {
    fh_bytes_u32(file, type);
    fh_bytes_u32(file, flags);
    fh_bytes_u64(file, offset);
    fh_bytes_u64(file, 0); /* addresses */
    fh_bytes_u64(file, 0);
    fh_bytes_u64(file, bytes);
    fh_bytes_u64(file, memory);
    fh_bytes_u64(file, 8); /* alignment */
}

/* Sections without bytes come last in memory, each at its alignment. */
static void put_loaded(const struct fh_elf_writer *w, struct fh_bytes *file,
                       const struct fh_elf_segment *segment) {
    uint64_t memory = 0, bytes = 0, offset = w->sections[segment->first].offset;
    for (unsigned i = segment->first; i < segment->end; i++) {
        const struct fh_elf_new_section *s = &w->sections[i];
        bool in_file = s->type != FH_SHT_NOBITS;
        memory = (memory + s->alignment - 1) / s->alignment * s->alignment;
        if (in_file)
            memory = s->offset - offset;
        memory += s->size;
        if (in_file)
            bytes = memory;
    }
    put_segment(file, FH_PT_LOAD, segment->flags, offset, bytes, memory);
}

static void put_header(struct fh_bytes *file, const struct fh_elf_identity *identity,
                       uint64_t section_table, unsigned sections, uint64_t segment_table,
                       unsigned segments) {
    const uint8_t ident[16] = {
        0x7f, 'E', 'L', 'F', 2, 1, 1, identity->osabi, identity->abi_version};
    fh_bytes_put(file, ident, sizeof ident);
    fh_bytes_u16(file, identity->type);
    fh_bytes_u16(file, identity->machine);
    fh_bytes_u32(file, 1); /* version */
    fh_bytes_u64(file, 0); /* entry */
    fh_bytes_u64(file, segment_table);
    fh_bytes_u64(file, section_table);
    fh_bytes_u32(file, identity->flags);
    fh_bytes_u16(file, FH_ELF_HEADER_BYTES);
    fh_bytes_u16(file, FH_ELF_SEGMENT_BYTES);
    fh_bytes_u16(file, segments);
    fh_bytes_u16(file, FH_ELF_SECTION_BYTES);
    fh_bytes_u16(file, sections);
    fh_bytes_u16(file, FH_ELF_NAMES);
}

static void put_sections(struct fh_elf_writer *w, const struct fh_elf_segment *segments,
                         unsigned segment_count, struct fh_bytes *file) {
    for (unsigned i = 1; i < w->count; i++) {
        struct fh_elf_new_section *s = &w->sections[i];
        for (unsigned k = 0; k < segment_count; k++)
            if (i == segments[k].first)
                fh_bytes_align(file, 8);
        fh_bytes_align(file, s->type == FH_SHT_NOBITS ? 1 : s->alignment);
        s->offset = file->count;
        if (s->type == FH_SHT_NOBITS)
            continue;
        s->size = s->content.count;
        file->failed |= s->content.failed;
        fh_bytes_put(file, s->content.data, s->content.count);
    }
}

bool fh_elf_write(struct fh_elf_writer *w, const struct fh_elf_identity *identity,
                  const struct fh_elf_segment *segments, unsigned segment_count,
                  struct fh_bytes *file) {
    struct fh_bytes header = {0};
    unsigned entries = segment_count + 2;
    uint64_t table = (uint64_t)entries * FH_ELF_SEGMENT_BYTES;
    fh_bytes_put(file, NULL, FH_ELF_HEADER_BYTES);
    put_sections(w, segments, segment_count, file);
    fh_bytes_align(file, 8);
    uint64_t section_table = file->count;
    for (unsigned i = 0; i < w->count; i++)
        put_section(file, &w->sections[i]);
    uint64_t segment_table = file->count;
    put_segment(file, FH_PT_PHDR, FH_PF_R | FH_PF_X, segment_table, table, table);
    for (unsigned i = 0; i < segment_count; i++)
        put_loaded(w, file, &segments[i]);
    put_segment(file, FH_PT_LOAD, FH_PF_R | FH_PF_X, segment_table, table, table);
    put_header(&header, identity, section_table, w->count, segment_table, entries);
    bool good = !file->failed && !header.failed;
    if (good)
        memcpy(file->data, header.data, header.count);
    fh_bytes_free(&header);
    return good;
}
