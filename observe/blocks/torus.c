/*
 * torus.c - see torus.h.
 */
#include "torus.h"

/* Steps from a to b on a ring, negative for the other way round. */
static int32_t steps(uint32_t size, uint32_t a, uint32_t b) {
    const uint32_t forward = (b + size - a) % size;
    return 2 * forward <= size ? (int32_t)forward : (int32_t)forward - (int32_t)size;
}

static uint32_t length(int32_t steps) {
    return (uint32_t)(steps < 0 ? -steps : steps);
}

uint32_t fh_torus_neighbour(const struct fh_torus *t, uint32_t channel) {
    const uint32_t router = channel / FH_TORUS_DIRECTIONS;
    uint32_t x = router % t->columns, y = router / t->columns;
    switch (channel % FH_TORUS_DIRECTIONS) {
    case 0: x = (x + 1) % t->columns; break;
    case 1: x = (x + t->columns - 1) % t->columns; break;
    case 2: y = (y + 1) % t->rows; break;
    default: y = (y + t->rows - 1) % t->rows; break;
    }
    return x + t->columns * y;
}

uint32_t fh_torus_hops(const struct fh_torus *t, uint32_t from, uint32_t to) {
    return length(steps(t->columns, from % t->columns, to % t->columns)) +
           length(steps(t->rows, from / t->columns, to / t->columns));
}

uint32_t fh_torus_route(const struct fh_torus *t, uint32_t from, uint32_t to,
                        uint32_t channels[FH_TORUS_MOST]) {
    const int32_t way[2] = {steps(t->columns, from % t->columns, to % t->columns),
                            steps(t->rows, from / t->columns, to / t->columns)};
    uint32_t count = 0;
    for (unsigned axis = 0; axis < 2; axis++)
        for (uint32_t i = 0; i < length(way[axis]); i++) {
            const uint32_t direction = 2 * axis + (way[axis] < 0);
            channels[count] = FH_TORUS_DIRECTIONS * from + direction;
            from = fh_torus_neighbour(t, channels[count++]);
        }
    return count;
}
