/*
 * contract_value.c - see contract_value.h. A contract is calculated term by term for all lanes in
 * 128 bits; lanes in which something does not fit are done again, one by one, with wide numbers.
 * So are all lanes where a side of && || ?: may not be needed, and what is wrong in it with it.
 */
#include "contract_value.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16 }; /* what is read takes fewer values at a time */

/* For each lane of a warp. */
struct lanes {
    __int128 x[FHEC_WARP_LANES];
};

struct multiples;
struct calculation {
    const fhec_expectation *of;
    struct multiples *multiples;
    const struct fh_contract_scene *scene;
    uint32_t lanes;   /* that are asked for */
    uint32_t too_big; /* in which something has more than 128 bits */
    uint8_t problem[FHEC_WARP_LANES];
    uint32_t depth;
    struct lanes stack[DEPTH];
};

#define EACH_LANE(l, mask)                                                                         \
    for (uint32_t left_ = (mask), l; left_ && (l = (uint32_t)__builtin_ctz(left_), true);          \
         left_ &= left_ - 1)

static void problem(struct calculation *c, uint32_t lane, enum fh_contract_problem what) {
    if (!c->problem[lane])
        c->problem[lane] = (uint8_t)what;
}

/* ---------------------------------------------------------------- 128 bits */

static void read_registers(struct calculation *c, uint32_t first, uint32_t last, struct lanes *to) {
    uint32_t values[FHEC_WARP_LANES];
    if (last == first) {
        if (!fhec_event_register(c->scene->event, FHEC_FILE_R, first, values))
            memset(values, 0, sizeof values);
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            to->x[l] = values[l];
        return;
    }
    memset(to, 0, sizeof *to);
    if (last - first > 2) { /* more than 96 bits */
        c->too_big |= c->lanes;
        return;
    }
    for (uint32_t n = last - first + 1; n > 0; n--) {
        if (!fhec_event_register(c->scene->event, FHEC_FILE_R, first + n - 1, values))
            memset(values, 0, sizeof values);
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            to->x[l] = to->x[l] << 32 | values[l];
    }
}

static void same(struct lanes *to, __int128 value) {
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        to->x[l] = value;
}

static void named(struct calculation *c, const struct fh_contract_name *name, struct lanes *to) {
    if (!name->remembered) {
        same(to, name->value);
        return;
    }
    const struct fh_remembered *value = &c->scene->values[name->let];
    EACH_LANE(l, c->lanes & ~value->set)
    problem(c, l, FH_CONTRACT_UNSET);
    memcpy(to->x, value->is.narrow, sizeof to->x);
    c->too_big |= value->is.is_wide & value->set & c->lanes;
}

static void leaf(struct calculation *c, const fhec_term *t, struct lanes *to) {
    const fhec_event *event = c->scene->event;
    uint32_t values[FHEC_WARP_LANES];
    switch (t->kind) {
    case FHEC_TERM_LANE:
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            to->x[l] = l;
        break;
    case FHEC_TERM_WARP: same(to, event->warp); break;
    case FHEC_TERM_BLOCK: same(to, event->block[t->value]); break;
    case FHEC_TERM_REGISTER: read_registers(c, (uint32_t)t->value, (uint32_t)t->value, to); break;
    case FHEC_TERM_REGISTERS:
        read_registers(c, (uint32_t)t->value & 255, (uint32_t)(t->value >> 8), to);
        break;
    case FHEC_TERM_UNIFORM:
        same(to,
             fhec_event_register(event, FHEC_FILE_UR, (uint32_t)t->value, values) ? values[0] : 0);
        break;
    case FHEC_TERM_PREDICATE:
        if (!fhec_event_register(event, FHEC_FILE_P, (uint32_t)t->value, values))
            memset(values, 0, sizeof values);
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            to->x[l] = values[0] >> l & 1;
        break;
    case FHEC_TERM_NAME: named(c, &c->scene->names[t->value], to); break;
    default: same(to, t->value); break;
    }
}

