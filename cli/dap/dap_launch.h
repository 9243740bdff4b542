/*
 * dap_launch.h - the program that is debugged, from its launch to its end.
 */
#ifndef FH_CLI_DAP_LAUNCH_H
#define FH_CLI_DAP_LAUNCH_H

#include "dap.h"

/* Of the arguments of a launch request (dap_schema.h). */
#define FH_DAP_LAUNCH_SHAPE                                                                        \
    "noDebug:b program:s command:s args:[s] stopOnEntry:b cwd:s checks:a simd:s engine:s"

/* All of a session, whose channel is open: requests, as dap->serve answers them, to the end; what
 * restart requests launch again, too. Then everything of it is given back but the channel. */
void fh_dap_session(struct fh_dap *dap);

#endif
