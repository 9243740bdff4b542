/*
 * init_checker.c - see init_checker.h.
 *
 * Most instructions read what is defined, and then there is little to do: their results are defined
 * in the lanes that act. The masks of undefined lanes of the rows that an instruction reads tell;
 * only where they do not let it pass are values and bits looked at.
 */
#include "init_checker.h"

#include <stdlib.h>
#include <string.h>

#include "finding_ids.h"

/* ---------------------------------------------------------------- finding one's way */

static void find_warp(struct fh_init_checker *c, const fhec_event *event) {
    c->warp = fh_defined_warp(&c->shadow, event);
    c->block = c->warp ? fh_defined_block(&c->shadow, event) : NULL;
    c->launch = event->number;
    memcpy(c->block_id, event->block, sizeof c->block_id);
    c->warp_index = event->warp;
}

/* Whether the event's warp, which most times is that of the last one, is known. */
static inline bool at_warp(struct fh_init_checker *c, const fhec_event *event) {
    if (c->warp && c->warp_index == event->warp && c->launch == event->number &&
        c->block_id[0] == event->block[0] && c->block_id[1] == event->block[1] &&
        c->block_id[2] == event->block[2])
        return true;
    find_warp(c, event);
    return c->warp != NULL;
}

static __attribute__((noinline)) const struct fh_code_entry *
new_entry(struct fh_init_checker *c, const fhec_event *event, size_t i) {
    const struct fh_code_entry *entry = fh_code_of(c->code, event);
    c->failed |= !entry;
    if (i >= c->entry_room) {
        const size_t room = 2 * i + 256;
        const struct fh_code_entry **entries = realloc(c->entries, room * sizeof(void *));
        c->failed |= !entries;
        if (!entries)
            return entry;
        for (size_t k = c->entry_room; k < room; k++)
            entries[k] = NULL;
        c->entries = entries;
        c->entry_room = room;
    }
    c->entries[i] = entry;
    return entry;
}

static inline const struct fh_code_entry *entry_of(struct fh_init_checker *c,
                                                   const fhec_event *event) {
    const size_t i = event->pc / sizeof(fhec_word);
    const struct fh_code_entry *entry = i < c->entry_room ? c->entries[i] : NULL;
    return entry ? entry : new_entry(c, event, i);
}

/* ---------------------------------------------------------------- instructions */

/* The row of which undefined results come, if any does. */
static uint32_t origin_of_reads(const struct fh_init_step *s) {
    const uint32_t lanes = s->plan->wide ? UINT32_MAX : s->active;
    for (unsigned i = 0; i < s->plan->read_count; i++)
        if (s->warp->lanes[s->plan->reads[i]] & lanes)
            return fh_init_origin(s, s->plan->reads[i]);
    return 0;
}

/* Lanes for which a load's or a copy's own predicate is undefined. */
static uint32_t predicate_lanes(const struct fh_init_step *s, uint32_t *row) {
    const struct fh_init_plan *p = s->plan;
    uint32_t lanes = 0;
    for (unsigned i = 0; i < p->read_count; i++) {
        const uint32_t open = p->reads[i] >= FH_ROW_P ? s->warp->lanes[p->reads[i]] & s->active : 0;
        *row = open ? p->reads[i] : *row;
        lanes |= open;
    }
    return lanes;
}

/* Memory, matrices, control: what they read matters. */
static void check_reads(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    uint32_t row = FH_ROW_NONE, open = 0;
    switch ((enum fh_init_rule)p->rule) {
    case FH_INIT_LOAD: open = predicate_lanes(s, &row); break;
    case FH_INIT_COPY:
        if ((open = predicate_lanes(s, &row)))
            fh_init_report_guard(s, row, open);
        open = 0;
        break;
    case FH_INIT_MATRIX:
        fh_init_report_reads(s, FH_FINDING_UNDEFINED_MATRIX_OPERAND, UINT32_MAX);
        break;
    case FH_INIT_CONTROL: fh_init_report_reads(s, FH_FINDING_UNDEFINED_BRANCH, UINT32_MAX); break;
    case FH_INIT_BARRIER: fh_init_report_reads(s, FH_FINDING_UNDEFINED_BARRIER, UINT32_MAX); break;
    default: break;
    }
    fh_init_report_reads(s, FH_FINDING_UNDEFINED_ADDRESS, p->address_reads);
    if (p->rule == FH_INIT_ATOMIC || p->rule == FH_INIT_COPY)
        fh_init_keep_data(s);
    fh_init_put_all(s, open);
}

