/*
 * exec.h - the state of a warp and the shape of an executable instruction: what the engines, the
 * generated lane loops and the hand-written handlers share.
 *
 * Registers are lane-contiguous rows: r[n][lane]. Row 255 reads zero and is never written; row
 * FH_SINK_ROW takes what is written to RZ. Predicates are lane masks: p[7] is all ones and stays
 * so; FH_SINK_PRED takes writes to PT. Uniform registers exist once per warp.
 */
#ifndef FH_EXEC_H
#define FH_EXEC_H

#include "isa.h"

#define FH_LANES 32
enum { FH_SINK_ROW = 256, FH_ROWS = 260, FH_SINK_PRED = 8 };

struct fh_launch_state; /* launch.h: everything the blocks of one launch share */
struct fh_block;        /* launch.h: one block: shared memory, its warps, named barriers */

struct fh_warp {
    _Alignas(64) uint32_t r[FH_ROWS][FH_LANES];
    uint32_t p[16];
    uint32_t ur[68]; /* 63 reads zero; 64.. sink */
    uint8_t up[16];  /* 7 reads one; 8 sink */
    struct fh_block *block;
    struct fh_launch_state *launch;
    uint32_t index; /* in its block */
    /* Control state (pc per lane, barriers, ...) is in warp.h's struct, which begins with this. */
};

struct fh_op;
/* Executes `op` for the lanes of `active` (never 0): guard already applied. A handler that meets a
 * guest fault calls fh_fault (fault.h), leaves the state as it was before the instruction, and
 * returns false. */
typedef bool fh_exec_fn(struct fh_warp *w, const struct fh_op *op, uint32_t active);

/* An instruction with everything resolved that does not change during a launch. Index i of these
 * arrays is operand i of the instruction's form. */
struct fh_op {
    fh_exec_fn *exec;
    const struct fh_inst *inst; /* for texts, faults and the reference engine */
    uint32_t pc;                /* byte offset in the kernel */
    uint8_t guard;
    bool guard_neg;
    uint8_t control;                /* nonzero: the scheduler handles it (branches, barriers, exit) */
    uint16_t row[FH_MAX_OPERANDS];  /* register row / predicate / uniform register; writes to
                                       RZ, PT, URZ, UPT already turned to the sinks */
    uint64_t imm[FH_MAX_OPERANDS];  /* immediates and constants, sign-extended; a 64-bit constant
                                       operand has both words */
    uint32_t mod[FH_MAX_MODS];
    uint8_t neg[FH_MAX_OPERANDS];
};

#endif
