/*
 * command_blocks.c - fhec blocks: how long a graph of FHE blocks takes on a machine of engines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_costs.h"
#include "block_report.h"
#include "graph_file.h"
#include "message.h"
#include "metis_library.h"
#include "nearest.h"
#include "options.h"
#include "output.h"
#include "quiet.h"
#include "time_options.h"

static const char doc[] =
    "How long a graph of FHE blocks (hemult, rotate, ...) takes on a machine whose SMs are engines "
    "around a network: when each block starts and ends, what it computes, fetches and moves. `fhec "
    "ckks ... --graph` writes such graphs.\n"
    "FEATURES is a list of\n"
    "  cnoc  shared memory of all SMs is one space, with a network between engines\n"
    "  mod   modular instructions: the machine's variant +mod\n"
    "  wmac  with mod: 64-bit products with a sum, the variant +mod+wmac\n"
    "  labs  with cnoc: tiles go where their data are, which stay there between blocks\n"
    "\vThe kernels of each op, level and map are executed once on the emulator; their instructions "
    "and bytes are what blocks cost. Everything that is assumed is printed with the result.";

enum {
    OPTION_FEATURES = 1,
    OPTION_POLICY,
    OPTION_LOOPS,
    OPTION_ORDER,
    OPTION_PACKED,
    OPTION_FORMAT,
    OPTION_GANTT
};

static const struct argp_option options[] = {
    {"features", OPTION_FEATURES, "LIST", 0, "Of cnoc, mod, wmac, labs (default: none)", 0},
    {"policy", OPTION_POLICY, "POLICY", 0,
     "Which limb leaves on-chip memory: belady (default), the one that is needed last; or lru", 0},
    {"loops", OPTION_LOOPS, "ORDER", 0,
     "Switching of keys by digits (default), by limbs, or what is better of them: best", 0},
    {"order", OPTION_ORDER, "ORDER", 0,
     "Whenever an engine is free the tile that stands first (program), or begins the longest path "
     "(path); or tiles as they stand (sequence); or what is best of them (best, the default)",
     0},
    {"packed", OPTION_PACKED, NULL, 0, "Limbs have as many bits as their primes, instead of words",
     0},
    {"format", OPTION_FORMAT, "FORM", 0, "text (default) or json", 0},
    {"gantt", OPTION_GANTT, "FILE.svg", 0, "Draw it: a row for each engine", 0},
    {0},
};

enum { CNOC = 1, MOD = 2, WMAC = 4, LABS = 8, FEATURES = 4, LIST = 40 };
static const char *const feature_names[FEATURES] = {"cnoc", "mod", "wmac", "labs"};

enum { EVERY_ORDER = (1 << FH_ORDERS) - 1 };
enum loops { BY_DIGIT, BY_LIMB, BEST };

struct blocks {
    struct fh_cli *cli;
    struct fh_cli_machine machine;
    struct fh_cli_time_options time;
    const char *path, *gantt;
    unsigned features;
    char list[LIST]; /* of features */
    size_t policy, loops, format;
    bool packed;
    /* What comes of it: */
    struct fh_time_machine *described, *with; /* without and with features */
    struct fh_block_graph graph;
    struct fh_block_cost *costs;
    struct fh_block_machine model;
    struct result {
        struct fh_tiling tiling;
        struct fh_tiles tiles;
        struct fh_block_plan plan;
    } result;
};

/* ---------------------------------------------------------------- options */

static void parse_features(struct blocks *b, const struct argp_state *state, const char *arg) {
    char *copy = strdup(arg), *rest = copy, *name;
    while (copy && *arg && (name = strsep(&rest, ",")) != NULL) {
        unsigned i = 0;
        while (i < FEATURES && strcmp(feature_names[i], name) != 0)
            i++;
        if (i == FEATURES)
            argp_error(state, "--features: there is no feature \"%s\"%s", name,
                       fh_cli_hint(fh_nearest_of(name, feature_names, FEATURES)).text);
        if (b->features >> i & 1)
            argp_error(state, "--features: %s is named twice", name);
        b->features |= 1U << i;
    }
    free(copy);
    *b->list = 0;
    for (unsigned i = 0; i < FEATURES; i++)
        if (b->features >> i & 1)
            snprintf(b->list + strlen(b->list), sizeof b->list - strlen(b->list), "%s%s",
                     *b->list ? ", " : "", feature_names[i]);
}

