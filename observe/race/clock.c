/*
 * clock.c - see clock.h.
 */
#include "clock.h"

#include <stdlib.h>
#include <string.h>

struct fh_clock {
    uint32_t holders;
    uint32_t count;
    struct fh_known entry[];
};

struct fh_clock *fh_clock_keep(struct fh_clock *clock) {
    if (clock)
        clock->holders++;
    return clock;
}

void fh_clock_drop(struct fh_clock *clock) {
    if (clock && --clock->holders == 0)
        free(clock);
}

/* What has been merged so far, and what its last block and warp imply for entries within them. */
struct merging {
    struct fh_clock *to;
    uint64_t block, warp;
    uint32_t block_time, warp_time;
};

static void put_known(struct merging *m, struct fh_known known) {
    const uint64_t block = known.who >> 12, warp = known.who >> 6;
    if (block != m->block) {
        m->block = block;
        m->block_time = 0;
    }
    if (warp != m->warp) {
        m->warp = warp;
        m->warp_time = 0;
    }
    const uint32_t implied = m->block_time > m->warp_time ? m->block_time : m->warp_time;
    if (known.time <= implied)
        return;
    if (!(known.who & 0xfff))
        m->block_time = known.time;
    else if (!(known.who & 0x3f))
        m->warp_time = known.time;
    m->to->entry[m->to->count++] = known;
}

static bool same_entries(const struct fh_clock *clock, const struct fh_known *entries,
                         size_t count) {
    if (clock->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (clock->entry[i].who != entries[i].who || clock->entry[i].time != entries[i].time)
            return false;
    return true;
}

/* A new clock of both lists; NULL without host memory. */
static struct fh_clock *merge_entries(const struct fh_known *a, size_t a_count,
                                      const struct fh_known *b, size_t b_count) {
    struct fh_clock *made = malloc(sizeof *made + (a_count + b_count) * sizeof made->entry[0]);
    if (!made)
        return NULL;
    made->holders = 1;
    made->count = 0;
    struct merging m = {.to = made, .block = UINT64_MAX, .warp = UINT64_MAX};
    while (a_count || b_count) {
        if (a_count && b_count && a->who == b->who) {
            put_known(&m, a->time > b->time ? *a : *b);
            a++, a_count--, b++, b_count--;
        } else if (a_count && (!b_count || a->who < b->who)) {
            put_known(&m, *a++);
            a_count--;
        } else {
            put_known(&m, *b++);
            b_count--;
        }
    }
    return made;
}

struct fh_clock *fh_clock_join(struct fh_clock *a, struct fh_clock *b, bool *failed) {
    if (a == b || !b)
        return fh_clock_keep(a);
    if (!a)
        return fh_clock_keep(b);
    struct fh_clock *made = merge_entries(a->entry, a->count, b->entry, b->count);
    *failed |= !made;
    struct fh_clock *old = !made || same_entries(a, made->entry, made->count) ? a
                           : same_entries(b, made->entry, made->count)        ? b
                                                                              : NULL;
    if (!old)
        return made;
    free(made);
    return fh_clock_keep(old);
}

void fh_clock_learn(struct fh_clock **a, struct fh_clock *b, bool *failed) {
    struct fh_clock *before = *a;
    if (before == b || !b)
        return;
    *a = fh_clock_join(before, b, failed);
    fh_clock_drop(before);
}

void fh_clock_add(struct fh_clock **a, const struct fh_known *entries, size_t count, bool *failed) {
    struct fh_clock *before = *a;
    struct fh_clock *made =
        merge_entries(before ? before->entry : NULL, before ? before->count : 0, entries, count);
    *failed |= !made;
    if (!made)
        return;
    *a = made;
    fh_clock_drop(before);
}

static uint32_t time_of(const struct fh_clock *clock, uint64_t who) {
    uint32_t low = 0, high = clock->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (clock->entry[middle].who < who)
            low = middle + 1;
        else
            high = middle;
    }
    return low < clock->count && clock->entry[low].who == who ? clock->entry[low].time : 0;
}

uint32_t fh_clock_time(const struct fh_clock *clock, uint64_t block, int32_t warp, int32_t lane) {
    uint32_t time = 0;
    if (!clock)
        return 0;
    const uint32_t of_block = time_of(clock, fh_who_block(block));
    if (warp != FH_CLOCK_ALL)
        time = time_of(clock, fh_who_warp(block, (uint32_t)warp));
    time = time > of_block ? time : of_block;
    if (warp == FH_CLOCK_ALL || lane == FH_CLOCK_ALL)
        return time;
    const uint32_t of_lane = time_of(clock, fh_who_lane(block, (uint32_t)warp, (uint32_t)lane));
    return time > of_lane ? time : of_lane;
}

bool fh_clock_foreign(const struct fh_clock *clock, uint64_t block) {
    return clock && clock->count &&
           (clock->entry[0].who >> 12 != block ||
            clock->entry[clock->count - 1].who >> 12 != block);
}
