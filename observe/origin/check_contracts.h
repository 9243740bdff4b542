/*
 * check_contracts.h - value contracts (.let, .expect and .ensure of expressions) while kernels run.
 */
#ifndef FH_CHECK_CONTRACTS_H
#define FH_CHECK_CONTRACTS_H

#include "finding.h"

struct fh_contracts;

/* Observes the machine until fh_contracts_end. FHEC_HOST_ERROR without memory. */
fhec_status fh_contracts_begin(fhec_machine *machine, struct fh_findings *findings,
                               struct fh_contracts **contracts);
/* FHEC_HOST_ERROR: there was no memory on the way. NULL is allowed. */
fhec_status fh_contracts_end(struct fh_contracts *contracts);

#endif
