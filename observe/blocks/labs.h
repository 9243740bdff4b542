/*
 * labs.h - locality-aware mapping of tiles to engines: the graph of tiles is cut into as many parts
 * as there are routers, of even load and with few bytes between parts; then parts go to routers so
 * that these bytes go few hops.
 */
#ifndef FH_LABS_H
#define FH_LABS_H

#include "fhec.h"
#include "torus.h"

/* Undirected: the neighbours of v are to[first[v]] up to first[v + 1], each edge in both lists. */
struct fh_labs_graph {
    uint32_t count, constraints; /* loads[v * constraints + c], each kind of which is evened out */
    uint32_t *first, *to;
    uint32_t *bytes; /* of each edge: KiB, at least 1 */
    uint32_t *loads;
};

/* A partitioner: part[v] < parts for each vertex. FHEC_HOST_ERROR. The same for the same graph. */
typedef fhec_status fh_labs_partition_fn(const struct fh_labs_graph *graph, uint32_t parts,
                                         uint32_t *part);

/* cut[a * parts + b]: what goes between the parts a and b, both ways. Its sum over a < b is Phi. */
uint64_t fh_labs_cut(const struct fh_labs_graph *graph, const uint32_t *part, uint32_t parts,
                     uint64_t *cut);

/* Gamma: the sum over a < b of cut times the hops between the routers that they are on. */
uint64_t fh_labs_gamma(const struct fh_torus *torus, const uint64_t *cut, const uint32_t *router);

/* Router of each part, as many parts as routers, from the identity by simulated annealing with a
 * fixed seed; the best that was met. Returns its Gamma. */
uint64_t fh_labs_anneal(const struct fh_torus *torus, const uint64_t *cut, uint32_t *router);

#endif
