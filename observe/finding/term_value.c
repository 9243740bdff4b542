/*
 * term_value.c - see term_value.h.
 */
#include "term_value.h"

#include <string.h>

struct fh_moment fh_moment_of(const fhec_event *event) {
    struct fh_moment moment = {
        .launch = event->launch, .warp = event->warp, .active = event->active, .event = event};
    memcpy(moment.block, event->block, sizeof moment.block);
    return moment;
}

bool fh_moment_register(const struct fh_moment *m, fhec_register_file file, uint32_t reg,
                        uint32_t values[FHEC_WARP_LANES]) {
    if (m->event)
        return fhec_event_register(m->event, file, reg, values);
    return fhec_session_read_register(m->session, m->block, m->warp, file, reg, values) == FHEC_OK;
}

/* What a term that takes no others is. */
static bool leaf(const fhec_term *term, const struct fh_term_names *names, int64_t *value) {
    uint32_t lanes[FHEC_WARP_LANES];
    switch (term->kind) {
    case FHEC_TERM_NUMBER: *value = term->value; return true;
    case FHEC_TERM_ROW: *value = names->row; return true;
    case FHEC_TERM_COLUMN: *value = names->column; return true;
    case FHEC_TERM_LANE: *value = names->lane; return true;
    case FHEC_TERM_WARP: *value = names->moment->warp; return true;
    case FHEC_TERM_BLOCK: *value = names->moment->block[term->value]; return true;
    case FHEC_TERM_MODULUS: *value = names->modulus; return names->has_modulus;
    case FHEC_TERM_REGISTER:
    case FHEC_TERM_UNIFORM: break;
    default: return false;
    }
    const bool uniform = term->kind == FHEC_TERM_UNIFORM;
    if (!fh_moment_register(names->moment, uniform ? FHEC_FILE_UR : FHEC_FILE_R,
                            (uint32_t)term->value, lanes))
        return false;
    *value = lanes[uniform ? 0 : names->lane];
    return true;
}

static uint64_t shifted(uint64_t x, int64_t by, bool left) {
    if (by < 0 || by > 63)
        return left || !(x >> 63) ? 0 : UINT64_MAX;
    return left ? x << by : (uint64_t)((int64_t)x >> by);
}

/* x OP y; unsigned, so that sums wrap around. */
static bool binary(fhec_term_kind kind, int64_t x, int64_t y, int64_t *value) {
    const uint64_t a = (uint64_t)x, b = (uint64_t)y;
    uint64_t result = 0;
    switch (kind) {
    case FHEC_TERM_MULTIPLY: result = a * b; break;
    case FHEC_TERM_ADD: result = a + b; break;
    case FHEC_TERM_SUBTRACT: result = a - b; break;
    case FHEC_TERM_SHIFT_LEFT: result = shifted(a, y, true); break;
    case FHEC_TERM_SHIFT_RIGHT: result = shifted(a, y, false); break;
    case FHEC_TERM_LESS: result = x < y; break;
    case FHEC_TERM_EQUAL: result = x == y; break;
    case FHEC_TERM_AND: result = a & b; break;
    case FHEC_TERM_XOR: result = a ^ b; break;
    case FHEC_TERM_OR: result = a | b; break;
    case FHEC_TERM_DIVIDE:
    case FHEC_TERM_REMAINDER:
        if (y == 0 || (x == INT64_MIN && y == -1))
            return false;
        result = (uint64_t)(kind == FHEC_TERM_DIVIDE ? x / y : x % y);
        break;
    default: return false;
    }
    *value = (int64_t)result;
    return true;
}

bool fh_term_value(const fhec_expectation *e, const struct fh_term_names *names, int64_t *value) {
    int64_t stack[FHEC_MAX_TERMS];
    size_t depth = 0;
    for (size_t k = 0; k < e->term_count; k++) {
        const fhec_term *term = &e->terms[k];
        if (term->kind < FHEC_TERM_NEGATE) {
            if (!leaf(term, names, &stack[depth++]))
                return false;
        } else if (term->kind <= FHEC_TERM_INVERT) {
            const uint64_t x = (uint64_t)stack[depth - 1];
            stack[depth - 1] = (int64_t)(term->kind == FHEC_TERM_NEGATE ? 0 - x : ~x);
        } else {
            depth--;
            if (!binary(term->kind, stack[depth - 1], stack[depth], &stack[depth - 1]))
                return false;
        }
    }
    *value = stack[0];
    return depth == 1;
}

bool fh_launch_parameter(const fhec_launch *launch, const char *name, uint64_t *value) {
    fhec_kernel_info kernel;
    *value = 0;
    if (fhec_kernel_get(launch->program, launch->kernel, &kernel) != FHEC_OK || !launch->params)
        return false;
    for (uint32_t i = 0; i < kernel.param_count; i++) {
        const fhec_param_info *p = &kernel.params[i];
        if (strcmp(p->name, name) != 0 || p->size > sizeof *value)
            continue;
        memcpy(value, (const char *)launch->params + p->offset, p->size);
        return true;
    }
    return false;
}