static __int128 signed_of(__int128 x, int64_t bits) {
    return bits == 32 ? (int32_t)x : (int64_t)x;
}

static void unary(struct calculation *c, const fhec_term *t, struct lanes *x) {
    const __int128 lowest = (__int128)((unsigned __int128)1 << 127);
    EACH_LANE(l, c->lanes)
    if (t->kind == FHEC_TERM_NEGATE && x->x[l] == lowest)
        c->too_big |= 1u << l;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        x->x[l] = t->kind == FHEC_TERM_INVERT ? ~x->x[l]
                  : t->kind == FHEC_TERM_SIGN ? signed_of(x->x[l], t->value)
                                              : (__int128)(0 - (unsigned __int128)x->x[l]);
}

/* x OP y of one lane; true: it fits. */
static bool shifted(struct calculation *c, uint32_t lane, bool left, __int128 x, __int128 y,
                    __int128 *to) {
    if (y < 0 || y >= FH_WIDE_BITS) {
        problem(c, lane, FH_CONTRACT_SHIFT);
        return true;
    }
    if (!left) {
        *to = x >> (y < 127 ? (int)y : 127);
        return true;
    }
    if (x && y > 126)
        return false;
    return !x || !__builtin_mul_overflow(x, (__int128)1 << (int)y, to);
}

static bool divided(struct calculation *c, uint32_t lane, bool remainder, __int128 x, __int128 y,
                    __int128 *to) {
    if (y == 0) {
        problem(c, lane, FH_CONTRACT_DIVISION);
        return true;
    }
    if (x >= 0 && x <= UINT64_MAX && y > 0 && y <= UINT64_MAX)
        *to = remainder ? (uint64_t)x % (uint64_t)y : (uint64_t)x / (uint64_t)y;
    else if (y == -1)
        return remainder ? (*to = 0, true) : !__builtin_sub_overflow((__int128)0, x, to);
    else
        *to = remainder ? x % y : x / y;
    return true;
}

static bool operate(struct calculation *c, fhec_term_kind kind, uint32_t lane, __int128 x,
                    __int128 y, __int128 *to) {
    switch (kind) {
    case FHEC_TERM_MULTIPLY: return !__builtin_mul_overflow(x, y, to);
    case FHEC_TERM_ADD: return !__builtin_add_overflow(x, y, to);
    case FHEC_TERM_SUBTRACT: return !__builtin_sub_overflow(x, y, to);
    case FHEC_TERM_SHIFT_LEFT: return shifted(c, lane, true, x, y, to);
    case FHEC_TERM_SHIFT_RIGHT: return shifted(c, lane, false, x, y, to);
    case FHEC_TERM_DIVIDE: return divided(c, lane, false, x, y, to);
    case FHEC_TERM_REMAINDER: return divided(c, lane, true, x, y, to);
    case FHEC_TERM_LESS: *to = x < y; return true;
    case FHEC_TERM_EQUAL: *to = x == y; return true;
    case FHEC_TERM_AND: *to = x & y; return true;
    case FHEC_TERM_XOR: *to = x ^ y; return true;
    default: *to = x | y; return true;
    }
}

/* The common ways of the operations, for all lanes; they leave what may not fit to operate(). */
static bool small_product(__int128 x, __int128 y, __int128 *to) {
    if (x >> 64 || y >> 64)
        return false;
    const unsigned __int128 product = (unsigned __int128)(uint64_t)x * (uint64_t)y;
    *to = (__int128)product;
    return !(product >> 127);
}

static bool small_shift(__int128 x, __int128 y, __int128 *to) {
    if (y < 0 || y > 96 || x >> (126 - (int)y))
        return false;
    *to = x << (int)y;
    return true;
}

static bool small_sum(__int128 x, __int128 y, __int128 *to) {
    return !__builtin_add_overflow(x, y, to);
}

