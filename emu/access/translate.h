/*
 * translate.h - where in the machine's memory one lane's access goes, whatever the space.
 *
 * An access is first looked up for all lanes, which reports a fault before anything has changed,
 * and then carried out lane by lane:
 *
 *     fh_translate_lanes(...) && for each lane: fh_location_read(...), fh_location_write(...)
 *
 * So atomic operations act from lane 0 to 31, each on what the one before it left. Between blocks
 * the order is that of the blocks (speculation.c): an atomic operation reads what it changes, so
 * chunks of blocks that meet at a word run sequentially.
 *
 * A generic address lies in the window of shared memory, in that of local memory, or it is one of
 * global memory (memory.h).
 */
#ifndef FH_TRANSLATE_H
#define FH_TRANSLATE_H

#include "exec.h"

enum fh_space { FH_GLOBAL, FH_SHARED, FH_LOCAL, FH_GENERIC };

struct fh_location {
    enum fh_space space;
    size_t allocation;        /* FH_GLOBAL: its index */
    uint64_t address, offset; /* in the space, as faults show it; in allocation or block memory */
};

/* What is looked up: `what` is "a load", with its article. */
struct fh_request {
    enum fh_space space;
    uint32_t bytes; /* per lane, a power of two */
    bool store;
    const char *what;
};

/* The space that a generic address is in, and the address there. */
enum fh_space fh_space_of(uint64_t address, uint64_t *inside);

/* The places of `lanes`; false after reporting the fault of the lowest lane that has one. */
bool fh_translate_lanes(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                        const uint64_t address[FH_LANES], const struct fh_request *request,
                        struct fh_location place[FH_LANES]);

/* The bytes at a place that was found: of 1, 2, 4, 8 or 16 bytes. */
void fh_location_read(struct fh_warp *w, const struct fh_location *place, uint32_t bytes, void *to);
void fh_location_write(struct fh_warp *w, const struct fh_location *place, uint32_t bytes,
                       const void *from);

/* Begins the record of an instruction (launch.h); false: nobody watches. */
bool fh_record_begins(struct fh_warp *w, bool reads, bool writes, uint32_t bytes);
/* Notes what is at the place, and what the lane is about to leave there; now NULL: the same. */
void fh_location_record(struct fh_warp *w, const struct fh_location *place, uint32_t lane,
                        const void *now);

#endif
