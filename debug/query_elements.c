/*
 * query_elements.c - operators element by element: 32 elements at a time take the place of a warp's
 * lanes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "query_state.h"

/* Elements [first, first + count) as lanes; a number as it is. With q: remainders. */
static bool take(struct fh_query_state *s, const struct fh_query_node *node,
                 const struct fh_query_value *from, uint64_t first, unsigned count,
                 const struct fh_query_value *q, struct fh_query_value *lanes) {
    *lanes = *from;
    if (!from->is_array)
        return true;
    *lanes = fh_query_promoted(from->array.type);
    lanes->per_lane = true;
    lanes->truth = from->truth;
    lanes->lanes = count < FHEC_WARP_LANES ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
    if (fh_query_array_read(&from->array, &s->place, s->place.lane & 31, first, count,
                            lanes->values) != FHEC_OK)
        return fh_query_fail(s, node, "element %" PRIu64 ", or one behind it, cannot be read",
                             first);
    return !q || fh_query_modulo(s, node, q, lanes);
}

static enum fh_query_type type_of(const struct fh_query_value *value) {
    if (value->truth)
        return FH_QUERY_U8;
    return (enum fh_query_type)((value->bits == 64 ? FH_QUERY_U64 : FH_QUERY_U32) +
                                value->is_signed);
}

static bool apply(struct fh_query_state *s, const struct fh_query_node *node,
                  const struct fh_query_value *x, const struct fh_query_value *y,
                  const struct fh_query_value *q, struct fh_query_value *value) {
    if (y)
        return fh_query_apply(s, node, x, y, q, value);
    *value = *x;
    return node->kind == FH_QUERY_MODULO || fh_query_apply_one(s, node, q, value);
}

static bool shapes_fit(struct fh_query_state *s, const struct fh_query_node *node,
                       const struct fh_query_value *x, const struct fh_query_value *y) {
    const struct fh_query_value *array = x->is_array ? x : y;
    const struct fh_query_value *other = x->is_array ? y : x;
    const uint64_t count = fh_query_array_count(&array->array);
    if (count > FH_QUERY_ELEMENTS)
        return fh_query_fail(s, node, "an array of %" PRIu64 " elements is too large for this",
                             count);
    if (!other)
        return true;
    if (!other->is_array && (other->per_lane || other->form))
        return fh_query_fail(s, node, "an array goes with arrays and with integers for all lanes");
    if (other->is_array && fh_query_array_count(&other->array) != count)
        return fh_query_fail(s, node, "arrays of %" PRIu64 " and of %" PRIu64 " elements", count,
                             fh_query_array_count(&other->array));
    return true;
}

static bool each(struct fh_query_state *s, const struct fh_query_node *node,
                 const struct fh_query_value *x, const struct fh_query_value *y,
                 const struct fh_query_value *q, struct fh_query_value *value) {
    const struct fh_query_array *shape = &(x->is_array ? x : y)->array;
    const bool shift = fh_query_is_shift(node->op);
    const uint64_t count = fh_query_array_count(shape);
    struct fh_query_value a, b = {0}, result = {0};
    value->array = *shape;
    value->array.space = FHEC_SPACE_GLOBAL;
    value->array.computed = calloc((size_t)count + 1, sizeof *value->array.computed);
    if (!value->array.computed)
        return fh_query_fail(s, node, "there is no host memory");
    for (uint64_t first = 0; first < count; first += FHEC_WARP_LANES) {
        const unsigned n =
            count - first < FHEC_WARP_LANES ? (unsigned)(count - first) : (unsigned)FHEC_WARP_LANES;
        s->element = first;
        if (!take(s, node, x, first, n, q, &a) ||
            (y && !take(s, node, y, first, n, shift ? NULL : q, &b)) ||
            !apply(s, node, &a, y ? &b : NULL, q, &result))
            return false;
        memcpy(value->array.computed + first, result.values, n * sizeof *result.values);
    }
    value->truth = result.truth;
    value->array.type = type_of(&result);
    return true;
}

bool fh_query_elements(struct fh_query_state *s, const struct fh_query_node *node,
                       struct fh_query_value *x, struct fh_query_value *y,
                       const struct fh_query_value *q, struct fh_query_value *value) {
    const bool of_elements = s->of_elements;
    *value = (struct fh_query_value){.is_array = true, .lanes = UINT32_MAX};
    s->of_elements = true;
    bool good = shapes_fit(s, node, x, y);
    if (good && q && q->per_lane)
        good = fh_query_fail(s, node, "an array needs one modulus for all lanes");
    good = good && each(s, node, x, y, q, value);
    s->of_elements = of_elements;
    fh_query_value_free(x);
    if (y)
        fh_query_value_free(y);
    if (!good)
        fh_query_value_free(value);
    return good;
}
