/*
 * race_access.c - accesses against the shadow of memory: see race_engine.h.
 */
#include <stdlib.h>

#include "race_engine.h"

/* ---------------------------------------------------------------- order */

/* Whether what a thread did at a time has happened for the lane that accesses. */
static bool is_before(const struct fh_race *race, const struct fh_touch *t, uint32_t time,
                      uint32_t thread) {
    if (time < race->start || thread == t->thread)
        return true;
    const uint32_t warp = thread / FHEC_WARP_LANES;
    if (warp - t->first_warp < race->warps) {
        if (time <= t->me->own_block || (warp == t->warp && time <= t->me->own_warp))
            return true;
    } else if (!t->me->foreign) {
        return false;
    }
    return time <= fh_clock_time(t->me->known, warp / race->warps, (int32_t)(warp % race->warps),
                                 (int32_t)(thread % FHEC_WARP_LANES));
}

/* Whether all that the reader's warp had read then has come to it, as a strong store told that the
 * lane has read. */
static bool is_over(const struct fh_race *race, const struct fh_touch *t,
                    const struct fh_reader *reader) {
    const uint64_t block = reader->warp / race->warps;
    const int32_t warp = (int32_t)(reader->warp % race->warps);
    if (reader->time <= fh_clock_time(t->me->over, block, warp, FH_CLOCK_ALL))
        return true;
    for (uint32_t rest = reader->lanes; rest; rest &= rest - 1)
        if (reader->time > fh_clock_time(t->me->over, block, warp, __builtin_ctz(rest)))
            return false;
    return true;
}

/* Those of the reader's lanes whose read has not happened for it. */
static uint32_t not_before(const struct fh_race *race, const struct fh_touch *t,
                           const struct fh_reader *reader) {
    uint32_t lanes = reader->lanes;
    const bool near = reader->warp - t->first_warp < race->warps;
    if (reader->time < race->start)
        return 0;
    if (reader->warp == t->warp) {
        lanes &= ~(UINT32_C(1) << t->lane);
        if (reader->time <= t->me->own_warp || reader->time <= t->me->own_reads)
            return 0;
    }
    if (near && reader->time <= t->me->own_block)
        return 0;
    if (!lanes || (!near && !t->me->foreign && !t->me->foreign_over))
        return lanes;
    if (t->me->foreign_over && !near && is_over(race, t, reader))
        return 0;
    if (reader->time <= fh_clock_time(t->me->known, reader->warp / race->warps,
                                      (int32_t)(reader->warp % race->warps), FH_CLOCK_ALL))
        return 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (is_before(race, t, reader->time, reader->warp * FHEC_WARP_LANES + lane))
            lanes &= ~(UINT32_C(1) << lane);
    }
    return lanes;
}

/* Two strong accesses whose reach covers both threads are no race. Nor is a read and a swap: what
 * is read is compared once more by the swap that follows it. Nor what is read again until it has
 * changed; of mbarriers compilers make plain loads. */
static bool conflicts(const struct fh_race *race, const struct fh_touch *t, uint32_t warp,
                      uint32_t code, bool other_writes) {
    const uint32_t writer = (t->write ? t->code : code) & FH_CODE_NUMBER;
    if (t->write != other_writes) {
        const uint32_t reader = (t->write ? code : t->code) & FH_CODE_NUMBER;
        if (fh_ordering_code_at(&race->codes, writer)->swaps ||
            fh_ordering_code_at(&race->codes, reader)->polls ||
            (t->atomic && t->event->access.space == FHEC_SPACE_SHARED &&
             fh_ordering_kernel_last(&race->codes)->mbarriers))
            return false;
    }
    const enum fh_reach other = (enum fh_reach)(code >> FH_CODE_REACH_SHIFT & 3);
    if (!other || !t->reach)
        return true;
    return warp - t->first_warp >= race->warps &&
           (other != FH_REACH_GRID || t->reach != FH_REACH_GRID);
}

/* ---------------------------------------------------------------- one word */

