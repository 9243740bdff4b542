/*
 * race_access.c - accesses, lane by lane and cell by cell: see race_engine.h.
 */
#include <stdlib.h>
#include <string.h>

#include "race_engine.h"

/* ---------------------------------------------------------------- strong accesses */

static struct fh_signal *signal_at(struct fh_race *race, struct fh_number_map *signals,
                                   uint64_t word, bool make) {
    struct fh_signal *signal = fh_number_map_get(signals, word);
    if (signal || !make)
        return signal;
    signal = calloc(1, sizeof *signal);
    if (signal && fh_number_map_put(signals, word, signal)) {
        signal->of = UINT64_MAX;
        return signal;
    }
    race->time.failed = true;
    free(signal);
    return NULL;
}

/* Strong reads learn what strong writes to the word have told. */
static void strong_access(struct fh_race *race, struct fh_number_map *signals,
                          const struct fh_touch *t, uint64_t address, uint32_t bytes) {
    const uint32_t w = t->event->warp;
    const bool reads = !t->write || t->atomic;
    const bool tells =
        t->write && (t->me->fenced_block || t->me->fenced_grid || (t->me->over && !t->atomic));
    const bool marks = signals != &race->signals && t->atomic;
    if (!signals->count && !tells && !marks)
        return;
    for (uint64_t word = address / 4; word <= (address + bytes - 1) / 4; word++) {
        struct fh_signal *s = signal_at(race, signals, word, tells || marks);
        if (s && marks)
            s->atomic = true;
        if (s && reads)
            fh_signal_read(&race->time, t->block, w, t->lane, s);
        if (s && t->write)
            fh_signal_write(&race->time, t->block, w, t->lane, s);
    }
}

/* Compilers do not mark what is strong in shared memory. A load that waits for a change is, and
 * where atomic operations go to the word, a store behind a fence; all that goes to mbarriers. */
static enum fh_reach plain_reach(struct fh_race *race, const struct fh_touch *t,
                                 const struct fh_ordering_code *code, uint64_t address) {
    struct fh_number_map *signals = &t->block->signals;
    if (code->polls)
        return FH_REACH_BLOCK;
    const struct fh_signal *signal =
        signals->count ? signal_at(race, signals, address / 4, false) : NULL;
    if (!signal || !signal->atomic)
        return FH_REACH_NONE;
    const bool strong =
        fh_ordering_kernel_last(&race->codes)->mbarriers || (t->write && t->me->fenced);
    return strong ? FH_REACH_BLOCK : FH_REACH_NONE;
}

/* ---------------------------------------------------------------- accesses */

/* 1 << shift is the widest cell that the access has whole. */
static unsigned shift_of(uint64_t address, uint32_t bytes) {
    const unsigned zeros = (unsigned)__builtin_ctzll(address | bytes | 16);
    return zeros < 2 ? 0 : zeros;
}

/* The bytes in which two words differ, a mask. */
static uint32_t differing(uint32_t a, uint32_t b) {
    const uint32_t x = a ^ b, high = (((x & 0x7f7f7f7fU) + 0x7f7f7f7fU) | x) & 0x80808080U;
    return (high >> 7) * 0x01020408U >> 24 & 15;
}

/* What a lane writes is left there. The mask of the bytes that held something else. */
static uint32_t leave(const fhec_access *access, uint32_t lane, uint8_t *there) {
    const uint32_t *row = access->value + lane;
    uint32_t differs = 0, word = 0;
    if (!access->value)
        return (1U << access->bytes) - 1;
    if (access->bytes < 4) { /* which are zero-extended */
        memcpy(&word, there, access->bytes);
        memcpy(there, row, access->bytes);
        return differing(word, *row);
    }
    for (uint32_t i = 0; i < access->bytes; i += 4, row += FHEC_WARP_LANES) {
        memcpy(&word, there + i, sizeof word);
        if (word == *row)
            continue;
        differs |= differing(word, *row) << i;
        memcpy(there + i, row, sizeof word);
    }
    return differs;
}

