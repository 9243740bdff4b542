/*
 * ckks_steps.c - golden's circuits on a machine, step by step.
 */
#include "ckks_steps.h"

#include "guest.h"

#include <stdlib.h>
#include <string.h>

/* A switching key in the guest. */
struct place {
    fh_golden_ckks_key_kind kind;
    uint64_t element;
    uint64_t asked; /* when: a running number; 0 for an empty place */
    uint64_t address;
};

struct fh_ckks_steps {
    struct fh_error error;
    fhec_machine *machine;
    const fh_golden_ckks_circuit *circuit;
    const fh_golden_ckks_environment *environment;
    struct fh_ckks *ckks, *base; /* base NULL: none */
    size_t next;
    uint64_t *values; /* [step_count + 1]: addresses; 0 before the value and after its last use */
    size_t place_count;
    struct place *places;
    uint64_t asked;
    fh_golden_ckks_encoder *encoder;
    fh_golden_i128 *coefficients; /* n */
    uint64_t *plain;              /* limbs x n */
    uint64_t plain_at;
};

static fhec_status golden_failed(struct fh_error *error, const char *what,
                                 fh_golden_status status) {
    if (status == FH_GOLDEN_OK)
        return FHEC_OK;
    return fh_fail(error, status == FH_GOLDEN_ERR_NO_MEMORY ? FHEC_HOST_ERROR : FHEC_BAD_INPUT,
                   "%s: %s", what, fh_golden_status_text(status));
}

/* What one of the two chains said. */
static fhec_status chain_failed(struct fh_ckks_steps *s, const struct fh_ckks *ckks,
                                fhec_status status) {
    if (status != FHEC_OK)
        s->error = *fh_ckks_error(ckks);
    return status;
}

static struct fh_ckks_params chain_params(const struct fh_ckks_steps_params *params,
                                          const fh_golden_ckks_params *chain) {
    return (struct fh_ckks_params){.map = params->map, .chain = *chain, .options = params->options};
}

/* Whether its kernels take both halves of the operand in one piece, so that this must have the
 * step's level; circuits are made so. */
static bool takes_whole(fh_golden_ckks_kind kind) {
    return kind == FH_GOLDEN_CKKS_PTMULT || kind == FH_GOLDEN_CKKS_MONOMIAL ||
           kind == FH_GOLDEN_CKKS_ROTATE || kind == FH_GOLDEN_CKKS_CONJUGATE ||
           kind == FH_GOLDEN_CKKS_RESCALE;
}

/* Whether there are kernels for the step. */
static fhec_status check_step(const struct fh_ckks_steps_params *params, size_t index,
                              struct fh_error *error) {
    const fh_golden_ckks_step *step = &params->circuit->steps[index];
    const char *name = fh_golden_ckks_kind_name(step->kind);
    size_t has = fh_golden_ckks_circuit_level(params->circuit, step->a);
    if (step->kind == FH_GOLDEN_CKKS_RAISE_DIGITS || step->kind == FH_GOLDEN_CKKS_ROTATE_RAISED)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "step %zu is %s: there are no kernels for hoisted rotations", index, name);
    if (step->kind == FH_GOLDEN_CKKS_ENCAPSULATE && !params->base)
        return fh_fail(error, FHEC_BAD_INPUT,
                       "step %zu switches to a sparse secret, without a chain for that", index);
    if (takes_whole(step->kind) && has != step->level)
        return fh_fail(error, FHEC_BAD_INPUT, "step %zu, %s, is at level %zu of a value of %zu",
                       index, name, step->level, has);
    return FHEC_OK;
}

fhec_status fh_ckks_steps_check(const struct fh_ckks_steps_params *params, struct fh_error *error) {
    struct fh_ckks_params chain = chain_params(params, params->chain);
    fhec_status status = fh_ckks_check(&chain, NULL, error);
    if (status == FHEC_OK && params->base) {
        chain = chain_params(params, params->base);
        status = fh_ckks_check(&chain, NULL, error);
    }
    for (size_t i = 0; i < params->circuit->step_count && status == FHEC_OK; i++)
        status = check_step(params, i, error);
    return status;
}

