/*
 * block_run.c - see block_run.h. Tiles are taken in their order; each keeps its engine, memory and
 * channels busy from when they are free. So a plan gets no longer when any of its times gets
 * shorter: all of it is maxima and sums.
 */
#include "block_run.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = FH_TORUS_DIRECTIONS * FH_TORUS_MOST };

struct run {
    const struct fh_tiles *tiles;
    const struct fh_block_machine *machine;
    const struct fh_block_candidate *candidate;
    struct fh_block_plan *plan;
    uint32_t engines, channels;
    struct fh_onchip_access *accesses; /* of the tiles in their order; NULL: without cNoC */
    uint32_t *home;                    /* router of each limb */
    double *path;                      /* of each tile: the longest chain that ends with it */
    double *block_loads;               /* [block][channel] */
    double *spread_in, *spread_out;    /* [engine][channel]: of a byte from or to anywhere */
    double engine_free[FH_TORUS_MOST], channel_free[CHANNELS], memory_free;
    /* Of the tile at hand: */
    double fetched, written, load[CHANNELS], hops;
};

/* ---------------------------------------------------------------- on-chip memory */

/* What of the accesses finds its limb there. */
static fhec_status simulate_onchip(struct run *r) {
    const struct fh_tiles *t = r->tiles;
    struct fh_onchip_limb *limbs = calloc(t->limb_count + 1, sizeof *limbs);
    r->accesses = calloc(t->access_count + 1, sizeof *r->accesses);
    fhec_status status = FHEC_HOST_ERROR;
    if (limbs && r->accesses) {
        size_t at = 0;
        for (size_t i = 0; i < t->limb_count; i++)
            limbs[i] = (struct fh_onchip_limb){t->limbs[i].bytes, t->limbs[i].result};
        for (size_t i = 0; i < t->count; i++) {
            const struct fh_tile *tile = &t->tiles[r->candidate->order[i]];
            for (uint32_t a = 0; a < tile->reads + tile->writes; a++)
                r->accesses[at++] = (struct fh_onchip_access){
                    .limb = t->accesses[tile->first + a].limb,
                    .write = a >= tile->reads,
                    .group = r->candidate->by_block ? tile->block : FH_ONCHIP_NONE};
        }
        status = fh_onchip_run(r->machine->onchip, r->machine->policy, limbs, t->limb_count,
                               r->accesses, t->access_count);
    }
    free(limbs);
    return status;
}

/* ---------------------------------------------------------------- the network */

/* What a byte that comes from any router, or goes to any, loads the channels with. */
static void make_spread(struct run *r) {
    const struct fh_torus *torus = &r->machine->torus;
    uint32_t way[FH_TORUS_MOST];
    for (uint32_t e = 0; e < r->engines; e++)
        for (uint32_t other = 0; other < r->engines; other++) {
            for (uint32_t i = fh_torus_route(torus, other, e, way); i-- > 0;)
                r->spread_in[e * r->channels + way[i]] += 1.0 / r->engines;
            for (uint32_t i = fh_torus_route(torus, e, other, way); i-- > 0;)
                r->spread_out[e * r->channels + way[i]] += 1.0 / r->engines;
        }
}

static void spread(struct run *r, const double *shares, double bytes) {
    for (uint32_t c = 0; c < r->channels; c++)
        r->load[c] += bytes * shares[c];
}

static void move(struct run *r, uint32_t from, uint32_t to, double bytes) {
    uint32_t way[FH_TORUS_MOST];
    const uint32_t count = fh_torus_route(&r->machine->torus, from, to, way);
    for (uint32_t i = 0; i < count; i++)
        r->load[way[i]] += bytes;
    r->hops = count > r->hops ? count : r->hops;
}

