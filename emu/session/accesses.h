/*
 * accesses.h - the accesses to memory of an instruction, with their values: what observers are told
 * and watchpoints look at.
 *
 * Where an instruction goes follows from its operands before it runs; the values are in registers
 * and memory afterwards. So fh_accesses_before and fh_accesses_tell stand around it, and the
 * functions that execute it know nothing of either: they are the same ones as without a hook. Only
 * atomic operations leave a record themselves (struct fh_record), since a lane may change what
 * another one of the same instruction has changed, and so do instructions that the emulator knows
 * from their bodies alone.
 */
#ifndef FH_ACCESSES_H
#define FH_ACCESSES_H

#include "access.h"
#include "fhec_session.h"
#include "launch.h"

/* Accesses of one kind to one space by lanes of one warp. */
struct fh_accessed {
    fhec_space space;
    unsigned access;         /* FHEC_ACCESS_READ, FHEC_ACCESS_WRITE, or both: an atomic operation */
    uint32_t lanes, bytes;   /* bytes: of each lane */
    uint32_t bank;           /* of constant memory */
    const uint64_t *address; /* by lane, in the space */
    const uint32_t *value;   /* word i of lane l is value[32 * i + l]: read, or written; narrower
                                values are zero-extended */
    const uint32_t *old;     /* before it; NULL where it is to be found in memory before */
};

struct fh_accesses {
    enum fh_access_kind kind;                    /* FH_NO_ACCESS: nothing to tell */
    uint32_t lanes[2];                           /* that access; of copies: that store, that load */
    uint64_t at[2][FH_LANES];                    /* their addresses as the instruction has them */
    struct fh_constant_place constant[FH_LANES]; /* of constants, instead of `at` */
    uint32_t cut[FH_LANES]; /* of copies: bytes at the end that are zeros, and not read */
    /* Room for what is told. */
    uint64_t address[FH_LANES];
    uint32_t value[4][FH_LANES];
};

/* What is told is valid during the call only. */
typedef void fh_accessed_fn(void *user, const struct fh_accessed *accessed);

/* Notes where the op, which is about to run for `active`, will go. */
void fh_accesses_before(struct fh_accesses *a, const struct fh_warp *w, const struct fh_op *op,
                        uint32_t active);
/* Tells where it goes, before it runs: without values. Not of FH_RECORDED, which only their run
 * tells. */
void fh_accesses_tell_addresses(struct fh_accesses *a, const struct fh_warp *w,
                                const struct fh_op *op, fh_accessed_fn *tell, void *user);
/* Tells where it went and what was there, when it has run. */
void fh_accesses_tell(struct fh_accesses *a, const struct fh_warp *w, const struct fh_op *op,
                      fh_accessed_fn *tell, void *user);

#endif
