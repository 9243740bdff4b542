/*
 * graph.c - see graph.h.
 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "draw.h"

/* All graphs, so that a handle can be told from what is none. */
static struct {
    fh_cuda_graph **list;
    size_t count, capacity;
    uint64_t mark; /* of the last walk */
} all;

fh_cuda_graph *fh_cuda_graph_new(void) {
    if (all.count == all.capacity) {
        const size_t capacity = all.capacity ? 2 * all.capacity : 16;
        fh_cuda_graph **list = realloc(all.list, capacity * sizeof(fh_cuda_graph *));
        if (!list)
            return NULL;
        all.list = list;
        all.capacity = capacity;
    }
    fh_cuda_graph *graph = calloc(1, sizeof *graph);
    if (graph)
        all.list[all.count++] = graph;
    return graph;
}

static void drop_node(fh_cuda_node *node) {
    fh_cuda_op_clear(&node->op);
    free(node->needs);
    free(node->pointers);
    free(node);
}

void fh_cuda_graph_free(fh_cuda_graph *graph) {
    if (!graph)
        return;
    for (size_t i = 0; i < all.count; i++) {
        if (all.list[i] == graph) {
            all.list[i] = all.list[--all.count];
            break;
        }
    }
    for (size_t i = 0; i < graph->count; i++)
        drop_node(graph->nodes[i]);
    free(graph->nodes);
    free(graph);
}

fh_cuda_status fh_cuda_graph_destroy(const void *handle, bool executable) {
    fh_cuda_graph *graph = fh_cuda_graph_of(handle, executable);
    if (!graph || graph->child || graph->captures)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_graph_free(graph);
    return FH_CUDA_OK;
}

void fh_cuda_graphs_end(void) {
    for (size_t i = 0; i < all.count; i++)
        if (!all.list[i]->child) { /* children go with the nodes that they are of */
            fh_cuda_graph_free(all.list[i]);
            i = (size_t)-1; /* the list is another one now */
        }
    free(all.list);
    all.list = NULL;
    all.capacity = 0;
}

fh_cuda_graph *fh_cuda_graph_of(const void *handle, bool executable) {
    for (size_t i = 0; i < all.count; i++)
        if (all.list[i] == handle && all.list[i]->executable == executable)
            return all.list[i];
    return NULL;
}

fh_cuda_node *fh_cuda_node_of(const void *handle) {
    for (size_t g = all.count; g-- > 0;)
        for (size_t i = all.list[g]->count; i-- > 0;)
            if (all.list[g]->nodes[i] == handle)
                return all.list[g]->nodes[i];
    return NULL;
}

/* ---------------------------------------------------------------- nodes and edges */

static bool needs(const fh_cuda_node *node, const fh_cuda_node *other) {
    for (size_t i = 0; i < node->need_count; i++)
        if (node->needs[i] == other)
            return true;
    return false;
}

static fh_cuda_status check_needs(const fh_cuda_graph *graph, fh_cuda_node *const *list,
                                  size_t count) {
    if (count && !list)
        return FH_CUDA_INVALID_VALUE;
    const uint64_t mark = ++all.mark;
    for (size_t i = 0; i < count; i++) {
        fh_cuda_node *node = fh_cuda_node_of(list[i]);
        if (!node || node->graph != graph || node->mark == mark)
            return FH_CUDA_INVALID_VALUE;
        node->mark = mark;
    }
    return FH_CUDA_OK;
}

static bool room_for_a_node(fh_cuda_graph *graph) {
    if (graph->count < graph->capacity)
        return true;
    const size_t capacity = graph->capacity ? 2 * graph->capacity : 16;
    fh_cuda_node **nodes = realloc(graph->nodes, capacity * sizeof(fh_cuda_node *));
    if (!nodes)
        return false;
    graph->nodes = nodes;
    graph->capacity = capacity;
    return true;
}

