/*
 * time_sm.c - see time_sm.h.
 *
 * Nothing happens in most cycles. A scheduler keeps the first cycle in which it could issue again,
 * which may turn out to be too early and is never too late; the SM goes from one such cycle to the
 * next. The cycles between two issues of a scheduler count for what the warp waited for last that
 * issued then.
 */
#include "time_sm.h"

#include <stdlib.h>
#include <string.h>

#include "time_gates.h"
#include "time_warp.h"

enum { SLOTS = 4 }; /* of operands, in which registers are kept for reuse; 0 is none */

struct scheduler {
    uint32_t warps[FH_TIME_WARPS], count;
    uint64_t free; /* it can issue again */
    uint64_t next; /* not before */
    struct fh_time_warp *last;
    uint64_t ports[FH_TIME_BANKS];
    uint64_t kept[SLOTS][FH_TIME_BANKS]; /* the warp's age and the register, plus one */
    uint64_t stalls[FH_TIME_REASONS];
    uint64_t issued;
};

struct place { /* of a block */
    uint64_t block;
    uint32_t live; /* warps */
};

struct fh_time_sm {
    const struct fh_time_machine *machine;
    const struct fh_time_op *ops;
    struct fh_timed_word *words;
    uint64_t blocks, begun, done;
    uint32_t warps_each, warp_count, place_count;
    struct fh_time_warp *warps;
    struct place *places;
    struct fh_time_gates gates;
    uint64_t *registers;
    uint8_t *whys;
    uint32_t needs[FH_TIME_WARPS], need_count;
    struct scheduler schedulers[FH_TIME_SCHEDULERS];
    uint64_t units[FH_TIME_UNITS][FH_TIME_SCHEDULERS]; /* free at; shared ones: the first */
    uint64_t busy[FH_TIME_UNITS];
    uint64_t now, ages, end;
    uint32_t unknown;
    struct fh_time_path path;
    struct fh_issue_log *log; /* NULL: nobody wants one */
};

void fh_time_sm_watch(struct fh_time_sm *sm, struct fh_issue_log *log) {
    sm->log = log;
}

const char *fh_time_reason_name(enum fh_time_reason reason) {
    static const char *const names[] = {
        [FH_TIME_STALL] = "stall_count",
        [FH_TIME_DEPENDENCE] = "dependence",
        [FH_TIME_WAIT_GLOBAL] = "global_memory",
        [FH_TIME_WAIT_SHARED] = "shared_memory",
        [FH_TIME_WAIT_RESULT] = "other_unit",
        [FH_TIME_WAIT_BARRIER] = "barrier",
        [FH_TIME_UNIT] = "unit_busy",
        [FH_TIME_QUEUE_FULL] = "memory_queue",
        [FH_TIME_PORTS] = "register_ports",
        [FH_TIME_NO_WARP] = "no_warp",
    };
    return names[reason];
}

/* ---------------------------------------------------------------- blocks and warps */

static void need(struct fh_time_sm *sm, const struct fh_time_warp *w) {
    sm->needs[sm->need_count++] = (uint32_t)(w - sm->warps);
}

static struct scheduler *scheduler_of(struct fh_time_sm *sm, const struct fh_time_warp *w) {
    return &sm->schedulers[(uint32_t)(w - sm->warps) % sm->machine->schedulers];
}

static void begin_block(struct fh_time_sm *sm, uint32_t place, uint64_t now) {
    sm->places[place] = (struct place){sm->begun++, sm->warps_each};
    fh_time_gates_restart(&sm->gates, place);
    for (uint32_t i = sm->warps_each; i--;) { /* the last one that is put there is taken first */
        struct fh_time_warp *w = &sm->warps[place * sm->warps_each + i];
        w->slot = place;
        w->index = i;
        w->age = sm->ages + i + 1;
        fh_time_warp_begin(w, now);
        need(sm, w);
    }
    sm->ages += sm->warps_each;
}

