/*
 * origin_follow.h - bringing the origins of values to where the debugger is: what ran since they
 * rested, or since the launch's beginning, runs once more.
 *
 *     begin ... rested ... here        go to where they rested, and forward to here
 *     begin ... here ... rested        go to the beginning, and forward to here
 */
#ifndef FH_ORIGIN_FOLLOW_H
#define FH_ORIGIN_FOLLOW_H

#include "origin_trail.h"

/* They follow from here on. The session has no points then. FHEC_BAD_INPUT: no launch is under way;
 * FHEC_CANCELLED: the debugger is where it was, and nothing is known of origins. */
fhec_status fh_trail_follow(struct fh_debugger *debugger, struct fh_stop_point *only);
/* Before stops are put into the session: they follow, if one of those waits for an origin. */
fhec_status fh_trail_ready(struct fh_debugger *debugger, struct fh_stop_point *only);

#endif
