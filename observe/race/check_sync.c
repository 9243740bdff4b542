/*
 * check_sync.c - see check_sync.h.
 */
#include "check_sync.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "finding_ids.h"
#include "init_checker.h"
#include "number_map.h"
#include "ordering_code.h"
#include "sync_state.h"
#include "watching.h"

struct sync_checker {
    struct fh_watching watch;
    struct fh_ordering_codes codes;
    struct fh_number_map blocks; /* resident ones by index */
    void *shuffles;              /* the state of fh_check_shuffles */
};

/* ---------------------------------------------------------------- saying */

__attribute__((format(printf, 6, 7))) static void
say_sync(struct sync_checker *c, unsigned kind, const struct fh_place *at,
         const struct fh_place *other, const char *role, const char *format, ...) {
    if (fh_findings_again(c->watch.findings, kind, at, other))
        return;
    struct fh_finding finding = {.kind = kind, .at = *at, .role = role};
    if (other)
        finding.other = *other;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.message, sizeof finding.message, format, arguments);
    va_end(arguments);
    c->watch.failed |= !fh_findings_add(c->watch.findings, &finding);
}

/* ---------------------------------------------------------------- barriers of the block */

/* Lanes of a warp come to a barrier; the others of it should come with them. */
static void check_whole_warp(struct sync_checker *c, struct fh_sync_block *block,
                             const fhec_event *event) {
    const struct fh_sync_warp *warp = &block->warp[event->warp];
    const uint32_t missing = warp->begun & ~warp->ended & ~event->active;
    struct fh_place at = fh_place_of(event);
    at.lanes = event->active;
    if (missing) {
        say_sync(c, FH_FINDING_BARRIER_DIVERGED, &at, NULL, NULL,
                 "lanes 0x%08" PRIx32 " of warp %" PRIu32
                 " come to the barrier without lanes 0x%08" PRIx32
                 "; expected all lanes of the warp together",
                 event->active, event->warp, missing);
    } else if (warp->ended) {
        const uint32_t ended = warp->ended;
        const struct fh_place other = fh_sync_place(block, event, event->warp, ended);
        say_sync(c, FH_FINDING_BARRIER_AFTER_END, &at, &other, "ended here",
                 "lanes 0x%08" PRIx32 " of warp %" PRIu32
                 " have ended before the barrier that lanes "
                 "0x%08" PRIx32 " come to; expected all lanes of the warp",
                 ended, event->warp, event->active);
    }
}

static void check_count(struct sync_checker *c, struct fh_sync_block *block,
                        const fhec_event *event, struct fh_sync_barrier *barrier, bool counted) {
    const struct fh_place at = fh_place_of(event);
    const uint32_t expected = event->barrier.expected, threads = fh_sync_block_threads(block);
    const bool first = !barrier->arrived;
    if (first) {
        barrier->counted = counted;
        barrier->expected = expected;
        barrier->first = at;
    }
    barrier->arrived += (uint32_t)__builtin_popcount(event->lanes);
    if (!first && counted != barrier->counted)
        say_sync(c, FH_FINDING_BARRIER_COUNT, &at, &barrier->first, "came first here",
                 "barrier %" PRIu32 " has %s count here, and %s where others came to it first",
                 event->barrier.number, counted ? "a" : "no", counted ? "none" : "one");
    else if (counted && expected % FHEC_WARP_LANES)
        say_sync(c, FH_FINDING_BARRIER_COUNT, &at, NULL, NULL,
                 "barrier %" PRIu32 " expects %" PRIu32 " threads, which is no multiple of 32",
                 event->barrier.number, expected);
    else if (counted && expected > threads)
        say_sync(c, FH_FINDING_BARRIER_COUNT, &at, NULL, NULL,
                 "barrier %" PRIu32 " expects %" PRIu32 " threads, and the block has %" PRIu32,
                 event->barrier.number, expected, threads);
    else if (counted && barrier->arrived > expected)
        say_sync(c, FH_FINDING_BARRIER_COUNT, &at, &barrier->first, "came first here",
                 "%" PRIu32 " threads have come to barrier %" PRIu32 ", which expects %" PRIu32,
                 barrier->arrived, event->barrier.number, expected);
}

