/*
 * tile_maker.h - the tiles of one block after the other, and the limbs that they read and write.
 */
#ifndef FH_TILE_MAKER_H
#define FH_TILE_MAKER_H

#include "block_tiles.h"

enum { FH_TILE_READS = 256 };

struct fh_tile_maker {
    const struct fh_block_graph *graph;
    struct fh_tiles *to;
    const struct fh_tiling *tiling;
    struct fh_placed {
        uint32_t first, per_polynomial; /* limbs: polynomial after polynomial */
    } * buffers;
    struct fh_limb_use {
        uint32_t writer, reader; /* the last tile, or NONE */
    } * uses;                    /* of each limb */
    size_t use_room;
    uint64_t temporary; /* bytes of a limb of the block */
    uint32_t block;
    bool failed;
    /* Of the tile that is being made: */
    uint32_t reads[FH_TILE_READS], read_count;
    uint32_t operands;
};

/* As many limbs more; the first of them. Temporaries are of the block itself. */
uint32_t fh_tile_limbs(struct fh_tile_maker *m, size_t count, struct fh_limb limb);
uint32_t fh_tile_temporaries(struct fh_tile_maker *m, size_t count);
/* Of every buffer as many limbs as blocks read and write. */
void fh_tile_place_buffers(struct fh_tile_maker *m);
uint32_t fh_tile_limb(const struct fh_tile_maker *m, size_t buffer, size_t polynomial,
                      size_t index);

/* The next tile reads this limb, too. */
void fh_tile_read(struct fh_tile_maker *m, uint32_t limb);
/* The tile with what has been read, which writes one or two limbs; b NONE: one. */
void fh_tile_write(struct fh_tile_maker *m, enum fh_tile_part part, uint32_t weight, uint32_t a,
                   uint32_t b);
void fh_tile_transform(struct fh_tile_maker *m, uint32_t from, uint32_t to);
/* One limb of the conversion from `count` limbs. */
void fh_tile_convert(struct fh_tile_maker *m, uint32_t from, size_t count, uint32_t to);
/* Element by element, of what has been read. */
void fh_tile_elements(struct fh_tile_maker *m, uint32_t to);

#endif
