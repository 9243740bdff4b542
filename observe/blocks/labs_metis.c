/*
 * labs_metis.c - cuts graphs by METIS (Karypis, Kumar): multilevel k-way partitioning.
 */
#include "labs.h"

#include <stdlib.h>

#ifdef FH_METIS
#include <metis.h>

bool fh_labs_built(void) {
    return true;
}

static idx_t *copy(const uint32_t *from, size_t count) {
    idx_t *to = calloc(count + 1, sizeof *to);
    for (size_t i = 0; i < count && to; i++)
        to[i] = (idx_t)from[i];
    return to;
}

fhec_status fh_labs_partition(const struct fh_labs_graph *graph, uint32_t parts, uint32_t *part) {
    idx_t count = (idx_t)graph->count, constraints = (idx_t)graph->constraints;
    idx_t wanted = (idx_t)parts, cut, options[METIS_NOPTIONS];
    const size_t edges = graph->first[graph->count];
    for (uint32_t v = 0; v < graph->count; v++)
        part[v] = v % parts;
    if (parts < 2 || graph->count <= parts) /* METIS wants more vertices than parts */
        return FHEC_OK;
    idx_t *first = copy(graph->first, graph->count + (size_t)1), *to = copy(graph->to, edges);
    idx_t *bytes = copy(graph->bytes, edges);
    idx_t *loads = copy(graph->loads, (size_t)graph->count * graph->constraints);
    idx_t *found = calloc(graph->count, sizeof *found);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    const bool good = first && to && bytes && loads && found &&
                      METIS_PartGraphKway(&count, &constraints, first, to, loads, NULL, bytes,
                                          &wanted, NULL, NULL, options, &cut, found) == METIS_OK;
    for (uint32_t v = 0; v < graph->count && good; v++)
        part[v] = (uint32_t)found[v];
    free(first);
    free(to);
    free(bytes);
    free(loads);
    free(found);
    return good ? FHEC_OK : FHEC_HOST_ERROR;
}
#else

bool fh_labs_built(void) {
    return false;
}

fhec_status fh_labs_partition(const struct fh_labs_graph *graph, uint32_t parts, uint32_t *part) {
    (void)graph;
    (void)parts;
    (void)part;
    return FHEC_BAD_INPUT;
}
#endif
