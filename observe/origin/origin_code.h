/*
 * origin_code.h - what an instruction does to origins: whether it moves values as they are, and
 * from which operands, or makes new ones.
 */
#ifndef FH_ORIGIN_CODE_H
#define FH_ORIGIN_CODE_H

#include "fhec_observe.h"

enum fh_origin_action {
    FH_ORIGIN_MAKES,          /* all that it writes */
    FH_ORIGIN_MOVES,          /* `from[0]` */
    FH_ORIGIN_SELECTS,        /* `from[0]` where `selector` holds, else `from[1]` */
    FH_ORIGIN_PERMUTES,       /* bytes of `from[0]` and `from[1]`, by `selector` */
    FH_ORIGIN_SHIFTS,         /* right by `bytes` of {from[1], from[0]} */
    FH_ORIGIN_SHUFFLES,       /* `from[0]` of another lane */
    FH_ORIGIN_TAKES_LANE,     /* a uniform register: `from[0]` of a lane */
    FH_ORIGIN_LOADS,          /* from an address; constants, too */
    FH_ORIGIN_LOADS_MATRICES, /* LDSM */
    FH_ORIGIN_STORES,         /* `from[0]` at an address */
    FH_ORIGIN_COPIES,         /* from global to shared memory */
    FH_ORIGIN_CHANGES,        /* memory, by an atomic operation */
};

enum fh_shuffle { FH_SHUFFLE_IDX, FH_SHUFFLE_UP, FH_SHUFFLE_DOWN, FH_SHUFFLE_BFLY };

/* Of one instruction; beside it in an fh_code (event_code.h). */
struct fh_origin_op {
    enum fh_origin_action action;
    const fhec_operand *to, *from[2], *selector, *clamp; /* NULL: none */
    uint8_t to_file;                                     /* fhec_register_file of `to` */
    uint8_t shuffle;                                     /* enum fh_shuffle */
    uint8_t bytes;                                       /* SHIFTS: 1 to 3 */
    uint8_t width;   /* LOADS: bits of .U8, .S16 and the like; 32: whole words */
    bool generic;    /* its address may be in any space */
    bool transposed; /* LOADS_MATRICES */
    uint8_t watched; /* FH_ORIGIN_BEFORE, FH_ORIGIN_AFTER: somebody looks at it */
    void *own;       /* of who looks */
};

void fh_origin_op_make(struct fh_origin_op *op, const fhec_instruction *instruction);
/* Whether the instruction is told by FHEC_EVENT_ACCESS. */
bool fh_origin_op_accesses(const struct fh_origin_op *op);

#endif
