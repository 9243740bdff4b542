/*
 * query.h - expressions of the debugger: registers, buffers, memory and what can be computed of
 * them, for one lane of a warp or for all.
 *
 *     R4  R4:R5  R4.64  P0  UR6  UP1     in the lane of the focus
 *     R4@13  R4@*                        in lane 13, in all lanes
 *     x[3][5]  &x[3]  n  param.n         buffers by shape, addresses, parameters
 *     x[1:3]  [17, 97]  acc[2]  acc[0:3] parts, ends included; lists; ranges of .reg names
 *     shared[R6]  global.u64[R2:R3]  local.u8[0]  c[0x0][0x160]
 *     golden.ntt(x, q)[17]               what a reference computes
 *     s32(R4)  u8(R4)  f32(R4)  f16x2(R4)  f64(R4:R5)   casts; those to f take integers' bits
 *     lane  warp  block.x                where it is evaluated
 *     + - * / % << >> < <= > >= == != & ^ | && || ! ~ ?:   as in C
 *     R4 * R5 + R6 mod q                 exactly, modulo q; the loosest of all
 *
 * Constants, literals and what operators make of them alone, are exact, from -2^63 to 2^64 - 1, or
 * an error (operators.h). Beside registers and memory they are C's numbers on a machine of int and
 * long long, as those are: 32 bits, 64 where an operand has them, unsigned where one of that width
 * is; such numbers wrap around, as the machine's do. Division by zero and shifts by more than the
 * width are errors of the lane. Under `mod` + - * / and << are computed modulo q, / by the
 * inverse, and what else there is below them is reduced. A pair is written without blanks, R4:R5;
 * `a ? R4 : R5` is a choice. Between arrays of one length, or an array and a number, operators are
 * done element by element. Floating-point numbers have + - * /, comparisons, and casts to integers,
 * which round towards zero; f16 is computed as f32.
 */
#ifndef FH_QUERY_H
#define FH_QUERY_H

#include "fhec_session.h"

enum {
    FH_QUERY_NODES = 256,       /* of an expression */
    FH_QUERY_DEPTH = 64,        /* parentheses and operators within each other */
    FH_QUERY_DIMS = 8,          /* of an array */
    FH_QUERY_ARGUMENTS = 10,    /* of a golden function */
    FH_QUERY_ELEMENTS = 1 << 24 /* of an array that is computed */
};

/* What is wrong: where in the text, from 0. */
struct fh_query_error {
    size_t at, length;
    char message[200]; /* no final full stop */
};

struct fh_query; /* an expression that has been read */
/* FHEC_BAD_INPUT with *error, FHEC_HOST_ERROR without memory. */
fhec_status fh_query_parse(const char *text, struct fh_query **query, struct fh_query_error *error);
void fh_query_free(struct fh_query *query); /* NULL is allowed */

/* ---------------------------------------------------------------- what it can see */

enum fh_query_type {
    FH_QUERY_U8,
    FH_QUERY_S8,
    FH_QUERY_U16,
    FH_QUERY_S16,
    FH_QUERY_U32,
    FH_QUERY_S32,
    FH_QUERY_U64,
    FH_QUERY_S64,
    FH_QUERY_TYPES,
};
unsigned fh_query_type_bytes(enum fh_query_type type);

/* An array, in memory or computed. */
struct fh_query_array {
    enum fh_query_type type;
    unsigned rank; /* at least 1 */
    uint64_t shape[FH_QUERY_DIMS];
    fhec_space space;
    uint32_t bank;
    uint64_t address;
    uint64_t *computed; /* NULL: in memory; else malloc'd, in row-major order */
};
uint64_t fh_query_array_count(const struct fh_query_array *array); /* elements */

/* Registers that a name stands for: NAME[low] is the first one, NAME alone too. */
struct fh_query_registers {
    fhec_register_file file;
    uint32_t first, low, count;
};

