/*
 * labs.c - parts to routers by simulated annealing: see labs.h. Moves exchange two parts; the
 * temperature falls by a constant factor from what most moves cost to less than one of them.
 */
#include "labs.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 160, MOVES_EACH = 40, RESTARTS = 4 };

uint64_t fh_labs_cut(const struct fh_labs_graph *graph, const uint32_t *part, uint32_t parts,
                     uint64_t *cut) {
    uint64_t phi = 0;
    memset(cut, 0, (size_t)parts * parts * sizeof *cut);
    for (uint32_t v = 0; v < graph->count; v++)
        for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++)
            if (part[graph->to[e]] != part[v]) {
                cut[(size_t)part[v] * parts + part[graph->to[e]]] += graph->bytes[e];
                phi += graph->bytes[e];
            }
    return phi / 2;
}

uint64_t fh_labs_gamma(const struct fh_torus *torus, const uint64_t *cut, const uint32_t *router) {
    const uint32_t parts = fh_torus_routers(torus);
    uint64_t sum = 0;
    for (uint32_t a = 0; a < parts; a++)
        for (uint32_t b = a + 1; b < parts; b++)
            sum += cut[(size_t)a * parts + b] * fh_torus_hops(torus, router[a], router[b]);
    return sum;
}

/* What Gamma grows by when a and b change places. */
static double change(const struct fh_torus *torus, const uint64_t *cut, const uint32_t *router,
                     uint32_t a, uint32_t b) {
    const uint32_t parts = fh_torus_routers(torus);
    double sum = 0;
    for (uint32_t c = 0; c < parts; c++) {
        if (c == a || c == b)
            continue;
        const double hops_a = fh_torus_hops(torus, router[a], router[c]);
        const double hops_b = fh_torus_hops(torus, router[b], router[c]);
        sum += ((double)cut[(size_t)a * parts + c] - (double)cut[(size_t)b * parts + c]) *
               (hops_b - hops_a);
    }
    return sum;
}

static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void swap(uint32_t *router, uint32_t a, uint32_t b) {
    const uint32_t other = router[a];
    router[a] = router[b];
    router[b] = other;
}

static void cool(const struct fh_torus *torus, const uint64_t *cut, uint64_t *state, double hot,
                 uint32_t *router, uint32_t *best, uint64_t *least) {
    const uint32_t parts = fh_torus_routers(torus);
    double temperature = hot;
    double gamma = (double)fh_labs_gamma(torus, cut, router);
    for (unsigned level = 0; level < LEVELS; level++, temperature *= 0.93)
        for (unsigned move = 0; move < MOVES_EACH * parts; move++) {
            const uint32_t a = (uint32_t)(draw(state) % parts), b = (uint32_t)(draw(state) % parts);
            const double by = change(torus, cut, router, a, b);
            const double chance = (double)(draw(state) >> 11) * 0x1p-53;
            if (a == b || (by > 0 && chance >= exp(-by / temperature)))
                continue;
            swap(router, a, b);
            gamma += by;
            if (gamma < (double)*least) {
                *least = fh_labs_gamma(torus, cut, router);
                memcpy(best, router, parts * sizeof *best);
            }
        }
}

uint64_t fh_labs_anneal(const struct fh_torus *torus, const uint64_t *cut, uint32_t *router) {
    const uint32_t parts = fh_torus_routers(torus);
    uint32_t now[FH_TORUS_MOST];
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t p = 0; p < parts; p++)
        router[p] = now[p] = p;
    uint64_t least = fh_labs_gamma(torus, cut, router);
    const double hot = 1 + (double)least / parts;
    for (unsigned i = 0; i < RESTARTS && parts > 1; i++) {
        cool(torus, cut, &state, hot, now, router, &least);
        memcpy(now, router, parts * sizeof *now);
    }
    return least;
}
