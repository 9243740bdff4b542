/*
 * launch.h - the structures of a running kernel.
 *
 *     fh_image          one kernel decoded for one launch; read-only while it runs
 *     fh_launch_state   what one host thread needs to run a chunk of blocks on it
 *     fh_block          the block that this thread runs: shared memory, warps, barriers
 *     fh_flow           one of its warps (warp.h)
 */
#ifndef FH_LAUNCH_H
#define FH_LAUNCH_H

#include "allocations.h"
#include "exec.h"
#include "fill.h"
#include "machines.h"
#include "program.h"

#include <stdatomic.h>

enum { FH_ROW_WORDS = 4 }; /* of bits for all rows that registers have */

struct fh_bank {
    const uint8_t *bytes; /* NULL: no such bank */
    uint32_t size;
};

struct fh_decoded; /* decode.c */

struct fh_image {
    struct fh_decoded *decoded; /* whose are words, ops and insts */
    bool owned;                 /* and it is this image's alone */
    const struct fhec_program *program;
    size_t kernel;
    const struct fh_kernel *code;
    fhec_word *words;  /* count of them: the code space, every address filled in */
    struct fh_op *ops; /* count of them and one more, which faults: the end was run past */
    struct fh_inst *insts;
    uint32_t count;
    uint8_t *bank0;
    struct fh_bank banks[FH_BANKS];
    uint8_t *own[FH_BANKS]; /* copies of the kernel's own banks that were changed in this launch */
    uint32_t grid[3], block[3];
    uint64_t blocks;
    uint32_t threads, warps; /* of a block */
    uint32_t shared_bytes, local_bytes;
    /* Bytes that a block has of shared memory altogether: shared_bytes; or, of a kernel that asks
     * where its reserved part is, that part too, which is the last `reserved_bytes` of them. */
    uint32_t shared_room, reserved_bytes;
    uint32_t rows; /* registers from R0 on that the kernel can touch */
    uint64_t
        live_in[FH_ROW_WORDS]; /* those of them that every warp has to find filled (live_in.h) */
    uint16_t barriers;         /* convergence barriers that its instructions name, a bit for each */
    struct fh_fills fills;     /* what is there before the program writes it */
    bool ref;                  /* reference engine */
    fh_superblock_fn *run_superblock;
};

/* The first fault of a chunk of blocks. */
struct fh_fault_record {
    fhec_fault_kind kind; /* FHEC_FAULT_NONE: none */
    const struct fh_op *op;
    uint64_t block;
    uint32_t warp, lanes;
    bool has_address;
    uint64_t address;
    const char *space;
    char message[400];
};

/* How often an op was issued, and by how many threads. What superblocks issue without a guard is
 * counted where they begin and end only: `entered` is how many began with this op less how many
 * ended before it, until that is added up (count.h). */
struct fh_op_count {
    uint64_t warp, thread;
    uint64_t entered; /* modulo 2^64 */
    uint32_t active;  /* of an op with a guard: the lanes that it let through in a superblock */
};

/* Whether the op has a guard that can hold for some lanes only. */
static inline bool fh_op_guarded(const struct fh_op *op) {
    return op->guard != FH_PT || op->guard_neg;
}

static inline void fh_count_op(struct fh_op_count *counts, const struct fh_op *op,
                               uint32_t active) {
    struct fh_op_count *count = &counts[op->pc / FH_INST_BYTES];
    count->warp++;
    count->thread += active == UINT32_MAX ? FH_LANES : (uint64_t)__builtin_popcount(active);
}

/* Counts what a superblock has issued: the ops from `from` up to `end`. */
static inline void fh_count_range(struct fh_op_count *counts, const struct fh_op *from,
                                  const struct fh_op *end) {
    counts[from->pc / FH_INST_BYTES].entered++;
    counts[end->pc / FH_INST_BYTES].entered--;
}

static inline uint32_t fh_shared_allocated(uint32_t bytes) {
    return (bytes + FH_SHARED_UNIT - 1) / FH_SHARED_UNIT * FH_SHARED_UNIT;
}