/* ---------------------------------------------------------------- begin and end */

static fhec_status make_chains(struct fh_ckks_steps *s, const struct fh_ckks_steps_params *params) {
    struct fh_ckks_params chain = chain_params(params, params->chain);
    fhec_status status = fh_ckks_make(s->machine, &chain, &s->ckks, &s->error);
    if (status != FHEC_OK || !params->base)
        return status;
    chain = chain_params(params, params->base);
    return fh_ckks_make(s->machine, &chain, &s->base, &s->error);
}

/* With its chains, whose failure stands in (*steps)->error. *steps stays NULL where the parameters
 * are wrong or there is no memory for it. */
static fhec_status allocate(fhec_machine *machine, const struct fh_ckks_steps_params *params,
                            struct fh_ckks_steps **steps, struct fh_error *error) {
    const fhec_status status = fh_ckks_steps_check(params, error);
    if (status != FHEC_OK)
        return status;
    struct fh_ckks_steps *s = *steps = calloc(1, sizeof *s);
    if (!s)
        return fh_fail_memory(error);
    s->machine = machine;
    s->circuit = params->circuit;
    s->environment = params->environment;
    return make_chains(s, params);
}

static fhec_status make_room(struct fh_ckks_steps *s, size_t places) {
    size_t n = (size_t)1 << s->circuit->log2_n;
    s->place_count = places ? places : 1;
    s->places = fh_table(s->place_count, sizeof *s->places);
    s->values = fh_table(s->circuit->step_count + 1, sizeof *s->values);
    s->coefficients = fh_table(n, sizeof *s->coefficients);
    s->plain = fh_table(s->circuit->limbs * n, sizeof *s->plain);
    if (!s->places || !s->values || !s->coefficients || !s->plain)
        return fh_fail_memory(&s->error);
    fhec_status status =
        golden_failed(&s->error, "diagonals", fh_golden_ckks_encoder_create(&s->encoder, n));
    if (status == FHEC_OK)
        status =
            chain_failed(s, s->ckks, fh_ckks_alloc(s->ckks, s->circuit->limbs, 1, &s->plain_at));
    return status;
}

static fhec_status write_input(struct fh_ckks_steps *s, const uint64_t *input) {
    size_t level = s->circuit->input_level;
    fhec_status status = fh_ckks_alloc(s->ckks, level, 2, &s->values[0]);
    if (status == FHEC_OK)
        status = fh_ckks_write(s->ckks, level, 2, input, s->values[0]);
    return chain_failed(s, s->ckks, status);
}

fhec_status fh_ckks_steps_begin(fhec_machine *machine, const struct fh_ckks_steps_params *params,
                                const uint64_t *input, struct fh_ckks_steps **steps,
                                struct fh_error *error) {
    *steps = NULL;
    struct fh_ckks_steps *s = NULL;
    fhec_status status = allocate(machine, params, &s, error);
    if (!s)
        return status;
    if (status == FHEC_OK)
        status = make_room(s, params->key_places);
    if (status == FHEC_OK)
        status = write_input(s, input);
    if (status != FHEC_OK) {
        *error = s->error;
        fh_ckks_steps_end(s);
        return status;
    }
    *steps = s;
    return FHEC_OK;
}

static void release(struct fh_ckks_steps *s, uint64_t *address) {
    if (*address)
        (void)fhec_release(s->machine, *address);
    *address = 0;
}

void fh_ckks_steps_end(struct fh_ckks_steps *steps) {
    if (!steps)
        return;
    for (size_t i = 0; i <= steps->circuit->step_count && steps->values; i++)
        release(steps, &steps->values[i]);
    for (size_t i = 0; i < steps->place_count && steps->places; i++)
        release(steps, &steps->places[i].address);
    release(steps, &steps->plain_at);
    fh_golden_ckks_encoder_free(steps->encoder);
    fh_ckks_free(steps->base);
    fh_ckks_free(steps->ckks);
    free(steps->values);
    free(steps->places);
    free(steps->coefficients);
    free(steps->plain);
    free(steps);
}

