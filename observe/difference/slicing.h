/*
 * slicing.h - what the parts of a slice's making share.
 */
#ifndef FH_DIFFERENCE_SLICING_H
#define FH_DIFFERENCE_SLICING_H

#include "slice.h"

struct fh_slicing {
    struct fh_slice *slice;
    const struct fh_journal *journal;
    const struct fh_slice_limits *limits;
    uint32_t parent;
};

/* The number of the node, which is made if there is none like it; UINT32_MAX without host memory.
 */
uint32_t fh_slicing_node(struct fh_slice *slice, const struct fh_slice_node *node);
/* Adds an edge from the parent, unless there is one to the same node, as of two elements that share
 * a register. Sets the node's depth. */
void fh_slicing_edge(struct fh_slicing *s, struct fh_slice_node *to, const char *role);
/* Adds an edge from the parent to what the register held when the step read it. Returns whether its
 * value is known. */
bool fh_slicing_register(struct fh_slicing *s, uint32_t step, fhec_register_file file, uint32_t reg,
                         uint32_t lane, const char *role, uint32_t *value);
/* The value alone. */
bool fh_slicing_value(const struct fh_slicing *s, uint32_t step, fhec_register_file file,
                      uint32_t reg, uint32_t lane, uint32_t *value);
/* The lane from which SHFL took the value of a lane. */
uint32_t fh_slicing_shuffle(const struct fh_slicing *s, uint32_t step, uint32_t lane);
/* The operand of that name; NULL: there is none. */
const fhec_operand *fh_slicing_operand(const fhec_instruction *instruction, const char *name);

/* Adds the row and the column that an element of a matrix instruction's result was made of, and
 * computes it. False: the node is of none, or of one whose operands' layouts are unknown. */
bool fh_slicing_matrix(struct fh_slicing *s);

#endif