static void arrive_sync(struct sync_checker *c, struct fh_sync_block *block,
                        const fhec_event *event, const struct fh_ordering_code *code) {
    const uint32_t number = event->barrier.number % FH_NAMED_BARRIERS;
    uint32_t what[FHEC_WARP_LANES];
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        what[l] = number;
    check_count(c, block, event, &block->barrier[number], code->counted);
    if (code->ordering == FH_ORDER_BARRIER)
        fh_sync_wait(block, event, event->lanes, FH_WAITS_BARRIER, what);
}

static void release_sync(struct fh_sync_block *block, uint32_t number) {
    for (uint32_t w = 0; w < block->warps; w++)
        fh_sync_go_on(&block->warp[w], fh_sync_waiting(&block->warp[w], FH_WAITS_BARRIER, number));
    block->barrier[number % FH_NAMED_BARRIERS] = (struct fh_sync_barrier){0};
}

/* ---------------------------------------------------------------- WARPSYNC */

static void check_masks(struct sync_checker *c, const fhec_event *event, uint32_t lanes,
                        const uint32_t masks[FHEC_WARP_LANES]) {
    struct fh_place at = fh_place_of(event);
    uint32_t outside = 0, together = lanes & (lanes - 1);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        outside |= rest & (0u - rest) & ~masks[__builtin_ctz(rest)];
    at.lanes = outside ? outside : lanes;
    if (outside) {
        const int lane = __builtin_ctz(outside);
        say_sync(c, FH_FINDING_WARPSYNC_MASK, &at, NULL, NULL,
                 "lane %d waits for the lanes 0x%08" PRIx32
                 ", of which it is none; expected it in its "
                 "own mask",
                 lane, masks[lane]);
        return;
    }
    for (; together; together &= together - 1) {
        const int a = __builtin_ctz(lanes), b = __builtin_ctz(together);
        if (masks[a] == masks[b] || !(masks[a] & masks[b]))
            continue;
        say_sync(c, FH_FINDING_WARPSYNC_MASK, &at, NULL, NULL,
                 "lane %d waits for the lanes 0x%08" PRIx32 " and lane %d for 0x%08" PRIx32
                 "; expected the same mask in all lanes that it names",
                 a, masks[a], b, masks[b]);
        return;
    }
}

static void gather_sync(struct sync_checker *c, struct fh_sync_block *block,
                        const fhec_event *event, const struct fh_ordering_code *code) {
    struct fh_sync_warp *warp = &block->warp[event->warp];
    const uint32_t lanes = fh_ordering_lanes(code, event);
    uint32_t masks[FHEC_WARP_LANES], awaited = 0, waiting;
    if (!lanes || !fh_ordering_masks(code, event, masks))
        return;
    check_masks(c, event, lanes, masks);
    fh_sync_wait(block, event, lanes, FH_WAITS_WARPSYNC, masks);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        awaited |= masks[__builtin_ctz(rest)];
    waiting = lanes;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        waiting |= fh_sync_waiting(warp, FH_WAITS_WARPSYNC, masks[__builtin_ctz(rest)]);
    if (!(awaited & warp->begun & ~warp->ended & ~waiting))
        fh_sync_go_on(warp, waiting);
}

/* ---------------------------------------------------------------- ends */

/* Lanes end that others wait for at a WARPSYNC. */
static void end_lanes(struct sync_checker *c, struct fh_sync_block *block, const fhec_event *event,
                      uint32_t lanes) {
    struct fh_sync_warp *warp = &block->warp[event->warp];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        warp->pc[lane] = event->pc;
        warp->word[lane] = event->word;
    }
    warp->ended |= lanes;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        const uint32_t mask = warp->what[l];
        if (warp->waits[l] != FH_WAITS_WARPSYNC || !(mask & lanes))
            continue;
        const uint32_t waiting = fh_sync_waiting(warp, FH_WAITS_WARPSYNC, mask);
        const struct fh_place at = fh_sync_place(block, event, event->warp, waiting);
        struct fh_place other = fh_place_of(event);
        other.lanes = lanes;
        say_sync(c, FH_FINDING_WARPSYNC_LEFT, &at, &other, "ended here",
                 "lanes 0x%08" PRIx32 " wait for the lanes 0x%08" PRIx32 ", of which 0x%08" PRIx32
                 " end without coming here; expected all that the mask names",
                 waiting, mask, mask & lanes);
        if (!(mask & warp->begun & ~warp->ended & ~waiting))
            fh_sync_go_on(warp, waiting);
    }
}

