/*
 * race_cell.c - an access against what is remembered of a cell, and what is remembered from then
 * on: see race_engine.h.
 *
 * A past access E need not be kept when another one, N, is ordered behind it and all that would
 * race with E races with N: whoever comes without an order behind E has none behind N either, or
 * knows of E through it. race_kind.c has which kinds cover which. Two stores of the same value do
 * not race, so that a store covers others but for stores that leave what it has left: behind it E
 * is FH_BEFORE. Then E goes when such a store would race with yet another one that is ordered
 * behind it: a plain read, or a store of something else before the last write.
 */
#include <string.h>

#include "race_engine.h"

/* A cell of a page. */
struct place {
    struct fh_cell *cell;
    uint16_t *same; /* of its `other` */
};

/* What a cell has beside its last write, while an access looks at it. */
struct view {
    uint32_t count;
    bool listed;
    uint32_t list;                /* its index */
    uint32_t left[FH_LISTED + 2]; /* lanes that have not happened for this access */
    struct fh_kept kept[FH_LISTED + 2];
};

/* The last write, and those of its lanes that have not happened. */
struct last {
    struct fh_kept write; /* no time: there is none */
    uint32_t left;
};

static bool is_near(const struct fh_race *race, const struct fh_touch *t,
                    const struct fh_past *past) {
    return past->warp - t->first_warp < race->warps;
}

/* All of the past access is ordered before the write that comes now, and behind that matters for
 * stores only. */
static bool is_left_to_stores(const struct fh_race *race, const struct fh_touch *t,
                              const struct fh_past *past) {
    return fh_kind_among(fh_kind_rules[t->kind].stores, fh_code_kind(past->code),
                         is_near(race, t, past));
}

/* What is behind the access need not know of those of the past access's lanes that are before it.
 */
static bool is_covered(const struct fh_race *race, const struct fh_touch *t,
                       const struct fh_past *past) {
    const struct fh_kind_rules *rules = &fh_kind_rules[t->kind];
    const enum fh_access_kind kind = fh_code_kind(past->code);
    const bool near = is_near(race, t, past);
    return fh_kind_among(rules->covers, kind, near) ||
           (fh_code_relation(past->code) == FH_BEFORE &&
            fh_kind_among(rules->covers_stores, kind, near));
}

static struct fh_kept kept_of(const struct fh_touch *t, enum fh_relation relation) {
    const uint32_t time = t->kind == FH_COPYING ? FH_PENDING : t->me->time;
    return (struct fh_kept){
        {time, t->warp, UINT32_C(1) << t->lane, fh_code_related(t->code, relation)}, t->whole};
}

static struct last last_write(const struct fh_race *race, const struct fh_touch *t,
                              const struct fh_cell *cell) {
    struct last last = {0};
    if (cell->write.time < t->since)
        return last;
    last.write = (struct fh_kept){cell->write, t->whole};
    last.left = fh_race_not_before(race, t, &cell->write);
    return last;
}

/* ---------------------------------------------------------------- races */

/* The bytes in which two stores to shared memory that are in no order differ: that is told when
 * something reads them. What else races is told at once. */
static uint32_t compare(struct fh_race *race, const struct fh_touch *t, const struct fh_kept *kept,
                        uint32_t left) {
    const enum fh_access_kind kind = fh_code_kind(kept->past.code);
    struct fh_past other = kept->past;
    other.lanes = left;
    if (kind != FH_COPYING && !fh_kind_among(t->races, kind, !is_near(race, t, &other))) {
        fh_race_depends(race, t, &other);
        return 0;
    }
    if (fh_touch_stores(t) && FH_STORE_KINDS >> kind & 1) {
        const uint32_t differ = t->whole & ~(kept->same & ~t->differs);
        if (differ && t->shared)
            fh_race_dispute(race, t, &other, differ);
        if (!differ || t->shared)
            return differ;
    }
    fh_race_report(race, t, &other);
    return 0;
}

/* Those kinds of the table of which all is of the block, and was before its last barrier. */
static unsigned kinds_before(const struct fh_race *race, const struct fh_touch *t,
                             const struct fh_list *list) {
    unsigned kinds = 0;
    if (list->lowest < t->first_warp || list->highest - t->first_warp >= race->warps)
        return 0;
    for (unsigned k = 0; k < FH_COPYING; k++)
        if (list->table_kinds >> k & 1 && list->newest[k] <= t->me->own_block)
            kinds |= FH_KIND_BIT(k);
    return kinds;
}

