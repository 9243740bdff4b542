/*
 * journal.c - see journal.h.
 */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

#include "journal_rows.h"

enum { CHUNK_STEPS = 1 << 14, HASH_ROOM = 1 << 12 };

struct step {
    uint32_t site, warp, active, previous;
    size_t payload; /* in the chunk's bytes: registers, then accesses */
};

/* A step that wrote memory: where at most. */
struct written {
    uint32_t step;
    fhec_space space;
    uint64_t low, high;
};

struct chunk {
    struct step steps[CHUNK_STEPS];
    uint32_t count;
    struct fh_journal_bytes bytes;
    struct written *written;
    size_t written_count, written_room;
};

/* The sites of a kernel by pc / 16; a kernel of another program may have the same name. */
struct kernel {
    char *name;
    const fhec_program *program;
    size_t index;
    uint64_t launch; /* the last one of it */
    uint32_t *sites; /* number + 1 */
    size_t site_room;
};

struct site {
    struct fh_journal_site of;
    fhec_word word;
};

struct constant {
    uint32_t launch;
    uint64_t address, size;
    char *name;
};

struct ranges {
    struct fh_journal_range *ranges;
    size_t count, room;
};

struct fh_journal {
    fhec_machine *machine;
    unsigned observer;
    size_t most, used;
    struct chunk **chunks; /* NULL: forgotten */
    size_t chunk_count, chunk_room, oldest;
    struct site **sites;
    size_t site_count, site_room;
    struct kernel *kernels;
    size_t kernel_count, kernel_room;
    size_t kernel; /* of the launch under way */
    struct fh_journal_warp *warps;
    uint32_t *newest; /* step of each warp */
    size_t warp_count, warp_room, newest_room;
    uint32_t resident[HASH_ROOM]; /* warp + 1 of a launch by block and warp */
    struct ranges writes, allocations;
    struct constant *constants;
    size_t constant_count, constant_room;
    struct fh_journal_bytes accesses; /* of the instruction that is under way */
    uint32_t access_count;
    struct written pending[8];
    uint32_t pending_count;
    bool failed;
};

/* Room for one more element of *array; false without host memory, which is noted. */
static bool one_more(struct fh_journal *h, void *array, size_t *room, size_t count, size_t size) {
    void **at = array;
    if (count < *room)
        return true;
    void *more = realloc(*at, (2 * *room + 16) * size);
    if (!more) {
        h->failed = true;
        return false;
    }
    *at = more;
    *room = 2 * *room + 16;
    return true;
}

/* ---------------------------------------------------------------- sites and warps */

static struct site *site_make(const fhec_event *event, const char *kernel) {
    const fhec_program *program = event->launch->program;
    const uint32_t word = (uint32_t)(event->pc / sizeof event->word);
    fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
    const fhec_location at = fhec_kernel_location(program, event->launch->kernel, word);
    const size_t count = fhec_kernel_expansions(program, event->launch->kernel, word, expansions,
                                                FHEC_MAX_EXPANSIONS);
    char where[600] = "";
    struct site *site = calloc(1, sizeof *site);
    if (!site)
        return NULL;
    (void)fhec_format_location(&at, expansions, count, where, sizeof where);
    (void)fhec_instruction_get(event->word, event->pc, &site->of.instruction);
    site->word = event->word;
    site->of.kernel = kernel;
    site->of.where = strdup(where);
    site->of.file = strdup(at.file ? at.file : "");
    site->of.line = at.line;
    return site;
}

static void on_launch(struct fh_journal *h, const fhec_event *event) {
    fhec_kernel_info info;
    size_t i = h->kernel_count;
    if (fhec_kernel_get(event->launch->program, event->launch->kernel, &info) != FHEC_OK)
        return;
    memset(h->resident, 0, sizeof h->resident);
    while (i-- > 0)
        if (h->kernels[i].program == event->launch->program &&
            h->kernels[i].index == event->launch->kernel && !strcmp(h->kernels[i].name, info.name))
            break;
    if (i < h->kernel_count) {
        h->kernel = i;
        return;
    }
    if (!one_more(h, &h->kernels, &h->kernel_room, h->kernel_count, sizeof *h->kernels))
        return;
    h->kernel = h->kernel_count++;
    h->kernels[h->kernel] = (struct kernel){.name = strdup(info.name),
                                            .program = event->launch->program,
                                            .index = event->launch->kernel};
}

