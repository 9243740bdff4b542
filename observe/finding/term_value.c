/*
 * term_value.c - see term_value.h.
 */
#include "term_value.h"
#include "operators.h"

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

/* The operator that a term is. */
static enum fh_operator operator_of(fhec_term_kind kind) {
    switch (kind) {
    case FHEC_TERM_NEGATE: return FH_OP_NEG;
    case FHEC_TERM_INVERT: return FH_OP_INV;
    case FHEC_TERM_MULTIPLY: return FH_OP_MUL;
    case FHEC_TERM_DIVIDE: return FH_OP_DIV;
    case FHEC_TERM_REMAINDER: return FH_OP_MOD;
    case FHEC_TERM_ADD: return FH_OP_ADD;
    case FHEC_TERM_SUBTRACT: return FH_OP_SUB;
    case FHEC_TERM_SHIFT_LEFT: return FH_OP_SHL;
    case FHEC_TERM_SHIFT_RIGHT: return FH_OP_SHR;
    case FHEC_TERM_LESS: return FH_OP_LT;
    case FHEC_TERM_EQUAL: return FH_OP_EQ;
    case FHEC_TERM_AND: return FH_OP_AND;
    case FHEC_TERM_XOR: return FH_OP_XOR;
    case FHEC_TERM_OR: return FH_OP_OR;
    case FHEC_TERM_BOTH: return FH_OP_LAND;
    case FHEC_TERM_EITHER: return FH_OP_LOR;
    case FHEC_TERM_CHOICE: return FH_OP_SELECT;
    default: return FH_OP_NONE;
    }
}

/* A value of the stack; what has none is known only where it does not matter. */
struct operand {
    __int128 is;
    bool known;
};

static void apply(enum fh_operator op, struct operand *x, const struct operand *y) {
    const bool settled = op == FH_OP_LAND ? !x->is : op == FH_OP_LOR && x->is;
    if (op == FH_OP_SELECT)
        *x = !x->known ? *x : x->is ? y[0] : y[1];
    else if (settled && x->known)
        x->is = op == FH_OP_LOR;
    else if (op > FH_OP_SELECT)
        x->known = x->known && !fh_operate_wide(op, x->is, 0, &x->is);
    else
        x->known = x->known && y->known && !fh_operate_wide(op, x->is, y->is, &x->is);
}

bool fh_term_value(const fhec_expectation *e, const struct fh_term_names *names, __int128 *value) {
    struct operand stack[FHEC_MAX_TERMS];
    size_t depth = 0;
    stack[0] = (struct operand){0, false};
    for (size_t k = 0; k < e->term_count; k++) {
        const enum fh_operator op = operator_of(e->terms[k].kind);
        if (op == FH_OP_NONE) {
            int64_t leaf_value;
            stack[depth].known = leaf(&e->terms[k], names, &leaf_value);
            stack[depth].is = stack[depth].known ? leaf_value : 0;
            depth++;
            continue;
        }
        depth -= op == FH_OP_SELECT ? 2 : op < FH_OP_SELECT ? 1 : 0;
        apply(op, &stack[depth - 1], &stack[depth]);
    }
    *value = stack[0].is;
    return depth == 1 && stack[0].known;
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
