/*
 * graph_calls.c - graphs: nodes of all kinds that there are, edges, executable graphs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudart.h"

enum node_type {
    NODE_KERNEL,
    NODE_COPY,
    NODE_FILL,
    NODE_HOST,
    NODE_GRAPH,
    NODE_EMPTY,
    NODE_WAIT,
    NODE_RECORD,
    NODE_ALLOC = 10,
    NODE_FREE
};

static enum node_type type_of(const fh_cuda_node *node) {
    switch (node->op.kind) {
    case FH_CUDA_OP_LAUNCH: return NODE_KERNEL;
    case FH_CUDA_OP_COPY: return NODE_COPY;
    case FH_CUDA_OP_FILL: return NODE_FILL;
    case FH_CUDA_OP_HOST: return NODE_HOST;
    case FH_CUDA_OP_GRAPH: return NODE_GRAPH;
    case FH_CUDA_OP_WAIT: return NODE_WAIT;
    case FH_CUDA_OP_RECORD: return NODE_RECORD;
    case FH_CUDA_OP_ALLOC: return NODE_ALLOC;
    case FH_CUDA_OP_FREE: return NODE_FREE;
    case FH_CUDA_OP_EMPTY: break;
    }
    return NODE_EMPTY;
}

/* ---------------------------------------------------------------- graphs */

static fh_cuda_status make_graph(void **handle, unsigned flags) {
    if (!handle || flags)
        return FH_CUDA_INVALID_VALUE;
    *handle = fh_cuda_graph_new();
    return *handle ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
}

CUDART cudart_error cudaGraphCreate(void **graph, unsigned flags) {
    FH_CUDART_CALL(make_graph(graph, flags));
}

static fh_cuda_status drop(void *handle, bool executable) {
    fh_cuda_status waited = fh_cuda_any_capture() ? FH_CUDA_OK : fh_cuda_wait(NULL);
    fh_cuda_status status = fh_cuda_graph_destroy(handle, executable);
    return status == FH_CUDA_OK ? waited : status;
}

CUDART cudart_error cudaGraphDestroy(void *graph) {
    FH_CUDART_CALL(drop(graph, false));
}

CUDART cudart_error cudaGraphExecDestroy(void *graph) {
    FH_CUDART_CALL(drop(graph, true));
}

static fh_cuda_status clone(void **handle, const void *from) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(from, false);
    if (!handle || !graph)
        return FH_CUDA_INVALID_VALUE;
    *handle = fh_cuda_graph_clone(graph);
    return *handle ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
}

CUDART cudart_error cudaGraphClone(void **to, void *from) {
    FH_CUDART_CALL(clone(to, from));
}

static fh_cuda_status twin(void **handle, const void *node_handle, const void *clone_handle) {
    const fh_cuda_node *node = fh_cuda_node_of(node_handle);
    const fh_cuda_graph *graph = fh_cuda_graph_of(clone_handle, false);
    if (!handle || !node || !graph)
        return FH_CUDA_INVALID_VALUE;
    *handle = fh_cuda_graph_twin(graph, node);
    return *handle ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
}

CUDART cudart_error cudaGraphNodeFindInClone(void **to, void *node, void *graph) {
    FH_CUDART_CALL(twin(to, node, graph));
}

/* ---------------------------------------------------------------- nodes */

/* Adds what was made of a node's parameters, if it was. */
static fh_cuda_status add(void **handle, const void *graph_handle, void *const *needs, size_t count,
                          fh_cuda_status status, fh_cuda_op *op) {
    fh_cuda_graph *graph = fh_cuda_graph_of(graph_handle, false);
    fh_cuda_node *node;
    if (status == FH_CUDA_OK && (!graph || !handle))
        status = FH_CUDA_INVALID_VALUE;
    if (status != FH_CUDA_OK) {
        fh_cuda_op_clear(op);
        return status;
    }
    status = fh_cuda_graph_add(graph, op, (fh_cuda_node *const *)needs, count, &node);
    *handle = node;
    return status;
}

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

static fh_cuda_status child_op(const void *handle, fh_cuda_op *op) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_EMPTY};
    fh_cuda_graph *copy = graph ? fh_cuda_graph_child(graph) : NULL;
    if (copy)
        *op = (fh_cuda_op){.kind = FH_CUDA_OP_GRAPH, .graph = copy};
    return copy ? FH_CUDA_OK : graph ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_VALUE;
}