/* Whether an access may race with one of the table of the list. */
static bool must_scan(const struct fh_touch *t, const struct fh_list *list, const struct last *last,
                      unsigned before) {
    const unsigned races = t->races.any | t->races.some | FH_KIND_BIT(FH_COPYING);
    if (!(list->table_kinds & races & ~before))
        return false;
    if (list->before && last->write.past.time &&
        !last->left) /* what is before the write is before it */
        return false;
    return !fh_touch_stores(t) || t->differs || list->differs ||
           list->table_kinds & ~(unsigned)FH_STORE_KINDS;
}

/* Compares the access with those of the list's table. Of a write: whether all are ordered before
 * it, and left to stores. */
static bool compare_table(struct fh_race *race, const struct fh_touch *t, struct fh_list *list,
                          uint32_t *disputed) {
    bool before = true;
    for (uint32_t i = 0; i < list->capacity; i++) {
        const struct fh_past *past = &list->table[i].past;
        const uint32_t left = past->lanes ? fh_race_not_before(race, t, past) : 0;
        if (left)
            *disputed |= compare(race, t, &list->table[i], left);
        before &= !left && (!past->lanes || is_left_to_stores(race, t, past));
    }
    return before;
}

/* ---------------------------------------------------------------- what stays */

/* Adds an access to those of the view, or to the table where lanes have done the same. */
static void put(struct view *v, struct fh_list *list, const struct fh_kept *kept) {
    for (uint32_t i = 0; i < v->count; i++)
        if (fh_kept_join(&v->kept[i], kept))
            return;
    if (!list || !list->capacity || !fh_list_join(list, kept))
        v->kept[v->count++] = *kept;
}

/* Whether an access that is all before the write, and left to stores, need be kept for these: not
 * in bytes where it has left the same, nor where what the write replaces is ordered behind it
 * (`replaces`) and something else: what does not race with the write races with that. But two
 * stores to shared memory are told only if somebody reads what they leave. */
static bool is_needed(const struct fh_touch *t, uint32_t code, uint32_t same, bool replaces) {
    const bool stores = FH_STORE_KINDS >> fh_code_kind(code) & 1;
    const uint32_t bytes = t->whole & ~(stores ? same : 0);
    const bool covered = replaces && fh_code_relation(code) == FH_BEFORE && (stores || !t->shared);
    return covered ? bytes & ~t->differs : bytes;
}

/* What the warp itself did, in the table. FH_BEFORE stands there for what is left to stores: it may
 * be in no order with the last write. */
static void cover_own(const struct fh_race *race, const struct fh_touch *t, struct fh_list *list) {
    for (uint32_t i = fh_list_place(list, t->warp); list->table[i].past.time;
         i = (i + 1) & (list->capacity - 1)) {
        struct fh_past *past = &list->table[i].past;
        if (past->warp != t->warp || !past->lanes)
            continue;
        const uint32_t left = fh_race_not_before(race, t, past);
        if (is_covered(race, t, past)) {
            past->lanes = left;
        } else if (!left && is_left_to_stores(race, t, past)) {
            past->code = fh_code_related(past->code, FH_BEFORE);
            if (!is_needed(t, past->code, list->table[i].same, false))
                past->lanes = 0;
        }
    }
}

static void keep_read(const struct fh_race *race, struct fh_touched *shadow,
                      const struct fh_touch *t, const struct last *last, struct view *v) {
    struct fh_list *list = v->listed ? &shadow->lists[v->list] : NULL;
    const struct fh_kept now = kept_of(t, last->left ? FH_APART : FH_BEHIND);
    for (uint32_t i = 0; i < v->count; i++)
        if (v->left[i] != v->kept[i].past.lanes && is_covered(race, t, &v->kept[i].past))
            v->kept[i].past.lanes = v->left[i];
    if (list && list->capacity) {
        const bool before = list->before && last->write.past.time && !last->left;
        const unsigned kinds = list->table_kinds & ~kinds_before(race, t, list);
        const bool reads = !(list->table_kinds & ~(unsigned)FH_READ_KINDS);
        if (t->kind == FH_PLAIN_READ && (before || (reads && !kinds)))
            fh_list_drop_table(shadow, list);
        else
            cover_own(race, t, list);
    }
    put(v, list, &now);
}

