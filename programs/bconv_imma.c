/*
 * bconv_imma.c - tables and the launch of bconv_imma.sass, where the mathematics and the layouts
 * are explained.
 */
#include "bconv_imma.h"
#include "cuda_factor.h"
#include "imma.h"

#include <stdlib.h>

enum { MAX_LIMBS = FH_GOLDEN_MAX_LIMBS, GROUP = 8, STEP = 4, STEP_WORDS = 128, BLOCK_WARPS = 4 };

/* What TIMES_CONSTANT takes. */
struct scale {
    uint32_t words[4];
};

/* q and -1/q of a column. */
struct column {
    uint32_t q, negative_inverse;
};

struct tables {
    const struct fh_bconv_params *params;
    size_t steps, groups;
    size_t most;                   /* tiles of a full warp */
    size_t pack;                   /* column sets of the last group; all other groups have one */
    bool narrow;                   /* all sources are below 2^31 */
    bool spread;                   /* the last source stands in all four rows of the last step */
    uint64_t *inverses, *products; /* golden's [Phat_j^-1]_{p_j} and [Phat_j]_{q_i} */
    struct scale *scales;
    uint32_t *factors;
    struct column *columns;
};

/* ---------------------------------------------------------------- filling */

static size_t group_steps(const struct tables *t, size_t group) {
    return t->steps * (group + 1 == t->groups ? t->pack : 1);
}

static size_t all_steps(const struct tables *t) {
    return t->steps * (t->groups - 1 + t->pack);
}

/* The source of lane `lane_t` in step `step`; alpha if there is none. */
static size_t source_of(const struct tables *t, size_t step, size_t lane_t) {
    size_t alpha = t->params->alpha, j = STEP * step + lane_t;
    return j < alpha ? j : t->spread ? alpha - 1 : alpha;
}

/* The target in column `column` of column set `set` of a group; the number of targets if none. */
static size_t target_of(const struct tables *t, size_t group, size_t set, size_t column) {
    size_t targets = t->params->target, pack = group + 1 == t->groups ? t->pack : 1;
    size_t width = GROUP / pack, i = GROUP * group + column % width;
    return column / width == set && i < targets ? i : targets;
}

static void fill_scales(const struct tables *t) {
    for (size_t k = 0; k < t->steps * STEP; k++) {
        size_t j = source_of(t, k / STEP, k % STEP);
        if (j == t->params->alpha)
            continue;
        fh_factor_times_32(t->params->from[j], t->inverses[j], t->narrow, t->scales[k].words);
    }
}

/* B of every step, four planes a lane, with Montgomery's factor 2^32. */
static void fill_factors(const struct tables *t) {
    const struct fh_bconv_params *params = t->params;
    uint32_t *words = t->factors;
    for (size_t group = 0; group < t->groups; group++)
        for (size_t s = 0; s < group_steps(t, group); s++)
            for (unsigned lane = 0; lane < 32; lane++, words += 4) {
                size_t i = target_of(t, group, s / t->steps, lane >> 2);
                size_t j = source_of(t, s % t->steps, lane & 3);
                if (i == params->target || j == params->alpha)
                    continue;
                uint32_t q = (uint32_t)params->to[i];
                struct fh_factor byte = fh_factor(1 << 8, q);
                uint64_t product = t->products[j * params->target + i];
                fh_imma_planes((uint32_t)((product << 32) % q), &byte, words);
            }
}

/* Columns without a target have the last one's modulus; their results go nowhere. */
static void fill_columns(const struct tables *t) {
    const struct fh_bconv_params *params = t->params;
    for (size_t c = 0; c < t->groups * GROUP; c++) {
        size_t pack = c / GROUP + 1 == t->groups ? t->pack : 1;
        size_t i = target_of(t, c / GROUP, c % GROUP / (GROUP / pack), c % GROUP);
        uint32_t q = (uint32_t)params->to[i < params->target ? i : params->target - 1];
        t->columns[c] = (struct column){q, fh_negative_inverse(q)};
    }
}

