/*
 * stream_handles.h - what both faces of CUDA do with streams, events and captures by their handles.
 * FH_CUDA_INVALID_HANDLE: a handle is none; FH_CUDA_INVALID_VALUE: another argument is wrong, or
 * there is no place for the answer.
 */
#ifndef FH_CUDA_STREAM_HANDLES_H
#define FH_CUDA_STREAM_HANDLES_H

#include "stream.h"

#pragma GCC visibility push(default)

enum { FH_CUDA_LEAST_PRIORITY = 0, FH_CUDA_GREATEST_PRIORITY = -5 };
fh_cuda_status fh_cuda_stream_make(void **stream, unsigned flags, int priority);
fh_cuda_status fh_cuda_stream_with(const void *stream, fh_cuda_status (*act)(fh_cuda_stream *));
fh_cuda_status fh_cuda_stream_await(const void *stream, const void *event, unsigned flags);
/* The function is told stream and status, too. */
typedef void fh_cuda_stream_function(void *stream, int status, void *data);
fh_cuda_status fh_cuda_stream_call(void *stream, fh_cuda_stream_function *call, void *data,
                                   unsigned flags);
fh_cuda_status fh_cuda_stream_host(const void *stream, void (*call)(void *), void *data);
/* The op, which is cleared if it was not made (`status`), for the stream; done by the end of the
 * call if `wait`. */
fh_cuda_status fh_cuda_stream_ask(fh_cuda_status status, fh_cuda_op *op, const void *stream,
                                  bool wait);

fh_cuda_status fh_cuda_event_make(void **event, unsigned flags);
fh_cuda_status fh_cuda_event_take(const void *event, const void *stream, unsigned flags);
fh_cuda_status fh_cuda_event_ask(const void *event);
fh_cuda_status fh_cuda_event_until(const void *event);
fh_cuda_status fh_cuda_event_between(float *ms, const void *from, const void *to);

/* Into a graph of its own, or with `given` into that one, behind `count` of its nodes. */
fh_cuda_status fh_cuda_capture_start(const void *stream, int mode, bool given, const void *graph,
                                     void *const *nodes, size_t count);
fh_cuda_status fh_cuda_capture_stop(const void *stream, void **graph);
/* All but `state` are told of an active capture only, where there is a place for them. */
fh_cuda_status fh_cuda_capture_tell(const void *stream, int *state, uint64_t *id, void **graph,
                                    void *const **nodes, const void **data, size_t *count);
fh_cuda_status fh_cuda_capture_follow(const void *stream, void *const *nodes, size_t count,
                                      unsigned flags);
/* Which calls other threads may make while one captures: any may, so it is only kept. */
fh_cuda_status fh_cuda_capture_mode(int *mode);

#pragma GCC visibility pop

#endif
