/*
 * text_writer.h - a program on its way to text: what the files that write its parts share.
 */
#ifndef FH_TEXT_WRITER_H
#define FH_TEXT_WRITER_H

#include "bytes.h"
#include "program.h"

struct fh_text_writer {
    const fhec_program *program;
    unsigned flags;
    fhec_diagnostic_fn *diagnostic;
    void *user;
    struct fh_bytes out;
    char *target;                             /* of the last `.target`; NULL before the first one */
    bool no_descriptor_bit;                   /* `.descbit 0` has been written */
    bool bad;                                 /* something cannot be written, which has been said */
    const struct fh_relocation **relocations; /* by holder, index, bank and offset */
    const struct fh_variable **variables;     /* by where they lie */
};

/* ---------------------------------------------------------------- text_writer.c */

void fh_write(struct fh_text_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same to any buffer, which has a NUL behind its count then. */
void fh_print_to(struct fh_bytes *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Says what cannot be written. */
void fh_write_problem(struct fh_text_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether a name can stand in a source; says so if not. The machine's own names cannot be defined,
 * but a kernel may have one. */
bool fh_write_check_name(struct fh_text_writer *w, const char *name);
bool fh_write_check_kernel(struct fh_text_writer *w, const char *name);

/* ---------------------------------------------------------------- address_text.c */

/* Code of a kernel or a function. */
struct fh_text_code {
    const char *name;
    const fhec_word *words;
    const struct fh_origin *origins; /* may be NULL */
    uint32_t word_count;
    const struct fh_entry *entries;
    uint32_t entry_count;
    bool function;
    uint32_t index;
};
struct fh_text_code fh_text_of_kernel(const fhec_program *program, uint32_t index);
struct fh_text_code fh_text_of_function(const fhec_program *program, uint32_t index);

/* Sorts the program's relocations and variables for what follows. False without memory. */
bool fh_text_index(struct fh_text_writer *w);
/* The relocations within one holder, in order of their offsets. */
struct fh_relocation_list {
    const struct fh_relocation **list;
    uint32_t count;
};
struct fh_relocation_list fh_relocations_of(const struct fh_text_writer *w, enum fh_holder holder,
                                            uint32_t index, uint8_t bank);
/* Whether the relocation holds the address of an instruction of its own code, which has a label
 * then. */
bool fh_relocation_label(const fhec_program *p, const struct fh_relocation *relocation,
                         uint32_t *word);
void fh_print_label(struct fh_bytes *to, const struct fh_text_code *code, uint32_t word);
/* The address that a relocation holds, by name: "table+0x8", "32@lo((table))" as its field asks. */
void fh_write_address(struct fh_text_writer *w, struct fh_bytes *to,
                      const struct fh_relocation *relocation);

/* ---------------------------------------------------------------- code_text.c, data_text.c */

void fh_write_code(struct fh_text_writer *w, const struct fh_text_code *code);

/* record_text.c: records of .nv.info; `code` NULL: of the whole program. Instructions that they
 * name have labels, which are marked in `labels` first. */
void fh_write_records(struct fh_text_writer *w, const struct fh_info *info,
                      const struct fh_text_code *code);
void fh_mark_records(const struct fh_info *info, uint32_t word_count, bool *labels);

/* Data of one holder: `bytes` NULL for zeros. */
struct fh_text_data {
    const uint8_t *bytes;
    uint64_t size;
    enum fh_holder holder;
    uint32_t index;
    uint8_t bank;
};
void fh_write_data(struct fh_text_writer *w, const struct fh_text_data *data);
void fh_write_sections(struct fh_text_writer *w);

#endif
