/*
 * stream_calls.c - streams, events, and capture into graphs.
 */
#include "cudart.h"

CUDART cudart_error cudaStreamCreate(void **stream) {
    FH_CUDART_CALL(fh_cuda_stream_make(stream, 0, 0));
}

CUDART cudart_error cudaStreamCreateWithFlags(void **stream, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_stream_make(stream, flags, 0));
}

CUDART cudart_error cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    FH_CUDART_CALL(fh_cuda_stream_make(stream, flags, priority));
}

CUDART cudart_error cudaStreamDestroy(void *stream) {
    FH_CUDART_CALL(fh_cuda_stream_free(stream));
}

CUDART cudart_error cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = FH_CUDA_LEAST_PRIORITY;
    if (greatest)
        *greatest = FH_CUDA_GREATEST_PRIORITY;
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

CUDART cudart_error cudaStreamGetId(void *stream, uint64_t *id) {
    ASK(id, stream, fh_cuda_stream_id(s));
}

CUDART cudart_error cudaStreamGetDevice(void *stream, int *device) {
    ASK(device, stream, 0);
}

CUDART cudart_error cudaStreamIsCapturing(void *stream, int *state) {
    ASK(state, stream, (int)fh_cuda_capture_of(s));
}

CUDART cudart_error cudaStreamSynchronize(void *stream) {
    FH_CUDART_CALL(fh_cuda_stream_with(stream, fh_cuda_wait));
}

CUDART cudart_error cudaStreamQuery(void *stream) {
    FH_CUDART_CALL(fh_cuda_stream_with(stream, fh_cuda_stream_query));
}

CUDART cudart_error cudaDeviceSynchronize(void) {
    FH_CUDART_CALL(fh_cuda_wait(NULL));
}

CUDART cudart_error cudaThreadSynchronize(void) {
    FH_CUDART_CALL(fh_cuda_wait(NULL));
}

CUDART cudart_error cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_stream_await(stream, event, flags));
}

CUDART cudart_error cudaStreamAddCallback(void *stream, void (*call)(void *, cudart_error, void *),
                                          void *data, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_stream_call(stream, call, data, flags));
}

/* ---------------------------------------------------------------- events */

CUDART cudart_error cudaEventCreate(void **event) {
    FH_CUDART_CALL(fh_cuda_event_make(event, 0));
}

CUDART cudart_error cudaEventCreateWithFlags(void **event, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_event_make(event, flags));
}

CUDART cudart_error cudaEventDestroy(void *event) {
    FH_CUDART_CALL(fh_cuda_event_free(event));
}

CUDART cudart_error cudaEventRecord(void *event, void *stream) {
    FH_CUDART_CALL(fh_cuda_event_take(event, stream, 0));
}

CUDART cudart_error cudaEventRecordWithFlags(void *event, void *stream, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_event_take(event, stream, flags));
}

CUDART cudart_error cudaEventQuery(void *event) {
    FH_CUDART_CALL(fh_cuda_event_ask(event));
}

CUDART cudart_error cudaEventSynchronize(void *event) {
    FH_CUDART_CALL(fh_cuda_event_until(event));
}

CUDART cudart_error cudaEventElapsedTime(float *ms, void *from, void *to) {
    FH_CUDART_CALL(fh_cuda_event_between(ms, from, to));
}

CUDART cudart_error cudaEventElapsedTime_v2(float *ms, void *from, void *to) {
    FH_CUDART_CALL(fh_cuda_event_between(ms, from, to));
}

/* ---------------------------------------------------------------- capture */

CUDART cudart_error cudaStreamBeginCapture(void *stream, int mode) {
    FH_CUDART_CALL(fh_cuda_capture_start(stream, mode, false, NULL, NULL, 0));
}

CUDART cudart_error cudaStreamBeginCaptureToGraph(void *stream, void *graph, void *const *nodes,
                                                  const void *edges, size_t count, int mode) {
    (void)edges;
    FH_CUDART_CALL(fh_cuda_capture_start(stream, mode, true, graph, nodes, count));
}

CUDART cudart_error cudaStreamEndCapture(void *stream, void **graph) {
    FH_CUDART_CALL(fh_cuda_capture_stop(stream, graph));
}

CUDART cudart_error cudaThreadExchangeStreamCaptureMode(int *mode) {
    return fh_cudart_remember(fh_cuda_capture_mode(mode));
}

CUDART cudart_error cudaStreamGetCaptureInfo_v2(void *stream, int *state, uint64_t *id,
                                                void **graph, void *const **nodes, size_t *count) {
    FH_CUDART_CALL(fh_cuda_capture_tell(stream, state, id, graph, nodes, NULL, count));
}

CUDART cudart_error cudaStreamGetCaptureInfo_v3(void *stream, int *state, uint64_t *id,
                                                void **graph, void *const **nodes,
                                                const void **edges, size_t *count) {
    FH_CUDART_CALL(fh_cuda_capture_tell(stream, state, id, graph, nodes, edges, count));
}

/* Until CUDA 12 it has the first three arguments only. */
CUDART cudart_error cudaStreamGetCaptureInfo(void *stream, int *state, uint64_t *id, void **graph,
                                             void *const **nodes, const void **edges,
                                             size_t *count) {
    FH_CUDART_CALL(fh_cudart_version < 13
                       ? fh_cuda_capture_tell(stream, state, id, NULL, NULL, NULL, NULL)
                       : fh_cuda_capture_tell(stream, state, id, graph, nodes, edges, count));
}

CUDART cudart_error cudaStreamUpdateCaptureDependencies_v2(void *stream, void *const *nodes,
                                                           const void *edges, size_t count,
                                                           unsigned flags) {
    (void)edges;
    FH_CUDART_CALL(fh_cuda_capture_follow(stream, nodes, count, flags));
}

/* Until CUDA 12 without edges. */
CUDART cudart_error cudaStreamUpdateCaptureDependencies(void *stream, void *const *nodes,
                                                        uintptr_t edges_or_count,
                                                        size_t count_or_flags, unsigned flags) {
    FH_CUDART_CALL(
        fh_cudart_version < 13
            ? fh_cuda_capture_follow(stream, nodes, edges_or_count, (unsigned)count_or_flags)
            : fh_cuda_capture_follow(stream, nodes, count_or_flags, flags));
}
