/*
 * fragment_map.c - see fragment_map.h.
 *
 * The steps of a map are what most neighbours in a row, and in a column, differ by; its constant is
 * what is left of most elements then. So elements that are wrong, up to about half of them, do not
 * count, unless they agree.
 */
#include "fragment_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- shapes */

struct fh_fragment_shape *fh_fragment_shape_new(size_t layout) {
    struct fh_fragment_shape *shape = calloc(1, sizeof *shape);
    if (!shape || !fhec_layout_get(layout, &shape->layout)) {
        free(shape);
        return NULL;
    }
    shape->count = shape->layout.rows * shape->layout.columns;
    shape->place = calloc(shape->count + 1u, sizeof *shape->place);
    if (!shape->place) {
        free(shape);
        return NULL;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        const fhec_element element = {i / shape->layout.columns, i % shape->layout.columns};
        fhec_place place = {0, 0, 0};
        (void)fhec_layout_place(layout, element, &place);
        shape->place[i] = (struct fh_fragment_place){(uint8_t)place.lane, (uint8_t)place.reg,
                                                     (uint8_t)(place.slot * shape->layout.bits)};
    }
    return shape;
}

void fh_fragment_shape_free(struct fh_fragment_shape *shape) {
    if (shape)
        free(shape->place);
    free(shape);
}

/* ---------------------------------------------------------------- elements */

bool fh_fragment_make(struct fh_fragment *fragment, const struct fh_fragment_shape *shape) {
    fragment->shape = shape;
    fragment->elements = calloc(shape->count + 1u, sizeof *fragment->elements);
    return fragment->elements;
}

void fh_fragment_free(struct fh_fragment *fragment) {
    free(fragment->elements);
    fragment->elements = NULL;
}

/* The origin of `count` bytes that follow one another. */
static fh_origin joined(const fh_origin *bytes, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (bytes[i] != fh_origin_byte(bytes[0], i))
            return fh_origin_make(FH_ORIGIN_MIXED, 0);
    return bytes[0];
}

void fh_fragment_gather(struct fh_fragment *fragment, const struct fh_warp_shadow *warp,
                        uint32_t reg) {
    const struct fh_fragment_shape *shape = fragment->shape;
    const uint32_t bits = shape->layout.bits;
    const uint32_t bytes_of_it = bits < 8 ? 1 : bits > 32 ? 4 : bits / 8;
    fragment->reg = reg;
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct fh_fragment_place place = shape->place[i];
        struct fh_element_origin *element = &fragment->elements[i];
        const fh_origin word = warp->r[reg + place.reg][place.lane];
        element->bit = place.bit % 8;
        element->origin = fh_origin_byte(word, place.bit / 8u);
        if (fh_origin_kind_of(word) == FH_ORIGIN_MIXED) {
            fh_origin_bytes bytes;
            fh_shadow_get_bytes(warp, reg + place.reg, place.lane, bytes);
            element->origin = joined(bytes + place.bit / 8, bytes_of_it);
        }
    }
}

bool fh_element_is_placed(const struct fh_element_origin *element) {
    return fh_origin_is_place(element->origin);
}

int64_t fh_element_bit(const struct fh_element_origin *element) {
    return (int64_t)(8 * fh_origin_offset(element->origin) + element->bit);
}

/* ---------------------------------------------------------------- the fit */

static int compare(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The most frequent of the numbers, which are sorted; how often, by *times. */
static int64_t most(int64_t *numbers, size_t count, size_t *times) {
    int64_t best = 0;
    *times = 0;
    qsort(numbers, count, sizeof *numbers, compare);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && numbers[i + n] == numbers[i]; n++)
            ;
        if (n > *times || (n == *times && llabs(numbers[i]) < llabs(best))) {
            best = numbers[i];
            *times = n;
        }
    }
    return best;
}

static bool comparable(const struct fh_element_origin *a, const struct fh_element_origin *b) {
    return fh_element_is_placed(a) && fh_element_is_placed(b) &&
           fh_origin_space(a->origin) == fh_origin_space(b->origin);
}

/* What most neighbours differ by: `step` elements apart, within a row or a column. */
static int64_t step_between(const struct fh_fragment *f, uint32_t step, uint32_t skip_rows,
                            uint32_t skip_columns, int64_t *room) {
    const uint32_t columns = f->shape->layout.columns;
    size_t count = 0, times;
    for (uint32_t i = 0; i + skip_rows < f->shape->layout.rows; i++)
        for (uint32_t j = 0; j + skip_columns < columns; j++) {
            const struct fh_element_origin *a = &f->elements[i * columns + j], *b = a + step;
            if (comparable(a, b))
                room[count++] = fh_element_bit(b) - fh_element_bit(a);
        }
    return most(room, count, &times);
}

/* The space that most elements are in; 0: none. */
static uint64_t most_space(const struct fh_fragment *f, uint32_t *placed) {
    uint64_t space = 0;
    uint32_t lead = 0;
    *placed = 0;
    for (uint32_t i = 0; i < f->shape->count; i++) {
        if (!fh_element_is_placed(&f->elements[i]))
            continue;
        const uint64_t it = fh_origin_space(f->elements[i].origin);
        ++*placed;
        if (lead == 0)
            space = it;
        lead = it == space ? lead + 1 : lead - 1;
    }
    return space;
}