/* The tile's accesses: what comes from and goes to memory, and what goes between routers. */
static void find_traffic(struct run *r, const struct fh_tile *tile, uint32_t engine,
                         const struct fh_onchip_access *accesses) {
    double read = 0, wrote = 0;
    r->fetched = r->written = r->hops = 0;
    memset(r->load, 0, r->channels * sizeof *r->load);
    if (!accesses) {
        r->fetched = tile->loaded;
        r->written = tile->stored;
        return;
    }
    for (uint32_t a = 0; a < tile->reads + tile->writes; a++) {
        const uint32_t limb = accesses[a].limb;
        const double bytes = (double)r->tiles->limbs[limb].bytes;
        r->fetched += accesses[a].fetched ? bytes : 0;
        r->written += (double)accesses[a].written;
        *(accesses[a].write ? &wrote : &read) += bytes;
        if (!r->candidate->hashed && !accesses[a].write && !accesses[a].fetched)
            move(r, r->home[limb], engine, bytes);
        else
            r->home[limb] = engine;
    }
    /* Kernels without cNoC keep in registers and shared memory what they use again. */
    r->fetched = r->fetched < tile->loaded ? r->fetched : tile->loaded;
    if (r->candidate->hashed) {
        spread(r, r->spread_in + engine * r->channels, read);
        spread(r, r->spread_out + engine * r->channels, wrote);
        for (uint32_t other = 0; other < r->engines; other++) {
            const uint32_t hops = fh_torus_hops(&r->machine->torus, other, engine);
            r->hops = hops > r->hops ? hops : r->hops;
        }
    }
}

/* ---------------------------------------------------------------- time */

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Keeps the channels of the tile busy from `start` on. *begin: when all of them are free; *end:
 * when the last byte is there; returns what it takes where nobody else is. */
static double use_network(struct run *r, double start, double *begin, double *end) {
    double most = 0;
    for (uint32_t c = 0; c < r->channels; c++) {
        const double cycles = r->load[c] / r->machine->link;
        if (!(cycles > 0))
            continue;
        const double from = larger(r->channel_free[c], start);
        r->channel_free[c] = from + cycles;
        *begin = larger(*begin, from);
        *end = larger(*end, r->channel_free[c]);
        most = larger(most, cycles);
    }
    const double way = most > 0 ? r->hops * r->machine->hop : 0;
    *end += way;
    return most + way;
}

static double use_memory(struct run *r, double start, double *begin, double *end) {
    const double cycles = (r->fetched + r->written) / r->machine->memory;
    if (!(cycles > 0))
        return 0;
    const double from = larger(r->memory_free, start);
    r->memory_free = from + cycles;
    *begin = larger(*begin, from);
    *end = larger(*end, r->memory_free);
    return cycles;
}

static void add_traffic(struct run *r, struct fh_block_times *to, double compute, double memory) {
    to->compute += compute / r->engines;
    to->memory += memory;
    to->fetched += r->fetched;
    to->written += r->written;
    for (uint32_t c = 0; c < r->channels; c++)
        to->moved += r->load[c];
}

static void run_tile(struct run *r, uint32_t index, const struct fh_onchip_access *accesses) {
    const struct fh_tile *tile = &r->tiles->tiles[index];
    const uint32_t engine = r->candidate->engine[index];
    const double overlap = r->machine->overlap, compute = tile->cycles / r->machine->rate;
    struct fh_block_plan *plan = r->plan;
    double start = r->engine_free[engine], path = 0;
    for (uint32_t a = 0; a < tile->reads; a++) {
        const uint32_t from = r->tiles->accesses[tile->first + a].from;
        if (from != FH_TILE_NONE) {
            start = larger(start, plan->tiles[from].end);
            path = larger(path, r->path[from]);
        }
    }
    find_traffic(r, tile, engine, accesses);
    double begin = start, memory_end = start, network_end = start;
    const double memory = use_memory(r, start, &begin, &memory_end);
    const double network = use_network(r, start, &begin, &network_end);
    const double longest = larger(compute, larger(memory, network));
    const double sum = compute + memory + network;
    const double taken = overlap * longest + (1 - overlap) * sum;
    const double end = overlap * larger(start + compute, larger(memory_end, network_end)) +
                       (1 - overlap) * (begin + sum);
    plan->tiles[index] = (struct fh_tile_times){engine, start, end};
    r->engine_free[engine] = end;
    r->path[index] = path + taken;
    plan->cycles = larger(plan->cycles, end);
    plan->bounds.path = larger(plan->bounds.path, r->path[index]);
    plan->bounds.work += taken / r->engines;
    plan->bounds.memory += memory;
    struct fh_block_times *b = &plan->blocks[tile->block];
    b->start = b->end > 0 && b->start < start ? b->start : start;
    b->end = larger(b->end, end);
    add_traffic(r, b, compute, memory);
    add_traffic(r, &plan->all, compute, memory);
    for (uint32_t c = 0; c < r->channels; c++) {
        plan->loads[c] += r->load[c];
        r->block_loads[(size_t)tile->block * r->channels + c] += r->load[c];
    }
}

