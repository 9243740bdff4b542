/*
 * lz4_block.h - one block in the LZ4 format, as fat binaries hold it.
 *
 * A block is a chain of sequences: a token of two lengths, literals, and a match, which is bytes
 * that are already there, so and so far back (lz4_Block_format.md of LZ4's own repository).
 */
#ifndef FH_LZ4_BLOCK_H
#define FH_LZ4_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unpacks the block of `length` bytes into exactly `size` bytes at `to`. False if the block does
 * not make just that many: nothing outside either is touched then, either. */
bool fh_lz4_unpack(const uint8_t *block, size_t length, uint8_t *to, size_t size);

#endif
