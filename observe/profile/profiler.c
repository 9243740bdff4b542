/*
 * profiler.c - the observer that profiles are made by.
 *
 * What an access asks of memory depends on the distances of its lanes' addresses, and on the first
 * address modulo the width of all banks. Both are the same again and again, so each instruction
 * keeps what it found last with the distances that it found it for.
 */
#include "profiler.h"

#include "footprint.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = FHEC_WARP_LANES, ALIGNMENT = 4 * FH_SHARED_BANKS, LAST = 2 };

/* The last access to a space, and what it asked for. */
struct last_access {
    uint32_t lanes; /* 0: none so far */
    uint32_t bytes;
    fhec_space space;
    uint64_t first;                        /* of the lowest lane, modulo ALIGNMENT */
    uint64_t distance[LANES], mask[LANES]; /* from the lowest lane's; all ones: an active lane */
    struct fh_footprint footprint;
};

/* What is counted of one instruction while it runs. */
struct slot {
    struct fh_profile_counts counts;
    struct fh_profile_worst worst;
    struct last_access last[LAST]; /* of shared memory, and of the other spaces */
};

/* Of a launch, or of a part of its blocks. */
struct part {
    struct fh_profiler *profiler;
    struct fh_profiled_kernel *kernel;
    struct slot *slots; /* kernel->slots + 1 of them */
};

struct fh_profiler {
    struct fh_profiled_code code;
    struct fh_profiled_search search;
    struct part whole; /* of the launch under way */
    fhec_machine *machine;
    unsigned number; /* of the observer */
};

/* ---------------------------------------------------------------- accesses */

static bool is_again(const struct last_access *last, uint32_t lanes, const fhec_access *access) {
    const uint64_t *address = access->address;
    if (last->lanes != lanes || last->bytes != access->bytes || last->space != access->space)
        return false;
    const uint64_t first = address[__builtin_ctz(lanes)];
    uint64_t differ = (first ^ last->first) % ALIGNMENT;
    if (lanes == UINT32_MAX) {
        for (uint32_t l = 0; l < LANES; l++)
            differ |= (address[l] - first) ^ last->distance[l];
        return !differ;
    }
    for (uint32_t l = 0; l < LANES; l++)
        differ |= ((address[l] - first) ^ last->distance[l]) & last->mask[l];
    return !differ;
}

static void find_out(struct last_access *last, uint8_t kind, uint32_t lanes,
                     const fhec_access *access) {
    const uint64_t first = access->address[__builtin_ctz(lanes)];
    last->lanes = lanes;
    last->bytes = access->bytes;
    last->space = access->space;
    last->first = first % ALIGNMENT;
    for (uint32_t l = 0; l < LANES; l++) {
        last->mask[l] = lanes >> l & 1 ? UINT64_MAX : 0;
        last->distance[l] = (access->address[l] - first) & last->mask[l];
    }
    if (access->space == FHEC_SPACE_SHARED)
        fh_footprint_shared((enum fh_shared_kind)kind, lanes, access->address, access->bytes,
                            &last->footprint);
    else if (access->space == FHEC_SPACE_LOCAL)
        fh_footprint_local(lanes, access->address, access->bytes, &last->footprint);
    else
        fh_footprint_global(lanes, access->address, access->bytes, &last->footprint);
}

static void note_worst(struct fh_profile_worst *worst, const struct fh_bank_conflict *found,
                       const fhec_event *event) {
    const uint64_t first = event->access.address[__builtin_ctz(event->lanes)];
    worst->ways = found->ways;
    worst->bank = found->bank;
    worst->count = found->count;
    for (uint32_t i = 0; i < found->count; i++) {
        worst->lane[i] = found->lane[i];
        worst->address[i] = first + (uint64_t)(int32_t)found->first[i];
    }
    memcpy(worst->block, event->block, sizeof worst->block);
    worst->warp = event->warp;
}

static void add_access(struct slot *slot, uint8_t kind, const fhec_event *event) {
    const bool shared = event->access.space == FHEC_SPACE_SHARED;
    struct last_access *last = &slot->last[shared ? 0 : 1];
    struct fh_profile_counts *counts = &slot->counts;
    if (!is_again(last, event->lanes, &event->access))
        find_out(last, kind, event->lanes, &event->access);
    const struct fh_footprint *f = &last->footprint;
    if (shared) {
        counts->shared_requests++;
        counts->passes += f->passes;
        counts->conflicts += f->passes - f->minimum;
        if (f->worst.ways > slot->worst.ways)
            note_worst(&slot->worst, &f->worst, event);
    } else if (event->access.space == FHEC_SPACE_GLOBAL) {
        counts->requests++;
        counts->sectors += f->sectors;
        counts->ideal += f->ideal;
    } else {
        counts->local_requests++;
        counts->local_sectors += f->sectors;
        counts->local_ideal += f->ideal;
    }
}

/* ---------------------------------------------------------------- launches */

/* Asked for all words in order when a launch is made ready. */
static bool wants(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    struct fh_profiler *p = ((struct part *)user)->profiler;
    if (pc == 0)
        fh_profiled_begin(&p->code, &p->search, launch->program, launch->kernel);
    fh_profiled_next(&p->code, &p->search, word);
    const struct fh_profiled_word *w = fh_profiled_last(&p->search);
    return w && w->slot;
}

