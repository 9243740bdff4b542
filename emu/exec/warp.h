/*
 * warp.h - which lanes of a warp run, and where.
 *
 * A lane runs, waits or has ended. Runnable lanes at one pc form a group and issue together; the
 * group that issues now is `group` at `pc`, the other lanes keep their place in lane_pc. The
 * usual warp has one group, and nothing here costs it anything: `stop` is then out of reach.
 *
 *     runnable = ~ended & ~waiting     group is a subset of runnable
 *
 * Order of issue: the group at the lowest pc goes first. A group that takes a branch backward, that
 * yields or that has issued FH_GROUP_TURN instructions while others could run yields the issue
 * slot: the lowest pc above its own is next (`cursor`, as in a round-robin), from the lowest again
 * when there is none above. So every group gets its turn, also beside a spinning one, and the order
 * is the same in every run. (A group that yielded is runnable and below `cursor`, so `cursor` is 0
 * again before all lanes can be together.)
 *
 * Pcs are instruction indices.
 */
#ifndef FH_WARP_H
#define FH_WARP_H

#include "launch.h"

#if defined __x86_64__
#include <emmintrin.h>
#endif

enum { FH_COPY_GROUPS = 64 }; /* of asynchronous copies, closed and not waited for */

/* What watchers of a warp have seen of it; nobody else reads or writes it. */
struct fh_seen {
    uint32_t group;          /* that issued last */
    uint32_t with[FH_LANES]; /* the lanes with which each lane issued last, or went on since */
    uint64_t copies;         /* issued so far */
    uint64_t copies_done[FH_LANES];     /* of them, that each lane has waited for */
    uint64_t copies_waited;             /* in groups that are over */
    uint64_t closed[FH_COPY_GROUPS];    /* ring of groups: their last copies ... */
    uint8_t scoreboard[FH_COPY_GROUPS]; /* ... and what they are counted on */
    uint32_t first_group, group_count;
};

enum { FH_GROUP_TURN = 256, FH_WARP_TURN = 1024, FH_SHORT_TURN = 64 };
#define FH_NO_STOP UINT32_MAX

/* What a waiting lane waits for; the number of the barrier beside it. */
enum fh_wait { FH_WAIT_SYNC, FH_WAIT_MASK, FH_WAIT_BLOCK };

struct fh_flow {
    struct fh_warp w;
    uint32_t group, pc;
    uint32_t stop;   /* pc where the group meets another: the lowest above its own */
    uint32_t cursor; /* see above; 0 most of the time */
    uint32_t turn;   /* what the group may issue before it yields, if there are others */
    uint32_t ended, waiting;
    uint32_t lane_pc[FH_LANES]; /* of lanes outside the group; a waiting lane's own instruction */
    uint8_t wait[FH_LANES];     /* enum fh_wait */
    uint8_t wait_number[FH_LANES];
    uint32_t wait_mask[FH_LANES];            /* FH_WAIT_MASK: the mask */
    uint32_t red_count[FH_LANES], red_truth; /* of the lane's last BAR.RED */
    bool yielded;                            /* the warp lets others go first */
    uint32_t spins; /* YIELDs since a lane was last let out of a convergence barrier */
    /* Convergence barrier n: the lanes with which a lane entered it; 0: it is in none. A lane whose
     * barrier BMOV.CLEAR keeps in a register is in none, but stays in the others' sets: they wait
     * for it. Else sets of one barrier never overlap. A mask per warp, as hardware is described, is
     * the case of one set; sets of their own let two groups use the same number at the same time.
     */
    uint32_t set[16][FH_LANES];
    uint64_t issued;
    uint64_t freed; /* the round of the block in which one of its barriers let lanes go */
    bool begun;     /* its registers have been cleared: it has had, or was offered, a turn */
    uint32_t left;  /* of a turn that runs in slices: what it may issue yet; 0: it is in none */
    /* Of a session: that the warp begins has been told; the instruction (by `issued`, plus 1)
     * whose breakpoints have been told; the last step that saw the warp, and where. */
    bool announced;
    uint64_t told;
    uint64_t step;
    uint32_t step_pc;
    bool watched;        /* hooks have been told that it begins, and `seen` is kept */
    struct fh_seen seen; /* at the end: only cleared for who watches */
    /* Warps lie one behind another. If their distance were a multiple of 4 KiB, the same fields of
     * all of them would share a set of the processor's first cache, and the starting of warps
     * would take a quarter longer. */
    char apart[192];
};
_Static_assert(sizeof(struct fh_flow) % 4096 != 0, "warps are apart by no multiple of 4 KiB");

static inline uint32_t fh_runnable(const struct fh_flow *f) {
    return ~f->ended & ~f->waiting;
}

/* Bit l for lane l. Loops over lanes that test a mask with it are vector code on every host, as
 * shifts by the lane are not. */
extern const uint32_t fh_lane_bit[FH_LANES];

