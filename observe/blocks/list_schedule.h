/*
 * list_schedule.h - orders of tiles by list scheduling: whenever an engine is free it takes the
 * tile of the highest priority that is ready.
 */
#ifndef FH_LIST_SCHEDULE_H
#define FH_LIST_SCHEDULE_H

#include "block_tiles.h"

struct fh_list_schedule {
    const double *taken; /* by each tile */
    const double *first; /* of two tiles the one with less goes first, then the lower index; NULL:
                            that alone */
    uint32_t engines;
    bool fixed; /* engine[] is given; else a tile goes to the engine that is free first */
};

/* order: the tiles as they start; engine of each. FHEC_HOST_ERROR: no memory. */
fhec_status fh_list_schedule(const struct fh_tiles *tiles, const struct fh_list_schedule *how,
                             uint32_t *order, uint32_t *engine);

#endif
