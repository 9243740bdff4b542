/*
 * init_cross.c - how undefined bits go through instructions whose lanes see each other, and between
 * registers and predicates.
 */
#include "init_checker.h"

enum { LANES = FHEC_WARP_LANES, PREDICATES = 7 };

/* The lane whose register lane l gets, and whether that lies within its segment: SHFL. */
static uint32_t source_lane(unsigned mode, uint32_t l, uint32_t b, uint32_t c) {
    const uint32_t clamp = c & 31, segment = c >> 8 & 31, n = b & 31;
    const uint32_t last = (l & segment) | (clamp & ~segment), first = l & segment;
    const int32_t from = mode == 0   ? (int32_t)(first | (n & ~segment))
                         : mode == 1 ? (int32_t)l - (int32_t)n
                         : mode == 2 ? (int32_t)(l + n)
                                     : (int32_t)(l ^ n);
    const bool fits = mode == 1 ? from >= (int32_t)last : from <= (int32_t)last;
    return fits ? (uint32_t)from & 31 : l;
}

/* What the lanes get of `from`, where that is not active, is nothing that can be relied on. */
static void take_from_inactive(struct fh_init_step *s, const uint32_t from[LANES],
                               uint32_t undefined[LANES]) {
    uint32_t lanes = 0;
    for (uint32_t rest = s->event->active; rest; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        if (s->event->active >> from[l] & 1)
            continue;
        undefined[l] = UINT32_MAX;
        lanes |= UINT32_C(1) << l;
    }
    if (!lanes)
        return;
    const uint32_t first = (uint32_t)__builtin_ctz(lanes);
    struct fh_cause made = {.kind = FH_CAUSE_SHUFFLE,
                            .place = fh_place_of(s->event),
                            .to = first,
                            .from = from[first],
                            .active = s->event->active};
    made.place.lanes = lanes;
    s->origin = fh_init_cause(s->checker, &made);
    s->checker->any = true;
}

/* Bits 4:0 of B choose; bits 12:8 and 4:0 of C are the segment's. */
static void shuffle(const struct fh_init_step *step) {
    struct fh_init_step own = *step;
    const struct fh_init_step *s = &own;
    const struct fh_init_plan *p = s->plan;
    uint32_t a[LANES], b[LANES], c[LANES], a_open[LANES], b_open[LANES], c_open[LANES];
    uint32_t undefined[LANES], from[LANES], open = 0;
    fh_init_get(s, &p->a, 0, a, a_open);
    fh_init_get(s, &p->b, 0, b, b_open);
    fh_init_get(s, &p->c, 0, c, c_open);
    for (uint32_t l = 0; l < LANES; l++) {
        const bool which = (b_open[l] & 31) | (c_open[l] & 0x1f1f);
        from[l] = source_lane(p->number, l, b[l], c[l]);
        undefined[l] = which ? UINT32_MAX : a_open[from[l]];
        open |= (uint32_t)which << l;
    }
    if (s->checker->shuffles)
        take_from_inactive(&own, from, undefined);
    fh_init_put(s, 0, undefined);
    fh_init_put_predicate(s, p->pu, open);
}

/* A defined lane that has the answer decides, whatever the others have. */
static void vote(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    uint32_t in, open, undefined[LANES];
    fh_init_get_predicate(s, &p->p, &in, &open);
    open &= s->active;
    const bool yes = in & s->active & ~open, no = ~in & s->active & ~open;
    const bool decided = p->number == 0 ? no : p->number == 1 ? yes : yes && no;
    for (uint32_t l = 0; l < LANES; l++)
        undefined[l] = open;
    fh_init_put(s, 0, undefined);
    fh_init_put_predicate(s, p->pu, open && !decided ? UINT32_MAX : 0);
}

/* Without .OR the lowest active lane gives the value, which the others are compared with. */
static void to_uniform(const struct fh_init_step *s) {
    uint32_t a[LANES], open[LANES], any = 0;
    const uint32_t first = (uint32_t)__builtin_ctz(s->active);
    fh_init_get(s, &s->plan->a, 0, a, open);
    for (uint32_t l = 0; l < LANES; l++)
        any |= s->active >> l & 1 ? open[l] : 0;
    if (s->plan->disjunction)
        open[first] = any;
    fh_init_put(s, 0, open);
    fh_init_put_predicate(s, s->plan->pu, any ? UINT32_MAX : 0);
}

static void transpose(const struct fh_init_step *s) {
    uint32_t a[LANES], open[LANES], undefined[LANES] = {0};
    fh_init_get(s, &s->plan->a, 0, a, open);
    for (uint32_t l = 0; l < LANES; l++) {
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t row = l / 4, column = 2 * (l % 4) + i;
            undefined[l] |= (open[4 * column + row / 2] >> 16 * (row % 2) & 0xffff) << 16 * i;
        }
    }
    fh_init_put(s, 0, undefined);
}

/* Bits of B of byte k of A give way to the predicates. */
static void from_predicates(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    const uint32_t shift = 8 * (p->number & 3), first = p->uniform ? FH_ROW_UP : FH_ROW_P;
    uint32_t a[LANES], undefined[LANES], b[LANES], b_open[LANES];
    fh_init_get(s, &p->a, 0, a, undefined);
    fh_init_get(s, &p->b, 0, b, b_open);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < PREDICATES; i++)
            bits |= (s->warp->lanes[first + i] >> l & 1) << i;
        undefined[l] = (undefined[l] & ~((b[l] & 0xff) << shift)) | (bits & b[l] & 0xff) << shift;
    }
    fh_init_put(s, 0, undefined);
}

static void to_predicates(const struct fh_init_step *s) {
    const struct fh_init_plan *p = s->plan;
    uint32_t a[LANES], open[LANES];
    fh_init_get(s, &p->a, 0, a, open);
    for (unsigned i = 0; i < p->write_count; i++) {
        const unsigned bit = 8 * p->number + (p->writes[i] - FH_ROW_P);
        uint32_t undefined = 0;
        for (uint32_t l = 0; l < LANES; l++)
            undefined |= (open[l] >> bit & 1) << l;
        fh_init_put_predicate(s, p->writes[i], undefined);
    }
}

/* The whole warp's sources make each lane's result. */
static void any_lane(const struct fh_init_step *s) {
    uint32_t lanes = 0;
    for (unsigned i = 0; i < s->plan->read_count; i++)
        lanes |= fh_init_undefined(s, i) & s->active;
    fh_init_put_all(s, lanes ? UINT32_MAX : 0);
}

bool fh_init_cross_rule(const struct fh_init_step *s) {
    switch ((enum fh_init_rule)s->plan->rule) {
    case FH_INIT_SHUFFLE: shuffle(s); return true;
    case FH_INIT_VOTE: vote(s); return true;
    case FH_INIT_TO_UNIFORM: to_uniform(s); return true;
    case FH_INIT_TRANSPOSE: transpose(s); return true;
    case FH_INIT_FROM_PREDICATES: from_predicates(s); return true;
    case FH_INIT_TO_PREDICATES: to_predicates(s); return true;
    case FH_INIT_ALL_LANES: any_lane(s); return true;
    default: return false;
    }
}
