/*
 * query_value.c - evaluates an expression: each node for a mask of lanes, which are those that the
 * value is asked for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query_state.h"

/* ---------------------------------------------------------------- nodes */

/* Takes the lanes of `from` from one of two values into the result. */
static void merge(struct fh_query_value *value, const struct fh_query_value *from, uint32_t lanes) {
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++)
        if (lanes >> lane & 1)
            value->values[lane] = from->values[from->per_lane ? lane : 0];
    value->lanes |= from->per_lane ? lanes & from->lanes : lanes;
}

/* The type that both have in common, as C has it. */
static void widen(struct fh_query_value *value, const struct fh_query_value *x,
                  const struct fh_query_value *y) {
    value->bits = x->bits > y->bits ? x->bits : y->bits;
    value->is_signed =
        (x->is_signed || x->bits < value->bits) && (y->is_signed || y->bits < value->bits);
    value->truth = x->truth && y->truth;
    value->form = x->form;
    value->exact = FH_QUERY_TYPED;
}

/* A side that no lane takes gives its type, if it has a value: what is wrong with it does not
 * count.
 */
static bool other_side(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                       const struct fh_query_value *q, struct fh_query_value *value) {
    const struct fh_query_error before = *s->error;
    const bool good = fh_query_number_at(s, index, lanes, q, value);
    if (!good)
        *s->error = before;
    return good;
}

/* One side for all lanes, in the type that both have in common. */
static bool choose_one(struct fh_query_state *s, const struct fh_query_node *node, bool first,
                       uint32_t lanes, const struct fh_query_value *q,
                       struct fh_query_value *value) {
    struct fh_query_value x, y;
    if (!fh_query_at(s, first ? node->b : node->c, lanes, q, value))
        return false;
    x = *value;
    if (x.is_array || !other_side(s, first ? node->c : node->b, lanes, q, &y) || x.form || y.form ||
        (x.exact && y.exact))
        return true;
    widen(value, &x, &y);
    fh_query_reduce(value);
    return true;
}

static bool choose(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   const struct fh_query_value *q, struct fh_query_value *value) {
    struct fh_query_value condition, x, y;
    if (!fh_query_number_at(s, node->a, lanes, NULL, &condition))
        return false;
    const uint32_t mask = fh_query_value_mask(&condition);
    const uint32_t yes = condition.lanes & mask, no = condition.lanes & ~mask;
    if (!condition.per_lane || !yes || !no)
        return choose_one(s, node, mask != 0, lanes, q, value);
    const uint32_t only = s->only;
    s->only = only & mask;
    bool good = fh_query_number_at(s, node->b, yes, q, &x);
    s->only = only & ~mask;
    good = good && fh_query_number_at(s, node->c, no, q, &y);
    s->only = only;
    if (!good)
        return false;
    if (x.form != y.form || (x.form && x.bits != y.bits))
        return fh_query_fail(s, node, "the two sides are numbers of different kinds");
    *value = (struct fh_query_value){.per_lane = true};
    widen(value, &x, &y);
    merge(value, &x, yes);
    merge(value, &y, no);
    fh_query_reduce(value);
    return true;
}

/* Each lane's value is that of the lane that it names. */
static void permute(struct fh_query_value *value, const struct fh_query_value *every,
                    const struct fh_query_value *which, uint32_t lanes) {
    value->lanes = lanes & which->lanes;
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++) {
        const bool there = value->lanes >> i & 1 && every->lanes >> which->values[i] & 1;
        value->values[i] = there ? every->values[which->values[i]] : 0;
        value->lanes &= ~((uint32_t)!there << i);
    }
}

