/*
 * application.c - how often an application uses which primitive.
 */
#include "application.h"

#include "ckks_groups.h"
#include "guest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *fh_app_form_name(enum fh_app_form form) {
    static const char *const names[FH_APP_FORMS] = {"single", "hoisted", "fused", "fused_hoisted"};
    return names[form];
}

const char *fh_app_op_name(enum fh_app_op op) {
    static const char *const names[FH_APP_OPS] = {"headd",  "hemult",     "ptmult",
                                                  "ptadd",  "scalarmult", "scalaradd",
                                                  "rotate", "conjugate",  "rescale"};
    return names[op];
}

static bool is_fused(enum fh_app_form form) {
    return form == FH_APP_FUSED || form == FH_APP_FUSED_HOISTED;
}

static bool is_hoisted(enum fh_app_form form) {
    return form == FH_APP_HOISTED || form == FH_APP_FUSED_HOISTED;
}

void fh_app_uses_free(struct fh_app_uses *uses) {
    free(uses->uses);
    memset(uses, 0, sizeof *uses);
}

/* Kinds are kept apart that are the same kernels, so that operations can be counted. */
static bool same(const struct fh_app_use *use, const struct fh_ckks_shape *shape, bool base) {
    return use->base == base && use->shape.kind == shape->kind &&
           fh_ckks_same_shape(&use->shape, shape);
}

fhec_status fh_app_use(struct fh_app_uses *uses, const struct fh_ckks_shape *shape, bool base,
                       uint64_t count) {
    if (!count)
        return FHEC_OK;
    for (size_t i = 0; i < uses->count; i++)
        if (same(&uses->uses[i], shape, base)) {
            uses->uses[i].count += count;
            return FHEC_OK;
        }
    if (uses->count == uses->room) {
        const size_t room = uses->room ? 2 * uses->room : 64;
        struct fh_app_use *grown = realloc(uses->uses, room * sizeof *grown);
        if (!grown)
            return FHEC_HOST_ERROR;
        uses->uses = grown;
        uses->room = room;
    }
    uses->uses[uses->count++] = (struct fh_app_use){*shape, base, count};
    return FHEC_OK;
}

/* ---------------------------------------------------------------- rows */

static fhec_status use_kind(struct fh_app_uses *uses, fh_golden_ckks_kind kind, size_t limbs,
                            size_t terms, uint64_t count) {
    const struct fh_ckks_shape shape = {
        .kind = kind, .level = limbs, .result_level = limbs, .terms = terms};
    return fh_app_use(uses, &shape, false, count);
}

/* `sums` sums of `terms` products each: as many terms at once as a kernel takes, the pieces added
 * up. */
static fhec_status use_sums(struct fh_app_uses *uses, fh_golden_ckks_kind kind, size_t limbs,
                            uint64_t terms, uint64_t sums, size_t most) {
    const uint64_t pieces = terms / most, rest = terms % most;
    fhec_status status = use_kind(uses, kind, limbs, most, pieces * sums);
    if (status == FHEC_OK)
        status = use_kind(uses, kind, limbs, rest == 1 ? 0 : rest, rest ? sums : 0);
    return status == FHEC_OK
               ? use_kind(uses, FH_GOLDEN_CKKS_ADD, limbs, 0, (pieces + (rest != 0) - 1) * sums)
               : status;
}

static fhec_status use_products(struct fh_app_uses *uses, enum fh_app_form form,
                                const struct fh_app_row *row, uint64_t times) {
    const bool scalars = row->op == FH_APP_SCALARMULT;
    const fh_golden_ckks_kind kind = scalars ? FH_GOLDEN_CKKS_SCALAR_MULT : FH_GOLDEN_CKKS_PTMULT;
    const uint64_t sums = row->groups ? row->groups : row->count;
    const uint64_t terms = row->count / sums;
    if (is_fused(form) && terms > 1)
        return use_sums(uses, kind, row->limbs, terms, sums * times,
                        scalars ? FH_CKKS_MOST_MULTIPLES : FH_CKKS_MOST_TERMS);
    fhec_status status = use_kind(uses, kind, row->limbs, 0, row->count * times);
    return status == FHEC_OK
               ? use_kind(uses, FH_GOLDEN_CKKS_ADD, row->limbs, 0, (row->count - sums) * times)
               : status;
}

static fhec_status use_rotations(struct fh_app_uses *uses, enum fh_app_form form,
                                 const struct fh_app_row *row, uint64_t times) {
    const uint64_t count = row->count * times;
    if (!is_hoisted(form) || !row->groups)
        return use_kind(uses, FH_GOLDEN_CKKS_ROTATE, row->limbs, 0, count);
    fhec_status status =
        use_kind(uses, FH_GOLDEN_CKKS_RAISE_DIGITS, row->limbs, 0, row->groups * times);
    return status == FHEC_OK ? use_kind(uses, FH_GOLDEN_CKKS_ROTATE_RAISED, row->limbs, 0, count)
                             : status;
}

