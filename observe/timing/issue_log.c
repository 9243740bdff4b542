/*
 * issue_log.c - keeping what an SM issued: see issue_log.h.
 */
#include "issue_log.h"

#include <stdlib.h>

void fh_issue_log_free(struct fh_issue_log *t) {
    free(t->events);
    free(t->launches);
    *t = (struct fh_issue_log){0};
}

void fh_issue_log_launch(struct fh_issue_log *t, const struct fh_profiled_kernel *kernel,
                         uint64_t begin) {
    if (!fh_trace_room(&t->launches, &t->launch_room, t->launch_count + 1, sizeof *t->launches)) {
        t->failed = true;
        return;
    }
    t->launches[t->launch_count++] = (struct fh_issue_log_launch){kernel, begin, t->count};
}

void fh_issue_log_add(struct fh_issue_log *t, const struct fh_issue_log_event *event) {
    if (!t->launch_count)
        return;
    const uint64_t base = t->launches[t->launch_count - 1].begin;
    if (base + event->begin < t->from || base + event->begin >= t->to)
        return;
    if (t->count == t->most) {
        t->left++;
        return;
    }
    if (!fh_trace_room(&t->events, &t->room, t->count + 1, sizeof *t->events)) {
        t->failed = true;
        return;
    }
    t->events[t->count] = *event;
    t->events[t->count].begin += base;
    t->events[t->count++].end += base;
}