/* True if there is a dispute of two writes now, told when somebody reads what they left. */
static bool check_write(struct fh_race *race, const struct fh_touch *t,
                        const struct fh_cell *cell) {
    const uint32_t warp = cell->write_thread / FHEC_WARP_LANES;
    const uint32_t lanes = UINT32_C(1) << cell->write_thread % FHEC_WARP_LANES;
    if (cell->write_time < race->start)
        return false;
    if (cell->write_code & FH_COPY_PENDING) {
        fh_race_report(race, t, warp, lanes, cell->write_code, true);
        return false;
    }
    if (is_before(race, t, cell->write_time, cell->write_thread) ||
        !conflicts(race, t, warp, cell->write_code, true))
        return false;
    const bool plain =
        t->write && !t->atomic && !t->copy && !(cell->write_code >> FH_CODE_REACH_SHIFT & 3);
    /* Whoever stores last, the same is left there. */
    if (plain && cell->write_value == t->value)
        return t->event->access.space == FHEC_SPACE_SHARED && t->block->disputed.words.count;
    if (plain && t->event->access.space == FHEC_SPACE_SHARED) {
        fh_race_dispute(race, t, warp, lanes, cell->write_code);
        return true;
    }
    fh_race_report(race, t, warp, lanes, cell->write_code, true);
    return false;
}

static void check_reader(struct fh_race *race, const struct fh_touch *t,
                         const struct fh_reader *reader) {
    const uint32_t lanes = not_before(race, t, reader);
    if (lanes && conflicts(race, t, reader->warp, reader->code, false))
        fh_race_report(race, t, reader->warp, lanes, reader->code, false);
}

static void check_readers(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                          struct fh_cell *cell) {
    if (cell->read_time < race->start || !cell->read_time)
        return;
    if (cell->read_warp != FH_SHARED_READ) {
        const struct fh_reader only = {cell->read_time, cell->read_warp, cell->read_lanes,
                                       cell->read_code};
        check_reader(race, t, &only);
    } else {
        const struct fh_readers *list = &shadow->lists[cell->read_lanes];
        const struct fh_reader *readers = list->capacity ? list->table : list->reader;
        const uint32_t places = list->capacity ? list->capacity : list->count;
        for (uint32_t i = 0; i < places; i++)
            if (readers[i].lanes)
                check_reader(race, t, &readers[i]);
        fh_touched_list_free(shadow, cell->read_lanes);
    }
    cell->read_time = 0;
}

static void read_alone(struct fh_cell *cell, const struct fh_reader *reader) {
    cell->read_time = reader->time;
    cell->read_warp = reader->warp;
    cell->read_lanes = reader->lanes;
    cell->read_code = reader->code;
}

/* Whether the readers are those that read now, at the same time. */
static bool reads_with(const struct fh_reader *readers, const struct fh_reader *now) {
    return readers->time == now->time && readers->warp == now->warp;
}

/* A reader of the same warp that has happened for this one gives its place to it. Where there is no
 * room for more tables the first one of the warp's places does. */
static void note_in_table(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                          struct fh_readers *list, const struct fh_reader *now) {
    const bool full = 4 * (uint64_t)list->count >= 3 * (uint64_t)list->capacity &&
                      !fh_touched_list_grow(shadow, list);
    const uint32_t first = fh_touched_place(list, now->warp);
    for (uint32_t i = first;; i = (i + 1) & (list->capacity - 1)) {
        struct fh_reader *there = &list->table[i];
        if (!there->lanes && full) {
            list->table[first] = *now;
            return;
        }
        if (!there->lanes) {
            *there = *now;
            list->count++;
            return;
        }
        if (there->warp != now->warp)
            continue;
        if (there->time == now->time) {
            there->lanes |= now->lanes;
            return;
        }
        if (!not_before(race, t, there)) {
            *there = *now;
            return;
        }
    }
}

static void note_in_list(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                         struct fh_readers *list, const struct fh_reader *now) {
    uint32_t kept = 0;
    if (list->capacity) {
        note_in_table(race, shadow, t, list, now);
        return;
    }
    for (uint32_t i = 0; i < list->count; i++)
        if (reads_with(&list->reader[i], now)) {
            list->reader[i].lanes |= now->lanes;
            return;
        }
    for (uint32_t i = 0; i < list->count; i++)
        if (not_before(race, t, &list->reader[i]))
            list->reader[kept++] = list->reader[i];
    list->count = kept;
    if (kept < FH_READERS)
        list->reader[list->count++] = *now;
    else if (fh_touched_list_grow(shadow, list))
        note_in_table(race, shadow, t, list, now);
    else
        list->reader[now->time % FH_READERS] = *now;
}

