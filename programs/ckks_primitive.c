/*
 * ckks_primitive.c - which functions of ckks_device.h a primitive is, and what it takes.
 */
#include "ckks_primitive.h"

#include "guest.h"

#include <stdlib.h>

fhec_status fh_ckks_primitive_run(struct fh_ckks *ckks, const struct fh_ckks_shape *shape,
                                  const struct fh_ckks_use *use) {
    const struct fh_ckks_pair a = use->a, b = use->b;
    const uint64_t key = use->key, out = use->out;
    size_t level = shape->level;
    switch (shape->kind) {
    case FH_GOLDEN_CKKS_ADD: return fh_ckks_headd_pair(ckks, level, a, b, out);
    case FH_GOLDEN_CKKS_SUB: return fh_ckks_hesub(ckks, level, a, b, out);
    case FH_GOLDEN_CKKS_HEMULT: return fh_ckks_hemult_pair(ckks, level, a, b, key, out);
    case FH_GOLDEN_CKKS_SCALAR_MULT:
        return shape->terms ? fh_ckks_sum_multiples(ckks, level, use->terms, shape->terms, out)
                            : fh_ckks_scalar_mult(ckks, level, use->scalar, a, out);
    case FH_GOLDEN_CKKS_SCALAR_ADD: return fh_ckks_scalar_add(ckks, level, use->scalar, a, out);
    case FH_GOLDEN_CKKS_PTMULT:
        if (shape->terms)
            return fh_ckks_sum_products(ckks, level, use->terms, shape->terms, out);
        return fh_ckks_ptmult(ckks, level, a.c[0], use->plain, out);
    case FH_GOLDEN_CKKS_PTADD: return fh_ckks_ptadd_pair(ckks, level, a, use->plain, out);
    case FH_GOLDEN_CKKS_MONOMIAL: return fh_ckks_ptmult(ckks, level, a.c[0], use->plain, out);
    case FH_GOLDEN_CKKS_ROTATE:
    case FH_GOLDEN_CKKS_CONJUGATE:
        return fh_ckks_galois(ckks, level, use->element, a.c[0], key, out);
    case FH_GOLDEN_CKKS_RAISE_DIGITS: return fh_ckks_raise_digits(ckks, level, a.c[1], out);
    case FH_GOLDEN_CKKS_ROTATE_RAISED:
        return fh_ckks_rotate_raised(ckks, level, use->element, a, b.c[0], key, out);
    case FH_GOLDEN_CKKS_RESCALE:
        return fh_ckks_rescale_limbs(ckks, level, shape->drop, a.c[0], out);
    case FH_GOLDEN_CKKS_MOD_RAISE:
        return fh_ckks_mod_raise(ckks, level, shape->result_level, a, out);
    case FH_GOLDEN_CKKS_ENCAPSULATE:
    case FH_GOLDEN_CKKS_RELEASE: return fh_ckks_switch_secret(ckks, level, a, key, out);
    default: return FHEC_BAD_INPUT; /* whoever makes shapes has refused it */
    }
}

/* One kind for those that are the same kernels. */
static fh_golden_ckks_kind kernels_of(const struct fh_ckks_shape *shape) {
    switch (shape->kind) {
    case FH_GOLDEN_CKKS_MONOMIAL: return FH_GOLDEN_CKKS_PTMULT;
    case FH_GOLDEN_CKKS_CONJUGATE: return FH_GOLDEN_CKKS_ROTATE;
    default: return shape->kind;
    }
}

bool fh_ckks_same_shape(const struct fh_ckks_shape *a, const struct fh_ckks_shape *b) {
    return kernels_of(a) == kernels_of(b) && a->level == b->level && a->drop == b->drop &&
           a->terms == b->terms &&
           (a->kind != FH_GOLDEN_CKKS_MOD_RAISE || a->result_level == b->result_level);
}

/* ---------------------------------------------------------------- counting */

