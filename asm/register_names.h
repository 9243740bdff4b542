/*
 * register_names.h - names of the machine's registers.
 */
#ifndef FH_REGISTER_NAMES_H
#define FH_REGISTER_NAMES_H

#include "expr_value.h"

struct fh_asm;

/* A register of the machine? Fills v; out of range gives POISON with its problem. */
bool fh_machine_register(struct fh_asm *a, const char *text, size_t length, struct fh_value *v);
/* The name of a register of a kind (FH_K_REG, ...), "UR4"; not of those that are always zero. */
const char *fh_register_name(struct fh_asm *a, uint8_t kind, unsigned number);

#endif