/* Whether a block may access `bytes` at `at` of its shared memory, be it its own or reserved. */
static inline bool fh_shared_holds(const struct fh_image *image, uint64_t at, uint32_t bytes) {
    const uint32_t own = image->shared_bytes, end = image->shared_room;
    return (bytes <= own && at <= own - bytes) ||
           (bytes <= image->reserved_bytes && at >= end - image->reserved_bytes &&
            at <= end - bytes);
}

struct fh_transaction;
struct fh_flow;
struct fh_block;

/* How far a launch is, for other threads to read. */
struct fh_progress {
    _Atomic uint64_t blocks_done, instructions;
    atomic_bool spinning;
};
struct fh_watch;          /* watch.h */
struct fh_host_functions; /* external.h */

/* Who decides where a launch pauses, beside hooks (session/steer.c). */
struct fh_steering {
    void *user;
    /* Before a warp issues for the first time since the launch went on, and before each of its
     * turns: may set launch->pause_at. False: the launch pauses here. */
    bool (*before)(void *user, struct fh_flow *f);
};

/* What a load or store of global memory can reach from where it went last: places in an allocation
 * whose addresses are x + addend, `from` <= x <= from + last. */
struct fh_inline_cache {
    uint64_t addend;
    uint8_t *memory;   /* the place of x = from; NULL: the instruction went nowhere yet */
    size_t allocation; /* its number */
    uint64_t offset;   /* of `memory` in it */
    bool fixed;        /* it is read-only: nobody writes what others read */
    bool direct;       /* all accesses of whole words there go to memory, and nobody looks */
    uint32_t from, last;
    const uint32_t *owned; /* in place: which pieces the chunk owns (ownership.h) */
};

/* What threaded loads and stores (space_threaded.h) have checked of the addresses in a base
 * register, for the ops behind them that are of the same value number. */
struct fh_base_check {
    uint32_t number;       /* their number; 0: nothing is known */
    uint32_t straight;     /* the same if lane l is l accesses behind lane 0 and `owned` is NULL */
    uint64_t place;        /* of the lowest lane in the range, less the offset of the op */
    uint64_t last;         /* its highest place with which no lane is outside */
    uint8_t *memory;       /* the range */
    uint64_t offset;       /* of `memory` in its allocation */
    const uint32_t *owned; /* as in struct fh_inline_cache; NULL: all pieces may be accessed */
    uint32_t from;         /* what the register of the lowest lane holds, scaled */
    uint32_t pattern;      /* how the lanes' places lie to each other */
    uint32_t span;         /* bytes from the lowest lane's place to the highest one's last byte */
    uint32_t shift;        /* logarithm of the bytes of a piece of `known` */
    uint32_t lanes;        /* of ops with a guard: those of which all this holds */
};
enum { FH_BASE_CHECKS = 4 };

/* What the last instruction did that runs from a body with an `access` line, lane by lane, word by
 * word; kept while somebody watches. */
enum { FH_RECORD_WORDS = 4 };
struct fh_record {
    bool reads, writes;
    uint32_t lanes, bytes; /* bytes: of each lane */
    uint32_t old[FH_RECORD_WORDS][FH_LANES], now[FH_RECORD_WORDS][FH_LANES];
};

