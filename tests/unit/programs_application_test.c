/*
 * programs_application_test.c - applications composed from primitives: rows and plans in all forms,
 * and their sums on a map with matrix instructions and one of 64-bit words against what the same
 * primitives take one by one.
 */
#include "application.h"

#include "golden_util.h"
#include "programs_util.h"

enum { LOG2_N = 8, LIMBS = 6 };

static const struct fh_app_use *find(const struct fh_app_uses *uses, fh_golden_ckks_kind kind,
                                     size_t limbs, size_t terms, size_t drop) {
    for (size_t i = 0; i < uses->count; i++) {
        const struct fh_ckks_shape *shape = &uses->uses[i].shape;
        if (shape->kind == kind && shape->level == limbs && shape->terms == terms &&
            shape->drop == drop)
            return &uses->uses[i];
    }
    return NULL;
}

static uint64_t count_of(const struct fh_app_uses *uses, fh_golden_ckks_kind kind, size_t limbs,
                         size_t terms, size_t drop) {
    const struct fh_app_use *use = find(uses, kind, limbs, terms, drop);
    return use ? use->count : 0;
}

static void add_rows(struct fh_app_uses *uses, enum fh_app_form form) {
    const struct fh_app_row rows[] = {
        {FH_APP_PTMULT, 6, 0, 33, 1},   {FH_APP_SCALARMULT, 5, 0, 6, 2},
        {FH_APP_ROTATE, 4, 0, 6, 2},    {FH_APP_CONJUGATE, 4, 0, 1, 0},
        {FH_APP_HEMULT, 3, 0, 2, 0},    {FH_APP_HEADD, 3, 0, 5, 0},
        {FH_APP_SCALARADD, 3, 0, 1, 0}, {FH_APP_PTADD, 3, 0, 1, 0},
        {FH_APP_RESCALE, 5, 2, 3, 0},   {FH_APP_SCALARMULT, 2, 0, 1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(fh_app_use_row(uses, form, &rows[i], 10), FHEC_OK);
}

static void rows(void **state) {
    (void)state;
    struct fh_app_uses single = {0}, hoisted = {0}, both = {0};
    add_rows(&single, FH_APP_SINGLE);
    add_rows(&hoisted, FH_APP_HOISTED);
    add_rows(&both, FH_APP_FUSED_HOISTED);
    assert_int_equal(count_of(&single, FH_GOLDEN_CKKS_PTMULT, 6, 0, 0), 330);
    assert_int_equal(count_of(&single, FH_GOLDEN_CKKS_ADD, 6, 0, 0), 320);
    assert_int_equal(count_of(&single, FH_GOLDEN_CKKS_RESCALE, 5, 0, 1), 30);
    assert_int_equal(count_of(&single, FH_GOLDEN_CKKS_RESCALE, 4, 0, 1), 30);
    assert_int_equal(count_of(&single, FH_GOLDEN_CKKS_ROTATE, 4, 0, 0), 60);
    /* 33 terms are a sum of 32, one more product, and their addition. */
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_PTMULT, 6, 32, 0), 10);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_PTMULT, 6, 0, 0), 10);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_ADD, 6, 0, 0), 10);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_SCALAR_MULT, 5, 3, 0), 20);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_SCALAR_MULT, 2, 0, 0), 10);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_RAISE_DIGITS, 4, 0, 0), 20);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_ROTATE_RAISED, 4, 0, 0), 60);
    assert_int_equal(count_of(&both, FH_GOLDEN_CKKS_RESCALE, 5, 0, 2), 30);
    const struct fh_app_totals t = fh_app_totals(&single, &hoisted);
    const struct fh_app_totals want = {.hemult = 20,
                                       .rotate = 70,
                                       .hoistable = 60,
                                       .ptmult = 400,
                                       .headd = 50 + 320 + 40,
                                       .rescale = 60};
    assert_memory_equal(&t, &want, sizeof t);
    fh_app_uses_free(&single);
    fh_app_uses_free(&hoisted);
    fh_app_uses_free(&both);
}

/* Every use once on a counter of its own. */
static uint64_t one_by_one(fhec_machine *machine, const struct fh_ckks_params *params,
                           const struct fh_app_uses *uses) {
    uint64_t sum = 0;
    struct fh_error error = {""};
    struct fh_ckks_counter *counter;
    assert_int_equal(fh_ckks_counter_begin(machine, params, &counter, &error), FHEC_OK);
    for (size_t i = 0; i < uses->count; i++) {
        uint64_t warp;
        assert_int_equal(fh_ckks_counter_count(counter, &uses->uses[i].shape, &warp, &error),
                         FHEC_OK);
        sum += warp * uses->uses[i].count;
    }
    fh_ckks_counter_end(counter);
    return sum;
}

