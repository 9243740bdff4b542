/*
 * directives.h - the table of directives, which alone knows all that directives do. A run has it by
 * a pointer (asm.h), so that reading a directive does not depend on executing it.
 */
#ifndef FH_DIRECTIVES_H
#define FH_DIRECTIVES_H

#include "statement.h"

extern const struct fh_directives fh_directives;

#endif
