/*
 * warp_queues.h - records that are kept until they are asked for, in a queue for each warp of each
 * launch.
 */
#ifndef FH_TRACE_WARP_QUEUES_H
#define FH_TRACE_WARP_QUEUES_H

#include "record.h"

struct fh_trace_kept {
    struct fh_trace_record record; /* with its own registers and accesses */
    struct fh_trace_kept *next;
};

struct fh_trace_queue {
    uint64_t launch; /* number */
    uint32_t block[3], warp;
    bool closed; /* nothing more of the warp is of interest */
    struct fh_trace_kept *first, *last;
    struct fh_trace_queue *next;       /* in order of their first mention */
    struct fh_trace_queue *same_place; /* in the table */
};

struct fh_trace_queues {
    struct fh_trace_queue *first, *last;
    struct fh_trace_queue **table; /* by hash; its size is a power of two, or 0 */
    size_t count, size;
};

void fh_trace_queues_free(struct fh_trace_queues *queues);
/* That of the record's warp, empty if there was none. NULL without host memory. */
struct fh_trace_queue *fh_trace_queue_of(struct fh_trace_queues *queues, uint64_t launch,
                                         const struct fh_trace_record *record);
/* Puts a copy at the end. False without host memory. */
bool fh_trace_queue_put(struct fh_trace_queue *queue, const struct fh_trace_record *record);
/* Takes the first one, which the caller then has; NULL: there is none. */
struct fh_trace_kept *fh_trace_queue_take(struct fh_trace_queue *queue);
/* May be NULL. */
void fh_trace_kept_free(struct fh_trace_kept *kept);
/* Empties the queue for good. */
void fh_trace_queue_close(struct fh_trace_queue *queue);

#endif