static bool small_difference(__int128 x, __int128 y, __int128 *to) {
    return !__builtin_sub_overflow(x, y, to);
}

/* By a power of two. */
static bool small_remainder(__int128 x, __int128 y, __int128 *to) {
    if (x < 0 || y <= 0 || (y & (y - 1)))
        return false;
    *to = x & (y - 1);
    return true;
}

#define ALL_LANES(operation)                                                                       \
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {                                               \
        __int128 value = 0;                                                                        \
        rest |= (uint32_t)!operation(x->x[l], y->x[l], &value) << l;                               \
        result.x[l] = value;                                                                       \
    }

static void binary(struct calculation *c, fhec_term_kind kind, struct lanes *x,
                   const struct lanes *y) {
    struct lanes result;
    uint32_t rest = 0;
    switch (kind) {
    case FHEC_TERM_MULTIPLY: ALL_LANES(small_product) break;
    case FHEC_TERM_ADD: ALL_LANES(small_sum) break;
    case FHEC_TERM_SUBTRACT: ALL_LANES(small_difference) break;
    case FHEC_TERM_SHIFT_LEFT: ALL_LANES(small_shift) break;
    case FHEC_TERM_REMAINDER: ALL_LANES(small_remainder) break;
    default: rest = UINT32_MAX; break;
    }
    EACH_LANE(l, rest & c->lanes & ~c->too_big) {
        result.x[l] = x->x[l];
        if (!c->problem[l] && !operate(c, kind, l, x->x[l], y->x[l], &result.x[l]))
            c->too_big |= 1u << l;
    }
    if (rest == UINT32_MAX) {
        EACH_LANE(l, c->lanes & ~c->too_big)
        x->x[l] = result.x[l];
    } else {
        *x = result;
    }
}

static bool is_selective(const fhec_expectation *e) {
    for (size_t k = 0; k < e->term_count; k++)
        if (e->terms[k].kind >= FHEC_TERM_BOTH)
            return true;
    return false;
}

/* Leaves the sides on the stack. */
static void calculate(struct calculation *c) {
    if (is_selective(c->of)) {
        c->too_big = c->lanes;
        return;
    }
    for (size_t k = 0; k < c->of->term_count; k++) {
        const fhec_term *t = &c->of->terms[k];
        if (t->kind < FHEC_TERM_NEGATE) {
            leaf(c, t, &c->stack[c->depth++]);
        } else if (t->kind < FHEC_TERM_MULTIPLY) {
            unary(c, t, &c->stack[c->depth - 1]);
        } else {
            c->depth--;
            binary(c, t->kind, &c->stack[c->depth - 1], &c->stack[c->depth]);
        }
    }
}

/* ---------------------------------------------------------------- wide */

static struct fh_wide wide_leaf(struct calculation *c, const fhec_term *t, uint32_t lane) {
    uint32_t values[FHEC_WARP_LANES];
    if (t->kind == FHEC_TERM_REGISTERS) {
        const uint32_t first = (uint32_t)t->value & 255, last = (uint32_t)(t->value >> 8);
        struct fh_wide x = {{0}};
        for (uint32_t r = first; r <= last; r++)
            if (fhec_event_register(c->scene->event, FHEC_FILE_R, r, values))
                x.w[(r - first) / 2] |= (uint64_t)values[lane] << (r - first) % 2 * 32;
        return x;
    }
    if (t->kind == FHEC_TERM_NAME && c->scene->names[t->value].remembered) {
        const struct fh_remembered *value = &c->scene->values[c->scene->names[t->value].let];
        const struct fh_lane_numbers *is = &value->is;
        if (!(value->set >> lane & 1)) {
            problem(c, lane, FH_CONTRACT_UNSET);
            return fh_wide_of(0);
        }
        return is->is_wide >> lane & 1 ? is->wide[lane] : fh_wide_of(is->narrow[lane]);
    }
    struct lanes *scratch = &c->stack[DEPTH - 1];
    leaf(c, t, scratch);
    return fh_wide_of(scratch->x[lane]);
}

