/*
 * disputed.c - see disputed.h.
 */
#include "disputed.h"

#include <stdlib.h>

enum { WIDEST = 16 /* bytes of a cell */ };

static struct fh_dispute *dispute_at(const struct fh_disputed *disputed, uint64_t address) {
    for (uint64_t width = 1; width <= WIDEST; width *= 2) {
        struct fh_dispute *d = fh_number_map_get(&disputed->words, address & ~(width - 1));
        if (d && address - d->address < d->bytes)
            return d;
    }
    return NULL;
}

bool fh_disputed_known(const struct fh_disputed *disputed, uint64_t address, uint64_t pc,
                       uint64_t other_pc) {
    const struct fh_dispute *d = dispute_at(disputed, address);
    return d && d->finding.at.pc == pc && d->finding.other.pc == other_pc;
}

bool fh_disputed_put(struct fh_disputed *disputed, uint64_t address, uint32_t bytes,
                     const struct fh_finding *finding) {
    struct fh_dispute *d = fh_number_map_get(&disputed->words, address);
    if (!d) {
        d = malloc(sizeof *d);
        if (!d || !fh_number_map_put(&disputed->words, address, d)) {
            free(d);
            return false;
        }
    }
    *d = (struct fh_dispute){address, bytes, *finding};
    return true;
}

struct fh_dispute *fh_disputed_take(struct fh_disputed *disputed, uint64_t address) {
    const struct fh_dispute *d = dispute_at(disputed, address);
    return d ? fh_number_map_take(&disputed->words, d->address) : NULL;
}

void fh_disputed_free(struct fh_disputed *disputed) {
    fh_number_map_clear(&disputed->words, free);
}