/* By single limbs, one after another, unless fused. */
static fhec_status use_rescales(struct fh_app_uses *uses, enum fh_app_form form, size_t limbs,
                                size_t drop, uint64_t count) {
    const size_t at_once = is_fused(form) && drop ? drop : 1;
    fhec_status status = FHEC_OK;
    for (size_t done = 0; done < (drop ? drop : 1) && status == FHEC_OK; done += at_once) {
        const struct fh_ckks_shape shape = {.kind = FH_GOLDEN_CKKS_RESCALE,
                                            .level = limbs - done,
                                            .result_level = limbs - done - at_once,
                                            .drop = at_once};
        status = fh_app_use(uses, &shape, false, count);
    }
    return status;
}

fhec_status fh_app_use_row(struct fh_app_uses *uses, enum fh_app_form form,
                           const struct fh_app_row *row, uint64_t times) {
    const uint64_t count = row->count * times;
    switch (row->op) {
    case FH_APP_HEADD: return use_kind(uses, FH_GOLDEN_CKKS_ADD, row->limbs, 0, count);
    case FH_APP_HEMULT: return use_kind(uses, FH_GOLDEN_CKKS_HEMULT, row->limbs, 0, count);
    case FH_APP_PTADD: return use_kind(uses, FH_GOLDEN_CKKS_PTADD, row->limbs, 0, count);
    case FH_APP_SCALARADD: return use_kind(uses, FH_GOLDEN_CKKS_SCALAR_ADD, row->limbs, 0, count);
    case FH_APP_CONJUGATE: return use_kind(uses, FH_GOLDEN_CKKS_CONJUGATE, row->limbs, 0, count);
    case FH_APP_ROTATE: return use_rotations(uses, form, row, times);
    case FH_APP_RESCALE: return use_rescales(uses, form, row->limbs, row->drop, count);
    default: return use_products(uses, form, row, times);
    }
}

/* ---------------------------------------------------------------- plans */

fhec_status fh_app_use_circuit(struct fh_app_uses *uses, enum fh_app_form form,
                               const fh_golden_ckks_circuit *circuit,
                               bool (*wanted)(const fh_golden_ckks_step *step), uint64_t times) {
    fhec_status status = FHEC_OK;
    for (size_t i = circuit->input_count - 1; i < circuit->step_count && status == FHEC_OK;) {
        const struct fh_ckks_group group = fh_ckks_group_at(circuit, i, is_fused(form));
        const struct fh_ckks_shape *shape = &group.shape;
        if (wanted && !wanted(&circuit->steps[i]))
            ; /* another one's */
        else if (shape->kind == FH_GOLDEN_CKKS_RESCALE)
            status = use_rescales(uses, form, shape->level, shape->drop, times);
        else
            status = fh_app_use(uses, shape, shape->kind == FH_GOLDEN_CKKS_ENCAPSULATE, times);
        i += group.steps;
    }
    return status;
}

/* Real and imaginary parts stand in the two halves of one ciphertext: no second EvalMod, nothing to
 * split off and to join. */
static bool of_one_half(const fh_golden_ckks_step *step) {
    if (!strcmp(step->name, "EvalMod im") || !strcmp(step->name, "join"))
        return false;
    return strcmp(step->name, "split") != 0 || step->kind == FH_GOLDEN_CKKS_CONJUGATE ||
           step->kind == FH_GOLDEN_CKKS_ADD;
}

static fhec_status use_fewer_slots(struct fh_app_uses *uses, const struct fh_app_plan *plan,
                                   enum fh_app_form form, const fh_golden_ckks_circuit *circuit,
                                   uint64_t times) {
    const size_t out = fh_golden_ckks_circuit_level(circuit, circuit->output);
    const uint64_t copies = (plan->all_slots - plan->log2_slots) * times;
    fhec_status status = fh_app_use_circuit(uses, form, circuit, of_one_half, times);
    if (status == FHEC_OK)
        status = use_kind(uses, FH_GOLDEN_CKKS_ROTATE, circuit->limbs, 0, copies);
    if (status == FHEC_OK)
        status = use_kind(uses, FH_GOLDEN_CKKS_ADD, circuit->limbs, 0, copies);
    if (status == FHEC_OK)
        status = use_kind(uses, FH_GOLDEN_CKKS_ROTATE, out, 0, times);
    return status == FHEC_OK ? use_kind(uses, FH_GOLDEN_CKKS_ADD, out, 0, times) : status;
}

