/*
 * spectrum_step.h - what the parts of a spectrum's making share.
 */
#ifndef FH_DIFFERENCE_SPECTRUM_STEP_H
#define FH_DIFFERENCE_SPECTRUM_STEP_H

#include "marked_state.h"
#include "slicing.h"

enum { FH_SPECTRUM_SLOTS = 16, FH_SPECTRUM_LAYOUTS = 64 };

/* Lane and register of each element of a fragment, row by row. */
struct fh_spectrum_layout {
    fhec_layout of;
    fhec_place *places; /* NULL: not known yet */
};

struct fh_spectrum_step {
    const struct fh_journal *journal;
    struct fh_marked_state *state;
    uint32_t step, active;
    size_t warp;
    const fhec_instruction *instruction;
    bool loads, stores, matrix_load;
    uint64_t unstored; /* elements that nobody stores */
    uint64_t *later;   /* by warp: marks of all its steps behind this one */
    bool dirty;        /* the marks below are not all empty */
    struct fh_spectrum_marks whole, lanes[FHEC_WARP_LANES], addresses[FHEC_WARP_LANES];
    struct fh_spectrum_marks slots[FH_SPECTRUM_SLOTS][FHEC_WARP_LANES]; /* by register, or word */
    struct fh_spectrum_layout *layouts;                                 /* by number */
};

/* Hands the marks of a matrix instruction's result on: to the row and the column of each element.
 * False: it is none, or its layouts are unknown. */
bool fh_spectrum_matrix(struct fh_spectrum_step *step);
void fh_spectrum_matrix_end(struct fh_spectrum_step *step);

#endif