/* One of those beside the last write, when another one comes; `left`: of its lanes. `follows`: the
 * last write is before it, or they become one. */
static void pass_write(const struct fh_race *race, const struct fh_touch *t, struct fh_kept *kept,
                       uint32_t left, bool replaces, bool follows) {
    struct fh_past *past = &kept->past;
    const enum fh_relation relation = fh_code_relation(past->code);
    enum fh_relation then = follows && relation == FH_BEFORE ? FH_BEFORE : FH_APART;
    kept->same &= ~t->differs;
    if (!left && is_left_to_stores(race, t, past)) {
        then = FH_BEFORE;
        if (!is_needed(t, past->code, kept->same, replaces))
            past->lanes = 0;
    } else if (is_covered(race, t, past)) {
        past->lanes = left;
    }
    past->code = fh_code_related(past->code, then);
}

/* The same for all of the table. `before`: it was found that all is before the write. */
static void pass_table(const struct fh_race *race, struct fh_touched *shadow,
                       const struct fh_touch *t, struct fh_list *list, bool before, bool replaces,
                       bool follows) {
    const bool was_before = list->before;
    const bool stores = !(list->table_kinds & ~(unsigned)FH_STORE_KINDS);
    if (was_before && replaces && t->differs == t->whole && (stores || !t->shared) &&
        (t->kind == FH_PLAIN_STORE || t->kind == FH_COPYING)) {
        fh_list_drop_table(shadow, list);
        return;
    }
    if (t->differs && list->table_kinds & FH_STORE_KINDS) {
        for (uint32_t i = 0; i < list->capacity; i++)
            list->table[i].same &= ~t->differs;
        list->differs = true;
    }
    cover_own(race, t, list);
    list->before = before || (was_before && follows);
}

/* A plain read between the last write and this one, in order, races with all stores that the last
 * write would race with. */
static bool was_read(const struct view *v) {
    for (uint32_t i = 0; i < v->count; i++)
        if (!v->left[i] && fh_code_kind(v->kept[i].past.code) == FH_PLAIN_READ &&
            fh_code_relation(v->kept[i].past.code) == FH_BEHIND)
            return true;
    return false;
}

static void keep_write(const struct fh_race *race, struct fh_touched *shadow,
                       const struct fh_touch *t, struct fh_cell *cell, const struct last *last,
                       struct view *v, bool before) {
    struct fh_list *list = v->listed ? &shadow->lists[v->list] : NULL;
    const struct fh_kept now = kept_of(t, FH_APART);
    struct fh_kept write = last->write;
    write.same &= ~t->differs;
    const bool written = write.past.time, replaces = written && !last->left;
    const bool joins = written && fh_kept_join(&write, &now), read = was_read(v);
    for (uint32_t i = 0; i < v->count; i++)
        pass_write(race, t, &v->kept[i], v->left[i], replaces, replaces || joins);
    if (list && list->capacity)
        pass_table(race, shadow, t, list, before, replaces, replaces || joins);
    cell->write = joins ? write.past : now.past;
    if (!written || joins)
        return;
    if (replaces && is_left_to_stores(race, t, &write.past)) {
        if (read || !is_needed(t, write.past.code, write.same, false))
            return;
        write.past.code = fh_code_related(write.past.code, FH_BEFORE);
    } else if (is_covered(race, t, &write.past)) {
        write.past.lanes = last->left;
    }
    if (write.past.lanes)
        put(v, list, &write);
}

/* ---------------------------------------------------------------- cells */

static struct view view_of(const struct fh_race *race, const struct fh_touched *shadow,
                           const struct fh_touch *t, const struct place *place) {
    const struct fh_past *other = &place->cell->other;
    struct view v;
    v.count = 0;
    v.listed = false;
    if (other->time < t->since)
        return v;
    v.listed = other->warp == FH_IN_LIST;
    v.list = other->lanes;
    if (v.listed) {
        v.count = shadow->lists[v.list].count;
        memcpy(v.kept, shadow->lists[v.list].kept, v.count * sizeof *v.kept);
    } else {
        v.kept[v.count++] = (struct fh_kept){*other, *place->same};
    }
    for (uint32_t i = 0; i < v.count; i++)
        v.left[i] = fh_race_not_before(race, t, &v.kept[i].past);
    return v;
}

