/*
 * timer.c - see timer.h.
 */
#include "timer_state.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONG_SLICE = 1 << 16, /* instructions of a warp that is not timed */
    SHORT_SLICE = 256,    /* the same, when it perhaps waits for one that is */
    PATIENCE = 64,        /* slices for each warp without a block's end, before that */
};

static uint64_t linear(const uint32_t grid[3], const uint32_t block[3]) {
    return block[0] + (uint64_t)grid[0] * (block[1] + (uint64_t)grid[1] * block[2]);
}

/* ---------------------------------------------------------------- the order of warps */

/* The next warp, in turn, of a block that is not the SM's; `count`: there is none. */
static size_t find_other(struct fh_timer_launch *l, const fhec_ready_warp *ready, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t at = (l->cursor + i) % count;
        if (linear(l->grid, ready[at].block) % l->stride == 0)
            continue;
        l->cursor = at + 1;
        return at;
    }
    return count;
}

/* The warp of the SM's block; `count`: it cannot run. The list is ordered. */
static size_t find_own(const struct fh_timer_launch *l, const fhec_ready_warp *ready, size_t count,
                       uint64_t block, uint32_t warp) {
    size_t low = 0, high = count;
    const uint64_t want = block * l->stride;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const uint64_t at = linear(l->grid, ready[middle].block);
        if (at < want || (at == want && ready[middle].warp < warp))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && linear(l->grid, ready[low].block) == want && ready[low].warp == warp
               ? low
               : count;
}

static void say_unknown(struct fh_timer *t) {
    if (!fh_timer_say_unknown(t))
        fh_timer_fail(t, "kernel %s: warps wait that nothing lets go", t->now.kernel->of->name);
}

/* The warp that the SM asks for; `count`: none. */
static size_t next_own(struct fh_timer *t, const fhec_ready_warp *ready, size_t count,
                       bool *missing) {
    struct fh_timer_launch *l = &t->now;
    uint64_t block;
    uint32_t warp;
    *missing = false;
    if (!l->started) {
        l->started = true;
        l->l2_end = t->l2.clock;
    }
    while (l->sm && !l->done) {
        fh_timer_look_at_l2(t);
        switch (fh_time_sm_go(l->sm, &block, &warp)) {
        case FH_TIME_DONE: l->done = true; break;
        case FH_TIME_STUCK: say_unknown(t); break;
        case FH_TIME_NEEDS: {
            const size_t at = find_own(l, ready, count, block, warp);
            if (at < count) {
                fh_time_stream_restart(fh_time_sm_stream(l->sm));
                l->filling = true;
                return at;
            }
            /* A block that has not begun has no place yet; what has begun waits at a barrier. */
            if (!fh_time_sm_fresh(l->sm)) {
                fh_time_sm_waits(l->sm);
                break;
            }
            *missing = true;
            return count;
        }
        }
    }
    return count;
}

static size_t next(void *user, const fhec_ready_warp *ready, size_t count, uint32_t *instructions) {
    struct fh_timer *t = user;
    struct fh_timer_launch *l = &t->now;
    const bool impatient = l->slices > PATIENCE * (uint64_t)count;
    bool missing = false;
    size_t other = count;
    l->filling = false;
    if (l->sm && !l->done) {
        if (!impatient || l->turn)
            other = find_other(l, ready, count);
        l->turn = false;
        if (other == count) {
            const size_t own = next_own(t, ready, count, &missing);
            if (own < count) {
                *instructions = FH_TIME_AHEAD;
                l->turn = true;
                return own;
            }
        }
    }
    if (other == count)
        other = l->sm && (missing || !l->done) ? find_other(l, ready, count) : count;
    l->slices++;
    *instructions = impatient ? SHORT_SLICE : LONG_SLICE;
    return other < count ? other : l->cursor++ % count;
}

/* ---------------------------------------------------------------- launches */

/* Asked for all words in order when a launch is made ready. */
static bool wants(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct fh_timer *t = user;
    if (pc == 0)
        fh_profiled_begin(&t->code, &t->search, launch->program, launch->kernel);
    fh_profiled_next(&t->code, &t->search, word);
    return true;
}

static struct fh_timed_kernel *kernel_of(struct fh_timer *t, const struct fh_profiled_kernel *of) {
    for (size_t i = 0; i < t->count; i++)
        if (t->kernels[i]->of == of)
            return t->kernels[i];
    struct fh_timed_kernel *k = fh_timer_add(t, of);
    for (uint32_t i = 0; k && i < of->count; i++)
        (void)fh_time_op_make(&t->machine, of->words[i].word, (uint64_t)i * sizeof(fhec_word),
                              &k->ops[i]);
    return k;
}

static void begin_launch(struct fh_timer *t, const fhec_launch *launch) {
    const struct fh_profiled_kernel *of = fh_profiled_end(&t->code, &t->search);
    struct fh_timed_kernel *k = of ? kernel_of(t, of) : NULL;
    fhec_kernel_info info = {0};
    (void)fhec_kernel_get(launch->program, launch->kernel, &info);
    const struct fh_time_block block = {
        .threads = launch->block[0] * launch->block[1] * launch->block[2],
        .registers = info.registers,
        .shared = info.shared_bytes + launch->dynamic_shared,
    };
    t->now = (struct fh_timer_launch){0};
    if (k)
        (void)fh_timer_begin(t, &t->machine, k, launch->grid, &block);
    else
        fh_timer_fail(t, "no host memory");
}

