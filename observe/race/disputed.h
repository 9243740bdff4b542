/*
 * disputed.h - bytes of shared memory that two lanes wrote in no order. As long as nobody reads
 * what is left there it does not matter which one came last: code that compacts lets all that it
 * drops go to one place. So what is to be said waits until something reads the bytes, and is
 * forgotten when they are written over, or the block ends.
 */
#ifndef FH_DISPUTED_H
#define FH_DISPUTED_H

#include "finding.h"
#include "number_map.h"

struct fh_dispute {
    uint64_t address; /* of a cell */
    uint32_t bytes;   /* of it, in which the two differ: a mask */
    struct fh_finding finding;
};

/* All zero: empty. */
struct fh_disputed {
    struct fh_number_map bytes; /* struct fh_dispute by the address of each byte */
};

/* Whether the two instructions dispute all these bytes already. */
bool fh_disputed_known(const struct fh_disputed *disputed, uint64_t address, uint32_t bytes,
                       uint64_t pc, uint64_t other_pc);
/* Adds one, in the place of those of its bytes that are there. False without host memory. */
bool fh_disputed_put(struct fh_disputed *disputed, uint64_t address, uint32_t bytes,
                     const struct fh_finding *finding);
/* That of a byte; NULL if there is none. Valid until one is added or dropped. */
const struct fh_dispute *fh_disputed_at(const struct fh_disputed *disputed, uint64_t address);
/* Drops it for one byte, or for all of its bytes. */
void fh_disputed_drop_byte(struct fh_disputed *disputed, uint64_t address);
void fh_disputed_drop(struct fh_disputed *disputed, uint64_t address);
void fh_disputed_free(struct fh_disputed *disputed);

#endif