static void count_others(const struct fh_fragment *f, struct fh_fragment_map *map) {
    const uint32_t columns = f->shape->layout.columns;
    for (uint32_t i = 0; i < f->shape->count; i++)
        map->others += fh_element_differs(f, map, i / columns, i % columns);
}

bool fh_fragment_fit(const struct fh_fragment *f, struct fh_fragment_map *map) {
    const uint32_t columns = f->shape->layout.columns;
    uint32_t placed;
    *map = (struct fh_fragment_map){.space = most_space(f, &placed)};
    if (2 * placed < f->shape->count)
        return true;
    int64_t *room = malloc((f->shape->count + 1u) * sizeof *room);
    if (!room)
        return false;
    size_t count = 0, times;
    map->column = step_between(f, 1, 0, 1, room);
    map->row = step_between(f, columns, 1, 0, room);
    for (uint32_t i = 0; i < f->shape->count; i++)
        if (fh_element_is_placed(&f->elements[i]) &&
            fh_origin_space(f->elements[i].origin) == map->space)
            room[count++] = fh_element_bit(&f->elements[i]) - map->row * (i / columns) -
                            map->column * (i % columns);
    map->first = most(room, count, &times);
    free(room);
    map->fits = (uint32_t)times;
    map->found = 2 * times >= f->shape->count && times > 1;
    if (!map->found)
        return true;
    for (uint32_t i = 0; i < f->shape->count && !map->any; i++)
        if (fh_element_fits(f, map, i / columns, i % columns))
            map->any = f->elements[i].origin;
    count_others(f, map);
    return true;
}

bool fh_element_fits(const struct fh_fragment *f, const struct fh_fragment_map *map, uint32_t row,
                     uint32_t column) {
    const struct fh_element_origin *e = &f->elements[row * f->shape->layout.columns + column];
    return fh_element_is_placed(e) && fh_origin_space(e->origin) == map->space &&
           fh_element_bit(e) == map->row * row + map->column * column + map->first;
}

bool fh_element_differs(const struct fh_fragment *f, const struct fh_fragment_map *map,
                        uint32_t row, uint32_t column) {
    const struct fh_element_origin *e = &f->elements[row * f->shape->layout.columns + column];
    return fh_origin_kind_of(e->origin) != FH_ORIGIN_NUMBER &&
           !fh_element_fits(f, map, row, column);
}

/* ---------------------------------------------------------------- text */

int fh_index_text(const struct fh_index_term *terms, size_t count, char *text, size_t size) {
    int used = 0;
    for (size_t k = 0; k < count; k++) {
        const struct fh_index_term *t = &terms[k];
        const unsigned long long factor =
            t->factor < 0 ? 0ULL - (unsigned long long)t->factor : (unsigned long long)t->factor;
        char *at = size > (size_t)used ? text + used : NULL;
        const size_t room = at ? size - (size_t)used : 0;
        const char *sign = t->factor < 0 ? (used ? " - " : "-") : used ? " + " : "";
        if (!t->factor)
            continue;
        if (!t->of)
            used += snprintf(at, room, "%s%llu", sign, factor);
        else if (factor == 1)
            used += snprintf(at, room, "%s%s", sign, t->of);
        else
            used += snprintf(at, room, "%s%llu*%s", sign, factor, t->of);
    }
    return used ? used : snprintf(text, size, "0");
}

/* Where index 0 of what is printed lies, in bits, and its name. */
static int64_t base_of(const struct fh_origins *origins, fh_origin any, const char **name) {
    const struct fh_origin_buffer *buffer = fh_origins_buffer(origins, any);
    static const char *const names[] = {[FH_ORIGIN_GLOBAL] = "global",
                                        [FH_ORIGIN_SHARED] = "shared",
                                        [FH_ORIGIN_LOCAL] = "local",
                                        [FH_ORIGIN_CONSTANT] = "constant"};
    *name = buffer ? buffer->name : names[fh_origin_kind_of(any)];
    return buffer ? (int64_t)(8 * buffer->base) : 0;
}

int fh_fragment_map_text(const struct fh_origins *origins, const struct fh_fragment *f,
                         const struct fh_fragment_map *map, char *text, size_t size) {
    const char *name, *unit = "";
    const int64_t first = map->first - base_of(origins, map->any, &name);
    int64_t bits = f->shape->layout.bits;
    char index[160];
    if (map->row % bits || map->column % bits || first % bits) {
        bits = bits > 8 ? 8 : 1;
        unit = bits == 8 ? "bytes of " : "bits of ";
    }
    const struct fh_index_term terms[] = {
        {map->row / bits, "i"}, {map->column / bits, "j"}, {first / bits, NULL}};
    fh_index_text(terms, 3, index, sizeof index);
    return snprintf(text, size, "%s%s[%s]", unit, name, index);
}
