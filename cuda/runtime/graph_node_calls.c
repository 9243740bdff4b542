/*
 * graph_node_calls.c - nodes of graphs: of all kinds that there are, made and changed, and what
 * they were made of.
 */
#include <stdlib.h>

#include "cudart.h"
#include "graph_handles.h"
#include "memory_handles.h"
#include "reservation.h"

/* A node that allocates, as cudaMemPoolProps and behind it what is asked for and told. */
struct alloc_node {
    int kind, handle_types, location[2];
    void *security;
    size_t most;
    unsigned char more[56];
    const void *access;
    size_t access_count, bytes;
    void *where;
};

struct node_params {
    int type, zero[3];
    union {
        long long bytes[29];
        cudart_kernel_node kernel;
        struct {
            int flags, zero[3];
            cudart_copy3d what;
        } copy;
        cudart_memset_node fill;
        cudart_host_node host;
        struct alloc_node alloc;
        void *handle; /* of a graph, an event, or memory to be freed */
    };
    long long more;
};

/* ---------------------------------------------------------------- nodes */

static fh_cuda_status kernel_op(const cudart_kernel_node *p, fh_cuda_op *op) {
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_EMPTY};
    if (!p)
        return FH_CUDA_INVALID_VALUE;
    if (p->extra)
        return FH_CUDA_NOT_SUPPORTED;
    return fh_cudart_launch_op(p->func, p->grid, p->block, p->args, p->shared, false, op);
}

static fh_cuda_status host_op(const cudart_host_node *p, fh_cuda_op *op) {
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_HOST};
    if (!p || !p->call)
        return FH_CUDA_INVALID_VALUE;
    op->host.call = p->call;
    op->host.data = p->data;
    return FH_CUDA_OK;
}

static fh_cuda_status bytes_op(void *to, const void *from, size_t count, int kind, fh_cuda_op *op) {
    return fh_cudart_copy_op((fh_cuda_copy){.to = (uintptr_t)to,
                                            .from = (uintptr_t)from,
                                            .to_pitch = count,
                                            .from_pitch = count,
                                            .width = count,
                                            .height = 1,
                                            .depth = 1},
                             kind, op);
}

static fh_cuda_status symbol_op(const void *symbol, size_t offset, const void *other, size_t count,
                                int kind, bool to_symbol, fh_cuda_op *op) {
    fh_cuda_variable v;
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_EMPTY};
    fh_cuda_status status = fh_cudart_variable(symbol, &v);
    if (status != FH_CUDA_OK || offset > v.bytes || count > v.bytes - offset)
        return status != FH_CUDA_OK ? status : FH_CUDA_INVALID_VALUE;
    void *at = (void *)(uintptr_t)(v.address + offset), *host = (void *)(uintptr_t)other;
    return to_symbol ? bytes_op(at, host, count, kind, op) : bytes_op(host, at, count, kind, op);
}

/* The arguments that every function has that adds a node, and those that say where. */
#define NODE  void **handle, void *graph, void *const *needs, size_t count
#define WHERE handle, graph, needs, count
#define NODE_WITH_DATA                                                                             \
    void **handle, void *graph, void *const *needs, const void *data, size_t count
#define ADD(MAKE)                                                                                  \
    do {                                                                                           \
        fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};                                                \
        fh_cuda_status made_ = fh_cuda_enter();                                                    \
        if (made_ == FH_CUDA_OK) {                                                                 \
            made_ = (MAKE);                                                                        \
            made_ = fh_cuda_graph_put(WHERE, made_, &op);                                          \
        }                                                                                          \
        return fh_cudart_leave(made_);                                                             \
    } while (0)

CUDART cudart_error cudaGraphAddKernelNode(NODE, const cudart_kernel_node *p) {
    ADD(kernel_op(p, &op));
}

CUDART cudart_error cudaGraphAddMemcpyNode(NODE, const cudart_copy3d *p) {
    ADD(fh_cudart_copy3d_op(p, &op));
}

CUDART cudart_error cudaGraphAddMemcpyNode1D(NODE, void *to, const void *from, size_t bytes,
                                             int kind) {
    ADD(bytes_op(to, from, bytes, kind, &op));
}

