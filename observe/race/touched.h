/*
 * touched.h - what is remembered of memory, for each word that was accessed: who wrote it last, and
 * who has read it since. 32 bytes for a word, or for 8 or 16 bytes where all accesses are as wide.
 *
 * Most words are read by lanes of one warp at one time; that stands in the cell. Of others a list
 * is kept of readers that do not know of each other; of more than FH_READERS a table by warp. When
 * all tables together have FH_TABLED places some readers are forgotten, which can hide a race with
 * them, and never makes one up.
 */
#ifndef FH_TOUCHED_H
#define FH_TOUCHED_H

#include "number_map.h"

enum {
    FH_PAGE_SHIFT = 12,
    FH_PAGE_BYTES = 1 << FH_PAGE_SHIFT,
    FH_READERS = 8,
    FH_TABLED = 1 << 24, /* 256 MiB */
};
#define FH_COPY_PENDING UINT32_C(0x80000000)
#define FH_SHARED_READ  UINT32_C(0xffffffff) /* as `read_warp`: see `read_lanes` */

/* Lanes of a warp, by its number in the launch, that read at one time, with the instruction of one
 * of them. */
struct fh_reader {
    uint32_t time, warp, lanes, code;
};

struct fh_readers {
    uint32_t count, next;    /* next: of those that are not in use */
    uint32_t capacity;       /* of the table, a power of two; 0: they stand in `reader` */
    struct fh_reader *table; /* with open addressing; no lanes: a free place */
    struct fh_reader reader[FH_READERS];
};

struct fh_cell {
    uint32_t write_time;   /* 0: never */
    uint32_t write_thread; /* warp * 32 + lane */
    uint32_t write_code;   /* number of the instruction; with FH_COPY_PENDING: an asynchronous copy
                              that has not been waited for */
    uint32_t write_value;  /* what was left there; a hash of more than a word */
    uint32_t read_time;    /* 0: not since the write */
    uint32_t read_warp;    /* FH_SHARED_READ: read_lanes is the index of a list */
    uint32_t read_lanes;
    uint32_t read_code;
};

/* FH_PAGE_BYTES of memory, a cell for each 1, 4, 8 or 16 bytes: as many as every access so far has
 * been a multiple of. */
struct fh_cell_page {
    unsigned shift; /* 1 << shift bytes a cell */
    struct fh_cell *cells;
};

/* All zero: empty. */
struct fh_touched {
    struct fh_number_map pages;
    struct fh_readers *lists;
    uint32_t list_count, list_capacity;
    uint64_t tabled;      /* places of all tables */
    uint32_t free_list;   /* the index, plus 1, of one that is not in use; its `next`: the next */
    uint64_t last_number; /* of the page that was asked for last */
    struct fh_cell_page *last;
};

/* The page that `address` is in, with cells of 1 << shift bytes at most; shift 0, 2, 3 or 4. NULL
 * without host memory. */
struct fh_cell_page *fh_touched_page(struct fh_touched *shadow, uint64_t address, unsigned shift);
/* A new list; its index in *index. NULL without host memory. Valid until the next one is made. */
struct fh_readers *fh_touched_list(struct fh_touched *shadow, uint32_t *index);
/* Gives the list a table with room for twice its readers. False without host memory, or if all
 * tables together would be too large. */
bool fh_touched_list_grow(struct fh_touched *shadow, struct fh_readers *list);
/* The place of the table from which on a warp's readers stand, up to the first free one. */
static inline uint32_t fh_touched_place(const struct fh_readers *list, uint32_t warp) {
    return (warp * UINT32_C(0x9e3779b1) >> 7) & (list->capacity - 1);
}
void fh_touched_list_free(struct fh_touched *shadow, uint32_t index);
/* Forgets all lists at once: what cells say is out of date. */
void fh_touched_lists_forget(struct fh_touched *shadow);
void fh_touched_free(struct fh_touched *shadow);

#endif
