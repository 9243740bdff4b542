/*
 * footprint.h - what one memory instruction of a warp asks of the memory, from the addresses of its
 * lanes alone: sectors of global and local memory, passes of shared memory. docs/profiles.md has
 * the definitions with their sources.
 */
#ifndef FH_FOOTPRINT_H
#define FH_FOOTPRINT_H

#include "fhec_session.h"

enum {
    FH_SECTOR_BYTES = 32,
    FH_SHARED_BANKS = 32, /* of a word each */
    FH_WORST_LANES = 4,
};

/* The bank that has the most to do. */
struct fh_bank_conflict {
    uint32_t ways;  /* distinct words of the bank, or lanes if the operation is atomic, among the
                       lanes that go together; 0: no bank has more than one */
    uint32_t bank;  /* of accesses of several words: the first one */
    uint32_t count; /* of those that follow */
    uint32_t lane[FH_WORST_LANES];  /* one for each of the ways, ... */
    uint32_t first[FH_WORST_LANES]; /* ... and its byte address, from that of the lowest active lane
                                       on, modulo 2^32 */
};

struct fh_footprint {
    uint32_t sectors, ideal;  /* global, local: touched; that would hold as many bytes */
    uint32_t passes, minimum; /* shared: needed; without any conflict */
    struct fh_bank_conflict worst;
};

/* An access by at least one lane; `address` by lane, `bytes` of each lane, 1 to 16, aligned. */
void fh_footprint_global(uint32_t lanes, const uint64_t *address, uint32_t bytes,
                         struct fh_footprint *footprint);
/* Addresses are those of the threads: the words of one address lie side by side in memory, lane by
 * lane. */
void fh_footprint_local(uint32_t lanes, const uint64_t *address, uint32_t bytes,
                        struct fh_footprint *footprint);

enum fh_shared_kind {
    FH_SHARED_LOAD,
    FH_SHARED_STORE,
    FH_SHARED_ATOMIC,
    FH_SHARED_MATRICES, /* LDSM: each lane names a row of 16 bytes, eight of them are a matrix */
};
void fh_footprint_shared(enum fh_shared_kind kind, uint32_t lanes, const uint64_t *address,
                         uint32_t bytes, struct fh_footprint *footprint);

#endif