CUDART cudart_error cudaGraphAddMemcpyNodeToSymbol(NODE, const void *symbol, const void *from,
                                                   size_t bytes, size_t offset, int kind) {
    ADD(symbol_op(symbol, offset, from, bytes, kind, true, &op));
}

CUDART cudart_error cudaGraphAddMemcpyNodeFromSymbol(NODE, void *to, const void *symbol,
                                                     size_t bytes, size_t offset, int kind) {
    ADD(symbol_op(symbol, offset, to, bytes, kind, false, &op));
}

CUDART cudart_error cudaGraphAddMemsetNode(NODE, const cudart_memset_node *p) {
    ADD(fh_cudart_memset_op(p, &op));
}

CUDART cudart_error cudaGraphAddHostNode(NODE, const cudart_host_node *p) {
    ADD(host_op(p, &op));
}

CUDART cudart_error cudaGraphAddChildGraphNode(NODE, void *child) {
    ADD(fh_cuda_graph_child_op(child, &op));
}

CUDART cudart_error cudaGraphAddEmptyNode(NODE) {
    ADD(FH_CUDA_OK);
}

CUDART cudart_error cudaGraphAddEventRecordNode(NODE, void *event) {
    ADD(fh_cuda_graph_event_op(FH_CUDA_OP_RECORD, event, &op));
}

CUDART cudart_error cudaGraphAddEventWaitNode(NODE, void *event) {
    ADD(fh_cuda_graph_event_op(FH_CUDA_OP_WAIT, event, &op));
}

/* The device's own memory, which is all that pools have. Fills `where`. */
static fh_cuda_status alloc_op(struct alloc_node *p, fh_cuda_op *op) {
    enum { PINNED = 1, ON_DEVICE = 1 };
    uint64_t address;
    if (!p || p->kind != PINNED || p->handle_types || p->location[0] != ON_DEVICE ||
        p->location[1] || !p->bytes || (p->access_count && !p->access))
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status =
        fh_cuda_reserve(p->bytes, FH_CUDA_RESERVED_ALIGNMENT, true, &address);
    if (status != FH_CUDA_OK)
        return status;
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_ALLOC, .memory = {address, p->bytes}};
    p->where = (void *)(uintptr_t)address;
    return FH_CUDA_OK;
}

static fh_cuda_status free_op(const void *pointer, fh_cuda_op *op) {
    const uint64_t bytes = fh_cuda_reserved((uintptr_t)pointer);
    if (!bytes)
        return FH_CUDA_INVALID_VALUE;
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_FREE, .memory = {(uintptr_t)pointer, bytes}};
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGraphAddMemAllocNode(NODE, struct alloc_node *p) {
    ADD(alloc_op(p, &op));
}

CUDART cudart_error cudaGraphAddMemFreeNode(NODE, void *pointer) {
    ADD(free_op(pointer, &op));
}

/* What any node is made of. */
static fh_cuda_status any_op(struct node_params *p, fh_cuda_op *op) {
    if (!p)
        return FH_CUDA_INVALID_VALUE;
    switch (p->type) {
    case FH_CUDA_NODE_KERNEL: return kernel_op(&p->kernel, op);
    case FH_CUDA_NODE_COPY: return fh_cudart_copy3d_op(&p->copy.what, op);
    case FH_CUDA_NODE_FILL: return fh_cudart_memset_op(&p->fill, op);
    case FH_CUDA_NODE_HOST: return host_op(&p->host, op);
    case FH_CUDA_NODE_GRAPH: return fh_cuda_graph_child_op(p->handle, op);
    case FH_CUDA_NODE_EMPTY: return FH_CUDA_OK;
    case FH_CUDA_NODE_WAIT: return fh_cuda_graph_event_op(FH_CUDA_OP_WAIT, p->handle, op);
    case FH_CUDA_NODE_RECORD: return fh_cuda_graph_event_op(FH_CUDA_OP_RECORD, p->handle, op);
    case FH_CUDA_NODE_ALLOC: return alloc_op(&p->alloc, op);
    case FH_CUDA_NODE_FREE: return free_op(p->handle, op);
    default: return FH_CUDA_NOT_SUPPORTED;
    }
}