/* The number of the site; UINT32_MAX without host memory. */
static uint32_t site_of(struct fh_journal *h, const fhec_event *event) {
    struct kernel *kernel = &h->kernels[h->kernel];
    const size_t at = event->pc / sizeof event->word;
    while (at >= kernel->site_room) {
        const size_t old = kernel->site_room;
        if (!one_more(h, &kernel->sites, &kernel->site_room, old, sizeof *kernel->sites))
            return UINT32_MAX;
        memset(kernel->sites + old, 0, (kernel->site_room - old) * sizeof *kernel->sites);
    }
    const uint32_t known = kernel->sites[at];
    if (known && !memcmp(&h->sites[known - 1]->word, &event->word, sizeof event->word))
        return known - 1;
    struct site *site = site_make(event, kernel->name);
    if (!site || !site->of.where || !site->of.file ||
        !one_more(h, &h->sites, &h->site_room, h->site_count, sizeof *h->sites)) {
        if (site) {
            free(site->of.where);
            free(site->of.file);
        }
        free(site);
        h->failed = true;
        return UINT32_MAX;
    }
    h->sites[h->site_count++] = site;
    return (kernel->sites[at] = (uint32_t)h->site_count) - 1;
}

/* The number of the event's warp in its launch; UINT32_MAX without host memory. What the table
 * loses to another warp with the same hash is found by going through the newest warps. */
static uint32_t warp_of(struct fh_journal *h, const fhec_event *event) {
    const struct fh_journal_warp warp = {
        event->number, {event->block[0], event->block[1], event->block[2]}, event->warp};
    const uint32_t hash =
        (warp.warp + 32 * (warp.block[0] + 97 * warp.block[1] + 389 * warp.block[2])) % HASH_ROOM;
    if (h->resident[hash] && !memcmp(&h->warps[h->resident[hash] - 1], &warp, sizeof warp))
        return h->resident[hash] - 1;
    for (size_t i = h->warp_count; i-- > 0 && h->warps[i].launch == warp.launch;)
        if (!memcmp(&h->warps[i], &warp, sizeof warp))
            return (h->resident[hash] = (uint32_t)i + 1) - 1;
    if (!one_more(h, &h->warps, &h->warp_room, h->warp_count, sizeof *h->warps) ||
        !one_more(h, &h->newest, &h->newest_room, h->warp_count, sizeof *h->newest))
        return UINT32_MAX;
    memset(&h->warps[h->warp_count], 0, sizeof *h->warps);
    h->warps[h->warp_count] = warp;
    h->newest[h->warp_count++] = FH_NO_STEP;
    return (h->resident[hash] = (uint32_t)h->warp_count) - 1;
}

/* ---------------------------------------------------------------- keeping */

static size_t size_of(const struct chunk *chunk) {
    return sizeof *chunk + chunk->bytes.room + chunk->written_room * sizeof *chunk->written;
}

static void chunk_free(struct chunk *chunk) {
    if (!chunk)
        return;
    free(chunk->bytes.bytes);
    free(chunk->written);
    free(chunk);
}

/* The chunk that takes the next step; NULL without host memory. */
static struct chunk *current(struct fh_journal *h) {
    struct chunk *last = h->chunk_count ? h->chunks[h->chunk_count - 1] : NULL;
    if (last && last->count < CHUNK_STEPS)
        return last;
    h->used += last ? size_of(last) : 0;
    for (; h->used > h->most && h->oldest + 1 < h->chunk_count; h->oldest++) {
        h->used -= size_of(h->chunks[h->oldest]);
        chunk_free(h->chunks[h->oldest]);
        h->chunks[h->oldest] = NULL;
    }
    struct chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk || !one_more(h, &h->chunks, &h->chunk_room, h->chunk_count, sizeof *h->chunks)) {
        free(chunk);
        h->failed = true;
        return NULL;
    }
    return h->chunks[h->chunk_count++] = chunk;
}