struct fh_launch_state {
    struct fh_base_check bases[FH_BASE_CHECKS]; /* of the superblock that runs; by number */
    const struct fh_image *image;
    struct fh_memory *memory;
    struct fh_transaction
        *transaction;               /* NULL: effects go straight to memory, which has no history */
    struct fh_watch *watch;         /* NULL: nobody watches */
    struct fh_inline_cache *caches; /* per instruction */
    struct fh_op_count *counts;     /* per instruction; NULL: not counting */
    uint64_t steps, max_steps;      /* warp instructions issued here, and how many may be */
    uint64_t pause_at;              /* steps behind which the launch pauses; 0: it does not */
    bool pausing;                   /* a hook wants it to pause where it stands */
    const struct fh_steering *steering;             /* NULL: nobody asks it to pause */
    const fhec_order *order;                        /* of its warps; NULL: the default one */
    bool short_turns;                               /* of FH_SHORT_TURN instructions */
    const struct fh_host_functions *host_functions; /* external.h; NULL: none */
    const atomic_bool *cancel;                      /* set: it ends soon; NULL: nobody can */
    struct fh_progress *progress;                   /* NULL: nobody wants to know */
    /* A block that runs when the launch is cancelled, and will not go on; NULL: nobody asks. */
    void (*leaves)(void *user, const struct fh_block *block);
    void *leaves_user;
    uint32_t released; /* named barriers that have let their lanes go; whoever asks clears it */
    bool visible;      /* somebody may look at any register of a warp */
    uint64_t array_cycles;
    /* While `tracked` is set, all stores and atomic operations go lane by lane, and `changed`
     * becomes true when one changes a byte of global memory, or when a clock is read. */
    bool tracked, changed;
    /* All blocks that have begun are in loops that change memory or read clocks, so that nobody can
     * say whether they will ever end. */
    bool spinning;
    bool no_memory; /* of the host, to save what is overwritten (history.h): it cannot go on */
    struct fh_fault_record fault;
    struct fh_record record;
};

static inline bool fh_launch_cancelled(const struct fh_launch_state *launch) {
    return launch->cancel && atomic_load_explicit(launch->cancel, memory_order_relaxed);
}

/* Whether the launch pauses before the next instruction. */
static inline bool fh_launch_paused(const struct fh_launch_state *launch) {
    return launch->pausing || (launch->pause_at && launch->steps >= launch->pause_at);
}

/* Whether the block repeats itself: see busy_wait.h. Rounds are counted since it began, or since it
 * last came out of a loop in which it waited. */
struct fh_busy_wait {
    uint32_t rounds, next; /* so far; at which the next snapshot is taken */
    uint32_t taken;        /* at which the snapshot was; 0: there is none */
    uint32_t last, period; /* while it waits: when it was as in the snapshot, and how often it is */
    uint32_t clocks;       /* how often a clock was read */
    bool clocked;          /* that has been FH_MANY_CLOCKS times */
    uint32_t other;        /* the warp that was not as in the snapshot the last time */
    uint8_t *snapshot;
    size_t room; /* bytes of it */
};

/* Where the block stands in its round (schedule.c), so that a launch can pause behind any
 * instruction and go on as if it had not. */
struct fh_round {
    bool under_way;
    bool in_turn;          /* the warp has begun its turn */
    bool busy, unfinished; /* warps have been seen that can issue, or that have not ended */
    uint32_t warp;         /* whose turn it is */
    uint32_t left;         /* what it may issue in this turn yet */
};

struct fh_block_copy;

/* A named barrier of the block. */
struct fh_barrier {
    uint32_t arrived;      /* lanes, since the last release */
    uint32_t count;        /* lanes that release it; 0: all that have not ended */
    uint32_t voters, ones; /* BAR.RED: lanes that gave a predicate; those where it holds */
};

struct fh_block {
    struct fh_launch_state *launch;
    uint64_t index;
    uint32_t id[3];
    uint8_t *shared;
    uint8_t *local;        /* of thread t: local + t * local_bytes */
    struct fh_flow *warps; /* aligned, in room */
    void *room;
    uint32_t live;   /* lanes that have not ended */
    uint64_t rounds; /* begun so far */
    struct fh_round round;
    bool announced; /* that it begins */
    uint64_t wakes; /* how often lanes were let go otherwise than by their own warp, and 1 */
    /* The warps that can run, a bit for each, as of when `wakes` was `ready_at`. */
    uint32_t ready;
    uint64_t ready_at;
    struct fh_barrier barriers[FH_BARRIERS];
    struct fh_busy_wait busy_wait;
    struct fh_block_copy
        *copy;    /* the last that was made of it (block_copy.h); NULL: none was ... */
    bool changed; /* ... and whether it has changed since */
};

#endif
