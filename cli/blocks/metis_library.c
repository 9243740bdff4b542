/*
 * metis_library.c - see metis_library.h.
 */
#include "metis_library.h"

#ifdef FH_HAS_METIS
#include <dlfcn.h>
#include <metis.h>
#include <stdlib.h>

static const char library_name[] = "libmetis.so.5"; /* the name of all releases 5.x */

typedef int set_defaults_fn(idx_t *options);
typedef int part_graph_fn(idx_t *count, idx_t *constraints, idx_t *first, idx_t *to, idx_t *loads,
                          idx_t *sizes, idx_t *bytes, idx_t *parts, real_t *targets,
                          real_t *imbalance, idx_t *options, idx_t *cut, idx_t *part);

struct metis {
    void *library;
    set_defaults_fn *set_defaults;
    part_graph_fn *part_graph;
};

static bool load(struct metis *metis) {
    metis->library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (!metis->library)
        return false;
    metis->set_defaults = (set_defaults_fn *)dlsym(metis->library, "METIS_SetDefaultOptions");
    metis->part_graph = (part_graph_fn *)dlsym(metis->library, "METIS_PartGraphKway");
    if (metis->set_defaults && metis->part_graph)
        return true;
    dlclose(metis->library);
    return false;
}

/* METIS adds all of them up in 32 bits: a sum that is too large is scaled down. */
static idx_t *copy(const uint32_t *from, size_t count) {
    idx_t *to = calloc(count + 1, sizeof *to);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += from[i];
    const uint64_t by = (sum >> 30) + 1;
    for (size_t i = 0; i < count && to; i++)
        to[i] = (idx_t)(from[i] && from[i] < by ? 1 : from[i] / by);
    return to;
}

static idx_t *copy_indices(const uint32_t *from, size_t count) {
    idx_t *to = calloc(count + 1, sizeof *to);
    for (size_t i = 0; i < count && to; i++)
        to[i] = (idx_t)from[i];
    return to;
}

static bool cut(const struct metis *metis, const struct fh_labs_graph *graph, uint32_t parts,
                idx_t *first, idx_t *to, idx_t *bytes, idx_t *loads, idx_t *part) {
    idx_t count = (idx_t)graph->count, constraints = (idx_t)graph->constraints;
    idx_t wanted = (idx_t)parts, weight, options[METIS_NOPTIONS];
    metis->set_defaults(options);
    options[METIS_OPTION_SEED] = 1;
    return metis->part_graph(&count, &constraints, first, to, loads, NULL, bytes, &wanted, NULL,
                             NULL, options, &weight, part) == METIS_OK;
}

static fhec_status partition(const struct fh_labs_graph *graph, uint32_t parts, uint32_t *part) {
    struct metis metis;
    const size_t edges = graph->first[graph->count];
    for (uint32_t v = 0; v < graph->count; v++)
        part[v] = v % parts;
    if (parts < 2 || graph->count <= parts) /* METIS wants more vertices than parts */
        return FHEC_OK;
    idx_t *first = copy_indices(graph->first, graph->count + (size_t)1);
    idx_t *to = copy_indices(graph->to, edges), *bytes = copy(graph->bytes, edges);
    idx_t *loads = copy(graph->loads, (size_t)graph->count * graph->constraints);
    idx_t *found = calloc(graph->count, sizeof *found);
    const bool loaded = load(&metis);
    const bool good = loaded && first && to && bytes && loads && found &&
                      cut(&metis, graph, parts, first, to, bytes, loads, found);
    for (uint32_t v = 0; v < graph->count && good; v++)
        part[v] = (uint32_t)found[v];
    free(first);
    free(to);
    free(bytes);
    free(loads);
    free(found);
    if (loaded)
        dlclose(metis.library);
    return good ? FHEC_OK : FHEC_HOST_ERROR;
}

fh_labs_partition_fn *fh_cli_metis(const char **why) {
    struct metis metis;
    *why = "libmetis.so.5 is not installed (Debian and Ubuntu: libmetis5)";
    if (!load(&metis))
        return NULL;
    dlclose(metis.library);
    return partition;
}
#else
#include <stddef.h>

fh_labs_partition_fn *fh_cli_metis(const char **why) {
    *why = "this fhec has been built without METIS (Debian and Ubuntu: libmetis-dev)";
    return NULL;
}
#endif