static void note_constant(struct fh_journal *h, const fhec_event *event, uint32_t lane) {
    const uint64_t address = event->access.address[lane];
    fhec_object object;
    if (!fhec_event_object(event, lane, &object))
        return;
    for (size_t i = h->constant_count; i-- > 0;)
        if (h->constants[i].address == address - object.offset &&
            h->constants[i].launch == (uint32_t)event->number)
            return;
    char *name = strdup(object.name);
    if (name &&
        one_more(h, &h->constants, &h->constant_room, h->constant_count, sizeof *h->constants))
        h->constants[h->constant_count++] =
            (struct constant){(uint32_t)event->number, address - object.offset, object.size, name};
    else
        free(name);
}

static void on_access(struct fh_journal *h, const fhec_event *event) {
    const fhec_access *access = &event->access;
    const uint32_t lanes = event->lanes;
    struct fh_journal_bytes *to = &h->accesses;
    if (!lanes)
        return;
    fh_journal_put(to, access->space, 1);
    fh_journal_put(to, access->access, 1);
    fh_journal_put(to, access->bytes, 1);
    fh_journal_put(to, access->bank, 1);
    fh_journal_put(to, lanes, 4);
    fh_journal_put_addresses(to, access->address, lanes);
    h->access_count++;
    if (access->space == FHEC_SPACE_CONSTANT)
        note_constant(h, event, (uint32_t)__builtin_ctz(lanes));
    if (!(access->access & FHEC_ACCESS_WRITE) || h->pending_count == 8)
        return;
    struct written *w = &h->pending[h->pending_count++];
    *w = (struct written){.space = access->space, .low = UINT64_MAX};
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const uint64_t at = access->address[lane];
        if (!(lanes & 1U << lane))
            continue;
        w->low = at < w->low ? at : w->low;
        w->high = at + access->bytes > w->high ? at + access->bytes : w->high;
    }
}

static void put_registers(struct fh_journal_bytes *to, const fhec_event *event) {
    const size_t count_at = to->count;
    fhec_values values;
    uint8_t runs = 0;
    fh_journal_put(to, 0, 1);
    for (size_t i = 0; fhec_event_registers(event, i, &values); i++) {
        const uint32_t per_register = values.file == FHEC_FILE_R ? FHEC_WARP_LANES : 1;
        fh_journal_put(to, values.file, 1);
        fh_journal_put(to, values.first, 1);
        fh_journal_put(to, values.count, 1);
        for (uint32_t k = 0; k < values.count; k++) {
            const uint32_t *row = values.values + (size_t)per_register * k;
            if (values.file == FHEC_FILE_R)
                fh_journal_put_row(to, row, event->active);
            else
                fh_journal_put(to, *row, 4);
        }
        runs++;
    }
    if (!to->failed)
        to->bytes[count_at] = runs;
}

static void on_retire(struct fh_journal *h, const fhec_event *event) {
    const uint32_t site = h->kernel_count ? site_of(h, event) : UINT32_MAX;
    const uint32_t warp = site != UINT32_MAX ? warp_of(h, event) : UINT32_MAX;
    struct chunk *chunk = warp != UINT32_MAX ? current(h) : NULL;
    if (chunk) {
        const uint32_t number = (uint32_t)((h->chunk_count - 1) * CHUNK_STEPS) + chunk->count;
        chunk->steps[chunk->count++] =
            (struct step){site, warp, event->active, h->newest[warp], chunk->bytes.count};
        h->newest[warp] = number;
        put_registers(&chunk->bytes, event);
        fh_journal_put(&chunk->bytes, h->access_count, 1);
        for (size_t i = 0; i < h->accesses.count; i++)
            fh_journal_put(&chunk->bytes, h->accesses.bytes[i], 1);
        for (uint32_t i = 0; i < h->pending_count; i++) {
            h->pending[i].step = number;
            if (one_more(h, &chunk->written, &chunk->written_room, chunk->written_count,
                         sizeof *chunk->written))
                chunk->written[chunk->written_count++] = h->pending[i];
        }
        h->failed |= chunk->bytes.failed | h->accesses.failed;
    }
    h->accesses.count = h->access_count = h->pending_count = 0;
}

