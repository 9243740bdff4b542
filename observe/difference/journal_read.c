/*
 * journal_read.c - see journal.h: what was kept, step by step and backwards.
 */
#include <string.h>

#include "journal_data.h"

uint32_t fh_journal_count(const struct fh_journal *h) {
    return h->chunk_count ? (uint32_t)((h->chunk_count - 1) * FH_JOURNAL_CHUNK) +
                                h->chunks[h->chunk_count - 1]->count
                          : 0;
}

uint32_t fh_journal_oldest(const struct fh_journal *h) {
    return (uint32_t)(h->oldest * FH_JOURNAL_CHUNK);
}

static const struct fh_journal_step *step_of(const struct fh_journal *h, uint32_t step) {
    return &h->chunks[step / FH_JOURNAL_CHUNK]->steps[step % FH_JOURNAL_CHUNK];
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

size_t fh_journal_site_count(const struct fh_journal *h) {
    return h->site_count;
}

const struct fh_journal_site *fh_journal_site_get(const struct fh_journal *h, size_t index) {
    return &h->sites[index]->of;
}

size_t fh_journal_site_number(const struct fh_journal *h, uint32_t step) {
    return step_of(h, step)->site;
}

size_t fh_journal_warp_number(const struct fh_journal *h, uint32_t step) {
    return step_of(h, step)->warp;
}

size_t fh_journal_warp_count(const struct fh_journal *h) {
    return h->warp_count;
}

const struct fh_journal_warp *fh_journal_warp_get(const struct fh_journal *h, size_t index) {
    return &h->warps[index];
}

uint32_t fh_journal_last_step(const struct fh_journal *h, size_t warp) {
    return h->newest[warp];
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
    return h->chunks[step / FH_JOURNAL_CHUNK]->bytes.bytes + step_of(h, step)->payload;
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
    for (size_t c = (before - 1) / FH_JOURNAL_CHUNK + 1; c-- > h->oldest;) {
        const struct fh_journal_chunk *chunk = h->chunks[c];
        for (size_t i = chunk->written_count; i-- > 0;) {
            const struct fh_journal_written *w = &chunk->written[i];
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

static const struct fh_journal_range *find_range(const struct fh_journal_ranges *ranges,
                                                 uint32_t before, uint64_t address) {
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

const struct fh_journal_range *fh_journal_allocation(const struct fh_journal *h, uint32_t before,
                                                     uint64_t address) {
    return find_range(&h->allocations, before, address);
}

const struct fh_journal_range *fh_journal_named(const struct fh_journal *h, const char *name) {
    for (size_t i = h->allocations.count; i-- > 0;)
        if (!strcmp(h->allocations.ranges[i].name, name))
            return &h->allocations.ranges[i];
    return NULL;
}

const struct fh_journal_range *fh_journal_allocation_get(const struct fh_journal *h, size_t index) {
    return index < h->allocations.count ? &h->allocations.ranges[index] : NULL;
}

const char *fh_journal_constant(const struct fh_journal *h, uint32_t step, uint64_t address,
                                uint64_t *offset) {
    const uint64_t launch = fh_journal_warp(h, step)->launch;
    for (size_t i = h->constant_count; i-- > 0;) {
        const struct fh_journal_constant *c = &h->constants[i];
        if (c->launch == (uint32_t)launch && address - c->address < c->size) {
            *offset = address - c->address;
            return c->name;
        }
    }
    return NULL;
}
