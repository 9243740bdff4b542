/*
 * programs_steps_test.c - golden's circuits on the emulator: linear maps of several numbers of
 * diagonals and Chebyshev series, fused and step by step, every value that there is compared with
 * golden's, and the counts composed from primitives with those executed.
 */
#include "ckks_groups.h"
#include "ckks_steps.h"

#include "golden_util.h"
#include "programs_util.h"

enum { LOG2_N = 8, LIMBS = 8 };

/* A chain, its keys, whose elements are anything, and a circuit over it. */
struct world {
    fh_golden_ckks_params params;
    uint64_t moduli[2 * LIMBS];
    fh_golden_ckks *golden;
    fh_golden_ckks_environment environment;
    fh_golden_ckks_circuit *circuit;
    fh_golden_pattern pattern;
    uint64_t *key, *input;
};

static fh_golden_status give_key(void *context, fh_golden_ckks_key_kind kind, uint64_t element,
                                 const uint64_t **key) {
    struct world *w = context;
    *key = w->key;
    return fh_golden_ckks_generate(w->golden, w->pattern, 1000 * kind + element, LIMBS, true,
                                   2 * w->params.dnum, w->key);
}

static void make_world(struct world *w, unsigned bits) {
    *w = (struct world){
        .params = {.log2_n = LOG2_N, .limbs = LIMBS, .alpha = 4, .dnum = 2, .bits = bits}};
    require_ok("primes", fh_golden_ckks_chain(&w->params, w->moduli));
    w->params.moduli = w->moduli;
    require_ok("golden", fh_golden_ckks_create(&w->golden, &w->params));
    w->environment = (fh_golden_ckks_environment){.ckks = w->golden, .context = w, .key = give_key};
    w->key = make_array(fh_golden_ckks_key_elements(w->golden));
    w->input = make_array(2 * LIMBS << LOG2_N);
}

static void free_world(struct world *w) {
    fh_golden_ckks_free(w->golden);
    free(w->key);
    free(w->input);
}

/* ---------------------------------------------------------------- circuits */

static void begin_circuit(struct world *w, bool hoist) {
    long double delta = (long double)w->moduli[0] * 0.75L;
    const fh_golden_ckks_circuit_params shape = {LOG2_N, LIMBS, w->moduli, 1,
                                                 delta,  hoist, LIMBS,     delta};
    require_ok("circuit", fh_golden_ckks_circuit_create(&w->circuit, &shape));
}

/* Stages low .. high of the slots' transform: 2^g diagonals, or 2^(g+1) - 1. */
static void linear(struct world *w, unsigned low, unsigned high, bool hoist) {
    fh_golden_ckks_map map;
    begin_circuit(w, hoist);
    require_ok("map", fh_golden_ckks_map_shape(LOG2_N - 1, true, low, high, 0.5L, &map));
    size_t value = fh_golden_ckks_circuit_linear(w->circuit, 0, &map);
    require_ok("finish", fh_golden_ckks_circuit_finish(w->circuit, value));
}

static void chebyshev(struct world *w, size_t degree) {
    long double c[64];
    begin_circuit(w, false);
    for (size_t j = 0; j <= degree; j++)
        c[j] = (long double)(j % 3 + 1) / (long double)(j + 3) * (j % 2 ? -1 : 1);
    size_t value = fh_golden_ckks_circuit_chebyshev(w->circuit, 0, degree, c);
    require_ok("finish", fh_golden_ckks_circuit_finish(w->circuit, value));
}

/* ---------------------------------------------------------------- execution */

static void require_fhec(const char *label, fhec_status status, const struct fh_error *error) {
    if (status != FHEC_OK)
        fail_msg("%s: status %d: %s", label, (int)status, error->text);
}

static void compare(const struct world *w, const char *label, struct fh_ckks_steps *steps,
                    const fh_golden_ckks_execution *golden) {
    size_t value = fh_ckks_steps_done(steps);
    const fh_golden_ckks_step *step = &w->circuit->steps[value - 1];
    size_t count = fh_golden_ckks_value_elements(w->circuit, w->golden, value);
    uint64_t *got = make_array(count);
    require_fhec(label, fh_ckks_steps_read(steps, value, got), fh_ckks_steps_error(steps));
    for (size_t i = 0; i < count; i++)
        if (got[i] != golden->values[value][i])
            fail_msg("%s: step %zu (%s, level %zu): element %zu is %llu, not %llu", label, value,
                     fh_golden_ckks_kind_name(step->kind), step->level, i,
                     (unsigned long long)got[i], (unsigned long long)golden->values[value][i]);
    free(got);
}

