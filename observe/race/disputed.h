/*
 * disputed.h - words of shared memory that two lanes wrote in no order. As long as nobody reads
 * what is left there it does not matter which one came last: code that compacts lets all that it
 * drops go to one place. So what is to be said waits until something reads the word, and is
 * forgotten when a write that is ordered behind both replaces it, or the block ends.
 */
#ifndef FH_DISPUTED_H
#define FH_DISPUTED_H

#include "finding.h"
#include "number_map.h"

struct fh_dispute {
    uint64_t address;
    uint32_t bytes;
    struct fh_finding finding;
};

/* All zero: empty. */
struct fh_disputed {
    struct fh_number_map words; /* struct fh_dispute by address */
};

/* Whether there is one already of the word and these two instructions. */
bool fh_disputed_known(const struct fh_disputed *disputed, uint64_t address, uint64_t pc,
                       uint64_t other_pc);
/* Adds one, in the place of one that is there. False without host memory. */
bool fh_disputed_put(struct fh_disputed *disputed, uint64_t address, uint32_t bytes,
                     const struct fh_finding *finding);
/* Takes out the one that covers the address; the caller frees it. NULL if there is none. */
struct fh_dispute *fh_disputed_take(struct fh_disputed *disputed, uint64_t address);
void fh_disputed_free(struct fh_disputed *disputed);

#endif