static void put_in_list(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                        struct fh_cell *cell, struct view *v) {
    struct fh_list *list = v->listed ? &shadow->lists[v->list] : fh_touched_list(shadow, &v->list);
    race->time.failed |= !list;
    if (!list)
        return;
    list->whole = (uint16_t)t->whole;
    list->kinds = list->table_kinds;
    list->count = 0;
    uint32_t newest = list->capacity ? cell->other.time : 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct fh_past *past = &v->kept[i].past;
        if (!past->lanes)
            continue;
        newest = newest > past->time ? newest : past->time;
        fh_list_put(shadow, list, &v->kept[i]);
    }
    cell->other = (struct fh_past){.time = newest, .warp = FH_IN_LIST, .lanes = v->list};
}

static void put_view(struct fh_race *race, struct fh_touched *shadow, const struct fh_touch *t,
                     const struct place *place, struct view *v) {
    static const struct fh_kept none;
    const struct fh_kept *only = &none;
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++)
        if (v->kept[i].past.lanes) {
            only = &v->kept[i];
            count++;
        }
    if (count > 1 || (v->listed && shadow->lists[v->list].capacity)) {
        put_in_list(race, shadow, t, place->cell, v);
        return;
    }
    if (v->listed)
        fh_touched_list_free(shadow, v->list);
    place->cell->other = only->past;
    *place->same = (uint16_t)only->same;
}

/* Not inlined, nor read_in_list(): what is most frequent needs few registers. */
static __attribute__((noinline)) void touch_closely(struct fh_race *race, struct fh_touched *shadow,
                                                    const struct fh_touch *t,
                                                    struct fh_cell_page *page, uint32_t index) {
    const struct place at = {&page->cells[index], &page->same[index]}, *place = &at;
    const struct last last = last_write(race, t, place->cell);
    struct view v = view_of(race, shadow, t, place);
    struct fh_list *list = v.listed ? &shadow->lists[v.list] : NULL;
    uint32_t disputed = last.left ? compare(race, t, &last.write, last.left) : 0;
    bool before = false;
    for (uint32_t i = 0; i < v.count; i++)
        if (v.left[i])
            disputed |= compare(race, t, &v.kept[i], v.left[i]);
    if (list && list->capacity) {
        const unsigned kinds = kinds_before(race, t, list);
        if (must_scan(t, list, &last, kinds))
            before = compare_table(race, t, list, &disputed);
        else
            before = !(list->table_kinds & ~(kinds & fh_kind_rules[t->kind].stores.any));
    }
    if (t->shared && t->block->disputed.bytes.count)
        fh_race_settle(race, t, disputed);
    if (t->polls)
        return;
    if (t->write)
        keep_write(race, shadow, t, place->cell, &last, &v, before);
    else
        keep_read(race, shadow, t, &last, &v);
    put_view(race, shadow, t, place, &v);
}

/* ---------------------------------------------------------------- what is most frequent */

/* Whether a past access is before this one, as can be told at once, or not. */
static inline bool is_before(const struct fh_race *race, const struct fh_touch *t,
                             const struct fh_past *past) {
    if (past->warp == t->warp && fh_code_kind(past->code) != FH_COPYING &&
        (past->time <= t->me->own_warp || !(past->lanes & ~(UINT32_C(1) << t->lane))))
        return true;
    return !fh_race_not_before(race, t, past);
}

