/*
 * init_access.c - undefined bits to and from memory: loads, stores, atomic operations, asynchronous
 * copies, byte by byte as they lie there.
 */
#include <stdio.h>
#include <string.h>

#include "init_checker.h"

enum { LANES = FHEC_WARP_LANES, WIDEST = 16 };

/* Lanes of an access that go to one region. */
struct part {
    struct fh_bits_region *region;
    uint32_t lanes;
    uint64_t at[LANES]; /* offset in the region */
};

/* ---------------------------------------------------------------- finding the bytes */

static struct fh_bits_region *global_region(struct fh_init_checker *c, uint64_t address) {
    return fh_defined_region(&c->shadow, address);
}

/* Local memory: that of all lanes is one region. */
static struct fh_bits_region *local_region(struct fh_init_checker *c, const fhec_access *access,
                                           uint32_t lanes) {
    uint64_t end = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint64_t last = access->address[__builtin_ctz(rest)] + access->bytes;
        end = last > end ? last : end;
    }
    return fh_defined_local(&c->shadow, c->warp, end) ? &c->warp->local : NULL;
}

/* Takes from *lanes those that go to the region of the lowest one. False: none of them goes to
 * memory that is known; what they find there counts as defined. */
static bool next_part(struct fh_init_checker *c, const fhec_event *event, uint32_t *lanes,
                      struct part *part) {
    const fhec_access *access = &event->access;
    while (*lanes) {
        const uint64_t first = access->address[__builtin_ctz(*lanes)];
        struct fh_bits_region *region = NULL;
        uint64_t stride = 0;
        if (access->space == FHEC_SPACE_GLOBAL) {
            region = global_region(c, first);
        } else if (access->space == FHEC_SPACE_SHARED) {
            region = &c->block->shared;
        } else if (access->space == FHEC_SPACE_LOCAL) {
            region = local_region(c, access, *lanes);
            stride = c->warp->local_bytes;
        }
        part->region = region;
        part->lanes = 0;
        for (uint32_t l = 0; region && l < LANES; l++) {
            const uint64_t offset = access->address[l] + l * stride - region->base;
            part->at[l] = offset;
            part->lanes |=
                (uint32_t)(offset < region->size && access->bytes <= region->size - offset) << l;
        }
        part->lanes &= *lanes;
        *lanes &= ~(part->lanes | (*lanes & -*lanes));
        if (part->lanes)
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- bytes that are all defined */

static uint64_t load8(const uint8_t *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

static uint32_t load4(const uint8_t *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

/* Lanes that find an undefined bit. */
static uint32_t undefined_lanes(const struct part *part, uint32_t bytes) {
    const uint8_t *const defined = part->region->defined;
    uint32_t undefined = 0;
    if (part->region->whole)
        return 0;
    for (uint32_t rest = part->lanes; rest; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        const uint8_t *from = defined + part->at[l];
        bool fine;
        if (bytes == 4) {
            fine = load4(from) == UINT32_MAX;
        } else if (bytes == 8 || bytes == 16) {
            fine = (load8(from) & load8(from + bytes - 8)) == UINT64_MAX;
        } else {
            fine = true;
            for (uint32_t i = 0; i < bytes; i++)
                fine &= from[i] == 0xff;
        }
        undefined |= (uint32_t)!fine << l;
    }
    return undefined;
}

static void define(const struct part *part, uint32_t bytes) {
    uint8_t *const defined = part->region->defined;
    if (part->region->whole)
        return;
    for (uint32_t rest = part->lanes; rest; rest &= rest - 1) {
        uint8_t *to = defined + part->at[__builtin_ctz(rest)];
        switch (bytes) {
        case 4: memset(to, 0xff, 4); break;
        case 8: memset(to, 0xff, 8); break;
        case 16: memset(to, 0xff, 16); break;
        default: memset(to, 0xff, bytes); break;
        }
    }
}

/* ---------------------------------------------------------------- loads */

/* Whether a lane that loads the byte at `offset` loads something defined from its word, too. */
static bool has_neighbours(const struct part *part, fhec_space space, uint32_t lane, uint32_t bytes,
                           uint64_t offset) {
    const uint64_t width = fh_neighbours(space), first = offset & ~(width - 1);
    for (uint64_t i = first; i < first + width && i < part->at[lane] + bytes; i++)
        if (i >= part->at[lane] && part->region->defined[i] == 0xff)
            return true;
    return false;
}

/* Where the undefined bits that a lane finds came from. */
static uint32_t origin_at(struct fh_init_checker *c, const fhec_event *event,
                          const struct part *part, uint32_t lane) {
    const uint32_t bytes = event->access.bytes;
    uint64_t offset = part->at[lane];
    for (uint32_t i = 0; i + 1 < bytes && part->region->defined[offset] == 0xff; i++)
        offset++;
    const uint32_t stored = fh_bits_region_origin(part->region, offset);
    if (stored)
        return stored;
    fhec_object object = {0};
    struct fh_cause made = {.kind = FH_CAUSE_MEMORY,
                            .space = event->access.space,
                            .address = event->access.address[lane] + (offset - part->at[lane]),
                            .beside =
                                has_neighbours(part, event->access.space, lane, bytes, offset),
                            .place = fh_place_of(event)};
    if (fhec_event_object(event, lane, &object)) {
        snprintf(made.name, sizeof made.name, "%s", object.name);
        made.offset = object.offset + (offset - part->at[lane]);
    }
    return fh_init_cause(c, &made);
}

/* Undefined bits of up to 16 bytes as they lie in memory. */
static void undefined_bytes(const struct part *part, uint32_t lane, uint32_t bytes,
                            uint8_t to[WIDEST]) {
    memset(to, 0, WIDEST);
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)~part->region->defined[part->at[lane] + i];
}

/* The result has been taken as defined when the load was issued, or as undefined where its
 * predicate is. */
static void load(struct fh_init_checker *c, const fhec_event *event,
                 const struct fh_init_plan *plan) {
    const uint32_t bytes = event->access.bytes;
    uint32_t lanes = event->lanes;
    struct part part;
    while (next_part(c, event, &lanes, &part)) {
        for (uint32_t rest = undefined_lanes(&part, bytes); rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            const uint32_t origin = origin_at(c, event, &part, lane);
            uint8_t found[WIDEST];
            undefined_bytes(&part, lane, bytes, found);
            for (uint32_t i = 0; i < plan->to_count && plan->to != FH_ROW_NONE; i++) {
                uint32_t word = load4(found + 4 * i);
                if (bytes < 4 && plan->is_signed && word >> (8 * bytes - 1) & 1)
                    word |= UINT32_MAX << 8 * bytes;
                if (c->warp->lanes[plan->to + i] >> lane & 1)
                    word |= c->warp->bits[plan->to + i][lane];
                fh_init_put_lane(c->warp, plan->to + i, lane, word, origin);
            }
        }
    }
}

/* Rows of eight 8x8 matrices: lane l's registers are of row l / 4 of each, or of column l / 4. */
static void load_matrix(struct fh_init_checker *c, const fhec_event *event,
                        const struct fh_init_plan *plan) {
    uint8_t rows[LANES][WIDEST] = {{0}};
    uint32_t lanes = event->lanes, undefined = 0, origin = 0;
    struct part part;
    while (next_part(c, event, &lanes, &part)) {
        for (uint32_t rest = undefined_lanes(&part, WIDEST); rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            undefined_bytes(&part, lane, WIDEST, rows[lane]);
            origin = origin_at(c, event, &part, lane);
            undefined |= 1u << lane;
        }
    }
    for (uint32_t m = 0; undefined && plan->to != FH_ROW_NONE && m < plan->number; m++) {
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t word = load4(rows[8 * m + l / 4] + 4 * (l % 4));
            for (uint32_t i = 0; plan->transposed && i < 2; i++) {
                const uint8_t *from = rows[8 * m + 2 * (l % 4) + i] + 2 * (l / 4);
                const uint32_t half = (uint32_t)from[0] | (uint32_t)from[1] << 8;
                word = i ? (word & 0xffff) | half << 16 : half;
            }
            if (word)
                fh_init_put_lane(c->warp, plan->to + m, l, word, origin);
        }
    }
}

/* ---------------------------------------------------------------- stores */

/* The origin of undefined bits that this instruction stores. */
static uint32_t stored_origin(struct fh_init_checker *c, const fhec_event *event, uint32_t parent) {
    const struct fh_cause made = {
        .kind = FH_CAUSE_STORE, .parent = parent, .place = fh_place_of(event)};
    return fh_init_cause(c, &made);
}

static void put_bytes(struct fh_init_checker *c, const struct part *part, uint32_t lane,
                      uint32_t bytes, const uint8_t undefined[WIDEST], uint32_t origin) {
    bool any = false;
    for (uint32_t i = 0; i < bytes; i++) {
        part->region->defined[part->at[lane] + i] = (uint8_t)~undefined[i];
        any |= undefined[i] != 0;
    }
    if (any)
        fh_bits_region_note(&c->shadow, part->region, part->at[lane], bytes, origin);
}

static void store(struct fh_init_checker *c, const fhec_event *event,
                  const struct fh_init_plan *plan) {
    const struct fh_warp_bits *w = c->warp;
    const uint32_t bytes = event->access.bytes;
    const struct fh_init_step s = {.checker = c, .event = event, .warp = c->warp};
    uint32_t open = 0, lanes = event->lanes, origin = 0;
    for (uint32_t i = 0; i < plan->data_count && plan->data != FH_ROW_NONE; i++)
        open |= w->lanes[plan->data + i];
    open &= lanes;
    for (uint32_t i = 0; open && !origin && i < plan->data_count; i++)
        if (w->lanes[plan->data + i] & open)
            origin = fh_init_origin(&s, plan->data + i);
    if (open)
        origin = stored_origin(c, event, origin);
    struct part part;
    while (next_part(c, event, &lanes, &part)) {
        if (!(open & part.lanes)) {
            define(&part, bytes);
            continue;
        }
        for (uint32_t rest = part.lanes; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint8_t undefined[WIDEST] = {0};
            for (uint32_t i = 0; i < plan->data_count && i < 4; i++)
                if (w->lanes[plan->data + i] >> lane & 1)
                    memcpy(undefined + 4 * i, &w->bits[plan->data + i][lane], 4);
            put_bytes(c, &part, lane, bytes, undefined, origin);
        }
    }
}

/* ---------------------------------------------------------------- atomic operations */

void fh_init_keep_data(const struct fh_init_step *s) {
    struct fh_init_checker *c = s->checker;
    const struct fh_init_plan *p = s->plan;
    c->data_lanes = c->compared_lanes = c->copied_lanes = 0;
    memset(c->copied, 0, sizeof c->copied);
    if (p->rule != FH_INIT_ATOMIC)
        return;
    memset(c->data, 0, sizeof c->data);
    for (unsigned i = 0; i < p->read_count; i++) {
        const uint32_t row = p->reads[i];
        const uint32_t open = s->warp->lanes[row] & s->active;
        if (p->address_reads >> i & 1 || row >= FH_ROW_UR || !open)
            continue;
        c->compared_lanes |= row - p->compare < p->data_count ? open : 0;
        const uint32_t word = p->data != FH_ROW_NONE && row == p->data + 1u; /* else the first */
        for (uint32_t l = 0; l < LANES; l++)
            c->data[word][l] |= open >> l & 1 ? s->warp->bits[row][l] : 0;
        c->data_lanes |= open;
        c->data_origin = fh_init_origin(s, row);
    }
}

/* Lanes act one after another. What the memory holds then is undefined where it or the data were;
 * sums and comparisons make all of it undefined. */
static void atomic(struct fh_init_checker *c, const fhec_event *event,
                   const struct fh_init_plan *plan) {
    const uint32_t bytes = event->access.bytes;
    uint32_t lanes = event->lanes;
    struct part part;
    while (next_part(c, event, &lanes, &part)) {
        if (!(c->data_lanes & part.lanes) && !undefined_lanes(&part, bytes))
            continue;
        for (uint32_t rest = part.lanes; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint8_t found[WIDEST], left[WIDEST] = {0};
            undefined_bytes(&part, lane, bytes, found);
            const uint64_t old = load8(found);
            const uint64_t data = c->data[0][lane] | (uint64_t)c->data[1][lane] << 32;
            uint64_t now = plan->exchange ? data : old | data;
            if (now && !plan->bitwise)
                now = bytes == 8 ? UINT64_MAX : UINT32_MAX;
            memcpy(left, &now, sizeof now);
            uint32_t origin = c->data_origin;
            if (old)
                origin = origin_at(c, event, &part, lane);
            if (plan->tells) {
                const bool unclear = old || c->compared_lanes >> lane & 1;
                fh_init_put_lane(c->warp, plan->to, lane, unclear, origin);
            } else if (old) {
                for (uint32_t i = 0; plan->to != FH_ROW_NONE && i < plan->to_count; i++)
                    fh_init_put_lane(c->warp, plan->to + i, lane, load4(found + 4 * i), origin);
            }
            put_bytes(c, &part, lane, bytes, left, now ? stored_origin(c, event, origin) : 0);
        }
    }
}

/* ---------------------------------------------------------------- asynchronous copies */

/* The reads come first. Bytes that .ZFILL fills are defined. */
static void copy_read(struct fh_init_checker *c, const fhec_event *event) {
    uint32_t lanes = event->lanes;
    struct part part;
    while (next_part(c, event, &lanes, &part)) {
        for (uint32_t rest = undefined_lanes(&part, event->access.bytes); rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            undefined_bytes(&part, lane, event->access.bytes, c->copied[lane]);
            c->copied_lanes |= 1u << lane;
            c->copied_origin = origin_at(c, event, &part, lane);
        }
    }
}

static void copy_write(struct fh_init_checker *c, const fhec_event *event) {
    uint32_t lanes = event->lanes;
    const uint32_t origin = c->copied_lanes & lanes ? stored_origin(c, event, c->copied_origin) : 0;
    struct part part;
    while (next_part(c, event, &lanes, &part)) {
        if (!(c->copied_lanes & part.lanes)) {
            define(&part, event->access.bytes);
            continue;
        }
        for (uint32_t rest = part.lanes; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(rest);
            put_bytes(c, &part, lane, event->access.bytes, c->copied[lane], origin);
        }
    }
}

void fh_init_access(struct fh_init_checker *c, const fhec_event *event,
                    const struct fh_init_plan *plan) {
    const fhec_access *access = &event->access;
    if (access->space == FHEC_SPACE_CONSTANT || !event->lanes)
        return;
    switch ((enum fh_init_rule)plan->rule) {
    case FH_INIT_LOAD: load(c, event, plan); break;
    case FH_INIT_STORE: store(c, event, plan); break;
    case FH_INIT_ATOMIC: atomic(c, event, plan); break;
    case FH_INIT_LOAD_MATRIX: load_matrix(c, event, plan); break;
    case FH_INIT_COPY:
        if (access->access & FHEC_ACCESS_READ)
            copy_read(c, event);
        else
            copy_write(c, event);
        break;
    default: break;
    }
}
