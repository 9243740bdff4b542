/*
 * reservation.c - see reservation.h.
 */
#include "reservation.h"

#include <stdlib.h>

struct reservation {
    uint64_t address, bytes;
    bool promised;
    struct reservation *next;
};

static struct reservation *reservations;

fh_cuda_status fh_cuda_reserve(uint64_t bytes, uint64_t alignment, bool promised,
                               uint64_t *address) {
    uint64_t begin;
    *address = 0;
    if (!bytes || bytes > UINT64_MAX - alignment)
        return FH_CUDA_INVALID_VALUE;
    struct reservation *r = malloc(sizeof *r);
    /* The machine gives no address twice, so what was given back stays free. */
    if (!r || fhec_alloc(fh_cuda_machine(), "reserved addresses", bytes + alignment, 0, &begin) !=
                  FHEC_OK) {
        free(r);
        return FH_CUDA_NO_MEMORY;
    }
    fhec_release(fh_cuda_machine(), begin);
    begin = (begin + alignment - 1) / alignment * alignment;
    *r = (struct reservation){begin, bytes, promised, reservations};
    reservations = r;
    *address = begin;
    return FH_CUDA_OK;
}

uint64_t fh_cuda_reserved(uint64_t address) {
    for (const struct reservation *r = reservations; r; r = r->next)
        if (r->address == address)
            return r->bytes;
    return 0;
}

/* The reservation that all of [address, address + bytes) lies in. */
static const struct reservation *around(uint64_t address, uint64_t bytes) {
    const struct reservation *r = reservations;
    while (r && address - r->address >= r->bytes)
        r = r->next;
    return r && bytes <= r->bytes - (address - r->address) ? r : NULL;
}

bool fh_cuda_is_reserved(uint64_t address, uint64_t bytes) {
    return around(address, bytes);
}

bool fh_cuda_is_promised(uint64_t address, uint64_t bytes) {
    const struct reservation *r = around(address, bytes);
    return r && r->promised;
}

void fh_cuda_unreserve(uint64_t address) {
    for (struct reservation **at = &reservations; *at; at = &(*at)->next) {
        struct reservation *r = *at;
        if (r->address != address)
            continue;
        *at = r->next;
        free(r);
        return;
    }
}

fh_cuda_status fh_cuda_alloc_reserved(uint64_t address) {
    const uint64_t bytes = fh_cuda_reserved(address);
    if (!bytes || fh_cuda_range_of(address))
        return FH_CUDA_INVALID_VALUE;
    return fh_cuda_map_at(address, bytes, NULL);
}

void fh_cuda_reservations_end(void) {
    while (reservations)
        fh_cuda_unreserve(reservations->address);
}
