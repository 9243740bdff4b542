/*
 * block_plan.c - which orders and assignments there are, and the best of them: see block_plan.h.
 */
#include "block_plan.h"

#include <stdlib.h>
#include <string.h>

#include "block_run.h"
#include "list_schedule.h"

const char *fh_block_order_name(enum fh_block_order order) {
    static const char *const names[FH_ORDERS] = {"program", "path", "sequence"};
    return names[order];
}

const char *fh_block_mapping_name(enum fh_block_mapping mapping) {
    static const char *const names[FH_MAPPINGS] = {"greedy, hashed", "greedy", "labs"};
    return names[mapping];
}

struct maker {
    const struct fh_block_graph *graph;
    const struct fh_tiles *tiles;
    const struct fh_block_machine *machine;
    double *taken;  /* by each tile, without features: what the choices go by */
    double *before; /* minus the longest chain that begins with it */
    struct way {
        uint32_t *tiles, *engine;
    } greedy[FH_ORDERS], labs[FH_ORDERS]; /* in which order they start, and where */
    struct fh_labs_graph cut;
};

/* ---------------------------------------------------------------- orders */

static void measure_paths(struct maker *m) {
    const struct fh_tiles *t = m->tiles;
    for (size_t i = 0; i < t->count; i++) {
        const struct fh_tile *tile = &t->tiles[i];
        m->taken[i] =
            tile->plain / m->machine->rate + (tile->loaded + tile->stored) / m->machine->memory;
        m->before[i] = 0;
    }
    for (size_t i = t->count; i-- > 0;) {
        const struct fh_tile *tile = &t->tiles[i];
        m->before[i] -= m->taken[i];
        for (uint32_t a = 0; a < tile->reads; a++) {
            const uint32_t from = t->accesses[tile->first + a].from;
            if (from != FH_TILE_NONE && m->before[from] > m->before[i])
                m->before[from] = m->before[i];
        }
    }
}

/* Orders and assignments of list scheduling; of LABS with its own engines. */
static fhec_status schedule(struct maker *m, enum fh_block_order order, bool fixed, uint32_t *tiles,
                            uint32_t *engine) {
    const struct fh_list_schedule how = {
        .taken = m->taken,
        .first = order == FH_ORDER_PATH ? m->before : NULL,
        .engines = fh_torus_routers(&m->machine->torus),
        .fixed = fixed,
    };
    const fhec_status status = fh_list_schedule(m->tiles, &how, tiles, engine);
    for (size_t i = 0; i < m->tiles->count && order == FH_ORDER_SEQUENCE; i++)
        tiles[i] = (uint32_t)i;
    return status;
}

/* ---------------------------------------------------------------- LABS */

/* A share of all of a kind of load, so that these add up to 32 bits. */
static uint32_t scaled(double value, double sum) {
    const double whole = sum > 0 ? value / sum * (1 << 28) : 0;
    return whole < 1 ? 1 : (uint32_t)whole;
}

static uint32_t kib(const struct fh_tiles *t, uint32_t limb) {
    const uint64_t rounded = (t->limbs[limb].bytes + 1023) / 1024;
    return rounded > 65536 ? 65536 : (uint32_t)rounded;
}

/* Neighbours of the tiles: who gives them limbs, and gets theirs. Fills either the numbers of
 * neighbours or, when they have been summed up in `first`, the neighbours. */
static void list_edges(struct maker *m, bool count) {
    const struct fh_tiles *t = m->tiles;
    struct fh_labs_graph *g = &m->cut;
    for (size_t i = 0; i < t->count; i++)
        for (uint32_t a = 0; a < t->tiles[i].reads; a++) {
            const struct fh_tile_access *access = &t->accesses[t->tiles[i].first + a];
            const uint32_t ends[2] = {(uint32_t)i, access->from};
            if (access->from == FH_TILE_NONE)
                continue;
            for (unsigned e = 0; e < 2; e++) {
                const uint32_t at = g->first[ends[e]]++;
                if (!count) {
                    g->to[at] = ends[1 - e];
                    g->bytes[at] = kib(t, access->limb);
                }
            }
        }
}