/* Accesses are aligned, so that no page ends within one. */
static void touch_bytes(struct fh_race *race, struct fh_touched *shadow, struct fh_touch *t,
                        uint64_t address) {
    const fhec_access *access = &t->event->access;
    struct fh_cell_page *page = fh_touched_page(shadow, address, shift_of(address, access->bytes));
    race->time.failed |= !page;
    if (!page)
        return;
    const uint32_t differs =
        t->write ? leave(access, t->lane, &page->left[address % FH_PAGE_BYTES]) : 0;
    t->address = address;
    t->bytes = 1U << page->shift;
    t->whole = (1U << t->bytes) - 1;
    t->differs = differs & t->whole;
    t->joined = NULL;
    fh_race_touch(race, shadow, t, page);
    for (uint32_t i = t->bytes; i < access->bytes; i += t->bytes) {
        t->address = address + i;
        t->differs = differs >> i & t->whole;
        fh_race_touch(race, shadow, t, page);
        t->joined = NULL;
    }
}

/* Lanes that read what another one has just read, and know the same. */
static bool join_last(const struct fh_touch *t, const struct fh_lane_clock *me, uint64_t address,
                      uint32_t lane) {
    if (!t->joined || t->reach || address != t->address || me->time != t->me->time ||
        me->known != t->me->known)
        return false;
    t->joined->lanes |= UINT32_C(1) << lane;
    return true;
}

/* What the access is, as strong as it is. What loops wait for is read again until it has changed,
 * and races with nothing; of mbarriers compilers make plain loads. */
static void classify(const struct fh_race *race, const struct fh_ordering_code *code,
                     uint32_t number, struct fh_touch *t) {
    const bool reads = !t->write || t->atomic;
    t->kind = t->copy ? FH_COPYING : fh_access_kind(t->reach, reads, t->write, code->swaps);
    t->races = fh_kind_rules[t->kind].races;
    t->returns = !t->write || (t->atomic && code->returns);
    t->code = fh_code(number, t->kind);
    if (t->polls)
        t->races = (struct fh_kinds){0};
    if (t->atomic && t->shared && fh_ordering_kernel_last(&race->codes)->mbarriers) {
        t->races.any &= (uint16_t)~FH_READ_KINDS;
        t->races.some &= (uint16_t)~FH_READ_KINDS;
    }
}

void fh_race_access(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event,
                    const struct fh_ordering_code *code) {
    const fhec_access *access = &event->access;
    const bool shared = access->space == FHEC_SPACE_SHARED;
    if (!shared && (access->space != FHEC_SPACE_GLOBAL || race->async))
        return;
    struct fh_touched *shadow = shared ? &block->shared : &race->global;
    struct fh_number_map *signals = shared ? &block->signals : &race->signals;
    struct fh_touch t = {
        .event = event,
        .block = block,
        .warp = (uint32_t)(block->index * race->warps + event->warp),
        .first_warp = (uint32_t)(block->index * race->warps),
        .shared = shared,
        .write = access->access & FHEC_ACCESS_WRITE,
        .atomic = access->access == (FHEC_ACCESS_READ | FHEC_ACCESS_WRITE),
        .reach = (enum fh_reach)code->reach,
    };
    const uint32_t number = (uint32_t)(event->pc / sizeof(fhec_word));
    t.copy = t.write && shared && code->ordering == FH_ORDER_COPY;
    t.polls = !t.write && code->polls;
    if (t.copy)
        fh_race_copies_to(block, event, number);
    const bool flags = shared && !t.copy && fh_ordering_kernel_last(&race->codes)->polls;
    const bool by_use = shared && !t.copy && !code->reach;
    if (code->releases)
        fh_lanes_fence(&race->time, block, event->warp, event->lanes, false);
    t.closely = t.polls || (shared && block->disputed.bytes.count);
    classify(race, code, number, &t);
    struct fh_lane_clock *lanes = block->warp[event->warp].lane;
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint64_t address = access->address[lane];
        if (join_last(&t, &lanes[lane], address, lane))
            continue;
        t.lane = lane;
        t.me = &lanes[lane];
        t.since = shared && t.me->own_block >= race->start ? t.me->own_block + 1 : race->start;
        if (by_use) {
            const enum fh_reach reach = plain_reach(race, &t, code, address);
            if (reach != t.reach) {
                t.reach = reach;
                classify(race, code, number, &t);
            }
        }
        const bool tells = t.write && (t.reach || (flags && t.me->fenced_block));
        if (t.reach && !t.write)
            strong_access(race, signals, &t, address, access->bytes);
        touch_bytes(race, shadow, &t, address);
        if (tells)
            strong_access(race, signals, &t, address, access->bytes);
    }
}
