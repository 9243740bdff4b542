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

static bool cut(const struct fh_labs_graph *graph, uint32_t parts, idx_t *first, idx_t *to,
                idx_t *bytes, idx_t *loads, idx_t *part) {
    idx_t count = (idx_t)graph->count, constraints = (idx_t)graph->constraints;
    idx_t wanted = (idx_t)parts, weight, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    return METIS_PartGraphKway(&count, &constraints, first, to, loads, NULL, bytes, &wanted, NULL,
                               NULL, options, &weight, part) == METIS_OK;
}

fhec_status fh_labs_partition(const struct fh_labs_graph *graph, uint32_t parts, uint32_t *part) {
    const size_t edges = graph->first[graph->count];
    for (uint32_t v = 0; v < graph->count; v++)
        part[v] = v % parts;
    if (parts < 2 || graph->count <= parts) /* METIS wants more vertices than parts */
        return FHEC_OK;
    idx_t *first = copy_indices(graph->first, graph->count + (size_t)1);
    idx_t *to = copy_indices(graph->to, edges), *bytes = copy(graph->bytes, edges);
    idx_t *loads = copy(graph->loads, (size_t)graph->count * graph->constraints);
    idx_t *found = calloc(graph->count, sizeof *found);
    const bool good =
        first && to && bytes && loads && found && cut(graph, parts, first, to, bytes, loads, found);
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