static struct fh_wide bitwise(fhec_term_kind kind, const struct fh_wide *x,
                              const struct fh_wide *y) {
    struct fh_wide result;
    for (unsigned i = 0; i < FH_WIDE_WORDS; i++)
        result.w[i] = kind == FHEC_TERM_AND   ? x->w[i] & y->w[i]
                      : kind == FHEC_TERM_XOR ? x->w[i] ^ y->w[i]
                                              : x->w[i] | y->w[i];
    return result;
}

static void wide_shift(struct calculation *c, uint32_t lane, bool left, struct fh_wide *x,
                       const struct fh_wide *y) {
    __int128 by;
    if (!fh_wide_narrow(y, &by) || by < 0 || by >= FH_WIDE_BITS)
        problem(c, lane, FH_CONTRACT_SHIFT);
    else if (!left)
        *x = fh_wide_shift_right(x, (uint32_t)by);
    else if (!fh_wide_shift_left(x, (uint32_t)by, x))
        problem(c, lane, FH_CONTRACT_SIZE);
}

static void wide_divide(struct calculation *c, uint32_t lane, bool remainder, struct fh_wide *x,
                        const struct fh_wide *y) {
    const struct fh_wide zero = {{0}};
    if (fh_wide_compare(y, &zero) == 0)
        problem(c, lane, FH_CONTRACT_DIVISION);
    else
        fh_wide_divide(x, y, remainder ? NULL : x, remainder ? x : NULL);
}

static void wide_binary(struct calculation *c, fhec_term_kind kind, uint32_t lane,
                        struct fh_wide *x, const struct fh_wide *y) {
    struct fh_wide minus;
    bool fits = true;
    switch (kind) {
    case FHEC_TERM_MULTIPLY: fits = fh_wide_multiply(x, y, x); break;
    case FHEC_TERM_ADD: fits = fh_wide_add(x, y, x); break;
    case FHEC_TERM_SUBTRACT:
        minus = fh_wide_negated(y);
        fits = fh_wide_add(x, &minus, x);
        break;
    case FHEC_TERM_SHIFT_LEFT: wide_shift(c, lane, true, x, y); break;
    case FHEC_TERM_SHIFT_RIGHT: wide_shift(c, lane, false, x, y); break;
    case FHEC_TERM_DIVIDE: wide_divide(c, lane, false, x, y); break;
    case FHEC_TERM_REMAINDER: wide_divide(c, lane, true, x, y); break;
    case FHEC_TERM_LESS: *x = fh_wide_of(fh_wide_compare(x, y) < 0); break;
    case FHEC_TERM_EQUAL: *x = fh_wide_of(fh_wide_compare(x, y) == 0); break;
    default: *x = bitwise(kind, x, y); break;
    }
    if (!fits)
        problem(c, lane, FH_CONTRACT_SIZE);
}

static void wide_unary(struct calculation *c, const fhec_term *t, uint32_t lane,
                       struct fh_wide *x) {
    __int128 value = (__int128)((unsigned __int128)x->w[1] << 64 | x->w[0]);
    if (t->kind == FHEC_TERM_SIGN)
        *x = fh_wide_of(signed_of(value, t->value));
    else if (t->kind == FHEC_TERM_NEGATE)
        *x = fh_wide_negated(x);
    else if (!fh_wide_invert(x, x))
        problem(c, lane, FH_CONTRACT_SIZE);
}

static bool is_true(const struct fh_wide *x) {
    const struct fh_wide zero = {{0}};
    return fh_wide_compare(x, &zero) != 0;
}

