/*
 * dap_launch.h - the program that is debugged, from its launch to its end.
 */
#ifndef FH_CLI_DAP_LAUNCH_H
#define FH_CLI_DAP_LAUNCH_H

#include "dap.h"

/* The last launch has ended, or failed: what the client is told. */
void fh_dap_end(struct fh_dap *dap, int status);
/* Ends what was launched; nothing happens if nothing was. */
void fh_dap_close(struct fh_dap *dap);

#endif
