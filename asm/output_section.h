/*
 * output_section.h - what the assembler fills: the code of the open kernel or function, sections of
 * data, and the fields in both that wait for an address.
 *
 *     fixup      waits for a label of the open code: resolved at the code's end (fixup.c)
 *     reference  waits for a name of the whole program: resolved at the end of the last file
 *                (linkage.c), where it becomes a relocation of the program (struct fh_relocation)
 */
#ifndef FH_OUTPUT_SECTION_H
#define FH_OUTPUT_SECTION_H

#include "bytes.h"
#include "machines.h"
#include "nearest.h"
#include "program.h"
#include "source.h"

struct fh_symbol;

struct fh_fixup {
    bool distance;                   /* to the label, in operand `operand` of word `word`: */
    uint8_t operand;                 /* else its address in a field */
    const struct fh_form *form;      /* distance */
    uint32_t word;                   /* distance; record */
    uint32_t record;                 /* 1 + the record of .nv.info that has the address in `word` */
    struct fh_relocation relocation; /* address: where, field, bank, offset */
    struct fh_symbol *label;         /* NULL: the distance is written as a number, `addend` */
    bool own;                        /* address: the label must be of this code (@srel) */
    bool plain; /* address: of a label of this code only how far it is from the beginning */
    int64_t addend;
    struct fh_span at;
};

struct fh_reference {
    struct fh_relocation relocation;
    const struct fh_section *section; /* that it lies in; NULL: in code, relocation says where */
    bool listed; /* in a listing, which does not declare what it calls of the device runtime */
    struct fh_nearest name; /* the name, and what comes near it among the names of its code */
    struct fh_span at;
};

/* A section of data of the whole program: a shared constant bank or memory of variables. */
struct fh_section {
    const char *name;
    size_t name_length;
    uint8_t bank; /* 0: memory of variables */
    bool zeros;   /* it has no bytes, only a size */
    uint32_t alignment;
    uint64_t size; /* zeros */
    struct fh_bytes bytes;
    struct fh_symbol *last; /* its last label while that has no size; NULL: none */
    uint32_t index;         /* in the program, once all is read */
};

/* Where data directives put their bytes. */
struct fh_data {
    struct fh_bytes bank;       /* FH_BANK_DATA, of .constant outside of kernels */
    struct fh_bytes *open;      /* where .word goes; NULL: nowhere */
    uint8_t open_bank;          /* `open` is this bank of the open kernel; 0: it is not */
    struct fh_section *section; /* `open` is this section's; NULL: it is not */
    struct fh_symbol *name;     /* of the .constant that is open */
    struct fh_section **sections;
    size_t section_count, section_capacity;
};

/* Of each word of the open code. What is no instruction that is known has no uses. */
struct fh_word_note {
    uint32_t uses; /* where open_code.uses has what it reads and writes */
    uint8_t use_count;
    uint8_t pipe;     /* index into fh_pipes */
    bool known : 1;   /* an instruction */
    bool given : 1;   /* its scheduling fields stand in the text */
    bool special : 1; /* it says more to schedule_fields.c than its uses and its pipe: control, and
                         what counts on scoreboards */
};

/* A .expect that waits for the instruction behind it. */
struct fh_open_expectation {
    struct fh_expectation is;
    char *as_register; /* its text, where its first name is a register's, too; else NULL */
    struct fh_span at;
};

/* The code of a kernel or function while it is read. */
struct fh_open_code {
    bool open;
    const char *name;
    size_t name_length;
    struct fh_span at;
    bool function;     /* no kernel */
    bool in_listing;   /* it ends where the next one begins */
    bool listed;       /* some of its instructions have addresses beside them */
    uint32_t features; /* bit i: fh_features[i] */
    fhec_word *words;
    struct fh_origin *origins;
    struct fh_word_note *notes;
    size_t word_count, word_capacity, origin_capacity, note_capacity;
    struct fh_use *uses; /* of all words, one after another */
    size_t use_count, use_capacity;
    bool some_given, some_open; /* words with scheduling fields in the text, and without */
    unsigned counted;           /* scoreboards that DEPBAR names */
    struct fh_fixup *fixups;
    size_t fixup_count, fixup_capacity;
    struct fh_param *params; /* names malloc'd */
    size_t param_count, param_capacity;
    struct fh_shared *shared; /* names malloc'd */
    size_t shared_count, shared_capacity;
    struct fh_shared_use *shared_uses;
    size_t shared_use_count, shared_use_capacity;
    uint32_t param_bytes, shared_bytes, local_bytes, barriers, max_threads[3], required[3];
    struct fh_info info; /* malloc'd */
    size_t record_capacity, mark_capacity;
    bool stack_unknown;
    unsigned registers_used, registers_asked; /* asked 0: not given */
    struct fh_span registers_at;
    struct fh_bytes banks[FH_BANKS]; /* the kernel's own */
    struct fh_entry *entries;        /* names malloc'd; word UINT32_MAX: not labelled yet */
    size_t entry_count, entry_capacity;
    struct fh_open_expectation *expectations;
    size_t expectation_count, expectation_capacity;
};

#endif
