/*
 * driver_graphs.c - graphs: nodes, edges, and what can be launched.
 */
#include "driver.h"
#include "graph_handles.h"
#include "reservation.h"

DRIVER driver_result cuGraphCreate(void **graph, unsigned flags) {
    FH_DRIVER_CALL(fh_cuda_graph_make(graph, flags));
}

DRIVER driver_result cuGraphClone(void **to, void *from) {
    FH_DRIVER_CALL(fh_cuda_graph_copy(to, from));
}

/* ---------------------------------------------------------------- nodes */

struct kernel_node {
    void *function;
    unsigned grid[3], block[3], shared;
    void **args, **extra;
    /* Since CUDA 12, if there is no function: */
    void *kernel, *context;
};

struct fill_node {
    unsigned long long to;
    size_t pitch;
    unsigned value, element;
    size_t width, height;
};

struct host_node {
    void (*call)(void *data);
    void *data;
};

static fh_cuda_status kernel_op(const struct kernel_node *p, bool has_kernel, fh_cuda_op *op) {
    if (!p)
        return FH_CUDA_INVALID_VALUE;
    const void *function = p->function || !has_kernel ? p->function : p->kernel;
    return fh_driver_launch_op(function, p->grid, p->block, p->shared, false, p->args, p->extra,
                               op);
}

static fh_cuda_status fill_op(const struct fill_node *p, fh_cuda_op *op) {
    if (!p || (p->element != 1 && p->element != 2 && p->element != 4))
        return FH_CUDA_INVALID_VALUE;
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_FILL,
                       .fill = {.to = p->to,
                                .pitch = p->pitch,
                                .value = p->value,
                                .element = p->element,
                                .width = p->width,
                                .height = p->height,
                                .depth = 1}};
    return fh_cuda_fill_check(&op->fill);
}

static fh_cuda_status host_op(const struct host_node *p, fh_cuda_op *op) {
    if (!p || !p->call)
        return FH_CUDA_INVALID_VALUE;
    *op = (fh_cuda_op){.kind = FH_CUDA_OP_HOST, .host = {p->call, p->data}};
    return FH_CUDA_OK;
}

/* The arguments that every function has that adds a node. */
#define NODE void **handle, void *graph, void *const *needs, size_t count
/* Adds what the expression `MAKE` has made of a node's parameters, if it was. */
#define ADD(MAKE)                                                                                  \
    do {                                                                                           \
        fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};                                                \
        fh_cuda_status made_ = fh_driver_enter();                                                  \
        if (made_ == FH_CUDA_OK) {                                                                 \
            made_ = (MAKE);                                                                        \
            made_ = fh_cuda_graph_put(handle, graph, needs, count, made_, &op);                    \
        }                                                                                          \
        return fh_driver_leave(made_);                                                             \
    } while (0)

DRIVER driver_result cuGraphAddKernelNode(NODE, const struct kernel_node *p) {
    ADD(kernel_op(p, false, &op));
}

DRIVER driver_result cuGraphAddKernelNode_v2(NODE, const struct kernel_node *p) {
    ADD(kernel_op(p, true, &op));
}

DRIVER driver_result cuGraphAddMemcpyNode(NODE, const struct driver_copy3d *p, void *context) {
    (void)context;
    ADD(fh_driver_copy3d_op(p, &op));
}

DRIVER driver_result cuGraphAddMemsetNode(NODE, const struct fill_node *p, void *context) {
    (void)context;
    ADD(fill_op(p, &op));
}

DRIVER driver_result cuGraphAddHostNode(NODE, const struct host_node *p) {
    ADD(host_op(p, &op));
}

DRIVER driver_result cuGraphAddChildGraphNode(NODE, void *child) {
    ADD(fh_cuda_graph_child_op(child, &op));
}

DRIVER driver_result cuGraphAddEmptyNode(NODE) {
    ADD(FH_CUDA_OK);
}

DRIVER driver_result cuGraphAddEventRecordNode(NODE, void *event) {
    ADD(fh_cuda_graph_event_op(FH_CUDA_OP_RECORD, event, &op));
}

DRIVER driver_result cuGraphAddEventWaitNode(NODE, void *event) {
    ADD(fh_cuda_graph_event_op(FH_CUDA_OP_WAIT, event, &op));
}

DRIVER driver_result cuGraphAddMemFreeNode(NODE, unsigned long long address) {
    ADD((op = (fh_cuda_op){.kind = FH_CUDA_OP_FREE, .memory = {address, fh_cuda_reserved(address)}},
         op.memory.bytes ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE));
}

DRIVER driver_result cuGraphDestroyNode(void *node) {
    FH_DRIVER_CALL(fh_cuda_graph_drop_node(node));
}

DRIVER driver_result cuGraphNodeGetType(void *node, int *type) {
    FH_DRIVER_CALL(fh_cuda_graph_node_type(node, type));
}

/* ---------------------------------------------------------------- changes of nodes */

#define CHANGE(EXEC, HANDLE, MAKE)                                                                 \
    do {                                                                                           \
        fh_cuda_op op = {.kind = FH_CUDA_OP_EMPTY};                                                \
        fh_cuda_status made_ = fh_driver_enter();                                                  \
        if (made_ == FH_CUDA_OK) {                                                                 \
            made_ = (MAKE);                                                                        \
            made_ = fh_cuda_node_change(HANDLE, EXEC, made_, &op);                                 \
        }                                                                                          \
        return fh_driver_leave(made_);                                                             \
    } while (0)

