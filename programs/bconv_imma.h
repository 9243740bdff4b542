/*
 * bconv_imma.h - base conversion on Tensor Cores.
 */
#ifndef FH_BCONV_IMMA_H
#define FH_BCONV_IMMA_H

#include "device.h"

/* Fills the plan for parameters that fh_bconv_check has found good. */
fhec_status fh_bconv_imma(struct fh_plan *plan, const struct fh_bconv_params *params);

#endif
