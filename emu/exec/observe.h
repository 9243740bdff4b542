/*
 * observe.h - telling the observer what an instruction did.
 */
#ifndef FH_OBSERVE_H
#define FH_OBSERVE_H

#include "launch.h"

/* Where `op` runs, for the observer's callbacks. */
fhec_where fh_observe_where(const struct fh_warp *w, const struct fh_op *op, uint32_t active);
/* Before and after `op` ran for `active`; without active lanes nothing was written. */
void fh_observe_fetch(const struct fh_warp *w, const struct fh_op *op, uint32_t active);
void fh_observe_retire(const struct fh_warp *w, const struct fh_op *op, uint32_t active);
/* An access of one lane. */
void fh_observe_access(const struct fh_warp *w, const struct fh_op *op, uint32_t active,
                       const char *space, bool store, uint32_t lane, uint64_t address,
                       uint32_t bytes);

#endif