/* The value in these lanes of a row, the others as they are. */
static inline void fh_lanes_put(uint32_t row[FH_LANES], uint32_t lanes, uint32_t value) {
    if (lanes == UINT32_MAX) {
        for (uint32_t l = 0; l < FH_LANES; l++)
            row[l] = value;
        return;
    }
    for (uint32_t l = 0; l < FH_LANES; l++)
        row[l] = lanes & fh_lane_bit[l] ? value : row[l];
}

/* The lanes that hold the value. */
static inline uint32_t fh_lanes_holding(const uint32_t row[FH_LANES], uint32_t value) {
    uint32_t lanes = 0;
#if defined __x86_64__
    const __m128i same = _mm_set1_epi32((int)value);
    for (uint32_t l = 0; l < FH_LANES; l += 4) {
        const __m128i four = _mm_loadu_si128((const __m128i *)(const void *)(row + l));
        const __m128 equal = _mm_castsi128_ps(_mm_cmpeq_epi32(four, same));
        lanes |= (uint32_t)_mm_movemask_ps(equal) << l;
    }
#else
    for (uint32_t l = 0; l < FH_LANES; l++)
        lanes |= row[l] == value ? fh_lane_bit[l] : 0;
#endif
    return lanes;
}

/* The lanes of `group` for which the guard of a plain or control instruction holds. */
static inline uint32_t fh_guarded(const struct fh_warp *w, const struct fh_op *op, uint32_t group) {
    return group & (w->p[op->guard] ^ (0u - op->guard_neg));
}

/* The same for any instruction: the guard of a uniform one holds for all lanes or none. */
static inline uint32_t fh_op_active(const struct fh_warp *w, const struct fh_op *op,
                                    uint32_t group) {
    if (op->control != FH_UNIFORM_GUARD)
        return fh_guarded(w, op, group);
    return (w->up[op->guard] != 0) != op->guard_neg ? group : 0;
}

/* The warp at its start: lanes 0..lanes-1 at instruction 0, convergence barriers clear, predicates
 * and uniform registers as the fill of registers has them. w.block, w.launch and w.index
 * are set. */
void fh_flow_start(struct fh_flow *f, struct fh_block *block, uint32_t index, uint32_t lanes);
/* Fills the registers R that code may read before it writes them, which is still to be done: right
 * before the warp's first turn, since those of a whole block are more than the host's first cache
 * holds. */
void fh_flow_fill(struct fh_flow *f);
/* Those from number `first` on, of a warp whose others have been filled. */
void fh_flow_fill_from(struct fh_flow *f, uint32_t first);
/* Does so if it has not been done. */
static inline void fh_flow_begin(struct fh_flow *f) {
    if (f->begun)
        return;
    fh_flow_fill(f);
    f->begun = true;
}

/* The group that issues next, and where; 0 if no lane can run. */
uint32_t fh_flow_next(const struct fh_flow *f, uint32_t *pc);
/* Chooses it. False if no lane can run. */
bool fh_flow_select(struct fh_flow *f);
/* Gives the group's lanes their place in lane_pc; there is no group afterwards. */
void fh_flow_park(struct fh_flow *f);
/* The group yields the issue slot to others. */
void fh_flow_rotate(struct fh_flow *f);

/* Lanes of the group stay at their instruction and wait. */
void fh_flow_wait(struct fh_flow *f, uint32_t lanes, enum fh_wait wait, uint8_t number);
/* Waiting lanes go on behind their instruction. */
void fh_flow_release(struct fh_flow *f, uint32_t lanes);
/* The lanes that wait for that. */
uint32_t fh_flow_waiting(const struct fh_flow *f, enum fh_wait wait, uint8_t number);
/* Lanes have begun to wait, ended or left a barrier: releases whom that completes. */
void fh_flow_recheck(struct fh_flow *f);
/* Of a warp no lane of which can go on, also after an arrival elsewhere in the block unless
 * `last_resort`: lets lanes go, and tells whether some lane can run now.
 *
 * First those that wait at WARPSYNC for lanes that are held at a convergence barrier for them, as
 * in
 *
 *     for (...) { if (...) continue; ... __syncwarp(); }     the lanes that go on with the loop
 * wait at the end of its body
 *
 * The held lanes stay, so that the warp is together again after each turn of the loop.
 *
 * Then those that wait at a convergence barrier for others that have left it by BREAK while they
 * themselves kept it in a register, as code in recursion does; a mask there cannot be told. What
 * shows is that those are in no set of it with them: they may be back in it later, and waiting too
 * little costs convergence only. */
bool fh_flow_unstick(struct fh_flow *f, bool last_resort);

/* All lanes of the warp that have not ended do so, waiting ones too. */
void fh_flow_end(struct fh_flow *f);

/* The lanes of the warp that wait at the barrier are about to end there. If it waits for all lanes
 * that have not ended, they count as arrived no more; if it has a count, they do. */
void fh_block_barrier_leave(struct fh_flow *f, uint32_t number);
/* Lanes of the block have arrived or ended: releases the barrier if enough have arrived. */
void fh_block_barrier_check(struct fh_block *block, uint32_t number);

#endif
