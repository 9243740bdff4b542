/*
 * memory_path.c - see memory_path.h.
 */
#include "memory_path.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 1 << 10, ALL = (1 << FH_TIME_SECTORS) - 1 };

/* A line of L1: its number plus one, and the sectors that are there or on their way. */
struct fh_time_l1_line {
    uint64_t key, used, filled; /* filled: the cycle at which the last of them comes */
};

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

bool fh_time_path_begin(struct fh_time_path *p, const struct fh_time_machine *machine,
                        struct fh_time_l2 *l2, uint32_t l1_bytes, uint32_t active) {
    const double hbm_cycle = machine->hbm_bandwidth * 1e9 / (machine->clock_mhz * 1e6) / active;
    const double l2_cycle = (double)machine->l2_bandwidth / active;
    *p = (struct fh_time_path){.machine = machine, .l2 = l2};
    /* One SM alone gets no more out of L2 than its own port takes. */
    const double own = machine->l1_width;
    p->l2_cost = (uint64_t)(FH_TIME_SECTOR_BYTES * PARTS / (l2_cycle < own ? l2_cycle : own));
    p->hbm_cost = (uint64_t)(FH_TIME_SECTOR_BYTES * PARTS / (hbm_cycle < own ? hbm_cycle : own));
    p->sets = l1_bytes / (FH_TIME_LINE_BYTES * FH_TIME_L1_WAYS);
    p->l1 = calloc((size_t)p->sets * FH_TIME_L1_WAYS + 1, sizeof *p->l1);
    return p->l1;
}

void fh_time_path_end(struct fh_time_path *p) {
    free(p->l1);
    p->l1 = NULL;
}

/* ---------------------------------------------------------------- the port */

enum { PORT_CYCLES = 64 * FH_TIME_PORT_WORDS };

/* The first cycle from `from` on in which the port is free, or taken; `end` if there is none
 * before. */
static uint64_t find_port(const struct fh_time_path *p, bool taken, uint64_t from, uint64_t end) {
    while (from < end) {
        const uint64_t word = p->port[from / 64 % FH_TIME_PORT_WORDS];
        const uint64_t bits = (taken ? word : ~word) >> from % 64;
        if (bits) {
            const uint64_t at = from + (uint64_t)__builtin_ctzll(bits);
            return at < end ? at : end;
        }
        from += 64 - from % 64;
    }
    return end;
}

/* Takes the port for `busy` cycles, the first ones from `from` on in which it is free. What others
 * have taken stays theirs, so that one scheduler does not wait for what another one queues. */
static uint64_t take_port(struct fh_time_path *p, uint64_t now, uint64_t from, uint64_t busy) {
    for (; p->cleared < now / 64; p->cleared++)
        if (now / 64 - p->cleared <= FH_TIME_PORT_WORDS)
            p->port[p->cleared % FH_TIME_PORT_WORDS] = 0;
    const uint64_t end = now / 64 * 64 + PORT_CYCLES - 64;
    if (from + busy >= end) /* further ahead than anybody looks */
        return from;
    for (;;) {
        from = find_port(p, false, from, end);
        const uint64_t taken = find_port(p, true, from, from + busy);
        if (taken >= from + busy || taken + busy >= end)
            break;
        from = taken;
    }
    for (uint64_t at = from; at < from + busy && at < end; at++)
        p->port[at / 64 % FH_TIME_PORT_WORDS] |= UINT64_C(1) << at % 64;
    return from;
}

/* ---------------------------------------------------------------- below L1 */

/* The sectors of a line go to or come from L2, asked for at `now`. Returns when the last one has
 * come. */
static uint64_t ask_l2(struct fh_time_path *p, uint64_t line, uint64_t now) {
    const uint32_t sectors = (uint32_t)__builtin_popcountll(line & ALL);
    const uint32_t missing = fh_time_l2_access(p->l2, line, p->l2_at);
    p->traffic.l2_sectors += sectors;
    p->traffic.hbm_sectors += missing;
    p->l2_free = later(p->l2_free, now * PARTS) + sectors * p->l2_cost;
    uint64_t waited = p->l2_free - now * PARTS;
    if (missing) {
        p->hbm_free = later(p->hbm_free, now * PARTS) + missing * p->hbm_cost;
        waited = later(waited, p->hbm_free - now * PARTS);
    }
    const uint32_t latency = missing ? p->machine->hbm_latency : p->machine->l2_latency;
    /* The latency is that of one sector, whose transfer is in it. */
    const uint64_t one = missing ? p->hbm_cost : p->l2_cost;
    return now + latency + (waited - (waited < one ? waited : one)) / PARTS;
}

/* ---------------------------------------------------------------- L1 */

static struct fh_time_l1_line *l1_line(struct fh_time_path *p, uint64_t number) {
    struct fh_time_l1_line *set = p->l1 + (size_t)(number % p->sets) * FH_TIME_L1_WAYS,
                           *oldest = set;
    for (unsigned i = 0; i < FH_TIME_L1_WAYS; i++) {
        if (set[i].key >> FH_TIME_SECTORS == number)
            return &set[i];
        if (set[i].used < oldest->used)
            oldest = &set[i];
    }
    *oldest = (struct fh_time_l1_line){.key = number << FH_TIME_SECTORS};
    return oldest;
}

