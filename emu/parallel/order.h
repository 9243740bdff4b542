/*
 * order.h - which warp of the resident blocks goes next, and for how long, in a launch with an
 * order of its own: drawn from a seed, or named by a callback.
 */
#ifndef FH_ORDER_H
#define FH_ORDER_H

#include "schedule.h"

/* Where the ready warps of a resident block stand in the list for the callback. */
struct fh_order_listed {
    size_t at;
    uint32_t warps; /* as bits */
};

struct fh_order {
    const fhec_order *how; /* NULL: the default order, which needs nothing of what follows */
    /* The slice under way (schedule.h): */
    bool running;   /* there is one, or it has not been settled */
    uint64_t place; /* of its block among the resident ones */
    uint32_t warp, left;
    /* Of a seed: */
    uint64_t draws;      /* so far */
    uint64_t next_place; /* the block and the warp whose turn it is when warps take turns */
    uint32_t next_warp;
    bool testing;       /* a phase without draws is under way (ordered.c) ... */
    uint32_t rounds;    /* ... with so many rounds so far, */
    uint64_t residents; /* for so many blocks */
    uint32_t tests;     /* such phases that have ended since a block began or ended ... */
    bool suspected;     /* ... the last of them with the conclusion that all wait for ever */
    uint64_t from;      /* launch->steps when the phase with draws began */
    /* Of a callback: the warps that can run, found anew unless `known`. No part of the state. */
    bool known;
    fhec_ready_warp *ready;
    struct fh_order_listed *listed; /* by place */
    size_t ready_count, ready_room, listed_count, listed_room;
    size_t answer;    /* one that cannot be followed */
    uint32_t allowed; /* and how many instructions it wanted to allow */
};

/* The index of the block that begins as the number-th of `blocks`. */
uint64_t fh_order_block(const struct fh_order *order, uint64_t number, uint64_t blocks);

/* Chooses the next slice: place, warp, left. All `count` blocks, at least one, have warps that can
 * run. FH_GOES_ON; FH_NO_MEMORY; FH_NO_CHOICE: answer and allowed say why. */
enum fh_outcome fh_order_choose(struct fh_order *order, struct fh_block *const *blocks,
                                size_t count);
/* The same for a seed, without choosing. False: not known. */
bool fh_order_foresee(const struct fh_order *order, struct fh_block *const *blocks, size_t count,
                      uint64_t *place, uint32_t *warp);

/* The slice is over, its block goes on. */
void fh_order_ran(struct fh_order *order, struct fh_block *const *blocks, size_t count);
/* The block at this place has ended, and is none of the resident ones any more. */
void fh_order_ended(struct fh_order *order, uint64_t place);

/* Where an order goes on as another one did of the same launch: it keeps its own memory. */
void fh_order_keep(struct fh_order *order, const struct fh_order *own);
void fh_order_free(struct fh_order *order);

#endif