static void end_warp(struct fh_time_sm *sm, struct fh_time_warp *w) {
    struct place *place = &sm->places[w->slot];
    w->live = false;
    if (w->end > sm->end)
        sm->end = w->end;
    if (--place->live)
        return;
    sm->done++;
    if (sm->begun < sm->blocks)
        begin_block(sm, w->slot, w->base);
}

/* ---------------------------------------------------------------- when a warp can issue */

/* The unit that takes the instruction first; of those that are free, the one named first. */
static uint64_t *unit_of(struct fh_time_sm *sm, const struct fh_time_rule *rule, uint32_t scheduler,
                         uint64_t now, uint32_t *number) {
    uint64_t *best = NULL;
    for (uint32_t i = 0; i < rule->unit_count; i++) {
        const uint32_t u = rule->units[i];
        uint64_t *free = &sm->units[u][sm->machine->units[u].shared ? 0 : scheduler];
        if (best && *free >= *best)
            continue;
        best = free;
        *number = u;
        if (*free <= now)
            break;
    }
    return best;
}

/* From when on the warp can issue, and what it waits for last; not before `now`. */
static uint64_t ready_at(struct fh_time_sm *sm, const struct fh_time_warp *w, uint32_t scheduler,
                         uint64_t now, uint8_t *why) {
    uint64_t at = w->ready, room;
    uint32_t unit;
    *why = w->why;
    if (w->idle)
        return at;
    if (w->op->memory) {
        room = fh_time_path_room(&sm->path, scheduler);
        if (room > at) {
            at = room;
            *why = FH_TIME_QUEUE_FULL;
        }
        return at;
    }
    room = *unit_of(sm, w->op->rule, scheduler, now, &unit);
    if (room > at) {
        at = room;
        *why = FH_TIME_UNIT;
    }
    return at;
}

static bool goes_before(const struct fh_time_sm *sm, const struct scheduler *s,
                        const struct fh_time_warp *a, const struct fh_time_warp *b) {
    if (!b)
        return true;
    switch (sm->machine->policy) {
    case FH_TIME_GREEDY_YOUNGEST: return b != s->last && (a == s->last || a->age > b->age);
    case FH_TIME_GREEDY_OLDEST: return b != s->last && (a == s->last || a->age < b->age);
    case FH_TIME_OLDEST: return a->age < b->age;
    case FH_TIME_BEHIND: break;
    }
    return a->issued != b->issued ? a->issued < b->issued : a->age < b->age;
}

/* The warp that issues at `now`, and why not before; NULL: none, and when to look again. */
static struct fh_time_warp *choose(struct fh_time_sm *sm, uint32_t scheduler, uint64_t now,
                                   uint8_t *why) {
    struct scheduler *s = &sm->schedulers[scheduler];
    struct fh_time_warp *best = NULL;
    uint64_t next = FH_TIME_NEVER;
    for (uint32_t i = 0; i < s->count; i++) {
        struct fh_time_warp *w = &sm->warps[s->warps[i]];
        if (!w->live || !w->known)
            continue;
        uint8_t reason;
        uint64_t at = w->ready <= next || w->ready <= now ? ready_at(sm, w, scheduler, now, &reason)
                                                          : w->ready;
        if (at > now) {
            next = at < next ? at : next;
        } else if (goes_before(sm, s, w, best)) {
            best = w;
            *why = reason;
        }
    }
    s->next = best ? now : next;
    return best;
}

/* ---------------------------------------------------------------- ports of the registers */

/* Reads of each bank that the operands kept for reuse do not save. False: not through ports. */
static bool bank_reads(const struct fh_time_sm *sm, const struct scheduler *s,
                       const struct fh_time_warp *w, uint32_t reads[FH_TIME_BANKS]) {
    const uint32_t banks = sm->machine->banks;
    const struct fh_time_op *op = w->op;
    uint32_t all = 0;
    if (!banks || op->memory || w->idle)
        return false;
    memset(reads, 0, FH_TIME_BANKS * sizeof *reads);
    for (unsigned i = 0; i < op->read_count; i++) {
        const uint32_t reg = op->reads[i].reg, bank = reg % banks, slot = op->reads[i].slot;
        const bool kept = slot && s->kept[slot][bank] == (w->age << 8 | reg) + 1;
        for (uint32_t k = kept; k < op->reads[i].count; k++)
            reads[(reg + k) % banks]++;
        all += op->reads[i].count;
    }
    return all <= banks * sm->machine->window; /* matrices have another way */
}

