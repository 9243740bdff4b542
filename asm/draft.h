/*
 * draft.h - code and data on the way out: a kernel while it is read, places that wait for a label
 * or for the whole program, and sections of data.
 */
#ifndef FH_DRAFT_H
#define FH_DRAFT_H

#include "dataflow.h"
#include "nearest.h"
#include "program.h"
#include "source.h"

struct fh_symbol;

enum { FH_BANK_COUNT = 32 }; /* constant banks */

/* A place that waits for a label: an operand of a branch, or a field that takes an address. */
struct fh_fixup {
    bool distance;              /* to the label, in operand `operand` of word `word`: */
    uint8_t operand;            /* else its address in a field */
    const struct fh_form *form; /* distance */
    uint32_t word;              /* distance */
    struct fh_patch patch;      /* address: place, field, bank, offset */
    struct fh_symbol *label;    /* NULL: the distance is written as a number, `addend` */
    bool own;                   /* address: the label must be of this code (@srel) */
    bool plain; /* address: of a label of this code only how far it is from the beginning */
    int64_t addend;
    struct fh_span at;
};

/* A place that holds the address of something of the whole program, which may come later. */
struct fh_reference {
    struct fh_patch patch;
    const struct fh_section *section; /* that it lies in; NULL: in code, patch says where */
    bool listed; /* in a listing, which does not declare what it calls of the device runtime */
    struct fh_nearest name; /* the name, and what comes near it among the names of its code */
    struct fh_span at;
};

struct fh_bytes {
    uint8_t *bytes;
    size_t count, capacity;
};

/* Data of the whole program: a shared constant bank or memory of variables. */
struct fh_section {
    const char *name;
    size_t name_length;
    uint8_t bank; /* 0: memory of variables */
    bool zeros;   /* it has no bytes, only a size */
    uint32_t alignment;
    uint64_t size; /* zeros */
    struct fh_bytes data;
    struct fh_symbol *last; /* its last label while that has no size; NULL: none */
    uint32_t index;         /* in the program, once all is read */
};

/* What is known of a word when its kernel is at its end and scheduling fields are filled in. */
enum { FH_NOT_OUTLINED = UINT8_MAX };
struct fh_outline {
    bool given;        /* its scheduling fields stand in the text */
    uint8_t pipe;      /* index; FH_NOT_OUTLINED: the word has to be decoded */
    uint8_t use_count; /* if it need not: in draft.uses */
};

/* The kernel being assembled. */
struct fh_draft {
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
    struct fh_outline *outlines; /* of each word */
    struct fh_use *uses;         /* those of the outlines, in their order */
    bool some_given, some_open;
    unsigned counted; /* scoreboards that DEPBAR names */
    size_t word_count, word_capacity, origin_capacity, outline_capacity;
    size_t use_count, use_capacity;
    struct fh_fixup *fixups;
    size_t fixup_count, fixup_capacity;
    struct fh_symbol **locals; /* labels that are numbers, referred to forward */
    size_t local_count, local_capacity;
    struct fh_param *params; /* names malloc'd */
    size_t param_count, param_capacity;
    uint32_t param_bytes, shared_bytes, local_bytes, barriers, max_threads[3];
    bool stack_unknown;
    unsigned registers_used, registers_asked; /* asked 0: not given */
    struct fh_span registers_at;
    struct fh_bytes banks[FH_BANK_COUNT]; /* the kernel's own */
    struct fh_entry *entries;             /* names malloc'd; word UINT32_MAX: not labelled yet */
    size_t entry_count, entry_capacity;
};

#endif
