/*
 * control_prefix.h - scheduling fields as they are written, [B------:R-:W0:-:S01].
 */
#ifndef FH_CONTROL_PREFIX_H
#define FH_CONTROL_PREFIX_H

#include "expr_value.h"

struct fh_asm;

/* Reads the prefix into the current statement. */
void fh_control_prefix(struct fh_asm *a, const struct fh_value *v);

#endif