/* The first cycle from `now` on in which the operands can be read in time. */
static uint64_t ports_free(const struct fh_time_sm *sm, const struct scheduler *s,
                           const uint32_t reads[FH_TIME_BANKS], uint64_t now) {
    const uint32_t window = sm->machine->window;
    uint64_t at = now;
    for (uint32_t b = 0; b < sm->machine->banks; b++) {
        const uint32_t n = reads[b] < window ? reads[b] : window;
        if (n && s->ports[b] + n > at + 1 + window)
            at = s->ports[b] + n - 1 - window;
    }
    return at;
}

static void read_operands(struct fh_time_sm *sm, struct scheduler *s, const struct fh_time_warp *w,
                          const uint32_t reads[FH_TIME_BANKS], uint64_t now) {
    const uint32_t banks = sm->machine->banks;
    for (uint32_t b = 0; b < banks; b++)
        if (reads[b])
            s->ports[b] = (s->ports[b] > now + 1 ? s->ports[b] : now + 1) + reads[b];
    for (unsigned i = 0; i < w->op->read_count; i++)
        if (w->op->reads[i].slot) {
            const uint32_t reg = w->op->reads[i].reg;
            s->kept[w->op->reads[i].slot][reg % banks] =
                w->op->reads[i].reuse ? (w->age << 8 | reg) + 1 : 0;
        }
}

/* ---------------------------------------------------------------- issue */

static void let_go_at(struct fh_time_warp *w, uint64_t open) {
    if (open <= w->base)
        return;
    w->base = open;
    w->base_why = FH_TIME_WAIT_BARRIER;
}

/* What comes to barriers with the instruction, to several where lanes name others or an exit opens
 * them; true: the warp waits at one of them. */
static bool come_to_barriers(struct fh_time_sm *sm, struct fh_time_warp *w, uint64_t now) {
    bool waits = false;
    for (uint32_t i = 0; i < w->note_count; i++) {
        if (w->notes[i].kind != FH_TIME_BARRIER)
            continue;
        struct fh_time_gate *gate =
            fh_time_gate(&sm->gates, w->slot, w->notes[i].least, w->notes[i].count);
        uint32_t let_go = fh_time_gate_come(gate);
        const uint64_t open = now + w->op->rule->latency;
        for (; let_go; let_go &= let_go - 1) {
            struct fh_time_warp *other =
                &sm->warps[w->slot * sm->warps_each + (uint32_t)__builtin_ctz(let_go)];
            other->waits = false;
            let_go_at(other, open);
            need(sm, other);
        }
        if (gate->open && !w->op->passes_by)
            let_go_at(w, open);
        if (waits || gate->open || w->op->passes_by || w->stream.ended ||
            !fh_time_stream_empty(&w->stream))
            continue;
        gate->waiting |= 1u << w->index;
        if (!gate->released)
            need(sm, w); /* other lanes of it may go on */
        waits = true;
    }
    return waits;
}

static struct fh_time_done execute(struct fh_time_sm *sm, uint32_t scheduler,
                                   const struct fh_time_warp *w, uint64_t now,
                                   enum fh_time_reason *why) {
    const struct fh_time_rule *rule = w->op->rule;
    struct fh_time_done done = {.result = now + rule->latency, .read = now + rule->read};
    uint32_t unit;
    *why =
        sm->machine->dependences == FH_TIME_SCOREBOARD ? FH_TIME_DEPENDENCE : FH_TIME_WAIT_RESULT;
    if (w->idle)
        return (struct fh_time_done){.result = now + 1, .read = now + 1};
    if (w->op->memory) {
        uint32_t count = w->note_count;
        while (count && w->notes[count - 1].kind == FH_TIME_BARRIER)
            count--;
        done = fh_time_path_issue(&sm->path, scheduler, now, w->op, w->notes, count, w->lines);
        if (done.shared || done.global)
            *why = done.global ? FH_TIME_WAIT_GLOBAL : FH_TIME_WAIT_SHARED;
        sm->busy[FH_TIME_MEMORY_UNIT] += sm->machine->queue_interval;
        return done;
    }
    *unit_of(sm, rule, scheduler, now, &unit) = now + rule->interval;
    sm->busy[unit] += rule->interval;
    return done;
}