static void end_launch(struct fh_timer *t, const fhec_event *event) {
    struct fh_timer_launch *l = &t->now;
    if (l->sm && event->end.status != FHEC_OK)
        fh_timer_fail(t, "the launch did not come to its end");
    if (!l->sm)
        return;
    /* Nobody has asked what its last warps do: they have ended. */
    uint64_t block;
    uint32_t warp;
    if (!l->done && fh_time_sm_go(l->sm, &block, &warp) != FH_TIME_DONE)
        say_unknown(t);
    else
        fh_timer_finish(t, event->end.instructions);
}

/* ---------------------------------------------------------------- events */

static void on_event(void *user, const fhec_event *event) {
    struct fh_timer *t = user;
    struct fh_timer_launch *l = &t->now;
    switch (event->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN: begin_launch(t, event->launch); return;
    case FHEC_EVENT_LAUNCH_END: end_launch(t, event); return;
    case FHEC_EVENT_BLOCK_END: l->slices = 0; return;
    default: break;
    }
    if (!l->filling || !l->sm)
        return;
    const uint32_t word = (uint32_t)(event->pc / sizeof(fhec_word));
    switch (event->kind) {
    case FHEC_EVENT_INSTRUCTION:
        fh_time_stream_instruction(fh_time_sm_stream(l->sm), event);
        return;
    case FHEC_EVENT_WARP_END: fh_time_sm_stream(l->sm)->ended = true; return;
    case FHEC_EVENT_ARRIVE: fh_time_sm_arrives(l->sm, word, event->barrier.number); return;
    case FHEC_EVENT_RELEASE: fh_time_sm_releases(l->sm, word, event->barrier.number); return;
    default: return;
    }
}

static void on_access(void *user, const fhec_event *event) {
    struct fh_timer *t = user;
    struct fh_timer_launch *l = &t->now;
    if (!l->sm)
        return;
    if (l->filling) {
        const uint32_t word = (uint32_t)(event->pc / sizeof(fhec_word));
        fh_time_stream_access(fh_time_sm_stream(l->sm), event, l->kernel->ops[word].matrices);
        return;
    }
    if (event->access.space == FHEC_SPACE_SHARED)
        return;
    uint64_t lines[FH_TIME_LINES];
    const uint32_t count = fh_time_lines(&event->access, event->lanes, lines);
    for (uint32_t i = 0; i < count; i++)
        l->hbm_sectors += fh_time_l2_access(&t->l2, lines[i], t->l2.clock);
}

/* ---------------------------------------------------------------- the timer */

struct fh_timer *fh_timer_new(const struct fh_time_machine *machine) {
    struct fh_timer *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->machine = *machine;
    t->l2.capacity = machine->l2_bytes;
    return t;
}

void fh_timer_free(struct fh_timer *t) {
    if (!t)
        return;
    fh_timer_detach(t);
    for (size_t i = 0; i < t->count; i++) {
        free(t->kernels[i]->ops);
        free(t->kernels[i]->words);
        free(t->kernels[i]);
    }
    free(t->kernels);
    fh_time_sm_free(t->now.sm);
    fh_time_l2_free(&t->l2);
    fh_profiled_code_free(&t->code);
    free(t);
}

fhec_order fh_timer_order(struct fh_timer *timer) {
    return (fhec_order){.kind = FHEC_ORDER_CALLBACK, .next = next, .user = timer};
}

fhec_status fh_timer_attach(struct fh_timer *timer, fhec_machine *machine) {
    const fhec_observer instructions = {
        .user = timer,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                            FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_INSTRUCTION) |
                            FHEC_EVENT_BIT(FHEC_EVENT_WARP_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ARRIVE) | FHEC_EVENT_BIT(FHEC_EVENT_RELEASE),
                   .instruction = wants},
        .event = on_event,
    };
    const fhec_observer accesses = {
        .user = timer,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ACCESS),
                   .no_access = 1u << FHEC_SPACE_CONSTANT,
                   .addresses_only = true},
        .event = on_access,
    };
    fhec_status status = fhec_observe(machine, &instructions, &timer->observers[0]);
    if (status != FHEC_OK)
        return status;
    timer->attached = machine;
    return fhec_observe(machine, &accesses, &timer->observers[1]);
}

void fh_timer_detach(struct fh_timer *timer) {
    for (unsigned i = 0; i < 2 && timer->attached; i++)
        if (timer->observers[i])
            (void)fhec_unobserve(timer->attached, timer->observers[i]);
    timer->attached = NULL;
    timer->observers[0] = timer->observers[1] = 0;
}

void fh_timer_keep(struct fh_timer *timer, struct fh_issue_log *log) {
    timer->log = log;
}

const struct fh_time_machine *fh_timer_machine(const struct fh_timer *timer) {
    return &timer->machine;
}

const struct fh_timed_kernel *fh_timer_kernel(const struct fh_timer *timer, size_t index) {
    return index < timer->count ? timer->kernels[index] : NULL;
}

const char *fh_timer_failed(const struct fh_timer *timer) {
    return *timer->why ? timer->why : NULL;
}
