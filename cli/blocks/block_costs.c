/*
 * block_costs.c - see block_costs.h.
 */
#include "block_costs.h"

#include <stdlib.h>
#include <string.h>

#include "ckks_primitive.h"
#include "interrupt.h"
#include "message.h"
#include "progress.h"

/* Kernels of one map and chain. */
struct chain {
    const char *map;
    size_t base_limbs; /* of ENCAPSULATE's chain; 0: that of the graph */
    struct fh_ckks_counter *counter;
};

struct counting {
    const struct fh_cli *cli;
    const char *path;
    const struct fh_block_graph *graph;
    const struct fh_cli_block_pricing *pricing;
    fhec_machine *machine;
    uint64_t max_steps;
    struct chain *chains; /* room for one of each block */
    size_t chain_count;
    /* Of the block that is being executed: */
    struct fh_block_cost *cost;
    const char *unknown; /* a mnemonic that the machine has no rule for */
    fhec_status status;
};

/* ---------------------------------------------------------------- counts */

/* Kernels of a family begin alike; whatever is neither family works element by element. */
static enum fh_tile_part part_of(const char *file) {
    return strncmp(file, "ntt", 3) == 0     ? FH_TILE_TRANSFORM
           : strncmp(file, "bconv", 5) == 0 ? FH_TILE_CONVERSION
                                            : FH_TILE_ELEMENTS;
}