/* a@b: what a is in lane b. */
static bool in_lane(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    const struct fh_query_value *q, struct fh_query_value *value) {
    struct fh_query_value which, every;
    if (!fh_query_number_at(s, node->b, lanes, NULL, &which))
        return false;
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        if ((which.per_lane ? lanes & which.lanes : 1u) >> i & 1 &&
            which.values[i] >= FHEC_WARP_LANES)
            return fh_query_fail(s, node, "a warp has lanes 0 to 31");
    const struct fh_query_place before = s->place;
    const uint32_t only = s->only;
    s->only = UINT32_MAX;
    s->place.all_lanes = which.per_lane;
    if (!which.per_lane)
        s->place.lane = (uint32_t)which.values[0];
    const uint32_t of = which.per_lane ? fh_query_lanes(s) : UINT32_C(1) << which.values[0];
    const bool one = q && !q->per_lane; /* else what comes of it is reduced, lane by lane */
    bool good = fh_query_at(s, node->a, of, one ? q : NULL, &every);
    s->place = before;
    s->only = only;
    *value = every;
    if (good && every.per_lane && !which.per_lane) {
        *value = fh_query_one(every.values[which.values[0]], every.bits, every.is_signed);
        value->truth = every.truth;
        value->form = every.form;
    }
    if (good && every.per_lane && which.per_lane)
        permute(value, &every, &which, lanes);
    return good && (!q || one || value->is_array || fh_query_modulo(s, node, q, value));
}

static bool in_all(struct fh_query_state *s, const struct fh_query_node *node,
                   const struct fh_query_value *q, struct fh_query_value *value) {
    const bool before = s->place.all_lanes;
    s->place.all_lanes = true;
    const bool good = fh_query_at(s, node->a, fh_query_lanes(s), q, value);
    s->place.all_lanes = before;
    return good;
}

static bool with_modulus(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                         struct fh_query_value *value) {
    struct fh_query_value q;
    if (!fh_query_number_at(s, node->b, lanes, NULL, &q))
        return false;
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++) {
        if (!((q.per_lane ? lanes & q.lanes : 1u) >> i & 1))
            continue;
        if (!q.values[i] || (q.is_signed && q.values[i] >> 63))
            return fh_query_fail(s, node, "the modulus is not positive");
    }
    if (q.form)
        return fh_query_fail(s, node, "the modulus is no integer");
    struct fh_query_value x;
    if (!fh_query_at(s, node->a, lanes, &q, &x))
        return false;
    if (x.is_array)
        return fh_query_elements(s, node, &x, NULL, &q, value);
    *value = x;
    return true;
}

/* The remainders of remainders, of a number or of an array's elements. */
static bool again(struct fh_query_state *s, const struct fh_query_node *node,
                  const struct fh_query_value *q, struct fh_query_value *value) {
    struct fh_query_value x = *value;
    return x.is_array ? fh_query_elements(s, node, &x, NULL, q, value)
                      : fh_query_modulo(s, node, q, value);
}

/* What is computed of the arguments: of numbers for one lane, or for all. */
static bool call(struct fh_query_state *s, const struct fh_query_node *node,
                 const struct fh_query_value *arguments, size_t count,
                 struct fh_query_value *value) {
    const struct fh_query_names *names = s->place.names;
    char function[64], problem[160] = "";
    (void)snprintf(function, sizeof function, "%.*s", (int)node->length, s->query->text + node->at);
    *value = fh_query_one(0, 64, false);
    if (names->golden(names->user, &s->place, function, arguments, count, value, problem,
                      sizeof problem) == FHEC_OK)
        return true;
    return fh_query_fail(s, node, "golden.%s: %s", function,
                         *problem ? problem : "it cannot be computed");
}

/* Lane by lane, where an argument is one of each lane. */
static bool call_lanes(struct fh_query_state *s, const struct fh_query_node *node,
                       const struct fh_query_value *arguments, size_t count,
                       struct fh_query_value *value) {
    struct fh_query_value of[FH_QUERY_ARGUMENTS], one;
    uint32_t lanes = UINT32_MAX;
    for (size_t k = 0; k < count; k++) {
        if (arguments[k].is_array)
            return fh_query_fail(s, node, "arrays and values of lanes do not go together");
        lanes &= arguments[k].per_lane ? arguments[k].lanes : UINT32_MAX;
    }
    *value = (struct fh_query_value){.per_lane = true, .bits = 64, .lanes = lanes};
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        for (size_t k = 0; k < count; k++) {
            const struct fh_query_value *a = &arguments[k];
            of[k] = fh_query_one(a->values[a->per_lane ? i : 0], a->bits, a->is_signed);
            of[k].form = a->form;
        }
        if (!call(s, node, of, count, &one))
            return false;
        if (one.is_array) {
            fh_query_value_free(&one);
            return fh_query_fail(s, node, "this is an array; ask for one lane, R4@13");
        }
        value->values[i] = one.values[0];
        value->bits = one.bits;
        value->is_signed = one.is_signed;
        value->truth = one.truth;
    }
    return true;
}