static void on_host(struct fh_journal *h, struct ranges *ranges, const fhec_event *event) {
    char *name = strdup(event->host.name ? event->host.name : "");
    if (!event->host.address || !name ||
        !one_more(h, &ranges->ranges, &ranges->room, ranges->count, sizeof *ranges->ranges)) {
        free(name);
        return;
    }
    ranges->ranges[ranges->count++] = (struct fh_journal_range){
        name, event->host.address, event->host.bytes, fh_journal_count(h)};
}

static void on_event(void *user, const fhec_event *event) {
    struct fh_journal *h = user;
    switch (event->kind) {
    case FHEC_EVENT_LAUNCH_BEGIN: on_launch(h, event); break;
    case FHEC_EVENT_ACCESS: on_access(h, event); break;
    case FHEC_EVENT_RETIRE: on_retire(h, event); break;
    case FHEC_EVENT_HOST_WRITE: on_host(h, &h->writes, event); break;
    case FHEC_EVENT_ALLOC: on_host(h, &h->allocations, event); break;
    default: break;
    }
}

fhec_status fh_journal_begin(fhec_machine *machine, size_t most_bytes,
                             struct fh_journal **journal) {
    struct fh_journal *h = calloc(1, sizeof *h);
    const fhec_observer observer = {
        .user = h,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_BEGIN) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ACCESS) | FHEC_EVENT_BIT(FHEC_EVENT_RETIRE) |
                            FHEC_EVENT_BIT(FHEC_EVENT_HOST_WRITE) |
                            FHEC_EVENT_BIT(FHEC_EVENT_ALLOC)},
        .event = on_event,
    };
    *journal = NULL;
    if (!h)
        return FHEC_HOST_ERROR;
    h->machine = machine;
    h->most = most_bytes;
    fhec_status status = fhec_observe(machine, &observer, &h->observer);
    if (status == FHEC_OK)
        *journal = h;
    else
        free(h);
    return status;
}

void fh_journal_stop(struct fh_journal *h) {
    if (h->machine)
        (void)fhec_unobserve(h->machine, h->observer);
    h->machine = NULL;
}

static void ranges_free(struct ranges *ranges) {
    for (size_t i = 0; i < ranges->count; i++)
        free((char *)ranges->ranges[i].name);
    free(ranges->ranges);
}

void fh_journal_free(struct fh_journal *h) {
    if (!h)
        return;
    fh_journal_stop(h);
    for (size_t i = 0; i < h->chunk_count; i++)
        chunk_free(h->chunks[i]);
    for (size_t i = 0; i < h->site_count; i++) {
        free(h->sites[i]->of.where);
        free(h->sites[i]->of.file);
        free(h->sites[i]);
    }
    for (size_t i = 0; i < h->kernel_count; i++) {
        free(h->kernels[i].name);
        free(h->kernels[i].sites);
    }
    for (size_t i = 0; i < h->constant_count; i++)
        free(h->constants[i].name);
    ranges_free(&h->writes);
    ranges_free(&h->allocations);
    free(h->constants);
    free(h->accesses.bytes);
    free(h->chunks);
    free(h->sites);
    free(h->kernels);
    free(h->warps);
    free(h->newest);
    free(h);
}

bool fh_journal_complete(const struct fh_journal *h) {
    return !h->failed;
}

/* ---------------------------------------------------------------- looking */