/* Each time that the node runs it is a record, or a wait for the one before. */
static fh_cuda_status event_op(fh_cuda_op_kind kind, const void *handle, fh_cuda_op *op) {
    fh_cuda_event *event = fh_cuda_event_of(handle);
    *op = (fh_cuda_op){.kind = kind, .event = {.event = event, .generation = 0}};
    return event ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
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
#define ADD(MAKE)                                                                                  \
    do {                                                                                           \
        fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};                                                \
        fh_cuda_status made_ = fh_cuda_enter();                                                    \
        if (made_ == FH_CUDA_OK) {                                                                 \
            made_ = (MAKE);                                                                        \
            made_ = add(WHERE, made_, &op);                                                        \
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
    ADD(child_op(child, &op));
}

CUDART cudart_error cudaGraphAddEmptyNode(NODE) {
    ADD(FH_CUDA_OK);
}

CUDART cudart_error cudaGraphAddEventRecordNode(NODE, void *event) {
    ADD(event_op(FH_CUDA_OP_RECORD, event, &op));
}

CUDART cudart_error cudaGraphAddEventWaitNode(NODE, void *event) {
    ADD(event_op(FH_CUDA_OP_WAIT, event, &op));
}

static fh_cuda_status drop_node(const void *handle) {
    fh_cuda_node *node = fh_cuda_node_of(handle);
    return node ? fh_cuda_node_free(node) : FH_CUDA_INVALID_VALUE;
}

CUDART cudart_error cudaGraphDestroyNode(void *node) {
    FH_CUDART_CALL(drop_node(node));
}

static fh_cuda_status node_type(const void *handle, int *type) {
    const fh_cuda_node *node = fh_cuda_node_of(handle);
    if (!node || !type)
        return FH_CUDA_INVALID_VALUE;
    *type = (int)type_of(node);
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGraphNodeGetType(void *node, int *type) {
    FH_CUDART_CALL(node_type(node, type));
}

/* ---------------------------------------------------------------- parameters of nodes */

/* The node that a change is about: of the graph itself, or its twin in an executable one (`exec`
 * not NULL). */
static fh_cuda_node *changed(const void *handle, const void *exec) {
    fh_cuda_node *node = fh_cuda_node_of(handle);
    const fh_cuda_graph *graph = exec ? fh_cuda_graph_of(exec, true) : NULL;
    if (!node || (exec && !graph))
        return NULL;
    return graph ? fh_cuda_graph_twin(graph, node) : node;
}

/* Gives the node what was made for it, if it was, and is of its kind. */
static fh_cuda_status change(fh_cuda_node *node, fh_cuda_status status, fh_cuda_op *op) {
    if (status == FH_CUDA_OK && (!node || node->op.kind != op->kind))
        status = FH_CUDA_INVALID_VALUE;
    if (status != FH_CUDA_OK) {
        fh_cuda_op_clear(op);
        return status;
    }
    fh_cuda_op_clear(&node->op);
    node->op = *op;
    return FH_CUDA_OK;
}

#define CHANGE(NODE_HANDLE, EXEC, MAKE)                                                            \
    do {                                                                                           \
        fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};                                                \
        fh_cuda_status made_ = fh_cuda_enter();                                                    \
        if (made_ == FH_CUDA_OK) {                                                                 \
            made_ = (MAKE);                                                                        \
            made_ = change(changed(NODE_HANDLE, EXEC), made_, &op);                                \
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
    CHANGE(node, exec, child_op(child, &op));
}

CUDART cudart_error cudaGraphEventRecordNodeSetEvent(void *node, void *event) {
    CHANGE(node, NULL, event_op(FH_CUDA_OP_RECORD, event, &op));
}

CUDART cudart_error cudaGraphEventWaitNodeSetEvent(void *node, void *event) {
    CHANGE(node, NULL, event_op(FH_CUDA_OP_WAIT, event, &op));
}

static fh_cuda_status enabled(const void *exec, const void *handle, const unsigned *set,
                              unsigned *get) {
    fh_cuda_node *node = exec ? changed(handle, exec) : NULL;
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

/* ---------------------------------------------------------------- edges and lists */

static fh_cuda_status edges(const void *graph, void *const *from, void *const *to, size_t count,
                            fh_cuda_status (*act)(fh_cuda_node *, fh_cuda_node *)) {
    if (!fh_cuda_graph_of(graph, false) || (count && (!from || !to)))
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = FH_CUDA_OK;
    for (size_t i = 0; i < count && status == FH_CUDA_OK; i++) {
        fh_cuda_node *a = fh_cuda_node_of(from[i]), *b = fh_cuda_node_of(to[i]);
        status =
            a && b && a->graph == graph && b->graph == graph ? act(a, b) : FH_CUDA_INVALID_VALUE;
    }
    return status;
}

/* Until CUDA 12 there is no edge data, and the count comes in its place. */
static size_t edge_count(uintptr_t data_or_count, size_t count) {
    return fh_cudart_version < 13 ? data_or_count : count;
}

CUDART cudart_error cudaGraphAddDependencies(void *graph, void *const *from, void *const *to,
                                             uintptr_t data, size_t count) {
    FH_CUDART_CALL(edges(graph, from, to, edge_count(data, count), fh_cuda_graph_connect));
}

CUDART cudart_error cudaGraphRemoveDependencies(void *graph, void *const *from, void *const *to,
                                                uintptr_t data, size_t count) {
    FH_CUDART_CALL(edges(graph, from, to, edge_count(data, count), fh_cuda_graph_disconnect));
}

/* Lists are told as CUDA does: with no place for them only their length; else as many as fit, and
 * the rest of the places are NULL. */
struct list {
    void **to;
    size_t room, count;
};

static void put(struct list *list, void *node) {
    if (list->to && list->count < list->room)
        list->to[list->count] = node;
    list->count++;
}

static fh_cuda_status told(struct list *list, size_t *count) {
    for (size_t i = list->count; list->to && i < list->room; i++)
        list->to[i] = NULL;
    *count = list->to && list->count > list->room ? list->room : list->count;
    return FH_CUDA_OK;
}

static fh_cuda_status nodes_of(const void *handle, void **to, size_t *count, bool roots) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    if (!graph || !count)
        return FH_CUDA_INVALID_VALUE;
    struct list list = {to, *count, 0};
    for (size_t i = 0; i < graph->count; i++)
        if (!roots || !graph->nodes[i]->need_count)
            put(&list, graph->nodes[i]);
    return told(&list, count);
}

CUDART cudart_error cudaGraphGetNodes(void *graph, void **to, size_t *count) {
    FH_CUDART_CALL(nodes_of(graph, to, count, false));
}

CUDART cudart_error cudaGraphGetRootNodes(void *graph, void **to, size_t *count) {
    FH_CUDART_CALL(nodes_of(graph, to, count, true));
}

static fh_cuda_status edges_of(const void *handle, void **from, void **to, size_t *count) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    if (!graph || !count || !from != !to)
        return FH_CUDA_INVALID_VALUE;
    struct list begins = {from, *count, 0}, ends = {to, *count, 0};
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t j = 0; j < graph->nodes[i]->need_count; j++) {
            put(&begins, graph->nodes[i]->needs[j]);
            put(&ends, graph->nodes[i]);
        }
    }
    (void)told(&ends, count);
    *count = begins.room;
    if (!from)
        *count = begins.count;
    return told(&begins, count);
}

