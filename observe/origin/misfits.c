/*
 * misfits.c - see misfits.h.
 */
#include "misfits.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SIDE = 256, MOST_REGISTERS = 16 };

/* An element that does not follow the map, and the one to which what it holds belongs. */
struct misfit {
    uint32_t row, column;
    bool belongs; /* it does belong to one */
    uint32_t to_row, to_column;
};

struct survey {
    const struct fh_fragment *f;
    const struct fh_fragment_map *map;
    struct misfit first;
    uint32_t count, belonging, made; /* made: that are no places in memory */
    uint32_t lanes;
    uint32_t in_register[MOST_REGISTERS], size_of_register[MOST_REGISTERS];
    /* Register that all misfits of a register belong to, in the same lane and slot; -1: none. */
    int to_register[MOST_REGISTERS];
    bool lane_known;
    int lane_step; /* of all misfits: lane to which it belongs less its own; if lane_same */
    bool lane_same;
    uint32_t row_misfits[MOST_SIDE], row_size[MOST_SIDE];
    uint32_t column_misfits[MOST_SIDE], column_size[MOST_SIDE];
    bool one_distance; /* all misfits are at the same distance from where the map has them */
    int64_t distance;
};

static const struct fh_element_origin *element(const struct fh_fragment *f, uint32_t row,
                                               uint32_t column) {
    return &f->elements[row * f->shape->layout.columns + column];
}

static struct fh_fragment_place place(const struct fh_fragment *f, uint32_t row, uint32_t column) {
    return f->shape->place[row * f->shape->layout.columns + column];
}

/* The element of the operand whose place in memory `bit` is by the map; the nearest row that has
 * one, so that maps with several are answered in the element's own. */
static bool owner(const struct fh_fragment *f, const struct fh_fragment_map *map, int64_t bit,
                  struct misfit *m) {
    const uint32_t rows = f->shape->layout.rows, columns = f->shape->layout.columns;
    for (uint32_t k = 0; k < rows; k++) {
        const uint32_t row = (m->row + k) % rows;
        const int64_t rest = bit - map->first - map->row * row;
        const int64_t column = map->column ? rest / map->column : 0;
        if (rest - column * map->column || column < 0 || column >= columns)
            continue;
        m->to_row = row;
        m->to_column = map->column ? (uint32_t)column : m->column;
        return true;
    }
    return false;
}

static void note_register(struct survey *s, const struct misfit *m) {
    const struct fh_fragment_place at = place(s->f, m->row, m->column);
    int to = -1;
    if (m->belongs) {
        const struct fh_fragment_place its = place(s->f, m->to_row, m->to_column);
        if (its.lane == at.lane && its.bit == at.bit)
            to = its.reg;
        const int step = (int)its.lane - (int)at.lane;
        s->lane_same &=
            its.reg == at.reg && its.bit == at.bit && (!s->lane_known || step == s->lane_step);
        s->lane_known = true;
        s->lane_step = step;
    } else {
        s->lane_same = false;
    }
    if (at.reg >= MOST_REGISTERS)
        return;
    if (s->in_register[at.reg]++ == 0)
        s->to_register[at.reg] = to;
    else if (s->to_register[at.reg] != to)
        s->to_register[at.reg] = -1;
}

/* Whether it is in a lower register or lane than the other. */
static bool before_it(const struct fh_fragment *f, const struct misfit *m,
                      const struct misfit *other) {
    const struct fh_fragment_place a = place(f, m->row, m->column);
    const struct fh_fragment_place b = place(f, other->row, other->column);
    return a.reg != b.reg ? a.reg < b.reg : a.lane < b.lane;
}

static void note(struct survey *s, uint32_t row, uint32_t column) {
    const struct fh_element_origin *e = element(s->f, row, column);
    struct misfit m = {.row = row, .column = column};
    const bool placed = fh_element_is_placed(e) && fh_origin_space(e->origin) == s->map->space;
    if (placed) {
        const int64_t bit = fh_element_bit(e);
        const int64_t distance =
            bit - (s->map->first + s->map->row * row + s->map->column * column);
        m.belongs = owner(s->f, s->map, bit, &m);
        s->one_distance &= s->count == 0 || distance == s->distance;
        s->distance = distance;
    } else {
        s->one_distance = false;
    }
    if (s->count++ == 0 || before_it(s->f, &m, &s->first))
        s->first = m;
    s->made += !placed;
    s->belonging += m.belongs;
    s->lanes |= 1u << place(s->f, row, column).lane;
    s->row_misfits[row]++;
    s->column_misfits[column]++;
    note_register(s, &m);
}

