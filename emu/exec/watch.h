/*
 * watch.h - instructions that somebody watches: observers, breakpoints, watchpoints.
 *
 * Whoever watches a launch is a hook. Hooks say which instructions of the kernel concern them, and
 * which warps. Warps that a hook covers run a copy of the kernel's ops, in which superblocks call
 * the hooks between the ops:
 *
 *     image->ops     op -> op -> op -> op             warps that nobody watches
 *     code->ops      op -> op -> watched -> op        the others
 *
 * Everything else runs as it does without hooks, so that instructions are issued in the same order
 * and counted alike, whoever watches.
 */
#ifndef FH_WATCH_H
#define FH_WATCH_H

#include "warp.h"

struct fh_threading;

/* What happens in a launch beside instructions, or within one of them. */
enum fh_happening_kind {
    FH_BLOCK_BEGINS,     /* before any of its warps */
    FH_BLOCK_ENDED,      /* the last of its lanes has */
    FH_WARP_BEGINS,      /* it is about to issue its first instruction */
    FH_WARP_ENDED,       /* the last of its lanes has */
    FH_BARRIER_ARRIVAL,  /* lanes of a warp have come to a named barrier of the block */
    FH_BARRIER_RELEASED, /* a named barrier has let its lanes go */
    FH_LANES_PARTED,     /* lanes that issued an instruction together are not together any more */
    FH_LANES_MET,        /* lanes are about to issue together that did not the last time */
    FH_COPY_ISSUED,      /* asynchronous copies */
    FH_COPIES_DONE,      /* the program has waited for them */
    FH_HAPPENINGS,
};
enum { FH_FLOW_HAPPENINGS = 1 << FH_LANES_PARTED | 1 << FH_LANES_MET };

struct fh_happening {
    enum fh_happening_kind kind;
    const struct fh_flow *flow; /* NULL: of a block that begins */
    const struct fh_op *op;     /* the instruction; NULL: of what begins */
    uint32_t lanes;             /* of the warp: those that it is about */
    uint32_t joined;            /* FH_LANES_MET: those that the lowest lane was not with before */
    uint32_t barrier;           /* its number */
    uint32_t count;             /* lanes of the block that have arrived, or were let go */
    uint32_t expected;          /* FH_BARRIER_ARRIVAL: lanes that release it */
    uint64_t first, last;       /* copies of the warp, counted from 1 */
};

/* An instruction that a warp issues. */
struct fh_issue {
    struct fh_flow *flow;
    const struct fh_op *op; /* in image->ops */
    uint32_t group, active; /* lanes that issue it; those that will execute it, or did */
};

/* What a hook wants of an instruction. */
enum fh_phase {
    FH_STOPS = 1, /* its `stop` is asked */
    FH_BEFORE = 2,
    FH_AFTER = 4,
    FH_HAPPENS = 8, /* some hook wants what may come of it: fh_op_may */
    FH_BATCH = 16,  /* of a plain instruction: none of the others, but `ran` some time later */
};

struct fh_hook {
    void *user;
    /* What of the instruction concerns the hook: FH_STOPS, FH_BEFORE, FH_AFTER; FH_BATCH; asked
     * once for each when they are flagged. NULL: nothing of any. */
    unsigned (*wants)(void *user, const struct fh_image *image, const struct fh_op *op);
    /* Whether the warp does; asked before each of its turns. NULL: all do. */
    bool (*covers)(void *user, const struct fh_block *block, uint32_t warp);
    /* Of an instruction, in a warp that concerns it. `stop` is asked first, of all hooks: true, and
     * the launch pauses before the instruction, which is asked about again when the launch goes on.
     * `before` and `after` then stand around it; behind a fault, which changes nothing, there is no
     * `after`. True of `after`: the launch pauses behind it. The warp's pc is that of the
     * instruction, and behind it that of the next one. */
    bool (*stop)(void *user, const struct fh_issue *issue);
    void (*before)(void *user, const struct fh_issue *issue);
    bool (*after)(void *user, const struct fh_issue *issue);
    /* The group has issued plain instructions from number `first` up to `end`, of some of which the
     * hook may want FH_BATCH: before anything else that is not plain. Of those with a guard, the
     * lanes are in launch->counts[].active, of the others the group. */
    void (*ran)(void *user, struct fh_flow *flow, uint32_t first, uint32_t end);
    /* Bit k: it wants to be told of happenings of kind k, in whatever blocks and warps. What comes
     * of an instruction is told if that is flagged: see fh_op_may. True: the launch pauses behind
     * the instruction. */
    uint32_t kinds;
    bool (*happens)(void *user, struct fh_block *block, const struct fh_happening *happening);
};