uint32_t fh_journal_count(const struct fh_journal *h) {
    return h->chunk_count ? (uint32_t)((h->chunk_count - 1) * CHUNK_STEPS) +
                                h->chunks[h->chunk_count - 1]->count
                          : 0;
}

uint32_t fh_journal_oldest(const struct fh_journal *h) {
    return (uint32_t)(h->oldest * CHUNK_STEPS);
}

static const struct step *step_of(const struct fh_journal *h, uint32_t step) {
    return &h->chunks[step / CHUNK_STEPS]->steps[step % CHUNK_STEPS];
}

const struct fh_journal_site *fh_journal_site(const struct fh_journal *h, uint32_t step) {
    return &h->sites[step_of(h, step)->site]->of;
}

const struct fh_journal_warp *fh_journal_warp(const struct fh_journal *h, uint32_t step) {
    return &h->warps[step_of(h, step)->warp];
}

uint32_t fh_journal_active(const struct fh_journal *h, uint32_t step) {
    return step_of(h, step)->active;
}

uint32_t fh_journal_previous(const struct fh_journal *h, uint32_t step) {
    return step_of(h, step)->previous;
}

/* Goes along the registers of a step; *value is that of the one that is looked for, if it is there.
 * Behind the call *at stands at the accesses. */
static bool find_register(const uint8_t **at, fhec_register_file file, uint32_t reg, uint32_t lane,
                          uint32_t *value) {
    bool found = false;
    for (uint64_t runs = fh_journal_take(at, 1); runs; runs--) {
        const uint64_t of = fh_journal_take(at, 1), first = fh_journal_take(at, 1);
        const uint64_t count = fh_journal_take(at, 1);
        for (uint64_t k = 0; k < count; k++) {
            const uint32_t got = of == FHEC_FILE_R ? fh_journal_take_lane(at, lane)
                                                   : (uint32_t)fh_journal_take(at, 4);
            if (of != file || first + k != reg)
                continue;
            found = true;
            *value = file == FHEC_FILE_P ? got >> lane & 1 : got;
        }
    }
    return found;
}

static const uint8_t *payload_of(const struct fh_journal *h, uint32_t step) {
    return h->chunks[step / CHUNK_STEPS]->bytes.bytes + step_of(h, step)->payload;
}

bool fh_journal_value(const struct fh_journal *h, uint32_t step, fhec_register_file file,
                      uint32_t reg, uint32_t lane, uint32_t *value) {
    const uint8_t *at = payload_of(h, step);
    const bool has_lanes = file == FHEC_FILE_R || file == FHEC_FILE_P;
    if (has_lanes && !(step_of(h, step)->active & 1U << lane))
        return false;
    return find_register(&at, file, reg, lane, value);
}

bool fh_journal_access(const struct fh_journal *h, uint32_t step, size_t index,
                       struct fh_journal_access *access) {
    const uint8_t *at = payload_of(h, step);
    uint32_t value;
    (void)find_register(&at, FHEC_FILE_B, 0, 0, &value);
    const uint64_t count = fh_journal_take(&at, 1);
    for (size_t i = 0; i < count && i <= index; i++) {
        access->space = (fhec_space)fh_journal_take(&at, 1);
        access->access = (unsigned)fh_journal_take(&at, 1);
        access->bytes = (uint32_t)fh_journal_take(&at, 1);
        access->bank = (uint32_t)fh_journal_take(&at, 1);
        access->lanes = (uint32_t)fh_journal_take(&at, 4);
        fh_journal_take_addresses(&at, access->address);
    }
    return index < count;
}

static bool may_write(const struct fh_journal_site *site, fhec_register_file file, uint32_t reg) {
    for (uint32_t i = 0; i < site->instruction.use_count; i++) {
        const fhec_use *use = &site->instruction.uses[i];
        if (use->written && use->file == file && reg >= use->first &&
            reg < (uint32_t)use->first + use->count)
            return true;
    }
    return false;
}