static void begin_launch(struct fh_profiler *p, const fhec_launch *launch) {
    struct fh_profiled_kernel *k = fh_profiled_end(&p->code, &p->search);
    free(p->whole.slots);
    p->whole.kernel = k;
    p->whole.slots = k ? calloc(k->slots + 1u, sizeof *p->whole.slots) : NULL;
    p->code.failed |= !p->whole.slots;
    if (!k)
        return;
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    k->launches++;
    k->blocks += blocks;
    k->threads += blocks * launch->block[0] * launch->block[1] * launch->block[2];
    memcpy(k->grid, launch->grid, sizeof k->grid);
    memcpy(k->block, launch->block, sizeof k->block);
}

static void end_launch(struct fh_profiler *p, const fhec_event *event) {
    struct fh_profiled_kernel *k = p->whole.kernel;
    if (!k)
        return;
    k->partial |= event->end.status != FHEC_OK;
    for (uint32_t i = 0; i < k->count; i++) {
        struct fh_profiled_word *w = &k->words[i];
        uint64_t warp, thread;
        if (fhec_event_count(event, (uint64_t)i * sizeof(fhec_word), &warp, &thread)) {
            w->counts.warp += warp;
            w->counts.thread += thread;
        }
        if (!w->slot || !p->whole.slots)
            continue;
        const struct slot *slot = &p->whole.slots[w->slot];
        fh_profiled_counts_add(&w->counts, &slot->counts);
        if (slot->worst.ways > w->worst.ways)
            w->worst = slot->worst;
    }
    free(p->whole.slots);
    p->whole.slots = NULL;
    p->whole.kernel = NULL;
}

static void on_event(void *user, const fhec_event *event) {
    struct part *part = user;
    if (event->kind == FHEC_EVENT_LAUNCH_BEGIN) {
        begin_launch(part->profiler, event->launch);
        return;
    }
    if (event->kind == FHEC_EVENT_LAUNCH_END) {
        end_launch(part->profiler, event);
        return;
    }
    if (!part->slots)
        return;
    const struct fh_profiled_word *w = &part->kernel->words[event->pc / sizeof(fhec_word)];
    struct slot *slot = &part->slots[w->slot];
    if (event->kind == FHEC_EVENT_ACCESS) {
        if (event->access.space != FHEC_SPACE_CONSTANT)
            add_access(slot, w->shared, event);
    } else {
        slot->counts.divergences++;
    }
}

/* ---------------------------------------------------------------- several host threads */

static void *fork_part(void *user) {
    const struct part *whole = user;
    struct part *part = calloc(1, sizeof *part);
    if (!part || !whole->slots) {
        free(part);
        return NULL;
    }
    *part = *whole;
    part->slots = calloc(whole->kernel->slots + 1u, sizeof *part->slots);
    if (part->slots)
        return part;
    free(part);
    return NULL;
}

static void drop_part(void *user, void *made) {
    struct part *part = made;
    (void)user;
    free(part->slots);
    free(part);
}

static void join_part(void *user, void *made) {
    const struct part *whole = user, *part = made;
    for (uint32_t i = 1; i <= whole->kernel->slots; i++) {
        struct slot *to = &whole->slots[i];
        const struct slot *from = &part->slots[i];
        fh_profiled_counts_add(&to->counts, &from->counts);
        if (from->worst.ways > to->worst.ways)
            to->worst = from->worst;
    }
    drop_part(user, made);
}

/* ---------------------------------------------------------------- the profiler */

struct fh_profiler *fh_profiler_new(void) {
    struct fh_profiler *p = calloc(1, sizeof *p);
    if (p)
        p->whole.profiler = p;
    return p;
}

void fh_profiler_free(struct fh_profiler *profiler) {
    if (!profiler)
        return;
    fh_profiler_detach(profiler);
    fh_profiled_code_free(&profiler->code);
    free(profiler->whole.slots);
    free(profiler);
}

fhec_status fh_profiler_attach(struct fh_profiler *profiler, fhec_machine *machine) {
    const fhec_observer observer = {
        .user = &profiler->whole,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                            FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) | FHEC_EVENT_BIT(FHEC_EVENT_DIVERGE),
                   .instruction = wants,
                   .addresses_only = true,
                   .counts = true},
        .event = on_event,
        .fork = fork_part,
        .join = join_part,
        .drop = drop_part,
    };
    const fhec_status status = fhec_observe(machine, &observer, &profiler->number);
    if (status == FHEC_OK)
        profiler->machine = machine;
    return status;
}

void fh_profiler_detach(struct fh_profiler *profiler) {
    if (profiler->machine)
        (void)fhec_unobserve(profiler->machine, profiler->number);
    profiler->machine = NULL;
}

void fh_profiler_know(struct fh_profiler *profiler, const fhec_program *program) {
    struct fh_profiled_search search;
    fhec_kernel_info info;
    for (size_t i = 0; fhec_kernel_get(program, i, &info) == FHEC_OK; i++) {
        fh_profiled_begin(&profiler->code, &search, program, i);
        for (uint32_t k = 0; k < info.word_count; k++)
            fh_profiled_next(&profiler->code, &search, info.words[k]);
        (void)fh_profiled_end(&profiler->code, &search);
    }
}

void fh_profiler_merge(struct fh_profiler *profiler, const struct fh_profiled_kernel *from) {
    fh_profiled_merge(&profiler->code, from);
}

void fh_profiler_clear(struct fh_profiler *profiler) {
    fh_profiled_code_free(&profiler->code);
}

const struct fh_profiled_code *fh_profiler_code(const struct fh_profiler *profiler) {
    return &profiler->code;
}
