/*
 * watch.h - instructions that somebody watches: observers, breakpoints, watchpoints.
 *
 * Whoever watches a launch is a hook. Hooks say which instructions of the kernel concern them, and
 * which warps. Ops of these instructions are flagged in a copy of the kernel's ops, which warps run
 * that a hook covers:
 *
 *     image->ops     op  op  op  op  op  op        warps that nobody watches
 *     code->ops      op  op [op] op  op [op]       the others; superblocks end before flagged ops
 *
 * A flagged op goes through fh_watched_begin, its own function in image->ops, and fh_watched_end;
 * everything else runs as it does without hooks. So instructions are issued in the same order and
 * counted alike, whoever watches.
 */
#ifndef FH_WATCH_H
#define FH_WATCH_H

#include "warp.h"

struct fh_links;

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

struct fh_hook {
    void *user;
    /* Whether the instruction concerns the hook; asked once for each when they are flagged. NULL:
     * none does. */
    bool (*wants)(void *user, const struct fh_image *image, const struct fh_op *op);
    /* Whether the warp does; asked before each of its turns. NULL: all do. */
    bool (*covers)(void *user, const struct fh_block *block, uint32_t warp);
    /* Of an instruction that concerns it, in a warp that does; each may be NULL. `stop` is asked
     * first, of all hooks: true, and the launch pauses before the instruction, which is asked about
     * again when the launch goes on. `before` and `after` then stand around it; behind a fault,
     * which changes nothing, there is no `after`. True of `after`: the launch pauses behind it. */
    bool (*stop)(void *user, const struct fh_issue *issue);
    void (*before)(void *user, const struct fh_issue *issue);
    bool (*after)(void *user, const struct fh_issue *issue);
    /* Bit k: it wants to be told of happenings of kind k, in whatever blocks and warps. What comes
     * of an instruction is told if that is flagged: see fh_op_may. True: the launch pauses behind
     * the instruction. */
    uint32_t kinds;
    bool (*happens)(void *user, struct fh_block *block, const struct fh_happening *happening);
};

/* The flagged ops of an image, and who wants each of them. Shared by the host threads of a launch.
 */
struct fh_watched_code {
    struct fh_op *ops; /* image->count of them and one more, aligned, in room */
    void *room;
    uint32_t *first; /* by op: where its hooks begin in `list`; count + 2 of them */
    uint32_t *list;  /* indices of hooks */
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
    const struct fh_issue *issue; /* the flagged instruction that runs; NULL: none does */
    /* For several host threads: what watches a part of the launch's blocks (NULL without host
     * memory), and what becomes of it: all it has seen counts, after that of the parts before it,
     * or nothing. NULL: the launch runs on one host thread. */
    struct fh_watch *(*fork)(const struct fh_watch *whole);
    void (*end)(struct fh_watch *part, bool counts);
    void *owner; /* of the two functions */
};

/* Flags the ops of `image` that one of the hooks wants. Constants of the launch must be in them;
 * when they change, the copy is to be made anew. False without host memory. */
bool fh_watched_code_make(struct fh_watched_code *code, const struct fh_image *image,
                          const struct fh_links *links, const struct fh_hook *hooks,
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

/* Before a turn of the warp: whether a hook covers it, so that it has to run the flagged ops. */
bool fh_watch_turn(const struct fh_warp *w);
/* Around the execution of image->ops[i], which is flagged. False: the launch is to pause before it.
 */
bool fh_watched_begin(const struct fh_issue *issue);
void fh_watched_end(const struct fh_issue *issue);
/* The group is about to issue; to be called if FH_FLOW_HAPPENINGS are wanted. */
void fh_watch_issues(struct fh_flow *f);
/* Something has happened that a hook may want to know. */
void fh_watch_block_begins(struct fh_block *block);
void fh_watch_warp_begins(struct fh_flow *f);
void fh_watch_arrival(struct fh_flow *f, uint32_t lanes, uint32_t barrier);
void fh_watch_release(struct fh_block *block, uint32_t barrier, uint32_t lanes);

#endif
