/*
 * stream.h - streams and events: the order of what the device is asked to do.
 *
 * Without a seed everything is done at once, so every stream is always empty. With one, ops wait in
 * their streams; whoever waits for something has them done, a stream after the other as the seed
 * draws, and never against the order that CUDA promises: of each stream; of the legacy default
 * stream with all that block on it; of events.
 *
 * A stream that is being captured does nothing: what it is asked for becomes nodes of a graph.
 */
#ifndef FH_CUDA_STREAM_H
#define FH_CUDA_STREAM_H

#include "op.h"

#pragma GCC visibility push(default)

typedef struct fh_cuda_stream fh_cuda_stream;
typedef struct fh_cuda_node fh_cuda_node;

enum { FH_CUDA_STREAM_NONBLOCKING = 1 };

/* FH_CUDA_NO_MEMORY. */
fh_cuda_status fh_cuda_stream_new(unsigned flags, int priority, fh_cuda_stream **stream);
/* What it has been asked for is done first. FH_CUDA_INVALID_HANDLE, also for default streams. */
fh_cuda_status fh_cuda_stream_free(void *handle);
/* Of a handle of the API: 0 and 1 are the legacy default stream, 2 is the calling thread's. NULL if
 * it is no stream. */
fh_cuda_stream *fh_cuda_stream_of(const void *handle);
unsigned fh_cuda_stream_flags(const fh_cuda_stream *stream);
int fh_cuda_stream_priority(const fh_cuda_stream *stream);
uint64_t fh_cuda_stream_id(const fh_cuda_stream *stream);

/* Asks the stream to do it. The op is the stream's from then on, whatever the answer is. A fault of
 * a kernel that runs at once is answered by the calls that follow, as documented for asynchronous
 * errors: the answer is FH_CUDA_OK. */
fh_cuda_status fh_cuda_submit(fh_cuda_stream *stream, fh_cuda_op *op);
/* FH_CUDA_NOT_READY: something waits in it. */
fh_cuda_status fh_cuda_stream_query(fh_cuda_stream *stream);
/* Has done what the stream, or every stream (NULL), has been asked for. Answers the device's
 * status. FH_CUDA_CAPTURE_UNSUPPORTED if it, or one of them, is captured. */
fh_cuda_status fh_cuda_wait(fh_cuda_stream *stream);

/* ---------------------------------------------------------------- events */

enum { FH_CUDA_EVENT_NO_TIME = 2 };

fh_cuda_status fh_cuda_event_new(unsigned flags, fh_cuda_event **event);
fh_cuda_status fh_cuda_event_free(void *handle);
fh_cuda_event *fh_cuda_event_of(const void *handle); /* NULL: it is none */
fh_cuda_status fh_cuda_event_record(fh_cuda_event *event, fh_cuda_stream *stream);
/* What the stream is asked for from now on waits for the event's last record. */
fh_cuda_status fh_cuda_event_await(fh_cuda_event *event, fh_cuda_stream *stream);
fh_cuda_status fh_cuda_event_query(const fh_cuda_event *event);
fh_cuda_status fh_cuda_event_wait(fh_cuda_event *event);
/* Milliseconds of the host's clock. */
fh_cuda_status fh_cuda_event_elapsed(const fh_cuda_event *from, const fh_cuda_event *to, float *ms);
/* No two events ever have the same. */
uint64_t fh_cuda_event_number(const fh_cuda_event *event);
/* For op.c: the record of that generation has been made; 0: one that a graph makes. Nothing, if the
 * event of that number has been destroyed. */
void fh_cuda_event_happen(const fh_cuda_event *event, uint64_t number, uint64_t generation);

/* ---------------------------------------------------------------- capture */

typedef enum fh_cuda_capture_state {
    FH_CUDA_CAPTURE_NONE,
    FH_CUDA_CAPTURE_ACTIVE,
    FH_CUDA_CAPTURE_BROKEN, /* by an error: only ending it is possible */
} fh_cuda_capture_state;

/* Into a graph of its own (NULL), or into that one, behind `count` nodes. */
fh_cuda_status fh_cuda_capture_begin(fh_cuda_stream *stream, fh_cuda_graph *graph,
                                     fh_cuda_node *const *nodes, size_t count);
/* The graph is the caller's. */
fh_cuda_status fh_cuda_capture_end(fh_cuda_stream *stream, fh_cuda_graph **graph);
fh_cuda_capture_state fh_cuda_capture_of(const fh_cuda_stream *stream);
/* The graph, and the nodes that what comes next depends on; valid until something comes. */
fh_cuda_graph *fh_cuda_capture_graph(const fh_cuda_stream *stream, uint64_t *id,
                                     fh_cuda_node *const **nodes, size_t *count);
/* Replaces those nodes, or adds to them. */
fh_cuda_status fh_cuda_capture_depend(fh_cuda_stream *stream, fh_cuda_node *const *nodes,
                                      size_t count, bool add);
/* Something was asked for that a captured stream cannot do. */
void fh_cuda_capture_break(fh_cuda_stream *stream);
bool fh_cuda_any_capture(void);

/* Forgets all streams and events: for fh_cuda_reset. */
void fh_cuda_streams_end(void);

#pragma GCC visibility pop

#endif
