/*
 * marked_state.h - registers and words of memory with marks of elements (spectrum.h).
 */
#ifndef FH_DIFFERENCE_MARKED_STATE_H
#define FH_DIFFERENCE_MARKED_STATE_H

#include "spectrum.h"

/* Registers of a warp, one row of 32 lanes each; NULL: without marks. Uniform ones have lane 0. */
enum { FH_MARKED_FILES = 4, FH_MARKED_ROWS = 256 + 8 + 64 + 8 };

struct fh_marked_warp {
    struct fh_spectrum_marks *rows[FH_MARKED_ROWS];
};

struct fh_marked_word {
    uint64_t space, owner, address;
    struct fh_spectrum_marks marks;
};

struct fh_marked_state {
    struct fh_marked_warp **warps; /* by number */
    size_t warp_count;
    struct fh_marked_word *words; /* a hash table */
    size_t word_count, word_room;
    bool failed; /* no host memory */
};

bool fh_marked_begin(struct fh_marked_state *state, size_t warps);
void fh_marked_end(struct fh_marked_state *state);
void fh_marked_warp_end(struct fh_marked_state *state, size_t warp);

/* The marks of a lane's register; NULL: it has none, and `make` is not set, or there is no host
 * memory, or no such register. */
struct fh_spectrum_marks *fh_marked_register(struct fh_marked_state *state, size_t warp,
                                             fhec_register_file file, uint32_t reg, uint32_t lane,
                                             bool make);
/* Adds marks to those of a register. */
void fh_marked_give(struct fh_marked_state *state, size_t warp, fhec_register_file file,
                    uint32_t reg, uint32_t lane, struct fh_spectrum_marks marks);
/* The marks of the word of memory that holds the byte, as above. Shared and local memory have
 * owners. */
struct fh_spectrum_marks *fh_marked_word(struct fh_marked_state *state, fhec_space space,
                                         uint64_t owner, uint64_t address, bool make);

#endif
