/*
 * shadow.h - the origins of what registers, shared and local memory hold.
 *
 *     warp   R0 .. R254 by lane, UR0 .. UR62; of registers with lanes that are mixed, of bytes;
 *            local memory by word and lane
 *     block  shared memory by word; of words that are mixed, of bytes
 */
#ifndef FH_SHADOW_H
#define FH_SHADOW_H

#include "origin.h"

enum { FH_SHADOW_REGISTERS = 256, FH_SHADOW_UNIFORM = 64, FH_SHADOW_ZERO = 255 };

typedef fh_origin fh_origin_row[FHEC_WARP_LANES];
typedef fh_origin fh_origin_bytes[4];

struct fh_warp_shadow {
    fh_origin_row r[FH_SHADOW_REGISTERS]; /* the last is RZ */
    fh_origin ur[FH_SHADOW_UNIFORM];
    uint64_t mixed[FH_SHADOW_REGISTERS / 64];  /* registers with lanes that may be mixed */
    fh_origin_bytes (*bytes)[FHEC_WARP_LANES]; /* of all registers; NULL: none was mixed */
    uint64_t written[FH_SHADOW_REGISTERS];     /* pc of the last instruction that wrote it */
    fh_origin_row **local;                     /* by word; NULL: nothing stored there */
    size_t local_words;
    uint32_t block[3], warp;
    struct fh_block_shadow *of;
    struct fh_warp_shadow *next;
};

struct fh_block_shadow {
    uint32_t block[3];
    fh_origin *shared; /* by word */
    fh_origin_bytes *bytes;
    size_t words;
    struct fh_block_shadow *next;
};

/* Those of the warps and blocks that run; the rest is kept for others. */
struct fh_shadows {
    struct fh_warp_shadow *warps, *spare_warps;
    struct fh_block_shadow *blocks, *spare_blocks;
};

/* A warp that has just begun: nothing of it is known. `registers` is how many it may use,
 * `shared` the bytes of its block. NULL without host memory. */
struct fh_warp_shadow *fh_shadow_warp(struct fh_shadows *shadows, const fhec_event *event);
/* NULL: it is not known. */
struct fh_warp_shadow *fh_shadow_find_warp(const struct fh_shadows *shadows,
                                           const uint32_t block[3], uint32_t warp);
void fh_shadow_warp_ends(struct fh_shadows *shadows, const fhec_event *event);
void fh_shadow_block_ends(struct fh_shadows *shadows, const fhec_event *event);
/* Nothing runs any more. */
void fh_shadows_clear(struct fh_shadows *shadows);
/* `to` becomes what `from` is. Returns how many bytes it took, about; 0 without host memory, and
 * `to` is empty then. */
uint64_t fh_shadows_copy(struct fh_shadows *to, const struct fh_shadows *from);
void fh_shadows_free(struct fh_shadows *shadows);

static inline bool fh_shadow_may_be_mixed(const struct fh_warp_shadow *w, uint32_t reg) {
    return w->mixed[reg / 64] >> reg % 64 & 1;
}

/* The origins of the four bytes of a register. */
void fh_shadow_get_bytes(const struct fh_warp_shadow *w, uint32_t reg, uint32_t lane,
                         fh_origin_bytes bytes);
/* Sets them: as one word where one says it. False without host memory. */
bool fh_shadow_set_bytes(struct fh_warp_shadow *w, uint32_t reg, uint32_t lane,
                         const fh_origin_bytes bytes);
/* All bytes of the register in `lanes`. */
static inline void fh_shadow_set(struct fh_warp_shadow *w, uint32_t reg, uint32_t lanes,
                                 fh_origin origin) {
    fh_origin *row = w->r[reg];
    if (lanes == UINT32_MAX) {
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            row[l] = origin;
        w->mixed[reg / 64] &= ~(UINT64_C(1) << reg % 64);
        return;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        row[__builtin_ctz(rest)] = origin;
}

/* The four bytes from an offset on that is a multiple of four; outside, they are FH_ORIGIN_NONE. */
void fh_shadow_shared_get(const struct fh_block_shadow *b, uint64_t offset, fh_origin_bytes bytes);
bool fh_shadow_shared_set(struct fh_block_shadow *b, uint64_t offset, const fh_origin_bytes bytes);
/* Where a whole word there has its origin; NULL: it is no whole word, or outside. */
static inline fh_origin *fh_shadow_shared_word(const struct fh_block_shadow *b, uint64_t offset) {
    return offset % 4 == 0 && offset / 4 < b->words ? &b->shared[offset / 4] : NULL;
}
fh_origin fh_shadow_local_get(const struct fh_warp_shadow *w, uint64_t offset, uint32_t lane);
bool fh_shadow_local_set(struct fh_warp_shadow *w, uint64_t offset, uint32_t lane,
                         fh_origin origin);

/* The one origin that says where all four bytes came from; FH_ORIGIN_MIXED alone: there is none. */
fh_origin fh_origin_of_bytes(const fh_origin_bytes bytes);

#endif