/* ---------------------------------------------------------------- waiting for ever */

/* A lane of the block, beside those that wait for the same, that could have come and did not. */
static bool find_absent(const struct fh_sync_block *block, uint32_t warp, enum fh_waits waits,
                        uint32_t what, uint32_t *absent_warp, uint32_t *absent) {
    for (uint32_t w = 0; w < block->warps; w++) {
        const struct fh_sync_warp *at = &block->warp[w];
        uint32_t lanes = at->begun & ~fh_sync_waiting(at, waits, what);
        if (waits == FH_WAITS_WARPSYNC)
            lanes = w == warp ? lanes & what : 0;
        const uint32_t live = lanes & ~at->ended;
        if (!lanes)
            continue;
        *absent_warp = w;
        *absent = live ? live : lanes;
        if (live)
            return true;
    }
    return *absent != 0;
}

static void tell_waiting(struct sync_checker *c, const struct fh_sync_block *block,
                         const fhec_event *event, uint32_t warp, uint32_t lane) {
    const struct fh_sync_warp *w = &block->warp[warp];
    const enum fh_waits waits = (enum fh_waits)w->waits[lane];
    const uint32_t what = w->what[lane], waiting = fh_sync_waiting(w, waits, what);
    uint32_t absent_warp = 0, absent = 0;
    char doing[80], self[80], others[120] = "nobody else is awaited";
    struct fh_place other = {0};
    if (find_absent(block, warp, waits, what, &absent_warp, &absent)) {
        const uint32_t one = (uint32_t)__builtin_ctz(absent);
        const struct fh_sync_warp *there = &block->warp[absent_warp];
        fh_sync_doing(there, one, doing, sizeof doing);
        snprintf(others, sizeof others, "lane %" PRIu32 " of warp %" PRIu32 " %s", one, absent_warp,
                 doing);
        if (there->ended >> one & 1 || there->waits[one])
            other = fh_sync_place(block, event, absent_warp, UINT32_C(1) << one);
    }
    fh_sync_doing(w, lane, self, sizeof self);
    const struct fh_place at = fh_sync_place(block, event, warp, waiting);
    const struct fh_sync_barrier *barrier = &block->barrier[what % FH_NAMED_BARRIERS];
    char count[64] = "";
    if (waits == FH_WAITS_BARRIER)
        snprintf(count, sizeof count, ", where %" PRIu32 " of %" PRIu32 " threads have come",
                 barrier->arrived, barrier->expected);
    say_sync(c, FH_FINDING_NEVER_RELEASED, &at, other.program ? &other : NULL,
             other.program ? "does not come from here" : NULL,
             "lane %" PRIu32 " of warp %" PRIu32 " %s%s, and is never let go: %s", lane, warp, self,
             count, others);
}

/* Nobody can go on: says of all that wait for whom they do. */
static void deadlock(struct sync_checker *c, const fhec_event *event) {
    for (size_t i = 0; i < c->blocks.capacity; i++) {
        const struct fh_sync_block *block = c->blocks.slots[i].value;
        for (uint32_t w = 0; block && w < block->warps; w++) {
            uint32_t told = 0;
            for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
                const struct fh_sync_warp *warp = &block->warp[w];
                if (!warp->waits[l] || warp->ended >> l & 1 || told >> l & 1)
                    continue;
                told |= fh_sync_waiting(warp, (enum fh_waits)warp->waits[l], warp->what[l]);
                tell_waiting(c, block, event, w, l);
            }
        }
    }
}

static void fault_sync(struct sync_checker *c, const fhec_event *event) {
    const fhec_fault *fault = event->fault;
    if (fault->kind == FHEC_FAULT_DEADLOCK)
        deadlock(c, event);
    else if (fault->kind == FHEC_FAULT_ILLEGAL && fault->message &&
             strncmp(fault->message, "barrier ", strlen("barrier ")) == 0) {
        struct fh_place at = fh_place_of(event);
        at.pc = fault->pc;
        at.warp = fault->warp;
        at.lanes = fault->lanes;
        memcpy(at.block, fault->block, sizeof at.block);
        say_sync(c, FH_FINDING_BARRIER_COUNT, &at, NULL, NULL, "%s", fault->message);
    }
}

