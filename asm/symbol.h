/*
 * symbol.h - symbols, and tables that find them by their names.
 */
#ifndef FH_SYMBOL_H
#define FH_SYMBOL_H

#include "arena.h"
#include "source.h"

enum fh_symbol_kind {
    FH_S_NUMBER,    /* .equ, .set, .shared, -D */
    FH_S_REGISTERS, /* .reg */
    FH_S_CONSTANT,  /* .param, .constant */
    FH_S_LABEL,
    FH_S_VARIABLE, /* a label of a section of data, for the whole program */
    FH_S_CODE,     /* a kernel or function */
    FH_S_EXTERNAL, /* a function that is not in the file */
    FH_S_LOCAL,    /* a number as a label, "1:": the last one and the next one */
    FH_S_MACRO,
    FH_S_MNEMONIC, /* mnemonic.c: what a dotted mnemonic stands for */
};

struct fh_symbol {
    const char *name;
    uint32_t length;
    uint32_t listed;         /* 1 + index in the program's names; 0: not yet */
    uint8_t kind;            /* enum fh_symbol_kind */
    bool variable;           /* NUMBER: may be set again */
    bool large;              /* NUMBER: as a value's */
    bool defined;            /* LABEL, VARIABLE */
    bool function;           /* CODE: no kernel */
    uint8_t reg_kind, first; /* REGISTERS: kind and number of the register with index `low` */
    uint8_t bank;            /* CONSTANT */
    uint16_t shared;         /* NUMBER: as a value's */
    int64_t value;           /* NUMBER; LABEL: byte address; CONSTANT, VARIABLE: offset; REGISTERS:
                                low; CODE, EXTERNAL: index in the program */
    uint32_t count;          /* REGISTERS: how many; CONSTANT, VARIABLE: bytes */
    void *more; /* MACRO: struct fh_macro; MNEMONIC: struct fh_mnemonic; VARIABLE: struct
                   fh_section */
    struct fh_symbol *back, *forward; /* LOCAL: labels */
    struct fh_span at;
};

/* Open addressing over malloc'd slots; the symbols themselves are in an arena. The hashes of the
 * slots, in the same block behind them, save looking at symbols, which lie far apart. */
struct fh_table {
    struct fh_symbol **slots;
    uint32_t *hashes;       /* of slots that are taken */
    size_t capacity, count; /* capacity is a power of two or 0 */
};

struct fh_symbol *fh_table_find(const struct fh_table *t, const char *name, size_t length);
/* The same in either of two tables, the first one first. */
struct fh_symbol *fh_table_find_in_two(const struct fh_table *first, const struct fh_table *second,
                                       const char *name, size_t length);
/* Adds a symbol that is not there yet; its name is kept by address. NULL: no memory. */
struct fh_symbol *fh_table_add(struct fh_table *t, struct fh_arena *arena, const char *name,
                               size_t length);
void fh_table_clear(struct fh_table *t);

#endif
