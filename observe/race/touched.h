/*
 * touched.h - what is remembered of memory, for each word that was accessed: what was written there
 * last, and which accesses before and after that could still race with one to come. 38 bytes for
 * a word, its value among them, or for 8 or 16 bytes where all accesses are as wide (42, 50).
 *
 * Beside its last write most words have one access at most that matters, of lanes of one warp at
 * one time; that stands in the cell. Others have a list; what is beyond FH_LISTED a table by warp.
 * When all tables together have FH_TABLED places some accesses are forgotten, which can hide a race
 * with them, and never makes one up.
 */
#ifndef FH_TOUCHED_H
#define FH_TOUCHED_H

#include "number_map.h"
#include "race_kind.h"

/* How a past access stands to the cell's last write. */
enum fh_relation {
    FH_APART,
    FH_BEFORE, /* is ordered before it, and matters only for stores that leave what it has left:
                  with all else that would race with this one the write races, too */
    FH_BEHIND, /* a read that is ordered behind it */
};

/* Lanes of a warp, by its number in the launch, that did the same at one time. */
struct fh_past {
    uint32_t time; /* 0: nobody */
    uint32_t warp, lanes;
    uint32_t code; /* number of the instruction, enum fh_access_kind, enum fh_relation */
};

/* The same, and of a store the bytes of the cell that hold what it has left there, a mask. */
struct fh_kept {
    struct fh_past past;
    uint32_t same;
};
enum {
    FH_CODE_KIND_SHIFT = 26,
    FH_CODE_RELATION_SHIFT = 30,
    FH_CODE_NUMBER = (1 << FH_CODE_KIND_SHIFT) - 1,
};
static inline uint32_t fh_code(uint32_t number, enum fh_access_kind kind) {
    return (number & FH_CODE_NUMBER) | (uint32_t)kind << FH_CODE_KIND_SHIFT;
}
static inline enum fh_access_kind fh_code_kind(uint32_t code) {
    return (enum fh_access_kind)(code >> FH_CODE_KIND_SHIFT & 15);
}
static inline enum fh_relation fh_code_relation(uint32_t code) {
    return (enum fh_relation)(code >> FH_CODE_RELATION_SHIFT);
}
static inline uint32_t fh_code_related(uint32_t code, enum fh_relation relation) {
    return (code & ~(3U << FH_CODE_RELATION_SHIFT)) | (uint32_t)relation << FH_CODE_RELATION_SHIFT;
}

enum {
    FH_PAGE_SHIFT = 12,
    FH_PAGE_BYTES = 1 << FH_PAGE_SHIFT,
    FH_LISTED = 6,
    FH_TABLED = (256 << 20) / sizeof(struct fh_kept), /* 256 MiB */
};
#define FH_PENDING UINT32_MAX /* the time of an asynchronous copy that is not waited for */
#define FH_IN_LIST UINT32_MAX /* as a cell's `other.warp`: `other.lanes` is the index of a list */

struct fh_list {
    uint32_t count, next;        /* next: of those that are not in use */
    uint32_t used;               /* places of the table that are not free */
    uint32_t capacity;           /* of the table, a power of two; 0: there is none */
    struct fh_kept *table;       /* with open addressing; no time: free; no lanes: free again */
    uint16_t kinds, table_kinds; /* of all, and of the table, that there may be */
    uint16_t whole;              /* all bytes of the cell, as a mask */
    bool before;                 /* all of the table is FH_BEFORE, whatever the code there says */
    bool differs; /* there may be a store in it that has left something else: not all bytes are
                     `same` */
    /* Of the table: the last time of each kind, and the lowest and highest number of a warp. */
    uint32_t newest[FH_ACCESS_KINDS], lowest, highest;
    struct fh_kept kept[FH_LISTED];
};

struct fh_cell {
    struct fh_past write; /* the last one */
    struct fh_past other;
};

/* FH_PAGE_BYTES of memory, a cell for each 1, 4, 8 or 16 bytes: as many as every access so far has
 * been a multiple of. */
struct fh_cell_page {
    unsigned shift; /* 1 << shift bytes a cell */
    struct fh_cell *cells;
    uint16_t *same;              /* of each cell's `other`, as in fh_kept */
    uint8_t left[FH_PAGE_BYTES]; /* what was written there last */
};

/* All zero: empty. */
struct fh_touched {
    struct fh_number_map pages;
    uint32_t since; /* what cells hold of before is out of date */
    struct fh_list *lists;
    uint32_t list_count;
    size_t list_capacity;
    uint64_t tabled;      /* places of all tables */
    uint32_t free_list;   /* the index, plus 1, of one that is not in use; its `next`: the next */
    uint64_t last_number; /* of the page that was asked for last */
    struct fh_cell_page *last;
};

/* The page that `address` is in, with cells of 1 << shift bytes at most; shift 0, 2, 3 or 4. NULL
 * without host memory. */
struct fh_cell_page *fh_touched_page_found(struct fh_touched *shadow, uint64_t address,
                                           unsigned shift);
static inline struct fh_cell_page *fh_touched_page(struct fh_touched *shadow, uint64_t address,
                                                   unsigned shift) {
    struct fh_cell_page *last = shadow->last;
    return last && shadow->last_number == address >> FH_PAGE_SHIFT && last->shift <= shift
               ? last
               : fh_touched_page_found(shadow, address, shift);
}

/* A new list; its index in *index. NULL without host memory. Valid until the next one is made. */
struct fh_list *fh_touched_list(struct fh_touched *shadow, uint32_t *index);
void fh_touched_list_free(struct fh_touched *shadow, uint32_t index);

/* Lanes that did the same at the same time become one. */
bool fh_kept_join(struct fh_kept *kept, const struct fh_kept *more);
/* The same with one of the list's table, which there is. NULL: there is none to join. */
struct fh_past *fh_list_join(struct fh_list *list, const struct fh_kept *kept);
/* Adds an access to the list, or to its table if there is no room. */
void fh_list_put(struct fh_touched *shadow, struct fh_list *list, const struct fh_kept *kept);
/* The place of the table from which on a warp's accesses stand, up to the first free one. */
static inline uint32_t fh_list_place(const struct fh_list *list, uint32_t warp) {
    return (warp * UINT32_C(0x9e3779b1) >> 7) & (list->capacity - 1);
}
void fh_list_drop_table(struct fh_touched *shadow, struct fh_list *list);

/* Forgets all cells and lists at once: times from `since` on count. */
void fh_touched_forget(struct fh_touched *shadow, uint32_t since);
void fh_touched_free(struct fh_touched *shadow);

#endif
