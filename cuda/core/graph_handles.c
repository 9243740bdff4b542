/*
 * graph_handles.c - see graph_handles.h.
 */
#include "graph_handles.h"

#include <string.h>

#include "stream_handles.h"

fh_cuda_node_kind fh_cuda_node_kind_of(const fh_cuda_node *node) {
    switch (node->op.kind) {
    case FH_CUDA_OP_LAUNCH: return FH_CUDA_NODE_KERNEL;
    case FH_CUDA_OP_COPY: return FH_CUDA_NODE_COPY;
    case FH_CUDA_OP_FILL: return FH_CUDA_NODE_FILL;
    case FH_CUDA_OP_HOST: return FH_CUDA_NODE_HOST;
    case FH_CUDA_OP_GRAPH: return FH_CUDA_NODE_GRAPH;
    case FH_CUDA_OP_WAIT: return FH_CUDA_NODE_WAIT;
    case FH_CUDA_OP_RECORD: return FH_CUDA_NODE_RECORD;
    case FH_CUDA_OP_ALLOC: return FH_CUDA_NODE_ALLOC;
    case FH_CUDA_OP_FREE: return FH_CUDA_NODE_FREE;
    case FH_CUDA_OP_EMPTY: break;
    }
    return FH_CUDA_NODE_EMPTY;
}

fh_cuda_status fh_cuda_graph_child_op(const void *handle, fh_cuda_op *op) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_EMPTY};
    fh_cuda_graph *copy = graph ? fh_cuda_graph_child(graph) : NULL;
    if (copy)
        *op = (fh_cuda_op){.kind = FH_CUDA_OP_GRAPH, .graph = copy};
    return copy ? FH_CUDA_OK : graph ? FH_CUDA_NO_MEMORY : FH_CUDA_INVALID_VALUE;
}

fh_cuda_status fh_cuda_graph_event_op(fh_cuda_op_kind kind, const void *handle, fh_cuda_op *op) {
    fh_cuda_event *event = fh_cuda_event_of(handle);
    *op = (fh_cuda_op){.kind = kind, .event = {.event = event}};
    if (event)
        op->event.number = fh_cuda_event_number(event);
    return event ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
}

/* ---------------------------------------------------------------- graphs */

fh_cuda_status fh_cuda_graph_make(void **handle, unsigned flags) {
    if (!handle || flags)
        return FH_CUDA_INVALID_VALUE;
    *handle = fh_cuda_graph_new();
    return *handle ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
}

fh_cuda_status fh_cuda_graph_copy(void **handle, const void *from) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(from, false);
    if (!handle || !graph)
        return FH_CUDA_INVALID_VALUE;
    *handle = fh_cuda_graph_clone(graph);
    return *handle ? FH_CUDA_OK : FH_CUDA_NO_MEMORY;
}

fh_cuda_status fh_cuda_graph_drop(const void *handle, bool executable) {
    const fh_cuda_status waited = fh_cuda_any_capture() ? FH_CUDA_OK : fh_cuda_wait(NULL);
    const fh_cuda_status status = fh_cuda_graph_destroy(handle, executable);
    return status == FH_CUDA_OK ? waited : status;
}

fh_cuda_status fh_cuda_graph_prepare(void **executable, const void *handle, uint64_t flags) {
    enum { FLAGS = 15 };
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    fh_cuda_graph *made;
    if (!executable || !graph || flags > FLAGS)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_graph_instantiate(graph, flags, &made);
    if (status == FH_CUDA_OK)
        *executable = made;
    return status;
}

fh_cuda_status fh_cuda_graph_renew(const void *exec_handle, const void *graph_handle, void **node,
                                   int *result) {
    enum { UPDATE_ERROR = 1, UPDATE_TOPOLOGY = 2 };
    fh_cuda_graph *exec = fh_cuda_graph_of(exec_handle, true);
    fh_cuda_graph *graph = fh_cuda_graph_of(graph_handle, false);
    fh_cuda_node *different = NULL;
    if (!exec || !graph)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_graph_update(exec, graph, &different);
    if (node)
        *node = different;
    if (result)
        *result = status == FH_CUDA_OK             ? 0
                  : status == FH_CUDA_GRAPH_UPDATE ? UPDATE_TOPOLOGY
                                                   : UPDATE_ERROR;
    return status;
}

