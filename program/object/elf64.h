/*
 * elf64.h - ELF files of 64 bits, little-endian, as the System V ABI describes them: the numbers
 * that fhec uses, and a reader of bytes that may be anything. What CUDA makes of the format is in
 * cubin.h.
 *
 * The reader keeps no copy: names and bytes of sections are those of the file, which must stay.
 */
#ifndef FH_ELF64_H
#define FH_ELF64_H

#include "cursor.h"

enum { FH_ELF_HEADER_BYTES = 64, FH_ELF_SEGMENT_BYTES = 56, FH_ELF_SECTION_BYTES = 64 };
enum { FH_ELF_SYMBOL_BYTES = 24, FH_ELF_REL_BYTES = 16, FH_ELF_RELA_BYTES = 24 };

/* Types of files, sections and segments; flags. */
enum { FH_ELF_REL_FILE = 1, FH_ELF_EXEC_FILE = 2 };
enum {
    FH_SHT_PROGBITS = 1,
    FH_SHT_SYMTAB = 2,
    FH_SHT_STRTAB = 3,
    FH_SHT_RELA = 4,
    FH_SHT_NOTE = 7,
    FH_SHT_NOBITS = 8,
    FH_SHT_REL = 9,
};
enum { FH_SHF_WRITE = 1, FH_SHF_ALLOC = 2, FH_SHF_EXECINSTR = 4, FH_SHF_INFO_LINK = 0x40 };
enum { FH_PT_LOAD = 1, FH_PT_PHDR = 6, FH_PF_X = 1, FH_PF_W = 2, FH_PF_R = 4 };
/* Symbols. Section numbers from FH_SHN_RESERVED on are none. */
enum { FH_STB_LOCAL = 0, FH_STB_GLOBAL = 1 };
enum { FH_STT_NOTYPE = 0, FH_STT_OBJECT = 1, FH_STT_FUNC = 2, FH_STT_SECTION = 3 };
enum { FH_SHN_UNDEF = 0, FH_SHN_RESERVED = 0xff00 };

struct fh_elf_section {
    const char *name;
    const uint8_t *bytes; /* NULL: empty, without bytes in the file, or not within it */
    uint64_t flags, size, alignment;
    uint32_t type, link, info;
};

struct fh_elf {
    struct fh_cursor file;
    uint64_t section_table;
    uint32_t flags;
    uint16_t type, machine;
    uint8_t osabi;
    struct fh_elf_section *sections; /* section 0 is none */
    uint32_t section_count;
};

/* Reads the header; false if the bytes do not begin with one of 64 bits, little-endian. */
bool fh_elf_open(struct fh_elf *elf, const uint8_t *bytes, size_t length);
/* Reads the table of sections. */
enum fh_elf_problem {
    FH_ELF_FINE,
    FH_ELF_NO_MEMORY,
    FH_ELF_CUT_OFF,  /* the table runs past the end of the file */
    FH_ELF_NO_TABLE, /* there is none, or none of names */
    FH_ELF_NO_NAME,  /* section *section has no name */
};
enum fh_elf_problem fh_elf_read_sections(struct fh_elf *elf, uint32_t *section);
void fh_elf_close(struct fh_elf *elf);

struct fh_elf_symbol {
    const char *name;
    uint64_t value, size;
    uint32_t section; /* FH_SHN_UNDEF: it is somewhere else; UINT32_MAX: nowhere */
    uint8_t binding, type, other;
};
/* Symbol `index` of a table of symbols; false if it has no such. */
bool fh_elf_symbol(const struct fh_elf *elf, const struct fh_elf_section *table, uint64_t index,
                   struct fh_elf_symbol *symbol);

struct fh_elf_relocation {
    uint64_t offset, addend;
    uint32_t symbol, type;
    bool has_addend;
};
/* Entry `index` of a section of relocations (FH_SHT_REL, FH_SHT_RELA); false past the last one. */
bool fh_elf_relocation(const struct fh_elf_section *table, uint64_t index,
                       struct fh_elf_relocation *relocation);

#endif
