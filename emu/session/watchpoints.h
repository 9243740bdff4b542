/*
 * watchpoints.h - whether an instruction does to a register or to memory what a watchpoint waits
 * for.
 */
#ifndef FH_WATCHPOINTS_H
#define FH_WATCHPOINTS_H

#include "fhec_session.h"
#include "watch.h"

/* Whether the instruction does that to the register, if it has active lanes. */
bool fh_watches_register(const fhec_point *point, const struct fh_inst *inst);
/* The register's value: of R for each lane; else values[0]. */
void fh_register_values(const fhec_point *point, const struct fh_warp *w,
                        uint32_t values[FH_LANES]);
/* Behind the instruction: whether lanes of the scope have done it; then *stop says which, and what
 * the lowest did. `old` are the values before it. */
bool fh_register_accessed(const fhec_point *point, const struct fh_issue *issue,
                          const uint32_t old[FH_LANES], fhec_stop *stop);

#endif
