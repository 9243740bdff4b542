/*
 * imma.h - constants as the Tensor Core kernels take them: four words for each, in the order of
 * IMMA's fragments (lib/imma.sass, where the mathematics is).
 */
#ifndef FH_IMMA_H
#define FH_IMMA_H

#include "ntt_job.h"

enum {
    FH_IMMA_WORDS = 1024,         /* a 16 x 16 operand */
    FH_IMMA_DIAGONAL_WORDS = 512, /* the same without the zeros of a block-diagonal one */
};

/* A 16 x 16 constant. [outer][inner]: outer is the row of an A or the column of a B, inner what is
 * summed over, t + 4 s for lane t and step s. */
struct fh_imma_matrix {
    uint32_t element[16][16];
};

/* The element of a result's column 2 t + p + 8 h when it is to be t + 4 (p + 2 h). */
static inline unsigned fh_imma_element(unsigned column) {
    return (column >> 1 & 3) + 4 * ((column & 1) + 2 * (column >> 3));
}

/* plane[i]: the bytes j = 0 .. 3 are byte i of value 2^(8j) mod q. byte: 2^8 mod q; value < q. */
void fh_imma_planes(uint32_t value, const struct fh_factor *byte, uint32_t plane[4]);

/* The operand of these elements, all below q, for both operands of IMMA. diagonal: words has room
 * for FH_IMMA_DIAGONAL_WORDS, and elements with outer in the half that is not s / 2 are left out;
 * outer (of fh_imma_element) and inner must then be in the same block of eight where not zero. */
void fh_imma_operand(const struct fh_imma_matrix *matrix, uint32_t q, bool diagonal,
                     uint32_t *words);

#endif
