/* codec.h - what codec.c and disasm.c share beyond isa.h, and the generated index of opcodes. */
#ifndef FH_CODEC_H
#define FH_CODEC_H

#include "isa.h"

/* The forms of opcode o (13 bits) are fh_opcode_forms[fh_opcode_index[o] .. fh_opcode_index[o+1]).
 * Generated. */
extern const uint16_t fh_opcode_index[8193];
extern const uint16_t fh_opcode_forms[];

/* Whether the operand has the value that stands for it when it is left out. */
bool fh_operand_is_fallback(const struct fh_operand_spec *spec, const struct fh_operand *op);

/* Whether the modifiers call for operand i. */
bool fh_operand_present(const struct fh_inst *inst, unsigned i);

/* The text of an operand's part (".H1_H1" without its dot, "" for nothing); NULL if it has no such
 * value. */
const char *fh_part_text(const struct fh_operand_spec *spec, unsigned part);

#endif
