/*
 * axes.h - which functions of the fast engine a form has: forms that share one template, and the
 * axes along which the functions made from it differ.
 */
#ifndef ISAC_AXES_H
#define ISAC_AXES_H

#include "isac.h"

enum { MAX_COMBINATIONS = 64, MAX_AXES = 8 };

/* What is specialised. */
enum axis_kind {
    MODIFIER, /* its value */
    SIGN,     /* of one operand */
    SIGNS,    /* whether any operand has one that has no SIGN */
    RESULT,   /* whether a predicate result is wanted */
    SPARE,    /* whether any of the predicate results is that can do without (spare_predicate) */
    STEADY,   /* whether the predicates that are always read are all PT or !PT */
    VALUE,    /* of an immediate */
};

struct axis {
    const char *name;
    enum axis_kind kind;
    size_t index;
    unsigned size; /* values 0 .. size-1 */
    const struct mod *mod;
    /* If not NULL, of a MODIFIER or VALUE: value i stands for number i of these, the last one for
     * all others. */
    const struct numbers *listed;
};

/* Whether operand i is fetched once for all lanes, in the same way whatever it is: an immediate, a
 * constant or a uniform register. */
bool is_fetched_scalar(const struct operand *o);
/* Whether a form with the same shape has a uniform register for operand i. */
bool may_be_uniform(const struct form *form, size_t i);
/* The form of the instruction whose template serves `form`: the same shape, and all the signs that
 * forms of that shape have. */
const struct form *representative(const struct form *form);

/* Whether operand i is one that SIGNS is about. */
bool has_any_sign(const struct form *form, size_t i);
bool spare_predicate(const struct form *form, size_t i);
bool steady_predicate(const struct form *form, size_t i);

/* Whether the instruction has functions for whole warps: not if its body may fault, nor if most of
 * its time goes into other functions, as in floating point. */
bool has_chain(const struct insn *insn);

/* The axes of a form, in the order of the `specialise` line; names the form lacks are left out. */
size_t axes_of(const struct form *form, struct axis axes[MAX_AXES]);
/* How many combinations of values there are, or a number above MAX_COMBINATIONS; 0 for no axes. */
unsigned combinations(const struct axis *axes, size_t n);
/* Splits a combination's number into the axes' values, the first axis highest. False: no word has
 * it. */
bool combination(const struct axis *axes, size_t n, unsigned number, unsigned *values);
/* The combination whose function for any lanes serves combination `number`, too. */
unsigned general(const struct axis *axes, size_t n, unsigned number);
/* The C expression for the axis' value of an op. */
const char *axis_value(const struct form *form, const struct axis *axis);
/* The C expression that the template gets for a value of the axis. */
const char *axis_argument(const struct axis *axis, unsigned value);

#endif
