/*
 * exec.h - the state of a warp and the shape of an executable instruction: what the engines, the
 * generated lane loops and the hand-written handlers share.
 *
 * Registers are lane-contiguous rows: r[n][lane]. Row 255 reads zero and is never written. A read
 * of RZ is turned to FH_ZERO_ROW, from where as many rows read zero as an operand may have, a write
 * to RZ to FH_SINK_ROW, where as many rows take it. Predicates are lane masks: p[7] is all
 * ones and stays so; FH_SINK_PRED takes writes to PT. Uniform registers exist once per warp, with
 * the same two extra places.
 */
#ifndef FH_EXEC_H
#define FH_EXEC_H

#include "isa.h"
#include "simd.h"

#include <stddef.h>

#define FH_LANES 32
enum {
    FH_SINK_ROW = 256,
    FH_ZERO_ROW = FH_SINK_ROW + FH_OPERAND_REGISTERS,
    FH_ROWS = FH_ZERO_ROW + FH_OPERAND_REGISTERS,
    FH_SINK_PRED = 8,
    FH_SINK_UREG = 64,
    FH_ZERO_UREG = FH_SINK_UREG + FH_OPERAND_REGISTERS,
    FH_UREGS = FH_ZERO_UREG + FH_OPERAND_REGISTERS,
    FH_SCALARS = 2, /* see struct fh_op */
};

struct fh_launch_state; /* launch.h: what the blocks that one host thread runs share */
struct fh_block;        /* launch.h: one block: shared memory, its warps, named barriers */

struct fh_warp {
    _Alignas(64) uint32_t r[FH_ROWS][FH_LANES];
    uint32_t p[16];
    uint32_t ur[FH_UREGS]; /* 63 reads zero; see above */
    uint8_t up[16];        /* 0 or 1; 7 reads one; 8 sink */
    struct fh_block *block;
    struct fh_launch_state *launch;
    uint32_t index; /* in its block */
    /* Control state (pc per lane, barriers, ...) is in warp.h's struct, which begins with this. */
};

/* Of a row, in fh_warp, in bytes. */
static inline uint16_t fh_row_offset(uint16_t row) {
    return (uint16_t)(row * FH_LANES * sizeof(uint32_t));
}

/* Puts `values` into the lanes of `active` of a row. */
static inline void fh_row_write(struct fh_warp *w, unsigned row, uint32_t active,
                                const uint32_t *values) {
    FH_IVDEP
    for (uint32_t lane = 0; lane < FH_LANES; lane++)
        w->r[row][lane] = active >> lane & 1 ? values[lane] : w->r[row][lane];
}

struct fh_op;
/* Executes `op` for the lanes of `active` (never 0): guard already applied. A handler that meets a
 * guest fault calls fh_fault_lanes or fh_fault_address (fault.h), leaves the state as it was
 * before the instruction, and returns false. */
typedef bool fh_exec_fn(struct fh_warp *w, const struct fh_op *op, uint32_t active);

/* Executes `op` and what follows it in a warp whose 32 lanes run together, until an op that is not
 * of the superblock or a fault; returns the op that it did not execute. */
typedef const struct fh_op *fh_superblock_fn(struct fh_warp *w, const struct fh_op *op);
/* The same for one op of a superblock, which jumps to the next one's. Its true type, with a row in
 * vector registers, is known to its SIMD level only (threaded.h). */
typedef void fh_threaded_fn(void);

/* Which row a threaded function forwards to the next one in vector registers. */
enum fh_forwards {
    FH_FORWARDS_NOTHING,
    FH_FORWARDS_KEPT,   /* what it got */
    FH_FORWARDS_RESULT, /* the row of operand 0; of operand i: + i */
};

/* How the fast engine executes a form with certain modifiers and operands. */
struct fh_functions {
    fh_exec_fn *exec;
    fh_threaded_fn *threaded; /* with all lanes active; NULL: as any other, through its `exec` */
    fh_threaded_fn *const
        *forwarding; /* by operand: the one that gets that source forwarded; NULL: there is none */
    fh_threaded_fn *guarded; /* for ops with a guard; NULL: through `exec` */
    unsigned forwards;       /* enum fh_forwards; of both */
    unsigned shares; /* 1 + the operand whose row is forwarded besides, once it has been read; 0:
                        none. Then `forwarding` goes on: at FH_SHARING + i is the function that
                        gets operand i and that row, at the row's own place it alone */
};
enum { FH_SHARING = FH_MAX_OPERANDS };

