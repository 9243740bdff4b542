/*
 * object_reader.h - what the files that read an object share: its state, reports, and taking
 * bytes apart. The order of reading is in object_read.c.
 */
#ifndef FH_OBJECT_READER_H
#define FH_OBJECT_READER_H

#include <gelf.h>
#include <libelf.h>

#include "object.h"

enum fh_object_error {
#define X(name, id, text) FH_OBJECT_##name,
    FH_OBJECT_ERRORS(X) FH_OBJECT_WARNINGS(X)
#undef X
};

/* What a section became. */
enum fh_section_kind { FH_IS_NOTHING, FH_IS_KERNEL, FH_IS_FUNCTION, FH_IS_BANK, FH_IS_SEGMENT };
struct fh_section_use {
    uint8_t kind;
    uint8_t bank;   /* FH_IS_BANK: its number */
    uint32_t index; /* of the kernel, function, shared bank or segment */
    bool own;       /* FH_IS_BANK: of kernel `index`, else shared */
};

struct fh_reader {
    const char *name;
    fhec_diagnostic_fn *diagnostic;
    void *user;
    bool no_memory, bad;
    bool noted;    /* there was .fhec.info */
    bool unlinked; /* it was compiled with -rdc and not linked */
    Elf *elf;
    size_t names; /* section of the sections' names */
    size_t section_count;
    struct fh_section_use *use; /* by section */
    Elf_Data *symbols;          /* of the symbol table, once it has been looked for */
    size_t symbol_names;        /* section of their names */
    fhec_program *program;
    size_t copied; /* bytes of code and data so far; no more than the file has */
    size_t length;
};

/* Says what is wrong. After an error nothing more is said, and reading ends. */
void fh_object_report(struct fh_reader *r, enum fh_object_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* calloc that remembers a failure; one more element of an array, which may move. */
void *fh_object_allocate(struct fh_reader *r, size_t count, size_t size);
bool fh_object_grow(struct fh_reader *r, void *array, uint32_t count, size_t size);
char *fh_object_text(struct fh_reader *r, const char *text, size_t length);

/* The bytes of a section as they are in the file. False after a report. */
bool fh_object_bytes(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                     const char *name, const uint8_t **bytes);
/* Whether the section has a size, and no bytes in the file. */
static inline bool fh_object_no_bits(const GElf_Shdr *header) {
    return header->sh_type == SHT_NOBITS || header->sh_type == FH_SHT_NV_GLOBAL;
}
/* Sections do not overlap in a sound object, so all copies together are no larger than it. */
bool fh_object_count(struct fh_reader *r, uint64_t bytes, const char *name);
/* Calls `act` for every section until one of the calls reports. */
typedef void fh_section_fn(struct fh_reader *r, Elf_Scn *section, const GElf_Shdr *header,
                           const char *name);
void fh_object_each(struct fh_reader *r, fh_section_fn *act);

/* The symbol, with its name ("" for none); false if there is no such. */
bool fh_object_symbol(struct fh_reader *r, uint64_t index, GElf_Sym *symbol, const char **name);
/* Whether a name is there and has no blanks or control characters. */
bool fh_object_good_name(const char *name);
struct fh_kernel *fh_object_kernel(struct fh_reader *r, const char *name, size_t length);

/* Bytes being taken apart; `bad` once something ran past the end. */
struct fh_cursor {
    const uint8_t *at;
    size_t left;
    bool bad;
};

static inline const uint8_t *fh_take(struct fh_cursor *c, size_t count) {
    if (count > c->left || c->bad) {
        c->bad = true;
        return NULL;
    }
    const uint8_t *p = c->at;
    c->at += count;
    c->left -= count;
    return p;
}

static inline uint32_t fh_take_u16(struct fh_cursor *c) {
    const uint8_t *p = fh_take(c, 2);
    return p ? (uint32_t)(p[0] | p[1] << 8) : 0;
}

static inline uint32_t fh_take_u32(struct fh_cursor *c) {
    uint32_t low = fh_take_u16(c);
    return low | fh_take_u16(c) << 16;
}

/* The passes over the sections, in the order in which they run (object_read.c). */
fh_section_fn fh_object_take_data;        /* constant banks, shared memory, variables' memory */
fh_section_fn fh_object_take_relocations; /* after all code and data have their places */
void fh_object_take_externals(struct fh_reader *r); /* after those that relocations name */
/* Variables, and functions within code, by the symbols. */
void fh_object_take_names(struct fh_reader *r);
fh_section_fn fh_object_take_notes;                /* .fhec.info */
void fh_object_take_pointers(struct fh_reader *r); /* likewise, of functions */
fh_section_fn fh_object_take_tables;               /* of branch targets, without .fhec.info */
fh_section_fn fh_object_take_lines;                /* .debug_line */

#endif