DRIVER driver_result cuGraphKernelNodeSetParams(void *node, const struct kernel_node *p) {
    CHANGE(NULL, node, kernel_op(p, false, &op));
}

DRIVER driver_result cuGraphKernelNodeSetParams_v2(void *node, const struct kernel_node *p) {
    CHANGE(NULL, node, kernel_op(p, true, &op));
}

DRIVER driver_result cuGraphExecKernelNodeSetParams(void *exec, void *node,
                                                    const struct kernel_node *p) {
    CHANGE(exec, node, kernel_op(p, false, &op));
}

DRIVER driver_result cuGraphExecKernelNodeSetParams_v2(void *exec, void *node,
                                                       const struct kernel_node *p) {
    CHANGE(exec, node, kernel_op(p, true, &op));
}

DRIVER driver_result cuGraphExecMemcpyNodeSetParams(void *exec, void *node,
                                                    const struct driver_copy3d *p, void *context) {
    (void)context;
    CHANGE(exec, node, fh_driver_copy3d_op(p, &op));
}

DRIVER driver_result cuGraphExecMemsetNodeSetParams(void *exec, void *node,
                                                    const struct fill_node *p, void *context) {
    (void)context;
    CHANGE(exec, node, fill_op(p, &op));
}

DRIVER driver_result cuGraphExecHostNodeSetParams(void *exec, void *node,
                                                  const struct host_node *p) {
    CHANGE(exec, node, host_op(p, &op));
}

/* ---------------------------------------------------------------- edges and lists */

DRIVER driver_result cuGraphAddDependencies(void *graph, void *const *from, void *const *to,
                                            size_t count) {
    FH_DRIVER_CALL(fh_cuda_graph_change_edges(graph, from, to, count, fh_cuda_graph_connect));
}

DRIVER driver_result cuGraphAddDependencies_v2(void *graph, void *const *from, void *const *to,
                                               const void *data, size_t count) {
    (void)data;
    FH_DRIVER_CALL(fh_cuda_graph_change_edges(graph, from, to, count, fh_cuda_graph_connect));
}

DRIVER driver_result cuGraphRemoveDependencies(void *graph, void *const *from, void *const *to,
                                               size_t count) {
    FH_DRIVER_CALL(fh_cuda_graph_change_edges(graph, from, to, count, fh_cuda_graph_disconnect));
}

DRIVER driver_result cuGraphRemoveDependencies_v2(void *graph, void *const *from, void *const *to,
                                                  const void *data, size_t count) {
    (void)data;
    FH_DRIVER_CALL(fh_cuda_graph_change_edges(graph, from, to, count, fh_cuda_graph_disconnect));
}

DRIVER driver_result cuGraphGetNodes(void *graph, void **to, size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_nodes(graph, to, count, false));
}

DRIVER driver_result cuGraphGetRootNodes(void *graph, void **to, size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_nodes(graph, to, count, true));
}

DRIVER driver_result cuGraphGetEdges(void *graph, void **from, void **to, size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_edges(graph, from, to, NULL, count));
}

DRIVER driver_result cuGraphGetEdges_v2(void *graph, void **from, void **to, void *data,
                                        size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_edges(graph, from, to, data, count));
}

DRIVER driver_result cuGraphNodeGetDependencies(void *node, void **to, size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_neighbours(node, to, NULL, count, true));
}

DRIVER driver_result cuGraphNodeGetDependencies_v2(void *node, void **to, void *data,
                                                   size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_neighbours(node, to, data, count, true));
}

DRIVER driver_result cuGraphNodeGetDependentNodes(void *node, void **to, size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_neighbours(node, to, NULL, count, false));
}

DRIVER driver_result cuGraphNodeGetDependentNodes_v2(void *node, void **to, void *data,
                                                     size_t *count) {
    FH_DRIVER_CALL(fh_cuda_graph_list_neighbours(node, to, data, count, false));
}

/* ---------------------------------------------------------------- executable graphs */

DRIVER driver_result cuGraphInstantiateWithFlags(void **executable, void *graph,
                                                 unsigned long long flags) {
    FH_DRIVER_CALL(fh_cuda_graph_prepare(executable, graph, flags));
}

DRIVER driver_result cuGraphLaunch(void *executable, void *stream) {
    FH_DRIVER_CALL(fh_cuda_graph_launch(executable, stream));
}

DRIVER driver_result cuGraphDestroy(void *graph) {
    FH_DRIVER_CALL(fh_cuda_graph_drop(graph, false));
}

DRIVER driver_result cuGraphExecDestroy(void *executable) {
    FH_DRIVER_CALL(fh_cuda_graph_drop(executable, true));
}

struct update_result {
    int result;
    void *node, *from;
};

DRIVER driver_result cuGraphExecUpdate(void *exec, void *graph, void **node, int *result) {
    FH_DRIVER_CALL(fh_cuda_graph_renew(exec, graph, node, result));
}

DRIVER driver_result cuGraphExecUpdate_v2(void *exec, void *graph, struct update_result *to) {
    FH_DRIVER_CALL(
        fh_cuda_graph_renew(exec, graph, to ? &to->node : NULL, to ? &to->result : NULL));
}

DRIVER driver_result cuGraphUpload(void *exec, void *stream) {
    FH_DRIVER_CALL(fh_cuda_graph_upload(exec, stream));
}