/* && || ?: of the values at x, which have problems. */
static void wide_select(fhec_term_kind kind, struct fh_wide *x, uint8_t *problems) {
    if (problems[0])
        return;
    const bool truth = is_true(x);
    if (kind == FHEC_TERM_CHOICE) {
        x[0] = x[truth ? 1 : 2];
        problems[0] = problems[truth ? 1 : 2];
    } else if (truth == (kind == FHEC_TERM_EITHER)) {
        x[0] = fh_wide_of(truth);
    } else {
        x[0] = fh_wide_of(is_true(&x[1]));
        problems[0] = problems[1];
    }
}

/* One term: how many values there are then. */
static uint32_t wide_term(struct calculation *c, const fhec_term *t, uint32_t lane,
                          struct fh_wide *stack, uint8_t *problems, uint32_t depth) {
    c->problem[lane] = FH_CONTRACT_FINE;
    if (t->kind < FHEC_TERM_NEGATE) {
        stack[depth] = wide_leaf(c, t, lane);
        problems[depth++] = c->problem[lane];
    } else if (t->kind < FHEC_TERM_MULTIPLY) {
        wide_unary(c, t, lane, &stack[depth - 1]);
        problems[depth - 1] = problems[depth - 1] ? problems[depth - 1] : c->problem[lane];
    } else if (t->kind >= FHEC_TERM_BOTH) {
        depth -= t->kind == FHEC_TERM_CHOICE ? 2 : 1;
        wide_select(t->kind, &stack[depth - 1], &problems[depth - 1]);
    } else {
        depth--;
        if (!problems[depth - 1] && !problems[depth])
            wide_binary(c, t->kind, lane, &stack[depth - 1], &stack[depth]);
        problems[depth - 1] = problems[depth - 1] ? problems[depth - 1]
                              : problems[depth]   ? problems[depth]
                                                  : c->problem[lane];
    }
    return depth;
}

/* The sides in one lane: `stack` has DEPTH of them. */
static void calculate_wide(struct calculation *c, uint32_t lane, struct fh_wide *stack) {
    uint8_t problems[DEPTH], first = FH_CONTRACT_FINE;
    uint32_t depth = 0;
    for (size_t k = 0; k < c->of->term_count; k++)
        depth = wide_term(c, &c->of->terms[k], lane, stack, problems, depth);
    while (depth-- > 0)
        first = problems[depth] ? problems[depth] : first;
    c->problem[lane] = first;
}

/* ---------------------------------------------------------------- contracts */

bool fh_contract_remember(const fhec_expectation *let, const struct fh_contract_scene *scene,
                          uint32_t lanes, struct fh_remembered *value) {
    struct calculation c;
    struct fh_wide stack[DEPTH];
    c.of = let, c.scene = scene, c.lanes = lanes, c.too_big = 0, c.depth = 0;
    memset(c.problem, 0, sizeof c.problem);
    calculate(&c);
    const struct lanes narrow = c.stack[0];
    if (c.too_big && !value->is.wide)
        value->is.wide = calloc(FHEC_WARP_LANES, sizeof *value->is.wide);
    if (c.too_big && !value->is.wide)
        return false;
    EACH_LANE(l, lanes) {
        const uint32_t bit = 1u << l;
        value->is.is_wide &= ~bit;
        if (c.too_big & bit) {
            calculate_wide(&c, l, stack);
            value->is.wide[l] = stack[0];
            value->is.is_wide |= bit;
        } else {
            value->is.narrow[l] = narrow.x[l];
        }
        value->set = c.problem[l] ? value->set & ~bit : value->set | bit;
    }
    return true;
}

/* Whether numbers are multiples of an odd one m > 1: those and only those are, modulo 2^128, m^-1
 * times what is at most (2^128 - 1) / m. */
struct multiples {
    uint64_t of;
    unsigned __int128 inverse, most;
};

static void set_multiples(struct multiples *m, uint64_t of) {
    m->of = of;
    m->inverse = of; /* right in its low 3 bits; each step doubles them */
    for (int i = 0; i < 6; i++)
        m->inverse *= 2 - of * m->inverse;
    m->most = ~(unsigned __int128)0 / of;
}

