/*
 * ckks_steps.c - golden's circuits on a machine, step by step.
 */
#include "ckks_steps.h"

#include "ckks_groups.h"
#include "guest.h"

#include <stdlib.h>
#include <string.h>

/* A switching key in the guest. */
struct place {
    fh_golden_ckks_key_kind kind;
    uint64_t element;
    bool turned;    /* for hoisted rotations */
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
    fh_golden_ckks_plains *plains; /* the environment's, or own ones */
    fh_golden_ckks_plains *own;
    fh_golden_i128 *coefficients; /* n: of a monomial */
    uint64_t *plain;              /* limbs x n: likewise */
    uint64_t plain_at;            /* plaintexts of a sum's terms, or one */
    bool fused;
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
    return kind == FH_GOLDEN_CKKS_PTMULT || kind == FH_GOLDEN_CKKS_PTADD ||
           kind == FH_GOLDEN_CKKS_MONOMIAL || kind == FH_GOLDEN_CKKS_ROTATE ||
           kind == FH_GOLDEN_CKKS_CONJUGATE || kind == FH_GOLDEN_CKKS_RESCALE;
}

/* Whether there are kernels for the step. */
static fhec_status check_step(const struct fh_ckks_steps_params *params, size_t index,
                              struct fh_error *error) {
    const fh_golden_ckks_step *step = &params->circuit->steps[index];
    const char *name = fh_golden_ckks_kind_name(step->kind);
    size_t has = fh_golden_ckks_circuit_level(params->circuit, step->a);
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
    for (size_t i = params->circuit->input_count - 1;
         i < params->circuit->step_count && status == FHEC_OK; i++)
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
    s->fused = !params->unfused;
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
    fhec_status status = FHEC_OK;
    s->plains = s->environment->plains;
    if (!s->plains) {
        status = golden_failed(
            &s->error, "plaintexts",
            fh_golden_ckks_plains_create(&s->own, s->circuit, s->environment->ckks, 1));
        s->plains = s->own;
    }
    size_t plains = fh_ckks_most_products(s->circuit, s->fused);
    if (status == FHEC_OK)
        status = chain_failed(
            s, s->ckks,
            fh_ckks_alloc(s->ckks, s->circuit->limbs, plains ? plains : 1, &s->plain_at));
    return status;
}

