/*
 * cubin_reader.h - the reading of an object from inside: its state, reports, memory, sections and
 * symbols, and the passes over them. Their order is in cubin_read.c.
 *
 * The bytes may be anything: nothing is used before its range, its size and its sense have been
 * checked. After an error nothing more is said, and reading ends.
 */
#ifndef FH_CUBIN_READER_H
#define FH_CUBIN_READER_H

#include "cubin.h"
#include "elf64.h"

enum fh_object_error {
#define X(name, id, severity, text) FH_OBJECT_##name,
    FH_OBJECT_DIAGNOSTICS(X)
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

struct fh_cubin_reader {
    const char *name; /* of the file */
    fhec_diagnostic_fn *diagnostic;
    void *user;
    bool no_memory, bad;
    bool noted;     /* there was .fhec.info */
    bool expanded;  /* of the version with expansions */
    bool expected;  /* of a version with expectations */
    bool shared;    /* of a version with variables of shared memory */
    bool contracts; /* of the version with value contracts among them */
    bool unlinked;  /* it was compiled with -rdc and not linked */
    struct fh_elf elf;
    struct fh_section_use *use; /* by section */
    const struct fh_elf_section *symbols;
    fhec_program *program;
    size_t copied; /* bytes of code and data so far; no more than the file has */
};

/* Says what is wrong. */
void fh_cubin_report(struct fh_cubin_reader *r, enum fh_object_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether reading has ended. */
static inline bool fh_cubin_ended(const struct fh_cubin_reader *r) {
    return r->bad || r->no_memory;
}

/* calloc that remembers a failure; one more element of an array, which may move; a copied text. */
void *fh_cubin_allocate(struct fh_cubin_reader *r, size_t count, size_t size);
bool fh_cubin_grow(struct fh_cubin_reader *r, void *array, uint32_t count, size_t size);
char *fh_cubin_text(struct fh_cubin_reader *r, const char *text, size_t length);

/* Whether the section has a size, and no bytes in the file. */
bool fh_cubin_no_bits(const struct fh_elf_section *section);
/* Whether the bytes of the section are there, NULL if it is empty; a report if not. */
bool fh_cubin_has_bytes(struct fh_cubin_reader *r, const struct fh_elf_section *section);
/* Sections do not overlap in a sound object, so all copies together are no larger than it. */
bool fh_cubin_count(struct fh_cubin_reader *r, const struct fh_elf_section *section);

/* Symbol `index`; false if there is no such. */
bool fh_cubin_symbol(const struct fh_cubin_reader *r, uint64_t index, struct fh_elf_symbol *symbol);
/* What its section became; NULL if it is in none. */
const struct fh_section_use *fh_cubin_symbol_use(const struct fh_cubin_reader *r,
                                                 const struct fh_elf_symbol *symbol);
/* Whether a name is there and has no blanks or control characters. */
bool fh_cubin_good_name(const char *name);
struct fh_kernel *fh_cubin_kernel(const struct fh_cubin_reader *r, const char *name, size_t length);
/* The kernel that the section `prefix`K is about; NULL for other sections. */
struct fh_kernel *fh_cubin_about(const struct fh_cubin_reader *r,
                                 const struct fh_elf_section *section, const char *prefix);

/* The passes, each over one section. */
typedef void fh_section_fn(struct fh_cubin_reader *r, uint32_t section);
fh_section_fn fh_cubin_take_code;        /* cubin_code.c: kernels and functions */
fh_section_fn fh_cubin_take_data;        /* cubin_data.c: banks, shared memory, variables' memory */
fh_section_fn fh_cubin_take_info;        /* cubin_info.c: .nv.info */
fh_section_fn fh_cubin_take_relocations; /* cubin_relocations.c: behind all code and data */
fh_section_fn fh_cubin_take_notes;       /* cubin_notes.c: .fhec.info */
fh_section_fn fh_cubin_take_tables;      /* cubin_labels.c: of branch targets, without .fhec.info */
fh_section_fn fh_cubin_take_lines;       /* cubin_lines.c: .debug_line */

/* cubin_attributes.c: keeps a record of .nv.info that nothing here uses, of two bytes at `head` and
 * `half` behind them, and its value if it has one. */
void fh_cubin_keep(struct fh_cubin_reader *r, struct fh_info *info, const uint8_t *head,
                   uint32_t half, struct fh_cursor *value);
/* Gives kept lists of functions that are not there the program's numbers of them, behind
 * fh_cubin_take_externals. */
void fh_cubin_name_externs(struct fh_cubin_reader *r);

/* And those over the symbols or the program. */
void fh_cubin_take_names(struct fh_cubin_reader *r); /* cubin_names.c: variables, entries */
void fh_cubin_take_externals(
    struct fh_cubin_reader *r);                         /* cubin_relocations.c, behind the others */
void fh_cubin_take_pointers(struct fh_cubin_reader *r); /* cubin_labels.c: of functions */
void fh_cubin_make_names_unique(struct fh_cubin_reader *r); /* cubin_names.c */

#endif
