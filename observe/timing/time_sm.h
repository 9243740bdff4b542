/*
 * time_sm.h - one SM, cycle by cycle: blocks that are resident, schedulers that issue their warps'
 * instructions, and what each waits for. It is a state machine that runs until it has to know what
 * a warp does next, and goes on when that has been put into the warp's stream.
 *
 *     begin -> go -> NEEDS a warp: fill its stream, or tell that it waits -> go -> ... -> DONE
 */
#ifndef FH_TIME_SM_H
#define FH_TIME_SM_H

#include "issue_log.h"
#include "memory_path.h"
#include "occupancy.h"

/* Why a scheduler did not issue. */
enum fh_time_reason {
    FH_TIME_STALL,       /* the stall count of the instruction before */
    FH_TIME_DEPENDENCE,  /* a register, of a machine that watches them */
    FH_TIME_WAIT_GLOBAL, /* a scoreboard, for global or local memory, ... */
    FH_TIME_WAIT_SHARED, /* ... for shared memory, ... */
    FH_TIME_WAIT_RESULT, /* ... for another unit */
    FH_TIME_WAIT_BARRIER,
    FH_TIME_UNIT,       /* the unit is busy */
    FH_TIME_QUEUE_FULL, /* of memory instructions */
    FH_TIME_PORTS,      /* of the registers' banks */
    FH_TIME_NO_WARP,    /* it has none, or those that it has have ended */
    FH_TIME_REASONS,
};
const char *fh_time_reason_name(enum fh_time_reason reason);

/* What is counted of an instruction: cycles of schedulers that issued it, or waited for it to. */
struct fh_timed_word {
    uint64_t issued;
    uint64_t cycles[FH_TIME_REASONS];
};

struct fh_time_sm_result {
    uint64_t cycles; /* from the begin to the end of the last block and all that it asked for */
    uint64_t issued; /* warp instructions */
    uint64_t stalls[FH_TIME_REASONS]; /* cycles, of all schedulers */
    uint64_t busy[FH_TIME_UNITS];     /* cycles, of all instances of each unit */
    struct fh_time_traffic traffic;
};

struct fh_time_sm;

/* An SM that runs `blocks` blocks one after another, as many at once as `occupancy` says. `ops` and
 * `words`, by instruction, must live as long. NULL without host memory. */
struct fh_time_sm *fh_time_sm_new(const struct fh_time_machine *machine,
                                  const struct fh_time_occupancy *occupancy, uint64_t blocks,
                                  uint32_t active, struct fh_time_l2 *l2,
                                  const struct fh_time_op *ops, struct fh_timed_word *words);
void fh_time_sm_free(struct fh_time_sm *sm);
/* What it issues is added to the log; NULL: no longer. */
void fh_time_sm_watch(struct fh_time_sm *sm, struct fh_issue_log *log);

enum fh_time_step {
    FH_TIME_NEEDS, /* what the warp does next */
    FH_TIME_DONE,
    FH_TIME_STUCK, /* all its warps wait for ever: the launch does, or what was told is wrong */
};
/* `block` counts the SM's blocks, `warp` those of the block. */
enum fh_time_step fh_time_sm_go(struct fh_time_sm *sm, uint64_t *block, uint32_t *warp);
/* The stream of the warp that was asked for, in which everything has been taken. */
struct fh_time_stream *fh_time_sm_stream(struct fh_time_sm *sm);
/* Nothing has been told of it yet. */
bool fh_time_sm_fresh(const struct fh_time_sm *sm);
/* The warp that was asked for does nothing until its barrier has let it go. */
void fh_time_sm_waits(struct fh_time_sm *sm);

/* The warp whose stream is being filled comes to a named barrier with instruction `word`, and
 * perhaps the barrier lets all go that wait there, which an exit can bring about, too. */
void fh_time_sm_arrives(struct fh_time_sm *sm, uint32_t word, uint32_t number);
void fh_time_sm_releases(struct fh_time_sm *sm, uint32_t word, uint32_t number);

/* The same of a trace, of which it is known which use of the barrier this is and how many come to
 * it. False: that is too far ahead of the other warps. */
bool fh_time_sm_comes(struct fh_time_sm *sm, uint32_t word, uint32_t number, uint32_t use,
                      uint32_t total);

/* How many of its blocks have ended. */
uint64_t fh_time_sm_done(const struct fh_time_sm *sm);
/* The word that the machine could not execute; UINT32_MAX: there was none. */
uint32_t fh_time_sm_unknown(const struct fh_time_sm *sm);
void fh_time_sm_set_l2(struct fh_time_sm *sm, uint64_t at);
void fh_time_sm_result(const struct fh_time_sm *sm, struct fh_time_sm_result *result);

#endif
