/*
 * origin_moves.c - origins through instructions that move registers: told before they run, so that
 * the registers that they read are still there.
 */
#include "origins.h"

#include <string.h>

static fh_origin computed(const struct fh_origin_step *step) {
    return fh_origin_make(FH_ORIGIN_COMPUTED, step->event->pc);
}

static fh_origin number(const struct fh_origin_step *step) {
    return fh_origin_make(FH_ORIGIN_NUMBER, step->event->pc);
}

void fh_origin_made(const struct fh_origin_step *step, uint32_t lanes) {
    const fhec_instruction *in = step->instruction;
    for (uint32_t i = 0; i < in->use_count; i++) {
        const fhec_use *use = &in->uses[i];
        if (!use->written)
            continue;
        if (use->file == FHEC_FILE_UR)
            for (uint32_t k = 0; k < use->count && use->first + k < FH_SHADOW_UNIFORM; k++)
                step->warp->ur[use->first + k] = computed(step);
        if (use->file == FHEC_FILE_R)
            for (uint32_t k = 0; k < use->count && use->first + k < FH_SHADOW_ZERO; k++) {
                fh_shadow_set(step->warp, use->first + k, lanes, computed(step));
                step->warp->written[use->first + k] = step->event->pc;
            }
    }
}

/* Word `word` of an operand that is the same for all lanes. */
static fh_origin uniform(const struct fh_origin_step *step, const fhec_operand *o, uint32_t word) {
    if (!o)
        return number(step);
    switch (o->kind) {
    case FHEC_OPERAND_UNIFORM:
        return o->reg == FHEC_NO_REGISTER ? number(step) : step->warp->ur[o->reg + word];
    case FHEC_OPERAND_IMMEDIATE: return number(step);
    case FHEC_OPERAND_CONSTANT:
        if (o->reg != FHEC_NO_REGISTER || o->ureg != FHEC_NO_REGISTER)
            return computed(step);
        return fh_origin_make(FH_ORIGIN_CONSTANT, (uint64_t)o->bank << FH_ORIGIN_BANK_SHIFT |
                                                      ((uint32_t)o->value + 4 * word));
    case FHEC_OPERAND_REGISTER: return o->reg == FHEC_NO_REGISTER ? number(step) : computed(step);
    default: return computed(step);
    }
}

static bool is_row(const fhec_operand *o) {
    return o && o->kind == FHEC_OPERAND_REGISTER && o->reg != FHEC_NO_REGISTER;
}

/* Moves word `word` of the operand to a register in `lanes`. */
static bool move_word(const struct fh_origin_step *step, const fhec_operand *o, uint32_t word,
                      uint32_t to, uint32_t lanes) {
    struct fh_warp_shadow *w = step->warp;
    if (!is_row(o)) {
        fh_shadow_set(w, to, lanes, uniform(step, o, word));
        return true;
    }
    const uint32_t from = o->reg + word;
    if (!fh_shadow_may_be_mixed(w, from)) {
        if (lanes == UINT32_MAX) {
            memcpy(w->r[to], w->r[from], sizeof w->r[to]);
            w->mixed[to / 64] &= ~(UINT64_C(1) << to % 64);
        } else {
            for (uint32_t rest = lanes; rest; rest &= rest - 1)
                w->r[to][__builtin_ctz(rest)] = w->r[from][__builtin_ctz(rest)];
        }
        return true;
    }
    bool fine = true;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_origin_bytes bytes;
        fh_shadow_get_bytes(w, from, lane, bytes);
        fine &= fh_shadow_set_bytes(w, to, lane, bytes);
    }
    return fine;
}

static bool values_of(const fhec_event *event, fhec_register_file file, uint32_t reg,
                      fhec_values *values) {
    for (size_t i = 0; fhec_event_registers(event, i, values); i++)
        if (values->file == file && reg >= values->first && reg < values->first + values->count)
            return true;
    return false;
}

