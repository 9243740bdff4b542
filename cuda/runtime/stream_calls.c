/*
 * stream_calls.c - streams, events, and capture into graphs.
 */
#include <stdlib.h>

#include "cudart.h"

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static fh_cuda_status make_stream(void **handle, unsigned flags, int priority) {
    fh_cuda_stream *stream;
    if (!handle || flags > FH_CUDA_STREAM_NONBLOCKING)
        return FH_CUDA_INVALID_VALUE;
    priority = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
    priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    fh_cuda_status status = fh_cuda_stream_new(flags, priority, &stream);
    if (status == FH_CUDA_OK)
        *handle = stream;
    return status;
}

CUDART cudart_error cudaStreamCreate(void **stream) {
    FH_CUDART_CALL(make_stream(stream, 0, 0));
}

CUDART cudart_error cudaStreamCreateWithFlags(void **stream, unsigned flags) {
    FH_CUDART_CALL(make_stream(stream, flags, 0));
}

CUDART cudart_error cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    FH_CUDART_CALL(make_stream(stream, flags, priority));
}

CUDART cudart_error cudaStreamDestroy(void *stream) {
    FH_CUDART_CALL(fh_cuda_stream_free(stream));
}

CUDART cudart_error cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return FH_CUDA_OK;
}

/* Stream calls with a place for an answer: `TELL` is an expression of the stream `s`. */
#define ASK(WHERE, HANDLE, TELL)                                                                   \
    do {                                                                                           \
        fh_cuda_status asked_ = fh_cuda_enter();                                                   \
        const fh_cuda_stream *s = fh_cuda_stream_of(HANDLE);                                       \
        if (asked_ == FH_CUDA_OK)                                                                  \
            asked_ = !(WHERE) ? FH_CUDA_INVALID_VALUE : !s ? FH_CUDA_INVALID_HANDLE : FH_CUDA_OK;  \
        if (asked_ == FH_CUDA_OK)                                                                  \
            *(WHERE) = (TELL);                                                                     \
        return fh_cudart_leave(asked_);                                                            \
    } while (0)

CUDART cudart_error cudaStreamGetPriority(void *stream, int *priority) {
    ASK(priority, stream, fh_cuda_stream_priority(s));
}

CUDART cudart_error cudaStreamGetFlags(void *stream, unsigned *flags) {
    ASK(flags, stream, fh_cuda_stream_flags(s));
}

CUDART cudart_error cudaStreamGetId(void *stream, unsigned long long *id) {
    ASK(id, stream, fh_cuda_stream_id(s));
}

CUDART cudart_error cudaStreamGetDevice(void *stream, int *device) {
    ASK(device, stream, 0);
}

CUDART cudart_error cudaStreamIsCapturing(void *stream, int *state) {
    ASK(state, stream, (int)fh_cuda_capture_of(s));
}

static fh_cuda_status with_stream(const void *handle, fh_cuda_status (*act)(fh_cuda_stream *)) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    return stream ? act(stream) : FH_CUDA_INVALID_HANDLE;
}

CUDART cudart_error cudaStreamSynchronize(void *stream) {
    FH_CUDART_CALL(with_stream(stream, fh_cuda_wait));
}

CUDART cudart_error cudaStreamQuery(void *stream) {
    FH_CUDART_CALL(with_stream(stream, fh_cuda_stream_query));
}

CUDART cudart_error cudaDeviceSynchronize(void) {
    FH_CUDART_CALL(fh_cuda_wait(NULL));
}

CUDART cudart_error cudaThreadSynchronize(void) {
    FH_CUDART_CALL(fh_cuda_wait(NULL));
}

static fh_cuda_status wait_event(const void *stream_handle, const void *event_handle,
                                 unsigned flags) {
    fh_cuda_stream *stream = fh_cuda_stream_of(stream_handle);
    fh_cuda_event *event = fh_cuda_event_of(event_handle);
    if (!stream || !event)
        return FH_CUDA_INVALID_HANDLE;
    return flags > 1 ? FH_CUDA_INVALID_VALUE : fh_cuda_event_await(event, stream);
}

CUDART cudart_error cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
    FH_CUDART_CALL(wait_event(stream, event, flags));
}

/* cudaStreamAddCallback: the function is told stream and status, too. */
struct callback {
    void (*call)(void *stream, cudart_error status, void *data);
    void *stream, *data;
};

