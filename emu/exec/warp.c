/*
 * warp.c - the lanes of a warp: its start, the choice of the group that issues, waiting. What the
 * control instructions do to them is in control.c and barrier.c.
 */
#include "warp.h"

#include <string.h>

const uint32_t fh_lane_bit[FH_LANES] = {
    1U << 0,  1U << 1,  1U << 2,  1U << 3,  1U << 4,  1U << 5,  1U << 6,  1U << 7,
    1U << 8,  1U << 9,  1U << 10, 1U << 11, 1U << 12, 1U << 13, 1U << 14, 1U << 15,
    1U << 16, 1U << 17, 1U << 18, 1U << 19, 1U << 20, 1U << 21, 1U << 22, 1U << 23,
    1U << 24, 1U << 25, 1U << 26, 1U << 27, 1U << 28, 1U << 29, 1U << 30, 1U << 31};

/* Where the registers of a warp lie in the words of its pattern (fill.h). */
enum { FILL_R = 0, FILL_P = 1 << 16, FILL_UR = 2 << 16, FILL_UP = 3 << 16 };

static uint64_t fill_stream(const struct fh_warp *w) {
    return w->block->index * (FH_MAX_THREADS / FH_LANES) + w->index;
}

/* What the registers of a new warp hold, but for R; all of them are 0. */
static void fill_small(struct fh_warp *w) {
    const fhec_fill *fill = &w->launch->image->fills.registers;
    const uint64_t stream = fill_stream(w);
    const uint64_t zero = w->launch->image->program->machine->zero_uniforms;
    for (uint32_t i = 0; fill->kind != FHEC_FILL_ZERO && i < FH_URZ; i++)
        w->ur[i] = zero >> i & 1 ? 0 : fh_fill_word(fill, stream, FILL_UR + i);
    for (uint32_t i = 0; fill->kind != FHEC_FILL_ZERO && i < FH_PT; i++) {
        w->p[i] = fh_fill_word(fill, stream, FILL_P + i);
        w->up[i] = fh_fill_word(fill, stream, FILL_UP + i) & 1;
    }
    w->p[FH_PT] = UINT32_MAX;
    w->up[FH_PT] = 1;
}

/* Sets that no instruction of the kernel names stay as fh_block_new has made them, unless somebody
 * watches, who can change any. */
static void clear_sets(struct fh_flow *f) {
    const struct fh_launch_state *launch = f->w.launch;
    const bool all = launch->visible || launch->watch;
    for (uint32_t rest = all ? UINT16_MAX : launch->image->barriers; rest; rest &= rest - 1)
        memset(f->set[__builtin_ctz(rest)], 0, sizeof f->set[0]);
}

void fh_flow_start(struct fh_flow *f, struct fh_block *block, uint32_t index, uint32_t lanes) {
    struct fh_warp *w = &f->w;
    const size_t p = offsetof(struct fh_flow, w.p);
    fh_clear((char *)f + p, offsetof(struct fh_flow, set) - p);
    memset(&f->issued, 0, offsetof(struct fh_flow, seen) - offsetof(struct fh_flow, issued));
    w->block = block;
    w->launch = block->launch;
    w->index = index;
    fill_small(w);
    clear_sets(f);
    f->ended = lanes == FH_LANES ? 0 : UINT32_MAX << lanes;
    f->group = ~f->ended;
    f->stop = FH_NO_STOP;
}

static inline void fill_rows(struct fh_warp *w, uint32_t first, uint32_t count) {
    const fhec_fill *fill = &w->launch->image->fills.registers;
    const size_t row = sizeof w->r[0];
    if (fill->kind == FHEC_FILL_ZERO)
        memset(w->r[first], 0, count * row);
    else
        fh_fill_bytes(fill, fill_stream(w), 4 * FILL_R + first * row, w->r[first], count * row);
}

void fh_flow_fill(struct fh_flow *f) {
    const struct fh_launch_state *launch = f->w.launch;
    const struct fh_image *image = launch->image;
    if (f->ended || launch->visible || launch->watch) { /* all of them can be seen */
        fill_rows(&f->w, 0, image->rows);
        return;
    }
    for (uint32_t word = 0; word < FH_ROW_WORDS; word++)
        for (uint64_t rest = image->live_in[word]; rest; rest &= rest - 1)
            fill_rows(&f->w, 64 * word + (uint32_t)__builtin_ctzll(rest), 1);
}

void fh_flow_fill_from(struct fh_flow *f, uint32_t first) {
    fill_rows(&f->w, first, f->w.launch->image->rows - first);
}

void fh_flow_park(struct fh_flow *f) {
    fh_lanes_put(f->lane_pc, f->group, f->pc);
    f->group = 0;
}