/* Until CUDA 12 there is no edge data: the arguments behind it come one place earlier. */
CUDART cudart_error cudaGraphAddNode_v2(NODE_WITH_DATA, struct node_params *p) {
    (void)data;
    ADD(any_op(p, &op));
}

CUDART cudart_error cudaGraphAddNode(void **handle, void *graph, void *const *needs,
                                     uintptr_t data_or_count, uintptr_t count_or_params,
                                     struct node_params *p_13) {
    if (fh_cudart_version >= 13)
        return cudaGraphAddNode_v2(handle, graph, needs, (const void *)data_or_count,
                                   count_or_params, p_13);
    return cudaGraphAddNode_v2(handle, graph, needs, NULL, data_or_count,
                               (struct node_params *)count_or_params);
}

CUDART cudart_error cudaGraphDestroyNode(void *node) {
    FH_CUDART_CALL(fh_cuda_graph_drop_node(node));
}

CUDART cudart_error cudaGraphNodeGetType(void *node, int *type) {
    FH_CUDART_CALL(fh_cuda_graph_node_type(node, type));
}

/* ---------------------------------------------------------------- parameters of nodes */

#define CHANGE(NODE_HANDLE, EXEC, MAKE)                                                            \
    do {                                                                                           \
        fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};                                                \
        fh_cuda_status made_ = fh_cuda_enter();                                                    \
        if (made_ == FH_CUDA_OK) {                                                                 \
            made_ = (MAKE);                                                                        \
            made_ = fh_cuda_node_change(NODE_HANDLE, EXEC, made_, &op);                            \
        }                                                                                          \
        return fh_cudart_leave(made_);                                                             \
    } while (0)

CUDART cudart_error cudaGraphKernelNodeSetParams(void *node, const cudart_kernel_node *p) {
    CHANGE(node, NULL, kernel_op(p, &op));
}

CUDART cudart_error cudaGraphExecKernelNodeSetParams(void *exec, void *node,
                                                     const cudart_kernel_node *p) {
    CHANGE(node, exec, kernel_op(p, &op));
}

CUDART cudart_error cudaGraphMemcpyNodeSetParams(void *node, const cudart_copy3d *p) {
    CHANGE(node, NULL, fh_cudart_copy3d_op(p, &op));
}

CUDART cudart_error cudaGraphExecMemcpyNodeSetParams(void *exec, void *node,
                                                     const cudart_copy3d *p) {
    CHANGE(node, exec, fh_cudart_copy3d_op(p, &op));
}

CUDART cudart_error cudaGraphMemcpyNodeSetParams1D(void *node, void *to, const void *from,
                                                   size_t bytes, int kind) {
    CHANGE(node, NULL, bytes_op(to, from, bytes, kind, &op));
}

CUDART cudart_error cudaGraphExecMemcpyNodeSetParams1D(void *exec, void *node, void *to,
                                                       const void *from, size_t bytes, int kind) {
    CHANGE(node, exec, bytes_op(to, from, bytes, kind, &op));
}

CUDART cudart_error cudaGraphMemsetNodeSetParams(void *node, const cudart_memset_node *p) {
    CHANGE(node, NULL, fh_cudart_memset_op(p, &op));
}

CUDART cudart_error cudaGraphExecMemsetNodeSetParams(void *exec, void *node,
                                                     const cudart_memset_node *p) {
    CHANGE(node, exec, fh_cudart_memset_op(p, &op));
}

CUDART cudart_error cudaGraphHostNodeSetParams(void *node, const cudart_host_node *p) {
    CHANGE(node, NULL, host_op(p, &op));
}

CUDART cudart_error cudaGraphExecHostNodeSetParams(void *exec, void *node,
                                                   const cudart_host_node *p) {
    CHANGE(node, exec, host_op(p, &op));
}

CUDART cudart_error cudaGraphExecChildGraphNodeSetParams(void *exec, void *node, void *child) {
    CHANGE(node, exec, fh_cuda_graph_child_op(child, &op));
}

CUDART cudart_error cudaGraphEventRecordNodeSetEvent(void *node, void *event) {
    CHANGE(node, NULL, fh_cuda_graph_event_op(FH_CUDA_OP_RECORD, event, &op));
}

