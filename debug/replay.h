/*
 * replay.h - the launches once more, on a machine of their own, which observers may watch: what a
 * debugger knows about beyond what it stops at comes from there.
 *
 *     new -> (observers on fh_debugger_machine) -> to a time, or to launches one by one -> free
 *
 * Changes and patches are made again. The debugger stays as it is, and must not change as long.
 */
#ifndef FH_REPLAY_H
#define FH_REPLAY_H

#include "debugger.h"

/* A second debugger, at the beginning, where nothing of the first launch has begun. What is wrong
 * is an error of the first one, here and below. */
fhec_status fh_replay_new(struct fh_debugger *debugger, struct fh_debugger **replay);
/* On to a time; each launch begins once. FHEC_BAD_INPUT: a launch is at fault before it. */
fhec_status fh_replay_to(struct fh_debugger *debugger, struct fh_debugger *replay,
                         struct fh_debug_time time);
/* On to before a launch that has not begun. FHEC_BAD_INPUT: one is at fault before it. */
fhec_status fh_replay_before(struct fh_debugger *debugger, struct fh_debugger *replay,
                             size_t launch);
/* The whole launch before which it stands; FHEC_GUEST_FAULT: up to a fault, and there is no going
 * on. The launch has ended for observers. */
fhec_status fh_replay_launch(struct fh_debugger *debugger, struct fh_debugger *replay);
void fh_replay_free(struct fh_debugger *replay); /* NULL is allowed */

#endif
