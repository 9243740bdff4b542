/*
 * time_warp.h - what the timing engine keeps of a resident warp: its next instruction, and when
 * that can issue as far as the warp alone knows. Times are in cycles.
 */
#ifndef FH_TIME_WARP_H
#define FH_TIME_WARP_H

#include "time_sm.h"

#define FH_TIME_NEVER UINT64_MAX

/* A scoreboard: when the operations that are outstanding on it are done, in that order. */
struct fh_time_board {
    uint64_t done[FH_TIME_OUTSTANDING];
    uint32_t count;
    uint8_t why; /* what the last of them is: enum fh_time_reason */
};

struct fh_time_warp {
    bool live, known;     /* it has not ended; its next instruction is known */
    bool waits;           /* at a barrier */
    uint32_t slot, index; /* the block's place on the SM, and its number in the block */
    uint64_t age;         /* counts warps that have begun */
    uint64_t issued;
    uint64_t base; /* when the next instruction can issue, but for what it waits for */
    uint8_t base_why;
    uint64_t ready; /* with that */
    uint8_t why;
    uint64_t end; /* of all that it has begun */
    const struct fh_time_op *op;
    uint32_t word;
    bool idle; /* the guard holds for no lane */
    const struct fh_time_note *notes;
    const uint64_t *lines;
    uint32_t note_count;
    struct fh_time_board boards[FH_TIME_SCOREBOARDS];
    uint64_t *registers; /* when they are there; NULL: the program waits by itself */
    uint64_t copied;     /* with them: when all asynchronous copies so far have come, of which the
                            first scoreboard counts groups */
    uint8_t *whys;
    struct fh_time_stream stream;
};

/* It begins at `now`: nothing is outstanding. */
void fh_time_warp_begin(struct fh_time_warp *warp, uint64_t now);
/* Takes the next instruction out of the stream, which has one. */
void fh_time_warp_take(struct fh_time_warp *warp, const struct fh_time_op *ops);
/* The instruction has issued at `now`; `done` says when what it does is, as enum fh_time_reason
 * `why` waits for it. The next one can issue from `next` on. */
void fh_time_warp_issued(struct fh_time_warp *warp, uint64_t now, struct fh_time_done done,
                         enum fh_time_reason why, uint64_t next);

#endif