fh_cuda_status fh_cuda_graph_add(fh_cuda_graph *graph, fh_cuda_op *op, fh_cuda_node *const *list,
                                 size_t count, fh_cuda_node **node) {
    *node = NULL;
    fh_cuda_status status = check_needs(graph, list, count);
    fh_cuda_node *n = status == FH_CUDA_OK ? calloc(1, sizeof *n) : NULL;
    if (n && count)
        n->needs = malloc(count * sizeof(fh_cuda_node *));
    if (!n || (count && !n->needs) || !room_for_a_node(graph)) {
        if (n)
            free(n->needs);
        free(n);
        fh_cuda_op_clear(op);
        return status == FH_CUDA_OK ? FH_CUDA_NO_MEMORY : status;
    }
    n->graph = graph;
    n->op = *op;
    n->need_count = count;
    if (count)
        memcpy(n->needs, list, count * sizeof(fh_cuda_node *));
    graph->nodes[graph->count++] = *node = n;
    return FH_CUDA_OK;
}

/* Whether `node` depends on `other`, directly or not. */
static bool reaches(fh_cuda_node *node, const fh_cuda_node *other) {
    if (node == other)
        return true;
    if (node->mark == all.mark)
        return false;
    node->mark = all.mark;
    for (size_t i = 0; i < node->need_count; i++)
        if (reaches(node->needs[i], other))
            return true;
    return false;
}

