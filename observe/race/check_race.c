/*
 * check_race.c - see check_race.h: what is seen of a run, handed to the clocks and the shadow.
 */
#include "check_race.h"

#include <stdlib.h>
#include <string.h>

#include "finding_ids.h"
#include "race_engine.h"

/* ---------------------------------------------------------------- launches and blocks */

static void block_release(void *value) {
    fh_block_clocks_free(value);
}

static void forget_launch(struct fh_race *race) {
    fh_number_map_clear(&race->blocks, block_release);
    fh_number_map_clear(&race->signals, fh_signal_free);
    race->last = NULL;
}

static void launch_begins(struct fh_race *race, const fhec_launch *launch) {
    const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    forget_launch(race);
    race->warps = (uint32_t)((threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES);
    race->time.fences = false;
    race->start = ++race->time.now;
    race->off = false;
    fh_touched_forget(&race->global, race->start);
    if (race->time.now > UINT32_MAX / 2) { /* the shadow's times are too old to be compared */
        fh_touched_free(&race->global);
        race->start = race->time.now = 1;
    }
    if (blocks * race->warps > UINT32_MAX / FHEC_WARP_LANES)
        race->off = race->time.failed = true; /* more threads than numbers for them */
}

static uint64_t index_of(const fhec_event *event) {
    const uint32_t *grid = event->launch->grid;
    return event->block[0] +
           (uint64_t)grid[0] * (event->block[1] + (uint64_t)grid[1] * event->block[2]);
}

static struct fh_block_clocks *block_of(struct fh_race *race, const fhec_event *event) {
    const uint64_t index = index_of(event);
    if (race->last && race->last->index == index)
        return race->last;
    struct fh_block_clocks *block = fh_number_map_get(&race->blocks, index);
    if (!block) {
        const fhec_launch *launch = event->launch;
        block = fh_block_clocks_new(index, event->block,
                                    launch->block[0] * launch->block[1] * launch->block[2],
                                    race->time.now);
        if (!block || !fh_number_map_put(&race->blocks, index, block)) {
            fh_block_clocks_free(block);
            race->time.failed = true;
            return NULL;
        }
    }
    return race->last = block;
}

static void block_ends(struct fh_race *race, const fhec_event *event) {
    struct fh_block_clocks *block = fh_number_map_take(&race->blocks, index_of(event));
    if (block == race->last)
        race->last = NULL;
    fh_block_clocks_free(block);
}

/* ---------------------------------------------------------------- instructions */

static void see_order(struct fh_race *race, struct fh_block_clocks *block, const fhec_event *event,
                      const struct fh_ordering_code *code) {
    uint32_t masks[FHEC_WARP_LANES];
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1)
        block->warp[event->warp].behind[__builtin_ctz(rest)] = 0;
    struct fh_race_time *time = &race->time;
    switch ((enum fh_ordering)code->ordering) {
    case FH_ORDER_MEET: fh_lanes_meet(time, block, event->warp, event->active); break;
    case FH_ORDER_MATRIX: fh_lanes_loaded(time, block, event->warp, event->active); break;
    case FH_ORDER_FENCE:
        fh_lanes_fence(time, block, event->warp, event->active, code->reach == FH_REACH_GRID);
        break;
    case FH_ORDER_END:
        fh_lanes_end(time, block, event->warp, fh_ordering_lanes(code, event));
        break;
    case FH_ORDER_CONVERGE: {
        const uint32_t lanes = fh_ordering_lanes(code, event);
        fh_lanes_meet(time, block, event->warp, lanes);
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            block->warp[event->warp].behind[__builtin_ctz(rest)] = event->pc + sizeof(fhec_word);
        break;
    }
    case FH_ORDER_WARPSYNC: {
        const uint32_t lanes = fh_ordering_lanes(code, event);
        if (fh_ordering_masks(code, event, masks))
            fh_lanes_gather(time, block, event->warp, lanes, masks);
        else
            fh_lanes_meet(time, block, event->warp, lanes);
        break;
    }
    default: break;
    }
}

/* Lanes that come from a BSYNC go on together. */
static void lanes_converge(struct fh_race *race, struct fh_block_clocks *block,
                           const fhec_event *event) {
    const struct fh_warp_clocks *warp = &block->warp[event->warp];
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        lanes |= (uint32_t)(warp->behind[l] == event->pc) << l;
    fh_lanes_meet(&race->time, block, event->warp, lanes & event->lanes);
}