/* The operand's value in each lane: of a register, a uniform one, or an immediate. */
static bool lane_values(const struct fh_origin_step *step, const fhec_operand *o,
                        uint32_t to[FHEC_WARP_LANES]) {
    fhec_values values;
    uint32_t same = 0;
    if (is_row(o)) {
        if (!values_of(step->event, FHEC_FILE_R, o->reg, &values))
            return false;
        memcpy(to, values.values + 32 * (o->reg - values.first), 32 * sizeof *to);
        return true;
    }
    if (o->kind == FHEC_OPERAND_IMMEDIATE)
        same = (uint32_t)o->value;
    else if (o->kind == FHEC_OPERAND_UNIFORM && o->reg != FHEC_NO_REGISTER) {
        if (!values_of(step->event, FHEC_FILE_UR, o->reg, &values))
            return false;
        same = values.values[o->reg - values.first];
    } else if (o->kind != FHEC_OPERAND_REGISTER && o->kind != FHEC_OPERAND_UNIFORM) {
        return false;
    }
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        to[l] = same;
    return true;
}

/* Lanes in which the predicate of a select holds. */
static bool selected(const struct fh_origin_step *step, uint32_t *lanes) {
    const fhec_operand *p = step->op->selector;
    fhec_values values;
    uint32_t holds = UINT32_MAX; /* PT */
    if (p->reg != FHEC_NO_REGISTER) {
        const bool uniform_one = p->kind == FHEC_OPERAND_UNIFORM_PREDICATE;
        if (!values_of(step->event, uniform_one ? FHEC_FILE_UP : FHEC_FILE_P, p->reg, &values))
            return false;
        holds = values.values[p->reg - values.first];
        if (uniform_one)
            holds = holds ? UINT32_MAX : 0;
    }
    *lanes = p->negated ? ~holds : holds;
    return true;
}

/* The bytes of an operand in a lane. */
static void operand_bytes(const struct fh_origin_step *step, const fhec_operand *o, uint32_t lane,
                          fh_origin_bytes bytes) {
    if (is_row(o)) {
        fh_shadow_get_bytes(step->warp, o->reg, lane, bytes);
        return;
    }
    const fh_origin word = uniform(step, o, 0);
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = fh_origin_byte(word, i);
}

/* Nibble i of the selector names one of eight bytes; its top bit, the sign of it. */
static bool permute(const struct fh_origin_step *step, uint32_t to, uint32_t lanes) {
    uint32_t selector[FHEC_WARP_LANES];
    bool fine = true;
    if (!lane_values(step, step->op->selector, selector)) {
        fh_shadow_set(step->warp, to, lanes, computed(step));
        return true;
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_origin_bytes from[2], bytes;
        operand_bytes(step, step->op->from[0], lane, from[0]);
        operand_bytes(step, step->op->from[1], lane, from[1]);
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t nibble = selector[lane] >> 4 * i & 15;
            bytes[i] = nibble & 8 ? computed(step) : from[nibble >> 2 & 1][nibble & 3];
        }
        fine &= fh_shadow_set_bytes(step->warp, to, lane, bytes);
    }
    return fine;
}

static bool shift(const struct fh_origin_step *step, uint32_t to, uint32_t lanes) {
    bool fine = true;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_origin_bytes from[2], bytes;
        operand_bytes(step, step->op->from[0], lane, from[0]);
        operand_bytes(step, step->op->from[1], lane, from[1]);
        for (uint32_t i = 0; i < 4; i++)
            bytes[i] = from[(i + step->op->bytes) / 4][(i + step->op->bytes) % 4];
        fine &= fh_shadow_set_bytes(step->warp, to, lane, bytes);
    }
    return fine;
}