static void keep_event(struct fh_time_sm *sm, uint32_t scheduler, const struct fh_time_warp *w,
                       const struct fh_issue_log_event *times) {
    struct fh_issue_log_event event = *times;
    event.word = w->word;
    event.slot = (uint16_t)w->slot;
    event.warp = (uint16_t)w->index;
    event.scheduler = (uint8_t)scheduler;
    event.unit = (uint8_t)w->op->rule->units[0];
    fh_issue_log_add(sm->log, &event);
}

static void issue(struct fh_time_sm *sm, uint32_t scheduler, struct fh_time_warp *w, uint64_t now,
                  uint8_t waited) {
    struct scheduler *s = &sm->schedulers[scheduler];
    struct fh_timed_word *word = &sm->words[w->word];
    const uint32_t slot = sm->machine->slot;
    const uint64_t idle = now > s->free ? now - s->free : 0;
    enum fh_time_reason why;
    if (now > s->free) {
        s->stalls[waited] += now - s->free;
        word->cycles[waited] += now - s->free;
    }
    word->issued++;
    s->issued++;
    s->last = w;
    s->free = s->next = now + slot;
    uint64_t next = now + slot;
    if (!w->registers) {
        const uint32_t least = w->op->yield ? 2 : 1;
        const uint64_t stalled = now + (w->op->stall > least ? w->op->stall : least);
        next = stalled > next ? stalled : next;
    }
    const struct fh_time_done done = execute(sm, scheduler, w, now, &why);
    if (sm->log)
        keep_event(sm, scheduler, w,
                   &(struct fh_issue_log_event){
                       .begin = now, .end = done.result, .waited = idle, .why = waited});
    fh_time_warp_issued(w, now, done, why, next);
    w->waits = w->note_count && come_to_barriers(sm, w, now);
    if (!w->waits)
        need(sm, w);
}

/* One scheduler in one cycle. */
static void schedule(struct fh_time_sm *sm, uint32_t scheduler, uint64_t now) {
    struct scheduler *s = &sm->schedulers[scheduler];
    uint32_t reads[FH_TIME_BANKS] = {0};
    uint8_t why = FH_TIME_NO_WARP;
    if (s->free > now) {
        s->next = s->free;
        return;
    }
    for (;;) {
        struct fh_time_warp *w = choose(sm, scheduler, now, &why);
        if (!w)
            return;
        const bool ports = bank_reads(sm, s, w, reads);
        const uint64_t at = ports ? ports_free(sm, s, reads, now) : now;
        if (at > now) {
            w->ready = at;
            w->why = FH_TIME_PORTS;
            continue;
        }
        if (ports)
            read_operands(sm, s, w, reads, now);
        issue(sm, scheduler, w, now, why);
        return;
    }
}

/* ---------------------------------------------------------------- the state machine */

/* Makes the next instructions of all warps known that can be. False: one has to be asked for. */
static bool look_ahead(struct fh_time_sm *sm) {
    while (sm->need_count) {
        struct fh_time_warp *w = &sm->warps[sm->needs[sm->need_count - 1]];
        if (fh_time_stream_empty(&w->stream) && !w->stream.ended)
            return false;
        sm->need_count--;
        if (fh_time_stream_empty(&w->stream)) {
            end_warp(sm, w);
            continue;
        }
        if (w->waits) { /* lanes that do not */
            fh_time_gates_leave(&sm->gates, w->slot, w->index);
            w->waits = false;
        }
        fh_time_warp_take(w, sm->ops);
        if (!w->op->rule && sm->unknown == UINT32_MAX)
            sm->unknown = w->word;
        struct scheduler *s = scheduler_of(sm, w);
        if (w->ready < s->next)
            s->next = w->ready;
    }
    return true;
}