fhec_status fh_app_use_plan(struct fh_app_uses *uses, enum fh_app_form form,
                            const struct fh_app_plan *plan, uint64_t times,
                            struct fh_error *error) {
    fh_golden_ckks_boot_params params = plan->params;
    fh_golden_ckks_circuit *circuit = NULL;
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN];
    params.hoist = is_hoisted(form);
    fh_golden_status made = fh_golden_ckks_boot_moduli(&params, moduli);
    if (made == FH_GOLDEN_OK)
        made = fh_golden_ckks_boot_circuit(&params, moduli, &circuit);
    if (made != FH_GOLDEN_OK)
        return fh_fail(error, made == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                       "the bootstrap cannot be planned: %s", fh_golden_status_text(made));
    const fhec_status status = plan->log2_slots < plan->all_slots
                                   ? use_fewer_slots(uses, plan, form, circuit, times)
                                   : fh_app_use_circuit(uses, form, circuit, NULL, times);
    fh_golden_ckks_circuit_free(circuit);
    return status == FHEC_OK ? FHEC_OK : fh_fail_memory(error);
}

/* Any function that needs all coefficients: which ones they are is not counted. */
static long double exponential(const void *context, long double x) {
    (void)context;
    return expl(x);
}

/* The chain is that of a bootstrap, from whose top the series begins. */
static fh_golden_status plan_series(const struct fh_app_series *series,
                                    fh_golden_ckks_circuit **circuit) {
    enum { LOG2_N = 16, MOST_DEGREE = 127 };
    fh_golden_ckks_boot_params params =
        (series->per_level == 2 ? fh_golden_ckks_boot_pairs
                                : fh_golden_ckks_boot_published)(LOG2_N);
    uint64_t moduli[FH_GOLDEN_CKKS_MAX_CHAIN];
    long double coefficients[MOST_DEGREE + 1];
    const long double delta = ldexpl(1, (int)params.scale_bits);
    if (series->degree < 1 || series->degree > MOST_DEGREE)
        return FH_GOLDEN_ERR_ARGUMENT;
    while (fh_golden_ckks_boot_limbs(&params) < series->limbs)
        params.levels_left++;
    fh_golden_status status = fh_golden_ckks_boot_moduli(&params, moduli);
    if (status == FH_GOLDEN_OK)
        status = fh_golden_ckks_circuit_create(
            circuit, &(fh_golden_ckks_circuit_params){.log2_n = LOG2_N,
                                                      .limbs = fh_golden_ckks_boot_limbs(&params),
                                                      .moduli = moduli,
                                                      .per_level = params.per_level,
                                                      .delta = delta,
                                                      .input_level = series->limbs,
                                                      .input_scale = delta});
    if (status != FH_GOLDEN_OK)
        return status;
    fh_golden_chebyshev_coefficients(exponential, NULL, series->degree, coefficients);
    return fh_golden_ckks_circuit_finish(
        *circuit, fh_golden_ckks_circuit_chebyshev(*circuit, 0, series->degree, coefficients));
}

fhec_status fh_app_use_series(struct fh_app_uses *uses, enum fh_app_form form,
                              const struct fh_app_series *series, uint64_t times,
                              struct fh_error *error) {
    fh_golden_ckks_circuit *circuit = NULL;
    const fh_golden_status made = plan_series(series, &circuit);
    fhec_status status = FHEC_OK;
    if (made != FH_GOLDEN_OK)
        status = fh_fail(error, made == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                         "the series cannot be planned: %s", fh_golden_status_text(made));
    else if (fh_app_use_circuit(uses, form, circuit, NULL, times) != FHEC_OK)
        status = fh_fail_memory(error);
    fh_golden_ckks_circuit_free(circuit);
    return status;
}

/* ---------------------------------------------------------------- totals */

static void add_total(struct fh_app_totals *totals, const struct fh_app_use *use) {
    switch (use->shape.kind) {
    case FH_GOLDEN_CKKS_HEMULT: totals->hemult += use->count; break;
    case FH_GOLDEN_CKKS_ROTATE:
    case FH_GOLDEN_CKKS_CONJUGATE: totals->rotate += use->count; break;
    case FH_GOLDEN_CKKS_PTMULT:
    case FH_GOLDEN_CKKS_SCALAR_MULT: totals->ptmult += use->count; break;
    case FH_GOLDEN_CKKS_ADD:
    case FH_GOLDEN_CKKS_SUB: totals->headd += use->count; break;
    case FH_GOLDEN_CKKS_RESCALE: totals->rescale += use->count * use->shape.drop; break;
    case FH_GOLDEN_CKKS_ENCAPSULATE:
    case FH_GOLDEN_CKKS_RELEASE: totals->keyswitch += use->count; break;
    default: break;
    }
}

struct fh_app_totals fh_app_totals(const struct fh_app_uses *single,
                                   const struct fh_app_uses *hoisted) {
    struct fh_app_totals totals = {0};
    for (size_t i = 0; i < single->count; i++)
        add_total(&totals, &single->uses[i]);
    for (size_t i = 0; i < hoisted->count; i++)
        if (hoisted->uses[i].shape.kind == FH_GOLDEN_CKKS_ROTATE_RAISED)
            totals.hoistable += hoisted->uses[i].count;
    return totals;
}
