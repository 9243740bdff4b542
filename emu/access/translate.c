/*
 * translate.c - accesses lane by lane, in any space: looked up, checked, carried out.
 */
#include "translate.h"

#include "fault.h"
#include "launch.h"
#include "transaction.h"

#include <stdio.h>

static const char *const space_names[] = {"global", "shared", "local"};

enum fh_space fh_space_of(uint64_t address, uint64_t *inside) {
    *inside = address;
    if (address - FH_SHARED_WINDOW < FH_WINDOW_BYTES) {
        *inside = address - FH_SHARED_WINDOW;
        return FH_SHARED;
    }
    if (address - FH_LOCAL_WINDOW < FH_WINDOW_BYTES) {
        *inside = address - FH_LOCAL_WINDOW;
        return FH_LOCAL;
    }
    return FH_GLOBAL;
}

static fhec_fault_kind find_global(const struct fh_memory *memory, const struct fh_request *r,
                                   struct fh_location *place) {
    size_t i = place->allocation = fh_memory_find(memory, place->address);
    if (i == SIZE_MAX)
        return FHEC_FAULT_OUT_OF_BOUNDS;
    const struct fh_allocation *a = &memory->list[i];
    place->offset = place->address - a->base;
    if (place->offset >= a->size || r->bytes > a->size - place->offset)
        return FHEC_FAULT_OUT_OF_BOUNDS;
    if (!a->bytes)
        return FHEC_FAULT_FREED;
    return r->store && a->read_only ? FHEC_FAULT_READ_ONLY : FHEC_FAULT_NONE;
}

static uint32_t space_bytes(const struct fh_warp *w, enum fh_space space) {
    const struct fh_image *image = w->launch->image;
    return space == FH_SHARED ? image->shared_bytes : image->local_bytes;
}

static fhec_fault_kind find_in_block(const struct fh_warp *w, uint32_t bytes, uint32_t lane,
                                     struct fh_location *place) {
    const struct fh_image *image = w->launch->image;
    const uint32_t size = image->local_bytes;
    bool inside = fh_shared_holds(image, place->address, bytes);
    place->offset = place->address;
    if (place->space == FH_LOCAL) {
        inside = bytes <= size && place->address <= size - bytes;
        place->offset += (uint64_t)(w->index * FH_LANES + lane) * size;
    }
    return inside ? FHEC_FAULT_NONE : FHEC_FAULT_OUT_OF_BOUNDS;
}

static fhec_fault_kind find(const struct fh_warp *w, const struct fh_request *r, uint32_t lane,
                            uint64_t address, struct fh_location *place) {
    place->space = r->space;
    place->address = address;
    if (r->space == FH_GENERIC)
        place->space = fh_space_of(address, &place->address);
    if (place->address & (r->bytes - 1))
        return FHEC_FAULT_MISALIGNED;
    if (place->space == FH_GLOBAL)
        return find_global(w->launch->memory, r, place);
    return find_in_block(w, r->bytes, lane, place);
}

/* `first` is the place of the lowest lane at fault. */
static bool report(struct fh_warp *w, const struct fh_op *op, const struct fh_request *r,
                   fhec_fault_kind kind, uint32_t lanes, const struct fh_location *first) {
    char text[160];
    switch (kind) {
    case FHEC_FAULT_MISALIGNED:
        snprintf(text, sizeof text, "%s of %u bytes needs an address that is a multiple of %u",
                 r->what, r->bytes, r->bytes);
        break;
    case FHEC_FAULT_FREED:
        snprintf(text, sizeof text, "%s of %u bytes in memory that was released", r->what,
                 r->bytes);
        break;
    case FHEC_FAULT_READ_ONLY:
        snprintf(text, sizeof text, "%s of %u bytes to read-only memory", r->what, r->bytes);
        break;
    default:
        if (first->space == FH_GLOBAL)
            snprintf(text, sizeof text, "%s of %u bytes %s", r->what, r->bytes,
                     first->address < 4096 ? "through a null pointer" : "that no allocation holds");
        else
            snprintf(text, sizeof text, "%s of %u bytes outside the %u bytes of %s memory", r->what,
                     r->bytes, space_bytes(w, first->space), space_names[first->space]);
        break;
    }
    return fh_fault_address(w, op, kind, lanes, space_names[first->space], first->address, text);
}

bool fh_translate_lanes(struct fh_warp *w, const struct fh_op *op, uint32_t lanes,
                        const uint64_t address[FH_LANES], const struct fh_request *request,
                        struct fh_location place[FH_LANES]) {
    fhec_fault_kind kind = FHEC_FAULT_NONE;
    uint32_t guilty = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fhec_fault_kind k = find(w, request, lane, address[lane], &place[lane]);
        kind = kind == FHEC_FAULT_NONE ? k : kind;
        guilty |= k != FHEC_FAULT_NONE && k == kind ? 1u << lane : 0;
    }
    return !guilty || report(w, op, request, kind, guilty, &place[__builtin_ctz(guilty)]);
}

static uint8_t *block_bytes(struct fh_warp *w, const struct fh_location *place) {
    return (place->space == FH_SHARED ? w->block->shared : w->block->local) + place->offset;
}

void fh_location_read(struct fh_warp *w, const struct fh_location *place, uint32_t bytes,
                      void *to) {
    struct fh_launch_state *launch = w->launch;
    if (place->space != FH_GLOBAL)
        memcpy(to, block_bytes(w, place), bytes);
    else if (launch->transaction)
        fh_transaction_load(launch->transaction, place->allocation, place->offset, bytes, to);
    else
        memcpy(to, launch->memory->list[place->allocation].bytes + place->offset, bytes);
}

static void write_global(struct fh_launch_state *launch, const struct fh_location *place,
                         uint32_t bytes, const void *from) {
    uint8_t *const to = launch->memory->list[place->allocation].bytes + place->offset;
    launch->changed |= launch->tracked && memcmp(to, from, bytes) != 0;
    if (launch->transaction)
        fh_transaction_store(launch->transaction, place->allocation, place->offset, bytes, from);
    else
        memcpy(to, from, bytes);
}

void fh_location_write(struct fh_warp *w, const struct fh_location *place, uint32_t bytes,
                       const void *from) {
    struct fh_launch_state *launch = w->launch;
    if (place->space != FH_GLOBAL)
        memcpy(block_bytes(w, place), from, bytes);
    else
        write_global(launch, place, bytes, from);
}

bool fh_record_begins(struct fh_warp *w, bool reads, bool writes, uint32_t bytes) {
    if (!w->launch->watch)
        return false;
    w->launch->record = (struct fh_record){.reads = reads, .writes = writes, .bytes = bytes};
    return true;
}

void fh_location_record(struct fh_warp *w, const struct fh_location *place, uint32_t lane,
                        const void *now) {
    struct fh_record *record = &w->launch->record;
    uint32_t words[2][FH_RECORD_WORDS] = {{0}};
    fh_location_read(w, place, record->bytes, words[0]);
    memcpy(words[1], now ? now : words[0], record->bytes);
    record->lanes |= 1u << lane;
    for (unsigned i = 0; i < FH_RECORD_WORDS; i++) {
        record->old[i][lane] = words[0][i];
        record->now[i][lane] = words[1][i];
    }
}
