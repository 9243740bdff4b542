/*
 * journal_rows.h - what the lanes of a warp have, in few bytes: one number if all have the same,
 * two if they are equally spaced, else all of them.
 */
#ifndef FH_DIFFERENCE_JOURNAL_ROWS_H
#define FH_DIFFERENCE_JOURNAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_journal_bytes {
    uint8_t *bytes;
    size_t count, room;
    bool failed; /* no host memory: bytes are missing */
};

void fh_journal_put(struct fh_journal_bytes *to, uint64_t number, unsigned bytes);
/* The 32 words or addresses of the lanes of the mask; others may come back as anything. */
void fh_journal_put_row(struct fh_journal_bytes *to, const uint32_t *row, uint32_t lanes);
void fh_journal_put_addresses(struct fh_journal_bytes *to, const uint64_t *row, uint32_t lanes);

/* Reading goes along *at. */
uint64_t fh_journal_take(const uint8_t **at, unsigned bytes);
void fh_journal_take_addresses(const uint8_t **at, uint64_t row[32]);
/* The word of one lane only. */
uint32_t fh_journal_take_lane(const uint8_t **at, uint32_t lane);

#endif