/* The lanes that can run, by their pcs; most often they are at two or three. */
struct places {
    uint32_t count, pc[FH_LANES], lanes[FH_LANES];
};

static void find_places(const struct fh_flow *f, struct places *places) {
    uint32_t rest = fh_runnable(f), lanes = f->group, pc = f->pc, n = 0;
    for (; rest; rest &= ~lanes, lanes = 0) {
        pc = lanes ? pc : f->lane_pc[__builtin_ctz(rest)];
        lanes = (lanes | fh_lanes_holding(f->lane_pc, pc)) & rest;
        places->pc[n] = pc;
        places->lanes[n++] = lanes;
    }
    places->count = n;
}

/* The number of the lowest one from `from` on; places->count: there is none. */
static uint32_t lowest(const struct places *places, uint32_t from) {
    uint32_t found = places->count;
    for (uint32_t i = 0; i < places->count; i++)
        if (places->pc[i] >= from && (found == places->count || places->pc[i] < places->pc[found]))
            found = i;
    return found;
}

/* That of the group that issues next. */
static uint32_t next_of(const struct fh_flow *f, const struct places *places) {
    const uint32_t above = lowest(places, f->cursor);
    return above < places->count ? above : lowest(places, 0);
}

uint32_t fh_flow_next(const struct fh_flow *f, uint32_t *pc) {
    const uint32_t runnable = fh_runnable(f);
    struct places places;
    *pc = f->pc;
    if (f->group == runnable)
        return runnable;
    find_places(f, &places);
    const uint32_t next = next_of(f, &places);
    *pc = places.pc[next];
    return places.lanes[next];
}

bool fh_flow_select(struct fh_flow *f) {
    const uint32_t runnable = fh_runnable(f);
    struct places places;
    if (!runnable)
        return false;
    if (f->group == runnable) { /* all that can run are together: they stay where they are */
        f->cursor = f->pc < f->cursor ? 0 : f->cursor;
        f->stop = FH_NO_STOP;
        f->turn = FH_GROUP_TURN;
        return true;
    }
    find_places(f, &places);
    const uint32_t next = next_of(f, &places), pc = places.pc[next],
                   above = lowest(&places, pc + 1);
    fh_flow_park(f);
    f->cursor = pc < f->cursor ? 0 : f->cursor; /* nobody stands at it or above */
    f->pc = pc;
    f->group = places.lanes[next];
    f->stop = above < places.count ? places.pc[above] : FH_NO_STOP;
    f->turn = FH_GROUP_TURN;
    return true;
}

void fh_flow_rotate(struct fh_flow *f) {
    if (f->group != fh_runnable(f))
        f->cursor = f->pc + 1;
}

void fh_flow_wait(struct fh_flow *f, uint32_t lanes, enum fh_wait wait, uint8_t number) {
    fh_lanes_put(f->lane_pc, lanes, f->pc);
    if (lanes == UINT32_MAX) {
        memset(f->wait, (int)wait, sizeof f->wait);
        memset(f->wait_number, number, sizeof f->wait_number);
    } else {
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            f->wait[lane] = (uint8_t)wait;
            f->wait_number[lane] = number;
        }
    }
    f->waiting |= lanes;
    f->group &= ~lanes;
}

void fh_flow_release(struct fh_flow *f, uint32_t lanes) {
    for (uint32_t l = 0; lanes == UINT32_MAX && l < FH_LANES; l++)
        f->lane_pc[l]++;
    for (uint32_t rest = lanes == UINT32_MAX ? 0 : lanes; rest; rest &= rest - 1)
        f->lane_pc[__builtin_ctz(rest)]++;
    f->waiting &= ~lanes;
}

/* The lanes that have the value there. */
static inline uint32_t lanes_with(const uint8_t of[FH_LANES], uint8_t value) {
    uint32_t lanes = 0;
#if defined __x86_64__
    const __m128i same = _mm_set1_epi8((char)value);
    for (uint32_t l = 0; l < FH_LANES; l += 16) {
        const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(of + l));
        lanes |= (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, same)) << l;
    }
#else
    for (uint32_t l = 0; l < FH_LANES; l++)
        lanes |= (uint32_t)(of[l] == value) << l;
#endif
    return lanes;
}

uint32_t fh_flow_waiting(const struct fh_flow *f, enum fh_wait wait, uint8_t number) {
    return f->waiting & lanes_with(f->wait, (uint8_t)wait) & lanes_with(f->wait_number, number);
}

/* The lanes that wait at barrier n in a set that `lane` is in. Others may wait at a barrier of the
 * same number that they entered while theirs was kept in a register (BMOV). */