fh_cuda_status fh_cuda_graph_connect(fh_cuda_node *from, fh_cuda_node *to) {
    all.mark++;
    if (from->graph != to->graph || needs(to, from) || reaches(from, to))
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_node **list = realloc(to->needs, (to->need_count + 1) * sizeof(fh_cuda_node *));
    if (!list)
        return FH_CUDA_NO_MEMORY;
    to->needs = list;
    to->needs[to->need_count++] = from;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_graph_disconnect(fh_cuda_node *from, fh_cuda_node *to) {
    for (size_t i = 0; i < to->need_count; i++) {
        if (to->needs[i] != from)
            continue;
        memmove(&to->needs[i], &to->needs[i + 1],
                (to->need_count - i - 1) * sizeof(fh_cuda_node *));
        to->need_count--;
        return FH_CUDA_OK;
    }
    return FH_CUDA_INVALID_VALUE;
}

fh_cuda_status fh_cuda_node_free(fh_cuda_node *node) {
    fh_cuda_graph *graph = node->graph;
    if (graph->executable || graph->captures)
        return FH_CUDA_INVALID_VALUE;
    size_t at = 0;
    for (size_t i = 0; i < graph->count; i++) {
        (void)fh_cuda_graph_disconnect(node, graph->nodes[i]);
        if (graph->nodes[i] != node)
            graph->nodes[at++] = graph->nodes[i];
    }
    graph->count = at;
    drop_node(node);
    return FH_CUDA_OK;
}

/* ---------------------------------------------------------------- clones */

fh_cuda_node *fh_cuda_graph_twin(const fh_cuda_graph *clone, const fh_cuda_node *node) {
    for (size_t i = 0; i < clone->count; i++)
        if (clone->nodes[i]->from == node)
            return clone->nodes[i];
    return NULL;
}

/* Where each node stands in its graph is left in its mark. */
static void number(const fh_cuda_graph *graph) {
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->mark = i;
    all.mark += graph->count + 1;
}

fh_cuda_graph *fh_cuda_graph_clone(const fh_cuda_graph *graph) {
    fh_cuda_graph *clone = fh_cuda_graph_new();
    if (!clone)
        return NULL;
    clone->from = graph;
    clone->flags = graph->flags;
    for (size_t i = 0; i < graph->count; i++) {
        fh_cuda_op op;
        fh_cuda_node *node = NULL;
        if (fh_cuda_op_copy(&op, &graph->nodes[i]->op) != FH_CUDA_OK ||
            fh_cuda_graph_add(clone, &op, NULL, 0, &node) != FH_CUDA_OK) {
            fh_cuda_graph_free(clone);
            return NULL;
        }
        node->from = graph->nodes[i];
        node->disabled = graph->nodes[i]->disabled;
    }
    number(graph);
    for (size_t i = 0; i < graph->count; i++) {
        const fh_cuda_node *of = graph->nodes[i];
        fh_cuda_node *node = clone->nodes[i];
        node->needs = malloc((of->need_count + 1) * sizeof(fh_cuda_node *));
        if (!node->needs) {
            fh_cuda_graph_free(clone);
            return NULL;
        }
        for (size_t j = 0; j < of->need_count; j++)
            node->needs[j] = clone->nodes[of->needs[j]->mark];
        node->need_count = of->need_count;
    }
    return clone;
}

fh_cuda_graph *fh_cuda_graph_child(const fh_cuda_graph *graph) {
    fh_cuda_graph *child = fh_cuda_graph_clone(graph);
    if (child)
        child->child = true;
    return child;
}

fh_cuda_status fh_cuda_graph_instantiate(const fh_cuda_graph *graph, uint64_t flags,
                                         fh_cuda_graph **executable) {
    *executable = fh_cuda_graph_clone(graph);
    if (!*executable)
        return FH_CUDA_NO_MEMORY;
    (*executable)->executable = true;
    (*executable)->flags = flags;
    return FH_CUDA_OK;
}

/* Whether the node of the graph has the kind and the edges of the executable's at its place. Both
 * are numbered. */
static bool same_shape(const fh_cuda_node *a, const fh_cuda_node *b) {
    if (a->op.kind != b->op.kind || a->need_count != b->need_count)
        return false;
    if (a->op.kind == FH_CUDA_OP_LAUNCH &&
        a->op.launch.kernel->module != b->op.launch.kernel->module)
        return false;
    for (size_t i = 0; i < a->need_count; i++)
        if (a->needs[i]->mark != b->needs[i]->mark)
            return false;
    return true;
}

fh_cuda_status fh_cuda_graph_update(fh_cuda_graph *executable, fh_cuda_graph *graph,
                                    fh_cuda_node **node) {
    *node = NULL;
    if (executable->count != graph->count)
        return FH_CUDA_GRAPH_UPDATE;
    number(executable);
    number(graph);
    for (size_t i = 0; i < graph->count; i++) {
        if (!same_shape(executable->nodes[i], graph->nodes[i])) {
            *node = graph->nodes[i];
            return FH_CUDA_GRAPH_UPDATE;
        }
    }
    for (size_t i = 0; i < graph->count; i++) {
        fh_cuda_op op;
        if (fh_cuda_op_copy(&op, &graph->nodes[i]->op) != FH_CUDA_OK)
            return FH_CUDA_NO_MEMORY;
        fh_cuda_op_clear(&executable->nodes[i]->op);
        executable->nodes[i]->op = op;
        executable->nodes[i]->from = graph->nodes[i];
    }
    return FH_CUDA_OK;
}

/* ---------------------------------------------------------------- execution */

static bool is_ready(const fh_cuda_node *node, uint64_t done) {
    for (size_t i = 0; i < node->need_count; i++)
        if (node->needs[i]->mark != done)
            return false;
    return node->mark != done;
}

/* One of the nodes that can run; without a seed the first one. NULL: none is left. */
static fh_cuda_node *next_node(const fh_cuda_graph *graph, uint64_t done, size_t *from) {
    fh_cuda_node *chosen = NULL;
    uint64_t ready = 0;
    for (size_t i = *from; i < graph->count; i++) {
        if (!is_ready(graph->nodes[i], done))
            continue;
        if (fh_cuda_draw(++ready) == 0)
            chosen = graph->nodes[i];
        if (!fh_cuda_seed())
            break;
    }
    while (*from < graph->count && graph->nodes[*from]->mark == done)
        ++*from;
    return chosen;
}

/* What the graph allocated and nobody has freed since. */
static void free_all(const fh_cuda_graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const fh_cuda_op *op = &graph->nodes[i]->op;
        if (op->kind == FH_CUDA_OP_ALLOC)
            (void)fh_cuda_free(op->memory.address, false);
    }
}

fh_cuda_status fh_cuda_graph_run(fh_cuda_graph *graph) {
    if (graph->flags & FH_CUDA_GRAPH_FREES)
        free_all(graph);
    const uint64_t done = ++all.mark;
    size_t from = 0;
    fh_cuda_status status = FH_CUDA_OK;
    for (size_t i = 0; i < graph->count && status == FH_CUDA_OK; i++) {
        fh_cuda_node *node = next_node(graph, done, &from);
        if (!node)
            return FH_CUDA_INVALID_VALUE;
        node->mark = done;
        if (!node->disabled)
            status = fh_cuda_op_run(&node->op);
    }
    return status;
}
