/*
 * origins_here.h - where the values of registers come from at the debugger's time. The first time
 * that it is asked, and after a move back, the launch under way runs once more up to here, followed
 * by observers (origins.h); after a move forward what has been run since.
 */
#ifndef FH_DEBUG_ORIGINS_HERE_H
#define FH_DEBUG_ORIGINS_HERE_H

#include "debugger.h"
#include "operand_origins.h"

/* How many warp instructions fh_debugger_origins would run again. */
uint64_t fh_debugger_origins_cost(const struct fh_debugger *debugger);

/* A warp of the launch, with the origins of its registers. Valid until the debugger moves. */
struct fh_origins_here {
    fhec_launch launch;
    struct fh_moment moment;
    fhec_instruction instruction; /* that stands at the pc which was asked for */
    struct fh_origin_scene scene; /* points to these */
};
/* Of block and warp, which may be at `pc`. The session must be asked for again afterwards. What
 * went wrong stands in fh_debugger_error: FHEC_BAD_INPUT: no launch is under way, no such warp is
 * resident, or it has ended, or no such instruction; FHEC_CANCELLED. */
fhec_status fh_debugger_origins(struct fh_debugger *debugger, const uint32_t block[3],
                                uint32_t warp, uint64_t pc, struct fh_origins_here *here);
/* The same of the focus, at the pc of its lane. */
fhec_status fh_debugger_origins_here(struct fh_debugger *debugger, struct fh_origins_here *here);

/* Of a register R or UR in a lane: "a[37]", "computed at 0x1a0". Length like snprintf. */
int fh_origins_here_text(const struct fh_origins_here *here, fhec_register_file file, uint32_t reg,
                         uint32_t lane, char *text, size_t size);

#endif