/* A reader that has happened for this one need not be kept: who knows of this one knows of it. */
static void note_read(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                      struct fh_cell *cell) {
    const struct fh_reader now = {t->me->time, t->warp, UINT32_C(1) << t->lane, t->code};
    const struct fh_reader before = {cell->read_time, cell->read_warp, cell->read_lanes,
                                     cell->read_code};
    if (!cell->read_time || cell->read_time < race->start) {
        read_alone(cell, &now);
        return;
    }
    if (cell->read_warp == FH_SHARED_READ) {
        note_in_list(race, shadow, t, &shadow->lists[cell->read_lanes], &now);
        return;
    }
    if (reads_with(&before, &now)) {
        cell->read_lanes |= now.lanes;
        return;
    }
    if (!not_before(race, t, &before)) {
        read_alone(cell, &now);
        return;
    }
    uint32_t index;
    struct fh_readers *list = fh_touched_list(shadow, &index);
    race->time.failed |= !list;
    if (!list)
        return;
    list->reader[list->count++] = before;
    list->reader[list->count++] = now;
    cell->read_time = now.time;
    cell->read_warp = FH_SHARED_READ;
    cell->read_lanes = index;
}

static void touch_cell(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                       struct fh_cell *cell) {
    const bool disputed = cell->write_time && check_write(race, t, cell);
    if (!disputed && t->block->disputed.words.count && t->event->access.space == FHEC_SPACE_SHARED)
        fh_race_settle(race, t);
    if (!t->write) {
        note_read(race, shadow, t, cell);
        return;
    }
    if (cell->read_time)
        check_readers(race, shadow, t, cell);
    cell->write_time = t->me->time;
    cell->write_thread = t->thread;
    cell->write_code = t->code | (t->copy ? FH_COPY_PENDING : 0);
    cell->write_value = t->value;
    cell->read_time = 0;
}

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
        fh_ordering_kernel_last(&race->codes)->mbarriers || (t->write && t->me->fenced_block);
    return strong ? FH_REACH_BLOCK : FH_REACH_NONE;
}

/* ---------------------------------------------------------------- accesses */

/* 1 << shift is the widest cell that the access has whole. */
static unsigned shift_of(uint64_t address, uint32_t bytes) {
    const unsigned zeros = (unsigned)__builtin_ctzll(address | bytes | 16);
    return zeros < 2 ? 0 : zeros;
}

/* What the lane leaves in the cell `at` bytes from the beginning of its access. */
static uint32_t value_at(const fhec_access *access, uint32_t lane, uint32_t at, unsigned shift) {
    const uint32_t *row = access->value ? access->value + FHEC_WARP_LANES * (at / 4) + lane : NULL;
    if (!row)
        return 0;
    if (shift <= 2)
        return shift ? *row : *row >> 8 * (at % 4) & 0xff;
    uint32_t hash = *row;
    for (uint32_t i = 1; i < 1U << (shift - 2); i++)
        hash = (hash << 7 | hash >> 25) * 0x9e3779b1U + row[FHEC_WARP_LANES * i];
    return hash;
}

static void touch_bytes(struct fh_race *race, struct fh_touched *shadow, struct fh_touch *t,
                        uint64_t address) {
    const fhec_access *access = &t->event->access;
    const unsigned shift = shift_of(address, access->bytes);
    for (uint32_t i = 0; i < access->bytes;) {
        struct fh_cell_page *page = fh_touched_page(shadow, address + i, shift);
        race->time.failed |= !page;
        if (!page)
            return;
        t->address = address + i;
        t->bytes = 1U << page->shift;
        t->value = t->write ? value_at(access, t->lane, i, page->shift) : 0;
        touch_cell(race, shadow, t, &page->cells[(address + i) % FH_PAGE_BYTES >> page->shift]);
        i += 1U << page->shift;
    }
}

