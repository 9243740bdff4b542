/*
 * elf64.c - see elf64.h. Every offset and size of the file is checked against the file's length
 * before something is read there; a name counts only if its NUL is within its table.
 */
#include "elf64.h"

#include <stdlib.h>
#include <string.h>

bool fh_elf_open(struct fh_elf *elf, const uint8_t *bytes, size_t length) {
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2 /* 64 bits */, 1 /* little-endian */, 1};
    *elf = (struct fh_elf){.file = {bytes, length, false}};
    struct fh_cursor c = elf->file;
    const uint8_t *ident = fh_take(&c, 16);
    if (!ident || memcmp(ident, magic, sizeof magic) != 0)
        return false;
    elf->osabi = ident[7];
    elf->type = (uint16_t)fh_take_u16(&c);
    elf->machine = (uint16_t)fh_take_u16(&c);
    (void)fh_take(&c, 4 + 8 + 8); /* version, entry, table of segments */
    elf->section_table = fh_take_u64(&c);
    elf->flags = fh_take_u32(&c);
    (void)fh_take(&c, 12); /* sizes; e_shnum and e_shstrndx: sections_begin */
    return !c.bad;
}

void fh_elf_close(struct fh_elf *elf) {
    free(elf->sections);
    elf->sections = NULL;
    elf->section_count = 0;
}

/* `size` bytes of the file from `offset` on; NULL if they are not all there. */
static const uint8_t *range(const struct fh_elf *elf, uint64_t offset, uint64_t size) {
    size_t length = elf->file.left;
    return offset <= length && size <= length - offset ? elf->file.at + offset : NULL;
}

/* One entry of the table of sections; *name is where its name is. */
static void take_section(const struct fh_elf *elf, struct fh_cursor *c, struct fh_elf_section *s,
                         uint32_t *name) {
    *name = fh_take_u32(c);
    s->type = fh_take_u32(c);
    s->flags = fh_take_u64(c);
    (void)fh_take_u64(c); /* address */
    uint64_t offset = fh_take_u64(c);
    s->size = fh_take_u64(c);
    s->link = fh_take_u32(c);
    s->info = fh_take_u32(c);
    s->alignment = fh_take_u64(c);
    (void)fh_take_u64(c); /* size of an entry: it follows from the type */
    if (s->size && s->type != FH_SHT_NOBITS)
        s->bytes = range(elf, offset, s->size);
}

/* The text at `offset` of a table of strings; NULL if there is none. */
static const char *string_at(const struct fh_elf *elf, uint32_t table, uint32_t offset) {
    if (table >= elf->section_count)
        return NULL;
    const struct fh_elf_section *s = &elf->sections[table];
    if (s->type != FH_SHT_STRTAB || !s->bytes || offset >= s->size ||
        !memchr(s->bytes + offset, 0, (size_t)(s->size - offset)))
        return NULL;
    return (const char *)s->bytes + offset;
}

/* How many sections there are and which one has their names. More than fit the header's 16 bits are
 * counted in section 0. */
static bool count_sections(const struct fh_elf *elf, uint64_t *count, uint32_t *names) {
    enum { COUNTS_AT = 60, IN_SECTION_0 = 0xffff };
    struct fh_cursor c = {elf->file.at + COUNTS_AT, 4, false};
    *count = fh_take_u16(&c);
    *names = fh_take_u16(&c);
    if (*count != 0 && *names != IN_SECTION_0)
        return true;
    const uint8_t *first = range(elf, elf->section_table, FH_ELF_SECTION_BYTES);
    if (!first || elf->section_table == 0)
        return false;
    struct fh_elf_section zero = {0};
    uint32_t name;
    c = (struct fh_cursor){first, FH_ELF_SECTION_BYTES, false};
    take_section(elf, &c, &zero, &name);
    *count = *count ? *count : zero.size;
    *names = *names == IN_SECTION_0 ? zero.link : *names;
    return true;
}

enum fh_elf_problem fh_elf_read_sections(struct fh_elf *elf, uint32_t *section) {
    uint64_t count;
    uint32_t names;
    *section = 0;
    if (!count_sections(elf, &count, &names) || count == 0)
        return FH_ELF_NO_TABLE;
    if (count > elf->file.left / FH_ELF_SECTION_BYTES ||
        !range(elf, elf->section_table, count * FH_ELF_SECTION_BYTES))
        return FH_ELF_CUT_OFF;
    elf->sections = calloc((size_t)count, sizeof *elf->sections);
    uint32_t *name_at = calloc((size_t)count, sizeof *name_at);
    enum fh_elf_problem problem = elf->sections && name_at ? FH_ELF_FINE : FH_ELF_NO_MEMORY;
    struct fh_cursor c = {elf->file.at + elf->section_table, (size_t)count * FH_ELF_SECTION_BYTES,
                          false};
    elf->section_count = problem ? 0 : (uint32_t)count;
    for (uint32_t i = 0; i < elf->section_count; i++)
        take_section(elf, &c, &elf->sections[i], &name_at[i]);
    if (!problem && names >= count)
        problem = FH_ELF_NO_TABLE;
    for (uint32_t i = 1; i < elf->section_count && !problem; i++) {
        elf->sections[i].name = string_at(elf, names, name_at[i]);
        if (!elf->sections[i].name) {
            *section = i;
            problem = FH_ELF_NO_NAME;
        }
    }
    free(name_at);
    return problem;
}

bool fh_elf_symbol(const struct fh_elf *elf, const struct fh_elf_section *table, uint64_t index,
                   struct fh_elf_symbol *symbol) {
    if (!table->bytes || index >= table->size / FH_ELF_SYMBOL_BYTES)
        return false;
    struct fh_cursor c = {table->bytes + index * FH_ELF_SYMBOL_BYTES, FH_ELF_SYMBOL_BYTES, false};
    const char *name = string_at(elf, table->link, fh_take_u32(&c));
    uint32_t info = fh_take_u8(&c);
    symbol->name = name ? name : "";
    symbol->binding = (uint8_t)(info >> 4);
    symbol->type = info & 0xf;
    symbol->other = (uint8_t)fh_take_u8(&c);
    uint32_t section = fh_take_u16(&c);
    symbol->section = section < FH_SHN_RESERVED ? section : UINT32_MAX;
    symbol->value = fh_take_u64(&c);
    symbol->size = fh_take_u64(&c);
    return true;
}

bool fh_elf_relocation(const struct fh_elf_section *table, uint64_t index,
                       struct fh_elf_relocation *relocation) {
    bool has_addend = table->type == FH_SHT_RELA;
    size_t entry = has_addend ? FH_ELF_RELA_BYTES : FH_ELF_REL_BYTES;
    if (!table->bytes || index >= table->size / entry)
        return false;
    struct fh_cursor c = {table->bytes + index * entry, entry, false};
    relocation->offset = fh_take_u64(&c);
    relocation->type = fh_take_u32(&c);
    relocation->symbol = fh_take_u32(&c);
    relocation->addend = has_addend ? fh_take_u64(&c) : 0;
    relocation->has_addend = has_addend;
    return true;
}
