/*
 * stop_condition.c - see stop_condition.h.
 */
#include "stop_condition.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query.h"

/* What the stop is has names, too, before those of the face. */
struct condition {
    const struct fh_query_names *names;
    const fhec_stop *stop;
};

static bool find_text(void *user, const struct fh_query_place *place, const char *name,
                      char *expression, size_t size) {
    const struct condition *c = user;
    const fhec_stop *s = c->stop;
    const bool wide = s->bytes > 4;
    const struct {
        const char *name;
        uint64_t value;
        bool watched; /* of watchpoints only */
    } known[] = {{"value", s->new_value[0] | (wide ? (uint64_t)s->new_value[1] << 32 : 0), true},
                 {"old", s->old_value[0] | (wide ? (uint64_t)s->old_value[1] << 32 : 0), true},
                 {"count", s->instructions, false},
                 {"pc", s->pc, false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) != 0 ||
            (known[i].watched && s->reason != FHEC_STOP_WATCHPOINT))
            continue;
        (void)snprintf(expression, size, "0x%" PRIx64, known[i].value);
        return true;
    }
    return c->names->text && c->names->text(c->names->user, place, name, expression, size);
}

static bool find_registers(void *user, const struct fh_query_place *place, const char *name,
                           struct fh_query_registers *registers) {
    const struct condition *c = user;
    return c->names->registers && c->names->registers(c->names->user, place, name, registers);
}

static bool find_array(void *user, const struct fh_query_place *place, const char *name,
                       struct fh_query_array *array) {
    const struct condition *c = user;
    return c->names->array && c->names->array(c->names->user, place, name, array);
}

static bool find_argument(void *user, const struct fh_query_place *place, const char *name,
                          char *expression, size_t size) {
    const struct condition *c = user;
    return c->names->argument && c->names->argument(c->names->user, place, name, expression, size);
}

static const char *name_at(void *user, const struct fh_query_place *place, size_t index) {
    const struct condition *c = user;
    return c->names->name ? c->names->name(c->names->user, place, index) : NULL;
}

static fhec_status call_golden(void *user, const struct fh_query_place *place, const char *function,
                               const struct fh_query_value *arguments, size_t count,
                               struct fh_query_value *result, char *problem, size_t size) {
    const struct condition *c = user;
    if (c->names->golden)
        return c->names->golden(c->names->user, place, function, arguments, count, result, problem,
                                size);
    (void)snprintf(problem, size, "there are no golden functions here");
    return FHEC_BAD_INPUT;
}

static struct fh_query_place place_of(struct fh_debugger *d, const fhec_stop *stop,
                                      fhec_launch *launch, const struct fh_query_names *names) {
    const bool watched = stop->reason == FHEC_STOP_WATCHPOINT;
    const unsigned first = stop->lanes ? (unsigned)__builtin_ctz(stop->lanes) : 0;
    return (struct fh_query_place){
        .session = d->session,
        .machine = d->machine,
        .launch = fh_debugger_launch(d, d->launch, launch, NULL) ? launch : NULL,
        .block = {stop->block[0], stop->block[1], stop->block[2]},
        .warp = stop->warp,
        .lane = watched ? stop->lane : first,
        .all_lanes = !watched,
        .names = names,
    };
}

bool fh_stop_condition_holds(struct fh_debugger *d, const struct fh_breakpoint *breakpoint,
                             const fhec_stop *stop, bool *error) {
    const bool watched = stop->reason == FHEC_STOP_WATCHPOINT;
    struct fh_query_names outer = {0};
    const struct condition condition = {&outer, stop};
    const struct fh_query_names names = {(void *)&condition, find_registers, find_text,  find_array,
                                         find_argument,      name_at,        call_golden};
    fhec_launch launch;
    struct fh_query_error wrong = {.message = "there is no host memory"};
    struct fh_query_value value = {0};
    struct fh_query *query;
    if (d->options.names)
        d->options.names(d->options.user, d, &outer);
    const struct fh_query_place place = place_of(d, stop, &launch, &names);
    fhec_status status = fh_query_parse(breakpoint->condition, &query, &wrong);
    if (status == FHEC_OK)
        status = fh_query_evaluate(query, &place, &value, &wrong);
    fh_query_free(query);
    const uint32_t lanes = watched || !stop->lanes ? UINT32_MAX : stop->lanes;
    const bool holds =
        status == FHEC_OK && !value.is_array && (fh_query_value_mask(&value) & lanes) != 0;
    *error = status != FHEC_OK || value.is_array;
    if (*error)
        (void)fh_debugger_fail(d, FHEC_BAD_INPUT, "the condition of breakpoint %u: %s",
                               breakpoint->number,
                               status != FHEC_OK ? wrong.message : "an array is no condition");
    fh_query_value_free(&value);
    return holds;
}