/* How many of the machine's steps were for more than one of the plan. */
static size_t execute(struct world *w, const char *map, const char *label, bool unfused) {
    const struct fh_ckks_steps_params params = {.map = map,
                                                .circuit = w->circuit,
                                                .chain = &w->params,
                                                .environment = &w->environment,
                                                .options = programs_options(),
                                                .key_places = 2,
                                                .unfused = unfused};
    struct fh_error error = {""};
    struct fh_ckks_steps *steps;
    fh_golden_ckks_execution golden;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    size_t fused = 0, done = 0;
    require_ok("input",
               fh_golden_ckks_generate(w->golden, w->pattern, 77, LIMBS, false, 2, w->input));
    require_fhec(label, fh_ckks_steps_begin(machine, &params, w->input, &steps, &error), &error);
    require_ok("golden",
               fh_golden_ckks_execution_begin(&golden, w->circuit, &w->environment, w->input));
    while (done < w->circuit->step_count) {
        require_fhec(label, fh_ckks_steps_next(steps), fh_ckks_steps_error(steps));
        fused += fh_ckks_steps_done(steps) > done + 1;
        done = fh_ckks_steps_done(steps);
        while (golden.next < done)
            require_ok("golden", fh_golden_ckks_execution_step(&golden));
        compare(w, label, steps, &golden);
    }
    uint64_t executed = programs_warp_insts(machine), composed;
    fh_golden_ckks_execution_end(&golden);
    fh_ckks_steps_end(steps);
    fhec_machine_free(machine);
    machine = programs_machine(FHEC_ENGINE_FAST, 1);
    require_fhec(label, fh_ckks_steps_compose(machine, &params, &composed, &error), &error);
    fhec_machine_free(machine);
    if (composed != executed)
        fail_msg("%s: composed %llu, executed %llu", label, (unsigned long long)composed,
                 (unsigned long long)executed);
    return fused;
}

/* Every value that is there, from one execution to another that has just begun; digits that have
 * been raised among them. Returns how many. */
static size_t move_on(const struct world *w, struct fh_ckks_steps *from, struct fh_ckks_steps *to) {
    const size_t done = fh_ckks_steps_done(from), all = w->circuit->step_count + 1;
    uint64_t **values = calloc(all, sizeof *values);
    size_t moved = 0;
    assert_non_null(values);
    for (size_t v = 0; v <= done; v++)
        if (fh_ckks_steps_has(from, v)) {
            values[v] = make_array(fh_golden_ckks_value_elements(w->circuit, w->golden, v));
            require_fhec("read", fh_ckks_steps_read(from, v, values[v]), fh_ckks_steps_error(from));
            moved++;
        }
    require_fhec("restore", fh_ckks_steps_restore(to, done, values), fh_ckks_steps_error(to));
    for (size_t v = 0; v <= done; v++) {
        assert_true(fh_ckks_steps_has(to, v) == (values[v] != NULL));
        free(values[v]);
    }
    free(values);
    return moved;
}

/* Each primitive on a machine of its own, which begins with what the one before has left. */
static void execute_moving(struct world *w, const char *map, const char *label) {
    const struct fh_ckks_steps_params params = {.map = map,
                                                .circuit = w->circuit,
                                                .chain = &w->params,
                                                .environment = &w->environment,
                                                .options = programs_options(),
                                                .key_places = 2};
    struct fh_error error = {""};
    struct fh_ckks_steps *steps, *before = NULL;
    fh_golden_ckks_execution golden;
    fhec_machine *machine = NULL, *machine_before;
    size_t done = 0;
    require_ok("input",
               fh_golden_ckks_generate(w->golden, w->pattern, 78, LIMBS, false, 2, w->input));
    require_ok("golden",
               fh_golden_ckks_execution_begin(&golden, w->circuit, &w->environment, w->input));
    while (done < w->circuit->step_count) {
        machine_before = machine;
        machine = programs_machine(FHEC_ENGINE_FAST, 1);
        require_fhec(label, fh_ckks_steps_begin(machine, &params, w->input, &steps, &error),
                     &error);
        if (before)
            assert_true(move_on(w, before, steps) > 0);
        fh_ckks_steps_end(before);
        fhec_machine_free(machine_before);
        require_fhec(label, fh_ckks_steps_next(steps), fh_ckks_steps_error(steps));
        done = fh_ckks_steps_done(steps);
        while (golden.next < done)
            require_ok("golden", fh_golden_ckks_execution_step(&golden));
        compare(w, label, steps, &golden);
        before = steps;
    }
    uint64_t *none = NULL;
    assert_int_equal(fh_ckks_steps_restore(before, done + 1, &none), FHEC_BAD_INPUT);
    fh_golden_ckks_execution_end(&golden);
    fh_ckks_steps_end(before);
    fhec_machine_free(machine);
}

/* ---------------------------------------------------------------- tests */