const struct fh_error *fh_ckks_steps_error(const struct fh_ckks_steps *steps) {
    return &steps->error;
}

/* ---------------------------------------------------------------- what steps need */

/* Puts the key in the place that was asked for longest ago. */
static fhec_status write_key(struct fh_ckks_steps *s, fh_golden_ckks_key_kind kind,
                             uint64_t element, struct place *place) {
    const uint64_t *key;
    struct fh_ckks *ckks = kind == FH_GOLDEN_CKKS_ENCAPSULATE_KEY ? s->base : s->ckks;
    release(s, &place->address);
    *place = (struct place){.kind = kind, .element = element};
    const fh_golden_status made = s->environment->key(s->environment->context, kind, element, &key);
    fhec_status status = golden_failed(&s->error, "a switching key", made);
    if (status == FHEC_OK)
        status = chain_failed(s, ckks, fh_ckks_write_key(ckks, key, &place->address));
    place->asked = status == FHEC_OK ? ++s->asked : 0;
    return status;
}

/* *address = 0 for a step that needs no key. */
static fhec_status find_key(struct fh_ckks_steps *s, const fh_golden_ckks_step *step,
                            uint64_t *address) {
    fh_golden_ckks_key_kind kind;
    uint64_t element;
    struct place *place = s->places;
    fhec_status status = FHEC_OK;
    *address = 0;
    if (!fh_golden_ckks_step_key(step, &kind, &element))
        return FHEC_OK;
    for (size_t i = 0; i < s->place_count; i++) {
        struct place *p = &s->places[i];
        if (p->asked && p->kind == kind && p->element == element) {
            p->asked = ++s->asked;
            *address = p->address;
            return FHEC_OK;
        }
        place = p->asked < place->asked ? p : place;
    }
    status = write_key(s, kind, element, place);
    *address = place->address;
    return status;
}

/* The polynomial with these coefficients, in the guest. */
static fhec_status write_plain(struct fh_ckks_steps *s, size_t level) {
    fh_golden_status made =
        fh_golden_ckks_plain(s->environment->ckks, level, s->coefficients, s->plain);
    fhec_status status = golden_failed(&s->error, "a plaintext", made);
    if (status == FHEC_OK)
        status = chain_failed(s, s->ckks, fh_ckks_write(s->ckks, level, 1, s->plain, s->plain_at));
    return status;
}

static fhec_status write_diagonal(struct fh_ckks_steps *s, const fh_golden_ckks_step *step) {
    fhec_status status =
        golden_failed(&s->error, "a diagonal",
                      fh_golden_ckks_encode_diagonal(s->encoder, &s->circuit->maps[step->map],
                                                     step->diagonal, s->coefficients));
    return status == FHEC_OK ? write_plain(s, step->level) : status;
}

/* X^exponent; X^N = -1. */
static fhec_status write_monomial(struct fh_ckks_steps *s, const fh_golden_ckks_step *step) {
    size_t n = (size_t)1 << s->circuit->log2_n;
    memset(s->coefficients, 0, n * sizeof *s->coefficients);
    s->coefficients[step->element % n] = step->element % (2 * n) < n ? 1 : -1;
    return write_plain(s, step->level);
}

/* ---------------------------------------------------------------- one step */

static struct fh_ckks_pair operand(const struct fh_ckks_steps *s, size_t value) {
    if (value == FH_GOLDEN_CKKS_NONE)
        return (struct fh_ckks_pair){{0, 0}};
    return fh_ckks_pair_at(s->ckks, fh_golden_ckks_circuit_level(s->circuit, value),
                           s->values[value]);
}