struct fh_ckks_counter {
    fhec_machine *machine;
    struct fh_ckks *ckks;
    struct fh_ckks_term terms[FH_CKKS_MOST_TERMS];
    struct fh_ckks_use use;
    uint64_t in, raised, out; /* raised 0: not yet */
    size_t raised_limbs;      /* at the full level */
};

fhec_status fh_ckks_counter_begin(fhec_machine *machine, const struct fh_ckks_params *params,
                                  struct fh_ckks_counter **counter, struct fh_error *error) {
    const fh_golden_ckks_params *chain = &params->chain;
    struct fh_ckks_counter *c = calloc(1, sizeof *c);
    *counter = NULL;
    if (!c)
        return fh_fail_memory(error);
    c->machine = machine;
    fhec_status status = fh_ckks_make(machine, params, &c->ckks, error);
    if (status != FHEC_OK) {
        free(c);
        return status;
    }
    c->raised_limbs = (chain->limbs + chain->alpha) * chain->dnum;
    size_t limbs = chain->limbs, key_limbs = (limbs + chain->alpha) * 2 * chain->dnum;
    status = fh_ckks_alloc(c->ckks, limbs, 2, &c->in);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(c->ckks, limbs, 2, &c->out);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(c->ckks, limbs, 1, &c->use.plain);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(c->ckks, 1, key_limbs, &c->use.key);
    if (status != FHEC_OK) {
        *error = *fh_ckks_error(c->ckks);
        fh_ckks_counter_end(c);
        return status;
    }
    *counter = c;
    return FHEC_OK;
}

void fh_ckks_counter_end(struct fh_ckks_counter *counter) {
    if (!counter)
        return;
    const uint64_t places[] = {counter->in, counter->raised, counter->out, counter->use.plain,
                               counter->use.key};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i])
            (void)fhec_release(counter->machine, places[i]);
    fh_ckks_free(counter->ckks);
    free(counter);
}

fhec_status fh_ckks_counter_run(struct fh_ckks_counter *counter, const struct fh_ckks_shape *shape,
                                struct fh_error *error) {
    struct fh_ckks_use *use = &counter->use;
    fhec_status status = FHEC_OK;
    use->a = use->b = fh_ckks_pair_at(counter->ckks, shape->level, counter->in);
    use->element = 5; /* a rotation by one slot */
    use->out = counter->out;
    if (shape->kind == FH_GOLDEN_CKKS_RAISE_DIGITS || shape->kind == FH_GOLDEN_CKKS_ROTATE_RAISED) {
        if (!counter->raised)
            status = fh_ckks_alloc(counter->ckks, 1, counter->raised_limbs, &counter->raised);
        use->out = shape->kind == FH_GOLDEN_CKKS_RAISE_DIGITS ? counter->raised : use->out;
        use->b.c[0] = counter->raised;
    }
    use->terms = counter->terms;
    for (size_t j = 0; j < FH_CKKS_MOST_TERMS; j++)
        counter->terms[j] = (struct fh_ckks_term){.c = use->a, .plain = use->plain};
    if (status == FHEC_OK)
        status = fh_ckks_primitive_run(counter->ckks, shape, use);
    if (status != FHEC_OK)
        *error = *fh_ckks_error(counter->ckks);
    return status;
}

fhec_status fh_ckks_counter_count(struct fh_ckks_counter *counter,
                                  const struct fh_ckks_shape *shape, uint64_t *warp_insts,
                                  struct fh_error *error) {
    fhec_stats before = {0}, after = {0};
    fhec_status status = fhec_machine_stats(counter->machine, &before);
    *warp_insts = 0 - before.warp_insts; /* its arrays are good until the next launch */
    if (status != FHEC_OK)
        return fh_fail(error, status, "the machine has no statistics");
    status = fh_ckks_counter_run(counter, shape, error);
    if (status == FHEC_OK)
        status = fhec_machine_stats(counter->machine, &after);
    *warp_insts += after.warp_insts;
    return status;
}
