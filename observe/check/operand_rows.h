/*
 * operand_rows.h - the values of an instruction's operand, by lane, whatever it is: registers,
 * uniform registers, constants, RZ.
 */
#ifndef FH_OPERAND_ROWS_H
#define FH_OPERAND_ROWS_H

#include "fhec_observe.h"

enum { FH_OPERAND_WORDS = 8 };

/* Word i of lane l. */
struct fh_operand_rows {
    uint32_t word[FH_OPERAND_WORDS][FHEC_WARP_LANES];
};

/* The operand of that name; NULL: the instruction has none. */
const fhec_operand *fh_operand_find(const fhec_instruction *instruction, const char *name);
/* Its registers at an ISSUE: RZ and what is no register are zeros. */
void fh_operand_issue(const fhec_event *event, const fhec_operand *operand,
                      struct fh_operand_rows *rows);
/* The same of a constant, at the ACCESS that reads it. */
void fh_operand_constant(const fhec_event *event, struct fh_operand_rows *rows);

#endif
