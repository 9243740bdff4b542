/*
 * dap_launch.h - the program that is debugged, from its launch to its end.
 */
#ifndef FH_CLI_DAP_LAUNCH_H
#define FH_CLI_DAP_LAUNCH_H

#include "dap.h"

/* Of the arguments of a launch request (dap_schema.h). */
#define FH_DAP_LAUNCH_SHAPE                                                                        \
    "noDebug:b program:s command:s args:[s] stopOnEntry:b cwd:s checks:a simd:s engine:s"

/* After a restart request: launches again what dap->again says, to its end. False: there is
 * nothing to launch. */
bool fh_dap_relaunch(struct fh_dap *dap);

#endif
