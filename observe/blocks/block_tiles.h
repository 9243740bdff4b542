/*
 * block_tiles.h - blocks cut into tiles, each the work on one limb that an engine does by itself:
 * a transform, one limb of a base conversion, of a product with a key, of an element-wise
 * operation.
 *
 * How blocks are cut is what the primitives of golden/ckks.h are made of. What a tile costs is not
 * known here: a block's instructions and bytes are measured (struct fh_block_cost), by the part of
 * the computation that kernels belong to, and shared out among the block's tiles of that part.
 */
#ifndef FH_BLOCK_TILES_H
#define FH_BLOCK_TILES_H

#include "block_graph.h"

enum fh_tile_part { FH_TILE_TRANSFORM, FH_TILE_CONVERSION, FH_TILE_ELEMENTS, FH_TILE_PARTS };
const char *fh_tile_part_name(enum fh_tile_part part);

/* What the kernels of a block's op, level and map take, by part. */
struct fh_block_cost {
    struct fh_part_cost {
        double cycles;           /* of one scheduler that executes all of them */
        double plain;            /* the same without the features of the machine */
        uint64_t instructions;   /* of warps */
        uint64_t loaded, stored; /* bytes, global memory: lanes by their width */
        uint64_t shared_loaded, shared_stored;
    } part[FH_TILE_PARTS];
};
/* Fills *cost; an error has been said. */
typedef fhec_status fh_block_cost_fn(void *user, const struct fh_block_graph *graph, size_t block,
                                     struct fh_block_cost *cost);

/* In which order a block's tiles are made: digit after digit, sums of products in pieces; or limb
 * after limb of the result, all digits of each. */
enum fh_tile_loops { FH_TILES_BY_DIGIT, FH_TILES_BY_LIMB };

struct fh_limb {
    uint64_t bytes;
    bool result; /* of the graph: it is written to memory in the end */
    bool input;  /* of the graph: it is in memory at first */
};

#define FH_TILE_NONE UINT32_MAX
struct fh_tile_access {
    uint32_t limb;
    uint32_t from; /* reads: the tile that has written it, or NONE; writes: NONE */
};

struct fh_tile {
    uint32_t block;
    uint32_t part;   /* enum fh_tile_part */
    uint32_t weight; /* its share of the part's cost */
    uint32_t first;  /* accesses: reads, then writes */
    uint32_t reads, writes;
    uint32_t operands; /* reads, where a limb that is two operands counts twice */
    /* By fh_tiles_price: */
    double cycles, plain;  /* of one scheduler */
    double loaded, stored; /* bytes that its kernels load and store */
};

struct fh_tiles {
    struct fh_tile *tiles;
    struct fh_tile_access *accesses;
    struct fh_limb *limbs;
    size_t count, access_count, limb_count;
    size_t room, access_room, limb_room; /* of the arrays */
};

struct fh_tiling {
    enum fh_tile_loops loops;
    bool packed; /* limbs have N x bits bits, else N words */
};

/* Tiles of all blocks, in the order of the graph: each behind those that it depends on. The graph
 * is finished. FHEC_HOST_ERROR: no memory, or a tile that reads more than 256 limbs, which levels
 * of up to 64 do not bring about. To be freed in any case. */
fhec_status fh_tiles_make(struct fh_tiles *tiles, const struct fh_block_graph *graph,
                          const struct fh_tiling *tiling);
void fh_tiles_free(struct fh_tiles *tiles);

/* Shares out what blocks cost, costs[block_count]. FHEC_HOST_ERROR: no memory. */
fhec_status fh_tiles_price(struct fh_tiles *tiles, const struct fh_block_graph *graph,
                           const struct fh_block_cost *costs);

#endif