/* When what a load wants of a line is there; 0: at once. */
static uint64_t load_line(struct fh_time_path *p, uint64_t line, uint64_t now) {
    const uint32_t sectors = (uint32_t)__builtin_popcountll(line & ALL);
    p->traffic.sectors += sectors;
    if (!p->sets)
        return ask_l2(p, line, now);
    struct fh_time_l1_line *l = l1_line(p, (line >> FH_TIME_SECTORS) + 1);
    const uint64_t missing = line & ALL & ~l->key;
    l->used = ++p->used;
    p->traffic.l1_hits += sectors - (uint32_t)__builtin_popcountll(missing);
    if (missing) {
        l->key |= missing;
        l->filled = later(l->filled, ask_l2(p, (line & ~(uint64_t)ALL) | missing, now));
    }
    return l->filled;
}

/* Cycles for which an access keeps L1's port. */
static uint64_t port_cycles(const struct fh_time_path *p, const uint64_t *lines, uint32_t count) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += (uint64_t)__builtin_popcountll(lines[i] & ALL) * FH_TIME_SECTOR_BYTES;
    const uint64_t width = p->machine->l1_width;
    return later(count, (bytes + width - 1) / width);
}

/* ---------------------------------------------------------------- instructions */

static enum fh_time_access access_of(const struct fh_time_op *op, const struct fh_time_note *note) {
    const bool shared = note->kind == FH_TIME_SHARED;
    if (op->matrices)
        return FH_TIME_LOAD_MATRICES;
    switch (note->access) {
    case FHEC_ACCESS_READ: return shared ? FH_TIME_LOAD_SHARED : FH_TIME_LOAD_GLOBAL;
    case FHEC_ACCESS_WRITE: return shared ? FH_TIME_STORE_SHARED : FH_TIME_STORE_GLOBAL;
    default: return shared ? FH_TIME_ATOMIC_SHARED : FH_TIME_ATOMIC_GLOBAL;
    }
}

/* What a note of global memory books. Returns when its result is there; 0: as if alone. */
static uint64_t go_out(struct fh_time_path *p, const struct fh_time_note *note,
                       const uint64_t *lines, uint64_t now) {
    uint64_t filled = 0;
    for (uint32_t i = 0; i < note->count; i++) {
        const uint64_t came = note->access == FHEC_ACCESS_READ ? load_line(p, lines[i], now)
                                                               : ask_l2(p, lines[i], now);
        if (note->access != FHEC_ACCESS_WRITE)
            filled = later(filled, came);
    }
    return filled;
}

/* Latencies of the instruction in an empty machine: of several spaces, the longest. */
static void alone(const struct fh_time_path *p, const struct fh_time_op *op,
                  const struct fh_time_note *notes, uint32_t count, uint32_t *result,
                  uint32_t *read) {
    *result = op->rule->latency;
    *read = op->rule->read;
    if (!count)
        return;
    *result = *read = 0;
    for (uint32_t i = 0; i < (op->copies ? 1 : count); i++) {
        const struct fh_time_latency *l =
            &p->machine->latency[op->copies ? FH_TIME_COPY : access_of(op, &notes[i])];
        const uint32_t width = notes[i].width;
        *result = (uint32_t)later(*result, (notes[i].uniform ? l->uniform : l->cycles)[width]);
        *read = (uint32_t)later(*read, l->read[width]);
    }
}

struct fh_time_done fh_time_path_issue(struct fh_time_path *p, uint32_t scheduler, uint64_t now,
                                       const struct fh_time_op *op,
                                       const struct fh_time_note *notes, uint32_t count,
                                       const uint64_t *lines) {
    const struct fh_time_machine *m = p->machine;
    const uint64_t first = now + m->queue_depth;
    const uint64_t earliest = later(first, p->last[scheduler] + m->queue_interval);
    uint32_t result, read;
    uint64_t busy = m->queue_shared, more = 0, filled = 0;
    struct fh_time_done done = {0};
    alone(p, op, notes, count, &result, &read);
    for (uint32_t i = 0; i < count; i++) {
        const struct fh_time_note *note = &notes[i];
        if (note->kind == FH_TIME_SHARED) {
            busy = later(busy, (uint64_t)note->count * m->pass);
            more = later(more, (uint64_t)(note->count - note->least) * m->pass);
            p->traffic.accesses++;
            p->traffic.passes += note->count;
            p->traffic.conflicts += note->count - note->least;
            done.shared = true;
        } else if (note->kind == FH_TIME_GLOBAL) {
            busy = later(busy, port_cycles(p, lines, note->count));
            filled = later(filled, go_out(p, note, lines, earliest - m->queue_depth));
            lines += note->count;
            done.global = true;
        }
    }
    const uint64_t accepted = take_port(p, now, earliest, busy);
    p->last[scheduler] = accepted;
    p->leave[scheduler][p->place[scheduler]] = accepted;
    p->place[scheduler] = (p->place[scheduler] + 1) % m->queue;
    const uint64_t late = accepted - first;
    done.result = later(now + late + more + result, filled);
    done.read = now + late + more + read;
    return done;
}