static fhec_status write_inputs(struct fh_ckks_steps *s, const uint64_t *input) {
    fhec_status status = FHEC_OK;
    for (size_t v = 0; v < s->circuit->input_count && status == FHEC_OK; v++) {
        size_t level = fh_golden_ckks_circuit_level(s->circuit, v);
        status = fh_ckks_alloc(s->ckks, level, 2, &s->values[v]);
        if (status == FHEC_OK)
            status = fh_ckks_write(s->ckks, level, 2, input, s->values[v]);
        input += 2 * level << s->circuit->log2_n;
    }
    s->next = s->circuit->input_count - 1;
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
        status = write_inputs(s, input);
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
    fh_golden_ckks_plains_free(steps->own);
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
static fhec_status write_key(struct fh_ckks_steps *s, const struct place *wanted,
                             struct place *place) {
    const uint64_t *key;
    struct fh_ckks *ckks = wanted->kind == FH_GOLDEN_CKKS_ENCAPSULATE_KEY ? s->base : s->ckks;
    release(s, &place->address);
    *place = *wanted;
    const fh_golden_status made =
        s->environment->key(s->environment->context, wanted->kind, wanted->element, &key);
    fhec_status status = golden_failed(&s->error, "a switching key", made);
    if (status == FHEC_OK)
        status = chain_failed(
            s, ckks,
            wanted->turned ? fh_ckks_write_turned_key(ckks, key, wanted->element, &place->address)
                           : fh_ckks_write_key(ckks, key, &place->address));
    place->asked = status == FHEC_OK ? ++s->asked : 0;
    return status;
}

/* *address = 0 for a step that needs no key. */
static fhec_status find_key(struct fh_ckks_steps *s, const fh_golden_ckks_step *step,
                            uint64_t *address) {
    struct place wanted = {.turned = step->kind == FH_GOLDEN_CKKS_ROTATE_RAISED};
    struct place *place = s->places;
    fhec_status status = FHEC_OK;
    *address = 0;
    if (!fh_golden_ckks_step_key(step, &wanted.kind, &wanted.element))
        return FHEC_OK;
    for (size_t i = 0; i < s->place_count; i++) {
        struct place *p = &s->places[i];
        if (p->asked && p->kind == wanted.kind && p->element == wanted.element &&
            p->turned == wanted.turned) {
            p->asked = ++s->asked;
            *address = p->address;
            return FHEC_OK;
        }
        place = p->asked < place->asked ? p : place;
    }
    status = write_key(s, &wanted, place);
    *address = place->address;
    return status;
}

/* The plaintext of step `index`, the other operand of a product or sum, at this address in the
 * guest: as words of the chain, or in the form of a sum's terms. */
typedef fhec_status (*plain_writer)(struct fh_ckks *ckks, size_t level, const uint64_t *plain,
                                    uint64_t address);

static fhec_status write_operand(struct fh_ckks_steps *s, size_t index, plain_writer write,
                                 uint64_t address) {
    const uint64_t *plain;
    fhec_status status = golden_failed(&s->error, "a plaintext",
                                       fh_golden_ckks_plains_take(s->plains, index, &plain));
    if (status != FHEC_OK)
        return status;
    status =
        chain_failed(s, s->ckks, write(s->ckks, s->circuit->steps[index].level, plain, address));
    fh_golden_ckks_plains_give(s->plains, index);
    return status;
}

static fhec_status write_words(struct fh_ckks *ckks, size_t level, const uint64_t *plain,
                               uint64_t address) {
    return fh_ckks_write(ckks, level, 1, plain, address);
}

/* X^exponent; X^N = -1. */
static fhec_status write_monomial(struct fh_ckks_steps *s, const fh_golden_ckks_step *step) {
    size_t n = (size_t)1 << s->circuit->log2_n;
    memset(s->coefficients, 0, n * sizeof *s->coefficients);
    s->coefficients[step->element % n] = step->element % (2 * n) < n ? 1 : -1;
    fhec_status status = golden_failed(
        &s->error, "a plaintext",
        fh_golden_ckks_plain(s->environment->ckks, step->level, s->coefficients, s->plain));
    return status == FHEC_OK
               ? chain_failed(s, s->ckks, write_words(s->ckks, step->level, s->plain, s->plain_at))
               : status;
}

/* The plaintext of a product or sum by itself. */
static fhec_status write_plain(struct fh_ckks_steps *s, size_t index) {
    const fh_golden_ckks_step *step = &s->circuit->steps[index];
    if (step->kind == FH_GOLDEN_CKKS_PTMULT || step->kind == FH_GOLDEN_CKKS_PTADD)
        return write_operand(s, index, write_words, s->plain_at);
    return step->kind == FH_GOLDEN_CKKS_MONOMIAL ? write_monomial(s, step) : FHEC_OK;
}

/* ---------------------------------------------------------------- one group of steps */

static struct fh_ckks_pair operand(const struct fh_ckks_steps *s, size_t value) {
    if (value == FH_GOLDEN_CKKS_NONE)
        return (struct fh_ckks_pair){{0, 0}};
    return fh_ckks_pair_at(s->ckks, fh_golden_ckks_circuit_level(s->circuit, value),
                           s->values[value]);
}

/* The terms of a sum, with their plaintexts in the guest. */
static fhec_status make_terms(struct fh_ckks_steps *s, const struct fh_ckks_group *group,
                              struct fh_ckks_term *terms) {
    size_t n = (size_t)1 << s->circuit->log2_n;
    fhec_status status = FHEC_OK;
    for (size_t j = 0; j < group->shape.terms && status == FHEC_OK; j++) {
        const size_t index = fh_ckks_group_term(s->next, j);
        const fh_golden_ckks_step *step = &s->circuit->steps[index];
        terms[j] = (struct fh_ckks_term){.c = operand(s, step->a), .scalar = step->scalar};
        if (step->kind != FH_GOLDEN_CKKS_PTMULT)
            continue;
        terms[j].plain = s->plain_at + j * s->circuit->limbs * n * fh_ckks_word(s->ckks);
        status = write_operand(s, index, fh_ckks_write_plain, terms[j].plain);
    }
    return status;
}

static fhec_status compute(struct fh_ckks_steps *s, const struct fh_ckks_group *group,
                           uint64_t out) {
    const fh_golden_ckks_step *step = &s->circuit->steps[s->next];
    struct fh_ckks *ckks = step->kind == FH_GOLDEN_CKKS_ENCAPSULATE ? s->base : s->ckks;
    struct fh_ckks_term terms[FH_CKKS_MOST_TERMS];
    struct fh_ckks_use use = {
        .a = operand(s, step->a),
        .b = operand(s, step->b),
        .plain = s->plain_at,
        .terms = terms,
        .scalar = step->scalar,
        .element = step->element,
        .out = out,
    };
    fhec_status status = find_key(s, step, &use.key);
    if (status == FHEC_OK)
        status = group->shape.terms ? make_terms(s, group, terms) : write_plain(s, s->next);
    return status == FHEC_OK
               ? chain_failed(s, ckks, fh_ckks_primitive_run(ckks, &group->shape, &use))
               : status;
}

static void release_after(struct fh_ckks_steps *s, size_t value, size_t step) {
    if (value != FH_GOLDEN_CKKS_NONE && s->circuit->last_use[value] == step)
        release(s, &s->values[value]);
}

static bool is_raised(const struct fh_ckks_steps *s, size_t value) {
    return value && s->circuit->steps[value - 1].kind == FH_GOLDEN_CKKS_RAISE_DIGITS;
}

/* Room for a value: a ciphertext, or raised digits. */
static fhec_status allocate_value(struct fh_ckks_steps *s, size_t value) {
    size_t level = fh_golden_ckks_circuit_level(s->circuit, value);
    uint64_t *address = &s->values[value];
    if (!is_raised(s, value))
        return chain_failed(s, s->ckks, fh_ckks_alloc(s->ckks, level, 2, address));
    size_t limbs = fh_ckks_raised_limbs(s->ckks, level);
    return chain_failed(s, s->ckks, fh_ckks_alloc(s->ckks, 1, limbs, address));
}

fhec_status fh_ckks_steps_next(struct fh_ckks_steps *steps) {
    size_t index = steps->next;
    const struct fh_ckks_group group = fh_ckks_group_at(steps->circuit, index, steps->fused);
    size_t value = index + group.steps;
    if (index > 0)
        release_after(steps, index, index - 1); /* what the last step made for nobody */
    fhec_status status = allocate_value(steps, value);
    if (status == FHEC_OK)
        status = compute(steps, &group, steps->values[value]);
    if (status != FHEC_OK)
        return status;
    for (size_t i = index; i < value; i++) {
        release_after(steps, steps->circuit->steps[i].a, i);
        release_after(steps, steps->circuit->steps[i].b, i);
    }
    steps->next = value;
    return FHEC_OK;
}

size_t fh_ckks_steps_done(const struct fh_ckks_steps *steps) {
    return steps->next;
}

/* A digit's own limbs are not among the raised ones, but those of the ciphertext. */
static fhec_status read_raised(struct fh_ckks_steps *s, const fh_golden_ckks_step *step,
                               uint64_t raised, uint64_t *out) {
    size_t level = step->level, all = fh_ckks_raised_limbs(s->ckks, level);
    size_t digits = fh_golden_ckks_digits(s->environment->ckks, level), extended = all / digits;
    size_t digit = s->environment->ckks->digit;
    fhec_status status = fh_ckks_read(s->ckks, 1, all, raised, out);
    for (size_t j = 0; j < level && status == FHEC_OK; j++) {
        size_t limb = j / digit * extended + j, n = (size_t)1 << s->circuit->log2_n;
        uint64_t from = operand(s, step->a).c[1] + j * n * fh_ckks_word(s->ckks);
        status = fh_ckks_read(s->ckks, 1, 1, from, out + limb * n);
    }
    return chain_failed(s, s->ckks, status);
}

fhec_status fh_ckks_steps_read(struct fh_ckks_steps *steps, size_t value, uint64_t *out) {
    size_t level = fh_golden_ckks_circuit_level(steps->circuit, value);
    if (!steps->values[value])
        return fh_fail(&steps->error, FHEC_BAD_INPUT, "value %zu is not there", value);
    if (is_raised(steps, value))
        return read_raised(steps, &steps->circuit->steps[value - 1], steps->values[value], out);
    return chain_failed(steps, steps->ckks,
                        fh_ckks_read(steps->ckks, level, 2, steps->values[value], out));
}

bool fh_ckks_steps_has(const struct fh_ckks_steps *steps, size_t value) {
    return value <= steps->next && steps->values[value];
}

fhec_status fh_ckks_steps_restore(struct fh_ckks_steps *steps, size_t next,
                                  uint64_t *const *values) {
    if (next > steps->circuit->step_count)
        return fh_fail(&steps->error, FHEC_BAD_INPUT, "step %zu is beyond the last one", next);
    fhec_status status = FHEC_OK;
    for (size_t v = 0; v <= next && status == FHEC_OK; v++) {
        const size_t level = fh_golden_ckks_circuit_level(steps->circuit, v);
        release(steps, &steps->values[v]);
        if (!values[v])
            continue;
        status = allocate_value(steps, v);
        if (status == FHEC_OK)
            status = chain_failed(
                steps, steps->ckks,
                is_raised(steps, v)
                    ? fh_ckks_write_raised(steps->ckks, level, values[v], steps->values[v])
                    : fh_ckks_write(steps->ckks, level, 2, values[v], steps->values[v]));
    }
    steps->next = next;
    return status;
}

/* ---------------------------------------------------------------- composed counts */

/* Shapes that have been measured, of both chains. */
struct measured {
    size_t count;
    struct {
        struct fh_ckks_shape shape;
        bool base;
        uint64_t warp_insts;
    } rows[];
};

/* *warp_insts += what a primitive of this shape takes; measured at its first use. */
static fhec_status add_count(struct measured *measured, struct fh_ckks_counter *counter,
                             const struct fh_ckks_shape *shape, bool base, uint64_t *warp_insts,
                             struct fh_error *error) {
    size_t i = 0;
    fhec_status status = FHEC_OK;
    while (i < measured->count &&
           (measured->rows[i].base != base || !fh_ckks_same_shape(&measured->rows[i].shape, shape)))
        i++;
    if (i == measured->count) {
        measured->rows[i].shape = *shape;
        measured->rows[i].base = base;
        status = fh_ckks_counter_count(counter, shape, &measured->rows[i].warp_insts, error);
        measured->count += status == FHEC_OK;
    }
    *warp_insts += status == FHEC_OK ? measured->rows[i].warp_insts : 0;
    return status;
}

/* Sums up the groups of one chain. */
static fhec_status compose(const struct fh_ckks_steps_params *params, bool base,
                           struct fh_ckks_counter *counter, struct measured *measured,
                           uint64_t *warp_insts, struct fh_error *error) {
    const fh_golden_ckks_circuit *circuit = params->circuit;
    fhec_status status = FHEC_OK;
    for (size_t i = circuit->input_count - 1; i < circuit->step_count && status == FHEC_OK;) {
        const struct fh_ckks_group group = fh_ckks_group_at(circuit, i, !params->unfused);
        if ((group.shape.kind == FH_GOLDEN_CKKS_ENCAPSULATE) == base)
            status = add_count(measured, counter, &group.shape, base, warp_insts, error);
        i += group.steps;
    }
    return status;
}

/* All plans' groups of one chain. */
static fhec_status compose_chain(fhec_machine *machine, const struct fh_ckks_steps_params *plans,
                                 size_t count, bool base, struct measured *measured,
                                 uint64_t *warp_insts, struct fh_error *error) {
    struct fh_ckks_counter *counter;
    const struct fh_ckks_params chain = chain_params(plans, base ? plans->base : plans->chain);
    fhec_status status = fh_ckks_counter_begin(machine, &chain, &counter, error);
    for (size_t p = 0; p < count && status == FHEC_OK; p++)
        status = compose(&plans[p], base, counter, measured, &warp_insts[p], error);
    fh_ckks_counter_end(counter);
    return status;
}

fhec_status fh_ckks_steps_compose_all(fhec_machine *machine,
                                      const struct fh_ckks_steps_params *plans, size_t count,
                                      uint64_t *warp_insts, struct fh_error *error) {
    fhec_status status = FHEC_OK;
    size_t steps = 0;
    for (size_t p = 0; p < count; p++) {
        warp_insts[p] = 0;
        steps += plans[p].circuit->step_count;
        if (status == FHEC_OK)
            status = fh_ckks_steps_check(&plans[p], error);
    }
    if (status != FHEC_OK)
        return status;
    struct measured *measured = calloc(1, sizeof *measured + steps * sizeof measured->rows[0]);
    if (!measured)
        return fh_fail_memory(error);
    for (unsigned base = 0; base < (plans->base ? 2 : 1) && status == FHEC_OK; base++)
        status = compose_chain(machine, plans, count, base != 0, measured, warp_insts, error);
    free(measured);
    return status;
}

fhec_status fh_ckks_steps_compose(fhec_machine *machine, const struct fh_ckks_steps_params *params,
                                  uint64_t *warp_insts, struct fh_error *error) {
    return fh_ckks_steps_compose_all(machine, params, 1, warp_insts, error);
}
