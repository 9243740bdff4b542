/*
 * matrix_array.h - FHEC of the reference engine: the array of processing elements.
 */
#ifndef FH_MATRIX_ARRAY_H
#define FH_MATRIX_ARRAY_H

#include "matrix_fhec.h"

/* FHEC on the warp's rows a, b, c, d (the first row of each fragment), cycle by cycle. Returns the
 * cycles until the last result was ready. */
uint32_t fh_fhec_array(struct fh_warp *w, uint16_t a, uint16_t b, uint16_t c, uint16_t d,
                       const struct fh_modulus modulus[FH_TILE_COLUMNS]);

#endif
