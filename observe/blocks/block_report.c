/*
 * block_report.c - a plan as text and as JSON: see block_report.h.
 */
#include "block_report.h"

#include <stdio.h>
#include <string.h>

#include "labs.h"
#include "safe_text.h"

static double us(const struct fh_block_view *v, double cycles) {
    return cycles / v->described->clock_mhz;
}

/* ---------------------------------------------------------------- what nobody states */

/* A choice that the result depends on: text, or NULL and a value. */
struct assumption {
    const char *name, *text;
    double value;
};
enum { ASSUMPTIONS = 13 };

static void list_assumptions(const struct fh_block_view *v, struct assumption to[ASSUMPTIONS]) {
    const struct fh_block_machine *m = v->machine;
    const struct assumption all[ASSUMPTIONS] = {
        {"hbm_efficiency", NULL,
         m->memory * v->described->clock_mhz / 1e3 / v->described->hbm_bandwidth},
        {"overlap", NULL, m->overlap},
        {"link_bytes", NULL, m->link},
        {"hop_cycles", NULL, m->hop},
        {"onchip_bytes", NULL, (double)m->onchip},
        {"sms_of_engine", NULL, v->sms_of_engine},
        {"launch_cycles", NULL, 0},
        {"policy", fh_onchip_policy_name(m->policy), 0},
        {"limbs", v->tiling->packed ? "packed" : "words", 0},
        {"loops", v->tiling->loops == FH_TILES_BY_DIGIT ? "digits" : "limbs", 0},
        {"hash", m->cnoc ? "uniform over routers" : "none", 0},
        {"routing", "x, then y, the shorter way", 0},
        {"partition", m->labs ? "METIS k-way, seed 1; annealing, fixed seed" : "none", 0},
    };
    memcpy(to, all, sizeof all);
}

/* ---------------------------------------------------------------- text */

enum { ID = 20 }; /* columns of an id */

static void text_line(struct fh_trace_bytes *to, const struct fh_block_view *v, const char *id,
                      const char *op, size_t level, const struct fh_block_times *t) {
    const struct fh_safe_text shown = fh_safe_text(id, ID);
    fh_trace_print(to, "%s%*s %-13s", shown.text, (int)(ID - shown.characters), "", op);
    if (level)
        fh_trace_print(to, " %5zu", level);
    else
        fh_trace_print(to, " %5s", "");
    fh_trace_print(to, " %10.1f %10.1f %9.1f %9.1f %9.1f %9.2f\n", us(v, t->start), us(v, t->end),
                   us(v, t->compute), us(v, t->memory), us(v, t->network),
                   (t->fetched + t->written) / 1e6);
}

/* All blocks of an op as one. */
static size_t sum_of_op(const struct fh_block_view *v, enum fh_block_op op,
                        struct fh_block_times *sum) {
    size_t count = 0;
    memset(sum, 0, sizeof *sum);
    for (size_t i = 0; i < v->graph->block_count; i++) {
        const struct fh_block_times *t = &v->plan->blocks[i];
        if (v->graph->blocks[i].op != op)
            continue;
        sum->start = count && sum->start < t->start ? sum->start : t->start;
        sum->end = sum->end > t->end ? sum->end : t->end;
        sum->compute += t->compute;
        sum->memory += t->memory;
        sum->network += t->network;
        sum->fetched += t->fetched;
        sum->written += t->written;
        count++;
    }
    return count;
}

static void text_blocks(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    enum { MOST = 40 };
    const struct fh_block_graph *g = v->graph;
    fh_trace_print(to, "\n%-*s %-13s %5s %10s %10s %9s %9s %9s %9s\n", ID, "block", "op", "level",
                   "start us", "end us", "C us", "M us", "X us", "MB");
    for (size_t i = 0; i < g->block_count && g->block_count <= MOST; i++)
        text_line(to, v, g->blocks[i].id, fh_block_signature(g->blocks[i].op)->name,
                  g->blocks[i].level, &v->plan->blocks[i]);
    for (enum fh_block_op op = 0; op < FH_BLOCK_OPS && g->block_count > MOST; op++) {
        struct fh_block_times sum;
        char id[32];
        const size_t count = sum_of_op(v, op, &sum);
        snprintf(id, sizeof id, "%zu blocks", count);
        if (count)
            text_line(to, v, id, fh_block_signature(op)->name, 0, &sum);
    }
    text_line(to, v, "all", "", 0, &v->plan->all);
}