/* Everything but what takes a plaintext, whose operand has the step's level, and ENCAPSULATE. */
static fhec_status run_step(struct fh_ckks_steps *s, const fh_golden_ckks_step *step, uint64_t key,
                            uint64_t out) {
    struct fh_ckks *ckks = s->ckks;
    const struct fh_ckks_pair a = operand(s, step->a), b = operand(s, step->b);
    size_t level = step->level;
    switch (step->kind) {
    case FH_GOLDEN_CKKS_ADD: return fh_ckks_headd_pair(ckks, level, a, b, out);
    case FH_GOLDEN_CKKS_SUB: return fh_ckks_hesub(ckks, level, a, b, out);
    case FH_GOLDEN_CKKS_HEMULT: return fh_ckks_hemult_pair(ckks, level, a, b, key, out);
    case FH_GOLDEN_CKKS_SCALAR_MULT: return fh_ckks_scalar_mult(ckks, level, step->scalar, a, out);
    case FH_GOLDEN_CKKS_SCALAR_ADD: return fh_ckks_scalar_add(ckks, level, step->scalar, a, out);
    case FH_GOLDEN_CKKS_PTMULT:
    case FH_GOLDEN_CKKS_MONOMIAL: return fh_ckks_ptmult(ckks, level, a.c[0], s->plain_at, out);
    case FH_GOLDEN_CKKS_ROTATE:
    case FH_GOLDEN_CKKS_CONJUGATE:
        return fh_ckks_galois(ckks, level, step->element, a.c[0], key, out);
    case FH_GOLDEN_CKKS_RESCALE: return fh_ckks_rescale_limbs(ckks, level, step->drop, a.c[0], out);
    case FH_GOLDEN_CKKS_MOD_RAISE:
        return fh_ckks_mod_raise(ckks, level, step->result_level, a, out);
    case FH_GOLDEN_CKKS_RELEASE: return fh_ckks_switch_secret(ckks, level, a, key, out);
    default: return FHEC_BAD_INPUT; /* fh_ckks_steps_check has refused it */
    }
}

/* The step's kernels, on operands, key and plaintext that are in the guest. */
static fhec_status run_kernels(struct fh_ckks_steps *s, const fh_golden_ckks_step *step,
                               uint64_t key, uint64_t out) {
    if (step->kind == FH_GOLDEN_CKKS_ENCAPSULATE)
        return chain_failed(
            s, s->base, fh_ckks_switch_secret(s->base, step->level, operand(s, step->a), key, out));
    return chain_failed(s, s->ckks, run_step(s, step, key, out));
}

static fhec_status compute(struct fh_ckks_steps *s, const fh_golden_ckks_step *step, uint64_t out) {
    uint64_t key;
    fhec_status status = find_key(s, step, &key);
    if (status == FHEC_OK && step->kind == FH_GOLDEN_CKKS_PTMULT)
        status = write_diagonal(s, step);
    else if (status == FHEC_OK && step->kind == FH_GOLDEN_CKKS_MONOMIAL)
        status = write_monomial(s, step);
    return status == FHEC_OK ? run_kernels(s, step, key, out) : status;
}

static void release_after(struct fh_ckks_steps *s, size_t value, size_t step) {
    if (value != FH_GOLDEN_CKKS_NONE && s->circuit->last_use[value] == step)
        release(s, &s->values[value]);
}

fhec_status fh_ckks_steps_next(struct fh_ckks_steps *steps) {
    size_t index = steps->next;
    const fh_golden_ckks_step *step = &steps->circuit->steps[index];
    uint64_t *out = &steps->values[index + 1];
    if (index > 0)
        release_after(steps, index, index - 1); /* what the last step made for nobody */
    fhec_status status = chain_failed(
        steps, steps->ckks,
        fh_ckks_alloc(steps->ckks, fh_golden_ckks_circuit_level(steps->circuit, index + 1), 2,
                      out));
    if (status == FHEC_OK)
        status = compute(steps, step, *out);
    if (status != FHEC_OK)
        return status;
    release_after(steps, step->a, index);
    release_after(steps, step->b, index);
    steps->next++;
    return FHEC_OK;
}

fhec_status fh_ckks_steps_read(struct fh_ckks_steps *steps, size_t value, uint64_t *out) {
    size_t level = fh_golden_ckks_circuit_level(steps->circuit, value);
    return chain_failed(steps, steps->ckks,
                        fh_ckks_read(steps->ckks, level, 2, steps->values[value], out));
}

/* ---------------------------------------------------------------- composed counts */