static double busiest(const struct run *r, const double *loads) {
    double most = 0;
    for (uint32_t c = 0; c < r->channels; c++)
        most = larger(most, loads[c]);
    return most > 0 ? most / r->machine->link : 0;
}

static void run_all(struct run *r, size_t block_count) {
    struct fh_block_plan *plan = r->plan;
    size_t at = 0;
    if (r->machine->cnoc)
        make_spread(r);
    for (size_t i = 0; i < r->tiles->count; i++) {
        const uint32_t index = r->candidate->order[i];
        run_tile(r, index, r->accesses ? r->accesses + at : NULL);
        at += r->tiles->tiles[index].reads + r->tiles->tiles[index].writes;
    }
    for (size_t b = 0; b < block_count; b++)
        plan->blocks[b].network = busiest(r, r->block_loads + b * r->channels);
    plan->bounds.network = plan->all.network = busiest(r, plan->loads);
    plan->all.end = plan->cycles;
}

/* What does not depend on the candidate. */
static void count_bytes(struct fh_block_plan *plan, const struct fh_tiles *tiles, bool *read) {
    for (size_t i = 0; i < tiles->count; i++) {
        const struct fh_tile *t = &tiles->tiles[i];
        plan->kernel_bytes += t->loaded + t->stored;
        for (uint32_t a = 0; a < t->reads; a++)
            read[tiles->accesses[t->first + a].limb] = true;
    }
    for (size_t i = 0; i < tiles->limb_count; i++)
        if ((tiles->limbs[i].input && read[i]) || tiles->limbs[i].result)
            plan->cold_bytes += (double)tiles->limbs[i].bytes;
}

fhec_status fh_block_simulate(struct fh_block_plan *plan, const struct fh_block_graph *graph,
                              const struct fh_tiles *tiles, const struct fh_block_machine *machine,
                              const struct fh_block_candidate *candidate) {
    struct run *r = calloc(1, sizeof *r);
    bool *read = calloc(tiles->limb_count + 1, sizeof *read);
    fhec_status status = FHEC_HOST_ERROR;
    memset(plan, 0, sizeof *plan);
    if (!r || !read)
        goto out;
    *r = (struct run){.tiles = tiles, .machine = machine, .candidate = candidate, .plan = plan};
    r->engines = fh_torus_routers(&machine->torus);
    r->channels = fh_torus_channels(&machine->torus);
    const size_t spread_count = (size_t)r->engines * r->channels;
    plan->blocks = calloc(graph->block_count + 1, sizeof *plan->blocks);
    plan->tiles = calloc(tiles->count + 1, sizeof *plan->tiles);
    plan->loads = calloc(r->channels, sizeof *plan->loads);
    r->home = calloc(tiles->limb_count + 1, sizeof *r->home);
    r->path = calloc(tiles->count + 1, sizeof *r->path);
    r->block_loads = calloc((graph->block_count + 1) * r->channels, sizeof *r->block_loads);
    r->spread_in = calloc(spread_count, sizeof *r->spread_in);
    r->spread_out = calloc(spread_count, sizeof *r->spread_out);
    if (plan->blocks && plan->tiles && plan->loads && r->home && r->path && r->block_loads &&
        r->spread_in && r->spread_out)
        status = machine->cnoc ? simulate_onchip(r) : FHEC_OK;
    if (status == FHEC_OK) {
        count_bytes(plan, tiles, read);
        run_all(r, graph->block_count);
    }
out:
    if (r) {
        free(r->accesses);
        free(r->home);
        free(r->path);
        free(r->block_loads);
        free(r->spread_in);
        free(r->spread_out);
    }
    free(r);
    free(read);
    return status;
}