/* first[v] = where the neighbours of v begin, from how many each has. */
static void sum_up(uint32_t *first, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t v = 0; v <= count; v++) {
        const uint32_t here = first[v];
        first[v] = sum;
        sum += here;
    }
}

/* Each part of a computation is a load of its own, so that no engine waits while others transform;
 * parts of which there are no tiles are left out. */
static void set_loads(struct maker *m) {
    const struct fh_tiles *t = m->tiles;
    uint32_t column[FH_TILE_PARTS];
    double sum[FH_TILE_PARTS] = {0};
    bool there[FH_TILE_PARTS] = {false};
    for (size_t i = 0; i < t->count; i++) {
        there[t->tiles[i].part] = true;
        sum[t->tiles[i].part] += m->taken[i];
    }
    m->cut.constraints = 0;
    for (unsigned p = 0; p < FH_TILE_PARTS; p++)
        column[p] = there[p] ? m->cut.constraints++ : 0;
    for (size_t i = 0; i < t->count; i++) {
        const uint32_t part = t->tiles[i].part;
        m->cut.loads[i * m->cut.constraints + column[part]] = scaled(m->taken[i], sum[part]);
    }
}

static fhec_status make_cut(struct maker *m) {
    const uint32_t count = (uint32_t)m->tiles->count;
    struct fh_labs_graph *g = &m->cut;
    g->count = count;
    g->first = calloc(count + 2, sizeof *g->first);
    g->loads = calloc((size_t)count * FH_TILE_PARTS + 1, sizeof *g->loads);
    if (!g->first || !g->loads)
        return FHEC_HOST_ERROR;
    list_edges(m, true);
    sum_up(g->first, count);
    g->to = calloc(g->first[count] + (size_t)1, sizeof *g->to);
    g->bytes = calloc(g->first[count] + (size_t)1, sizeof *g->bytes);
    if (!g->to || !g->bytes)
        return FHEC_HOST_ERROR;
    list_edges(m, false);
    memmove(g->first + 1, g->first, count * sizeof *g->first);
    g->first[0] = 0;
    set_loads(m);
    return FHEC_OK;
}

/* Where the tiles go, and when they then start. */
static fhec_status map_by_labs(struct maker *m, struct fh_block_plan *plan) {
    const uint32_t parts = fh_torus_routers(&m->machine->torus);
    uint32_t router[FH_TORUS_MOST], *part = m->labs[0].engine;
    uint64_t *cut = calloc((size_t)parts * parts, sizeof *cut);
    fhec_status status = cut ? make_cut(m) : FHEC_HOST_ERROR;
    if (status == FHEC_OK)
        status = m->machine->labs(&m->cut, parts, part);
    if (status == FHEC_OK) {
        for (uint32_t p = 0; p < parts; p++)
            router[p] = p;
        plan->labs.phi = fh_labs_cut(&m->cut, part, parts, cut);
        plan->labs.gamma_before = fh_labs_gamma(&m->machine->torus, cut, router);
        plan->labs.gamma = fh_labs_anneal(&m->machine->torus, cut, router);
        for (size_t i = 0; i < m->tiles->count; i++)
            part[i] = router[part[i]];
    }
    for (unsigned o = 0; o < FH_ORDERS && status == FHEC_OK; o++) {
        if (o)
            memcpy(m->labs[o].engine, part, m->tiles->count * sizeof *part);
        status = schedule(m, (enum fh_block_order)o, true, m->labs[o].tiles, m->labs[o].engine);
    }
    free(cut);
    return status;
}

/* ---------------------------------------------------------------- the best of them */

