/*
 * contract_slice.h - which instructions may have made a value contract fail: those that compute its
 * left side from what it names, that is, behind the .let lines of its names, and not what computes
 * the registers of its right side. They are looked for in the order of the program, not of the run.
 */
#ifndef FH_CONTRACT_SLICE_H
#define FH_CONTRACT_SLICE_H

#include "finding.h"

/* Fills in finding->computed_by for the index-th contract of the kernel of finding->at. */
void fh_contract_slice(struct fh_finding *finding, size_t index);

#endif
