/*
 * torus.h - the network between engines: routers on a torus, messages that go along x first, then
 * along y, the shorter way round, in the positive direction where both are as long.
 */
#ifndef FH_TORUS_H
#define FH_TORUS_H

#include <stdint.h>

enum { FH_TORUS_MOST = 256, FH_TORUS_DIRECTIONS = 4 };

/* Router x + columns * y. */
struct fh_torus {
    uint32_t columns, rows;
};

static inline uint32_t fh_torus_routers(const struct fh_torus *t) {
    return t->columns * t->rows;
}
/* Channels: 4 times the router that they leave, plus 0: x + 1, 1: x - 1, 2: y + 1, 3: y - 1. */
static inline uint32_t fh_torus_channels(const struct fh_torus *t) {
    return FH_TORUS_DIRECTIONS * fh_torus_routers(t);
}
uint32_t fh_torus_neighbour(const struct fh_torus *t, uint32_t channel);
uint32_t fh_torus_hops(const struct fh_torus *t, uint32_t from, uint32_t to);
/* The channels of the way, hops of them. */
uint32_t fh_torus_route(const struct fh_torus *t, uint32_t from, uint32_t to,
                        uint32_t channels[FH_TORUS_MOST]);

#endif