/* A hook that wants something of an op. */
struct fh_want {
    uint32_t hook; /* its index */
    uint32_t phases;
};

/* The ops of an image for watched warps, and who wants what of them. Shared by the host threads of
 * a launch. */
struct fh_watched_code {
    struct fh_op *ops; /* image->count of them and one more, aligned, in room */
    void *room;
    uint8_t *flags;       /* by op: the phases that hooks want of it */
    bool batches;         /* FH_BATCH is among them */
    uint32_t *first;      /* by op: where those that want something of it begin in `list` */
    struct fh_want *list; /* in the order of the hooks */
};

/* A hook as one host thread runs it. */
struct fh_watcher {
    struct fh_hook hook;
    bool covers; /* the warp that has its turn */
};

/* Who watches the blocks that one host thread runs. */
struct fh_watch {
    struct fh_watcher *watchers;
    unsigned count;
    const struct fh_watched_code *code;
    uint32_t kinds;               /* of happenings that a hook wants */
    uint32_t active;              /* lanes for which the op of a superblock that runs acts */
    const struct fh_issue *issue; /* the flagged instruction that runs; NULL: none does */
    /* For several host threads: what watches a part of the launch's blocks (NULL without host
     * memory), and what becomes of it: all it has seen counts, after that of the parts before it,
     * or nothing. NULL: the launch runs on one host thread. */
    struct fh_watch *(*fork)(const struct fh_watch *whole);
    void (*end)(struct fh_watch *part, bool counts);
    void *owner; /* of the two functions */
};

/* Asks the hooks about the ops of `image`. Constants of the launch must be in them;
 * when they change, the copy is to be made anew. False without host memory. */
bool fh_watched_code_make(struct fh_watched_code *code, const struct fh_image *image,
                          const struct fh_threading *threading, const struct fh_hook *hooks,
                          unsigned count);
void fh_watched_code_free(struct fh_watched_code *code);

/* Whether an instruction can give happenings of one of the kinds: bit k for kind k. */
bool fh_op_may(const struct fh_op *op, uint32_t kinds);

/* `hooks` are those of the code, in the same order; a host thread of several may have others for
 * `user`. False without host memory. */
bool fh_watch_make(struct fh_watch *watch, const struct fh_watched_code *code,
                   const struct fh_hook *hooks, unsigned count);
void fh_watch_free(struct fh_watch *watch);

/* ---------------------------------------------------------------- for the scheduler */

/* Before a turn of the warp: whether a hook covers it, so that it has to run the code's ops. */
bool fh_watch_turn(const struct fh_warp *w);
/* Around the execution of an op with a flag, which lasts from one to the other: *issue has to live
 * as long. False: the launch is to pause before it, and that was all. */
bool fh_watched_begin(const struct fh_issue *issue);
/* In place of fh_watched_end. */
void fh_watched_faulted(const struct fh_issue *issue);
void fh_watched_end(const struct fh_issue *issue);
/* In a superblock, whose lanes run all together: before its first op, between two, when the second
 * is `op`, and at its end, when that is the one behind it. False: the launch is to pause before
 * `op`. */
bool fh_watched_enter(struct fh_warp *w, const struct fh_op *op);
bool fh_watched_between(struct fh_warp *w, const struct fh_op *op);
void fh_watched_leave(struct fh_warp *w, const struct fh_op *op);
/* Plain ops have been issued by the group, and hooks want batches. */
void fh_watched_ran(struct fh_flow *f, const struct fh_op *op, const struct fh_op *end);
/* The group is about to issue; to be called if FH_FLOW_HAPPENINGS are wanted. */
void fh_watch_issues(struct fh_flow *f);
/* Something has happened that a hook may want to know. */
void fh_watch_block_begins(struct fh_block *block);
void fh_watch_warp_begins(struct fh_flow *f);
void fh_watch_arrival(struct fh_flow *f, uint32_t lanes, uint32_t barrier);
void fh_watch_release(struct fh_block *block, uint32_t barrier, uint32_t lanes);
/* The last lanes of the warp have ended with the instruction. */
void fh_watch_ended(const struct fh_issue *issue);

#endif