/* Of lanes with an undefined guard nobody knows whether they act. */
static void results_of_guard(struct fh_init_step *s, uint32_t lanes) {
    const uint32_t active = s->active;
    s->origin = fh_init_origin(s, s->plan->guard);
    s->active = lanes;
    fh_init_put_all(s, lanes);
    s->active = active;
}

static __attribute__((noinline)) void follow(struct fh_init_checker *c, const fhec_event *event,
                                             const struct fh_code_entry *entry) {
    const struct fh_init_plan *p = entry->own;
    struct fh_init_step s = {.checker = c,
                             .event = event,
                             .entry = entry,
                             .plan = p,
                             .warp = c->warp,
                             .active = event->active & p->acts};
    uint32_t unsure = c->warp->lanes[p->guard] & event->lanes;
    if (unsure && p->among)
        unsure = event->lanes;
    if (unsure && p->effect)
        fh_init_report_guard(&s, p->guard, unsure);
    else
        s.active &= ~unsure;
    if (s.active) {
        s.origin = origin_of_reads(&s);
        if (!fh_init_lane_rule(&s) && !fh_init_cross_rule(&s))
            check_reads(&s);
    }
    if (unsure && !p->effect)
        results_of_guard(&s, unsure);
}

static void issue(struct fh_init_checker *c, const fhec_event *event) {
    const struct fh_code_entry *entry = entry_of(c, event);
    if (!entry || !at_warp(c, event))
        return;
    const struct fh_init_plan *p = entry->own;
    if (c->shuffles) {
        const bool partly = p->rule == FH_INIT_SHUFFLE && event->active != UINT32_MAX;
        if (partly && event->active)
            follow(c, event, entry);
        if (partly || !c->any)
            return;
    }
    uint32_t *const lanes = c->warp->lanes;
    const uint32_t active = event->active, matter = p->wide ? UINT32_MAX : active;
    uint32_t undefined = 0;
    for (unsigned i = 0; i < p->read_count; i++)
        undefined |= lanes[p->reads[i]];
    if ((undefined & matter) | (lanes[p->guard] & event->lanes) | p->always) {
        follow(c, event, entry);
        return;
    }
    if (active)
        for (unsigned i = 0; i < p->write_count; i++)
            lanes[p->writes[i]] &= ~(active | p->write_whole[i]);
}

static void access_memory(struct fh_init_checker *c, const fhec_event *event) {
    if (c->shuffles && !c->any)
        return;
    const struct fh_code_entry *entry = entry_of(c, event);
    if (entry && at_warp(c, event))
        fh_init_access(c, event, entry->own);
}

/* ---------------------------------------------------------------- events */

/* Another kernel, or another program where one was that has ended. */
static void launch_begins(struct fh_init_checker *c) {
    c->warp = NULL;
    for (size_t i = 0; i < c->entry_room; i++)
        c->entries[i] = NULL;
}

static void host_writes(struct fh_init_checker *c, const fhec_event *event) {
    struct fh_bits_region *region = fh_defined_region(&c->shadow, event->host.address);
    const uint64_t offset = region ? event->host.address - region->base : 0;
    if (region && event->host.bytes <= region->size - offset)
        fh_defined_written(region, offset, event->host.bytes);
}

static void allocated(struct fh_init_checker *c, const fhec_event *event) {
    fh_defined_alloc(&c->shadow, event->host.address, event->host.bytes, event->host.name);
    if (event->host.data) /* mapped: the host writes it unseen */
        host_writes(c, event);
}

