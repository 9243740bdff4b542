/*
 * checker.h - what a checker is: observers of a machine that add findings.
 */
#ifndef FH_CHECKER_H
#define FH_CHECKER_H

#include "finding.h"

/* One row for each checker; the table is in check/checkers.c. */
struct fh_checker_row {
    /* Observes the machine from the next launch on. *state is the checker's own. FHEC_HOST_ERROR
     * without host memory. */
    fhec_status (*begin)(fhec_machine *machine, struct fh_findings *findings, void **state);
    /* Adds what is known at the end only, and ends the observing. FHEC_HOST_ERROR: there was no
     * host memory on the way, so findings may be missing. */
    fhec_status (*end)(void *state);
};

#endif
