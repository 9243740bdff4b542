/*
 * elf64_writer.h - an ELF file of 64 bits under construction: sections in the order in which they
 * come to lie behind the header, their names, symbols and segments.
 */
#ifndef FH_ELF64_WRITER_H
#define FH_ELF64_WRITER_H

#include "bytes.h"
#include "elf64.h"

struct fh_elf_new_section {
    struct fh_bytes content; /* none of FH_SHT_NOBITS */
    uint64_t flags, size, alignment, entry;
    uint64_t offset;     /* in the file, once that is made */
    uint32_t type, name; /* name: where it is in the table of names */
    uint32_t link, info;
};

struct fh_elf_writer {
    struct fh_elf_new_section *sections; /* 0 is none; 1 to 3 are the tables: */
    unsigned count, capacity;
    uint32_t symbol_count;
};
enum { FH_ELF_NAMES = 1, FH_ELF_STRINGS, FH_ELF_SYMBOLS, FH_ELF_FIRST_OWN };

/* Makes room for `capacity` sections, those that every file has among them, and makes the latter.
 * False without memory. What fails later is seen by fh_elf_write. */
bool fh_elf_writer_new(struct fh_elf_writer *w, unsigned capacity);
void fh_elf_writer_free(struct fh_elf_writer *w);

/* The next section, of the name prefix + name; its number. Its memory stays where it is. */
unsigned fh_elf_add_section(struct fh_elf_writer *w, const char *prefix, const char *name,
                            uint32_t type, uint64_t flags, uint64_t alignment);
/* The name of a section that has been made; valid until the next one is. */
const char *fh_elf_section_name(const struct fh_elf_writer *w, unsigned section);
/* `name` NULL: none. Local symbols come first; fh_elf_locals_end is called behind the last one. */
void fh_elf_add_symbol(struct fh_elf_writer *w, const char *name,
                       const struct fh_elf_symbol *symbol);
void fh_elf_locals_end(struct fh_elf_writer *w);
/* An entry for a section of type FH_SHT_RELA. */
void fh_elf_put_rela(struct fh_bytes *content, const struct fh_elf_relocation *relocation);

/* Sections `first` up to `end`, which are loaded together. */
struct fh_elf_segment {
    unsigned first, end;
    uint32_t flags;
};
/* What the header says beside where the tables are. */
struct fh_elf_identity {
    uint8_t osabi, abi_version;
    uint16_t type, machine;
    uint32_t flags;
};
/* The file: header, sections, table of sections, table of segments, which has a segment for itself.
 * False without memory. */
bool fh_elf_write(struct fh_elf_writer *w, const struct fh_elf_identity *identity,
                  const struct fh_elf_segment *segments, unsigned segment_count,
                  struct fh_bytes *file);

#endif
