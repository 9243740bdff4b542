/*
 * driver_streams.c - streams, events, and capture into graphs.
 */
#include <stdlib.h>

#include "driver.h"
#include "graph.h"

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static fh_cuda_status make_stream(void **handle, unsigned flags, int priority) {
    fh_cuda_stream *stream;
    if (!handle || flags > FH_CUDA_STREAM_NONBLOCKING)
        return FH_CUDA_INVALID_VALUE;
    priority = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
    priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    const fh_cuda_status status = fh_cuda_stream_new(flags, priority, &stream);
    if (status == FH_CUDA_OK)
        *handle = stream;
    return status;
}

DRIVER driver_result cuStreamCreate(void **stream, unsigned flags) {
    FH_DRIVER_CALL(make_stream(stream, flags, LEAST_PRIORITY));
}

DRIVER driver_result cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    FH_DRIVER_CALL(make_stream(stream, flags, priority));
}

DRIVER driver_result cuStreamDestroy_v2(void *stream) {
    FH_DRIVER_CALL(fh_cuda_stream_free(stream));
}

/* Stream calls with a place for an answer: `TELL` is an expression of the stream `s`. */
#define ASK(WHERE, HANDLE, TELL)                                                                   \
    do {                                                                                           \
        fh_cuda_status asked_ = fh_driver_enter();                                                 \
        const fh_cuda_stream *s = fh_cuda_stream_of(HANDLE);                                       \
        if (asked_ == FH_CUDA_OK)                                                                  \
            asked_ = !(WHERE) ? FH_CUDA_INVALID_VALUE : !s ? FH_CUDA_INVALID_HANDLE : FH_CUDA_OK;  \
        if (asked_ == FH_CUDA_OK)                                                                  \
            *(WHERE) = (TELL);                                                                     \
        return fh_driver_leave(asked_);                                                            \
    } while (0)

DRIVER driver_result cuStreamGetPriority(void *stream, int *priority) {
    ASK(priority, stream, fh_cuda_stream_priority(s));
}

DRIVER driver_result cuStreamGetFlags(void *stream, unsigned *flags) {
    ASK(flags, stream, fh_cuda_stream_flags(s));
}

DRIVER driver_result cuStreamGetId(void *stream, unsigned long long *id) {
    ASK(id, stream, fh_cuda_stream_id(s));
}

DRIVER driver_result cuStreamGetDevice(void *stream, int *device) {
    ASK(device, stream, 0);
}

DRIVER driver_result cuStreamGetCtx(void *stream, void **context) {
    ASK(context, stream, fh_driver_context());
}

DRIVER driver_result cuStreamIsCapturing(void *stream, int *state) {
    ASK(state, stream, (int)fh_cuda_capture_of(s));
}

static fh_cuda_status with_stream(const void *handle, fh_cuda_status (*act)(fh_cuda_stream *)) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    return stream ? act(stream) : FH_CUDA_INVALID_HANDLE;
}

DRIVER driver_result cuStreamSynchronize(void *stream) {
    FH_DRIVER_CALL(with_stream(stream, fh_cuda_wait));
}

DRIVER driver_result cuStreamQuery(void *stream) {
    FH_DRIVER_CALL(with_stream(stream, fh_cuda_stream_query));
}

static fh_cuda_status wait_event(const void *stream_handle, const void *event_handle,
                                 unsigned flags) {
    fh_cuda_stream *stream = fh_cuda_stream_of(stream_handle);
    fh_cuda_event *event = fh_cuda_event_of(event_handle);
    if (!stream || !event)
        return FH_CUDA_INVALID_HANDLE;
    return flags > 1 ? FH_CUDA_INVALID_VALUE : fh_cuda_event_await(event, stream);
}

DRIVER driver_result cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    FH_DRIVER_CALL(wait_event(stream, event, flags));
}

/* cuStreamAddCallback: the function is told stream and status, too. */
struct callback {
    void (*call)(void *stream, driver_result status, void *data);
    void *stream, *data;
};

static void call_back(void *data) {
    const struct callback c = *(struct callback *)data;
    free(data);
    c.call(c.stream, FH_CUDA_OK, c.data);
}

