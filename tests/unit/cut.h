/*
 * cut.h - a launch cut into pieces: it runs in a session that stops at random places for random
 * reasons, is looked at and goes on. It must do what fhec_run does.
 */
#ifndef FH_TESTS_CUT_H
#define FH_TESTS_CUT_H

#include "emu_random.h"
#include "fhec_session.h"

struct cutter {
    struct emu_rng rng;
    uint64_t longest;  /* instructions of a piece, at most */
    uint64_t stops;    /* so far */
    const char *wrong; /* what a stop told that cannot be; NULL: nothing */
};

/* As fhec_run. */
fhec_status cut_run(struct cutter *cutter, fhec_machine *machine, const fhec_launch *launch);

#endif
