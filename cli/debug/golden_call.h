/*
 * golden_call.h - golden.NAME(...) in a debugger's expressions: references of golden/ for arrays
 * and numbers. One table says what there is, for calls, `help golden` and the manual.
 *
 * Arrays are limb-major, as everywhere: a list of moduli, [q0, q1], stands for limbs one after
 * another, each with as many elements as the array has for each of them.
 */
#ifndef FH_CLI_GOLDEN_CALL_H
#define FH_CLI_GOLDEN_CALL_H

#include "golden.h"
#include "query.h"

struct fh_cli_golden_call {
    const struct fh_query_value *arguments;
    size_t count;
    uint64_t *arrays[FH_QUERY_ARGUMENTS]; /* elements of those that are arrays, or moduli */
    size_t lengths[FH_QUERY_ARGUMENTS];
    uint64_t numbers[FH_QUERY_ARGUMENTS]; /* of those that are no arrays */
    struct fh_query_value *result;
    const char *problem; /* a sentence; NULL: none yet */
};

/* False, with *problem or a status of golden: it cannot be computed. */
typedef bool fh_cli_golden_fn(struct fh_cli_golden_call *call);

/* A result of rows x columns elements, a plain array where there is one row; NULL: no memory, said.
 */
uint64_t *fh_cli_golden_result(struct fh_cli_golden_call *call, size_t rows, size_t columns);
bool fh_cli_golden_wrong(struct fh_cli_golden_call *call, const char *problem);
/* Whether the status is good; else it is the problem. */
bool fh_cli_golden_status(struct fh_cli_golden_call *call, fh_golden_status status);
/* The elements of each of `limbs` limbs of array number `index`; 0: they are not so many, said. */
size_t fh_cli_golden_columns(struct fh_cli_golden_call *call, size_t index, size_t limbs);

/* What is an argument, letter by letter, "?" before those that may be left out:
 *   a  an array    m  moduli: an array, or a number    n  a number
 *   e  an array, or a number for all its elements      v  a number, or an array, whose elements are
 *                                                         taken one by one */
struct fh_cli_golden_row {
    const char *name, *arguments, *kinds, *help;
    fh_cli_golden_fn *compute;
};
/* golden_rings.c: transforms, bases, CKKS; golden_numbers.c: the rest; ended by a row without a
 * name. */
extern const struct fh_cli_golden_row fh_cli_golden_rings[], fh_cli_golden_numbers[];

#endif
