/*
 * fit.h - whether arguments fit the operands of a form.
 */
#ifndef FH_FIT_H
#define FH_FIT_H

#include "expr_value.h"
#include "mnemonic.h"

/* arg_of[i] is the index of the argument that gave operand i, or FH_NO_ARGUMENT. The distance to a
 * label is still 0. */
enum { FH_NO_ARGUMENT = 255 };
struct fh_matched {
    struct fh_inst inst;
    uint8_t arg_of[FH_MAX_OPERANDS];
    bool target, address; /* some operand is a FH_K_TARGET, a FH_K_ADDR */
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
    FH_WHY_UNSIGNED, /* an address that has no register is negative */
    FH_WHY_FIT,
};

struct fh_miss {
    bool any;
    uint8_t arg; /* index of the argument; the number of arguments if one is missing */
    uint8_t why; /* enum fh_why */
    const struct fh_operand_spec *spec; /* of several at this argument one that must be there */
};

/* Does the argument fit the operand? Fills op, which is at its defaults; on false `why` says what
 * is wrong. */
bool fh_fit_operand(struct fh_asm *a, const struct fh_candidate *c,
                    const struct fh_operand_spec *spec, const struct fh_value *v, bool strict,
                    struct fh_operand *op, enum fh_why *why);
/* Fits the current statement's arguments to a candidate. `strict`: an address without a uniform
 * register wants a form without one. */
bool fh_fit_operands(struct fh_asm *a, const struct fh_candidate *c, bool strict,
                     struct fh_matched *m, struct fh_miss *miss);

#endif
