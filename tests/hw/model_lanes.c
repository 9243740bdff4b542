/*
 * model_lanes.c - what the rows of lanes.def should give, by loops over the lanes of the warp.
 */
#include "hw.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;

static u32 at(const struct hw_warp *w, unsigned operand, unsigned lane) {
    return (u32)w->x[operand][lane];
}
static const u32 full = UINT32_MAX;

#define ROW(name, value)                                                                           \
    HW_MODEL(name);                                                                                \
    HW_MODEL(name) {                                                                               \
        u32 a = at(w, 0, lane), b = at(w, 1, lane), c = at(w, 2, lane);                            \
        (void)a, (void)b, (void)c;                                                                 \
        return (u64)(value);                                                                       \
    }

/* ---------------------------------------------------------------- shuffles */

enum { IDX, UP, DOWN, BFLY };

/* The lane that this one reads, and whether it is there: the pseudo-code of shfl. */
static unsigned source(unsigned lane, int mode, u32 b, u32 c, bool *there) {
    s32 value = (s32)(b & 31), clamp = (s32)(c & 31), segment = (s32)(c >> 8 & 31);
    s32 self = (s32)lane, most = (self & segment) | (clamp & ~segment), least = self & segment;
    s32 j = mode == UP     ? self - value
            : mode == DOWN ? self + value
            : mode == BFLY ? self ^ value
                           : least | (value & ~segment);
    *there = mode == UP ? j >= most : j <= most;
    return *there ? (unsigned)j : lane;
}
static u32 shuffled(const struct hw_warp *w, unsigned lane, int mode, u32 b, u32 c) {
    bool there;
    return at(w, 0, source(lane, mode, b, c, &there));
}
static bool has_source(unsigned lane, int mode, u32 b, u32 c) {
    bool there;
    source(lane, mode, b, c, &there);
    return there;
}
ROW(shfl_idx, shuffled(w, lane, IDX, b, 31))
ROW(shfl_up, shuffled(w, lane, UP, b, 0))
ROW(shfl_down, shuffled(w, lane, DOWN, b, 31))
ROW(shfl_bfly, shuffled(w, lane, BFLY, b, 31))
ROW(shfl_idx_any, shuffled(w, lane, IDX, b, c))
ROW(shfl_up_any, shuffled(w, lane, UP, b, c))
ROW(shfl_down_any, shuffled(w, lane, DOWN, b, c))
ROW(shfl_bfly_any, shuffled(w, lane, BFLY, b, c))
ROW(shfl_up_ok, has_source(lane, UP, b, c))
ROW(shfl_down_ok, has_source(lane, DOWN, b, c))
ROW(shfl_idx_ok, has_source(lane, IDX, b, c))

/* ---------------------------------------------------------------- votes and matches */

/* The lanes of which something holds; x, y: their first two operands. */
#define LANES_WHERE(name, condition)                                                               \
    static u32 name(const struct hw_warp *w) {                                                     \
        u32 mask = 0;                                                                              \
        for (unsigned l = 0; l < HW_LANES; l++) {                                                  \
            u32 x = at(w, 0, l), y = at(w, 1, l);                                                  \
            (void)x, (void)y;                                                                      \
            mask |= (u32)(condition) << l;                                                         \
        }                                                                                          \
        return mask;                                                                               \
    }
LANES_WHERE(greater, (s32)x > (s32)y)
LANES_WHERE(positive, x < 0x80000000)
LANES_WHERE(five, x == 5)
LANES_WHERE(above_five, (s32)x > 5)
LANES_WHERE(even, at(w, 2, l) % 2 == 0)

ROW(ballot, greater(w))
ROW(vote_all, positive(w) == full)
ROW(vote_any, five(w) != 0)
ROW(vote_uni, above_five(w) == full || above_five(w) == 0)

static u32 same_as(const struct hw_warp *w, unsigned lane, u64 mask) {
    u32 lanes = 0;
    for (unsigned l = 0; l < HW_LANES; l++)
        lanes |= (u32)((w->x[0][l] & mask) == (w->x[0][lane] & mask)) << l;
    return lanes;
}
ROW(match_any, same_as(w, lane, full))
ROW(match_all, same_as(w, lane, full) == full ? full : 0)
ROW(match_any64, same_as(w, lane, UINT64_MAX))
ROW(match_all64, same_as(w, lane, UINT64_MAX) == full ? full | (u64)1 << 32 : 0)

/* ---------------------------------------------------------------- reductions */

#define REDUCTION(name, combined)                                                                  \
    static u32 name(const struct hw_warp *w, u32 lanes) {                                          \
        u32 r = 0;                                                                                 \
        bool first = true;                                                                         \
        for (unsigned l = 0; l < HW_LANES; l++) {                                                  \
            u32 x = at(w, 0, l);                                                                   \
            if (lanes >> l & 1) {                                                                  \
                r = first ? x : (combined);                                                        \
                first = false;                                                                     \
            }                                                                                      \
        }                                                                                          \
        return r;                                                                                  \
    }
REDUCTION(sum, r + x)
REDUCTION(least, x < r ? x : r)
REDUCTION(most, x > r ? x : r)
REDUCTION(least_signed, (s32)x < (s32)r ? x : r)
REDUCTION(most_signed, (s32)x > (s32)r ? x : r)
REDUCTION(all_of, r &x)
REDUCTION(any_of, r | x)
REDUCTION(odd_of, r ^ x)
ROW(redux_add, sum(w, full))
ROW(redux_min_u, least(w, full))
ROW(redux_max_u, most(w, full))
ROW(redux_min_s, least_signed(w, full))
ROW(redux_max_s, most_signed(w, full))
ROW(redux_and, all_of(w, full))
ROW(redux_or, any_of(w, full))
ROW(redux_xor, odd_of(w, full))

/* Row r of an 8 x 8 matrix of 16-bit elements is in lanes 4r .. 4r + 3, two a lane. */
static u32 element(const struct hw_warp *w, unsigned row, unsigned column) {
    return at(w, 0, 4 * row + column / 2) >> 16 * (column % 2) & 0xffff;
}
ROW(movmatrix, element(w, 2 * (lane % 4), lane / 4) | element(w, 2 * (lane % 4) + 1, lane / 4)
                                                          << 16)

/* Only lanes with an even third operand; the others give 0. */
ROW(even_ballot, c % 2 ? 0 : greater(w) & even(w))
ROW(even_match, c % 2 ? 0 : same_as(w, lane, full) & even(w))
ROW(even_redux, c % 2 ? 0 : sum(w, even(w)))
ROW(even_mask, c % 2 ? 0 : even(w))
