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
    struct fh_issue_log_launch *list =
        realloc(t->launches, (t->launch_count + 1) * sizeof *t->launches);
    if (!list) {
        t->failed = true;
        return;
    }
    t->launches = list;
    list[t->launch_count++] = (struct fh_issue_log_launch){kernel, begin, t->count};
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
    if (t->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 1024;
        struct fh_issue_log_event *list = realloc(t->events, room * sizeof *list);
        if (!list) {
            t->failed = true;
            return;
        }
        t->events = list;
        t->room = room;
    }
    t->events[t->count] = *event;
    t->events[t->count].begin += base;
    t->events[t->count++].end += base;
}
