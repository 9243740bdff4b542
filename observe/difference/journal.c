/*
 * journal.c - see journal.h: how it is kept. journal_read.c has how it is read.
 */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

#include "journal_data.h"

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

static struct fh_journal_code *site_make(const fhec_event *event, const char *kernel) {
    const fhec_program *program = event->launch->program;
    const uint32_t word = (uint32_t)(event->pc / sizeof event->word);
    fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
    const fhec_location at = fhec_kernel_location(program, event->launch->kernel, word);
    const size_t count = fhec_kernel_expansions(program, event->launch->kernel, word, expansions,
                                                FHEC_MAX_EXPANSIONS);
    char where[600] = "";
    struct fh_journal_code *site = calloc(1, sizeof *site);
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
    h->kernels[h->kernel] = (struct fh_journal_kernel){.name = strdup(info.name),
                                                       .program = event->launch->program,
                                                       .index = event->launch->kernel};
}

/* The number of the site; UINT32_MAX without host memory. */
static uint32_t site_of(struct fh_journal *h, const fhec_event *event) {
    struct fh_journal_kernel *kernel = &h->kernels[h->kernel];
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
    struct fh_journal_code *site = site_make(event, kernel->name);
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
        (warp.warp + 32 * (warp.block[0] + 97 * warp.block[1] + 389 * warp.block[2])) %
        FH_JOURNAL_HASH;
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

static size_t size_of(const struct fh_journal_chunk *chunk) {
    return sizeof *chunk + chunk->bytes.room + chunk->written_room * sizeof *chunk->written;
}

static void chunk_free(struct fh_journal_chunk *chunk) {
    if (!chunk)
        return;
    free(chunk->bytes.bytes);
    free(chunk->written);
    free(chunk);
}

/* Allocations that the chunk's steps stored to: what is there now may be theirs. */
static void note_forgotten(struct fh_journal *h, const struct fh_journal_chunk *chunk) {
    for (size_t r = 0; r < h->allocations.count; r++) {
        struct fh_journal_range *range = &h->allocations.ranges[r];
        for (size_t i = 0; i < chunk->written_count && !range->forgotten; i++) {
            const struct fh_journal_written *w = &chunk->written[i];
            range->forgotten = w->space == FHEC_SPACE_GLOBAL && w->step >= range->before &&
                               w->low < range->address + range->bytes && w->high > range->address;
        }
    }
}

/* The chunk that takes the next step; NULL without host memory. */
static struct fh_journal_chunk *current(struct fh_journal *h) {
    struct fh_journal_chunk *last = h->chunk_count ? h->chunks[h->chunk_count - 1] : NULL;
    if (last && last->count < FH_JOURNAL_CHUNK)
        return last;
    h->used += last ? size_of(last) : 0;
    for (; h->used > h->most && h->oldest + 1 < h->chunk_count; h->oldest++) {
        h->used -= size_of(h->chunks[h->oldest]);
        note_forgotten(h, h->chunks[h->oldest]);
        chunk_free(h->chunks[h->oldest]);
        h->chunks[h->oldest] = NULL;
    }
    struct fh_journal_chunk *chunk = calloc(1, sizeof *chunk);
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
        h->constants[h->constant_count++] = (struct fh_journal_constant){
            (uint32_t)event->number, address - object.offset, object.size, name};
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
    struct fh_journal_written *w = &h->pending[h->pending_count++];
    *w = (struct fh_journal_written){.space = access->space, .low = UINT64_MAX};
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
    struct fh_journal_chunk *chunk = warp != UINT32_MAX ? current(h) : NULL;
    if (chunk) {
        const uint32_t number = (uint32_t)((h->chunk_count - 1) * FH_JOURNAL_CHUNK) + chunk->count;
        chunk->steps[chunk->count++] = (struct fh_journal_step){
            site, warp, event->active, h->newest[warp], chunk->bytes.count};
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

static void on_host(struct fh_journal *h, struct fh_journal_ranges *ranges,
                    const fhec_event *event) {
    char *name = strdup(event->host.name ? event->host.name : "");
    if (!event->host.address || !name ||
        !one_more(h, &ranges->ranges, &ranges->room, ranges->count, sizeof *ranges->ranges)) {
        free(name);
        return;
    }
    ranges->ranges[ranges->count++] = (struct fh_journal_range){
        name, event->host.address, event->host.bytes, fh_journal_count(h), false};
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

static void ranges_free(struct fh_journal_ranges *ranges) {
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
