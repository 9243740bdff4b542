/*
 * positions.h - where the warps of a launch stood when it was cancelled.
 */
#ifndef FH_POSITIONS_H
#define FH_POSITIONS_H

#include "fhec_session.h"
#include "launch.h"

/* How the line of the instruction at a pc came to be read. */
struct fh_position_source {
    uint64_t pc;
    fhec_expansion *expansions;
    size_t count;
};

struct fh_positions {
    fhec_position *list; /* their texts are those below */
    size_t count, room;
    char **texts;
    size_t text_count, text_room;
    struct fh_position_source *sources; /* of lines in expansions, each pc once */
    size_t source_count, source_room;
};

/* Adds those of the block's warps; without host memory some are missing. */
void fh_positions_add(struct fh_positions *positions, const struct fh_block *block);
/* By block, warp and pc. */
void fh_positions_sort(struct fh_positions *positions);
void fh_positions_free(struct fh_positions *positions);

#endif
