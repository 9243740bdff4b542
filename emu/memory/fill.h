/*
 * fill.h - what memory and registers hold before a program has written them.
 *
 * Hardware leaves there what was there before. A pattern takes the place of that, so that code that
 * reads what it never wrote is found out by its result. The word at index i of a space holds
 *
 *     FHEC_FILL_WORD   the value
 *     FHEC_FILL_SEED   bits 31:0 or 63:32 of a hash of seed, stream and i / 2
 *
 * and what the streams are (a block's shared memory, a warp's registers) says the caller, so the
 * pattern does not depend on the engine, nor on which host thread runs what.
 */
#ifndef FH_FILL_H
#define FH_FILL_H

#include "fhec.h"

/* The patterns of a machine. */
struct fh_fills {
    fhec_fill registers, shared, local, global;
};

/* False if a pattern is none. */
bool fh_fill_valid(const fhec_fill *fill);

/* 64 pseudo-random bits. */
uint64_t fh_fill_word64(uint64_t seed, uint64_t stream, uint64_t index);

/* The word at index `i`. */
uint32_t fh_fill_word(const fhec_fill *fill, uint64_t stream, uint64_t i);

/* Zeros, by a call: of a memset of known length compilers make `rep stos`, which takes longer to
 * begin than such calls to end. */
void fh_clear(void *to, size_t bytes);

/* Fills [to, to + bytes), which is what lies from byte `at` of the stream on. */
void fh_fill_bytes(const fhec_fill *fill, uint64_t stream, uint64_t at, void *to, size_t bytes);

#endif
