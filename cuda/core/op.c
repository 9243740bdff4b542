/*
 * op.c - see op.h.
 */
#include "op.h"

#include <stdlib.h>
#include <string.h>

#include "graph.h"
#include "range.h"
#include "reservation.h"
#include "stream.h"

static fh_cuda_status call_host(const fh_cuda_op *op) {
    const uint32_t range = fh_cuda_range_working();
    fh_cuda_leave(); /* it may wait for a thread that calls CUDA */
    op->host.call(op->host.data);
    fh_cuda_enter_anyway();
    fh_cuda_range_work(range); /* that thread had work of its own done */
    return FH_CUDA_OK;
}

/* What was memory of the device when the op was made may have been freed, of a graph's node above
 * all, and is then no memory of the host. */
static fh_cuda_status copy(const fh_cuda_op *op) {
    const fh_cuda_status status = fh_cuda_copy_check(&op->copy.what, op->copy.kind);
    return status == FH_CUDA_OK ? fh_cuda_copy_do(&op->copy.what) : status;
}

static fh_cuda_status fill(const fh_cuda_op *op) {
    const fh_cuda_status status = fh_cuda_fill_check(&op->fill);
    return status == FH_CUDA_OK ? fh_cuda_fill_do(&op->fill) : status;
}

fh_cuda_status fh_cuda_op_run(const fh_cuda_op *op) {
    switch (op->kind) {
    case FH_CUDA_OP_LAUNCH: return fh_cuda_launch_run(&op->launch);
    case FH_CUDA_OP_COPY: return copy(op);
    case FH_CUDA_OP_FILL: return fill(op);
    case FH_CUDA_OP_HOST: return call_host(op);
    case FH_CUDA_OP_RECORD:
        fh_cuda_event_happen(op->event.event, op->event.number, op->event.generation);
        break;
    case FH_CUDA_OP_ALLOC: return fh_cuda_alloc_reserved(op->memory.address);
    case FH_CUDA_OP_FREE: return fh_cuda_free(op->memory.address, false);
    case FH_CUDA_OP_GRAPH: return fh_cuda_graph_run(op->graph);
    case FH_CUDA_OP_EMPTY:
    case FH_CUDA_OP_WAIT: break;
    }
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_op_copy(fh_cuda_op *to, const fh_cuda_op *from) {
    *to = *from;
    if (from->kind == FH_CUDA_OP_LAUNCH) {
        const size_t bytes = from->launch.kernel->info.param_bytes + 1u;
        to->launch.params = malloc(bytes);
        if (to->launch.params)
            memcpy(to->launch.params, from->launch.params, bytes - 1);
        return to->launch.params ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
    }
    if (from->kind == FH_CUDA_OP_GRAPH) {
        to->graph = fh_cuda_graph_child(from->graph);
        return to->graph ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
    }
    return FH_CUDA_OK;
}

void fh_cuda_op_clear(fh_cuda_op *op) {
    if (op->kind == FH_CUDA_OP_LAUNCH)
        free(op->launch.params);
    else if (op->kind == FH_CUDA_OP_GRAPH)
        fh_cuda_graph_free(op->graph);
    else if (op->kind == FH_CUDA_OP_COPY)
        free(op->copy.staged);
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_EMPTY};
}
