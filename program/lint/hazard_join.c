/*
 * hazard_join.c - the join of two states (hazard.h).
 */
#include "hazard.h"

/* Of one instruction and resource: what is known of lanes and scoreboards on different paths is
 * kept apart as far as this many. */
enum { APART = 4 };

static bool same_thing(const struct fh_pending *x, const struct fh_pending *y) {
    return x->index == y->index && x->reads == y->reads && x->awaited == y->awaited;
}

/* Whether y says nothing that x does not say: the same or weaker, and not later. */
static bool has(const struct fh_pending *x, const struct fh_pending *y) {
    return x->issued >= y->issued && x->there >= y->there &&
           (x->scoreboards & y->scoreboards) == x->scoreboards &&
           fh_lanes_within(y->lanes, x->lanes);
}

/* x becomes what holds for both. */
static void widen(struct fh_pending *x, const struct fh_pending *y) {
    if (y->issued > x->issued)
        x->issued = y->issued;
    if (y->there > x->there)
        x->there = y->there;
    x->scoreboards &= y->scoreboards;
    x->lanes &= y->lanes;
    x->guard &= y->guard;
}

static bool join_one(struct fh_hazards *h, const struct fh_pending *from) {
    unsigned alike = 0, all = 0;
    struct fh_pending *last = NULL;
    for (struct fh_pending *p = fh_hazards_first(h, from->resource); p; p = fh_hazards_next(h, p)) {
        all++;
        if (!same_thing(p, from))
            continue;
        if (has(p, from))
            return false;
        last = p;
        alike++;
        if (p->scoreboards == from->scoreboards && p->lanes == from->lanes) {
            widen(p, from); /* the time only */
            return true;
        }
    }
    if (alike >= APART)
        widen(last, from);
    else if (all < FH_PENDING_OF_RESOURCE)
        fh_hazards_add(h, from);
    else
        return false;
    return true;
}

bool fh_hazards_join(struct fh_hazards *h, const struct fh_pending *pending, unsigned count) {
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= join_one(h, &pending[i]);
    return changed;
}
