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

#include "known_lanes.h"

enum { FH_SCOREBOARDS = 6, FH_NO_SCOREBOARD = 7, FH_ARMING = 2, FH_LONGEST_STALL = 15 };

/* What an instruction has outstanding for one register or predicate (dataflow.h): its result, or a
 * read that is still to come.
 *
 * This is a lattice. The join of two states has what is outstanding in either. What both have, from
 * the same instruction, becomes one: the later time of issue, the scoreboards that would do for
 * both, and what is known of the lanes in both; unless that says much less (hazard_join.c). */
struct fh_pending {
    uint16_t resource;
    uint16_t next;       /* index + 1 of the next one of the same resource; 0: none */
    uint8_t reads;       /* bool: a read is outstanding; else a result */
    uint8_t awaited;     /* bool, of a result: only a scoreboard says that it is there */
    uint8_t scoreboards; /* any of which signals it: those charged with it, or with a later one */
    uint8_t pipe;        /* index into fh_pipes */
    int32_t issued;      /* when, in the time of the state */
    int32_t there;       /* when an awaited result is there in any case; FH_NEVER */
    uint32_t index;      /* the instruction */
    fh_lanes lanes;      /* for which it was issued, in predicates as they are now */
    fh_lanes guard;      /* of a result: the literal of lanes that is its guard; 0: that is lost */
};

enum { FH_NEVER = INT32_MAX };

/* More of one resource are not kept: the oldest is forgotten. */
enum { FH_PENDING_OF_RESOURCE = 24, FH_PENDING_MOST = FH_RESOURCES * FH_PENDING_OF_RESOURCE };

/* The abstract state at a point of the code. */
struct fh_hazards {
    bool safe;      /* results are taken to come when they are there for all readers of a group */
    int32_t now;    /* cycles */
    fh_lanes lanes; /* that come here */
    struct fh_lanes_rules rules;
    unsigned count; /* of what is outstanding, or was when it was last looked at */
    unsigned worth; /* how many there may be before it is worth looking again */
    /* Index + 1 of the first one of each resource; 0: none; the last is for what is in no list. */
    uint16_t slot[FH_RESOURCES + 1];
    int32_t armed[FH_SCOREBOARDS]; /* when waiting for it has an effect */
    struct fh_pending pending[FH_PENDING_MOST];
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

/* ---------------------------------------------------------------- instructions */

/* Cycles until the next instruction may issue. A stall of 0 without the yield flag's bit, which is
 * how compilers write ERRBAR and the branch to itself behind a kernel, is 45 of them (Huerta et
 * al., Dissecting and modeling the architecture of modern GPU cores, MICRO 2025). */
unsigned fh_stall_of(const struct fh_sched *sched);

/* Waits until the scoreboards of the mask are clear. */
void fh_hazards_wait(struct fh_hazards *h, unsigned mask);

/* The first FH_MAX_HAZARDS of what an instruction of the pipe would run into, which acts on these
 * lanes. Its waiting must have been done. */
unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_pipe *pipe,
                         const struct fh_uses *uses, fh_lanes lanes,
                         struct fh_hazard list[FH_MAX_HAZARDS]);

/* The scoreboards of a wait mask that have been set too recently to be waited for; to be asked
 * before fh_hazards_wait. */
struct fh_hazard fh_hazards_unarmed(const struct fh_hazards *h, unsigned mask);

/* The instruction, number `index`, issues with its scheduling fields, its stall included. */
void fh_hazards_issue(struct fh_hazards *h, const struct fh_pipe *pipe,
                      const struct fh_sched *sched, const struct fh_uses *uses, fh_lanes lanes,
                      uint32_t index);

/* What is known of lanes changes by what an instruction, which has issued, does to predicates. */
void fh_hazards_predicates(struct fh_hazards *h, const struct fh_lanes_effect *effect,
                           fh_lanes acting);

/* A barrier of the block comes behind accesses to shared memory, which have read their registers
 * then, and whose results come soon. Compilers count on it. */
void fh_hazards_stored(struct fh_hazards *h);

/* This one is over. */
void fh_hazards_end(const struct fh_hazards *h, struct fh_pending *pending);

/* A function returns: what MUFU, shuffles and the like began just before has come when its caller
 * goes on. The functions of compilers' own libraries leave such results to their callers, who do
 * not wait for them. */
void fh_hazards_return(struct fh_hazards *h);

/* What is known of lanes changes for those that go one way only, as at a branch: what is
 * outstanding for none of them is no matter any more. */
void fh_hazards_narrow(struct fh_hazards *h, fh_lanes lanes);

/* ---------------------------------------------------------------- changes to issued instructions
 */

/* Cycles pass between instruction `index` and the next one: the results of later ones are as far
 * away as before. */
void fh_hazards_pass_after(struct fh_hazards *h, unsigned cycles, uint32_t index);

/* Instruction `index`, which has issued, is given one more scoreboard, for its results or for its
 * reads. */
void fh_hazards_guard_result(struct fh_hazards *h, uint32_t index, unsigned scoreboard);
void fh_hazards_guard_read(struct fh_hazards *h, uint32_t index, unsigned scoreboard);

/* Whether some read is signalled by no scoreboard: sets *reader to the instruction of the first.
 * `_of`: only among the registers that `uses` read. */
bool fh_hazards_unguarded_read(const struct fh_hazards *h, uint32_t *reader);
bool fh_hazards_unguarded_read_of(const struct fh_hazards *h, const struct fh_uses *uses,
                                  uint32_t *reader);
/* The instruction whose fixed result comes last. */
uint32_t fh_hazards_last_writer(const struct fh_hazards *h);

/* Scoreboards that guard anything, and the cycles until the last fixed result can be read. */
unsigned fh_hazards_scoreboards(const struct fh_hazards *h);
unsigned fh_hazards_cycles(const struct fh_hazards *h);

/* ---------------------------------------------------------------- states */

/* Drops what is over, and sets the time to 0: `pending` and the rest can be kept then. */
void fh_hazards_settle(struct fh_hazards *h);

/* Joins with what is outstanding in another state, `count` of them, at the time 0 of both; whether
 * that changed anything. */
bool fh_hazards_join(struct fh_hazards *h, const struct fh_pending *pending, unsigned count);

/* For those who change the state (hazard_join.c): the first one of the resource, a new one, which
 * is the first then, and the cycles until a reader of the group may issue. */
static inline struct fh_pending *fh_hazards_first(struct fh_hazards *h, unsigned resource) {
    return h->slot[resource] ? &h->pending[h->slot[resource] - 1] : NULL;
}
static inline struct fh_pending *fh_hazards_next(struct fh_hazards *h, const struct fh_pending *p) {
    return p->next ? &h->pending[p->next - 1] : NULL;
}
void fh_hazards_add(struct fh_hazards *h, const struct fh_pending *pending);

/* Scoreboards that the instruction waits for: its mask, and those that DEPBAR names with 0. */
unsigned fh_wait_mask(const struct fh_inst *inst);

#endif
