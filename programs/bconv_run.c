/*
 * bconv_run.c - base conversion: checks, tables and the launch of bconv.sass, where the mathematics
 * and the layouts are explained. Equation numbers are that file's.
 */
#include "bconv_cuda.h"
#include "bconv_imma.h"
#include "cuda_factor.h"
#include "device.h"
#include "fragment.h"
#include "parameters.h"
#include "residue.h"

#include <stdlib.h>

enum { MAX_LIMBS = FH_GOLDEN_MAX_LIMBS, CHUNK = 16, GROUP = 8, WARP_COEFFICIENTS = 64 };

/* ---------------------------------------------------------------- checks */

typedef unsigned long long ull;

/* One side's moduli: how many, odd, in range, none twice. */
static fhec_status check_side(const struct fh_map *map, const char *side, size_t count,
                              const uint64_t *moduli, struct fh_error *error) {
    unsigned bits = map->word_bits == 64 ? FH_MAX_MODULUS_BITS_64 : 32;
    if (count < 1 || count > MAX_LIMBS || !moduli)
        return fh_fail(error, FHEC_BAD_INPUT, "there must be 1 to %d %s moduli, not %zu", MAX_LIMBS,
                       side, moduli ? count : 0);
    for (size_t j = 0; j < count; j++) {
        ull modulus = moduli[j];
        if (modulus < 3 || modulus >> bits)
            return fh_fail(error, FHEC_BAD_INPUT,
                           "%s modulus %zu is %llu; it must be at least 3 and below 2^%u", side, j,
                           modulus, bits);
        if (modulus % 2 == 0)
            return fh_fail(error, FHEC_BAD_INPUT, "%s modulus %zu is %llu; it must be odd", side, j,
                           modulus);
        for (size_t i = 0; i < j; i++)
            if (moduli[i] == modulus)
                return fh_fail(error, FHEC_BAD_INPUT,
                               "%s moduli %zu and %zu are both %llu; they must be distinct", side,
                               i, j, modulus);
    }
    return FHEC_OK;
}

/* Finds the map, too. */
static fhec_status check(const struct fh_bconv_params *params, const struct fh_map **map,
                         struct fh_error *error) {
    error->text[0] = 0;
    fhec_status status = fh_check_map(params->map, FH_WORKLOAD_BCONV, map, error);
    if (status != FHEC_OK || params->options.checked)
        return status;
    if (params->n == 0 || params->n % CHUNK || params->n > FH_BCONV_MAX_N)
        return fh_fail(error, FHEC_BAD_INPUT, "N must be a multiple of 16 from 16 to %d, not %zu",
                       FH_BCONV_MAX_N, params->n);
    status = check_side(*map, "source", params->alpha, params->from, error);
    if (status == FHEC_OK)
        status = check_side(*map, "target", params->target, params->to, error);
    for (size_t j = 0; j < params->alpha && status == FHEC_OK; j++)
        for (size_t i = 0; i < j && status == FHEC_OK; i++) {
            ull common = fh_golden_gcd(params->from[i], params->from[j]);
            if (common != 1)
                status = fh_fail(error, FHEC_BAD_INPUT,
                                 "source moduli %zu and %zu, %llu and %llu, have the common factor "
                                 "%llu; they must be coprime",
                                 i, j, (ull)params->from[i], (ull)params->from[j], common);
        }
    return status;
}

fhec_status fh_bconv_check(const struct fh_bconv_params *params, struct fh_error *error) {
    const struct fh_map *map;
    return check(params, &map, error);
}

/* ---------------------------------------------------------------- tables */

/* What TIMES_CONSTANT takes; for modular lane units {value, 0, 0, p}. */
struct scale {
    uint32_t words[4];
};

struct tables {
    const struct fh_bconv_params *params;
    bool gme, narrow; /* narrow: all sources are below 2^31 */
    size_t chunks, groups;
    size_t spread_from; /* where the last source also stands in the following rows, see .sass */
    struct scale *scales;
    uint32_t *factors;
    struct fh_modulus_entry *moduli;
};

/* The source in row `k` of B, or column k of A; `alpha` where there is none. */
static size_t source_of(const struct tables *t, size_t k) {
    size_t alpha = t->params->alpha;
    return k < alpha ? k : k - t->spread_from < 4 ? alpha - 1 : alpha;
}

