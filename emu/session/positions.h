/*
 * positions.h - where the warps of a launch stood when it was cancelled.
 */
#ifndef FH_POSITIONS_H
#define FH_POSITIONS_H

#include "fhec_session.h"
#include "launch.h"

struct fh_positions {
    fhec_position *list; /* their texts are those below */
    size_t count, room;
    char **texts;
    size_t text_count, text_room;
};

/* Adds those of the block's warps; without host memory some are missing. */
void fh_positions_add(struct fh_positions *positions, const struct fh_block *block);
/* By block, warp and pc. */
void fh_positions_sort(struct fh_positions *positions);
void fh_positions_free(struct fh_positions *positions);

#endif
