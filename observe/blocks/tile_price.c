/*
 * tile_price.c - what tiles cost: fh_tiles_price of block_tiles.h.
 */
#include <stdlib.h>

#include "block_tiles.h"

/* Weights of a block's tiles, of one part. */
struct share {
    double weight, operands, writes;
};

static struct share sum_of(const struct share *parts) {
    struct share all = {0};
    for (unsigned p = 0; p < FH_TILE_PARTS; p++) {
        all.weight += parts[p].weight;
        all.operands += parts[p].operands;
        all.writes += parts[p].writes;
    }
    return all;
}

/* A part of the cost that the block has no tiles of goes to all of its tiles. */
static void price(struct fh_tile *t, const struct share *parts, const struct fh_block_cost *cost) {
    const struct share all = sum_of(parts);
    for (unsigned p = 0; p < FH_TILE_PARTS; p++) {
        const struct fh_part_cost *c = &cost->part[p];
        const struct share *of = parts[p].weight > 0 ? &parts[p] : &all;
        if (of == &parts[p] && t->part != p)
            continue;
        t->cycles += c->cycles * t->weight / of->weight;
        t->plain += c->plain * t->weight / of->weight;
        t->loaded += (double)c->loaded * t->operands / of->operands;
        t->stored += (double)c->stored * t->writes / of->writes;
    }
}

fhec_status fh_tiles_price(struct fh_tiles *tiles, const struct fh_block_graph *graph,
                           const struct fh_block_cost *costs) {
    struct share(*shares)[FH_TILE_PARTS] = calloc(graph->block_count + 1, sizeof *shares);
    if (!shares)
        return FHEC_HOST_ERROR;
    for (size_t i = 0; i < tiles->count; i++) {
        const struct fh_tile *t = &tiles->tiles[i];
        struct share *s = &shares[t->block][t->part];
        s->weight += t->weight;
        s->operands += t->operands;
        s->writes += t->writes;
    }
    for (size_t i = 0; i < tiles->count; i++) {
        struct fh_tile *t = &tiles->tiles[i];
        t->cycles = t->plain = t->loaded = t->stored = 0;
        price(t, shares[t->block], &costs[t->block]);
    }
    free(shares);
    return FHEC_OK;
}