static void check_complete(const struct blocks *b, const struct argp_state *state) {
    if (!b->path)
        argp_error(state, "which graph?");
    if (b->features & WMAC && !(b->features & MOD))
        argp_error(state, "--features: wmac goes with mod; nobody states it alone");
    if (b->features & LABS && !(b->features & CNOC))
        argp_error(state, "--features: labs goes with cnoc, whose routers it maps to");
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const policies[] = {"lru", "belady", NULL};
    static const char *const loops[] = {"digits", "limbs", "best", NULL};
    static const char *const orders[] = {"program", "path", "sequence", "best", NULL};
    static const char *const formats[] = {"text", "json", NULL};
    struct blocks *b = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &b->time;
        state->child_inputs[1] = &b->machine;
        state->child_inputs[2] = b->cli;
        return 0;
    case OPTION_FEATURES: parse_features(b, state, arg); return 0;
    case OPTION_POLICY:
        b->policy = fh_cli_choice_option(state, "--policy", arg, policies);
        return 0;
    case OPTION_LOOPS: b->loops = fh_cli_choice_option(state, "--loops", arg, loops); return 0;
    case OPTION_ORDER:
        b->model.orders = 1U << fh_cli_choice_option(state, "--order", arg, orders);
        b->model.orders = b->model.orders == 1U << FH_ORDERS ? EVERY_ORDER : b->model.orders;
        return 0;
    case OPTION_PACKED: b->packed = true; return 0;
    case OPTION_FORMAT: b->format = fh_cli_choice_option(state, "--format", arg, formats); return 0;
    case OPTION_GANTT:
        if (!fh_cli_extension_is(arg, ".svg"))
            argp_error(state, "--gantt %s: expected a file .svg", arg);
        b->gantt = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (b->path)
            argp_error(state, "unexpected argument: %s", arg);
        b->path = arg;
        return 0;
    case ARGP_KEY_END: check_complete(b, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_time_argp, 0, NULL, 0},
                                             {&fh_cli_bare_machine_argp, 0, NULL, 0},
                                             {&fh_cli_common_argp, 0, NULL, 0},
                                             {0}};
static const struct argp argp = {options, parse_option, "GRAPH.json", doc, children, NULL, NULL};

/* ---------------------------------------------------------------- the machine */

static fhec_status read_machines(struct blocks *b) {
    b->described = calloc(2, sizeof *b->described);
    if (!b->described)
        return fh_cli_no_memory(b->cli);
    b->with = b->described + 1;
    const char *feature = b->features & WMAC ? "+mod+wmac" : b->features & MOD ? "+mod" : NULL;
    fhec_status status = fh_cli_time_machine(b->cli, &b->time, "mi100", NULL, b->described);
    if (status == FHEC_OK)
        status = fh_cli_time_machine(b->cli, &b->time, "mi100", feature, b->with);
    return status;
}

/* Engines, rates and bandwidths. What the description does not say is the sheet's, or one engine.
 */
static fhec_status make_model(struct blocks *b) {
    const double efficiency = 0.3;
    const struct fh_time_machine *m = b->described;
    struct fh_block_machine *to = &b->model;
    const uint32_t per = m->per_router ? m->per_router : 8;
    if (!m->torus_x && b->features & CNOC)
        return fh_cli_error(b->cli, FHEC_BAD_INPUT,
                            "--features cnoc: machine %s does not say its cnoc (a line such as "
                            "\"cnoc x 3 y 5 per 8 link 64 hop 4\")",
                            m->name);
    if (m->torus_x && m->torus_x * m->torus_y * per != m->sms)
        return fh_cli_error(
            b->cli, FHEC_BAD_INPUT,
            "machine %s has %u sms; its cnoc of %u x %u routers with %u each has %u", m->name,
            m->sms, m->torus_x, m->torus_y, per, m->torus_x * m->torus_y * per);
    to->torus = m->torus_x ? (struct fh_torus){m->torus_x, m->torus_y}
                           : (struct fh_torus){1, m->sms / per ? m->sms / per : 1};
    if (fh_torus_routers(&to->torus) > FH_TORUS_MOST)
        return fh_cli_error(b->cli, FHEC_BAD_INPUT, "machine %s has more than %d engines", m->name,
                            FH_TORUS_MOST);
    to->rate = (double)m->sms / fh_torus_routers(&to->torus) * m->schedulers;
    to->memory = m->hbm_bandwidth * 1e3 / m->clock_mhz *
                 (m->hbm_efficiency > 0 ? m->hbm_efficiency : efficiency);
    to->link = m->link_bytes ? m->link_bytes : 64;
    to->hop = m->hop_cycles;
    to->overlap = m->overlap;
    to->onchip = m->onchip_bytes ? m->onchip_bytes : (uint64_t)m->sms * m->shared;
    to->policy = (enum fh_onchip_policy)b->policy;
    to->cnoc = b->features & CNOC;
    if (b->features & LABS) {
        const char *why;
        to->labs = fh_cli_metis(&why);
        if (!to->labs)
            return fh_cli_error(b->cli, FHEC_BAD_INPUT, "--features labs: %s", why);
    }
    return FHEC_OK;
}