/* ---------------------------------------------------------------- seeing */

static uint64_t number_of(const fhec_event *event) {
    const uint32_t *grid = event->launch->grid;
    return event->block[0] +
           (uint64_t)grid[0] * (event->block[1] + (uint64_t)grid[1] * event->block[2]);
}

static void sync_block_release(void *value) {
    fh_sync_block_free(value);
}

static struct fh_sync_block *sync_block_of(struct sync_checker *c, const fhec_event *event) {
    struct fh_sync_block *block = fh_number_map_get(&c->blocks, number_of(event));
    if (block)
        return block;
    block = fh_sync_block_new(event);
    if (block && fh_number_map_put(&c->blocks, number_of(event), block))
        return block;
    fh_sync_block_free(block);
    c->watch.failed = true;
    return NULL;
}

static void see_issue(struct sync_checker *c, struct fh_sync_block *block, const fhec_event *event,
                      const struct fh_ordering_code *code) {
    fh_sync_go_on(&block->warp[event->warp], event->active);
    switch ((enum fh_ordering)code->ordering) {
    case FH_ORDER_WARPSYNC: gather_sync(c, block, event, code); break;
    case FH_ORDER_ARRIVE:
    case FH_ORDER_BARRIER:
        if (event->active)
            check_whole_warp(c, block, event);
        break;
    case FH_ORDER_END: end_lanes(c, block, event, fh_ordering_lanes(code, event)); break;
    default: break;
    }
}

static void see_sync(void *user, const fhec_event *event) {
    struct sync_checker *c = user;
    struct fh_sync_block *block = NULL;
    const struct fh_ordering_code *code = NULL;
    switch (event->kind) {
    case FHEC_EVENT_FAULT: fault_sync(c, event); return;
    case FHEC_EVENT_LAUNCH_BEGIN:
    case FHEC_EVENT_LAUNCH_END: fh_number_map_clear(&c->blocks, sync_block_release); return;
    case FHEC_EVENT_BLOCK_END:
        fh_sync_block_free(fh_number_map_take(&c->blocks, number_of(event)));
        return;
    default: block = sync_block_of(c, event);
    }
    code = fh_ordering_code_of(&c->codes, event);
    if (!block || !code)
        return;
    if (event->kind == FHEC_EVENT_ISSUE)
        see_issue(c, block, event, code);
    else if (event->kind == FHEC_EVENT_ARRIVE)
        arrive_sync(c, block, event, code);
    else if (event->kind == FHEC_EVENT_RELEASE)
        release_sync(block, event->barrier.number);
}

static bool concerns_sync(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct sync_checker *c = user;
    const struct fh_ordering_code *code = fh_ordering_code_make(&c->codes, launch, pc, word);
    c->watch.failed |= !code;
    return code && code->ordering >= FH_ORDER_WARPSYNC && code->ordering != FH_ORDER_MATRIX &&
           code->ordering != FH_ORDER_CONVERGE;
}

static fhec_status end_sync(void *state) {
    struct sync_checker *c = state;
    const fhec_status shuffles = c->shuffles ? fh_check_shuffles.end(c->shuffles) : FHEC_OK;
    fh_number_map_clear(&c->blocks, sync_block_release);
    fh_ordering_codes_free(&c->codes);
    const fhec_status status = fh_watch_end(c);
    return status == FHEC_OK ? shuffles : status;
}

static fhec_status begin_sync(fhec_machine *machine, struct fh_findings *findings, void **state) {
    static const struct fh_watch watch = {
        .bytes = sizeof(struct sync_checker),
        .observers = {{.filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_ARRIVE) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_RELEASE) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_FAULT),
                                  .instruction = concerns_sync},
                       .event = see_sync}},
        .end = end_sync,
    };
    struct sync_checker *c;
    const fhec_status status = fh_watch_begin(&watch, machine, findings, state);
    if (status != FHEC_OK)
        return status;
    c = *state;
    if (fh_check_shuffles.begin(machine, findings, &c->shuffles) == FHEC_OK)
        return FHEC_OK;
    c->shuffles = NULL;
    (void)end_sync(c);
    *state = NULL;
    return FHEC_HOST_ERROR;
}

const struct fh_checker_row fh_check_sync = {begin_sync, end_sync};
