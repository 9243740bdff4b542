/*
 * mnemonic.h - dotted mnemonics: the forms that one can be, by its modifiers.
 */
#ifndef FH_MNEMONIC_H
#define FH_MNEMONIC_H

#include "isa.h"

struct fh_asm;
struct fh_statement;

/* How many arguments are compared by their places. */
enum { FH_LEADING = 4 };

/* What a dotted mnemonic can be: a form, with the modifiers that its text gives. */
struct fh_candidate {
    const struct fh_form *form;
    const struct fh_insn *insn;
    const char *alias;                 /* the derived name that was written ("MOV"); NULL none */
    struct fh_inst proto;              /* modifiers set, operands at their defaults */
    uint8_t operands[FH_MAX_OPERANDS]; /* indices of those that the modifiers call for */
    uint8_t operand_count;
    uint8_t least, most; /* how many arguments fit, glued ones apart */
    uint16_t must, may;  /* their classes: of those that are needed, and of all */
    /* The classes of the first ones, as many as are always given; 0: any. */
    uint16_t leading[FH_LEADING];
    bool x;               /* .X is set: signs are "~" */
    bool e;               /* .E is set: addresses have 64 bits */
    bool target, address; /* some operand is a FH_K_TARGET, a FH_K_ADDR */
};

/* Kept per distinct text, so modifiers are looked up once: what FH_S_MNEMONIC symbols hold. */
struct fh_mnemonic {
    unsigned first_insn, insn_count; /* of the root; 0: unknown */
    struct fh_candidate *candidates;
    size_t count;
    /* If there are none: how far the modifiers fitted, and what was wanted there. */
    uint32_t fitted;                  /* bytes of the text */
    const struct fh_mod_spec *wanted; /* NULL: the text should have ended */
};

/* All forms that the text can be; NULL when there is no memory. */
struct fh_mnemonic *fh_mnemonic_of(struct fh_asm *a, const char *text, size_t length);
/* A statement's arguments: how many, their classes, those of the first ones, and whether one is a
 * sum outside of brackets, which may be two that are glued. */
struct fh_shape {
    size_t count;
    unsigned classes;
    uint16_t leading[FH_LEADING];
    bool sum;
};
struct fh_shape fh_shape_of(const struct fh_statement *st);
/* Whether such arguments can be the candidate's. */
bool fh_plausible(const struct fh_shape *shape, const struct fh_candidate *c);

/* Whether the operand is written as two numbers. */
static inline bool fh_is_pair(const struct fh_operand_spec *spec) {
    return spec->number == FH_N_F16X2 || spec->number == FH_N_BF16X2;
}

#endif
