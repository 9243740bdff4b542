/*
 * op.h - one thing that a stream is asked to do, or a node of a graph does.
 */
#ifndef FH_CUDA_OP_H
#define FH_CUDA_OP_H

#include "cuda_launch.h"
#include "cuda_memory.h"

#pragma GCC visibility push(default)

typedef struct fh_cuda_event fh_cuda_event;
typedef struct fh_cuda_graph fh_cuda_graph;

typedef enum fh_cuda_op_kind {
    FH_CUDA_OP_EMPTY,
    FH_CUDA_OP_LAUNCH,
    FH_CUDA_OP_COPY,
    FH_CUDA_OP_FILL,
    FH_CUDA_OP_HOST,   /* a function of the host */
    FH_CUDA_OP_RECORD, /* of an event */
    FH_CUDA_OP_WAIT,   /* for one */
    FH_CUDA_OP_ALLOC,  /* only as a node, at an address that is reserved before */
    FH_CUDA_OP_FREE,
    FH_CUDA_OP_GRAPH, /* all nodes of a graph, of which it has its own copy */
} fh_cuda_op_kind;

typedef struct fh_cuda_op {
    fh_cuda_op_kind kind;
    uint32_t range; /* the range of the call that asked a stream for it (range.h) */
    union {
        fh_cuda_launch launch;
        struct {
            fh_cuda_copy what;
            fh_cuda_copy_kind kind;
            void *staged; /* its source, read when the stream was asked; NULL: it is read later */
        } copy;
        fh_cuda_fill fill;
        struct {
            void (*call)(void *data);
            void *data;
        } host;
        struct {
            fh_cuda_event *event; /* which may be gone, and another one have its place: */
            uint64_t number;      /* of the event, fh_cuda_event_number */
            uint64_t generation;  /* of the record that is made, or waited for */
        } event;
        struct {
            uint64_t address, bytes;
        } memory;
        fh_cuda_graph *graph;
    };
} fh_cuda_op;

/* Does it now; of faults the status is the device's for good. */
fh_cuda_status fh_cuda_op_run(const fh_cuda_op *op);
/* A copy that has its own parameters and graphs; FH_CUDA_NO_MEMORY. */
fh_cuda_status fh_cuda_op_copy(fh_cuda_op *to, const fh_cuda_op *from);
/* Frees what belongs to it. */
void fh_cuda_op_clear(fh_cuda_op *op);

#pragma GCC visibility pop

#endif
