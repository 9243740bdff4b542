/*
 * race_oracle_clock.h - what is ordered before what in a run of a program: vector clocks, an entry
 * for each lane of the launch. An entry counts operations of the program: what lane l did up to
 * operation i, included, is ordered before what a clock with entry l of i + 1 or more stands for.
 */
#ifndef RACE_ORACLE_CLOCK_H
#define RACE_ORACLE_CLOCK_H

#include "race_oracle.h"

/* `reads` holds for what lanes have read, and is nowhere below `all`. */
struct or_clock {
    uint8_t all[OR_LANES], reads[OR_LANES];
};

enum { OR_WORDS = (OR_GLOBAL + OR_BLOCKS * OR_SHARED) / 4, OR_NEVER = UINT8_MAX };

struct or_clocks;
/* `every`: with each order that the manual may mean; else only with those that it surely does. */
struct or_clocks *or_clocks_new(void);
void or_clocks_free(struct or_clocks *c);
void or_clocks_begin(struct or_clocks *c, const struct or_program *program,
                     const struct or_plan *plan, bool every);
/* Lane `lane` is about to execute operation `op`: it has met all that it had to meet before. False
 * if another lane, which it met, has not yet accessed what it does before. */
bool or_clocks_reach(struct or_clocks *c, uint32_t lane, uint32_t op);
/* What the lane did before `op` is fenced for its block, at an arrival at an mbarrier; what it had
 * fenced before, to be fenced again behind that. */
uint32_t or_clocks_fence_block(struct or_clocks *c, uint32_t lane, uint32_t op);
void or_clocks_fence_again(struct or_clocks *c, uint32_t lane, uint32_t fenced);
/* The lane has executed the access `op`. */
void or_clocks_pass(struct or_clocks *c, uint32_t lane, uint32_t op);
/* The lane's clock: an index that stays good. Its own entry does not count. */
uint32_t or_clocks_now(const struct or_clocks *c, uint32_t lane);
const struct or_clock *or_clocks_get(const struct or_clocks *c, uint32_t index);
/* Whether the lane has executed a MEMBAR; `last`: as the operation right before `op`. */
bool or_clocks_fenced(const struct or_clocks *c, uint32_t lane, uint32_t op, bool last);

/* Strong accesses of a word, and plain stores to it. `device`: the scope is all blocks. */
void or_clocks_strong_read(struct or_clocks *c, uint32_t lane, uint32_t word, bool device);
void or_clocks_strong_write(struct or_clocks *c, uint32_t lane, uint32_t word, bool device,
                            bool atomic);
void or_clocks_plain_write(struct or_clocks *c, uint32_t word);

/* When the copy that the lane has issued as operation `op` is known to be made: the operation
 * behind the wait for it; OR_NEVER. */
uint8_t or_copy_end(const struct or_program *program, const struct or_plan *plan, uint32_t lane,
                    uint32_t op);

#endif
