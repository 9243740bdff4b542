/*
 * application_count.c - what shapes take, each executed once.
 */
#include "application.h"

#include "guest.h"

#include <stdlib.h>
#include <string.h>

struct counted {
    struct fh_ckks_shape shape;
    struct fh_app_sum once;
};

struct one_chain {
    struct fh_ckks_params params;
    struct fh_ckks_counter *counter; /* NULL: not made yet */
    struct fh_collector collector;
    struct counted *shapes;
    size_t count, room;
};

struct fh_app_counter {
    fhec_machine *machine;
    struct one_chain chain, base;
    bool has_base;
    struct fh_app_meter meter; /* read is NULL: none */
};

static fhec_status begin(fhec_machine *machine, struct one_chain *chain, struct fh_error *error) {
    if (chain->counter)
        return FHEC_OK;
    struct fh_ckks_params params = chain->params;
    params.options = fh_profile_begin(&chain->collector, machine, &params.options);
    return fh_ckks_counter_begin(machine, &params, &chain->counter, error);
}

fhec_status fh_app_counter_begin(fhec_machine *machine, const struct fh_ckks_params *chain,
                                 const struct fh_ckks_params *base, struct fh_app_counter **counter,
                                 struct fh_error *error) {
    struct fh_app_counter *c = *counter = calloc(1, sizeof *c);
    if (!c)
        return fh_fail_memory(error);
    c->machine = machine;
    c->chain.params = *chain;
    c->has_base = base != NULL;
    if (base)
        c->base.params = *base;
    const fhec_status status = begin(machine, &c->chain, error);
    if (status != FHEC_OK) {
        fh_app_counter_end(c);
        *counter = NULL;
    }
    return status;
}

void fh_app_counter_end(struct fh_app_counter *counter) {
    if (!counter)
        return;
    fh_ckks_counter_end(counter->base.counter);
    fh_ckks_counter_end(counter->chain.counter);
    free(counter->base.shapes);
    free(counter->chain.shapes);
    free(counter);
}

void fh_app_counter_meter(struct fh_app_counter *counter, const struct fh_app_meter *meter) {
    counter->meter = *meter;
}

static void read_meter(const struct fh_app_meter *meter, uint64_t values[FH_APP_METERS]) {
    memset(values, 0, FH_APP_METERS * sizeof *values);
    if (meter->read)
        meter->read(meter->user, values);
}

static fhec_status execute(struct one_chain *chain, const struct fh_app_meter *meter,
                           const struct fh_ckks_shape *shape, struct fh_app_sum *once,
                           struct fh_error *error) {
    uint64_t before[FH_APP_METERS];
    read_meter(meter, before);
    fh_profile_restart(&chain->collector);
    const fhec_status status = fh_ckks_counter_run(chain->counter, shape, error);
    read_meter(meter, once->metered);
    for (unsigned i = 0; i < FH_APP_METERS; i++)
        once->metered[i] -= before[i];
    return status == FHEC_OK ? fh_profile_end(&chain->collector, &once->profile, error) : status;
}

/* *once is good until the next call. */
static fhec_status count(struct one_chain *chain, const struct fh_app_meter *meter,
                         const struct fh_ckks_shape *shape, const struct fh_app_sum **once,
                         struct fh_error *error) {
    for (size_t i = 0; i < chain->count; i++)
        if (fh_ckks_same_shape(&chain->shapes[i].shape, shape)) {
            *once = &chain->shapes[i].once;
            return FHEC_OK;
        }
    if (chain->count == chain->room) {
        const size_t room = chain->room ? 2 * chain->room : 64;
        struct counted *grown = realloc(chain->shapes, room * sizeof *grown);
        if (!grown)
            return fh_fail_memory(error);
        chain->shapes = grown;
        chain->room = room;
    }
    struct counted *next = &chain->shapes[chain->count];
    next->shape = *shape;
    *once = &next->once;
    const fhec_status status = execute(chain, meter, shape, &next->once, error);
    chain->count += status == FHEC_OK;
    return status;
}

static void add_part(struct fh_part_profile *sum, const struct fh_part_profile *part,
                     uint64_t times) {
    for (unsigned k = 0; k < FH_CLASSES; k++) {
        sum->warp[k] += times * part->warp[k];
        sum->thread[k] += times * part->thread[k];
    }
    sum->launches += times * part->launches;
    sum->accesses += times * part->accesses;
    sum->wide_accesses += times * part->wide_accesses;
    sum->multiply_adds += times * part->multiply_adds;
}

fhec_status fh_app_counter_sum(struct fh_app_counter *counter, const struct fh_app_uses *uses,
                               struct fh_app_sum *sum, struct fh_error *error) {
    for (size_t i = 0; i < uses->count; i++) {
        const struct fh_app_use *use = &uses->uses[i];
        struct one_chain *chain = use->base ? &counter->base : &counter->chain;
        const struct fh_app_sum *once = NULL;
        if (use->base && !counter->has_base)
            return fh_fail(error, FHEC_BAD_INPUT, "there is no chain for the sparse secret");
        fhec_status status = begin(counter->machine, chain, error);
        if (status == FHEC_OK)
            status = count(chain, &counter->meter, &use->shape, &once, error);
        if (status != FHEC_OK)
            return status;
        for (unsigned p = 0; p < FH_PARTS; p++)
            add_part(&sum->profile.part[p], &once->profile.part[p], use->count);
        for (unsigned m = 0; m < FH_APP_METERS; m++)
            sum->metered[m] += use->count * once->metered[m];
    }
    return FHEC_OK;
}
