/*
 * event_log.h - the events of observers as text, for people and for expectations by hand, and as
 * one number each, for comparing runs.
 */
#ifndef FH_TESTS_EVENT_LOG_H
#define FH_TESTS_EVENT_LOG_H

#include "emu_util.h"
#include "fhec_observe.h"

struct event_log {
    uint64_t *hashes; /* of each event, with all its values */
    size_t count, room;
    size_t wanted; /* the event whose text is kept; SIZE_MAX: of all that there is room for */
    char text[40000];
    size_t used;
};

/* A log that keeps hashes, and the text of one event (counted from 0), of all (SIZE_MAX), or of
 * none (SIZE_MAX - 1). */
struct event_log *event_log_new(size_t wanted);
void event_log_free(struct event_log *log);

/* An observer of everything, for one host thread or, with `threads`, for several. */
fhec_observer event_log_observer(struct event_log *log, bool threads);

/* The index of the first event in which the logs differ; SIZE_MAX: none. */
size_t event_log_differ(const struct event_log *a, const struct event_log *b);

#endif
