/*
 * footprint.c - see footprint.h.
 */
#include "footprint.h"

#include <string.h>

enum { WORD = 4, LANES = FHEC_WARP_LANES, MOST_WORDS = 4, MOST_RANGES = LANES * MOST_WORDS };

/* ---------------------------------------------------------------- sectors */

/* Bytes from `first` up to `end`. */
struct range {
    uint64_t first, end;
};

/* Sorts by the first byte; lanes mostly come in order. */
static void sort(struct range *ranges, unsigned count) {
    for (unsigned i = 1; i < count; i++) {
        const struct range held = ranges[i];
        unsigned at = i;
        for (; at && ranges[at - 1].first > held.first; at--)
            ranges[at] = ranges[at - 1];
        ranges[at] = held;
    }
}

static void count_sectors(struct range *ranges, unsigned count, struct fh_footprint *f) {
    uint64_t end = 0, bytes = 0; /* `end`: of all bytes so far */
    uint32_t sectors = 0;
    sort(ranges, count);
    for (unsigned i = 0; i < count; i++) {
        const struct range *r = &ranges[i];
        const bool first = i == 0;
        const uint64_t from = first || r->first > end ? r->first : end;
        if (r->end <= from)
            continue;
        const uint64_t low = from / FH_SECTOR_BYTES, high = (r->end - 1) / FH_SECTOR_BYTES;
        const bool again = !first && low == (end - 1) / FH_SECTOR_BYTES;
        sectors += (uint32_t)(high - low + 1) - again;
        bytes += r->end - from;
        end = r->end;
    }
    f->sectors = sectors;
    f->ideal = (uint32_t)((bytes + FH_SECTOR_BYTES - 1) / FH_SECTOR_BYTES);
}

void fh_footprint_global(uint32_t lanes, const uint64_t *address, uint32_t bytes,
                         struct fh_footprint *footprint) {
    struct range ranges[LANES];
    unsigned count = 0;
    *footprint = (struct fh_footprint){0};
    for (uint32_t l = 0; l < LANES; l++)
        if (lanes >> l & 1)
            ranges[count++] = (struct range){address[l], address[l] + bytes};
    count_sectors(ranges, count, footprint);
}

void fh_footprint_local(uint32_t lanes, const uint64_t *address, uint32_t bytes,
                        struct fh_footprint *footprint) {
    struct range ranges[MOST_RANGES];
    unsigned count = 0;
    *footprint = (struct fh_footprint){0};
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(lanes >> l & 1))
            continue;
        for (uint32_t done = 0; done < bytes; done += WORD) {
            const uint64_t at = address[l] + done;
            const uint64_t word = (at / WORD * LANES + l) * WORD + at % WORD;
            ranges[count++] = (struct range){word, word + (bytes < WORD ? bytes : WORD)};
        }
    }
    count_sectors(ranges, count, footprint);
}

/* ---------------------------------------------------------------- passes */

/* The words that lanes of one group ask for, by bank. */
struct banks {
    uint64_t word[FH_SHARED_BANKS][LANES];
    uint32_t lane[FH_SHARED_BANKS][LANES];
    uint32_t used[FH_SHARED_BANKS];
};

static void ask(struct banks *b, uint64_t word, uint32_t lane, bool each) {
    const uint32_t bank = word % FH_SHARED_BANKS;
    uint32_t used = b->used[bank];
    for (uint32_t i = 0; i < used && !each; i++)
        if (b->word[bank][i] == word)
            return;
    if (used == LANES)
        return;
    b->word[bank][used] = word;
    b->lane[bank][used] = lane;
    b->used[bank] = used + 1;
}

/* Adds what the group of lanes needs. */
static void add_group(enum fh_shared_kind kind, uint32_t lanes, const uint64_t *address,
                      uint32_t bytes, uint64_t base, struct fh_footprint *f) {
    struct banks b;
    uint32_t most = 0;
    if (!lanes)
        return;
    memset(b.used, 0, sizeof b.used);
    for (uint32_t l = 0; l < LANES; l++)
        for (uint32_t done = 0; lanes >> l & 1 && done < bytes; done += WORD)
            ask(&b, (address[l] + done) / WORD, l, kind == FH_SHARED_ATOMIC);
    for (uint32_t i = 1; i < FH_SHARED_BANKS; i++)
        if (b.used[i] > b.used[most])
            most = i;
    f->passes += b.used[most];
    f->minimum++;
    if (b.used[most] <= f->worst.ways)
        return;
    f->worst.ways = b.used[most];
    f->worst.bank = most;
    f->worst.count = b.used[most] < FH_WORST_LANES ? b.used[most] : FH_WORST_LANES;
    for (uint32_t i = 0; i < f->worst.count; i++) {
        f->worst.lane[i] = b.lane[most][i];
        f->worst.first[i] = (uint32_t)(b.word[most][i] * WORD - base);
    }
}

/* Whether all active lanes have the address of the lane whose number differs in `bit`, if that is
 * active. */
static bool paired(uint32_t lanes, const uint64_t *address, uint32_t bit) {
    for (uint32_t l = 0; l < LANES; l++)
        if (lanes >> l & 1 && lanes >> (l ^ bit) & 1 && address[l] != address[l ^ bit])
            return false;
    return true;
}

/* How many lanes go together: as many as can get 128 bytes in a pass. */
static uint32_t group_of(enum fh_shared_kind kind, uint32_t lanes, const uint64_t *address,
                         uint32_t bytes) {
    const uint32_t size = bytes <= WORD ? LANES : bytes <= 2 * WORD ? LANES / 2 : LANES / 4;
    if (kind == FH_SHARED_LOAD && bytes > WORD &&
        (paired(lanes, address, 1) || paired(lanes, address, 2)))
        return 2 * size;
    return size;
}

void fh_footprint_shared(enum fh_shared_kind kind, uint32_t lanes, const uint64_t *address,
                         uint32_t bytes, struct fh_footprint *footprint) {
    const uint32_t group = group_of(kind, lanes, address, bytes);
    const uint64_t base = address[__builtin_ctz(lanes)];
    *footprint = (struct fh_footprint){0};
    for (uint32_t l = 0; l < LANES; l += group) {
        const uint32_t part = group == LANES ? UINT32_MAX : ((1U << group) - 1) << l;
        add_group(kind, lanes & part, address, bytes, base, footprint);
    }
}