/* The order in which the schedulers have a cycle, for what they share: they take turns in going
 * first, or the one goes first whose warp is furthest behind. */
static void order_schedulers(struct fh_time_sm *sm, uint64_t now,
                             uint32_t order[FH_TIME_SCHEDULERS]) {
    const uint32_t count = sm->machine->schedulers;
    const uint32_t first = (uint32_t)(now / sm->machine->slot % count);
    uint64_t issued[FH_TIME_SCHEDULERS];
    uint8_t why;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = (first + i) % count;
        uint32_t at = i;
        if (sm->machine->policy == FH_TIME_BEHIND) {
            struct scheduler *s = &sm->schedulers[k];
            const bool can = s->next <= now && s->free <= now;
            const struct fh_time_warp *w = can ? choose(sm, k, now, &why) : NULL;
            issued[k] = w ? w->issued : UINT64_MAX;
            for (; at && issued[order[at - 1]] > issued[k]; at--)
                order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

enum fh_time_step fh_time_sm_go(struct fh_time_sm *sm, uint64_t *block, uint32_t *warp) {
    const uint32_t schedulers = sm->machine->schedulers;
    for (;;) {
        if (!look_ahead(sm)) {
            const struct fh_time_warp *w = &sm->warps[sm->needs[sm->need_count - 1]];
            *block = sm->places[w->slot].block;
            *warp = w->index;
            return FH_TIME_NEEDS;
        }
        if (sm->done == sm->blocks)
            return FH_TIME_DONE;
        uint64_t now = FH_TIME_NEVER;
        for (uint32_t i = 0; i < schedulers; i++)
            if (sm->schedulers[i].next < now)
                now = sm->schedulers[i].next;
        if (now == FH_TIME_NEVER || sm->unknown != UINT32_MAX)
            return FH_TIME_STUCK;
        sm->now = now;
        uint32_t order[FH_TIME_SCHEDULERS];
        order_schedulers(sm, now, order);
        for (uint32_t i = 0; i < schedulers; i++)
            if (sm->schedulers[order[i]].next <= now)
                schedule(sm, order[i], now);
    }
}

struct fh_time_stream *fh_time_sm_stream(struct fh_time_sm *sm) {
    return &sm->warps[sm->needs[sm->need_count - 1]].stream;
}

bool fh_time_sm_fresh(const struct fh_time_sm *sm) {
    return !sm->warps[sm->needs[sm->need_count - 1]].issued;
}

void fh_time_sm_waits(struct fh_time_sm *sm) {
    sm->need_count--;
}

void fh_time_sm_arrives(struct fh_time_sm *sm, uint32_t word, uint32_t number) {
    struct fh_time_warp *w = &sm->warps[sm->needs[sm->need_count - 1]];
    fh_time_stream_barrier(&w->stream, word, number,
                           fh_time_gates_arrival(&sm->gates, w->slot, number));
}

void fh_time_sm_releases(struct fh_time_sm *sm, uint32_t word, uint32_t number) {
    struct fh_time_warp *w = &sm->warps[sm->needs[sm->need_count - 1]];
    const struct fh_time_stream *s = &w->stream;
    const struct fh_time_note *last =
        s->note_count > s->placed ? &s->notes[s->note_count - 1] : NULL;
    if (!last || last->kind != FH_TIME_BARRIER || last->word != word || last->least != number)
        fh_time_sm_arrives(sm, word, number);
    fh_time_gates_release(&sm->gates, w->slot, number);
}

bool fh_time_sm_comes(struct fh_time_sm *sm, uint32_t word, uint32_t number, uint32_t use,
                      uint32_t total) {
    struct fh_time_warp *w = &sm->warps[sm->needs[sm->need_count - 1]];
    fh_time_stream_barrier(&w->stream, word, number, use);
    return fh_time_gates_expect(&sm->gates, w->slot, number, use, total);
}

uint64_t fh_time_sm_done(const struct fh_time_sm *sm) {
    return sm->done;
}

uint32_t fh_time_sm_unknown(const struct fh_time_sm *sm) {
    return sm->unknown;
}

void fh_time_sm_set_l2(struct fh_time_sm *sm, uint64_t at) {
    sm->path.l2_at = at;
}

void fh_time_sm_result(const struct fh_time_sm *sm, struct fh_time_sm_result *result) {
    *result = (struct fh_time_sm_result){.cycles = sm->end, .traffic = sm->path.traffic};
    memcpy(result->busy, sm->busy, sizeof result->busy);
    for (uint32_t i = 0; i < sm->machine->schedulers; i++)
        if (sm->schedulers[i].free > result->cycles)
            result->cycles = sm->schedulers[i].free;
    for (uint32_t i = 0; i < sm->machine->schedulers; i++) {
        const struct scheduler *s = &sm->schedulers[i];
        result->issued += s->issued;
        for (unsigned k = 0; k < FH_TIME_REASONS; k++)
            result->stalls[k] += s->stalls[k];
        result->stalls[FH_TIME_NO_WARP] += result->cycles - s->free;
    }
}

/* ---------------------------------------------------------------- beginning and end */

static bool make(struct fh_time_sm *sm) {
    const bool watches = sm->machine->dependences == FH_TIME_SCOREBOARD;
    sm->warps = calloc(sm->warp_count, sizeof *sm->warps);
    sm->places = calloc(sm->place_count, sizeof *sm->places);
    const bool gates = fh_time_gates_begin(&sm->gates, sm->place_count);
    if (!sm->warps || !sm->places || !gates)
        return false;
    if (!watches)
        return true;
    sm->registers = calloc(sm->warp_count, FH_TIME_FLAT * sizeof *sm->registers);
    sm->whys = calloc(sm->warp_count, FH_TIME_FLAT);
    if (!sm->registers || !sm->whys)
        return false;
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        sm->warps[i].registers = sm->registers + (size_t)i * FH_TIME_FLAT;
        sm->warps[i].whys = sm->whys + (size_t)i * FH_TIME_FLAT;
    }
    return true;
}

struct fh_time_sm *fh_time_sm_new(const struct fh_time_machine *machine,
                                  const struct fh_time_occupancy *occupancy, uint64_t blocks,
                                  uint32_t active, struct fh_time_l2 *l2,
                                  const struct fh_time_op *ops, struct fh_timed_word *words) {
    struct fh_time_sm *sm = calloc(1, sizeof *sm);
    if (!sm)
        return NULL;
    sm->machine = machine;
    sm->ops = ops;
    sm->words = words;
    sm->blocks = blocks;
    sm->unknown = UINT32_MAX;
    sm->warps_each = occupancy->warps;
    sm->place_count = blocks < occupancy->blocks ? (uint32_t)blocks : occupancy->blocks;
    sm->warp_count = sm->place_count * sm->warps_each;
    if (!fh_time_path_begin(&sm->path, machine, l2, occupancy->l1_bytes, active) || !make(sm)) {
        fh_time_sm_free(sm);
        return NULL;
    }
    for (uint32_t i = 0; i < sm->warp_count; i++) {
        struct scheduler *s = &sm->schedulers[i % machine->schedulers];
        s->warps[s->count++] = i;
    }
    for (uint32_t i = 0; i < machine->schedulers; i++)
        sm->schedulers[i].next = sm->schedulers[i].count ? 0 : FH_TIME_NEVER;
    for (uint32_t i = 0; i < sm->place_count; i++)
        begin_block(sm, i, 0);
    return sm;
}

void fh_time_sm_free(struct fh_time_sm *sm) {
    if (!sm)
        return;
    fh_time_path_end(&sm->path);
    fh_time_gates_end(&sm->gates);
    free(sm->warps);
    free(sm->places);
    free(sm->registers);
    free(sm->whys);
    free(sm);
}
