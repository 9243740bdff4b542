/*
 * history.h - snapshots of global memory: versions that can be restored any number of times, in
 * time proportional to what differs.
 *
 *     version 1 ---- version 2 ---- version 3
 *                        \
 *                         version 4 - - - memory as it is now
 *
 * Versions form a tree. Memory itself stands somewhere behind one of them, its `base`; the edge
 * from there is the open one. An edge holds what differs between its two ends, pages and entries of
 * the list of allocations, as they are at the end that is farther from memory. So moving memory
 * across an edge swaps the two, and the edge can be crossed back at any time.
 *
 * The open edge is filled while memory changes: whoever is about to write says so, and the first
 * write to a page since the base saves what the page held (fh_history_page, _range). What kernels
 * write goes through an owner that asks (ownership.h); allocating and releasing ask by themselves
 * (memory.c). Memory that is mapped changes behind our back, so there is a copy of it, and it is
 * compared whole whenever the open edge ends.
 *
 * A memory without versions has no history, and nobody asks.
 */
#ifndef FH_HISTORY_H
#define FH_HISTORY_H

#include "allocations.h"

enum { FH_PAGE_SHIFT = 12, FH_PAGE = 1 << FH_PAGE_SHIFT };

struct fh_version;

/* Makes the memory as it is now a version, with the first one its history. NULL without host
 * memory; all is then as before. It holds until it is freed as often as it was taken: a memory that
 * has not changed gives its base again. */
struct fh_version *fh_history_take(struct fh_memory *memory);
/* When no version is left, the history ends. */
void fh_version_free(struct fh_memory *memory, struct fh_version *version);
/* Frees everything, versions included. */
void fh_history_end(struct fh_memory *memory);

/* An allocation has another meaning, place or size than before: whoever keeps something about its
 * number forgets it. */
typedef void fh_renumbered_fn(void *user, size_t number);
/* Bytes of all pages that are kept. */
uint64_t fh_history_bytes(const struct fh_history *history);
/* Memory becomes the version again. False without host memory, which only mapped memory needs; all
 * is then as before. */
bool fh_history_restore(struct fh_memory *memory, struct fh_version *version,
                        fh_renumbered_fn *renumbered, void *user);

/* To be called before a write to the page, or range, of an allocation that is live. False without
 * host memory: then it must not be written. */
bool fh_history_page(struct fh_history *history, size_t number, size_t page);
bool fh_history_range(struct fh_history *history, size_t number, uint64_t offset, uint64_t bytes);
/* The same for writes that have been made already, in several parts: before the first part, and for
 * each part with what it held. False without host memory: then all parts are to be undone. */
void fh_history_begin_late(struct fh_history *history);
bool fh_history_late(struct fh_history *history, size_t number, uint64_t offset, const void *held,
                     uint32_t bytes);
/* They have been undone, or will be before anything else happens. */
void fh_history_cancel_late(struct fh_history *history);

/* Before the entry in the list of allocations changes. If *owned becomes true, the bytes are kept
 * for the base, and must not be freed. False without host memory. */
bool fh_history_entry(struct fh_history *history, size_t number, bool *owned);

#endif
