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

/* The banks that go together, because an access of more than a word takes them all: the units of
 * memory that the lanes of a group ask of each such set, and for whom. */
struct sets {
    uint64_t unit[FH_SHARED_BANKS][LANES];
    uint32_t lane[FH_SHARED_BANKS][LANES];
    uint32_t used[FH_SHARED_BANKS];
};

static void ask(struct sets *s, uint32_t set, uint64_t unit, uint32_t lane, bool each) {
    const uint32_t used = s->used[set];
    for (uint32_t i = 0; i < used && !each; i++)
        if (s->unit[set][i] == unit)
            return;
    s->unit[set][used] = unit;
    s->lane[set][used] = lane;
    s->used[set] = used + 1;
}

/* Lanes of one group that want different units of one set of banks, or each want it for itself. */
static __attribute__((noinline)) void add_conflict(bool each, uint32_t lanes,
                                                   const uint64_t *address, uint32_t size,
                                                   uint64_t base, struct fh_footprint *f) {
    const uint32_t sets = FH_SHARED_BANKS * WORD / size;
    struct sets s;
    uint32_t most = 0;
    memset(s.used, 0, sets * sizeof *s.used);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        ask(&s, (uint32_t)(address[l] / size % sets), address[l] / size, l, each);
    }
    for (uint32_t i = 1; i < sets; i++)
        if (s.used[i] > s.used[most])
            most = i;
    const uint32_t ways = s.used[most];
    f->passes += ways;
    if (ways < 2 || ways <= f->worst.ways)
        return;
    f->worst.ways = ways;
    f->worst.bank = most * size / WORD;
    f->worst.count = ways < FH_WORST_LANES ? ways : FH_WORST_LANES;
    for (uint32_t i = 0; i < f->worst.count; i++) {
        f->worst.lane[i] = s.lane[most][i];
        f->worst.first[i] = (uint32_t)(s.unit[most][i] * size - base);
    }
}

/* Adds what the group of lanes needs. */
static void add_group(bool each, uint32_t lanes, const uint64_t *address, uint32_t size,
                      uint64_t base, struct fh_footprint *f) {
    const unsigned shift = (unsigned)__builtin_ctz(size);
    const uint32_t sets = FH_SHARED_BANKS * WORD / size;
    uint32_t seen = 0, again = 0;
    if (!lanes)
        return;
    f->minimum++;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t set = 1U << (address[__builtin_ctz(rest)] >> shift & (sets - 1));
        again |= seen & set;
        seen |= set;
    }
    if (again)
        add_conflict(each, lanes, address, size, base, f);
    else
        f->passes++;
}

/* Whether all active lanes have the address of the lane whose number differs in `bit`, if that is
 * active. */
static bool paired(uint32_t lanes, const uint64_t *address, uint32_t bit) {
    for (uint32_t l = 0; l < LANES; l++)
        if (lanes >> l & 1 && lanes >> (l ^ bit) & 1 && address[l] != address[l ^ bit])
            return false;
    return true;
}

void fh_footprint_shared(enum fh_shared_kind kind, uint32_t lanes, const uint64_t *address,
                         uint32_t bytes, struct fh_footprint *footprint) {
    const uint32_t size = bytes <= WORD ? WORD : bytes <= 2 * WORD ? 2 * WORD : 4 * WORD;
    const uint64_t base = address[__builtin_ctz(lanes)];
    uint32_t group = LANES * WORD / size; /* lanes that get 128 bytes in a pass */
    if (kind == FH_SHARED_LOAD && size > WORD &&
        (paired(lanes, address, 1) || paired(lanes, address, 2)))
        group *= 2;
    *footprint = (struct fh_footprint){0};
    for (uint32_t l = 0; l < LANES; l += group) {
        const uint32_t part = group == LANES ? UINT32_MAX : ((1U << group) - 1) << l;
        add_group(kind == FH_SHARED_ATOMIC, lanes & part, address, size, base, footprint);
    }
}
