/*
 * query_operands.c - nodes of operators: what they are applied to, for which lanes, or element by
 * element.
 */
#include "query_state.h"

/* && and ||: the right side for those lanes only that need it. */
static bool logical(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    struct fh_query_value *value) {
    const bool both_needed = node->op == FH_OP_LAND;
    struct fh_query_value x, y = {0};
    if (!fh_query_number_at(s, node->a, lanes, NULL, &x))
        return false;
    const uint32_t yes = fh_query_value_mask(&x), there = x.per_lane ? x.lanes : UINT32_MAX;
    const uint32_t open = there & (both_needed ? yes : ~yes);
    uint32_t mask = both_needed ? 0 : yes, known = there & ~open;
    if (open) {
        const uint32_t only = s->only;
        s->only = only & open;
        const bool good = fh_query_number_at(s, node->b, lanes & open, NULL, &y);
        s->only = only;
        if (!good)
            return false;
        mask |= fh_query_value_mask(&y) & open;
        known |= open & (y.per_lane ? y.lanes : UINT32_MAX);
    }
    *value = fh_query_one(0, 32, true);
    value->truth = true;
    value->exact = open && y.exact < x.exact ? y.exact : x.exact;
    value->per_lane = x.per_lane || y.per_lane;
    value->lanes = value->per_lane ? known : UINT32_MAX;
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        value->values[i] = mask >> i & 1;
    return true;
}

bool fh_query_binary(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                     const struct fh_query_value *q, struct fh_query_value *value) {
    struct fh_query_value x, y;
    const bool tied = node->op == FH_OP_LAND || node->op == FH_OP_LOR;
    if (tied)
        return logical(s, node, lanes, value) && (!q || fh_query_modulo(s, node, q, value));
    const bool shifted = q && fh_query_is_shift(node->op); /* by a number, not by a remainder */
    if (!fh_query_at(s, node->a, lanes, q, &x))
        return false;
    if (!fh_query_at(s, node->b, lanes, shifted ? NULL : q, &y)) {
        fh_query_value_free(&x);
        return false;
    }
    if (x.is_array || y.is_array)
        return fh_query_elements(s, node, &x, &y, q, value);
    return fh_query_apply(s, node, &x, &y, q, value);
}

bool fh_query_unary(struct fh_query_state *s, const struct fh_query_node *node, uint32_t lanes,
                    const struct fh_query_value *q, struct fh_query_value *value) {
    struct fh_query_value x;
    if (!fh_query_at(s, node->a, lanes, q, &x))
        return false;
    if (x.is_array)
        return fh_query_elements(s, node, &x, NULL, q, value);
    *value = x;
    return fh_query_apply_one(s, node, q, value);
}
