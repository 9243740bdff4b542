/*
 * ntt_methods.h - the ways to compute a transform: one for each unit that maps have.
 */
#ifndef FH_NTT_METHODS_H
#define FH_NTT_METHODS_H

#include "ntt_job.h"

/* Assembles the kernels, puts the tables of all limbs into the guest, and lists the steps; data in
 * and out may be the same. */
typedef fhec_status fh_ntt_method(struct fh_plan *plan, const struct fh_ntt_job *job);
fh_ntt_method fh_ntt_fhec16, fh_ntt_fhec256;
fh_ntt_method fh_ntt_imma16, fh_ntt_imma256;
fh_ntt_method fh_ntt_cuda32, fh_ntt_cuda64, fh_ntt_gme32, fh_ntt_gme64;

#endif