/* A read, where there are only reads in the list. */
static __attribute__((noinline)) bool read_in_list(const struct fh_race *race,
                                                   struct fh_touched *shadow, struct fh_touch *t,
                                                   struct fh_past *other) {
    struct fh_list *list = &shadow->lists[other->lanes];
    const struct fh_kept now = kept_of(t, FH_BEHIND);
    uint32_t kept = 0;
    if (list->before || list->kinds & ~(unsigned)FH_READ_KINDS)
        return false;
    for (uint32_t i = 0; i < list->count; i++)
        if (fh_kept_join(&list->kept[i], &now)) {
            t->joined = &list->kept[i].past;
            return true;
        }
    if (list->capacity && (t->joined = fh_list_join(list, &now)))
        return true;
    for (uint32_t i = 0; i < list->count; i++) {
        struct fh_past *past = &list->kept[i].past;
        if ((!list->capacity || past->warp == t->warp) && is_covered(race, t, past))
            past->lanes = fh_race_not_before(race, t, past);
        if (past->lanes && kept++ < i)
            list->kept[kept - 1] = list->kept[i];
    }
    list->count = kept;
    if (list->capacity)
        cover_own(race, t, list);
    fh_list_put(shadow, list, &now);
    other->time = other->time > now.past.time ? other->time : now.past.time;
    return true;
}

/* A read, where there are only reads beside the write. */
static bool read_quickly(const struct fh_race *race, struct fh_touched *shadow, struct fh_touch *t,
                         struct fh_cell *cell) {
    struct fh_past *other = &cell->other;
    const uint32_t code = fh_code_related(t->code, FH_BEHIND), lanes = UINT32_C(1) << t->lane;
    if (other->time >= t->since && other->warp == FH_IN_LIST)
        return read_in_list(race, shadow, t, other);
    t->joined = other;
    if (other->time >= t->since) {
        if (other->time == t->me->time && other->warp == t->warp && other->code == code) {
            other->lanes |= lanes;
            return true;
        }
        if (!(FH_READ_KINDS >> fh_code_kind(other->code) & 1) || !is_covered(race, t, other) ||
            !is_before(race, t, other))
            return false;
    }
    other->time = t->me->time;
    other->warp = t->warp;
    other->lanes = lanes;
    other->code = code;
    return true;
}

/* A plain store behind all that is known, of which one access at most is to be kept. */
static bool write_quickly(const struct fh_race *race, const struct fh_touch *t,
                          struct fh_cell *cell, uint16_t *same) {
    struct fh_past *write = &cell->write, *other = &cell->other;
    const bool written = write->time >= t->since, alone = other->time < t->since;
    if (!alone && (other->warp == FH_IN_LIST || !is_before(race, t, other)))
        return false;
    bool keeps = !alone && is_needed(t, other->code, *same & ~t->differs, written);
    if (written && is_needed(t, write->code, t->whole & ~t->differs, false)) {
        if (keeps && (fh_code_kind(other->code) != FH_PLAIN_READ ||
                      fh_code_relation(other->code) != FH_BEHIND))
            return false;
        if (!keeps) {
            *other = *write;
            *same = (uint16_t)t->whole;
        }
        keeps = true;
    }
    if (keeps) {
        other->code = fh_code_related(other->code, FH_BEFORE);
        *same &= (uint16_t)~t->differs;
    } else {
        other->time = 0;
    }
    write->time = t->me->time;
    write->warp = t->warp;
    write->lanes = UINT32_C(1) << t->lane;
    write->code = t->code;
    return true;
}

void fh_race_touch(struct fh_race *race, struct fh_touched *shadow, struct fh_touch *t,
                   struct fh_cell_page *page) {
    const uint32_t index = t->address % FH_PAGE_BYTES >> page->shift;
    struct fh_cell *cell = &page->cells[index];
    const struct fh_past *write = &cell->write;
    struct fh_past *other = &cell->other;
    if (t->shared && other->time < t->since && other->time && other->warp == FH_IN_LIST) {
        fh_touched_list_free(shadow, other->lanes);
        other->time = 0;
    }
    if (!t->closely && (write->time < t->since || is_before(race, t, write))) {
        if (!t->write && read_quickly(race, shadow, t, cell)) {
            if (write->time >= t->since && write->warp == t->warp &&
                write->time > t->me->own_warp) /* it is before this lane only */
                t->joined = NULL;
            return;
        }
        if (t->kind == FH_PLAIN_STORE && write_quickly(race, t, cell, &page->same[index]))
            return;
    }
    t->joined = NULL;
    touch_closely(race, shadow, t, page, index);
    t->closely |= t->shared && t->block->disputed.bytes.count;
}
