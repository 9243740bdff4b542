/*
 * matrix_fragment.h - operands of matrix instructions as the registers hold them, and the way from
 * there to matrices and back by the layouts of the instruction set.
 */
#ifndef FH_MATRIX_FRAGMENT_H
#define FH_MATRIX_FRAGMENT_H

#include "exec.h"

/* Row i of a fragment is register i of all 32 lanes. */
typedef uint32_t fh_row[FH_LANES];

/* True if all 32 lanes are active; else reports the fault, for the lanes that are missing. */
bool fh_all_lanes(struct fh_warp *w, const struct fh_op *op, uint32_t active);

/* The matrix, row-major, out of the fragment of operand `operand` of the instruction `insn` (as the
 * layouts name it), and back. Elements narrower than 32 bits are not sign-extended; when writing,
 * their upper bits are ignored. `row` is the fragment's first register row. */
void fh_matrix_read_32(const char *insn, const char *operand, const struct fh_warp *w, uint16_t row,
                       uint32_t *matrix);
void fh_matrix_write_32(const char *insn, const char *operand, const uint32_t *matrix,
                        struct fh_warp *w, uint16_t row);
/* The same of elements of 64 bits. */
void fh_matrix_read_64(const char *insn, const char *operand, const struct fh_warp *w, uint16_t row,
                       uint64_t *matrix);
void fh_matrix_write_64(const char *insn, const char *operand, const uint64_t *matrix,
                        struct fh_warp *w, uint16_t row);

#endif
