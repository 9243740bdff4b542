/*
 * key_switch.h - the tiles of blocks that switch keys.
 */
#ifndef FH_KEY_SWITCH_H
#define FH_KEY_SWITCH_H

#include "tile_maker.h"

/* To the switched polynomials: nothing; the first polynomial of the first operand, of rotations
 * after its automorphism; of products a0 b0 and a0 b1 + a1 b0. */
enum fh_added { FH_ADD_NOTHING, FH_ADD_FIRST, FH_ADD_TURNED, FH_ADD_PRODUCT };

/* Of the polynomial whose limbs begin at `source`, with the block's key. */
void fh_tiles_switch_keys(struct fh_tile_maker *m, uint32_t source, enum fh_added added);
void fh_tiles_raise_digits(struct fh_tile_maker *m);
/* With digits that are there; the automorphism comes behind the products. */
void fh_tiles_rotate_raised(struct fh_tile_maker *m);

#endif