CUDART cudart_error cudaGraphGetEdges(void *graph, void **from, void **to, void *data,
                                      size_t *count) {
    FH_CUDART_CALL(edges_of(graph, from, to, fh_cudart_version < 13 ? data : count));
}

static fh_cuda_status neighbours(const void *handle, void **to, size_t *count, bool before) {
    const fh_cuda_node *node = fh_cuda_node_of(handle);
    if (!node || !count)
        return FH_CUDA_INVALID_VALUE;
    struct list list = {to, *count, 0};
    for (size_t i = 0; before && i < node->need_count; i++)
        put(&list, node->needs[i]);
    for (size_t i = 0; !before && i < node->graph->count; i++)
        for (size_t j = 0; j < node->graph->nodes[i]->need_count; j++)
            if (node->graph->nodes[i]->needs[j] == node)
                put(&list, node->graph->nodes[i]);
    return told(&list, count);
}

CUDART cudart_error cudaGraphNodeGetDependencies(void *node, void **to, void *data, size_t *count) {
    FH_CUDART_CALL(neighbours(node, to, fh_cudart_version < 13 ? data : count, true));
}

CUDART cudart_error cudaGraphNodeGetDependentNodes(void *node, void **to, void *data,
                                                   size_t *count) {
    FH_CUDART_CALL(neighbours(node, to, fh_cudart_version < 13 ? data : count, false));
}