/* [P / p_skip]_modulus */
static uint64_t product_without(const struct fh_bconv_params *params, size_t skip,
                                uint64_t modulus) {
    uint64_t product = 1 % modulus;
    for (size_t j = 0; j < params->alpha; j++)
        if (j != skip)
            product = product * (params->from[j] % modulus) % modulus;
    return product;
}

static struct scale scale_of(const struct tables *t, size_t j) {
    const struct fh_bconv_params *params = t->params;
    uint32_t p = (uint32_t)params->from[j];
    uint64_t inverse = 0;
    /* A unit: the sources are coprime. */
    (void)fh_golden_invmod(product_without(params, j, p), p, &inverse);
    if (t->gme)
        return (struct scale){{(uint32_t)inverse, 0, 0, p}};
    struct scale scale;
    fh_factor_times_32(p, inverse, t->narrow, scale.words);
    return scale;
}

static void fill_scales(const struct tables *t) {
    const struct fh_bconv_params *params = t->params;
    struct scale of_source[MAX_LIMBS];
    for (size_t j = 0; j < params->alpha; j++)
        of_source[j] = scale_of(t, j);
    for (size_t k = 0; k < t->chunks * CHUNK; k++) {
        size_t j = source_of(t, k);
        /* Nothing is scaled without a source; but MODMUL wants a modulus. */
        t->scales[k] =
            j < params->alpha ? of_source[j] : (struct scale){{0, 0, 0, t->gme ? UINT32_MAX : 0}};
    }
}

/* B fragments; rows without a source and columns without a target are zeros. */
static void fill_factors(const struct tables *t) {
    const struct fh_bconv_params *params = t->params;
    for (size_t i = 0; i < params->target; i++) {
        uint32_t of_source[MAX_LIMBS];
        for (size_t j = 0; j < params->alpha; j++)
            of_source[j] = (uint32_t)product_without(params, j, params->to[i]);
        for (size_t chunk = 0; chunk < t->chunks; chunk++) {
            uint32_t *fragment = t->factors + (i / GROUP * t->chunks + chunk) * 128;
            for (unsigned w = 0; w < 128; w++) {
                fhec_element element = fh_fragment_element(FH_FRAGMENT_B, w);
                size_t j = source_of(t, chunk * CHUNK + element.row);
                if (element.column == i % GROUP && j < params->alpha)
                    fragment[w] = of_source[j];
            }
        }
    }
}

/* Columns without a target have the last one's modulus; their results go nowhere. */
static void fill_moduli(const struct tables *t) {
    const struct fh_bconv_params *params = t->params;
    for (size_t i = 0; i < t->groups * GROUP; i++)
        t->moduli[i] =
            fh_modulus_entry((uint32_t)params->to[i < params->target ? i : params->target - 1]);
}

static void free_tables(struct tables *t) {
    free(t->scales);
    free(t->factors);
    free(t->moduli);
}

static fhec_status make_tables(struct tables *t, const struct fh_bconv_params *params, bool gme,
                               struct fh_error *error) {
    *t = (struct tables){
        .params = params,
        .gme = gme,
        .chunks = (params->alpha + CHUNK - 1) / CHUNK,
        .groups = (params->target + GROUP - 1) / GROUP,
        .spread_from = params->alpha % 4 == 1 ? params->alpha - 1 : SIZE_MAX / 2,
        .narrow = true,
    };
    for (size_t j = 0; j < params->alpha; j++)
        t->narrow = t->narrow && !(params->from[j] >> 31);
    t->scales = fh_table(t->chunks * CHUNK, sizeof *t->scales);
    t->factors = fh_table(t->groups * t->chunks * 128, sizeof *t->factors);
    t->moduli = fh_table(t->groups * GROUP, sizeof *t->moduli);
    if (!t->scales || !t->factors || !t->moduli) {
        free_tables(t);
        return fh_fail_memory(error);
    }
    fill_scales(t);
    fill_factors(t);
    fill_moduli(t);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- running */

static fhec_status upload_tables(struct fh_guest *guest, const struct tables *t,
                                 uint64_t addresses[3]) {
    fhec_status status = fh_guest_table(guest, "scales", t->scales,
                                        t->chunks * CHUNK * sizeof *t->scales, &addresses[0]);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "factors", t->factors,
                                t->groups * t->chunks * 128 * sizeof *t->factors, &addresses[1]);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "moduli", t->moduli, t->groups * GROUP * sizeof *t->moduli,
                                &addresses[2]);
    return status;
}