static fh_cuda_status add_callback(void *stream, void (*call)(void *, driver_result, void *),
                                   void *data, unsigned flags) {
    const fh_cuda_stream *s = fh_cuda_stream_of(stream);
    if (!call || flags)
        return FH_CUDA_INVALID_VALUE;
    if (!s)
        return FH_CUDA_INVALID_HANDLE;
    if (fh_cuda_capture_of(s))
        return FH_CUDA_CAPTURE_UNSUPPORTED;
    struct callback *c = malloc(sizeof *c);
    if (!c)
        return FH_CUDA_NO_MEMORY;
    *c = (struct callback){call, stream, data};
    fh_cuda_op op = {.kind = FH_CUDA_OP_HOST, .host = {call_back, c}};
    return fh_driver_submit(FH_CUDA_OK, &op, stream, false);
}

DRIVER driver_result cuStreamAddCallback(void *stream, void (*call)(void *, driver_result, void *),
                                         void *data, unsigned flags) {
    FH_DRIVER_CALL(add_callback(stream, call, data, flags));
}

static fh_cuda_status attach(const void *stream, uint64_t address, unsigned flags) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!fh_cuda_stream_of(stream))
        return FH_CUDA_INVALID_HANDLE;
    return r && r->kind == FH_CUDA_MANAGED && (flags == 1 || flags == 2 || flags == 4)
               ? FH_CUDA_OK
               : FH_CUDA_INVALID_VALUE;
}

DRIVER driver_result cuStreamAttachMemAsync(void *stream, unsigned long long address, size_t bytes,
                                            unsigned flags) {
    FH_DRIVER_CALL(((void)bytes, attach(stream, address, flags)));
}

/* ---------------------------------------------------------------- events */

static fh_cuda_status make_event(void **handle, unsigned flags) {
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

DRIVER driver_result cuEventCreate(void **event, unsigned flags) {
    FH_DRIVER_CALL(make_event(event, flags));
}

DRIVER driver_result cuEventDestroy_v2(void *event) {
    FH_DRIVER_CALL(fh_cuda_event_free(event));
}

static fh_cuda_status record(const void *event_handle, const void *stream_handle, unsigned flags) {
    fh_cuda_stream *stream = fh_cuda_stream_of(stream_handle);
    fh_cuda_event *event = fh_cuda_event_of(event_handle);
    if (!stream || !event)
        return FH_CUDA_INVALID_HANDLE;
    return flags > 1 ? FH_CUDA_INVALID_VALUE : fh_cuda_event_record(event, stream);
}

DRIVER driver_result cuEventRecord(void *event, void *stream) {
    FH_DRIVER_CALL(record(event, stream, 0));
}

DRIVER driver_result cuEventRecordWithFlags(void *event, void *stream, unsigned flags) {
    FH_DRIVER_CALL(record(event, stream, flags));
}

static fh_cuda_status query_event(const void *handle) {
    const fh_cuda_event *event = fh_cuda_event_of(handle);
    return event ? fh_cuda_event_query(event) : FH_CUDA_INVALID_HANDLE;
}

DRIVER driver_result cuEventQuery(void *event) {
    FH_DRIVER_CALL(query_event(event));
}

static fh_cuda_status wait_for_event(const void *handle) {
    fh_cuda_event *event = fh_cuda_event_of(handle);
    return event ? fh_cuda_event_wait(event) : FH_CUDA_INVALID_HANDLE;
}

DRIVER driver_result cuEventSynchronize(void *event) {
    FH_DRIVER_CALL(wait_for_event(event));
}

static fh_cuda_status elapsed(float *ms, const void *from_handle, const void *to_handle) {
    const fh_cuda_event *from = fh_cuda_event_of(from_handle), *to = fh_cuda_event_of(to_handle);
    if (!ms)
        return FH_CUDA_INVALID_VALUE;
    return from && to ? fh_cuda_event_elapsed(from, to, ms) : FH_CUDA_INVALID_HANDLE;
}

DRIVER driver_result cuEventElapsedTime(float *ms, void *from, void *to) {
    FH_DRIVER_CALL(elapsed(ms, from, to));
}

DRIVER driver_result cuEventElapsedTime_v2(float *ms, void *from, void *to) {
    FH_DRIVER_CALL(elapsed(ms, from, to));
}

/* ---------------------------------------------------------------- capture */

static fh_cuda_status begin_capture(const void *handle, int mode) {
    enum { MODES = 3 };
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (!stream)
        return FH_CUDA_INVALID_HANDLE;
    return mode < 0 || mode >= MODES ? FH_CUDA_INVALID_VALUE
                                     : fh_cuda_capture_begin(stream, NULL, NULL, 0);
}

DRIVER driver_result cuStreamBeginCapture_v2(void *stream, int mode) {
    FH_DRIVER_CALL(begin_capture(stream, mode));
}

static fh_cuda_status end_capture(const void *handle, void **graph) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    fh_cuda_graph *made = NULL;
    if (!graph)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status =
        stream ? fh_cuda_capture_end(stream, &made) : FH_CUDA_INVALID_HANDLE;
    *graph = made;
    return status;
}

