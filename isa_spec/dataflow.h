/*
 * dataflow.h - which registers and predicates an instruction reads and writes.
 *
 * All of them are numbered through, as resources: R0..R254, then UR0..UR62, P0..P6 and UP0..UP6.
 * Registers that are always zero and predicates that are always true are none. Memory,
 * convergence barriers and scoreboards are none either.
 */
#ifndef FH_DATAFLOW_H
#define FH_DATAFLOW_H

#include "isa.h"

enum {
    FH_RES_R = 0,
    FH_RES_UR = 256,
    FH_RES_P = 320,
    FH_RES_UP = 328,
    FH_RESOURCES = 336,
};

/* What an instruction wants of a resource; which result is ready for it, and when, depends on it.
 */
enum fh_role {
    FH_ROLE_VALUE,
    FH_ROLE_ADDRESS, /* part of an address or of a memory descriptor */
    FH_ROLE_GUARD,
};

enum {
    FH_USE_GUARD = 255, /* operand of a use that is the guard's */
    /* Per operand a register and a uniform register or a run of each; guard; seven predicates. */
    FH_MAX_USES = 2 * FH_MAX_OPERANDS + 8,
};

/* Consecutive resources that are read or written together. */
struct fh_use {
    uint16_t first;
    uint8_t count;
    uint8_t access;  /* enum fh_access: one of the two */
    uint8_t role;    /* enum fh_role */
    uint8_t operand; /* index, or FH_USE_GUARD */
};

struct fh_uses {
    struct fh_use use[FH_MAX_USES];
    unsigned count;
};

/* All reads and writes, in the order of the operands, the guard first. With a guard the writes may
 * not happen. Runs past the last register end there. */
void fh_uses_of(const struct fh_inst *inst, struct fh_uses *uses);

/* "R5", "UP0": text of at least 8 bytes. */
void fh_resource_name(unsigned resource, char text[8]);

#endif
