/*
 * disputed.c - see disputed.h.
 */
#include "disputed.h"

#include <stdlib.h>

bool fh_disputed_known(const struct fh_disputed *disputed, uint64_t address, uint32_t bytes,
                       uint64_t pc, uint64_t other_pc) {
    for (uint32_t rest = bytes; rest; rest &= rest - 1) {
        const struct fh_dispute *d =
            fh_disputed_at(disputed, address + (unsigned)__builtin_ctz(rest));
        if (!d || d->finding.at.pc != pc || d->finding.other.pc != other_pc)
            return false;
    }
    return true;
}

bool fh_disputed_put(struct fh_disputed *disputed, uint64_t address, uint32_t bytes,
                     const struct fh_finding *finding) {
    struct fh_dispute *d = malloc(sizeof *d);
    if (!d)
        return false;
    *d = (struct fh_dispute){address, 0, *finding};
    for (uint32_t rest = bytes; rest; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        fh_disputed_drop_byte(disputed, address + i);
        if (!fh_number_map_put(&disputed->bytes, address + i, d))
            break;
        d->bytes |= UINT32_C(1) << i;
    }
    const bool all = d->bytes == bytes;
    if (!d->bytes)
        free(d);
    return all;
}

const struct fh_dispute *fh_disputed_at(const struct fh_disputed *disputed, uint64_t address) {
    return fh_number_map_get(&disputed->bytes, address);
}

void fh_disputed_drop_byte(struct fh_disputed *disputed, uint64_t address) {
    struct fh_dispute *d = fh_number_map_take(&disputed->bytes, address);
    if (!d)
        return;
    d->bytes &= ~(UINT32_C(1) << (address - d->address));
    if (!d->bytes)
        free(d);
}

void fh_disputed_drop(struct fh_disputed *disputed, uint64_t address) {
    const struct fh_dispute *d = fh_disputed_at(disputed, address);
    const uint64_t first = d ? d->address : 0;
    for (uint32_t rest = d ? d->bytes : 0; rest; rest &= rest - 1)
        fh_disputed_drop_byte(disputed, first + (unsigned)__builtin_ctz(rest));
}

void fh_disputed_free(struct fh_disputed *disputed) {
    for (size_t i = 0; i < disputed->bytes.capacity; i++) {
        const struct fh_number_slot *slot = &disputed->bytes.slots[i];
        struct fh_dispute *d = slot->value;
        if (!d)
            continue;
        d->bytes &= ~(UINT32_C(1) << (slot->number - d->address));
        if (!d->bytes)
            free(d);
    }
    fh_number_map_clear(&disputed->bytes, NULL);
}