static void check_sums(const char *map, unsigned bits) {
    const struct fh_ckks_params params = {
        .map = map,
        .chain = {.log2_n = LOG2_N, .limbs = LIMBS, .alpha = 3, .dnum = 2, .bits = bits}};
    uint64_t before = UINT64_MAX;
    for (unsigned form = 0; form < FH_APP_FORMS; form++) {
        struct fh_app_uses uses = {0};
        struct fh_app_sum sum = {0};
        struct fh_error error = {""};
        struct fh_app_counter *counter;
        fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
        add_rows(&uses, form);
        assert_int_equal(fh_app_counter_begin(machine, &params, NULL, &counter, &error), FHEC_OK);
        assert_int_equal(fh_app_counter_sum(counter, &uses, &sum, &error), FHEC_OK);
        /* All is known by now: nothing is executed. */
        assert_int_equal(fh_app_counter_sum(counter, &uses, &sum, &error), FHEC_OK);
        const struct fh_app_use base = {{.kind = FH_GOLDEN_CKKS_ENCAPSULATE, .level = 1}, true, 1};
        assert_int_equal(
            fh_app_counter_sum(counter, &(struct fh_app_uses){(void *)&base, 1, 1}, &sum, &error),
            FHEC_BAD_INPUT);
        assert_string_equal(error.text, "there is no chain for the sparse secret");
        fh_app_counter_end(counter);
        const struct fh_part_profile all = fh_profile_sum(&sum.profile);
        assert_int_equal(fh_profile_warp(&all), 2 * one_by_one(machine, &params, &uses));
        if (form == FH_APP_FUSED_HOISTED)
            assert_true(fh_profile_warp(&all) < before);
        before = form == FH_APP_SINGLE ? fh_profile_warp(&all) : before;
        fhec_machine_free(machine);
        fh_app_uses_free(&uses);
    }
}

static void sums(void **state) {
    (void)state;
    check_sums("fhec16", 30);
    check_sums("cuda64", 60);
}

/* ---------------------------------------------------------------- plans and series */

static void plans(void **state) {
    (void)state;
    struct fh_error error = {""};
    struct fh_app_plan plan = {fh_golden_ckks_boot_pairs(16), 15, 15};
    struct fh_app_uses single = {0}, hoisted = {0};
    assert_int_equal(fh_app_use_plan(&single, FH_APP_SINGLE, &plan, 1, &error), FHEC_OK);
    assert_int_equal(fh_app_use_plan(&hoisted, FH_APP_HOISTED, &plan, 1, &error), FHEC_OK);
    struct fh_app_totals t = fh_app_totals(&single, &hoisted);
    /* 36 HEMult, 76 rotations and a conjugation, 316 + 120 products, two further key switches. */
    const struct fh_app_totals pairs = {36, 77, 42, 436, 453, 116, 2};
    assert_memory_equal(&t, &pairs, sizeof t);
    fh_app_uses_free(&single);
    fh_app_uses_free(&hoisted);

    /* Half the slots: one EvalMod, a copy to add up before and one rotation behind. */
    plan = (struct fh_app_plan){fh_golden_ckks_boot_published(15), 14, 15};
    plan.params.maps_cts = plan.params.maps_stc = 4;
    plan.params.levels_left = 9;
    assert_int_equal(fh_app_use_plan(&single, FH_APP_SINGLE, &plan, 2, &error), FHEC_OK);
    assert_int_equal(fh_app_use_plan(&hoisted, FH_APP_HOISTED, &plan, 2, &error), FHEC_OK);
    t = fh_app_totals(&single, &hoisted);
    assert_int_equal(t.hemult, 2 * 17);
    assert_int_equal(t.rotate, 2 * (27 + 32));
    assert_int_equal(t.hoistable, 2 * 32);
    assert_int_equal(t.ptmult, 2 * 197);
    assert_int_equal(t.rescale, 2 * 31);
    fh_app_uses_free(&single);
    fh_app_uses_free(&hoisted);

    plan.params.maps_cts = 15;
    assert_int_equal(fh_app_use_plan(&single, FH_APP_SINGLE, &plan, 1, &error), FHEC_BAD_INPUT);
    assert_non_null(strstr(error.text, "the bootstrap cannot be planned: "));
    fh_app_uses_free(&single);
}

static void series(void **state) {
    (void)state;
    struct fh_error error = {""};
    struct fh_app_uses uses = {0};
    struct fh_app_series series = {.degree = 27, .limbs = 9, .per_level = 1};
    assert_int_equal(fh_app_use_series(&uses, FH_APP_SINGLE, &series, 1, &error), FHEC_OK);
    const struct fh_app_totals t = fh_app_totals(&uses, &uses);
    assert_int_equal(t.hemult, 11); /* eight powers, three products */
    assert_int_equal(t.ptmult, 28); /* 24 coefficients, four scales of powers */
    assert_int_equal(t.rescale, 15);
    assert_int_equal(count_of(&uses, FH_GOLDEN_CKKS_HEMULT, 9, 0, 0), 1);
    fh_app_uses_free(&uses);
    series.limbs = 4;
    assert_int_equal(fh_app_use_series(&uses, FH_APP_SINGLE, &series, 1, &error), FHEC_BAD_INPUT);
    series = (struct fh_app_series){.degree = 128, .limbs = 9, .per_level = 1};
    assert_int_equal(fh_app_use_series(&uses, FH_APP_SINGLE, &series, 1, &error), FHEC_BAD_INPUT);
    assert_string_equal(fh_app_form_name(FH_APP_FUSED_HOISTED), "fused_hoisted");
    assert_string_equal(fh_app_op_name(FH_APP_RESCALE), "rescale");
    fh_app_uses_free(&uses);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(sums),
        cmocka_unit_test(plans),
        cmocka_unit_test(series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
