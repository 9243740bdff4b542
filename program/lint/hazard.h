/*
 * hazard.h - a dataflow analysis of scheduling fields: what is outstanding at a point of a program,
 * results that have not arrived and registers that are still to be read, and the hazards that an
 * instruction has with it.
 *
 *     fh_hazards_wait    the instruction's wait mask        state --> state
 *     fh_hazards_find    what it would run into             state --> list
 *     fh_hazards_issue   its own effects, then its stall    state --> state
 *
 * The assembler avoids what is found, the checker of given code reports it. Where paths of control
 * meet, the state is the join of theirs: what is outstanding on one of them is outstanding.
 *
 * A scoreboard (0 to 5) is a counter: it is clear when all operations that were charged to it are
 * done, so being clear says so of each of them. Results of ordered pipes, and reads of registers by
 * all pipes of a group, are done in the order of issue, so a later one of the same queue will do.
 */
#ifndef FH_HAZARD_H
#define FH_HAZARD_H

#include "dataflow.h"

enum { FH_SCOREBOARDS = 6, FH_NO_SCOREBOARD = 7, FH_ARMING = 2, FH_LONGEST_STALL = 15 };

/* Results of a pipe, and reads of registers by a group of pipes, are done in the order of issue:
 * each such order is a queue (fh_pipe.result_queue, read_queue). What is outstanding in a queue is
 * a byte: FH_OUTSTANDING and the set of the scoreboards any of which signals that it is done,
 * because they were charged with the operation itself or with a later one of the queue. The bytes
 * of all queues make up a word, the first queue its low byte.
 *
 * This is a lattice. The join of two states has both sets, and both must be signalled; a set that
 * contains another one adds nothing. Two sets are kept (FH_ALTERNATIVES); a third one is widened
 * into the last of them by keeping only what both have in common, which says less, and is true. */
enum { FH_OUTSTANDING = 0x80, FH_ALTERNATIVES = 2 };
struct fh_queues {
    uint64_t of[FH_ALTERNATIVES];
};

/* What is outstanding for one register or predicate (dataflow.h). */
struct fh_pending {
    uint8_t left[FH_MAX_GROUPS]; /* cycles until a reader of the group may issue */
    struct fh_queues results, reads;
    uint8_t all; /* scoreboards of results that come in no order: each one must be clear */
    uint16_t resource;
    uint32_t writer, reader; /* the last instructions that have to do with it */
};

/* The abstract state at a point of the code. */
struct fh_hazards {
    bool safe;      /* results are taken to come when they are there for all readers of a group */
    unsigned count; /* resources with anything outstanding */
    struct fh_pending pending[FH_RESOURCES];
    uint16_t slot[FH_RESOURCES];    /* in `pending`, of a resource, plus 1; 0: it has none */
    uint8_t arming[FH_SCOREBOARDS]; /* cycles until waiting for it has an effect */
};

enum fh_hazard_kind {
    FH_HAZARD_NONE,
    FH_HAZARD_RESULT,           /* read before the scoreboards of `mask` are clear */
    FH_HAZARD_UNGUARDED_RESULT, /* read, and no scoreboard signals its arrival */
    FH_HAZARD_EARLY,            /* read `cycles` too early */
    FH_HAZARD_READ,             /* overwritten before it was read, which `mask` signals */
    FH_HAZARD_UNGUARDED_READ,   /* overwritten, and no scoreboard signals that it was read */
    FH_HAZARD_WRITE, /* overwritten while an older result, which `mask` signals, is under way */
    FH_HAZARD_UNGUARDED_WRITE,
    FH_HAZARD_WRITE_EARLY, /* overwritten `cycles` too early: the older result would stay */
    FH_HAZARD_UNARMED,     /* waits for scoreboard `mask` before it counts, `cycles` too early */
};

struct fh_hazard {
    uint8_t kind; /* enum fh_hazard_kind */
    uint8_t mask; /* scoreboards */
    uint8_t cycles;
    uint16_t resource;
    uint32_t other; /* index of the instruction that it is about */
};
enum { FH_MAX_HAZARDS = 32 };

void fh_hazards_clear(struct fh_hazards *h);

/* Waits until the scoreboards of the mask are clear. */
void fh_hazards_wait(struct fh_hazards *h, unsigned mask);

/* The first FH_MAX_HAZARDS of what an instruction of the pipe would run into, one per resource and
 * direction. Its waiting must have been done. */
unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_pipe *pipe,
                         const struct fh_uses *uses, struct fh_hazard list[FH_MAX_HAZARDS]);

/* The scoreboards of a wait mask that have been set too recently to be waited for; to be asked
 * before fh_hazards_wait. */
struct fh_hazard fh_hazards_unarmed(const struct fh_hazards *h, unsigned mask);

/* The instruction, number `index`, issues with its scheduling fields, its stall included. */
void fh_hazards_issue(struct fh_hazards *h, const struct fh_pipe *pipe,
                      const struct fh_sched *sched, const struct fh_uses *uses, uint32_t index);

/* Cycles pass. */
void fh_hazards_pass(struct fh_hazards *h, unsigned cycles);
/* Cycles pass between instruction `index` and the next one: the results of later ones are as far
 * away as before. */
void fh_hazards_pass_after(struct fh_hazards *h, unsigned cycles, uint32_t index);

/* Instruction `index`, which has issued, is given one more scoreboard, for its results or for its
 * reads. */
void fh_hazards_guard_result(struct fh_hazards *h, uint32_t index, unsigned scoreboard);
void fh_hazards_guard_read(struct fh_hazards *h, uint32_t index, unsigned scoreboard);

/* Whether some read is signalled by no scoreboard: sets *reader. With `uses`, only among the
 * registers that they read. */
bool fh_hazards_unguarded_read(const struct fh_hazards *h, const struct fh_uses *uses,
                               uint32_t *reader);
/* The instruction whose fixed result comes last. */
uint32_t fh_hazards_last_writer(const struct fh_hazards *h);

/* Scoreboards that guard anything, and the cycles until the last fixed result can be read. */
unsigned fh_hazards_scoreboards(const struct fh_hazards *h);
unsigned fh_hazards_cycles(const struct fh_hazards *h);

/* Joins with another state, of `count` resources; whether that changed anything. */
bool fh_hazards_join(struct fh_hazards *h, const struct fh_pending *pending, unsigned count,
                     const uint8_t arming[FH_SCOREBOARDS]);

/* Scoreboards that the instruction waits for: its mask, and those that DEPBAR names with 0. */
unsigned fh_wait_mask(const struct fh_inst *inst);

#endif
