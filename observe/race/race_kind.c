/*
 * race_kind.c - see race_kind.h. Two accesses race if one of them writes and they are not both
 * strong with scopes that reach both threads; a read and a compare-and-swap do not.
 */
#include "race_kind.h"

enum {
    PLAIN_READ = FH_KIND_BIT(FH_PLAIN_READ),
    BLOCK_READ = FH_KIND_BIT(FH_BLOCK_READ),
    GRID_READ = FH_KIND_BIT(FH_GRID_READ),
    PLAIN_STORE = FH_KIND_BIT(FH_PLAIN_STORE),
    BLOCK_WRITES = FH_KIND_BIT(FH_BLOCK_STORE) | FH_KIND_BIT(FH_BLOCK_ATOMIC),
    GRID_WRITES = FH_KIND_BIT(FH_GRID_STORE) | FH_KIND_BIT(FH_GRID_ATOMIC),
    BLOCK_SWAP = FH_KIND_BIT(FH_BLOCK_SWAP),
    GRID_SWAP = FH_KIND_BIT(FH_GRID_SWAP),

    STRONG_READS = BLOCK_READ | GRID_READ,
    READS = PLAIN_READ | STRONG_READS,
    STRONG_WRITES = BLOCK_WRITES | GRID_WRITES, /* but swaps */
    SWAPS = BLOCK_SWAP | GRID_SWAP,
    OF_BLOCK = BLOCK_READ | BLOCK_WRITES | BLOCK_SWAP,
    OF_GRID = GRID_READ | GRID_WRITES | GRID_SWAP,
    STRONG = OF_BLOCK | OF_GRID,
    ALL = READS | PLAIN_STORE | STRONG,
};

/* What covers a strong access must reach no further than that, and from the same block: others are
 * in nobody's reach that the one is in. */
const struct fh_kind_rules fh_kind_rules[FH_ACCESS_KINDS] = {
    [FH_PLAIN_READ] = {.races = {PLAIN_STORE | STRONG_WRITES, 0},
                       .covers = {READS, 0},
                       .covers_stores = {ALL, 0}},
    [FH_BLOCK_READ] = {.races = {PLAIN_STORE, STRONG_WRITES},
                       .covers = {0, STRONG_READS},
                       .covers_stores = {0, STRONG}},
    [FH_GRID_READ] = {.races = {PLAIN_STORE, BLOCK_WRITES},
                      .covers = {0, GRID_READ},
                      .covers_stores = {0, OF_GRID}},
    [FH_PLAIN_STORE] = {.races = {ALL, 0}, .stores = {ALL, 0}},
    [FH_BLOCK_STORE] = {.races = {PLAIN_READ | PLAIN_STORE, STRONG}, .stores = {0, STRONG}},
    [FH_GRID_STORE] = {.races = {PLAIN_READ | PLAIN_STORE, OF_BLOCK}, .stores = {0, OF_GRID}},
    [FH_BLOCK_ATOMIC] = {.races = {PLAIN_READ | PLAIN_STORE, STRONG}, .covers = {0, STRONG}},
    [FH_GRID_ATOMIC] = {.races = {PLAIN_READ | PLAIN_STORE, OF_BLOCK}, .covers = {0, OF_GRID}},
    [FH_BLOCK_SWAP] = {.races = {PLAIN_STORE, STRONG_WRITES | SWAPS},
                       .covers = {0, STRONG_READS | SWAPS}},
    [FH_GRID_SWAP] = {.races = {PLAIN_STORE, BLOCK_WRITES | BLOCK_SWAP},
                      .covers = {0, GRID_READ | GRID_SWAP}},
    [FH_COPYING] = {.races = {ALL, 0}, .stores = {ALL, 0}},
};

enum fh_access_kind fh_access_kind(enum fh_reach reach, bool read, bool write, bool swaps) {
    if (!write)
        return (enum fh_access_kind)(FH_PLAIN_READ + reach);
    if (!read)
        return (enum fh_access_kind)(FH_PLAIN_STORE + reach);
    const bool grid = reach == FH_REACH_GRID;
    if (swaps)
        return grid ? FH_GRID_SWAP : FH_BLOCK_SWAP;
    return grid ? FH_GRID_ATOMIC : FH_BLOCK_ATOMIC;
}

enum fh_reach fh_kind_reach(enum fh_access_kind kind) {
    return STRONG >> kind & 1 ? OF_GRID >> kind & 1 ? FH_REACH_GRID : FH_REACH_BLOCK
                              : FH_REACH_NONE;
}