/* The address operand of a load or store, resolved: see fh_address_lanes (space.h). */
struct fh_address {
    int64_t offset;
    uint16_t base;    /* row of the base register */
    uint8_t ureg;     /* uniform register that is added; FH_ZERO_UREG for none */
    uint8_t shift;    /* the base is scaled by 1 << shift */
    bool base64;      /* the base is a pair of rows */
    bool ureg64;      /* the uniform register is a pair */
    bool wide;        /* the address has 64 bits, else it wraps at 32 */
    uint8_t bytes;    /* of the access, per lane */
    bool sign_extend; /* a load narrower than 32 bits */
    uint16_t data;    /* first row of what is loaded or stored */
    uint32_t number;  /* ops of a superblock with the same number find the same addresses but for
                        their  offsets; 0: not numbered (struct fh_base_check) */
};
enum { FH_NUMBERED = 1 }; /* not numbered yet */

/* The operands of a control instruction, resolved. */
struct fh_control {
    uint32_t target;   /* instruction index; UINT32_MAX: outside the kernel */
    uint8_t condition; /* predicate, FH_PT for none */
    bool condition_neg;
    uint8_t barrier;  /* B0..B15 */
    uint8_t values;   /* how many registers or immediates follow */
    uint8_t value[2]; /* their operand indices */
};

/* Why the scheduler has to look at an instruction. */
enum fh_control_kind {
    FH_PLAIN,
    FH_CONTROL,       /* kind ctrl: changes which lanes run, and where */
    FH_CONTROL_ANY,   /* the same, and acts when its guard holds for no lane, too */
    FH_UNIFORM_GUARD, /* a plain one whose guard is a uniform predicate */
};

/* How an instruction accesses memory. */
enum fh_access_kind {
    FH_NO_ACCESS,
    FH_LOADS,
    FH_STORES,
    FH_RECORDED,               /* atomic operations, and others that leave a record */
    FH_COPIES,                 /* LDGSTS: from global to shared memory */
    FH_LOADS_MATRICES,         /* LDSM: each of some lanes names a row of 16 bytes */
    FH_LOADS_CONSTANTS,        /* LDC */
    FH_LOADS_UNIFORM_CONSTANT, /* ULDC */
    FH_READS_OPERANDS,         /* others that have operands c[bank][offset] */
};

/* An instruction with everything resolved that does not change during a launch. Index i of these
 * arrays is operand i of the instruction's form.
 *
 * Unrolled code runs once for each warp, so ops are streamed through the host's first cache: the
 * functions of lane instructions read the first 64 bytes and, mostly, no others. */
struct fh_op {
    _Alignas(64) fh_threaded_fn
        *threaded; /* where the op before it goes on: the superblock's end, or `enter` */
    fh_exec_fn *exec;
    uint64_t scalar[FH_SCALARS];   /* imm of the first operands that are the same in all lanes:
                                      immediates, constants and uniform registers */
    uint16_t at[FH_MAX_OPERANDS];  /* offset in fh_warp of row, predicate or uniform register */
    uint32_t pc;                   /* byte offset in the kernel */
    uint16_t forwarded;            /* offset in fh_warp of the row that is forwarded to it */
    uint16_t negated;              /* bit i: operand i has a sign, "-", "~" or "!" */
    uint8_t guard;                 /* predicate */
    bool guard_neg;                /* and its "!" */
    uint8_t forwards : 4;          /* enum fh_forwards */
    uint8_t shares : 4;            /* see struct fh_functions */
    uint8_t control;               /* enum fh_control_kind */
    uint16_t row[FH_MAX_OPERANDS]; /* register row / predicate / uniform register; writes to
                                      RZ, PT, URZ, UPT already turned to the sinks */
    uint16_t shared;               /* offset of the other row that is forwarded to it */
    uint8_t run;    /* how many ops a superblock that begins here has; 0: none does */
    bool has_bases; /* and whether one of them has the value number of a base */
    int32_t ahead;  /* how far behind its place a later load through the same base goes, whose
                      memory is asked for in time; 0: there is none */
    union {
        struct { /* kind mem */
            struct fh_address
                address;          /* of the ADDR operand, if there is one; of two, the second */
            struct fh_address to; /* the first of two */
        };
        struct fh_control flow; /* kind ctrl */
    };
    uint64_t imm[FH_MAX_OPERANDS]; /* immediates and constants, sign-extended; a 64-bit constant
                                      operand has both words. Scalars are imm + ur[row]: an
                                      immediate's row is FH_ZERO_UREG, a register's imm 0 */
    uint32_t mod[FH_MAX_MODS];
    uint8_t abs[FH_MAX_OPERANDS], part[FH_MAX_OPERANDS];
    uint8_t access;                    /* enum fh_access_kind */
    uint8_t access_space;              /* enum fh_space (translate.h) of its address */
    fh_threaded_fn *enter;             /* where a superblock begins with this op */
    fh_threaded_fn *const *forwarding; /* see struct fh_functions */
    const struct fh_inst *inst;        /* for texts, faults and the reference engine; NULL: no
                                          instruction at all (exec then faults) */
};
_Static_assert(offsetof(struct fh_op, row) <= 64,
               "what threaded functions read is one line of the cache");

static inline uint32_t fh_negated(const struct fh_op *op, unsigned i) {
    return (uint32_t)op->negated >> i & 1;
}

#endif
