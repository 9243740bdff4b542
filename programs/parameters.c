/*
 * parameters.c - parameter checks that several workloads make.
 */
#include "parameters.h"
#include "guest.h"

#include <stdio.h>
#include <string.h>

static const char *workload_name(enum fh_workload workload) {
    switch (workload) {
    case FH_WORKLOAD_NTT: return "transforms";
    case FH_WORKLOAD_BCONV: return "base conversion";
    case FH_WORKLOAD_ELTWISE: return "element-wise arithmetic";
    case FH_WORKLOAD_CKKS: return "CKKS primitives";
    case FH_WORKLOAD_BIGMUL: return "multi-word products";
    case FH_WORKLOAD_MONTMUL: return "multi-word Montgomery products";
    }
    return "this";
}

/* "fhec16, fhec256": the maps that have the workload. */
static void list_maps(enum fh_workload workload, char *text, size_t size) {
    size_t used = 0;
    const struct fh_map *map;
    text[0] = 0;
    for (size_t i = 0; (map = fh_map_get(i)) != NULL && used < size; i++)
        if (map->workloads & (unsigned)workload)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", map->name);
}

fhec_status fh_check_map(const char *name, enum fh_workload workload, const struct fh_map **map,
                         struct fh_error *error) {
    char legal[256];
    *map = fh_map_find(name ? name : fh_map_default(workload));
    if (*map && (*map)->workloads & (unsigned)workload)
        return FHEC_OK;
    list_maps(workload, legal, sizeof legal);
    if (!*map)
        return fh_fail(error, FHEC_BAD_INPUT, "there is no map \"%s\"; for %s there are: %s", name,
                       workload_name(workload), legal);
    *map = NULL;
    return fh_fail(error, FHEC_BAD_INPUT, "the map \"%s\" has no %s; these have: %s", name,
                   workload_name(workload), legal);
}

fhec_status fh_check_bytes(const struct fh_map *map, size_t limbs, size_t n, size_t bytes,
                           const char *what, struct fh_error *error) {
    size_t want = limbs * n * (map->word_bits / 8);
    if (bytes == want)
        return FHEC_OK;
    return fh_fail(error, FHEC_BAD_INPUT,
                   "%s must have %zu bytes (%zu limbs of %zu elements of %u bytes), not %zu", what,
                   want, limbs, n, map->word_bits / 8, bytes);
}

fhec_status fh_check_limbs(size_t limbs, size_t n, struct fh_error *error) {
    size_t most = ((size_t)1 << 30) / n;
    if (limbs >= 1 && limbs <= most && limbs <= 65535)
        return FHEC_OK;
    return fh_fail(error, FHEC_BAD_INPUT, "there must be 1 to %zu limbs of N = %zu, not %zu",
                   most < 65535 ? most : 65535, n, limbs);
}

size_t fh_first_unreduced(const struct fh_map *map, const uint64_t *q, size_t limbs, size_t n,
                          const void *elements) {
    const uint32_t *narrow = elements;
    const uint64_t *wide = elements;
    bool is_wide = map->word_bits == 64;
    for (size_t i = 0; i < limbs; i++)
        for (size_t k = i * n; k < (i + 1) * n; k++)
            if ((is_wide ? wide[k] : narrow[k]) >= q[i])
                return k;
    return limbs * n;
}
