/*
 * query_state.c - values, and what is wrong with them.
 */
#include "query_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool fh_query_fail(struct fh_query_state *s, const struct fh_query_node *node, const char *format,
                   ...) {
    const struct fh_query_node *at = s->outer ? s->outer : node;
    char message[sizeof s->error->message];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)fh_query_wrong(s->error, at->at, at->length, "%s", message);
    return false;
}

bool fh_query_fail_in(struct fh_query_state *s, const struct fh_query_node *node, bool per_lane,
                      unsigned lane, const char *what) {
    if (s->of_elements)
        return fh_query_fail(s, node, "%s in element %llu", what,
                             (unsigned long long)s->element + lane);
    return per_lane ? fh_query_fail(s, node, "%s in lane %u", what, lane)
                    : fh_query_fail(s, node, "%s", what);
}

/* ---------------------------------------------------------------- values */

struct fh_query_value fh_query_one(uint64_t value, unsigned bits, bool is_signed) {
    return (struct fh_query_value){
        .bits = bits, .is_signed = is_signed, .lanes = UINT32_MAX, .values = {value}};
}

void fh_query_reduce(struct fh_query_value *value) {
    for (unsigned i = 0;
         value->bits == 32 && !value->form && i < (value->per_lane ? FHEC_WARP_LANES : 1u); i++) {
        const uint64_t low = value->values[i] & UINT32_MAX;
        value->values[i] = value->is_signed && low >> 31 ? low | ~(uint64_t)UINT32_MAX : low;
    }
}

/* Minus zero is zero. */
static bool is_true(const struct fh_query_value *value, unsigned lane) {
    const uint64_t sign = value->form == FH_QUERY_FLOAT ? UINT64_C(1) << (value->bits - 1) : 0;
    return (value->values[lane] & ~sign) != 0;
}

uint32_t fh_query_value_mask(const struct fh_query_value *value) {
    uint32_t mask = 0;
    if (!value->per_lane)
        return is_true(value, 0) ? UINT32_MAX : 0;
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++)
        mask |= (uint32_t)is_true(value, lane) << lane;
    return mask & value->lanes;
}

void fh_query_value_free(struct fh_query_value *value) {
    if (value->is_array)
        free(value->array.computed);
    *value = (struct fh_query_value){0};
}

/* ---------------------------------------------------------------- operators */

bool fh_query_is_comparison(enum fh_operator op) {
    switch (op) {
    case FH_OP_LT:
    case FH_OP_GT:
    case FH_OP_LE:
    case FH_OP_GE:
    case FH_OP_EQ:
    case FH_OP_NE: return true;
    default: return false;
    }
}

bool fh_query_is_shift(enum fh_operator op) {
    return op == FH_OP_SHL || op == FH_OP_SHR;
}

/* ---------------------------------------------------------------- nodes */

bool fh_query_at(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                 const struct fh_query_value *q, struct fh_query_value *value) {
    return s->at(s, index, lanes, q, value);
}

bool fh_query_number_at(struct fh_query_state *s, uint16_t index, uint32_t lanes,
                        const struct fh_query_value *q, struct fh_query_value *value) {
    if (!fh_query_at(s, index, lanes, q, value))
        return false;
    if (!value->is_array)
        return true;
    const struct fh_query_node *node = &s->query->nodes[index];
    const unsigned rank = value->array.rank;
    fh_query_value_free(value);
    return fh_query_fail(s, node, "this is an array of %u dimension%s, no number", rank,
                         rank == 1 ? "" : "s");
}