/* Steps of one primitive: the same kernels with the same shapes. */
static bool same_primitive(const fh_golden_ckks_step *a, const fh_golden_ckks_step *b) {
    bool products = a->kind == FH_GOLDEN_CKKS_PTMULT || a->kind == FH_GOLDEN_CKKS_MONOMIAL;
    bool galois = a->kind == FH_GOLDEN_CKKS_ROTATE || a->kind == FH_GOLDEN_CKKS_CONJUGATE;
    bool alike =
        (products && (b->kind == FH_GOLDEN_CKKS_PTMULT || b->kind == FH_GOLDEN_CKKS_MONOMIAL)) ||
        (galois && (b->kind == FH_GOLDEN_CKKS_ROTATE || b->kind == FH_GOLDEN_CKKS_CONJUGATE));
    return (a->kind == b->kind || alike) && a->level == b->level &&
           a->result_level == b->result_level && a->drop == b->drop;
}

/* Operands, key, plaintext and result of every step: whatever is in them. */
struct operands {
    uint64_t in, key, out;
};

static fhec_status make_operands(struct fh_ckks_steps *s, struct operands *at) {
    const fh_golden_ckks_circuit *circuit = s->circuit;
    const fh_golden_ckks *chain = s->environment->ckks;
    size_t key_limbs = (chain->limbs + chain->alpha) * 2 * chain->dnum;
    s->values = fh_table(circuit->step_count + 1, sizeof *s->values);
    if (!s->values)
        return fh_fail_memory(&s->error);
    fhec_status status = fh_ckks_alloc(s->ckks, circuit->limbs, 2, &at->in);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(s->ckks, circuit->limbs, 2, &at->out);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(s->ckks, circuit->limbs, 1, &s->plain_at);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(s->ckks, 1, key_limbs, &at->key);
    for (size_t i = 0; i <= circuit->step_count; i++)
        s->values[i] = at->in;
    return chain_failed(s, s->ckks, status);
}

/* What the step alone takes. */
static fhec_status measure(struct fh_ckks_steps *s, const fh_golden_ckks_step *step,
                           const struct operands *at, uint64_t *warp_insts) {
    fhec_stats before = {0}, after = {0};
    fhec_status status = fhec_machine_stats(s->machine, &before);
    *warp_insts = 0 - before.warp_insts; /* its arrays are good until the next launch */
    if (status == FHEC_OK)
        status = run_kernels(s, step, at->key, at->out);
    if (status == FHEC_OK)
        status = fhec_machine_stats(s->machine, &after);
    *warp_insts += after.warp_insts;
    return status;
}

static fhec_status compose(struct fh_ckks_steps *s, const struct operands *at,
                           uint64_t *warp_insts) {
    const fh_golden_ckks_circuit *circuit = s->circuit;
    uint64_t *counts = fh_table(circuit->step_count, sizeof *counts);
    fhec_status status = FHEC_OK;
    if (!counts)
        return fh_fail_memory(&s->error);
    for (size_t i = 0; i < circuit->step_count && status == FHEC_OK; i++) {
        size_t first = 0;
        while (!same_primitive(&circuit->steps[first], &circuit->steps[i]))
            first++;
        if (first == i)
            status = measure(s, &circuit->steps[i], at, &counts[i]);
        *warp_insts += counts[first];
    }
    free(counts);
    return status;
}

fhec_status fh_ckks_steps_compose(fhec_machine *machine, const struct fh_ckks_steps_params *params,
                                  uint64_t *warp_insts, struct fh_error *error) {
    struct operands at = {0};
    *warp_insts = 0;
    struct fh_ckks_steps *s = NULL;
    fhec_status status = allocate(machine, params, &s, error);
    if (!s)
        return status;
    if (status == FHEC_OK)
        status = make_operands(s, &at);
    if (status == FHEC_OK)
        status = compose(s, &at, warp_insts);
    if (status != FHEC_OK)
        *error = s->error;
    free(s->values);
    s->values = NULL;
    release(s, &at.in);
    release(s, &at.out);
    release(s, &at.key);
    fh_ckks_steps_end(s);
    return status;
}