static void text_assumptions(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    struct assumption all[ASSUMPTIONS];
    list_assumptions(v, all);
    fh_trace_print(to, "\nassumed:");
    for (unsigned i = 0; i < ASSUMPTIONS; i++)
        if (all[i].text)
            fh_trace_print(to, "%s %s %s", i ? ";" : "", all[i].name, all[i].text);
        else
            fh_trace_print(to, "%s %s %.6g", i ? ";" : "", all[i].name, all[i].value);
    fh_trace_print(to, "\n");
}

bool fh_block_text(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    const struct fh_block_plan *p = v->plan;
    fh_trace_print(to, "%s%s%s at %.6g MHz: %.1f us, %.0f cycles\n", v->described->name,
                   *v->features ? " with " : "", v->features, v->described->clock_mhz,
                   us(v, p->cycles), p->cycles);
    fh_trace_print(to, "%zu blocks, %zu tiles on %u engines; order %s, mapping %s\n",
                   v->graph->block_count, v->tiles->count, fh_torus_routers(&v->machine->torus),
                   fh_block_order_name(p->order), fh_block_mapping_name(p->mapping));
    fh_trace_print(to,
                   "not less than: %.1f us the longest path, %.1f the engines, %.1f memory, "
                   "%.1f the busiest channel\n",
                   us(v, p->bounds.path), us(v, p->bounds.work), us(v, p->bounds.memory),
                   us(v, p->bounds.network));
    fh_trace_print(to,
                   "bytes: %.2f MB that kernels load and store, %.2f cold, %.2f fetched, %.2f "
                   "written\n",
                   p->kernel_bytes / 1e6, p->cold_bytes / 1e6, p->all.fetched / 1e6,
                   p->all.written / 1e6);
    if (v->machine->labs)
        fh_trace_print(to,
                       "LABS: %llu KiB between parts; times hops %llu, before the annealing "
                       "%llu\n",
                       (unsigned long long)p->labs.phi, (unsigned long long)p->labs.gamma,
                       (unsigned long long)p->labs.gamma_before);
    text_blocks(to, v);
    text_assumptions(to, v);
    return !to->failed;
}

/* ---------------------------------------------------------------- JSON */

static void put_number(struct fh_trace_bytes *to, const char *key, double value) {
    fh_trace_print(to, ", \"%s\": %.12g", key, value);
}

static void json_times(struct fh_trace_bytes *to, const struct fh_block_times *t) {
    put_number(to, "start", t->start);
    put_number(to, "end", t->end);
    put_number(to, "C", t->compute);
    put_number(to, "M", t->memory);
    put_number(to, "X", t->network);
    put_number(to, "bytes", t->fetched + t->written);
    put_number(to, "fetched", t->fetched);
    put_number(to, "written", t->written);
    put_number(to, "moved", t->moved);
}

static void json_blocks(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    fh_trace_print(to, ",\n \"blocks\": [");
    for (size_t i = 0; i < v->graph->block_count; i++) {
        const struct fh_block *b = &v->graph->blocks[i];
        fh_trace_print(to, "%s\n  {\"id\": ", i ? "," : "");
        fh_trace_put_json(to, b->id);
        fh_trace_print(to, ", \"op\": \"%s\", \"level\": %zu, \"map\": \"%s\"",
                       fh_block_signature(b->op)->name, b->level, b->map);
        json_times(to, &v->plan->blocks[i]);
        fh_trace_print(to, "}");
    }
    fh_trace_print(to, "]");
}

static void json_part(struct fh_trace_bytes *to, const char *part, const struct fh_part_cost *c) {
    fh_trace_print(to, ", \"%s\": {\"warp_insts\": %llu", part,
                   (unsigned long long)c->instructions);
    put_number(to, "cycles", c->cycles);
    put_number(to, "ldg", (double)c->loaded);
    put_number(to, "stg", (double)c->stored);
    put_number(to, "lds", (double)c->shared_loaded);
    put_number(to, "sts", (double)c->shared_stored);
    fh_trace_print(to, "}");
}

