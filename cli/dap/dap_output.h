/*
 * dap_output.h - what the process prints, as output events: standard output and standard error go
 * into files in memory, which are read whenever the guest stands. The protocol has descriptors of
 * its own.
 */
#ifndef FH_CLI_DAP_OUTPUT_H
#define FH_CLI_DAP_OUTPUT_H

#include "dap.h"

/* False: the host has no descriptors for it. */
bool fh_dap_output_begin(struct fh_dap *dap);
/* Tells the client what has been printed since the last time. */
void fh_dap_output_drain(struct fh_dap *dap);
void fh_dap_output_end(struct fh_dap *dap);

#endif