/* Assembles the kernel and lists its only step: warps of 64 coefficients, and one of 32 and one of
 * 16 for the rest; four in a block. */
static fhec_status add_step(struct fh_plan *plan, const struct tables *tables) {
    const struct fh_bconv_params *params = tables->params;
    const struct fh_define defines[] = {
        {"N", (unsigned)params->n},
        {"ALPHA", (unsigned)params->alpha},
        {"TARGETS", (unsigned)params->target},
        {"GME", tables->gme},
        {"NARROW", tables->narrow},
    };
    uint64_t addresses[3];
    fhec_status status =
        fh_guest_assemble(&plan->guest, "bconv.sass", defines, sizeof defines / sizeof *defines);
    if (status == FHEC_OK)
        status = upload_tables(&plan->guest, tables, addresses);
    if (status != FHEC_OK)
        return status;
    size_t warps = params->n / WARP_COEFFICIENTS + params->n / 32 % 2 + params->n / 16 % 2;
    struct fh_step *step = fh_plan_step(plan, "bconv", (warps + 3) / 4, 1, 4);
    fh_step_in(step);
    fh_step_out(step);
    for (unsigned i = 0; i < 3; i++)
        fh_step_table(step, addresses[i], 0);
    return FHEC_OK;
}

/* On FHEC. */
static fhec_status make_fhec(struct fh_plan *plan, const struct fh_bconv_params *params, bool gme) {
    struct tables tables;
    fhec_status status = make_tables(&tables, params, gme, plan->guest.error);
    if (status != FHEC_OK)
        return status;
    status = add_step(plan, &tables);
    free_tables(&tables);
    return status;
}

/* From parameters that have been checked. */
static fhec_status make_plan(struct fh_plan *plan, const struct fh_bconv_params *params,
                             const struct fh_map *map) {
    switch (map->matrix) {
    case FH_MATRIX_FHEC: return make_fhec(plan, params, map->gme);
    case FH_MATRIX_IMMA: return fh_bconv_imma(plan, params);
    default: return fh_bconv_cuda(plan, params, map->gme, map->word_bits / 32);
    }
}

fhec_status fh_bconv_plan(struct fh_plan *plan, const struct fh_bconv_params *params) {
    const struct fh_map *map;
    fhec_status status = check(params, &map, plan->guest.error);
    return status == FHEC_OK ? make_plan(plan, params, map) : status;
}

/* Puts the data into the guest, converts them there, and takes the result back. */
static fhec_status run_plan(struct fh_plan *plan, const void *in, size_t in_bytes, void *out,
                            size_t out_bytes) {
    uint64_t source, target;
    fhec_status status = fh_guest_table(&plan->guest, "in", in, in_bytes, &source);
    if (status == FHEC_OK)
        status = fh_guest_alloc(&plan->guest, "out", out_bytes, &target);
    if (status == FHEC_OK)
        status = fh_plan_run(plan, 0, 1, source, target);
    return status == FHEC_OK ? fh_guest_read(&plan->guest, target, out, out_bytes) : status;
}

fhec_status fh_bconv_run(fhec_machine *machine, const struct fh_bconv_params *params,
                         const void *in, size_t in_bytes, void *out, struct fh_error *error) {
    const struct fh_map *map;
    fhec_status status = check(params, &map, error);
    if (status == FHEC_OK)
        status = fh_check_bytes(map, params->alpha, params->n, in_bytes, "the input", error);
    if (status != FHEC_OK)
        return status;
    struct fh_plan plan;
    struct fh_bconv_params seen = *params;
    size_t all = params->alpha * params->n;
    seen.reduced = fh_first_unreduced(map, params->from, params->alpha, params->n, in) == all;
    fh_plan_begin(&plan, machine, &params->options, error);
    status = make_plan(&plan, &seen, map);
    if (status == FHEC_OK)
        status =
            run_plan(&plan, in, in_bytes, out, params->target * params->n * (map->word_bits / 8));
    fh_plan_free(&plan);
    return status;
}
