/*
 * stated_bound.c - see stated_bound.h.
 */
#include "stated_bound.h"
#include "operators.h"

#include <string.h>

/* What a bound is made of; none: it is not. */
static enum fh_operator operator_of(fhec_term_kind kind) {
    switch (kind) {
    case FHEC_TERM_MULTIPLY: return FH_OP_MUL;
    case FHEC_TERM_ADD: return FH_OP_ADD;
    case FHEC_TERM_SUBTRACT: return FH_OP_SUB;
    case FHEC_TERM_SHIFT_LEFT: return FH_OP_SHL;
    default: return FH_OP_NONE;
    }
}

/* The expression for a modulus; false if it depends on more, is none of these, or does not fit. */
static bool evaluate(const fhec_expectation *e, int64_t q, __int128 *result) {
    __int128 stack[FHEC_MAX_TERMS];
    size_t depth = 0;
    for (size_t i = 0; i < e->term_count; i++) {
        const fhec_term *t = &e->terms[i];
        const enum fh_operator op = operator_of(t->kind);
        if (t->kind == FHEC_TERM_NUMBER || t->kind == FHEC_TERM_MODULUS)
            stack[depth++] = t->kind == FHEC_TERM_NUMBER ? t->value : q;
        else if (op == FH_OP_NONE || depth < 2 ||
                 fh_operate_wide(op, stack[depth - 2], stack[depth - 1], &stack[depth - 2]))
            return false;
        else
            depth--;
    }
    if (depth != 1)
        return false;
    *result = stack[0];
    return true;
}

/* A bound is a straight line over the modulus if it is one at four places. */
static void set_line(const fhec_expectation *e, struct fh_stated_bound *bound) {
    __int128 at[4] = {0}, line = 0;
    static const int64_t moduli[4] = {0, 1, 2, 1000003};
    bound->any = false;
    for (size_t i = 0; i < 4; i++)
        bound->any |= !evaluate(e, moduli[i], &at[i]);
    bound->any |= __builtin_sub_overflow(at[1], at[0], &bound->slope);
    bound->offset = at[0];
    for (size_t i = 2; i < 4; i++)
        bound->any |= __builtin_mul_overflow(bound->slope, (__int128)moduli[i], &line) ||
                      __builtin_add_overflow(line, bound->offset, &line) || at[i] != line;
    if (e->relation == FHEC_EXPECT_AT_MOST)
        bound->any |= __builtin_add_overflow(bound->offset, (__int128)1, &bound->offset);
}

struct fh_stated_bound fh_stated_bound_of(const fhec_event *event, const char *operand) {
    struct fh_stated_bound bound = {.there = false};
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
    __int128 limit;
    return bound->any || __builtin_mul_overflow(bound->slope, (__int128)q, &limit) ||
           __builtin_add_overflow(limit, bound->offset, &limit) || (__int128)value < limit;
}
