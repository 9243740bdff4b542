/*
 * journal_rows.c - see journal_rows.h. A row is a byte that says its form, and its numbers.
 */
#include "journal_rows.h"

#include <stdlib.h>
#include <string.h>

enum form { SPACED, ALL };
enum { LANES = 32 };

static bool room_for(struct fh_journal_bytes *to, size_t size) {
    if (to->count + size <= to->room)
        return true;
    const size_t room = 2 * to->room + size + 64;
    uint8_t *more = realloc(to->bytes, room);
    if (!more) {
        to->failed = true;
        return false;
    }
    to->bytes = more;
    to->room = room;
    return true;
}

void fh_journal_put(struct fh_journal_bytes *to, uint64_t number, unsigned bytes) {
    if (!room_for(to, bytes))
        return;
    for (unsigned i = 0; i < bytes; i++)
        to->bytes[to->count++] = (uint8_t)(number >> (8 * i));
}

uint64_t fh_journal_take(const uint8_t **at, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)(*at)[i] << (8 * i);
    *at += bytes;
    return number;
}

/* Whether the lanes of the mask have base + lane * step. */
static bool is_spaced(const uint64_t *row, uint32_t lanes, uint64_t mask, uint64_t *base,
                      uint64_t *step) {
    const unsigned first = lanes ? (unsigned)__builtin_ctz(lanes) : 0;
    const uint32_t rest = lanes & (lanes - 1);
    const unsigned second = rest ? (unsigned)__builtin_ctz(rest) : first;
    const int64_t apart = (int64_t)(row[second] - row[first]);
    *step = second > first ? (uint64_t)(apart / (int64_t)(second - first)) : 0;
    *base = row[first] - first * *step;
    for (unsigned lane = first; lane < LANES; lane++)
        if (lanes & 1U << lane && ((*base + lane * *step) & mask) != row[lane])
            return false;
    return true;
}

static void put_numbers(struct fh_journal_bytes *to, const uint64_t *row, uint32_t lanes,
                        unsigned bytes) {
    uint64_t base, step;
    if (is_spaced(row, lanes, UINT64_MAX >> (64 - 8 * bytes), &base, &step)) {
        fh_journal_put(to, SPACED, 1);
        fh_journal_put(to, base, bytes);
        fh_journal_put(to, step, bytes);
        return;
    }
    fh_journal_put(to, ALL, 1);
    for (unsigned lane = 0; lane < LANES; lane++)
        fh_journal_put(to, row[lane], bytes);
}

void fh_journal_put_row(struct fh_journal_bytes *to, const uint32_t *row, uint32_t lanes) {
    uint64_t wide[LANES];
    for (unsigned lane = 0; lane < LANES; lane++)
        wide[lane] = row[lane];
    put_numbers(to, wide, lanes, 4);
}

void fh_journal_put_addresses(struct fh_journal_bytes *to, const uint64_t *row, uint32_t lanes) {
    put_numbers(to, row, lanes, 8);
}

void fh_journal_take_addresses(const uint8_t **at, uint64_t row[32]) {
    if (fh_journal_take(at, 1) == ALL) {
        for (unsigned lane = 0; lane < LANES; lane++)
            row[lane] = fh_journal_take(at, 8);
        return;
    }
    const uint64_t base = fh_journal_take(at, 8), step = fh_journal_take(at, 8);
    for (unsigned lane = 0; lane < LANES; lane++)
        row[lane] = base + lane * step;
}

uint32_t fh_journal_take_lane(const uint8_t **at, uint32_t lane) {
    if (fh_journal_take(at, 1) == ALL) {
        const uint8_t *word = *at + (size_t)4 * lane;
        *at += (size_t)4 * LANES;
        return (uint32_t)fh_journal_take(&word, 4);
    }
    const uint64_t base = fh_journal_take(at, 4), step = fh_journal_take(at, 4);
    return (uint32_t)(base + lane * step);
}
