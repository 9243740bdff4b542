/*
 * race_kind.h - accesses as far as it matters with which others they race, and what of the past
 * need not be kept when they come.
 */
#ifndef FH_RACE_KIND_H
#define FH_RACE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "ordering_code.h"

/* Strong ones by their reach. */
enum fh_access_kind {
    FH_PLAIN_READ,
    FH_BLOCK_READ,
    FH_GRID_READ,
    FH_PLAIN_STORE,
    FH_BLOCK_STORE,
    FH_GRID_STORE,
    FH_BLOCK_ATOMIC,
    FH_GRID_ATOMIC,
    FH_BLOCK_SWAP, /* compare-and-swap: what was read before is compared, so reads are no race */
    FH_GRID_SWAP,
    FH_COPYING, /* an asynchronous copy has been issued, and is not waited for */
    FH_ACCESS_KINDS,
};
#define FH_KIND_BIT(kind) (1U << (kind))
enum {
    FH_STORE_KINDS =
        FH_KIND_BIT(FH_PLAIN_STORE) | FH_KIND_BIT(FH_BLOCK_STORE) | FH_KIND_BIT(FH_GRID_STORE),
    FH_READ_KINDS =
        FH_KIND_BIT(FH_PLAIN_READ) | FH_KIND_BIT(FH_BLOCK_READ) | FH_KIND_BIT(FH_GRID_READ),
};

/* Two sets of kinds: of past accesses, wherever they come from, and of those of the same block. Or,
 * of `races`, of other blocks. */
struct fh_kinds {
    uint16_t any, some;
};

/* An access that comes now, beside those that are in no order with it, and those that are ordered
 * before it. */
struct fh_kind_rules {
    struct fh_kinds races;  /* with these, were it in no order with them; `some`: of other blocks */
    struct fh_kinds covers; /* what races with these races with it, too */
    struct fh_kinds stores; /* the same, but for stores that leave what it has left */
    struct fh_kinds covers_stores; /* a store that races with these races with it */
};
extern const struct fh_kind_rules fh_kind_rules[FH_ACCESS_KINDS];

static inline bool fh_kind_among(struct fh_kinds kinds, enum fh_access_kind kind, bool some) {
    return (kinds.any | (some ? kinds.some : 0)) >> kind & 1;
}

enum fh_access_kind fh_access_kind(enum fh_reach reach, bool read, bool write, bool swaps);
/* How far it reaches; FH_REACH_NONE: it is not strong. */
enum fh_reach fh_kind_reach(enum fh_access_kind kind);

#endif