static bool golden(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                   struct fh_query_value *value) {
    const struct fh_query_names *names = s->place.names;
    struct fh_query_value arguments[FH_QUERY_ARGUMENTS] = {{0}};
    size_t count = 0;
    bool good = true, per_lane = false;
    if (!names || !names->golden)
        return fh_query_fail(s, node, "there are no golden functions here");
    for (uint16_t a = node->a; a && good; a = s->query->nodes[a].next) {
        good = fh_query_at(s, a, lanes, NULL, &arguments[count]);
        per_lane |= good && arguments[count].per_lane;
        count += good;
    }
    if (good)
        good = per_lane ? call_lanes(s, node, arguments, count, value)
                        : call(s, node, arguments, count, value);
    for (size_t i = 0; i < count; i++)
        fh_query_value_free(&arguments[i]);
    return good;
}

/* What is no operator. */
static bool leaf(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                 struct fh_query_value *value) {
    switch (node->kind) {
    case FH_QUERY_NUMBER:
        *value = fh_query_one(node->number, node->wide ? 64 : 32, node->is_signed);
        value->form = node->form;
        value->exact = node->exact;
        return true;
    case FH_QUERY_REGISTER: return fh_query_register(s, node, value);
    case FH_QUERY_PARAMETER: return fh_query_parameter(s, node, value);
    case FH_QUERY_PLACE: return fh_query_place_value(s, node, value);
    case FH_QUERY_MEMORY: return fh_query_memory(s, node, lanes, value);
    case FH_QUERY_GOLDEN: return golden(s, node, lanes, value);
    case FH_QUERY_LIST: return fh_query_list(s, node, lanes, value);
    case FH_QUERY_CAST: return fh_query_cast(s, node, lanes, value);
    case FH_QUERY_INDEX: return fh_query_index(s, node, lanes, value);
    case FH_QUERY_SLICE: return fh_query_slice(s, node, lanes, value);
    case FH_QUERY_ADDRESS: return fh_query_address(s, node, lanes, value);
    default: return fh_query_name(s, node, lanes, value);
    }
}

static bool value_at(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                     const struct fh_query_value *q, struct fh_query_value *value) {
    const struct fh_query_node *node = &s->query->nodes[index];
    switch (node->kind) {
    case FH_QUERY_UNARY: return fh_query_unary(s, node, lanes, q, value);
    case FH_QUERY_BINARY: return fh_query_binary(s, node, lanes, q, value);
    case FH_QUERY_CHOICE: return choose(s, node, lanes, q, value);
    case FH_QUERY_LANE: return in_lane(s, node, lanes, q, value);
    case FH_QUERY_EVERY: return in_all(s, node, q, value);
    case FH_QUERY_MODULO: /* the inner one, and what is left of it modulo the outer one */
        return with_modulus(s, node, lanes, value) && (!q || again(s, node, q, value));
    default:
        return leaf(s, node, lanes, value) &&
               (!q || value->is_array || fh_query_modulo(s, node, q, value));
    }
}

fhec_status fh_query_evaluate(const struct fh_query *query, const struct fh_query_place *place,
                              struct fh_query_value *value, struct fh_query_error *error) {
    struct fh_query_state s = {
        .query = query, .place = *place, .error = error, .only = UINT32_MAX, .at = value_at};
    *error = (struct fh_query_error){0};
    const uint32_t lanes =
        place->all_lanes ? fh_query_lanes(&s) : UINT32_C(1) << (place->lane & 31);
    if (value_at(&s, query->root, lanes, NULL, value))
        return FHEC_OK;
    *value = (struct fh_query_value){0};
    return FHEC_BAD_INPUT;
}
