/*
 * checkers.h - the checkers that there are, by the words of --check, and a set of them at work on a
 * machine.
 */
#ifndef FH_CHECKERS_H
#define FH_CHECKERS_H

#include "checker.h"

/* FH_CHECK_BIT of all that can be asked for. */
unsigned fh_checkers_present(void);

/* Checks from the machine's next launch on. */
struct fh_checkers;
/* `wanted`: FH_CHECK_BITs, all of them present. Findings and machine must live until
 * fh_checkers_end. FHEC_HOST_ERROR without host memory, then *checkers is NULL. */
fhec_status fh_checkers_begin(fhec_machine *machine, unsigned wanted, struct fh_findings *findings,
                              struct fh_checkers **checkers);
/* Adds what is known at the end only. FHEC_HOST_ERROR: there was no host memory on the way, so
 * findings may be missing. NULL is allowed. */
fhec_status fh_checkers_end(struct fh_checkers *checkers);

#endif
