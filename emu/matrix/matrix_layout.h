/*
 * matrix_layout.h - between fragments and plain matrices, by the layouts of the instruction set:
 * what the reference engine does before and after its arithmetic.
 */
#ifndef FH_MATRIX_LAYOUT_H
#define FH_MATRIX_LAYOUT_H

#include "matrix.h"

/* The matrix, row-major and one element in a word, out of the fragment of operand `operand` of the
 * instruction `insn` (as the layouts name it), and back. Elements narrower than 32 bits are not
 * sign-extended; when writing, their upper bits are ignored. */
void fh_fragment_read(const char *insn, const char *operand, const fh_row *fragment,
                      uint32_t *matrix);
void fh_fragment_write(const char *insn, const char *operand, const uint32_t *matrix,
                       fh_row *fragment);

#endif
