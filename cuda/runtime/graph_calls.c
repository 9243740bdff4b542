/*
 * graph_calls.c - graphs: edges, lists of nodes, executable graphs.
 */

#include "cudart.h"
#include "graph_handles.h"

/* ---------------------------------------------------------------- graphs */

CUDART cudart_error cudaGraphCreate(void **graph, unsigned flags) {
    FH_CUDART_CALL(fh_cuda_graph_make(graph, flags));
}

CUDART cudart_error cudaGraphDestroy(void *graph) {
    FH_CUDART_CALL(fh_cuda_graph_drop(graph, false));
}

CUDART cudart_error cudaGraphExecDestroy(void *graph) {
    FH_CUDART_CALL(fh_cuda_graph_drop(graph, true));
}

CUDART cudart_error cudaGraphClone(void **to, void *from) {
    FH_CUDART_CALL(fh_cuda_graph_copy(to, from));
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

/* ---------------------------------------------------------------- edges and lists */

/* Until CUDA 12 there is no edge data, and the count comes in its place. */
static size_t edge_count(uintptr_t data_or_count, size_t count) {
    return fh_cudart_version < 13 ? data_or_count : count;
}

CUDART cudart_error cudaGraphAddDependencies(void *graph, void *const *from, void *const *to,
                                             uintptr_t data, size_t count) {
    FH_CUDART_CALL(fh_cuda_graph_change_edges(graph, from, to, edge_count(data, count),
                                              fh_cuda_graph_connect));
}

CUDART cudart_error cudaGraphRemoveDependencies(void *graph, void *const *from, void *const *to,
                                                uintptr_t data, size_t count) {
    FH_CUDART_CALL(fh_cuda_graph_change_edges(graph, from, to, edge_count(data, count),
                                              fh_cuda_graph_disconnect));
}

/* With the data of edges, none of which is of use to an A100. */
CUDART cudart_error cudaGraphAddDependencies_v2(void *graph, void *const *from, void *const *to,
                                                const void *data, size_t count) {
    (void)data;
    FH_CUDART_CALL(fh_cuda_graph_change_edges(graph, from, to, count, fh_cuda_graph_connect));
}

CUDART cudart_error cudaGraphRemoveDependencies_v2(void *graph, void *const *from, void *const *to,
                                                   const void *data, size_t count) {
    (void)data;
    FH_CUDART_CALL(fh_cuda_graph_change_edges(graph, from, to, count, fh_cuda_graph_disconnect));
}

CUDART cudart_error cudaGraphGetNodes(void *graph, void **to, size_t *count) {
    FH_CUDART_CALL(fh_cuda_graph_list_nodes(graph, to, count, false));
}

CUDART cudart_error cudaGraphGetRootNodes(void *graph, void **to, size_t *count) {
    FH_CUDART_CALL(fh_cuda_graph_list_nodes(graph, to, count, true));
}

CUDART cudart_error cudaGraphGetEdges(void *graph, void **from, void **to, void *data,
                                      size_t *count) {
    const bool old = fh_cudart_version < 13;
    FH_CUDART_CALL(
        fh_cuda_graph_list_edges(graph, from, to, old ? NULL : data, old ? data : count));
}

CUDART cudart_error cudaGraphGetEdges_v2(void *graph, void **from, void **to, void *data,
                                         size_t *count) {
    FH_CUDART_CALL(fh_cuda_graph_list_edges(graph, from, to, data, count));
}

CUDART cudart_error cudaGraphNodeGetDependencies(void *node, void **to, void *data, size_t *count) {
    const bool old = fh_cudart_version < 13;
    FH_CUDART_CALL(
        fh_cuda_graph_list_neighbours(node, to, old ? NULL : data, old ? data : count, true));
}

CUDART cudart_error cudaGraphNodeGetDependencies_v2(void *node, void **to, void *data,
                                                    size_t *count) {
    FH_CUDART_CALL(fh_cuda_graph_list_neighbours(node, to, data, count, true));
}

CUDART cudart_error cudaGraphNodeGetDependentNodes(void *node, void **to, void *data,
                                                   size_t *count) {
    const bool old = fh_cudart_version < 13;
    FH_CUDART_CALL(
        fh_cuda_graph_list_neighbours(node, to, old ? NULL : data, old ? data : count, false));
}

CUDART cudart_error cudaGraphNodeGetDependentNodes_v2(void *node, void **to, void *data,
                                                      size_t *count) {
    FH_CUDART_CALL(fh_cuda_graph_list_neighbours(node, to, data, count, false));
}

/* ---------------------------------------------------------------- executable graphs */

/* In CUDA 11 what follows the graph is a place for an error node, and a log with its length. */
CUDART cudart_error cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags) {
    FH_CUDART_CALL(fh_cuda_graph_prepare(exec, graph, fh_cudart_version < 12 ? 0 : flags));
}

CUDART cudart_error cudaGraphInstantiateWithFlags(void **exec, void *graph,
                                                  unsigned long long flags) {
    FH_CUDART_CALL(fh_cuda_graph_prepare(exec, graph, flags));
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
    fh_cuda_status status = fh_cuda_graph_prepare(exec, graph, p->flags);
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

/* In CUDA 11 the last two arguments are places for the node and for the result. */
static fh_cuda_status update(const void *exec, const void *graph, void *place, int *result_11) {
    struct update_result *to = place;
    if (fh_cudart_version < 12)
        return fh_cuda_graph_renew(exec, graph, place, result_11);
    if (to)
        to->from = NULL;
    return fh_cuda_graph_renew(exec, graph, to ? &to->node : NULL, to ? &to->result : NULL);
}

CUDART cudart_error cudaGraphExecUpdate(void *exec, void *graph, void *place, int *result) {
    FH_CUDART_CALL(update(exec, graph, place, result));
}

CUDART cudart_error cudaGraphLaunch(void *exec, void *stream) {
    FH_CUDART_CALL(fh_cuda_graph_launch(exec, stream));
}

CUDART cudart_error cudaGraphUpload(void *exec, void *stream) {
    FH_CUDART_CALL(fh_cuda_graph_upload(exec, stream));
}