CUDART cudart_error cudaGraphEventWaitNodeSetEvent(void *node, void *event) {
    CHANGE(node, NULL, fh_cuda_graph_event_op(FH_CUDA_OP_WAIT, event, &op));
}

CUDART cudart_error cudaGraphExecEventRecordNodeSetEvent(void *exec, void *node, void *event) {
    CHANGE(node, exec, fh_cuda_graph_event_op(FH_CUDA_OP_RECORD, event, &op));
}

CUDART cudart_error cudaGraphExecEventWaitNodeSetEvent(void *exec, void *node, void *event) {
    CHANGE(node, exec, fh_cuda_graph_event_op(FH_CUDA_OP_WAIT, event, &op));
}

CUDART cudart_error cudaGraphMemcpyNodeSetParamsToSymbol(void *node, const void *symbol,
                                                         const void *from, size_t bytes,
                                                         size_t offset, int kind) {
    CHANGE(node, NULL, symbol_op(symbol, offset, from, bytes, kind, true, &op));
}

CUDART cudart_error cudaGraphMemcpyNodeSetParamsFromSymbol(void *node, void *to, const void *symbol,
                                                           size_t bytes, size_t offset, int kind) {
    CHANGE(node, NULL, symbol_op(symbol, offset, to, bytes, kind, false, &op));
}

CUDART cudart_error cudaGraphExecMemcpyNodeSetParamsToSymbol(void *exec, void *node,
                                                             const void *symbol, const void *from,
                                                             size_t bytes, size_t offset,
                                                             int kind) {
    CHANGE(node, exec, symbol_op(symbol, offset, from, bytes, kind, true, &op));
}

CUDART cudart_error cudaGraphExecMemcpyNodeSetParamsFromSymbol(void *exec, void *node, void *to,
                                                               const void *symbol, size_t bytes,
                                                               size_t offset, int kind) {
    CHANGE(node, exec, symbol_op(symbol, offset, to, bytes, kind, false, &op));
}

/* What allocates and frees cannot be changed. */
static fh_cuda_status changed_op(struct node_params *p, fh_cuda_op *op) {
    return p && (p->type == FH_CUDA_NODE_ALLOC || p->type == FH_CUDA_NODE_FREE)
               ? FH_CUDA_NOT_SUPPORTED
               : any_op(p, op);
}

CUDART cudart_error cudaGraphNodeSetParams(void *node, struct node_params *p) {
    CHANGE(node, NULL, changed_op(p, &op));
}

CUDART cudart_error cudaGraphExecNodeSetParams(void *exec, void *node, struct node_params *p) {
    CHANGE(node, exec, changed_op(p, &op));
}

