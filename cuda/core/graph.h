/*
 * graph.h - graphs of ops: nodes, what they depend on, and what can be executed of them.
 */
#ifndef FH_CUDA_GRAPH_H
#define FH_CUDA_GRAPH_H

#include "op.h"

#pragma GCC visibility push(default)

typedef struct fh_cuda_node fh_cuda_node;

struct fh_cuda_node {
    fh_cuda_graph *graph;
    fh_cuda_op op;
    fh_cuda_node **needs; /* the nodes that it depends on */
    size_t need_count;
    bool disabled;            /* in an executable graph: does nothing */
    const fh_cuda_node *from; /* in a clone: the node that it is one of */
    uint64_t mark;            /* of walks */
    void **pointers;          /* that the API hands out, to parameters of a launch */
};

/* Flags: memory of the last run that is still there is freed first. */
enum { FH_CUDA_GRAPH_FREES = 1 };

struct fh_cuda_graph {
    fh_cuda_node **nodes; /* in the order in which they were made */
    size_t count, capacity;
    const fh_cuda_graph *from; /* of a clone */
    bool executable;
    bool child;    /* an op's own: gone with that */
    bool captures; /* a stream captures into it: it must stay, and its nodes */
    uint64_t flags;
};

fh_cuda_graph *fh_cuda_graph_new(void); /* NULL: no memory */
/* NULL is allowed. */
void fh_cuda_graph_free(fh_cuda_graph *graph);
/* What a program asks for. FH_CUDA_INVALID_VALUE: the handle is no such graph, or the graph is a
 * node's, or a stream captures into it. */
fh_cuda_status fh_cuda_graph_destroy(const void *handle, bool executable);
/* With the same nodes in the same order; ops are copied. NULL: no memory. */
fh_cuda_graph *fh_cuda_graph_clone(const fh_cuda_graph *graph);
/* A clone for an op, which goes with that. */
fh_cuda_graph *fh_cuda_graph_child(const fh_cuda_graph *graph);
/* Of a handle of the API: a graph, executable or not; NULL: it is none. Child graphs are handles,
 * too. */
fh_cuda_graph *fh_cuda_graph_of(const void *handle, bool executable);
fh_cuda_node *fh_cuda_node_of(const void *handle);

/* Adds a node; the op is the graph's from then on, whatever the answer is. FH_CUDA_INVALID_VALUE: a
 * node is another graph's, or stands twice. */
fh_cuda_status fh_cuda_graph_add(fh_cuda_graph *graph, fh_cuda_op *op, fh_cuda_node *const *needs,
                                 size_t count, fh_cuda_node **node);
/* FH_CUDA_INVALID_VALUE: the edge is there, or makes a circle; or is not there. */
fh_cuda_status fh_cuda_graph_connect(fh_cuda_node *from, fh_cuda_node *to);
fh_cuda_status fh_cuda_graph_disconnect(fh_cuda_node *from, fh_cuda_node *to);
/* With its edges. FH_CUDA_INVALID_VALUE: its graph is executable, or captured into. */
fh_cuda_status fh_cuda_node_free(fh_cuda_node *node);
/* The node of a clone that stands for one of the original; NULL. */
fh_cuda_node *fh_cuda_graph_twin(const fh_cuda_graph *clone, const fh_cuda_node *node);

/* A clone that can be launched. */
fh_cuda_status fh_cuda_graph_instantiate(const fh_cuda_graph *graph, uint64_t flags,
                                         fh_cuda_graph **executable);
/* Whether the graphs have the same shape; if so the executable one gets the other's ops. *node is
 * the first one that is different, of the graph; NULL: there are more or fewer. */
fh_cuda_status fh_cuda_graph_update(fh_cuda_graph *executable, fh_cuda_graph *graph,
                                    fh_cuda_node **node);
/* Has every node do what it does, in an order that their edges allow. */
fh_cuda_status fh_cuda_graph_run(fh_cuda_graph *graph);

/* All that there are: for fh_cuda_reset. */
void fh_cuda_graphs_end(void);

#pragma GCC visibility pop

#endif