/* Where a copy goes is kept until the program has waited for it. */
static void note_copy(struct fh_block_clocks *block, const fhec_event *event, uint32_t code) {
    struct fh_warp_clocks *warp = &block->warp[event->warp];
    if (!warp->copy_count)
        return;
    struct fh_copy *copy = &warp->copies[warp->copy_count - 1];
    copy->code = code;
    copy->lanes = event->lanes;
    copy->bytes = event->access.bytes;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        copy->address[l] = (uint32_t)event->access.address[l];
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
        .write = access->access & FHEC_ACCESS_WRITE,
        .atomic = access->access == (FHEC_ACCESS_READ | FHEC_ACCESS_WRITE),
    };
    const uint32_t number = (uint32_t)(event->pc / sizeof(fhec_word));
    t.copy = t.write && shared && code->ordering == FH_ORDER_COPY;
    if (t.copy)
        note_copy(block, event, number);
    const bool flags = shared && !t.copy && fh_ordering_kernel_last(&race->codes)->polls;
    if (code->releases)
        fh_lanes_fence(&race->time, block, event->warp, event->lanes, false);
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1) {
        t.lane = (uint32_t)__builtin_ctz(rest);
        t.thread = t.warp * FHEC_WARP_LANES + t.lane;
        t.me = &block->warp[event->warp].lane[t.lane];
        const uint64_t address = access->address[t.lane];
        t.reach = (enum fh_reach)code->reach;
        if (!t.reach && shared && !t.copy)
            t.reach = plain_reach(race, &t, code, address);
        const bool tells = t.write && (t.reach || (flags && t.me->fenced_block));
        t.code = number | (uint32_t)t.reach << FH_CODE_REACH_SHIFT;
        if (t.reach && !t.write)
            strong_access(race, signals, &t, address, access->bytes);
        touch_bytes(race, shadow, &t, address);
        if (tells)
            strong_access(race, signals, &t, address, access->bytes);
    }
}

/* ---------------------------------------------------------------- asynchronous copies */

void fh_race_copy(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event) {
    struct fh_warp_clocks *warp = &block->warp[event->warp];
    if (warp->copy_count == warp->copy_capacity) {
        const size_t capacity = warp->copy_capacity ? 2 * warp->copy_capacity : 16;
        struct fh_copy *more = realloc(warp->copies, capacity * sizeof *more);
        race->time.failed |= !more;
        if (!more)
            return;
        warp->copies = more;
        warp->copy_capacity = capacity;
    }
    warp->copies[warp->copy_count++] = (struct fh_copy){.number = event->copy.first};
}

/* The bytes have been written now, by the lane that copied them. */
static void copy_done(struct fh_race *race, struct fh_block_clocks *block, uint32_t warp,
                      const struct fh_copy *copy) {
    for (uint32_t rest = copy->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint32_t thread =
            (uint32_t)(block->index * race->warps + warp) * FHEC_WARP_LANES + lane;
        for (uint32_t i = 0; i < copy->bytes; i++) {
            const uint64_t address = copy->address[lane] + i;
            struct fh_cell_page *page = fh_touched_page(&block->shared, address, 4);
            if (!page)
                return;
            struct fh_cell *cell = &page->cells[address % FH_PAGE_BYTES >> page->shift];
            if (cell->write_thread == thread && cell->write_code & FH_COPY_PENDING &&
                (cell->write_code & FH_CODE_NUMBER) == copy->code) {
                cell->write_code &= ~FH_COPY_PENDING;
                cell->write_time = block->warp[warp].lane[lane].time;
            }
        }
    }
}

void fh_race_copies_done(struct fh_race *race, struct fh_block_clocks *block,
                         const fhec_event *event) {
    struct fh_warp_clocks *warp = &block->warp[event->warp];
    size_t done = 0;
    while (done < warp->copy_count && warp->copies[done].number <= event->copy.last)
        copy_done(race, block, event->warp, &warp->copies[done++]);
    for (size_t i = done; i < warp->copy_count; i++)
        warp->copies[i - done] = warp->copies[i];
    warp->copy_count -= done;
}