static void survey(struct survey *s) {
    const fhec_layout *shape = &s->f->shape->layout;
    s->one_distance = s->lane_same = true;
    for (uint32_t row = 0; row < shape->rows; row++)
        for (uint32_t column = 0; column < shape->columns; column++) {
            const struct fh_element_origin *e = element(s->f, row, column);
            const uint32_t reg = place(s->f, row, column).reg;
            if (fh_origin_kind_of(e->origin) == FH_ORIGIN_NUMBER)
                continue;
            s->row_size[row]++;
            s->column_size[column]++;
            if (reg < MOST_REGISTERS)
                s->size_of_register[reg]++;
            if (fh_element_differs(s->f, s->map, row, column))
                note(s, row, column);
        }
}

/* ---------------------------------------------------------------- what may be meant */

/* Whether all misfits fill whole rows (or columns), which come from where no row of the operand
 * belongs, or repeat the last one before the edge at which they lie. */
static bool are_lines(const struct survey *s, const uint32_t *misfits, const uint32_t *size,
                      uint32_t count, bool rows) {
    const fhec_layout *shape = &s->f->shape->layout;
    uint32_t first = count, last = 0, lines = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!misfits[i])
            continue;
        if (misfits[i] != size[i])
            return false;
        first = first < i ? first : i;
        last = i;
        lines++;
    }
    if (!s->belonging)
        return true;
    if (last - first + 1 != lines || (last + 1 != count && first != 0))
        return false;
    const uint32_t edge = first ? first - 1 : last + 1; /* the last line that is as it should be */
    for (uint32_t i = first; i <= last; i++)
        for (uint32_t k = 0; k < (rows ? shape->columns : shape->rows); k++) {
            const uint32_t row = rows ? i : k, column = rows ? k : i;
            const struct fh_element_origin *e = element(s->f, row, column);
            const int64_t want = s->map->first + s->map->row * (rows ? edge : row) +
                                 s->map->column * (rows ? column : edge);
            if (fh_origin_kind_of(e->origin) != FH_ORIGIN_NUMBER &&
                (!fh_element_is_placed(e) || fh_element_bit(e) != want))
                return false;
        }
    return true;
}

static uint32_t registers_with(const struct survey *s) {
    uint32_t count = 0;
    for (uint32_t r = 0; r < MOST_REGISTERS; r++)
        count += s->in_register[r] != 0;
    return count;
}

static bool may_be_meant(const struct survey *s) {
    const fhec_layout *shape = &s->f->shape->layout;
    const bool one_lane = (s->lanes & (s->lanes - 1)) == 0;
    if (s->made && !one_lane) /* part of it is computed */
        return true;
    if (one_lane && s->count < 3)
        return false;
    if (are_lines(s, s->row_misfits, s->row_size, shape->rows, true) ||
        are_lines(s, s->column_misfits, s->column_size, shape->columns, false))
        return true;
    if (s->one_distance && 2 * s->count >= s->f->shape->count && !s->belonging)
        return true; /* two tiles */
    return s->belonging == 0 && registers_with(s) != 1 && 8 * s->count > s->f->shape->count;
}

/* ---------------------------------------------------------------- what it looks like */

/* Of an exact half of the elements that fit, the others are as far from the map as halves that have
 * been swapped: what should be half a step further is half a step back. Makes the map what it is
 * meant to be, which no element follows then. */
static bool halves_swapped(const struct survey *s, bool rows, struct fh_fragment_map *meant) {
    const fhec_layout *shape = &s->f->shape->layout;
    const uint32_t half = (rows ? shape->rows : shape->columns) / 2;
    const int64_t step = (rows ? s->map->row : s->map->column) * half;
    bool upper = true, lower = true; /* the misfits are the upper or the lower half */
    if (!half || !step || !s->one_distance || 2 * s->count != s->f->shape->count)
        return false;
    for (uint32_t i = 0; i < shape->rows; i++)
        for (uint32_t j = 0; j < shape->columns; j++) {
            const bool high = (rows ? i : j) >= half;
            const bool fits = fh_element_fits(s->f, s->map, i, j);
            upper &= high ? !fits : fits;
            lower &= high ? fits : !fits;
        }
    *meant = *s->map;
    meant->fits = 0;
    meant->first += upper ? -step : step;
    return (upper && s->distance == -2 * step) || (lower && s->distance == 2 * step);
}

/* The registers of misfits hold one another's elements, all of them. */
static bool registers_swapped(const struct survey *s, char *text, size_t size) {
    int used = 0;
    bool any = false;
    for (uint32_t r = 0; r < MOST_REGISTERS; r++) {
        const int to = s->to_register[r];
        if (!s->in_register[r])
            continue;
        if (to < 0 || to >= MOST_REGISTERS || s->to_register[to] != (int)r || !s->in_register[to] ||
            4 * s->in_register[r] < 3 * s->size_of_register[r])
            return false;
        any = true;
        if ((int)r < to && (size_t)used < size)
            used += snprintf(text + used, size - (size_t)used, "%sR%u and R%u", used ? ", " : "",
                             s->f->reg + r, s->f->reg + (uint32_t)to);
    }
    return any;
}