static bool is_multiple(struct calculation *c, __int128 number, __int128 modulus) {
    struct multiples *m = c->multiples;
    const unsigned __int128 size =
        number < 0 ? 0 - (unsigned __int128)number : (unsigned __int128)number;
    if (modulus <= 1 || modulus > UINT64_MAX || !(modulus & 1))
        return modulus == -1 || number % modulus == 0;
    if (m->of != (uint64_t)modulus)
        set_multiples(m, (uint64_t)modulus);
    return size * m->inverse <= m->most;
}

static bool narrow_holds(struct calculation *c, uint32_t lane) {
    const __int128 left = c->stack[0].x[lane], right = c->stack[1].x[lane];
    __int128 difference, modulus;
    if (c->of->relation == FHEC_EXPECT_BELOW)
        return left < right;
    if (c->of->relation == FHEC_EXPECT_AT_MOST)
        return left <= right;
    if (!c->of->congruent || left == right)
        return left == right || c->of->congruent;
    modulus = c->stack[2].x[lane];
    if (__builtin_sub_overflow(left, right, &difference)) {
        c->too_big |= 1u << lane;
        return false;
    }
    if (modulus == 0)
        problem(c, lane, FH_CONTRACT_DIVISION);
    return modulus && is_multiple(c, difference, modulus);
}

static bool wide_holds(struct calculation *c, uint32_t lane, const struct fh_wide *sides) {
    const int order = fh_wide_compare(&sides[0], &sides[1]);
    struct fh_wide minus = fh_wide_negated(&sides[1]), difference, rest;
    const struct fh_wide zero = {{0}};
    if (c->of->relation == FHEC_EXPECT_BELOW)
        return order < 0;
    if (c->of->relation == FHEC_EXPECT_AT_MOST)
        return order <= 0;
    if (!c->of->congruent || order == 0)
        return order == 0;
    if (!fh_wide_add(&sides[0], &minus, &difference)) {
        problem(c, lane, FH_CONTRACT_SIZE);
        return false;
    }
    if (fh_wide_compare(&sides[2], &zero) == 0) {
        problem(c, lane, FH_CONTRACT_DIVISION);
        return false;
    }
    fh_wide_divide(&difference, &sides[2], NULL, &rest);
    return fh_wide_compare(&rest, &zero) == 0;
}

/* The contract in one lane, with its sides. */
static bool lane_holds(struct calculation *c, uint32_t lane, struct fh_wide *sides) {
    if (c->problem[lane])
        return false;
    if (!(c->too_big >> lane & 1) && narrow_holds(c, lane))
        return true;
    if (!(c->too_big >> lane & 1)) {
        for (uint32_t k = 0; k < 3; k++)
            sides[k] = fh_wide_of(k < c->depth ? c->stack[k].x[lane] : 0);
        return false;
    }
    calculate_wide(c, lane, sides);
    return !c->problem[lane] && wide_holds(c, lane, sides);
}

bool fh_contract_holds(const fhec_expectation *contract, const struct fh_contract_scene *scene,
                       uint32_t lanes, struct fh_contract_verdict *verdict) {
    struct calculation c;
    struct multiples multiples = {0, 0, 0};
    struct fh_wide sides[DEPTH];
    c.multiples = &multiples;
    c.of = contract, c.scene = scene, c.lanes = lanes, c.too_big = 0, c.depth = 0;
    memset(c.problem, 0, sizeof c.problem);
    calculate(&c);
    verdict->lanes = 0;
    EACH_LANE(l, lanes) {
        if (lane_holds(&c, l, sides))
            continue;
        if (!verdict->lanes) {
            verdict->lane = l;
            verdict->problem = (enum fh_contract_problem)c.problem[l];
            verdict->left = sides[0];
            verdict->right = sides[1];
            verdict->modulus = sides[2];
        }
        verdict->lanes |= 1u << l;
    }
    return !verdict->lanes;
}