struct fh_query_value;
struct fh_query_place;
/* What names mean that no register has, and golden functions. Each may be NULL. The place is that
 * of the evaluation. */
struct fh_query_names {
    void *user;
    /* In this order: registers (.reg); what stands for an expression, which is read again: a number
     * (.equ), a label; a buffer, or a variable; then the launch's parameters; last an argument of a
     * macro that the place is in. False: there is none. */
    bool (*registers)(void *user, const struct fh_query_place *place, const char *name,
                      struct fh_query_registers *registers);
    bool (*text)(void *user, const struct fh_query_place *place, const char *name, char *expression,
                 size_t size);
    bool (*array)(void *user, const struct fh_query_place *place, const char *name,
                  struct fh_query_array *array);
    bool (*argument)(void *user, const struct fh_query_place *place, const char *name,
                     char *expression, size_t size);
    /* The index-th name of any of them, for near ones; NULL past the last. */
    const char *(*name)(void *user, const struct fh_query_place *place, size_t index);
    /* Computes of arrays and of numbers for all; *result, if it is an array, is in memory of its
     * own (`computed`). FHEC_BAD_INPUT with a sentence. */
    fhec_status (*golden)(void *user, const struct fh_query_place *place, const char *function,
                          const struct fh_query_value *arguments, size_t count,
                          struct fh_query_value *result, char *problem, size_t size);
};

/* Where it is evaluated. */
struct fh_query_place {
    fhec_session *session; /* NULL: there are no registers */
    fhec_machine *machine;
    const fhec_launch *launch; /* NULL: no parameters */
    uint32_t block[3], warp, lane;
    bool all_lanes; /* registers without @ are those of all lanes */
    const struct fh_query_names *names;
};

/* The pc of the place's lane; false: it has ended, or its block is not there. */
bool fh_query_pc(const struct fh_query_place *place, uint64_t *pc);

/* ---------------------------------------------------------------- values */

/* Whether a value is a constant, an exact number that has no width yet: a literal, or what
 * operators make of constants. */
enum fh_query_exact {
    FH_QUERY_TYPED,
    FH_QUERY_DECIMAL, /* of decimal digits: it has the narrowest type with a sign, if one has it */
    FH_QUERY_BITS,    /* of other digits, too: or the unsigned one of that width */
};

/* What the bits of a value are. */
enum fh_query_form {
    FH_QUERY_INTEGER,
    FH_QUERY_FLOAT,  /* of 16, 32 or 64 bits */
    FH_QUERY_HALVES, /* two of 16 bits, the low one first; to be shown only */
};

struct fh_query_value {
    bool is_array; /* of truths if `truth` */
    struct fh_query_array array;
    enum fh_query_form form;
    bool per_lane; /* else values[0] stands for all */
    bool truth;    /* of comparisons and predicates: 0 or 1 */
    bool is_signed;
    enum fh_query_exact exact;
    unsigned bits;  /* 32 or 64: values are reduced to that, and sign-extended if they have one;
                       of FLOAT also 16 */
    uint32_t lanes; /* per_lane: for which there is a value: those that have not ended */
    uint64_t values[FHEC_WARP_LANES];
};

/* FHEC_BAD_INPUT with *error. A value that is an array may have memory: fh_query_value_free. */
fhec_status fh_query_evaluate(const struct fh_query *query, const struct fh_query_place *place,
                              struct fh_query_value *value, struct fh_query_error *error);
void fh_query_value_free(struct fh_query_value *value);
/* The lanes for which it is not 0; of a value for all: all or none. */
uint32_t fh_query_value_mask(const struct fh_query_value *value);
/* Elements [first, first + count) of an array. FHEC_BAD_INPUT: it is not all there. */
fhec_status fh_query_array_read(const struct fh_query_array *array,
                                const struct fh_query_place *place, uint32_t lane, uint64_t first,
                                size_t count, uint64_t *elements);

#endif