uint32_t fh_journal_writer(const struct fh_journal *h, uint32_t before, fhec_register_file file,
                           uint32_t reg, uint32_t lane, bool *forgotten) {
    const uint32_t oldest = fh_journal_oldest(h);
    uint32_t step = fh_journal_previous(h, before), value;
    *forgotten = false;
    for (; step != FH_NO_STEP; step = fh_journal_previous(h, step)) {
        if (step < oldest) {
            *forgotten = true;
            return FH_NO_STEP;
        }
        if (may_write(fh_journal_site(h, step), file, reg) &&
            fh_journal_value(h, step, file, reg, lane, &value))
            return step;
    }
    return FH_NO_STEP;
}

static bool same_block(const struct fh_journal_warp *a, const struct fh_journal_warp *b) {
    return a->launch == b->launch && !memcmp(a->block, b->block, sizeof a->block);
}

/* Whether the step wrote one of the bytes: which lane, the last one that did. */
static bool wrote(const struct fh_journal *h, uint32_t step, fhec_space space, uint32_t lane,
                  uint64_t address, uint64_t bytes, struct fh_journal_access *access,
                  uint32_t *by_lane) {
    for (size_t i = 0; fh_journal_access(h, step, i, access); i++)
        for (uint32_t l = FHEC_WARP_LANES; l-- > 0;) {
            const uint64_t at = access->address[l];
            if (access->space != space || !(access->access & FHEC_ACCESS_WRITE) ||
                !(access->lanes & 1U << l) || at >= address + bytes ||
                at + access->bytes <= address || (space == FHEC_SPACE_LOCAL && l != lane))
                continue;
            *by_lane = l;
            return true;
        }
    return false;
}

uint32_t fh_journal_storer(const struct fh_journal *h, uint32_t before, fhec_space space,
                           const struct fh_journal_warp *warp, uint32_t lane, uint64_t address,
                           uint64_t bytes, struct fh_journal_access *access, uint32_t *by_lane) {
    if (!before || !h->chunk_count)
        return FH_NO_STEP;
    for (size_t c = (before - 1) / CHUNK_STEPS + 1; c-- > h->oldest;) {
        const struct chunk *chunk = h->chunks[c];
        for (size_t i = chunk->written_count; i-- > 0;) {
            const struct written *w = &chunk->written[i];
            if (w->step >= before || w->space != space || w->low >= address + bytes ||
                w->high <= address)
                continue;
            const struct fh_journal_warp *by = fh_journal_warp(h, w->step);
            if ((space == FHEC_SPACE_SHARED && !same_block(by, warp)) ||
                (space == FHEC_SPACE_LOCAL && memcmp(by, warp, sizeof *by) != 0))
                continue;
            if (wrote(h, w->step, space, lane, address, bytes, access, by_lane))
                return w->step;
        }
    }
    return FH_NO_STEP;
}

static const struct fh_journal_range *find_range(const struct ranges *ranges, uint32_t before,
                                                 uint64_t address) {
    for (size_t i = ranges->count; i-- > 0;) {
        const struct fh_journal_range *range = &ranges->ranges[i];
        if (range->before <= before && address >= range->address &&
            address - range->address < range->bytes)
            return range;
    }
    return NULL;
}

const struct fh_journal_range *fh_journal_host_write(const struct fh_journal *h, uint32_t before,
                                                     uint64_t address) {
    return find_range(&h->writes, before, address);
}

const struct fh_journal_range *fh_journal_allocation(const struct fh_journal *h, uint64_t address) {
    return find_range(&h->allocations, UINT32_MAX, address);
}

const char *fh_journal_constant(const struct fh_journal *h, uint32_t step, uint64_t address,
                                uint64_t *offset) {
    const uint64_t launch = fh_journal_warp(h, step)->launch;
    for (size_t i = h->constant_count; i-- > 0;) {
        const struct constant *c = &h->constants[i];
        if (c->launch == (uint32_t)launch && address - c->address < c->size) {
            *offset = address - c->address;
            return c->name;
        }
    }
    return NULL;
}
