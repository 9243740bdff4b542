/*
 * sched_fields.h - the scheduling fields of a word, bits 124:105. They lie side by side in its high
 * half: stall 4 bits, yield 1, write barrier 3, read barrier 3, wait mask 6, reuse flags of A, B
 * and C.
 */
#ifndef FH_SCHED_FIELDS_H
#define FH_SCHED_FIELDS_H

#include "isa.h"

enum {
    FH_STALL_SHIFT = 105 - 64,
    FH_YIELD_SHIFT = 109 - 64,
    FH_WRITE_BARRIER_SHIFT = 110 - 64,
    FH_READ_BARRIER_SHIFT = 113 - 64,
    FH_WAIT_MASK_SHIFT = 116 - 64,
    FH_REUSE_SHIFT = 122 - 64,
};

/* In the high half of a word. */
static inline uint64_t fh_sched_bits(const struct fh_sched *sched) {
    return (uint64_t)(sched->stall & 15) << FH_STALL_SHIFT |
           (uint64_t)(sched->yield & 1) << FH_YIELD_SHIFT |
           (uint64_t)(sched->write_barrier & 7) << FH_WRITE_BARRIER_SHIFT |
           (uint64_t)(sched->read_barrier & 7) << FH_READ_BARRIER_SHIFT |
           (uint64_t)(sched->wait_mask & 63) << FH_WAIT_MASK_SHIFT |
           (uint64_t)(sched->reuse & 7) << FH_REUSE_SHIFT;
}

static inline void fh_sched_get(fhec_word word, struct fh_sched *sched) {
    sched->stall = word.hi >> FH_STALL_SHIFT & 15;
    sched->yield = word.hi >> FH_YIELD_SHIFT & 1;
    sched->write_barrier = word.hi >> FH_WRITE_BARRIER_SHIFT & 7;
    sched->read_barrier = word.hi >> FH_READ_BARRIER_SHIFT & 7;
    sched->wait_mask = word.hi >> FH_WAIT_MASK_SHIFT & 63;
    sched->reuse = word.hi >> FH_REUSE_SHIFT & 7;
}

/* Changes the scheduling fields of a word; its reuse flags stay and those of `sched` are added. */
static inline void fh_sched_set(fhec_word *word, const struct fh_sched *sched) {
    const uint64_t but_reuse = ((UINT64_C(1) << (FH_REUSE_SHIFT - FH_STALL_SHIFT)) - 1)
                               << FH_STALL_SHIFT;
    word->hi = (word->hi & ~but_reuse) | fh_sched_bits(sched);
}

#endif