static fh_cuda_status enabled(const void *exec, const void *handle, const unsigned *set,
                              unsigned *get) {
    fh_cuda_node *node = exec ? fh_cuda_node_changed(handle, exec) : NULL;
    if (!node || (!set && !get))
        return FH_CUDA_INVALID_VALUE;
    if (set)
        node->disabled = !*set;
    else
        *get = !node->disabled;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGraphNodeSetEnabled(void *exec, void *node, unsigned on) {
    FH_CUDART_CALL(enabled(exec, node, &on, NULL));
}

CUDART cudart_error cudaGraphNodeGetEnabled(void *exec, void *node, unsigned *on) {
    FH_CUDART_CALL(enabled(exec, node, NULL, on));
}

/* ---------------------------------------------------------------- what nodes were made of */

/* A question to a node: `TELL` is a statement about the op `op`, if the node is of that kind. */
#define ASK(HANDLE, KIND, PLACE, TELL)                                                             \
    do {                                                                                           \
        fh_cuda_status asked_ = fh_cuda_enter();                                                   \
        fh_cuda_node *node_ = asked_ == FH_CUDA_OK ? fh_cuda_node_of(HANDLE) : NULL;               \
        if (asked_ == FH_CUDA_OK && (!node_ || node_->op.kind != (KIND) || !(PLACE)))              \
            asked_ = FH_CUDA_INVALID_VALUE;                                                        \
        if (asked_ == FH_CUDA_OK) {                                                                \
            const fh_cuda_op *op = &node_->op;                                                     \
            TELL;                                                                                  \
        }                                                                                          \
        return fh_cudart_leave(asked_);                                                            \
    } while (0)

/* Pointers to a launch's parameters, which are the node's. NULL: no memory. */
static void **pointers_of(fh_cuda_node *node) {
    const fh_cuda_launch *l = &node->op.launch;
    const size_t count = l->kernel->info.param_count;
    void **list = realloc(node->pointers, (count + 1) * sizeof(void *));
    if (!list)
        return NULL;
    for (size_t i = 0; i < count; i++)
        list[i] = l->params + l->kernel->info.params[i].offset;
    node->pointers = list;
    return list;
}

static fh_cuda_status kernel_params(const void *handle, cudart_kernel_node *to) {
    fh_cuda_node *node = fh_cuda_node_of(handle);
    if (!node || node->op.kind != FH_CUDA_OP_LAUNCH || !to)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_launch *l = &node->op.launch;
    *to = (cudart_kernel_node){.func = (void *)(uintptr_t)fh_cudart_function(l->kernel),
                               .grid = {l->grid[0], l->grid[1], l->grid[2]},
                               .block = {l->block[0], l->block[1], l->block[2]},
                               .shared = l->shared,
                               .args = pointers_of(node)};
    return to->args ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
}

CUDART cudart_error cudaGraphKernelNodeGetParams(void *node, cudart_kernel_node *to) {
    FH_CUDART_CALL(kernel_params(node, to));
}

static cudart_pitched side(uint64_t at, uint64_t pitch, uint64_t slice, uint64_t width) {
    return (cudart_pitched){(void *)(uintptr_t)at, pitch, width, pitch ? slice / pitch : 0};
}

static cudart_copy3d copy_params(const fh_cuda_op *op) {
    const fh_cuda_copy *c = &op->copy.what;
    return (cudart_copy3d){.from = side(c->from, c->from_pitch, c->from_slice, c->width),
                           .to = side(c->to, c->to_pitch, c->to_slice, c->width),
                           .extent = {c->width, c->height, c->depth},
                           .kind = (int)op->copy.kind};
}

CUDART cudart_error cudaGraphMemcpyNodeGetParams(void *node, cudart_copy3d *to) {
    ASK(node, FH_CUDA_OP_COPY, to, *to = copy_params(op));
}

static cudart_memset_node fill_params(const fh_cuda_fill *f) {
    return (cudart_memset_node){.to = (void *)(uintptr_t)f->to,
                                .pitch = f->pitch,
                                .value = f->value,
                                .element = f->element,
                                .width = f->width,
                                .height = f->height};
}

CUDART cudart_error cudaGraphMemsetNodeGetParams(void *node, cudart_memset_node *to) {
    ASK(node, FH_CUDA_OP_FILL, to, *to = fill_params(&op->fill));
}

CUDART cudart_error cudaGraphHostNodeGetParams(void *node, cudart_host_node *to) {
    ASK(node, FH_CUDA_OP_HOST, to, *to = ((cudart_host_node){op->host.call, op->host.data}));
}

CUDART cudart_error cudaGraphChildGraphNodeGetGraph(void *node, void **to) {
    ASK(node, FH_CUDA_OP_GRAPH, to, *to = op->graph);
}

CUDART cudart_error cudaGraphEventRecordNodeGetEvent(void *node, void **to) {
    ASK(node, FH_CUDA_OP_RECORD, to, *to = op->event.event);
}

CUDART cudart_error cudaGraphEventWaitNodeGetEvent(void *node, void **to) {
    ASK(node, FH_CUDA_OP_WAIT, to, *to = op->event.event);
}

static struct alloc_node alloc_params(const fh_cuda_op *op) {
    return (struct alloc_node){.kind = 1,
                               .location = {1, 0},
                               .bytes = op->memory.bytes,
                               .where = (void *)(uintptr_t)op->memory.address};
}

CUDART cudart_error cudaGraphMemAllocNodeGetParams(void *node, struct alloc_node *to) {
    ASK(node, FH_CUDA_OP_ALLOC, to, *to = alloc_params(op));
}

CUDART cudart_error cudaGraphMemFreeNodeGetParams(void *node, void **to) {
    ASK(node, FH_CUDA_OP_FREE, to, *to = (void *)(uintptr_t)op->memory.address);
}
