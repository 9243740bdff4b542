/*
 * stated_bound.c - see stated_bound.h.
 */
#include "stated_bound.h"

#include <string.h>

/* x op y; false: not what a bound is made of. */
static bool apply(fhec_term_kind op, int64_t x, int64_t y, int64_t *result) {
    const uint64_t a = (uint64_t)x, b = (uint64_t)y;
    switch (op) {
    case FHEC_TERM_MULTIPLY: *result = (int64_t)(a * b); return true;
    case FHEC_TERM_ADD: *result = (int64_t)(a + b); return true;
    case FHEC_TERM_SUBTRACT: *result = (int64_t)(a - b); return true;
    case FHEC_TERM_SHIFT_LEFT: *result = (int64_t)(b < 64 ? a << b : 0); return b < 64;
    default: return false;
    }
}

/* The expression for a modulus; false if it depends on more, or is none of these. */
static bool evaluate(const fhec_expectation *e, int64_t q, int64_t *result) {
    int64_t stack[FHEC_MAX_TERMS];
    size_t depth = 0;
    for (size_t i = 0; i < e->term_count; i++) {
        const fhec_term *t = &e->terms[i];
        if (t->kind == FHEC_TERM_NUMBER || t->kind == FHEC_TERM_MODULUS) {
            if (depth == FHEC_MAX_TERMS)
                return false;
            stack[depth++] = t->kind == FHEC_TERM_NUMBER ? t->value : q;
            continue;
        }
        if (depth < 2 || !apply(t->kind, stack[depth - 2], stack[depth - 1], &stack[depth - 2]))
            return false;
        depth--;
    }
    if (depth != 1)
        return false;
    *result = stack[0];
    return true;
}

/* A bound is a straight line over the modulus if it is one at four places. */
static void set_line(const fhec_expectation *e, struct fh_stated_bound *bound) {
    int64_t at[4] = {0};
    static const int64_t moduli[4] = {0, 1, 2, 1000003};
    bound->any = false;
    for (size_t i = 0; i < 4; i++)
        bound->any |= !evaluate(e, moduli[i], &at[i]);
    bound->offset = at[0];
    bound->slope = (int64_t)((uint64_t)at[1] - (uint64_t)at[0]);
    for (size_t i = 2; i < 4; i++)
        bound->any |= (uint64_t)at[i] !=
                      (uint64_t)bound->slope * (uint64_t)moduli[i] + (uint64_t)bound->offset;
    bound->offset += e->relation == FHEC_EXPECT_AT_MOST && bound->offset < INT64_MAX;
}

struct fh_stated_bound fh_stated_bound_of(const fhec_event *event, const char *operand) {
    struct fh_stated_bound bound = {false, false, 0, 0};
    const fhec_launch *launch = event->launch;
    fhec_expectation e;
    for (size_t i = 0; fhec_kernel_expectation(launch->program, launch->kernel, i, &e); i++) {
        if (e.word != event->pc / sizeof(fhec_word) || !e.operand ||
            strcmp(e.operand, operand) != 0 ||
            (e.relation != FHEC_EXPECT_BELOW && e.relation != FHEC_EXPECT_AT_MOST))
            continue;
        bound.there = true;
        set_line(&e, &bound);
    }
    return bound;
}

bool fh_stated_bound_holds(const struct fh_stated_bound *bound, uint64_t value, uint64_t q) {
    const __int128 limit = (__int128)bound->slope * q + bound->offset;
    return bound->any || (__int128)value < limit;
}