static void free_tables(struct tables *t) {
    free(t->inverses);
    free(t->products);
    free(t->scales);
    free(t->factors);
    free(t->columns);
}

/* The .sass file has the same formulas. */
static struct tables shape_of(const struct fh_bconv_params *params) {
    struct tables t = {
        .params = params,
        .steps = (params->alpha + STEP - 1) / STEP,
        .groups = (params->target + GROUP - 1) / GROUP,
        .pack = 1,
        .narrow = true,
    };
    for (size_t j = 0; j < params->alpha; j++)
        t.narrow = t.narrow && !(params->from[j] >> 31);
    size_t rest = params->target % GROUP;
    t.most = t.steps <= 4 ? 8 : t.steps <= 12 ? 4 : 2;
    t.spread = t.most == 8 && params->alpha % STEP == 1;
    if (t.most == 8 && rest > 0 && rest <= 4)
        t.pack = rest > 2 ? 2 : 4;
    return t;
}

static fhec_status make_tables(struct tables *t, const struct fh_bconv_params *params,
                               struct fh_error *error) {
    const struct fh_golden_bases bases = {params->alpha, params->from, params->target, params->to};
    *t = shape_of(params);
    t->inverses = fh_table(params->alpha, sizeof *t->inverses);
    t->products = fh_table(params->alpha * params->target, sizeof *t->products);
    t->scales = fh_table(t->steps * STEP, sizeof *t->scales);
    t->factors = fh_table(all_steps(t) * STEP_WORDS, sizeof *t->factors);
    t->columns = fh_table(t->groups * GROUP, sizeof *t->columns);
    if (!t->inverses || !t->products || !t->scales || !t->factors || !t->columns ||
        fh_golden_bconv_constants(&bases, t->inverses, t->products) != FH_GOLDEN_OK) {
        free_tables(t);
        return fh_fail_memory(error);
    }
    fill_scales(t);
    fill_factors(t);
    fill_columns(t);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- the step */

static fhec_status add_step(struct fh_plan *plan, const struct tables *t) {
    const struct fh_bconv_params *params = t->params;
    const struct fh_define defines[] = {
        {"N", (unsigned)params->n},
        {"ALPHA", (unsigned)params->alpha},
        {"TARGETS", (unsigned)params->target},
        {"NARROW", t->narrow},
    };
    struct fh_guest *guest = &plan->guest;
    uint64_t scales, factors, columns;
    fhec_status status = fh_guest_assemble(guest, "bconv_imma.sass", defines, 4);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "scales", t->scales, t->steps * STEP * sizeof *t->scales,
                                &scales);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "factors", t->factors,
                                all_steps(t) * STEP_WORDS * sizeof *t->factors, &factors);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "moduli", t->columns, t->groups * GROUP * sizeof *t->columns,
                                &columns);
    if (status != FHEC_OK)
        return status;
    /* Full warps, and one each of 4, 2 and 1 tiles for the rest. */
    size_t tiles = params->n / 16, rest = tiles % t->most;
    size_t warps = tiles / t->most + (rest >> 2) + (rest >> 1 & 1) + (rest & 1);
    struct fh_step *step =
        fh_plan_step(plan, "bconv", (warps + BLOCK_WARPS - 1) / BLOCK_WARPS, 1, BLOCK_WARPS);
    fh_step_in(step);
    fh_step_out(step);
    fh_step_table(step, scales, 0);
    fh_step_table(step, factors, 0);
    fh_step_table(step, columns, 0);
    return FHEC_OK;
}

fhec_status fh_bconv_imma(struct fh_plan *plan, const struct fh_bconv_params *params) {
    struct tables tables;
    fhec_status status = make_tables(&tables, params, plan->guest.error);
    if (status == FHEC_OK) {
        status = add_step(plan, &tables);
        free_tables(&tables);
    }
    return status;
}
