/*
 * race_engine.h - what the checkers `race` and `async` share: a run is followed with clocks and a
 * shadow of global and shared memory, and accesses that no order stands between are told.
 *
 * FastTrack (Flanagan and Freund, 2009) for a hierarchy of lanes, warps and blocks: one word
 * remembers its last write and the reads since, each by a time of its lane; an access is ordered
 * behind one of them if its lane's clock knows the other lane up to that time.
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
    uint32_t lane, warp, thread; /* warp, thread: numbers in the launch */
    uint32_t first_warp;         /* of the block */
    uint32_t code;               /* of the instruction, with flags: see below */
    bool write, atomic, copy;
    enum fh_reach reach;
    uint64_t address; /* of the cell that is looked at */
    uint32_t bytes;   /* of the cell */
    uint32_t value;
};

/* Above the number of an instruction in cells: see FH_COPY_PENDING. */
enum { FH_CODE_REACH_SHIFT = 29, FH_CODE_NUMBER = (1 << FH_CODE_REACH_SHIFT) - 1 };

/* race_access.c: an ACCESS to global or shared memory. */
void fh_race_access(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event,
                    const struct fh_ordering_code *code);
/* A COPY is issued, or copies are DONE. */
void fh_race_copy(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event);
void fh_race_copies_done(struct fh_race *race, struct fh_block_clocks *block,
                         const fhec_event *event);

/* race_report.c: what is found. `other`: lanes of a warp, by its number, that wrote or read with
 * the instruction `code`. */
void fh_race_report(struct fh_race *race, const struct fh_touch *touch, uint32_t warp,
                    uint32_t lanes, uint32_t code, bool other_writes);
/* The same of two writes to shared memory, told when something reads what they left. */
void fh_race_dispute(struct fh_race *race, const struct fh_touch *touch, uint32_t warp,
                     uint32_t lanes, uint32_t code);
/* The access reads a cell, or writes it in order: what was disputed there is told, or settled. */
void fh_race_settle(struct fh_race *race, const struct fh_touch *touch);

#endif
