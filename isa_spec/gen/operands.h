/*
 * operands.h - resolution of one operand, and the names of operand kinds.
 */
#ifndef ISAC_OPERANDS_H
#define ISAC_OPERANDS_H

#include "isac.h"

void resolve_operand(struct insn *insn, const struct form *form, const struct slot *slot,
                     struct operand *o);
const char *kind_name(enum fh_kind kind);

#endif
