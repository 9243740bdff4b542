/*
 * atomic_lanes.h - atomic operations of the lanes of a warp on words that have been found, each
 * lane's on what the one before it left: as the bodies do it one by one, without looking up each
 * lane's place.
 */
#ifndef FH_ATOMIC_LANES_H
#define FH_ATOMIC_LANES_H

#include "exec.h"

/* Operations beside those of enum atom_op. */
enum { FH_ATOMIC_CAS = 9, FH_ATOMIC_CAST };

/* What the lanes do. Rows of 64-bit values are two, the low words' first. */
struct fh_atomic {
    unsigned operation, type; /* enum atom_op or above; enum atom_size */
    const uint32_t *data;     /* rows */
    const uint32_t *compare;  /* of CAS and CAST */
    uint32_t *result;         /* gets the old values, CAST's whether it swapped; NULL: nobody
                                 wants them */
};

/* Whether the instruction (FH_INSN_*) has them: all atomic ones but arrivals at mbarriers. */
bool fh_insn_is_atomic(uint16_t insn);

/* Bytes of a value of enum atom_size, or of cas_size. */
uint32_t fh_atomic_bytes(unsigned type);

enum fh_atomic_places {
    FH_IN_A_ROW,  /* all 32 lanes are active, and lane l's word is the l-th from lane 0's on */
    FH_ONE_PLACE, /* all active lanes have one word */
    FH_ANY_PLACES,
};

/* Carries it out on memory + index[l] of the active lanes, which are aligned. */
void fh_atomic_lanes(const struct fh_atomic *atomic, uint8_t *memory,
                     const uint32_t index[FH_LANES], uint32_t active, enum fh_atomic_places places);

#endif