static void call_back(void *data) {
    struct callback c = *(struct callback *)data;
    free(data);
    c.call(c.stream, FH_CUDA_OK, c.data);
}

static fh_cuda_status add_callback(void *stream, void (*call)(void *, cudart_error, void *),
                                   void *data, unsigned flags) {
    struct callback *c = malloc(sizeof *c);
    const fh_cuda_stream *s = fh_cuda_stream_of(stream);
    fh_cuda_status status = !call || flags          ? FH_CUDA_INVALID_VALUE
                            : !c                    ? FH_CUDA_NO_MEMORY
                            : !s                    ? FH_CUDA_INVALID_HANDLE
                            : fh_cuda_capture_of(s) ? FH_CUDA_CAPTURE_UNSUPPORTED
                                                    : FH_CUDA_OK;
    if (status != FH_CUDA_OK) {
        free(c);
        return status;
    }
    *c = (struct callback){call, stream, data};
    fh_cuda_op op = {.kind = FH_CUDA_OP_HOST, .host = {call_back, c}};
    return fh_cudart_submit(FH_CUDA_OK, &op, stream, false);
}

CUDART cudart_error cudaStreamAddCallback(void *stream, void (*call)(void *, cudart_error, void *),
                                          void *data, unsigned flags) {
    FH_CUDART_CALL(add_callback(stream, call, data, flags));
}

/* ---------------------------------------------------------------- events */

enum { EVENT_FLAGS = 7, EVENT_INTERPROCESS = 4 };

static fh_cuda_status make_event(void **handle, unsigned flags) {
    fh_cuda_event *event;
    if (!handle || flags & ~(unsigned)EVENT_FLAGS ||
        (flags & EVENT_INTERPROCESS && !(flags & FH_CUDA_EVENT_NO_TIME)))
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = fh_cuda_event_new(flags, &event);
    if (status == FH_CUDA_OK)
        *handle = event;
    return status;
}

CUDART cudart_error cudaEventCreate(void **event) {
    FH_CUDART_CALL(make_event(event, 0));
}

CUDART cudart_error cudaEventCreateWithFlags(void **event, unsigned flags) {
    FH_CUDART_CALL(make_event(event, flags));
}

CUDART cudart_error cudaEventDestroy(void *event) {
    FH_CUDART_CALL(fh_cuda_event_free(event));
}

static fh_cuda_status record(const void *event_handle, const void *stream_handle, unsigned flags) {
    fh_cuda_stream *stream = fh_cuda_stream_of(stream_handle);
    fh_cuda_event *event = fh_cuda_event_of(event_handle);
    if (!stream || !event)
        return FH_CUDA_INVALID_HANDLE;
    return flags > 1 ? FH_CUDA_INVALID_VALUE : fh_cuda_event_record(event, stream);
}

CUDART cudart_error cudaEventRecord(void *event, void *stream) {
    FH_CUDART_CALL(record(event, stream, 0));
}

CUDART cudart_error cudaEventRecordWithFlags(void *event, void *stream, unsigned flags) {
    FH_CUDART_CALL(record(event, stream, flags));
}

static fh_cuda_status query_event(const void *handle) {
    const fh_cuda_event *event = fh_cuda_event_of(handle);
    return event ? fh_cuda_event_query(event) : FH_CUDA_INVALID_HANDLE;
}

CUDART cudart_error cudaEventQuery(void *event) {
    FH_CUDART_CALL(query_event(event));
}

static fh_cuda_status wait_for_event(const void *handle) {
    fh_cuda_event *event = fh_cuda_event_of(handle);
    return event ? fh_cuda_event_wait(event) : FH_CUDA_INVALID_HANDLE;
}

CUDART cudart_error cudaEventSynchronize(void *event) {
    FH_CUDART_CALL(wait_for_event(event));
}

static fh_cuda_status elapsed(float *ms, const void *from, const void *to) {
    const fh_cuda_event *a = fh_cuda_event_of(from), *b = fh_cuda_event_of(to);
    if (!ms)
        return FH_CUDA_INVALID_VALUE;
    return a && b ? fh_cuda_event_elapsed(a, b, ms) : FH_CUDA_INVALID_HANDLE;
}

CUDART cudart_error cudaEventElapsedTime(float *ms, void *from, void *to) {
    FH_CUDART_CALL(elapsed(ms, from, to));
}

CUDART cudart_error cudaEventElapsedTime_v2(float *ms, void *from, void *to) {
    FH_CUDART_CALL(elapsed(ms, from, to));
}

