/*
 * stream_handles.c - see stream_handles.h.
 */
#include "stream_handles.h"

#include <stdlib.h>

#include "graph.h"

/* ---------------------------------------------------------------- streams */

fh_cuda_status fh_cuda_stream_make(void **handle, unsigned flags, int priority) {
    fh_cuda_stream *stream;
    if (!handle || flags > FH_CUDA_STREAM_NONBLOCKING)
        return FH_CUDA_INVALID_VALUE;
    priority = priority > FH_CUDA_LEAST_PRIORITY ? FH_CUDA_LEAST_PRIORITY : priority;
    priority = priority < FH_CUDA_GREATEST_PRIORITY ? FH_CUDA_GREATEST_PRIORITY : priority;
    const fh_cuda_status status = fh_cuda_stream_new(flags, priority, &stream);
    if (status == FH_CUDA_OK)
        *handle = stream;
    return status;
}

fh_cuda_status fh_cuda_stream_with(const void *handle, fh_cuda_status (*act)(fh_cuda_stream *)) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    return stream ? act(stream) : FH_CUDA_INVALID_HANDLE;
}

/* What a stream and an event do together. */
static fh_cuda_status with_event(const void *stream_handle, const void *event_handle,
                                 unsigned flags,
                                 fh_cuda_status (*act)(fh_cuda_event *, fh_cuda_stream *)) {
    fh_cuda_stream *stream = fh_cuda_stream_of(stream_handle);
    fh_cuda_event *event = fh_cuda_event_of(event_handle);
    if (!stream || !event)
        return FH_CUDA_INVALID_HANDLE;
    return flags > 1 ? FH_CUDA_INVALID_VALUE : act(event, stream);
}

fh_cuda_status fh_cuda_stream_await(const void *stream, const void *event, unsigned flags) {
    return with_event(stream, event, flags, fh_cuda_event_await);
}

fh_cuda_status fh_cuda_stream_ask(fh_cuda_status status, fh_cuda_op *op, const void *handle,
                                  bool wait) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (status == FH_CUDA_OK && !stream)
        status = FH_CUDA_INVALID_HANDLE;
    if (status != FH_CUDA_OK) {
        fh_cuda_op_clear(op);
        return status;
    }
    status = fh_cuda_submit(stream, op);
    return status == FH_CUDA_OK && wait ? fh_cuda_wait(stream) : status;
}

fh_cuda_status fh_cuda_stream_host(const void *stream, void (*call)(void *), void *data) {
    fh_cuda_op op = {.kind = FH_CUDA_OP_HOST, .host = {call, data}};
    return fh_cuda_stream_ask(call ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE, &op, stream, false);
}

struct callback {
    fh_cuda_stream_function *call;
    void *stream, *data;
};

static void call_back(void *data) {
    const struct callback c = *(struct callback *)data;
    free(data);
    c.call(c.stream, FH_CUDA_OK, c.data);
}

fh_cuda_status fh_cuda_stream_call(void *handle, fh_cuda_stream_function *call, void *data,
                                   unsigned flags) {
    const fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (!stream || !call || flags)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    if (fh_cuda_capture_of(stream))
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    struct callback *c = malloc(sizeof *c);
    if (!c)
        return FH_CUDA_NO_MEMORY;
    *c = (struct callback){call, handle, data};
    fh_cuda_op op = {.kind = FH_CUDA_OP_HOST, .host = {call_back, c}};
    return fh_cuda_stream_ask(FH_CUDA_OK, &op, handle, false);
}

/* ---------------------------------------------------------------- events */

fh_cuda_status fh_cuda_event_make(void **handle, unsigned flags) {
    enum { EVENT_FLAGS = 7, INTERPROCESS = 4 };
    fh_cuda_event *event;
    if (!handle || flags > EVENT_FLAGS ||
        (flags & INTERPROCESS && !(flags & FH_CUDA_EVENT_NO_TIME)))
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_event_new(flags, &event);
    if (status == FH_CUDA_OK)
        *handle = event;
    return status;
}

fh_cuda_status fh_cuda_event_take(const void *event, const void *stream, unsigned flags) {
    return with_event(stream, event, flags, fh_cuda_event_record);
}

fh_cuda_status fh_cuda_event_ask(const void *handle) {
    const fh_cuda_event *event = fh_cuda_event_of(handle);
    return event ? fh_cuda_event_query(event) : FH_CUDA_INVALID_HANDLE;
}

fh_cuda_status fh_cuda_event_until(const void *handle) {
    fh_cuda_event *event = fh_cuda_event_of(handle);
    return event ? fh_cuda_event_wait(event) : FH_CUDA_INVALID_HANDLE;
}

fh_cuda_status fh_cuda_event_between(float *ms, const void *from_handle, const void *to_handle) {
    const fh_cuda_event *from = fh_cuda_event_of(from_handle), *to = fh_cuda_event_of(to_handle);
    if (!ms)
        return FH_CUDA_INVALID_VALUE;
    return from && to ? fh_cuda_event_elapsed(from, to, ms) : FH_CUDA_INVALID_HANDLE;
}

/* ---------------------------------------------------------------- capture */

enum { MODES = 3 };

static bool is_mode(int mode) {
    return mode >= 0 && mode < MODES;
}

fh_cuda_status fh_cuda_capture_start(const void *handle, int mode, bool given,
                                     const void *graph_handle, void *const *nodes, size_t count) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    fh_cuda_graph *graph = given ? fh_cuda_graph_of(graph_handle, false) : NULL;
    if (!stream)
        return FH_CUDA_INVALID_HANDLE;
    if (!is_mode(mode) || (given && !graph))
        return FH_CUDA_INVALID_VALUE;
    return fh_cuda_capture_begin(stream, graph, (fh_cuda_node *const *)nodes, count);
}

fh_cuda_status fh_cuda_capture_stop(const void *handle, void **graph) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    fh_cuda_graph *made = NULL;
    if (!stream || !graph)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    const fh_cuda_status status = fh_cuda_capture_end(stream, &made);
    *graph = made;
    return status;
}

fh_cuda_status fh_cuda_capture_tell(const void *handle, int *state, uint64_t *id, void **graph,
                                    void *const **nodes, const void **data, size_t *count) {
    const fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    uint64_t number;
    fh_cuda_node *const *tail;
    size_t tail_count;
    if (!stream || !state)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    *state = (int)fh_cuda_capture_of(stream);
    if (*state != FH_CUDA_CAPTURE_ACTIVE)
        return FH_CUDA_OK;
    fh_cuda_graph *made = fh_cuda_capture_graph(stream, &number, &tail, &tail_count);
    if (id)
        *id = number;
    if (graph)
        *graph = made;
    if (nodes)
        *nodes = (void *const *)tail;
    if (data)
        *data = NULL;
    if (count)
        *count = tail_count;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_capture_follow(const void *handle, void *const *nodes, size_t count,
                                      unsigned flags) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (!stream)
        return FH_CUDA_INVALID_HANDLE;
    if (fh_cuda_capture_of(stream) != FH_CUDA_CAPTURE_ACTIVE)
        return FH_CUDA_ILLEGAL_STATE;
    if (flags > 1)
        return FH_CUDA_INVALID_VALUE;
    return fh_cuda_capture_depend(stream, (fh_cuda_node *const *)nodes, count, flags == 0);
}

fh_cuda_status fh_cuda_capture_mode(int *mode) {
    static _Thread_local int kept;
    if (!mode || !is_mode(*mode))
        return FH_CUDA_INVALID_VALUE;
    const int before = kept;
    kept = *mode;
    *mode = before;
    return FH_CUDA_OK;
}