/* Runs it, and keeps it if it is better than what there is. */
static fhec_status try_one(struct maker *m, enum fh_block_order order,
                           enum fh_block_mapping mapping, struct fh_block_plan *plan, bool *first) {
    const struct way *way = mapping == FH_MAPPING_LABS ? &m->labs[order] : &m->greedy[order];
    const struct fh_block_candidate candidate = {
        .order = way->tiles,
        .engine = way->engine,
        .hashed = mapping == FH_MAPPING_GREEDY_HASHED,
        .by_block = !m->machine->labs,
    };
    struct fh_block_plan other;
    fhec_status status = fh_block_simulate(&other, m->graph, m->tiles, m->machine, &candidate);
    if (status == FHEC_OK && (*first || other.cycles < plan->cycles)) {
        struct fh_block_plan old = *plan;
        *plan = other;
        plan->order = order;
        plan->mapping = mapping;
        plan->labs = old.labs;
        other = old;
        *first = false;
    }
    fh_block_plan_free(&other);
    return status;
}

static fhec_status try_all(struct maker *m, struct fh_block_plan *plan) {
    bool first = true;
    const enum fh_block_mapping begin =
        m->machine->cnoc ? FH_MAPPING_GREEDY_HASHED : FH_MAPPING_GREEDY;
    const enum fh_block_mapping last = m->machine->labs ? FH_MAPPING_LABS : begin;
    fhec_status status = FHEC_OK;
    for (enum fh_block_mapping mapping = begin; mapping <= last; mapping++)
        for (enum fh_block_order order = 0; order < FH_ORDERS && status == FHEC_OK; order++)
            if (m->machine->orders >> order & 1)
                status = try_one(m, order, mapping, plan, &first);
    return status;
}

static bool way_make(struct way *way, size_t count) {
    way->tiles = calloc(count + 1, sizeof *way->tiles);
    way->engine = calloc(count + 1, sizeof *way->engine);
    return way->tiles && way->engine;
}

static void way_free(struct way *way) {
    free(way->tiles);
    free(way->engine);
}

static fhec_status prepare(struct maker *m) {
    const size_t count = m->tiles->count;
    m->taken = calloc(count + 1, sizeof *m->taken);
    m->before = calloc(count + 1, sizeof *m->before);
    bool good = m->taken && m->before;
    for (unsigned o = 0; o < FH_ORDERS && good; o++)
        good = way_make(&m->greedy[o], count) && way_make(&m->labs[o], count);
    if (!good)
        return FHEC_HOST_ERROR;
    measure_paths(m);
    fhec_status status = FHEC_OK;
    for (unsigned o = 0; o < FH_ORDERS && status == FHEC_OK; o++)
        status =
            schedule(m, (enum fh_block_order)o, false, m->greedy[o].tiles, m->greedy[o].engine);
    return status;
}

fhec_status fh_block_plan_make(struct fh_block_plan *plan, const struct fh_block_graph *graph,
                               const struct fh_tiles *tiles,
                               const struct fh_block_machine *machine) {
    struct maker m = {.graph = graph, .tiles = tiles, .machine = machine};
    memset(plan, 0, sizeof *plan);
    fhec_status status = prepare(&m);
    if (status == FHEC_OK && machine->labs)
        status = map_by_labs(&m, plan);
    if (status == FHEC_OK)
        status = try_all(&m, plan);
    free(m.taken);
    free(m.before);
    for (unsigned o = 0; o < FH_ORDERS; o++) {
        way_free(&m.greedy[o]);
        way_free(&m.labs[o]);
    }
    free(m.cut.first);
    free(m.cut.to);
    free(m.cut.bytes);
    free(m.cut.loads);
    return status;
}

void fh_block_plan_free(struct fh_block_plan *plan) {
    free(plan->blocks);
    free(plan->tiles);
    free(plan->loads);
    plan->blocks = NULL;
    plan->tiles = NULL;
    plan->loads = NULL;
}