/* The lane whose value lane `l` gets: PTX's shfl, with the segment mask in bits 12:8 of `c`. */
static uint32_t shuffle_source(enum fh_shuffle mode, uint32_t l, uint32_t b, uint32_t c) {
    const uint32_t segment = c >> 8 & 31, bound = (l & segment) | (c & 31 & ~segment);
    const uint32_t n = b & 31;
    switch (mode) {
    case FH_SHUFFLE_IDX: {
        const uint32_t from = (l & segment) | (n & ~segment);
        return from <= bound ? from : l;
    }
    case FH_SHUFFLE_UP: return (int32_t)(l - n) >= (int32_t)bound ? l - n : l;
    case FH_SHUFFLE_DOWN: return l + n <= bound ? l + n : l;
    default: return (l ^ n) <= bound ? l ^ n : l;
    }
}

static bool shuffle(const struct fh_origin_step *step, uint32_t to, uint32_t lanes) {
    const struct fh_origin_op *op = step->op;
    uint32_t b[FHEC_WARP_LANES], c[FHEC_WARP_LANES];
    fh_origin_bytes moved[FHEC_WARP_LANES];
    bool fine = true;
    if (!lane_values(step, op->selector, b) || !lane_values(step, op->clamp, c)) {
        fh_shadow_set(step->warp, to, lanes, computed(step));
        return true;
    }
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        operand_bytes(step, op->from[0],
                      shuffle_source((enum fh_shuffle)op->shuffle, l, b[l], c[l]), moved[l]);
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        fine &= fh_shadow_set_bytes(step->warp, to, (uint32_t)__builtin_ctz(rest),
                                    moved[__builtin_ctz(rest)]);
    return fine;
}

/* Uniform registers: those that the instruction writes are its `to`. */
static void move_uniform(const struct fh_origin_step *step) {
    const struct fh_origin_op *op = step->op;
    struct fh_warp_shadow *w = step->warp;
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < op->to->count; k++) {
        fh_origin *to = &w->ur[op->to->reg + k];
        if (op->action == FH_ORIGIN_MOVES) {
            *to = uniform(step, op->from[0], k);
        } else if (op->action == FH_ORIGIN_SELECTS && selected(step, &lanes)) {
            *to = uniform(step, op->from[lanes ? 0 : 1], k);
        } else if (op->action == FH_ORIGIN_TAKES_LANE && is_row(op->from[0])) {
            const uint32_t lane = (uint32_t)__builtin_ctz(step->event->active);
            *to = w->r[op->from[0]->reg + k][lane];
        } else {
            *to = computed(step);
        }
    }
}

bool fh_origin_move(const struct fh_origin_step *step) {
    const struct fh_origin_op *op = step->op;
    const uint32_t lanes = step->event->active;
    uint32_t which;
    bool fine = true;
    if (!lanes)
        return true;
    if (op->action == FH_ORIGIN_MAKES || !op->to || op->to->reg == FHEC_NO_REGISTER) {
        fh_origin_made(step, lanes);
        return true;
    }
    if (op->to_file == FHEC_FILE_UR) {
        move_uniform(step);
        return true;
    }
    const uint32_t to = op->to->reg;
    step->warp->written[to] = step->event->pc;
    switch (op->action) {
    case FH_ORIGIN_MOVES:
        for (uint32_t k = 0; k < op->to->count; k++)
            fine &= move_word(step, op->from[0], k, to + k, lanes);
        return fine;
    case FH_ORIGIN_SELECTS:
        if (!selected(step, &which))
            break;
        /* The second operand first where the first one is the result itself. */
        if (is_row(op->from[1]) && op->from[1]->reg == to)
            return move_word(step, op->from[0], 0, to, lanes & which);
        fine = move_word(step, op->from[0], 0, to, lanes & which);
        fine &= move_word(step, op->from[1], 0, to, lanes & ~which);
        return fine;
    case FH_ORIGIN_PERMUTES: return permute(step, to, lanes);
    case FH_ORIGIN_SHIFTS: return shift(step, to, lanes);
    case FH_ORIGIN_SHUFFLES: return shuffle(step, to, lanes);
    default: break;
    }
    fh_origin_made(step, lanes);
    return true;
}