static void see_inside(struct fh_race *race, const fhec_event *event) {
    struct fh_block_clocks *block = block_of(race, event);
    const struct fh_ordering_code *code = fh_ordering_code_of(&race->codes, event);
    if (!block || !code)
        return;
    if (event->kind != FHEC_EVENT_RELEASE && block->warp[event->warp].gathering_count)
        fh_lanes_go_on(&race->time, block, event->warp, event->active);
    switch (event->kind) {
    case FHEC_EVENT_CONVERGE:
        if (code->behind)
            lanes_converge(race, block, event);
        break;
    case FHEC_EVENT_ISSUE: see_order(race, block, event, code); break;
    case FHEC_EVENT_ACCESS: fh_race_access(race, block, event, code); break;
    case FHEC_EVENT_ARRIVE:
        fh_barrier_arrive(&race->time, block, event->warp, event->lanes, event->barrier.number,
                          code->ordering != FH_ORDER_ARRIVE);
        break;
    case FHEC_EVENT_RELEASE:
        fh_barrier_release(&race->time, block, event->barrier.number, code->counted);
        break;
    case FHEC_EVENT_COPY: fh_race_copy(race, block, event); break;
    case FHEC_EVENT_COPY_DONE: fh_race_copies_done(race, block, event); break;
    default: break;
    }
}

static void see_race(void *user, const fhec_event *event) {
    struct fh_race *race = user;
    if (event->kind == FHEC_EVENT_LAUNCH_BEGIN) {
        launch_begins(race, event->launch);
        return;
    }
    if (race->off)
        return;
    switch (event->kind) {
    case FHEC_EVENT_LAUNCH_END: forget_launch(race); break;
    case FHEC_EVENT_BLOCK_END: block_ends(race, event); break;
    default: see_inside(race, event); break;
    }
}

/* ---------------------------------------------------------------- beginning and end */

/* `async` has nothing to look at where nothing is copied. */
static bool wants_instruction(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct fh_race *race = user;
    const struct fh_ordering_code *code = fh_ordering_code_make(&race->codes, launch, pc, word);
    race->time.failed |= !code;
    race->time.publishes |= code && code->stores && code->reach;
    return code && (code->ordering != FH_ORDER_NONE || code->copies || code->behind) &&
           (!race->async || fh_ordering_has_copies(&race->codes, launch));
}

static fhec_status end_race(void *state) {
    struct fh_race *race = state;
    const fhec_status status = race->time.failed ? FHEC_HOST_ERROR : FHEC_OK;
    if (race->observer)
        (void)fhec_unobserve(race->machine, race->observer);
    forget_launch(race);
    fh_touched_free(&race->global);
    fh_ordering_codes_free(&race->codes);
    free(race);
    return status;
}

static fhec_status begin_engine(fhec_machine *machine, struct fh_findings *findings, void **state,
                                bool async) {
    struct fh_race *race = calloc(1, sizeof *race);
    if (!race)
        return FHEC_HOST_ERROR;
    race->machine = machine;
    race->findings = findings;
    race->async = async;
    const fhec_observer observer = {
        .user = race,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                            FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) | FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ARRIVE) | FHEC_EVENT_BIT(FHEC_EVENT_RELEASE) |
                            FHEC_EVENT_BIT(FHEC_EVENT_COPY) | FHEC_EVENT_BIT(FHEC_EVENT_COPY_DONE) |
                            FHEC_EVENT_BIT(FHEC_EVENT_CONVERGE),
                   .instruction = wants_instruction},
        .event = see_race,
    };
    if (fhec_observe(machine, &observer, &race->observer) != FHEC_OK) {
        (void)end_race(race);
        return FHEC_HOST_ERROR;
    }
    *state = race;
    return FHEC_OK;
}

static fhec_status begin_race(fhec_machine *machine, struct fh_findings *findings, void **state) {
    return begin_engine(machine, findings, state, false);
}

static fhec_status begin_async(fhec_machine *machine, struct fh_findings *findings, void **state) {
    return begin_engine(machine, findings, state, true);
}

const struct fh_checker_row fh_check_race = {begin_race, end_race};
const struct fh_checker_row fh_check_async = {begin_async, end_race};
