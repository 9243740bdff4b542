/*
 * bconv_cuda.h - base conversion on CUDA cores and modular lane units.
 */
#ifndef FH_BCONV_CUDA_H
#define FH_BCONV_CUDA_H

#include "device.h"

/* Fills the plan for parameters that fh_bconv_check has found good. words: of 32 bits, of an
 * element. */
fhec_status fh_bconv_cuda(struct fh_plan *plan, const struct fh_bconv_params *params, bool gme,
                          unsigned words);

#endif