static void moved(void **state) {
    (void)state;
    struct world w;
    make_world(&w, 30);
    linear(&w, 4, 7, true);
    execute_moving(&w, "fhec16", "a linear map, hoisted");
    fh_golden_ckks_circuit_free(w.circuit);
    chebyshev(&w, 15);
    execute_moving(&w, "fhec16", "a series");
    fh_golden_ckks_circuit_free(w.circuit);
    free_world(&w);
    make_world(&w, 50);
    linear(&w, 4, 7, true);
    execute_moving(&w, "cuda64", "words of 64 bits");
    fh_golden_ckks_circuit_free(w.circuit);
    free_world(&w);
}

static const struct on {
    const char *map;
    unsigned bits;
} everywhere[] = {
    {"fhec16", 31}, {"cuda32", 32}, {"cuda64", 60}, {"gme64", 60},
    {"imma16", 30}, {"cuda64", 31}, {"gme32", 31},
};

/* Maps of 15 diagonals (sums of 3 and 4 terms), 63 (7 and 8) and, wrapping, 8 and 32; series with
 * sums of 3 and of 7 powers. */
static void try_all(struct world *w, const struct on *on) {
    static const struct {
        unsigned low, high; /* 0: a series */
        size_t degree, fused;
        bool hoist;
    } cases[] = {{1, 3, 0, 4, false}, {2, 6, 0, 8, false},  {5, 7, 0, 2, false}, {3, 7, 0, 4, true},
                 {0, 0, 3, 1, false}, {0, 0, 15, 2, false}, {1, 3, 0, 4, true}};
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        char label[96];
        snprintf(label, sizeof label, "%s, %u bits, pattern %d, case %zu", on->map, on->bits,
                 (int)w->pattern, k);
        if (cases[k].degree)
            chebyshev(w, cases[k].degree);
        else
            linear(w, cases[k].low, cases[k].high, cases[k].hoist);
        assert_int_equal(execute(w, on->map, label, false), cases[k].fused);
        if (k == 0 || k == 3 || k == 4)
            assert_int_equal(execute(w, on->map, label, true), 0);
        fh_golden_ckks_circuit_free(w->circuit);
    }
}

static void circuits(void **state) {
    (void)state;
    static const fh_golden_pattern patterns[] = {FH_GOLDEN_RANDOM, FH_GOLDEN_ALL_MAX};
    for (size_t i = 0; i < COUNT_OF(everywhere); i += SLOW_BUILD ? 3 : 1) {
        struct world w;
        make_world(&w, everywhere[i].bits);
        for (size_t p = 0; p < COUNT_OF(patterns); p++) {
            w.pattern = patterns[p];
            if (p == 0 || i < 2)
                try_all(&w, &everywhere[i]);
        }
        free_world(&w);
    }
}

/* A product that is read once more later is no part of a sum; nor is one at another level. */
static void not_fused(void **state) {
    (void)state;
    struct world w;
    make_world(&w, 31);
    begin_circuit(&w, false);
    long double scale = w.circuit->input_scale * 0x1p20L;
    size_t a = fh_golden_ckks_circuit_to_scale(w.circuit, 6, 0, scale, 0.3L);
    size_t b = fh_golden_ckks_circuit_to_scale(w.circuit, 6, 0, scale, -0.7L);
    size_t sum = fh_golden_ckks_circuit_add(w.circuit, 6, a, b);
    sum = fh_golden_ckks_circuit_add(w.circuit, 6, sum, a);
    size_t f = fh_golden_ckks_circuit_to_scale(w.circuit, 6, 0, scale, 0.2L);
    size_t g = fh_golden_ckks_circuit_to_scale(w.circuit, 6, 0, scale, 0.5L);
    sum = fh_golden_ckks_circuit_add(w.circuit, 6, sum,
                                     fh_golden_ckks_circuit_add(w.circuit, 6, f, g));
    sum = fh_golden_ckks_circuit_add(w.circuit, 6, sum, g);
    size_t c = fh_golden_ckks_circuit_to_scale(w.circuit, 5, 0, scale, 0.9L);
    sum = fh_golden_ckks_circuit_add(w.circuit, 5, sum, c);
    size_t d = fh_golden_ckks_circuit_to_scale(w.circuit, 4, sum, scale * 0x1p20L, 1);
    size_t e = fh_golden_ckks_circuit_to_scale(w.circuit, 4, d, scale * 0x1p20L, 2);
    sum = fh_golden_ckks_circuit_add(w.circuit, 4, d, e); /* the second product is of the first */
    require_ok("finish", fh_golden_ckks_circuit_finish(w.circuit, sum));
    assert_int_equal(execute(&w, "cuda32", "not fused", false), 0);
    fh_golden_ckks_circuit_free(w.circuit);
    free_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(circuits), cmocka_unit_test(moved),
                                       cmocka_unit_test(not_fused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
