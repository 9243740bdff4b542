/*
 * check_race.h - the checkers `race` (accesses that no order stands between) and `async` (what
 * asynchronous copies write, before it is there).
 *
 * Ordered are: what one lane does; lanes behind a barrier of the block, named ones too, with those
 * that arrived there; lanes behind a WARPSYNC, or a shuffle, with those that took part; a lane
 * that reads by a strong access (atomic, or marked .STRONG) with what another one did before a
 * MEMBAR and a strong write to the same word behind it, as far as the fence and the accesses reach;
 * launches. A read needs no fence behind it. Lanes of a warp are not ordered by going together,
 * nor by BSYNC. NOP in code of compilers is what is left of a __syncwarp().
 *
 * Two writes of the same value are no finding: whoever comes last, it is there.
 */
#ifndef FH_CHECK_RACE_H
#define FH_CHECK_RACE_H

#include "checker.h"

extern const struct fh_checker_row fh_check_race, fh_check_async;

#endif