/* ---------------------------------------------------------------- the plan */

static void result_free(struct result *r) {
    fh_tiles_free(&r->tiles);
    fh_block_plan_free(&r->plan);
}

static fhec_status make_plan(const struct blocks *b, const struct fh_tiles *tiles,
                             struct fh_block_plan *plan) {
    const struct fh_cli_quiet quiet = fh_cli_quiet_begin(); /* METIS prints */
    const fhec_status status = fh_block_plan_make(plan, &b->graph, tiles, &b->model);
    fh_cli_quiet_end(quiet);
    return status;
}

static fhec_status make_result(const struct blocks *b, enum fh_tile_loops loops,
                               struct result *to) {
    memset(to, 0, sizeof *to);
    to->tiling = (struct fh_tiling){loops, b->packed};
    fhec_status status = fh_tiles_make(&to->tiles, &b->graph, &to->tiling);
    if (status == FHEC_OK)
        status = fh_tiles_price(&to->tiles, &b->graph, b->costs);
    if (status == FHEC_OK)
        status = make_plan(b, &to->tiles, &to->plan);
    return status == FHEC_OK ? FHEC_OK : fh_cli_no_memory(b->cli);
}

static fhec_status plan(struct blocks *b) {
    struct result other;
    fhec_status status =
        make_result(b, b->loops == BY_LIMB ? FH_TILES_BY_LIMB : FH_TILES_BY_DIGIT, &b->result);
    if (status != FHEC_OK || b->loops != BEST)
        return status;
    status = make_result(b, FH_TILES_BY_LIMB, &other);
    if (status == FHEC_OK && other.plan.cycles < b->result.plan.cycles) {
        const struct result worse = b->result;
        b->result = other;
        other = worse;
    }
    result_free(&other);
    return status;
}

static fhec_status draw(const struct blocks *b, const struct fh_block_view *view) {
    struct fh_trace_bytes bytes = {0};
    const fhec_status status = fh_block_gantt(&bytes, view)
                                   ? fh_cli_output_file(b->cli, b->gantt, bytes.bytes, bytes.count)
                                   : fh_cli_no_memory(b->cli);
    fh_trace_bytes_free(&bytes);
    return status;
}

static fhec_status show(const struct blocks *b) {
    struct fh_trace_bytes bytes = {0};
    const struct fh_block_view view = {
        .graph = &b->graph,
        .costs = b->costs,
        .tiles = &b->result.tiles,
        .tiling = &b->result.tiling,
        .described = b->described,
        .machine = &b->model,
        .plan = &b->result.plan,
        .features = b->list,
        .sms_of_engine = (double)b->described->sms / fh_torus_routers(&b->model.torus),
    };
    const bool fine = (b->format ? fh_block_json : fh_block_text)(&bytes, &view);
    fhec_status status = fine && b->gantt ? draw(b, &view) : FHEC_OK;
    if (fine && status == FHEC_OK)
        fwrite(bytes.bytes, 1, bytes.count, stdout);
    fh_trace_bytes_free(&bytes);
    return fine ? status : fh_cli_no_memory(b->cli);
}

static fhec_status run(struct blocks *b) {
    fhec_status status = read_machines(b);
    if (status == FHEC_OK)
        status = make_model(b);
    if (status == FHEC_OK)
        status = fh_cli_graph_read(b->cli, b->path, &b->graph);
    if (status != FHEC_OK)
        return status;
    const struct fh_cli_block_pricing pricing = {b->with, b->described};
    b->costs = calloc(b->graph.block_count + 1, sizeof *b->costs);
    status = b->costs
                 ? fh_cli_block_costs(b->cli, b->path, &b->machine, &b->graph, &pricing, b->costs)
                 : fh_cli_no_memory(b->cli);
    if (status == FHEC_OK)
        status = plan(b);
    return status == FHEC_OK ? show(b) : status;
}

fhec_status fh_cli_blocks(struct fh_cli *cli, int argc, char **argv) {
    struct blocks b = {.cli = cli, .policy = FH_ONCHIP_BELADY, .model.orders = EVERY_ORDER};
    fh_cli_parse(cli, &argp, argc, argv, &b);
    const fhec_status status = run(&b);
    result_free(&b.result);
    fh_block_graph_free(&b.graph);
    free(b.costs);
    free(b.described);
    fh_cli_time_options_free(&b.time);
    return status;
}
