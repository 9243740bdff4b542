/*
 * match.h - between match.c, which finds the form that a statement's text fits, and explain.c,
 * which says why there is none.
 */
#ifndef FH_MATCH_H
#define FH_MATCH_H

#include "asm.h"

/* What a dotted mnemonic can be: a form, with the modifiers that its text gives. */
struct fh_candidate {
    const struct fh_form *form;
    const struct fh_insn *insn;
    const char *alias;                 /* the derived name that was written ("MOV"); NULL none */
    struct fh_inst proto;              /* modifiers set, operands at their defaults */
    uint8_t operands[FH_MAX_OPERANDS]; /* indices of those that the modifiers call for */
    uint8_t operand_count;
    uint8_t least, most;  /* how many arguments fit, glued ones apart */
    uint16_t must, may;   /* their classes (match.c): of those that are needed, and of all */
    bool x;               /* .X is set: signs are "~" */
    bool target, address; /* as in struct fh_matched */
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

/* Why an operand does not fit, the more telling the later. */
enum fh_why {
    FH_WHY_SURPLUS,
    FH_WHY_KIND,
    FH_WHY_MISSING,
    FH_WHY_SUFFIX,    /* has one that it cannot have */
    FH_WHY_NO_SUFFIX, /* lacks one */
    FH_WHY_SIGN,
    FH_WHY_REUSE,
    FH_WHY_FIT,
};

struct fh_miss {
    bool any;
    uint8_t arg; /* index of the argument; the number of arguments if one is missing */
    uint8_t why; /* enum fh_why */
    const struct fh_operand_spec *spec; /* of several at this argument one that must be there */
};

/* Whether the operand is written as two numbers. */
static inline bool fh_is_pair(const struct fh_operand_spec *spec) {
    return spec->number == FH_N_F16X2 || spec->number == FH_N_BF16X2;
}
/* Does the argument fit the operand? Fills op, which is at its defaults; on false `why` says what
 * is wrong. */
bool fh_match_operand(struct fh_asm *a, const struct fh_candidate *c,
                      const struct fh_operand_spec *spec, const struct fh_value *v, bool strict,
                      struct fh_operand *op, enum fh_why *why);
/* Fits the statement's arguments to a candidate. `strict`: an address without a uniform register
 * wants a form without one. */
bool fh_match_operands(struct fh_asm *a, const struct fh_candidate *c, bool strict,
                       struct fh_matched *m, struct fh_miss *miss);
/* Whether texts such as "STRONG.SM" stand at the dot at text[at]; returns the bytes, or 0. */
size_t fh_modifier_at(const char *text, size_t length, size_t at, const char *modifier);

void fh_explain_mnemonic(struct fh_asm *a, const struct fh_mnemonic *mnemonic);
void fh_explain_operands(struct fh_asm *a, const struct fh_mnemonic *mnemonic);

#endif