/* ---------------------------------------------------------------- capture */

static fh_cuda_status begin_capture(const void *handle, int mode, fh_cuda_graph *graph,
                                    void *const *nodes, size_t count) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    if (!stream)
        return FH_CUDA_INVALID_HANDLE;
    if (mode < 0 || mode > 2 || (count && !nodes))
        return FH_CUDA_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        const fh_cuda_node *node = fh_cuda_node_of(nodes[i]);
        if (!node || node->graph != graph)
            return FH_CUDA_INVALID_VALUE;
    }
    return fh_cuda_capture_begin(stream, graph, (fh_cuda_node *const *)nodes, count);
}

CUDART cudart_error cudaStreamBeginCapture(void *stream, int mode) {
    FH_CUDART_CALL(begin_capture(stream, mode, NULL, NULL, 0));
}

CUDART cudart_error cudaStreamBeginCaptureToGraph(void *stream, void *graph, void *const *nodes,
                                                  const void *edges, size_t count, int mode) {
    (void)edges;
    FH_CUDART_CALL(fh_cuda_graph_of(graph, false) ? begin_capture(stream, mode, graph, nodes, count)
                                                  : FH_CUDA_INVALID_VALUE);
}

static fh_cuda_status end_capture(const void *handle, void **graph) {
    fh_cuda_stream *stream = fh_cuda_stream_of(handle);
    fh_cuda_graph *made;
    if (!stream || !graph)
        return stream ? FH_CUDA_INVALID_VALUE : FH_CUDA_INVALID_HANDLE;
    fh_cuda_status status = fh_cuda_capture_end(stream, &made);
    *graph = made;
    return status;
}

CUDART cudart_error cudaStreamEndCapture(void *stream, void **graph) {
    FH_CUDART_CALL(end_capture(stream, graph));
}

CUDART cudart_error cudaThreadExchangeStreamCaptureMode(int *mode) {
    static _Thread_local int kept;
    if (!mode || *mode < 0 || *mode > 2)
        return fh_cudart_remember(FH_CUDA_INVALID_VALUE);
    const int before = kept;
    kept = *mode;
    *mode = before;
    return FH_CUDA_OK;
}

/* `edges` is an answer that only CUDA 13, and _v3 before it, have. */
static fh_cuda_status capture_info(const void *handle, int *state, unsigned long long *id,
                                   void **graph, void *const **nodes, const void **edges,
                                   size_t *count) {
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
    if (edges)
        *edges = NULL;
    if (count)
        *count = tail_count;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaStreamGetCaptureInfo_v2(void *stream, int *state, unsigned long long *id,
                                                void **graph, void *const **nodes, size_t *count) {
    FH_CUDART_CALL(capture_info(stream, state, id, graph, nodes, NULL, count));
}

CUDART cudart_error cudaStreamGetCaptureInfo_v3(void *stream, int *state, unsigned long long *id,
                                                void **graph, void *const **nodes,
                                                const void **edges, size_t *count) {
    FH_CUDART_CALL(capture_info(stream, state, id, graph, nodes, edges, count));
}

/* Until CUDA 12 it has the first three arguments only. */
CUDART cudart_error cudaStreamGetCaptureInfo(void *stream, int *state, unsigned long long *id,
                                             void **graph, void *const **nodes, const void **edges,
                                             size_t *count) {
    FH_CUDART_CALL(fh_cudart_version < 13
                       ? capture_info(stream, state, id, NULL, NULL, NULL, NULL)
                       : capture_info(stream, state, id, graph, nodes, edges, count));
}

static fh_cuda_status update_capture(const void *handle, void *const *nodes, size_t count,
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

CUDART cudart_error cudaStreamUpdateCaptureDependencies_v2(void *stream, void *const *nodes,
                                                           const void *edges, size_t count,
                                                           unsigned flags) {
    (void)edges;
    FH_CUDART_CALL(update_capture(stream, nodes, count, flags));
}

/* Until CUDA 12 without edges. */
CUDART cudart_error cudaStreamUpdateCaptureDependencies(void *stream, void *const *nodes,
                                                        uintptr_t edges_or_count,
                                                        size_t count_or_flags, unsigned flags) {
    FH_CUDART_CALL(fh_cudart_version < 13
                       ? update_capture(stream, nodes, edges_or_count, (unsigned)count_or_flags)
                       : update_capture(stream, nodes, count_or_flags, flags));
}
