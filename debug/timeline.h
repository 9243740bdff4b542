/*
 * timeline.h - a debugger's machine at one time or another: doing what the host did, beginning and
 * ending launches, snapshots, and going to any time.
 *
 *     host  launch 0           host  launch 1                 host  launch 2
 *      AWW  |-----------------| W   |------------------------| AW  |---
 *           ^      ^     ^  ^       ^         ^       ^    ^  places
 *
 * Places are snapshots: of the beginning of each launch, and within launches the denser the nearer
 * they are to where the debugger was when it took them. A launch in which nothing can stop runs
 * without a session, on all host threads.
 */
#ifndef FH_TIMELINE_H
#define FH_TIMELINE_H

#include "debugger_state.h"

/* Makes sure that the launch at which the debugger stands is under way, if there is one. */
fhec_status fh_timeline_open(struct fh_debugger *debugger);
/* Goes on in the launch: to a stop of the session, or until it has issued `until` instructions
 * (UINT64_MAX: no limit), by the step that `go` asks for (NULL: none). When the launch ends the
 * next one is where the debugger stands, and the reason is FHEC_STOP_END. */
fhec_status fh_timeline_run(struct fh_debugger *debugger, uint64_t until, const fhec_go *step,
                            fhec_stop *stop);
/* Runs the whole launch, at whose beginning the debugger stands, without a session. *outcome is
 * FHEC_OK; or FHEC_GUEST_FAULT or FHEC_CANCELLED: the debugger stands where it stood. */
fhec_status fh_timeline_pass(struct fh_debugger *debugger, fhec_status *outcome);
/* The same, but after a fault or a cancel the debugger is good for nothing more. */
fhec_status fh_timeline_run_out(struct fh_debugger *debugger, fhec_status *outcome);
/* To a time at or after which there is something to run; FHEC_BAD_INPUT: a launch is over, or at
 * fault, before it. No stop counts. */
fhec_status fh_timeline_go(struct fh_debugger *debugger, struct fh_debug_time time);
/* Takes a snapshot of here, if there is none. */
fhec_status fh_timeline_mark(struct fh_debugger *debugger);
/* Makes a change here, and again whenever the launch comes here: it becomes the list's, with its
 * data; but not an instruction that no lane has executed. What had been known of later times is
 * forgotten; *branched: there was something. */
fhec_status fh_timeline_change(struct fh_debugger *debugger, struct fh_debug_change *change,
                               bool *branched);
/* Where something is about to be other than it was: what is known of the time and of later ones is
 * forgotten, and the debugger goes back there if it is behind, or at it and `anew`. *branched:
 * something was known of later times. */
fhec_status fh_timeline_forget(struct fh_debugger *debugger, struct fh_debug_time time, bool anew,
                               bool *branched);
/* Gives up the launch under way, and all places. */
void fh_timeline_end(struct fh_debugger *debugger);

#endif