DRIVER driver_result cuStreamEndCapture(void *stream, void **graph) {
    FH_DRIVER_CALL(end_capture(stream, graph));
}

/* Until CUDA 12 there was no edge data. */
static fh_cuda_status capture_info(const void *handle, int *state, uint64_t *id, void **graph,
                                   void *const **nodes, const void **data, size_t *count) {
    const fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    uint64_t own_id = 0;
    fh_cuda_node *const *list = NULL;
    size_t own_count = 0;
    if (!stream || !state)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    *state = (int)fh_cuda_capture_of(stream);
    fh_cuda_graph *captured = fh_cuda_capture_graph(stream, &own_id, &list, &own_count);
    if (id)
        *id = own_id;
    if (graph)
        *graph = captured;
    if (nodes)
        *nodes = (void *const *)list;
    if (data)
        *data = NULL;
    if (count)
        *count = own_count;
    return FH_CUDA_OK;
}

DRIVER driver_result cuStreamGetCaptureInfo_v2(void *stream, int *state, uint64_t *id, void **graph,
                                               void *const **nodes, size_t *count) {
    FH_DRIVER_CALL(capture_info(stream, state, id, graph, nodes, NULL, count));
}

DRIVER driver_result cuStreamGetCaptureInfo_v3(void *stream, int *state, uint64_t *id, void **graph,
                                               void *const **nodes, const void **data,
                                               size_t *count) {
    FH_DRIVER_CALL(capture_info(stream, state, id, graph, nodes, data, count));
}

static fh_cuda_status capture_to(const void *handle, const void *graph_handle, void *const *nodes,
                                 size_t count) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    fh_cuda_graph *graph = fh_cuda_graph_of(graph_handle, false);
    if (!stream || !graph)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    return fh_cuda_capture_begin(stream, graph, (fh_cuda_node *const *)nodes, count);
}

DRIVER driver_result cuStreamBeginCaptureToGraph(void *stream, void *graph, void *const *nodes,
                                                 const void *data, size_t count, int mode) {
    (void)data, (void)mode;
    FH_DRIVER_CALL(capture_to(stream, graph, nodes, count));
}

static fh_cuda_status capture_behind(const void *handle, void *const *nodes, size_t count,
                                     unsigned flags) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (!stream || flags > 1)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    return fh_cuda_capture_depend(stream, (fh_cuda_node *const *)nodes, count, !flags);
}

DRIVER driver_result cuStreamUpdateCaptureDependencies(void *stream, void *const *nodes,
                                                       size_t count, unsigned flags) {
    FH_DRIVER_CALL(capture_behind(stream, nodes, count, flags));
}

DRIVER driver_result cuStreamUpdateCaptureDependencies_v2(void *stream, void *const *nodes,
                                                          const void *data, size_t count,
                                                          unsigned flags) {
    (void)data;
    FH_DRIVER_CALL(capture_behind(stream, nodes, count, flags));
}

/* Which calls other threads may make while one captures: here any may. */
DRIVER driver_result cuThreadExchangeStreamCaptureMode(int *mode) {
    static _Thread_local int current;
    enum { MODES = 3 };
    if (!mode || *mode < 0 || *mode >= MODES)
        return FH_CUDA_INVALID_VALUE;
    const int before = current;
    current = *mode;
    *mode = before;
    return FH_CUDA_OK;
}
