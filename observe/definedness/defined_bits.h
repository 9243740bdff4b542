/*
 * defined_bits.h - what the checker `init` knows beside a machine's state: for each bit of
 * registers and memory whether it is defined, that is, follows from what somebody has written.
 *
 *     registers   a mask of lanes for each register; for lanes in it, a word of undefined bits
 *     memory      a byte of defined bits for each byte
 *
 * All registers go through one numbering of rows: R, UR, P and UP one after another. The mask alone
 * answers most questions: an instruction whose sources are not in it leaves no undefined bits.
 */
#ifndef FH_DEFINED_BITS_H
#define FH_DEFINED_BITS_H

#include "fhec_observe.h"

enum {
    FH_ROW_R = 0,
    FH_ROW_UR = 256,
    FH_ROW_P = 320,
    FH_ROW_UP = 328,
    FH_ROW_NONE = 336, /* RZ, PT, immediates: always defined, never written */
    FH_DEFINED_ROWS = 337,
};

/* Memory that has an address: an allocation, a block's shared memory, a thread's local memory. */
struct fh_bits_region {
    uint64_t base, size;
    uint8_t *defined;  /* by byte: bits that are defined; calloc'd: none are */
    uint32_t *origins; /* by word: of the undefined bits that were stored; 0: of no store; NULL:
                          nothing undefined has been stored */
    bool whole;        /* every byte is defined */
    char name[64];
};

/* The registers of a warp. */
struct fh_warp_bits {
    struct fh_warp_bits *next;           /* among those that are spare */
    uint32_t lanes[FH_DEFINED_ROWS];     /* that have undefined bits; of UR and UP all or none; of P
                                           this is the shadow itself */
    uint32_t origin[FH_DEFINED_ROWS];    /* of the undefined bits; 0: not known, never written */
    uint32_t uniform[64];                /* UR: undefined bits */
    uint32_t bits[256][FHEC_WARP_LANES]; /* R: undefined bits of the lanes above */
    uint32_t rows;                       /* R below this may have been used */
    struct fh_bits_region local; /* of all lanes, one after another; size 0: not used so far */
    uint32_t local_bytes;        /* of a lane */
};

struct fh_block_bits {
    struct fh_block_bits *next;
    uint64_t launch;
    uint32_t id[3];
    struct fh_bits_region shared;
    uint32_t warp_count;
    struct fh_warp_bits **warps; /* NULL: has not begun */
};

enum { FH_DEFINED_BUCKETS = 256 };

struct fh_defined {
    struct fh_bits_region *regions; /* of global memory, by address */
    size_t region_count, region_room, region_last;
    struct fh_block_bits *blocks[FH_DEFINED_BUCKETS];
    struct fh_warp_bits *spare; /* of warps that have ended */
    bool defined_first;         /* what is new is defined */
    bool failed;                /* there was no host memory: something is taken as defined */
};

void fh_defined_free(struct fh_defined *shadow);

/* Global memory: new, or gone. */
void fh_defined_alloc(struct fh_defined *shadow, uint64_t base, uint64_t size, const char *name);
void fh_defined_release(struct fh_defined *shadow, uint64_t base);
/* The allocation that holds the address; NULL: none that was seen to be made. */
struct fh_bits_region *fh_defined_region(struct fh_defined *shadow, uint64_t address);
/* The host has written: all bits are defined. */
void fh_defined_written(struct fh_bits_region *region, uint64_t offset, uint64_t bytes);
/* The origin of the word at an offset, or 0. */
static inline uint32_t fh_bits_region_origin(const struct fh_bits_region *region, uint64_t offset) {
    return region->origins ? region->origins[offset / 4] : 0;
}
/* Notes it. */
void fh_bits_region_note(struct fh_defined *shadow, struct fh_bits_region *region, uint64_t offset,
                         uint64_t bytes, uint32_t origin);

/* The block of the event, made when it is met first. NULL without host memory. */
struct fh_block_bits *fh_defined_block(struct fh_defined *shadow, const fhec_event *event);
void fh_defined_block_end(struct fh_defined *shadow, const fhec_event *event);
/* Blocks of a launch that has ended. */
void fh_defined_blocks_end(struct fh_defined *shadow);
/* The warp of the event, whose registers are new when it is met first. */
struct fh_warp_bits *fh_defined_warp(struct fh_defined *shadow, const fhec_event *event);
/* Local memory up to `bytes` of each lane. False without host memory. */
bool fh_defined_local(struct fh_defined *shadow, struct fh_warp_bits *warp, uint64_t bytes);

#endif