/* All misfits are in one register, or in some, and each belongs to one other register. */
static bool register_misplaced(const struct survey *s, char *text, size_t size) {
    int used = 0;
    for (uint32_t r = 0; r < MOST_REGISTERS; r++) {
        if (!s->in_register[r])
            continue;
        if (s->to_register[r] < 0 || 4 * s->in_register[r] < 3 * s->size_of_register[r])
            return false;
        if ((size_t)used < size)
            used +=
                snprintf(text + used, size - (size_t)used, "%sR%u holds what belongs in R%u",
                         used ? ", " : "", s->f->reg + r, s->f->reg + (uint32_t)s->to_register[r]);
    }
    return used > 0;
}

static void lanes_text(uint32_t lanes, char *text, size_t size) {
    const uint32_t first = (uint32_t)__builtin_ctz(lanes),
                   last = 31 - (uint32_t)__builtin_clz(lanes);
    if (first == last)
        snprintf(text, size, "lane %u", first);
    else if (lanes >> first == (UINT32_MAX >> (31 - (last - first))))
        snprintf(text, size, "lanes %u to %u", first, last);
    else
        snprintf(text, size, "%u lanes from lane %u on", (unsigned)__builtin_popcount(lanes),
                 first);
}

/* The cause, as a clause; the finding's kind. */
static unsigned cause(const struct survey *s, char *text, size_t size) {
    char what[200];
    if (registers_swapped(s, what, sizeof what)) {
        snprintf(text, size, ": %s look swapped", what);
        return FH_FINDING_REGISTERS_SWAPPED;
    }
    if (register_misplaced(s, what, sizeof what)) {
        snprintf(text, size, ": %s", what);
        return FH_FINDING_REGISTERS_SWAPPED;
    }
    if (s->lane_known && s->lane_same && s->lane_step && s->count > 1) {
        lanes_text(s->lanes, what, sizeof what);
        snprintf(text, size, ": %s hold%s what belongs %d lane%s further", what,
                 s->lanes & (s->lanes - 1) ? "" : "s", s->lane_step,
                 s->lane_step == 1 || s->lane_step == -1 ? "" : "s");
        return FH_FINDING_LANES_OFF;
    }
    if (s->count > 1) {
        lanes_text(s->lanes, what, sizeof what);
        snprintf(text, size, ": %u elements are wrong, in %s", s->count, what);
    } else {
        snprintf(text, size, ": all others follow the map");
    }
    return FH_FINDING_ELEMENT_WRONG;
}

/* The first misfit and its cause, in one sentence. */
static void tell(const struct fh_origins *origins, const struct survey *s, const char *operand,
                 const char *why, char *message) {
    const fhec_layout *shape = &s->f->shape->layout;
    const struct fh_fragment_place at = place(s->f, s->first.row, s->first.column);
    const struct fh_element_origin *e = element(s->f, s->first.row, s->first.column);
    char holds[96], map[120], belongs[64] = "", share[48] = "";
    fh_origin_text(origins, e->origin, shape->bits, e->bit, holds, sizeof holds);
    fh_fragment_map_text(origins, s->f, s->map, map, sizeof map);
    if (s->first.belongs)
        snprintf(belongs, sizeof belongs, ", which belongs to %.8s[%u][%u]", operand,
                 s->first.to_row, s->first.to_column);
    if (s->map->fits)
        snprintf(share, sizeof share, " for %u of %u elements", s->map->fits, s->f->shape->count);
    snprintf(message, FH_FINDING_MESSAGE,
             "%.8s[%u][%u] is expected in lane %u, R%u; that holds %.70s%s%.140s (%.8s[i][j] = "
             "%.70s%s)",
             operand, s->first.row, s->first.column, at.lane, s->f->reg + at.reg, holds, belongs,
             why, operand, map, share);
}

void fh_misfits_judge(const struct fh_origins *origins, const struct fh_fragment *f,
                      const struct fh_fragment_map *map, const char *operand,
                      struct fh_misfits *misfits, char *message) {
    const fhec_layout *shape = &f->shape->layout;
    struct fh_fragment_map meant;
    struct survey s = {.f = f, .map = map};
    char why[240];
    *misfits = (struct fh_misfits){0};
    if (!map->found || !map->others || shape->rows > MOST_SIDE || shape->columns > MOST_SIDE)
        return;
    survey(&s);
    const bool rows = halves_swapped(&s, true, &meant);
    if (rows || halves_swapped(&s, false, &meant)) {
        s = (struct survey){.f = f, .map = &meant};
        survey(&s);
        snprintf(why, sizeof why, ": the %s halves look swapped",
                 rows ? "upper and lower" : "left and right");
        misfits->kind = FH_FINDING_HALVES_SWAPPED;
    } else {
        if (may_be_meant(&s))
            return;
        misfits->kind = cause(&s, why, sizeof why);
    }
    tell(origins, &s, operand, why, message);
    misfits->report = true;
    misfits->row = s.first.row;
    misfits->column = s.first.column;
    misfits->count = s.count;
    misfits->lanes = s.lanes;
}
