/*
 * timeline.c - keeping what an SM issued: see timeline.h.
 */
#include "timeline.h"

#include <stdlib.h>

void fh_timeline_free(struct fh_timeline *t) {
    free(t->events);
    free(t->launches);
    *t = (struct fh_timeline){0};
}

void fh_timeline_launch(struct fh_timeline *t, const struct fh_profiled_kernel *kernel,
                        uint64_t begin) {
    struct fh_timeline_launch *list =
        realloc(t->launches, (t->launch_count + 1) * sizeof *t->launches);
    if (!list) {
        t->failed = true;
        return;
    }
    t->launches = list;
    list[t->launch_count++] = (struct fh_timeline_launch){kernel, begin, t->count};
}

void fh_timeline_add(struct fh_timeline *t, const struct fh_timeline_event *event) {
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
        struct fh_timeline_event *list = realloc(t->events, room * sizeof *list);
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