/* ---------------------------------------------------------------- executable graphs */

static fh_cuda_status instantiate(void **handle, const void *from, unsigned long long flags) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(from, false);
    fh_cuda_graph *made;
    if (!handle || !graph || flags > 15)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = fh_cuda_graph_instantiate(graph, flags, &made);
    *handle = made;
    return status;
}

/* In CUDA 11 what follows the graph is a place for an error node, and a log with its length. */
CUDART cudart_error cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags) {
    FH_CUDART_CALL(instantiate(exec, graph, fh_cudart_version < 12 ? 0 : flags));
}

CUDART cudart_error cudaGraphInstantiateWithFlags(void **exec, void *graph,
                                                  unsigned long long flags) {
    FH_CUDART_CALL(instantiate(exec, graph, flags));
}

struct instantiate_params {
    unsigned long long flags;
    void *stream, *node;
    int result;
};

static fh_cuda_status instantiate_with(void **exec, const void *graph,
                                       struct instantiate_params *p) {
    if (!p)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = instantiate(exec, graph, p->flags);
    p->node = NULL;
    p->result = status == FH_CUDA_OK ? 0 : 1;
    return status;
}

CUDART cudart_error cudaGraphInstantiateWithParams(void **exec, void *graph,
                                                   struct instantiate_params *p) {
    FH_CUDART_CALL(instantiate_with(exec, graph, p));
}

static fh_cuda_status exec_flags(const void *handle, unsigned long long *flags) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, true);
    if (!graph || !flags)
        return FH_CUDA_INVALID_VALUE;
    *flags = graph->flags;
    return FH_CUDA_OK;
}

CUDART cudart_error cudaGraphExecGetFlags(void *exec, unsigned long long *flags) {
    FH_CUDART_CALL(exec_flags(exec, flags));
}

struct update_result {
    int result;
    void *node, *from;
};
enum { UPDATE_TOPOLOGY = 2 };

/* In CUDA 11 the last two arguments are places for the node and for the result. */
static fh_cuda_status update(const void *exec_handle, const void *graph_handle, void *place,
                             int *result_11) {
    fh_cuda_graph *exec = fh_cuda_graph_of(exec_handle, true);
    fh_cuda_graph *graph = fh_cuda_graph_of(graph_handle, false);
    fh_cuda_node *node = NULL;
    if (!exec || !graph)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = fh_cuda_graph_update(exec, graph, &node);
    const int result = status == FH_CUDA_OK             ? 0
                       : status == FH_CUDA_GRAPH_UPDATE ? UPDATE_TOPOLOGY
                                                        : 1;
    if (fh_cudart_version < 12) {
        if (place)
            *(void **)place = node;
        if (result_11)
            *result_11 = result;
    } else if (place) {
        *(struct update_result *)place = (struct update_result){result, node, NULL};
    }
    return status;
}

CUDART cudart_error cudaGraphExecUpdate(void *exec, void *graph, void *place, int *result) {
    FH_CUDART_CALL(update(exec, graph, place, result));
}

static fh_cuda_status launch(const void *handle, const void *stream) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, true);
    fh_cuda_graph *copy = graph ? fh_cuda_graph_child(graph) : NULL;
    if (!copy)
        return graph ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_VALUE;
    fh_cuda_op op = {.kind = FH_CUDA_OP_GRAPH, .graph = copy};
    return fh_cudart_submit(FH_CUDA_OK, &op, stream, false);
}

CUDART cudart_error cudaGraphLaunch(void *exec, void *stream) {
    FH_CUDART_CALL(launch(exec, stream));
}

CUDART cudart_error cudaGraphUpload(void *exec, void *stream) {
    FH_CUDART_CALL(fh_cuda_graph_of(exec, true) && fh_cuda_stream_of(stream)
                       ? FH_CUDA_OK
                       : FH_CUDA_INVALID_VALUE);
}
