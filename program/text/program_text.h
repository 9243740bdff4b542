/*
 * program_text.h - what the files that print a program share.
 */
#ifndef FH_PROGRAM_TEXT_H
#define FH_PROGRAM_TEXT_H

#include "bytes.h"
#include "program.h"

/* A program on its way to text. */
struct fh_text_writer {
    const fhec_program *program;
    unsigned flags;
    fhec_diagnostic_fn *diagnostic;
    void *user;
    struct fh_bytes out;
    char *target;                         /* of the last `.target`; NULL before the first one */
    bool no_descriptor_bit;               /* `.descbit 0` has been written */
    bool bad;                             /* something cannot be written, which has been said */
    const struct fh_patch **patches;      /* by place, index, bank and offset */
    const struct fh_variable **variables; /* by where they lie */
};

void fh_write(struct fh_text_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Says what cannot be written. */
void fh_write_problem(struct fh_text_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether a name can stand in a source; says so if not. */
bool fh_write_check_name(struct fh_text_writer *w, const char *name);

/* The patches within one place, in order of their offsets. */
struct fh_patch_list {
    const struct fh_patch **list;
    uint32_t count;
};
struct fh_patch_list fh_patches_of(const struct fh_text_writer *w, enum fh_patch_place place,
                                   uint32_t index, uint8_t bank);
/* The address that a patch holds, by name: "table+0x8", "32@lo((table))" as its field asks. */
void fh_write_address(struct fh_text_writer *w, struct fh_bytes *to, const struct fh_patch *patch);
void fh_print_to(struct fh_bytes *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Data of one place: `bytes` NULL for zeros. */
struct fh_text_data {
    const uint8_t *bytes;
    uint64_t size;
    enum fh_patch_place place;
    uint32_t index;
    uint8_t bank;
};
void fh_write_data(struct fh_text_writer *w, const struct fh_text_data *data);
void fh_write_sections(struct fh_text_writer *w);

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
/* Whether the patch holds the address of an instruction of its own code, which has a label then. */
bool fh_patch_label(const fhec_program *p, const struct fh_patch *patch, uint32_t *word);
void fh_print_label(struct fh_bytes *to, const struct fh_text_code *code, uint32_t word);
void fh_write_code(struct fh_text_writer *w, const struct fh_text_code *code);

#endif
