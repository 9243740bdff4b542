/*
 * graph_handles.h - what both faces of CUDA do with graphs by their handles: nodes added and
 * changed, lists of nodes and edges. FH_CUDA_INVALID_VALUE: a handle is none.
 *
 * Lists: with no place for one, only the length of a list is told in *count; else *count is how
 * many places there are and becomes how many were filled, and the rest of the places are NULL.
 * `data`, which may be NULL, is for 8 bytes of each edge, which are 0.
 */
#ifndef FH_CUDA_GRAPH_HANDLES_H
#define FH_CUDA_GRAPH_HANDLES_H

#include "graph.h"

#pragma GCC visibility push(default)

/* The kinds of nodes, as CUDA numbers them. */
typedef enum fh_cuda_node_kind {
    FH_CUDA_NODE_KERNEL,
    FH_CUDA_NODE_COPY,
    FH_CUDA_NODE_FILL,
    FH_CUDA_NODE_HOST,
    FH_CUDA_NODE_GRAPH,
    FH_CUDA_NODE_EMPTY,
    FH_CUDA_NODE_WAIT,
    FH_CUDA_NODE_RECORD,
    FH_CUDA_NODE_ALLOC = 10,
    FH_CUDA_NODE_FREE
} fh_cuda_node_kind;
fh_cuda_node_kind fh_cuda_node_kind_of(const fh_cuda_node *node);

/* Graphs themselves: made, copied, destroyed, made executable, and launched. Flags are those that
 * CUDA has. */
fh_cuda_status fh_cuda_graph_make(void **graph, unsigned flags);
fh_cuda_status fh_cuda_graph_copy(void **to, const void *from);
fh_cuda_status fh_cuda_graph_drop(const void *graph, bool executable);
fh_cuda_status fh_cuda_graph_prepare(void **executable, const void *graph, uint64_t flags);
/* An executable graph does what the other one does now. *node (may be NULL): where that is not
 * possible; *result (may be NULL): 0, 1 an error, 2 the graphs have different shapes. */
fh_cuda_status fh_cuda_graph_renew(const void *executable, const void *graph, void **node,
                                   int *result);
fh_cuda_status fh_cuda_graph_launch(const void *executable, const void *stream);
fh_cuda_status fh_cuda_graph_upload(const void *executable, const void *stream);
fh_cuda_status fh_cuda_graph_drop_node(const void *node);
fh_cuda_status fh_cuda_graph_node_type(const void *node, int *type);

/* What nodes do that have a graph in them, of which they get a copy, or an event: each time that
 * such a node runs it is a record, or a wait for the one before. */
fh_cuda_status fh_cuda_graph_child_op(const void *graph, fh_cuda_op *op);
fh_cuda_status fh_cuda_graph_event_op(fh_cuda_op_kind kind, const void *event, fh_cuda_op *op);

/* Adds what was made of a node's parameters, if it was (`status`); else it is cleared. */
fh_cuda_status fh_cuda_graph_put(void **node, const void *graph, void *const *needs, size_t count,
                                 fh_cuda_status status, fh_cuda_op *op);
/* The node that a change is about: of the graph itself, or its twin in an executable one (`exec`
 * not NULL). NULL: there is none. */
fh_cuda_node *fh_cuda_node_changed(const void *node, const void *exec);
/* Gives that node what was made for it, if it was, and is of its kind; else it is cleared. */
fh_cuda_status fh_cuda_node_change(const void *node, const void *exec, fh_cuda_status status,
                                   fh_cuda_op *op);

/* Connects nodes of the graph, or disconnects them: `act` is fh_cuda_graph_connect or its opposite.
 */
fh_cuda_status fh_cuda_graph_change_edges(const void *graph, void *const *from, void *const *to,
                                          size_t count,
                                          fh_cuda_status (*act)(fh_cuda_node *, fh_cuda_node *));
fh_cuda_status fh_cuda_graph_list_nodes(const void *graph, void **to, size_t *count, bool roots);
fh_cuda_status fh_cuda_graph_list_edges(const void *graph, void **from, void **to, void *data,
                                        size_t *count);
/* What the node depends on (`before`), or what depends on it. */
fh_cuda_status fh_cuda_graph_list_neighbours(const void *node, void **to, void *data, size_t *count,
                                             bool before);

#pragma GCC visibility pop

#endif
