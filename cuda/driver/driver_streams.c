/*
 * driver_streams.c - streams, events, and capture into graphs.
 */
#include "driver.h"
#include "memory_handles.h"

DRIVER driver_result cuStreamCreate(void **stream, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_stream_make(stream, flags, FH_CUDA_LEAST_PRIORITY));
}

DRIVER driver_result cuStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
    FH_DRIVER_CALL(fh_cuda_stream_make(stream, flags, priority));
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

DRIVER driver_result cuStreamSynchronize(void *stream) {
    FH_DRIVER_CALL(fh_cuda_stream_with(stream, fh_cuda_wait));
}

DRIVER driver_result cuStreamQuery(void *stream) {
    FH_DRIVER_CALL(fh_cuda_stream_with(stream, fh_cuda_stream_query));
}

DRIVER driver_result cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_stream_await(stream, event, flags));
}

DRIVER driver_result cuStreamAddCallback(void *stream, void (*call)(void *, driver_result, void *),
                                         void *data, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_stream_call(stream, call, data, flags));
}

DRIVER driver_result cuStreamAttachMemAsync(void *stream, unsigned long long address, size_t bytes,
                                            unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_memory_attach(stream, address, bytes, flags));
}

/* ---------------------------------------------------------------- events */

DRIVER driver_result cuEventCreate(void **event, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_event_make(event, flags));
}

DRIVER driver_result cuEventDestroy_v2(void *event) {
    FH_DRIVER_CALL(fh_cuda_event_free(event));
}

DRIVER driver_result cuEventRecord(void *event, void *stream) {
    FH_DRIVER_CALL(fh_cuda_event_take(event, stream, 0));
}

DRIVER driver_result cuEventRecordWithFlags(void *event, void *stream, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_event_take(event, stream, flags));
}

DRIVER driver_result cuEventQuery(void *event) {
    FH_DRIVER_CALL(fh_cuda_event_ask(event));
}

DRIVER driver_result cuEventSynchronize(void *event) {
    FH_DRIVER_CALL(fh_cuda_event_until(event));
}

DRIVER driver_result cuEventElapsedTime(float *ms, void *from, void *to) {
    FH_DRIVER_CALL(fh_cuda_event_between(ms, from, to));
}

DRIVER driver_result cuEventElapsedTime_v2(float *ms, void *from, void *to) {
    FH_DRIVER_CALL(fh_cuda_event_between(ms, from, to));
}

/* ---------------------------------------------------------------- capture */

DRIVER driver_result cuStreamBeginCapture_v2(void *stream, int mode) {
    FH_DRIVER_CALL(fh_cuda_capture_start(stream, mode, false, NULL, NULL, 0));
}

DRIVER driver_result cuStreamEndCapture(void *stream, void **graph) {
    FH_DRIVER_CALL(fh_cuda_capture_stop(stream, graph));
}

DRIVER driver_result cuStreamGetCaptureInfo_v2(void *stream, int *state, uint64_t *id, void **graph,
                                               void *const **nodes, size_t *count) {
    FH_DRIVER_CALL(fh_cuda_capture_tell(stream, state, id, graph, nodes, NULL, count));
}

DRIVER driver_result cuStreamGetCaptureInfo_v3(void *stream, int *state, uint64_t *id, void **graph,
                                               void *const **nodes, const void **data,
                                               size_t *count) {
    FH_DRIVER_CALL(fh_cuda_capture_tell(stream, state, id, graph, nodes, data, count));
}

DRIVER driver_result cuStreamBeginCaptureToGraph(void *stream, void *graph, void *const *nodes,
                                                 const void *data, size_t count, int mode) {
    (void)data;
    FH_DRIVER_CALL(fh_cuda_capture_start(stream, mode, true, graph, nodes, count));
}

DRIVER driver_result cuStreamUpdateCaptureDependencies(void *stream, void *const *nodes,
                                                       size_t count, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_capture_follow(stream, nodes, count, flags));
}

DRIVER driver_result cuStreamUpdateCaptureDependencies_v2(void *stream, void *const *nodes,
                                                          const void *data, size_t count,
                                                          unsigned flags) {
    (void)data;
    FH_DRIVER_CALL(fh_cuda_capture_follow(stream, nodes, count, flags));
}

/* It needs no context. */
DRIVER driver_result cuThreadExchangeStreamCaptureMode(int *mode) {
    return fh_driver_result(fh_cuda_capture_mode(mode));
}
