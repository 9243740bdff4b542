/*
 * block_shape.h - how many limbs blocks read and write of their buffers, and of how many bytes.
 */
#ifndef FH_BLOCK_SHAPE_H
#define FH_BLOCK_SHAPE_H

#include "block_graph.h"

/* Limbs of all digits but the last, which has the rest. */
size_t fh_block_digit(const struct fh_block_chain *chain);
/* Digits that are there at a level. */
size_t fh_block_digits(const struct fh_block_chain *chain, size_t level);
/* Raised digits: one polynomial for each. */
struct fh_block_shape fh_block_raised_shape(const struct fh_block_chain *chain, size_t level);
/* The key that the block reads. */
struct fh_block_shape fh_block_key_shape(const struct fh_block_chain *chain,
                                         const struct fh_block *block);
/* What the block reads of reads[read], and what it writes. */
struct fh_block_shape fh_block_read_shape(const struct fh_block_graph *graph, size_t block,
                                          unsigned read);
struct fh_block_shape fh_block_write_shape(const struct fh_block_graph *graph, size_t block);

/* With elements of `word` bytes, or packed: of the primes' bits. */
uint64_t fh_block_limb_bytes(const struct fh_block_chain *chain, unsigned word, bool packed);
/* More than any buffer of the kind has in this chain is not meant. */
uint64_t fh_block_most_bytes(const struct fh_block_chain *chain, enum fh_buffer_kind kind);

#endif
