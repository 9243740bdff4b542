/*
 * uses.c - see uses.h. The last writer of every register of a warp is an entry of an array, that of
 * a word of memory one of a hash table, which keeps one of those that fall on the same place.
 */
#include "uses.h"

#include <stdlib.h>
#include <string.h>

enum { R_COUNT = 256, P_COUNT = 8, UR_COUNT = 64, WORDS = 1 << 20 };

struct warp {
    uint32_t block[3], warp;
    uint32_t r[R_COUNT], p[P_COUNT], ur[UR_COUNT], up[P_COUNT]; /* last writers; 0: none */
};

struct word {
    uint64_t key; /* the address; of shared memory with the block */
    uint32_t writer;
};

struct fh_uses {
    fhec_machine *machine;
    struct fh_uses_ask ask;
    unsigned observer;
    struct warp *warps;
    size_t count, capacity;
    struct word *words;
};

static struct warp *find_warp(struct fh_uses *uses, const fhec_event *event) {
    for (size_t i = uses->count; i-- > 0;)
        if (uses->warps[i].warp == event->warp &&
            memcmp(uses->warps[i].block, event->block, sizeof event->block) == 0)
            return &uses->warps[i];
    return NULL;
}

static void begin_warp(struct fh_uses *uses, const fhec_event *event) {
    if (uses->count == uses->capacity) {
        const size_t capacity = uses->capacity ? 2 * uses->capacity : 64;
        struct warp *larger = realloc(uses->warps, capacity * sizeof *larger);
        if (!larger)
            return; /* what it does is not seen: fewer uses are told */
        uses->warps = larger;
        uses->capacity = capacity;
    }
    struct warp *warp = &uses->warps[uses->count++];
    memset(warp, 0, sizeof *warp);
    memcpy(warp->block, event->block, sizeof warp->block);
    warp->warp = event->warp;
}

static void end_warp(struct fh_uses *uses, const fhec_event *event) {
    struct warp *warp = find_warp(uses, event);
    if (warp)
        *warp = uses->warps[--uses->count];
}

static uint32_t *writers(struct warp *warp, fhec_register_file file, uint32_t *count) {
    switch (file) {
    case FHEC_FILE_R: *count = R_COUNT; return warp->r;
    case FHEC_FILE_P: *count = P_COUNT; return warp->p;
    case FHEC_FILE_UR: *count = UR_COUNT; return warp->ur;
    case FHEC_FILE_UP: *count = P_COUNT; return warp->up;
    default: *count = 0; return NULL;
    }
}

static void registers(struct fh_uses *uses, const fhec_event *event, uint32_t here, bool write) {
    struct warp *warp = find_warp(uses, event);
    fhec_values values;
    for (size_t i = 0; warp && fhec_event_registers(event, i, &values); i++) {
        uint32_t most;
        uint32_t *last = writers(warp, values.file, &most);
        for (uint32_t r = values.first; r < values.first + values.count && r < most; r++) {
            if (write)
                last[r] = here;
            else if (last[r] && here)
                uses->ask.used(uses->ask.user, last[r], here);
        }
    }
}

static struct word *word_at(struct fh_uses *uses, uint64_t key) {
    const uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    return &uses->words[mixed >> 44];
}

static void memory(struct fh_uses *uses, const fhec_event *event, uint32_t here) {
    const fhec_access *access = &event->access;
    uint64_t room = 0;
    if (access->space == FHEC_SPACE_SHARED)
        room = (UINT64_C(1) << 62) |
               (((uint64_t)event->block[2] * 4096 + event->block[1]) * 4096 + event->block[0])
                   << 20;
    else if (access->space != FHEC_SPACE_GLOBAL)
        return;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        if (!(event->active >> lane & 1))
            continue;
        for (uint32_t b = 0; b < access->bytes; b += 4) {
            const uint64_t key = (room + access->address[lane] + b) >> 2;
            struct word *word = word_at(uses, key);
            if ((access->access & FHEC_ACCESS_READ) && word->key == key && word->writer && here)
                uses->ask.used(uses->ask.user, word->writer, here);
            if (access->access & FHEC_ACCESS_WRITE)
                *word = (struct word){key, here};
        }
    }
}

static void on_event(void *user, const fhec_event *event) {
    struct fh_uses *uses = user;
    if (event->kind == FHEC_EVENT_LAUNCH_END) {
        uses->count = 0;
        uses->ask.ended(uses->ask.user, event->end.instructions);
        return;
    }
    if (event->kind == FHEC_EVENT_WARP_BEGIN || event->kind == FHEC_EVENT_WARP_END) {
        if (event->kind == FHEC_EVENT_WARP_BEGIN)
            begin_warp(uses, event);
        else
            end_warp(uses, event);
        return;
    }
    const uint32_t here = uses->ask.number(uses->ask.user, event->launch, event->pc);
    if (event->kind == FHEC_EVENT_ISSUE && here)
        uses->ask.ran(uses->ask.user, here);
    if (event->kind == FHEC_EVENT_ACCESS)
        memory(uses, event, here);
    else
        registers(uses, event, here, event->kind == FHEC_EVENT_RETIRE);
}

fhec_status fh_uses_begin(fhec_machine *machine, const struct fh_uses_ask *ask,
                          struct fh_uses **uses) {
    struct fh_uses *u = calloc(1, sizeof *u);
    *uses = NULL;
    if (u)
        u->words = calloc(WORDS, sizeof *u->words);
    if (!u || !u->words) {
        free(u);
        return FHEC_HOST_ERROR;
    }
    u->machine = machine;
    u->ask = *ask;
    const fhec_observer observer = {
        .user = u,
        .event = on_event,
        .filter.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END) |
                        FHEC_EVENT_BIT(FHEC_EVENT_WARP_BEGIN) |
                        FHEC_EVENT_BIT(FHEC_EVENT_WARP_END) | FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) |
                        FHEC_EVENT_BIT(FHEC_EVENT_RETIRE) | FHEC_EVENT_BIT(FHEC_EVENT_ACCESS)};
    fhec_status status = fhec_observe(machine, &observer, &u->observer);
    if (status != FHEC_OK) {
        fh_uses_end(u);
        return status;
    }
    *uses = u;
    return FHEC_OK;
}

void fh_uses_end(struct fh_uses *uses) {
    if (!uses)
        return;
    if (uses->observer)
        (void)fhec_unobserve(uses->machine, uses->observer);
    free(uses->warps);
    free(uses->words);
    free(uses);
}
