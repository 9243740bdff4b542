/*
 * race_engine.h - what the checkers `race` and `async` share: a run is followed with clocks and a
 * shadow of global and shared memory, and accesses that no order stands between are told.
 *
 * FastTrack (Flanagan and Freund, 2009) for a hierarchy of lanes, warps and blocks: a past access
 * is a lane and a time of it, and another one is ordered behind it if its lane's clock knows the
 * other lane up to that time. Unlike there a word's last write is not all that must be kept of its
 * past: strong accesses, stores of one value and compare-and-swaps do not race with each other, but
 * each may with what comes. So an access is forgotten only when another one is ordered behind it
 * with which all would race that races with it.
 */
#ifndef FH_RACE_ENGINE_H
#define FH_RACE_ENGINE_H

#include "finding.h"
#include "lane_clock.h"
#include "ordering_code.h"

struct fh_race {
    fhec_machine *machine;
    struct fh_findings *findings;
    unsigned observer;
    bool async; /* tells of asynchronous copies only, else of all but those */
    struct fh_ordering_codes codes;
    struct fh_race_time time;
    uint32_t start; /* of the launch: what is older is ordered before it */
    uint32_t warps; /* of a block */
    bool off;       /* the launch needs no look */
    struct fh_touched global;
    struct fh_number_map signals; /* of words of global memory */
    struct fh_number_map blocks;  /* resident ones by index, plus 1 */
    struct fh_block_clocks *last;
};

/* An access of one lane. */
struct fh_touch {
    const fhec_event *event;
    struct fh_block_clocks *block;
    struct fh_lane_clock *me;
    uint32_t lane, warp; /* warp: its number in the launch */
    uint32_t first_warp; /* of the block */
    bool shared;         /* shared memory */
    bool write, atomic;  /* atomic: reads and writes */
    bool copy;           /* an asynchronous one writes */
    bool polls;          /* a loop reads until the value has changed */
    enum fh_reach reach; /* how far it is strong */
    enum fh_access_kind kind;
    bool returns;           /* what it finds matters: it is no RED */
    struct fh_kinds races;  /* kinds of accesses that it races with */
    uint32_t code;          /* as in fh_past */
    bool closely;           /* it polls, or there are disputes: never what is most frequent */
    struct fh_past *joined; /* where a read stands now, if lanes that know the same and read the
                               same cell may join it */
    uint32_t since; /* what is older is before all that is to come: before the launch, or in shared
                       memory before a barrier that all of the block have passed */
    /* Of the cell that is looked at. */
    uint64_t address;
    uint32_t bytes;
    uint32_t whole;   /* all of them: a mask */
    uint32_t differs; /* those in which a write leaves something else than it finds */
};
static inline bool fh_touch_stores(const struct fh_touch *t) {
    return t->write && !t->atomic && !t->copy;
}

/* race_access.c: an ACCESS to global or shared memory. */
void fh_race_access(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event,
                    const struct fh_ordering_code *code);
/* race_cell.c: the access looks at a cell of the page, where what it leaves stands already. */
void fh_race_touch(struct fh_race *race, struct fh_touched *shadow, struct fh_touch *touch,
                   struct fh_cell_page *page);
/* race_clock.c: those of the past access's lanes for which it has not happened when the lane
 * accesses. */
uint32_t fh_race_not_before(const struct fh_race *race, const struct fh_touch *touch,
                            const struct fh_past *past);
/* race_copy.c: a COPY is issued, its ACCESS to shared memory follows, or copies are DONE. */
void fh_race_copy(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event);
void fh_race_copies_to(struct fh_block_clocks *block, const fhec_event *event, uint32_t number);
void fh_race_copies_done(struct fh_race *race, struct fh_block_clocks *block,
                         const fhec_event *event);

/* race_report.c: what is found: the access and the lanes of a past one race. */
void fh_race_report(struct fh_race *race, const struct fh_touch *touch,
                    const struct fh_past *other);
/* The same of two stores to shared memory that differ in `bytes`, a mask of the cell's: told when
 * something reads what they left there. */
void fh_race_dispute(struct fh_race *race, const struct fh_touch *touch,
                     const struct fh_past *other, uint32_t bytes);
/* The access and a past one are in no order and do not race: what one of them reads may depend on
 * the order of warps. */
void fh_race_depends(struct fh_race *race, const struct fh_touch *touch,
                     const struct fh_past *other);
/* The access reads a cell, or writes it: what was disputed of its bytes is told, or settled, but
 * for those that are disputed from now on. */
void fh_race_settle(struct fh_race *race, const struct fh_touch *touch, uint32_t disputed);

#endif