fh_cuda_status fh_cuda_graph_launch(const void *handle, const void *stream) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, true);
    fh_cuda_op op = {.kind = FH_CUDA_OP_GRAPH};
    if (!graph)
        return FH_CUDA_INVALID_VALUE;
    op.graph = fh_cuda_graph_child(graph);
    return op.graph ? fh_cuda_stream_ask(FH_CUDA_OK, &op, stream, false) : FH_CUDA_NO_MEMORY;
}

fh_cuda_status fh_cuda_graph_upload(const void *executable, const void *stream) {
    return fh_cuda_graph_of(executable, true) && fh_cuda_stream_of(stream) ? FH_CUDA_OK
                                                                           : FH_CUDA_INVALID_VALUE;
}

/* ---------------------------------------------------------------- nodes */

fh_cuda_status fh_cuda_graph_drop_node(const void *handle) {
    fh_cuda_node *node = fh_cuda_node_of(handle);
    return node ? fh_cuda_node_free(node) : FH_CUDA_INVALID_VALUE;
}

fh_cuda_status fh_cuda_graph_node_type(const void *handle, int *type) {
    const fh_cuda_node *node = fh_cuda_node_of(handle);
    if (!node || !type)
        return FH_CUDA_INVALID_VALUE;
    *type = (int)fh_cuda_node_kind_of(node);
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_graph_put(void **handle, const void *graph_handle, void *const *needs,
                                 size_t count, fh_cuda_status status, fh_cuda_op *op) {
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

fh_cuda_node *fh_cuda_node_changed(const void *handle, const void *exec) {
    fh_cuda_node *node = fh_cuda_node_of(handle);
    const fh_cuda_graph *graph = exec ? fh_cuda_graph_of(exec, true) : NULL;
    if (!node || (exec && !graph))
        return NULL;
    return graph ? fh_cuda_graph_twin(graph, node) : node;
}

fh_cuda_status fh_cuda_node_change(const void *handle, const void *exec, fh_cuda_status status,
                                   fh_cuda_op *op) {
    fh_cuda_node *node = fh_cuda_node_changed(handle, exec);
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

/* ---------------------------------------------------------------- edges and lists */

fh_cuda_status fh_cuda_graph_change_edges(const void *graph, void *const *from, void *const *to,
                                          size_t count,
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

fh_cuda_status fh_cuda_graph_list_nodes(const void *handle, void **to, size_t *count, bool roots) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    if (!graph || !count)
        return FH_CUDA_INVALID_VALUE;
    struct list list = {to, *count, 0};
    for (size_t i = 0; i < graph->count; i++)
        if (!roots || !graph->nodes[i]->need_count)
            put(&list, graph->nodes[i]);
    return told(&list, count);
}

/* The data of edges, of 8 bytes each: there is none. */
static void no_data(void *data, bool asked, const size_t *count) {
    enum { EDGE_DATA = 8 };
    if (data && asked)
        memset(data, 0, *count * EDGE_DATA);
}

fh_cuda_status fh_cuda_graph_list_edges(const void *handle, void **from, void **to, void *data,
                                        size_t *count) {
    const fh_cuda_graph *graph = fh_cuda_graph_of(handle, false);
    if (!graph || !count || !from != !to)
        return FH_CUDA_INVALID_VALUE;
    no_data(data, from, count);
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

fh_cuda_status fh_cuda_graph_list_neighbours(const void *handle, void **to, void *data,
                                             size_t *count, bool before) {
    const fh_cuda_node *node = fh_cuda_node_of(handle);
    if (!node || !count)
        return FH_CUDA_INVALID_VALUE;
    no_data(data, to, count);
    struct list list = {to, *count, 0};
    for (size_t i = 0; before && i < node->need_count; i++)
        put(&list, node->needs[i]);
    for (size_t i = 0; !before && i < node->graph->count; i++)
        for (size_t j = 0; j < node->graph->nodes[i]->need_count; j++)
            if (node->graph->nodes[i]->needs[j] == node)
                put(&list, node->graph->nodes[i]);
    return told(&list, count);
}
