/*
 * external.h - calls of functions that the object does not hold: those of the device runtime.
 */
#ifndef FH_EXTERNAL_H
#define FH_EXTERNAL_H

#include "exec.h"

/* Lanes call the function `name`: a fault that says so; a failed assertion with all that the code
 * tells of it. Returns false. */
bool fh_fault_external(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, const char *name);

#endif