static uint32_t waiting_members(const struct fh_flow *f, uint32_t n, uint32_t lane) {
    uint32_t lanes = 0;
    for (uint32_t rest = fh_flow_waiting(f, FH_WAIT_SYNC, (uint8_t)n); rest; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctz(rest);
        lanes |= f->set[n][other] >> lane & 1 ? 1u << other : 0;
    }
    return lanes;
}

/* The lanes that wait as `lane` does, for the same lanes, all of which may go on as soon as it may:
 * at WARPSYNC with the same mask; at a convergence barrier if all that wait there are in one set,
 * since then each is awaited by the others, and there when they are. Else `lane` alone. */
static uint32_t waiting_alike(const struct fh_flow *f, uint32_t lane, uint32_t there) {
    const uint32_t *awaited =
        f->wait[lane] == FH_WAIT_SYNC ? f->set[f->wait_number[lane]] : f->wait_mask;
    const uint32_t alike = fh_lanes_holding(awaited, awaited[lane]) & there;
    if (f->wait[lane] == FH_WAIT_SYNC && (alike != there || there & ~awaited[lane]))
        return 1U << lane;
    return alike;
}

void fh_flow_recheck(struct fh_flow *f) {
    if (!f->waiting)
        return;
    uint32_t free_lanes = 0, alike;
    for (uint32_t rest = f->waiting; rest; rest &= ~alike) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest), n = f->wait_number[lane];
        const enum fh_wait wait = f->wait[lane];
        uint32_t there = fh_flow_waiting(f, wait, wait == FH_WAIT_MASK ? 0 : (uint8_t)n);
        alike = there;
        if (wait == FH_WAIT_BLOCK)
            continue;
        alike = waiting_alike(f, lane, there);
        const uint32_t awaited = wait == FH_WAIT_SYNC ? f->set[n][lane] : f->wait_mask[lane];
        if (wait == FH_WAIT_SYNC && alike != there)
            there = waiting_members(f, n, lane);
        if (!(awaited & ~f->ended & ~there))
            free_lanes |= alike;
    }
    for (uint32_t rest = free_lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (f->wait[lane] == FH_WAIT_SYNC) /* the set has done its work */
            f->set[f->wait_number[lane]][lane] = 0;
    }
    fh_flow_release(f, free_lanes);
}

/* Whether a lane waits at a barrier of the block, which other warps can open. */
static bool block_helps(const struct fh_flow *f) {
    for (uint32_t rest = f->waiting; rest; rest &= rest - 1)
        if (f->wait[__builtin_ctz(rest)] == FH_WAIT_BLOCK)
            return true;
    return false;
}

/* Those that wait at barrier n for `gone`, in no set with them, wait no more for it. */
static void forget(struct fh_flow *f, uint32_t n, uint32_t gone) {
    for (uint32_t rest = fh_flow_waiting(f, FH_WAIT_SYNC, (uint8_t)n); rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (!(f->set[n][gone] >> lane & 1))
            f->set[n][lane] &= ~(1u << gone);
    }
    fh_flow_recheck(f);
}

/* The lanes that wait at a convergence barrier for some of `lanes` which are in the set with them,
 * or for others that do. */
static uint32_t held_for(const struct fh_flow *f, uint32_t lanes) {
    uint32_t held = 0, before;
    do {
        before = held;
        for (uint32_t rest = f->waiting & ~held; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest), n = f->wait_number[lane], with = 0;
            if (f->wait[lane] != FH_WAIT_SYNC)
                continue;
            for (uint32_t more = f->set[n][lane] & (lanes | held); more; more &= more - 1)
                with |= f->set[n][__builtin_ctz(more)] >> lane & 1;
            held |= with << lane;
        }
    } while (held != before);
    return held;
}

/* Lanes at WARPSYNC go on without those that a convergence barrier holds for them. */
static void pass_held(struct fh_flow *f) {
    const uint32_t at_mask = fh_flow_waiting(f, FH_WAIT_MASK, 0), held = held_for(f, at_mask);
    uint32_t free_lanes = 0;
    for (uint32_t rest = at_mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (!(f->wait_mask[lane] & ~f->ended & ~at_mask & ~held))
            free_lanes |= 1u << lane;
    }
    fh_flow_release(f, free_lanes);
}

bool fh_flow_unstick(struct fh_flow *f, bool last_resort) {
    if (!f->waiting || fh_runnable(f) || (!last_resort && block_helps(f)))
        return false;
    pass_held(f);
    for (uint32_t rest = f->waiting; rest && !fh_runnable(f); rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), n = f->wait_number[lane];
        if (f->wait[lane] != FH_WAIT_SYNC)
            continue;
        uint32_t away = f->set[n][lane] & ~f->ended & ~waiting_members(f, n, lane);
        for (; away && !fh_runnable(f); away &= away - 1)
            forget(f, n, (uint32_t)__builtin_ctz(away));
    }
    return fh_runnable(f);
}
