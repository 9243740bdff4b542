/*
 * ckks_groups.c - steps of a circuit that one primitive does together.
 */
#include "ckks_groups.h"

/* Whether step `at` reads this value and nobody does later. */
static bool last_reader(const fh_golden_ckks_circuit *circuit, size_t value, size_t at) {
    return circuit->last_use[value] == at;
}

/* Whether steps `at` and at + 1 are one more product of the kind and its addition to `sum`, a value
 * of the group that begins at step `first`. */
static bool continues(const fh_golden_ckks_circuit *circuit, size_t first, size_t sum, size_t at) {
    if (at + 1 >= circuit->step_count)
        return false;
    const fh_golden_ckks_step *begin = &circuit->steps[first], *product = &circuit->steps[at];
    const fh_golden_ckks_step *add = product + 1;
    size_t term = at + 1; /* the product's value */
    return product->kind == begin->kind && product->level == begin->level && product->a <= first &&
           add->kind == FH_GOLDEN_CKKS_ADD && add->level == begin->level &&
           ((add->a == sum && add->b == term) || (add->a == term && add->b == sum)) &&
           last_reader(circuit, sum, at + 1) && last_reader(circuit, term, at + 1);
}

static size_t count_terms(const fh_golden_ckks_circuit *circuit, size_t index, size_t most) {
    size_t terms = 1;
    /* The sum so far is the value of the step before the next product. */
    while (terms < most) {
        size_t at = fh_ckks_group_term(index, terms);
        if (!continues(circuit, index, at, at))
            break;
        terms++;
    }
    return terms;
}

size_t fh_ckks_group_term(size_t index, size_t term) {
    return term ? index + 2 * term - 1 : index;
}

struct fh_ckks_group fh_ckks_group_at(const fh_golden_ckks_circuit *circuit, size_t index,
                                      bool fused) {
    const fh_golden_ckks_step *step = &circuit->steps[index];
    struct fh_ckks_group group = {
        .steps = 1,
        .shape = {.kind = step->kind,
                  .level = step->level,
                  .result_level = step->result_level,
                  .drop = step->drop},
    };
    size_t terms = 0;
    if (fused && step->kind == FH_GOLDEN_CKKS_PTMULT)
        terms = count_terms(circuit, index, FH_CKKS_MOST_TERMS);
    else if (fused && step->kind == FH_GOLDEN_CKKS_SCALAR_MULT)
        terms = count_terms(circuit, index, FH_CKKS_MOST_MULTIPLES);
    if (terms > 1) {
        group.steps = 2 * terms - 1;
        group.shape.terms = terms;
    }
    return group;
}

size_t fh_ckks_most_products(const fh_golden_ckks_circuit *circuit, bool fused) {
    size_t most = 0;
    for (size_t i = 0; i < circuit->step_count;) {
        const struct fh_ckks_group group = fh_ckks_group_at(circuit, i, fused);
        if (group.shape.kind == FH_GOLDEN_CKKS_PTMULT && group.shape.terms > most)
            most = group.shape.terms;
        i += group.steps;
    }
    return most;
}
