/*
 * paths.h - all paths through a piece of code, and what is outstanding (hazard.h) along them: a
 * state for the beginning of each basic block, the join of those of all ways to it.
 *
 * Functions within the code are followed from each call on their own, as if they were copied to
 * where they are called: what one caller has outstanding says nothing about the others. A return
 * leads behind the call, or where the caller has put its return address to.
 */
#ifndef FH_PATHS_H
#define FH_PATHS_H

#include "flowgraph.h"
#include "hazard.h"

/* A call that has not returned yet; the first one is the code itself, which nobody called. A call
 * from within itself is the same one, with one more place to return to. */
struct fh_path_call {
    uint32_t parent; /* index of the call in which it is, first of all */
    uint32_t site;   /* the instruction that calls; FH_NOWHERE none */
    uint32_t depth;
    uint32_t returns; /* index + 1 of the first place; 0: none */
};

/* Where a call returns to. */
struct fh_path_return {
    uint32_t call, back; /* the instruction, in the call */
    uint32_t next;       /* index + 1 of one more place; 0: none */
};

/* The state where a block begins, within a call. */
struct fh_path_entry {
    uint32_t call, block;
    struct fh_pending *pending;
    size_t room;
    unsigned count, visits;
    fh_lanes lanes;
    struct fh_lanes_rules rules;
    bool queued;
    uint8_t armed[FH_SCOREBOARDS];
};

/* Found by two numbers: an open-addressing table of indices + 1. */
struct fh_path_table {
    uint64_t *keys;
    uint32_t *values;
    size_t size, used; /* size: a power of two */
};

/* What matters here of an instruction, decoded once. */
struct fh_path_inst {
    bool known;    /* the word is an instruction */
    bool may_exit; /* some of its lanes may end here, and others go on */
    bool barrier;  /* of the block, which it waits for: what is stored before it has been read */
    bool local;    /* it goes to local memory */
    uint8_t wait, pipe, use_count;
    struct fh_sched sched;
    struct fh_lanes_effect effect;
    size_t first_use; /* in fh_paths.uses */
};

struct fh_paths {
    struct fh_flowgraph graph;
    struct fh_path_inst *insts;
    struct fh_use *uses;
    size_t use_count, use_room;
    struct fh_path_call *calls;
    size_t call_count, call_room;
    struct fh_path_return *returns;
    size_t return_count, return_room;
    struct fh_path_entry *entries; /* in the order in which they were reached, until sorted */
    size_t entry_count, entry_room;
    struct fh_path_table found_entries, found_calls;
    uint32_t *queue; /* entries to be looked at again: a heap */
    size_t queue_count, queue_room;
    uint8_t *reached; /* blocks */
    bool no_memory;
    struct fh_hazards now, joined; /* `now`: where a walk is */
};

/* Follows all paths until nothing changes, and sorts the entries by block. paths->no_memory tells;
 * fh_paths_free in any case. */
void fh_paths_follow(struct fh_paths *paths, struct fh_code code);
void fh_paths_free(struct fh_paths *paths);

/* Makes paths->now what it is where the entry begins. */
void fh_paths_enter(struct fh_paths *paths, const struct fh_path_entry *entry);
/* What the instruction at `at`, which must be known, reads and writes. */
void fh_paths_uses(const struct fh_paths *paths, uint32_t at, struct fh_uses *uses);
/* The lanes that it acts on. */
fh_lanes fh_paths_acting(const struct fh_paths *paths, uint32_t at);
/* The instruction at `at` waits and issues: its effect on paths->now. */
void fh_paths_step(struct fh_paths *paths, uint32_t at);

#endif