/* Bytes that a lane moves. */
static uint64_t width_of(const char *mnemonic) {
    static const struct {
        const char *suffix;
        unsigned bytes;
    } widths[] = {{".128", 16}, {".64", 8}, {".U8", 1}, {".S8", 1}, {".U16", 2}, {".S16", 2}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strstr(mnemonic, widths[i].suffix))
            return widths[i].bytes;
    return 4;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static void add_bytes(struct fh_part_cost *part, const fhec_count *count) {
    const uint64_t bytes = count->thread * width_of(count->mnemonic);
    if (begins(count->mnemonic, "LDGSTS")) {
        part->loaded += bytes;
        part->shared_stored += bytes;
    } else if (begins(count->mnemonic, "LDG"))
        part->loaded += bytes;
    else if (begins(count->mnemonic, "STG"))
        part->stored += bytes;
    else if (begins(count->mnemonic, "LDS"))
        part->shared_loaded += bytes;
    else if (begins(count->mnemonic, "STS"))
        part->shared_stored += bytes;
}

/* Cycles of a scheduler: the interval of all units that the instruction may go to, of which shared
 * ones serve all schedulers; or its slots where that is more. */
static double price(const struct fh_time_machine *m, const fhec_count *count, bool *known) {
    const struct fh_time_rule *rule =
        fh_time_rule_of(m, count->mnemonic, count->pipe ? count->pipe : "");
    double rate = 0;
    *known = *known && rule;
    if (!rule)
        return 0;
    for (uint32_t i = 0; i < rule->unit_count; i++)
        rate +=
            1.0 / (rule->interval * (m->units[rule->units[i]].shared ? (double)m->schedulers : 1));
    const double interval = 1 / rate;
    return (double)count->warp * (interval > m->slot ? interval : m->slot);
}

/* A launch has ended. */
static void launched(void *user, const char *file, const char *kernel) {
    struct counting *c = user;
    struct fh_part_cost *part = &c->cost->part[part_of(file)];
    fhec_stats stats;
    (void)kernel;
    const fhec_status status = fhec_machine_stats(c->machine, &stats);
    if (status != FHEC_OK) {
        c->status = status;
        return;
    }
    for (size_t i = 0; i < stats.count_count; i++) {
        const fhec_count *count = &stats.counts[i];
        bool known = true;
        part->cycles += price(c->pricing->with, count, &known);
        part->plain += price(c->pricing->without, count, &known);
        part->instructions += count->warp;
        add_bytes(part, count);
        if (!known && !c->unknown)
            c->unknown = strdup(count->mnemonic);
    }
    fhec_machine_clear_stats(c->machine);
}

/* ---------------------------------------------------------------- chains */

static fhec_status wrong(const struct counting *c, size_t block, const char *text) {
    return fh_cli_error(c->cli, FHEC_BAD_INPUT, "%s: blocks[%zu]: %s", c->path, block, text);
}

static fhec_status find_chain(struct counting *c, size_t block, struct chain **found) {
    const struct fh_block *b = &c->graph->blocks[block];
    const struct fh_block_chain *of = &c->graph->chain;
    const size_t base = b->op == FH_BLOCK_ENCAPSULATE ? b->level : 0;
    struct fh_error error = {""};
    for (size_t i = 0; i < c->chain_count; i++)
        if (strcmp(c->chains[i].map, b->map) == 0 && c->chains[i].base_limbs == base) {
            *found = &c->chains[i];
            return FHEC_OK;
        }
    *found = &c->chains[c->chain_count];
    **found = (struct chain){.map = b->map, .base_limbs = base};
    const struct fh_ckks_params params = {
        .map = b->map,
        .chain = {.log2_n = of->log2_n,
                  .bits = of->bits,
                  .limbs = base ? base : of->limbs,
                  .alpha = base ? of->base_alpha : of->alpha,
                  .dnum = base ? 1 : of->dnum},
        .options = {.max_steps = c->max_steps,
                    .diagnostic = fh_cli_diagnostic,
                    .user = (void *)c->cli,
                    .launched = launched,
                    .launched_user = c},
    };
    fhec_status status = fh_ckks_check(&params, NULL, &error);
    if (status == FHEC_OK)
        status = fh_ckks_counter_begin(c->machine, &params, &(*found)->counter, &error);
    if (status != FHEC_OK)
        return status == FHEC_BAD_INPUT ? wrong(c, block, error.text)
                                        : fh_cli_error(c->cli, status, "%s", error.text);
    c->chain_count++;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- blocks */

/* KEYSWITCH is executed as RELEASE, which adds c0 to it. */
static const fh_golden_ckks_kind kinds[FH_BLOCK_OPS] = {
    [FH_BLOCK_HEADD] = FH_GOLDEN_CKKS_ADD,
    [FH_BLOCK_HESUB] = FH_GOLDEN_CKKS_SUB,
    [FH_BLOCK_HEMULT] = FH_GOLDEN_CKKS_HEMULT,
    [FH_BLOCK_SCALARMULT] = FH_GOLDEN_CKKS_SCALAR_MULT,
    [FH_BLOCK_SCALARADD] = FH_GOLDEN_CKKS_SCALAR_ADD,
    [FH_BLOCK_PTMULT] = FH_GOLDEN_CKKS_PTMULT,
    [FH_BLOCK_PTADD] = FH_GOLDEN_CKKS_PTADD,
    [FH_BLOCK_MONOMIAL] = FH_GOLDEN_CKKS_MONOMIAL,
    [FH_BLOCK_ROTATE] = FH_GOLDEN_CKKS_ROTATE,
    [FH_BLOCK_CONJUGATE] = FH_GOLDEN_CKKS_CONJUGATE,
    [FH_BLOCK_KEYSWITCH] = FH_GOLDEN_CKKS_RELEASE,
    [FH_BLOCK_RAISE_DIGITS] = FH_GOLDEN_CKKS_RAISE_DIGITS,
    [FH_BLOCK_ROTATE_RAISED] = FH_GOLDEN_CKKS_ROTATE_RAISED,
    [FH_BLOCK_RESCALE] = FH_GOLDEN_CKKS_RESCALE,
    [FH_BLOCK_MODRAISE] = FH_GOLDEN_CKKS_MOD_RAISE,
    [FH_BLOCK_ENCAPSULATE] = FH_GOLDEN_CKKS_ENCAPSULATE,
    [FH_BLOCK_RELEASE] = FH_GOLDEN_CKKS_RELEASE,
};

static fhec_status execute(struct counting *c, size_t block, struct fh_block_cost *cost) {
    const struct fh_block *b = &c->graph->blocks[block];
    struct chain *chain;
    struct fh_error error = {""};
    const struct fh_ckks_shape shape = {.kind = kinds[b->op],
                                        .level = b->level,
                                        .result_level = fh_block_result_level(c->graph, block),
                                        .drop = b->op == FH_BLOCK_RESCALE ? b->drop : 0};
    c->cost = cost;
    fhec_status status = find_chain(c, block, &chain);
    if (status != FHEC_OK)
        return status;
    memset(cost, 0, sizeof *cost); /* what the chain itself has launched is none of it */
    fhec_machine_clear_stats(c->machine);
    status = fh_ckks_counter_run(chain->counter, &shape, &error);
    if (status == FHEC_BAD_INPUT)
        return wrong(c, block, error.text);
    if (status == FHEC_OK)
        status = c->status;
    return status == FHEC_OK ? FHEC_OK : fh_cli_machine_error(c->cli, c->machine, status);
}

static fhec_status count_all(struct counting *c, struct fh_block_cost *costs) {
    const struct fh_block_graph *g = c->graph;
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < g->block_count && status == FHEC_OK; i++) {
        size_t like = 0;
        while (!fh_block_same(&g->blocks[like], &g->blocks[i]))
            like++;
        if (like < i) {
            costs[i] = costs[like];
            continue;
        }
        struct fh_cli_progress *progress = fh_cli_progress_start(
            c->cli, c->machine, "%s: %s at level %zu, block %zu of %zu", c->cli->command,
            fh_block_signature(g->blocks[i].op)->name, g->blocks[i].level, i + 1, g->block_count);
        status = execute(c, i, &costs[i]);
        fh_cli_progress_stop(progress);
        if (status == FHEC_OK && c->unknown)
            status = fh_cli_error(c->cli, FHEC_BAD_INPUT,
                                  "%s: blocks[%zu]: machine %s has no unit for %s", c->path, i,
                                  c->pricing->with->name, c->unknown);
    }
    return status;
}

fhec_status fh_cli_block_costs(const struct fh_cli *cli, const char *path,
                               const struct fh_cli_machine *settings,
                               const struct fh_block_graph *graph,
                               const struct fh_cli_block_pricing *pricing,
                               struct fh_block_cost *costs) {
    struct counting c = {.cli = cli,
                         .path = path,
                         .graph = graph,
                         .pricing = pricing,
                         .max_steps = settings->max_steps};
    c.chains = calloc(graph->block_count + 1, sizeof *c.chains);
    fhec_status status =
        c.chains ? fh_cli_machine_new(cli, settings, &c.machine) : fh_cli_no_memory(cli);
    if (status == FHEC_OK) {
        fhec_machine_count(c.machine, true);
        fh_cli_interrupt_begin(c.machine);
        status = count_all(&c, costs);
        fh_cli_interrupt_end();
    }
    for (size_t i = 0; i < c.chain_count; i++)
        fh_ckks_counter_end(c.chains[i].counter);
    free(c.chains);
    free((char *)c.unknown);
    fhec_machine_free(c.machine);
    return status;
}