static void see(void *user, const fhec_event *event) {
    struct fh_init_checker *c = user;
    switch (event->kind) {
    case FHEC_EVENT_ISSUE: issue(c, event); break;
    case FHEC_EVENT_ACCESS: access_memory(c, event); break;
    case FHEC_EVENT_LAUNCH_BEGIN: launch_begins(c); break;
    case FHEC_EVENT_LAUNCH_END:
        c->warp = NULL;
        fh_defined_blocks_end(&c->shadow);
        break;
    case FHEC_EVENT_BLOCK_END:
        c->warp = NULL;
        fh_defined_block_end(&c->shadow, event);
        break;
    case FHEC_EVENT_ALLOC: allocated(c, event); break;
    case FHEC_EVENT_FREE: fh_defined_release(&c->shadow, event->host.address); break;
    case FHEC_EVENT_HOST_WRITE: host_writes(c, event); break;
    case FHEC_EVENT_HOST_READ: fh_init_report_host(c, event); break;
    default: break;
    }
}

static fhec_status end(void *state) {
    struct fh_init_checker *c = state;
    const fhec_status status = c->failed || c->shadow.failed ? FHEC_HOST_ERROR : FHEC_OK;
    if (c->observer)
        (void)fhec_unobserve(c->machine, c->observer);
    fh_defined_free(&c->shadow);
    fh_causes_free(c->origins);
    fh_code_free(c->code);
    free(c->entries);
    free(c);
    return status;
}

/* ---------------------------------------------------------------- beginning and end */

static bool shuffles_among(const fhec_word *words, uint32_t count) {
    char mnemonic[96];
    for (uint32_t i = 0; i < count; i++)
        if (fhec_mnemonic(words[i], mnemonic, sizeof mnemonic) > 0 &&
            strncmp(mnemonic, "SHFL", 4) == 0)
            return true;
    return false;
}

/* Of fh_check_shuffles: kernels without SHFL, and their programs' functions, need no look. */
static bool may_shuffle(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct fh_init_checker *c = user;
    fhec_kernel_info kernel;
    fhec_function_info function;
    (void)word;
    if (pc == 0 || c->looked_at != launch->program || c->looked_kernel != launch->kernel) {
        c->looked_at = launch->program;
        c->looked_kernel = launch->kernel;
        c->has_shuffles = fhec_kernel_get(launch->program, launch->kernel, &kernel) == FHEC_OK &&
                          shuffles_among(kernel.words, kernel.word_count);
        for (size_t i = 0; i < fhec_function_count(launch->program) && !c->has_shuffles; i++)
            c->has_shuffles = fhec_function_get(launch->program, i, &function) == FHEC_OK &&
                              shuffles_among(function.words, function.word_count);
    }
    return c->has_shuffles || c->any;
}

static fhec_status begin_with(fhec_machine *machine, struct fh_findings *findings, bool shuffles,
                              void **state) {
    static const fhec_event_kind wanted[] = {
        FHEC_EVENT_LAUNCH_BEGIN, FHEC_EVENT_LAUNCH_END, FHEC_EVENT_BLOCK_END,
        FHEC_EVENT_ISSUE,        FHEC_EVENT_ACCESS,     FHEC_EVENT_ALLOC,
        FHEC_EVENT_FREE,         FHEC_EVENT_HOST_WRITE, FHEC_EVENT_HOST_READ,
    };
    struct fh_init_checker *c = calloc(1, sizeof *c);
    if (!c)
        return FHEC_HOST_ERROR;
    fhec_observer observer = {
        .user = c, .filter = {.no_access = 1u << FHEC_SPACE_CONSTANT}, .event = see};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        observer.filter.kinds |= FHEC_EVENT_BIT(wanted[i]);
    c->machine = machine;
    c->findings = findings;
    c->shuffles = c->shadow.defined_first = shuffles;
    observer.filter.instruction = shuffles ? may_shuffle : NULL;
    c->code = fh_code_new(sizeof(struct fh_init_plan), fh_init_prepare);
    c->origins = fh_causes_new();
    if (!c->code || !c->origins || fhec_observe(machine, &observer, &c->observer) != FHEC_OK) {
        (void)end(c);
        return FHEC_HOST_ERROR;
    }
    *state = c;
    return FHEC_OK;
}

static fhec_status begin(fhec_machine *machine, struct fh_findings *findings, void **state) {
    return begin_with(machine, findings, false, state);
}

static fhec_status begin_shuffles(fhec_machine *machine, struct fh_findings *findings,
                                  void **state) {
    return begin_with(machine, findings, true, state);
}

const struct fh_checker_row fh_check_init = {begin, end};
const struct fh_checker_row fh_check_shuffles = {begin_shuffles, end};