/* Of each op, level, map and drop. */
static void json_costs(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    const struct fh_block *blocks = v->graph->blocks;
    fh_trace_print(to, ",\n \"costs\": [");
    for (size_t i = 0; i < v->graph->block_count; i++) {
        size_t like = 0;
        while (!fh_block_same(&blocks[like], &blocks[i]))
            like++;
        if (like < i)
            continue;
        fh_trace_print(to, "%s\n  {\"op\": \"%s\", \"level\": %zu, \"map\": \"%s\"", i ? "," : "",
                       fh_block_signature(blocks[i].op)->name, blocks[i].level, blocks[i].map);
        if (blocks[i].op == FH_BLOCK_RESCALE)
            fh_trace_print(to, ", \"drop\": %zu", blocks[i].drop);
        for (unsigned p = 0; p < FH_TILE_PARTS; p++)
            json_part(to, fh_tile_part_name((enum fh_tile_part)p), &v->costs[i].part[p]);
        fh_trace_print(to, "}");
    }
    fh_trace_print(to, "]");
}

static void json_assumptions(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    struct assumption all[ASSUMPTIONS];
    const struct fh_block_chain *c = &v->graph->chain;
    list_assumptions(v, all);
    fh_trace_print(to,
                   ",\n \"assumptions\": {\"chain\": {\"log2_n\": %u, \"limbs\": %zu, \"alpha\": "
                   "%zu, \"dnum\": %zu, \"bits\": %u, \"base_alpha\": %zu}",
                   c->log2_n, c->limbs, c->alpha, c->dnum, c->bits, c->base_alpha);
    for (unsigned i = 0; i < ASSUMPTIONS; i++)
        if (all[i].text)
            fh_trace_print(to, ", \"%s\": \"%s\"", all[i].name, all[i].text);
        else
            put_number(to, all[i].name, all[i].value);
    fh_trace_print(to, "}");
}

static void json_channels(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    const struct fh_torus *torus = &v->machine->torus;
    const uint32_t channels = v->machine->cnoc ? fh_torus_channels(torus) : 0;
    fh_trace_print(to, ",\n \"channel_loads\": [");
    for (uint32_t c = 0; c < channels; c++)
        fh_trace_print(to, "%s{\"from\": %u, \"to\": %u, \"bytes\": %.12g}", c ? ", " : "",
                       c / FH_TORUS_DIRECTIONS, fh_torus_neighbour(torus, c), v->plan->loads[c]);
    fh_trace_print(to, "]");
}

static void json_features(struct fh_trace_bytes *to, const char *features) {
    fh_trace_print(to, ", \"features\": [");
    for (const char *at = features; *at;) {
        const size_t length = strcspn(at, ",");
        fh_trace_print(to, "%s\"%.*s\"", at == features ? "" : ", ", (int)length, at);
        at += length;
        at += strspn(at, ", ");
    }
    fh_trace_print(to, "]");
}

bool fh_block_json(struct fh_trace_bytes *to, const struct fh_block_view *v) {
    const struct fh_block_plan *p = v->plan;
    fh_trace_print(to, "{\"machine\": ");
    fh_trace_put_json(to, v->described->name);
    json_features(to, v->features);
    put_number(to, "clock_mhz", v->described->clock_mhz);
    put_number(to, "cycles", p->cycles);
    put_number(to, "us", us(v, p->cycles));
    fh_trace_print(to, ", \"engines\": %u, \"tiles\": %zu, \"order\": \"%s\", \"mapping\": \"%s\"",
                   fh_torus_routers(&v->machine->torus), v->tiles->count,
                   fh_block_order_name(p->order), fh_block_mapping_name(p->mapping));
    fh_trace_print(to,
                   ",\n \"bounds\": {\"path\": %.12g, \"work\": %.12g, \"memory\": %.12g, "
                   "\"network\": %.12g}",
                   p->bounds.path, p->bounds.work, p->bounds.memory, p->bounds.network);
    fh_trace_print(to, ",\n \"all\": {\"kernel_bytes\": %.12g, \"cold_bytes\": %.12g",
                   p->kernel_bytes, p->cold_bytes);
    json_times(to, &p->all);
    fh_trace_print(to, "},\n \"labs\": ");
    if (v->machine->labs)
        fh_trace_print(to, "{\"phi\": %llu, \"gamma\": %llu, \"gamma_before\": %llu}",
                       (unsigned long long)p->labs.phi, (unsigned long long)p->labs.gamma,
                       (unsigned long long)p->labs.gamma_before);
    else
        fh_trace_print(to, "null");
    json_assumptions(to, v);
    json_channels(to, v);
    json_costs(to, v);
    json_blocks(to, v);
    fh_trace_print(to, "}\n");
    return !to->failed;
}
