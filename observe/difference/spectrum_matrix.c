/*
 * spectrum_matrix.c - marks through matrix instructions (spectrum_step.h).
 */
#include <stdlib.h>
#include <string.h>

#include "spectrum_step.h"

enum { MOST_SIDE = 256, MOST_LAYOUTS = 4096 };

struct marked_fragment {
    const fhec_operand *operand;
    const struct fh_spectrum_layout *layout;
};

static const struct fh_spectrum_layout *layout_of(struct fh_spectrum_step *s, size_t number) {
    if (number >= MOST_LAYOUTS)
        return NULL;
    if (!s->layouts && !(s->layouts = calloc(MOST_LAYOUTS, sizeof *s->layouts)))
        return NULL;
    struct fh_spectrum_layout *layout = &s->layouts[number];
    if (layout->places)
        return layout;
    if (!fhec_layout_get(number, &layout->of) || layout->of.rows > MOST_SIDE ||
        layout->of.columns > MOST_SIDE)
        return NULL;
    const size_t count = (size_t)layout->of.rows * layout->of.columns;
    layout->places = calloc(count + 1, sizeof *layout->places);
    for (size_t i = 0; layout->places && i < count; i++)
        (void)fhec_layout_place(
            number,
            (fhec_element){(uint32_t)(i / layout->of.columns), (uint32_t)(i % layout->of.columns)},
            &layout->places[i]);
    return layout->places ? layout : NULL;
}

static bool find(struct fh_spectrum_step *s, const char *name, struct marked_fragment *fragment) {
    fragment->operand = fh_slicing_operand(s->instruction, name);
    if (!fragment->operand || !fragment->operand->has_layout)
        return false;
    fragment->layout = layout_of(s, fragment->operand->layout);
    return fragment->layout != NULL;
}

static void give(struct fh_spectrum_step *s, const struct marked_fragment *to, uint32_t row,
                 uint32_t column, struct fh_spectrum_marks marks) {
    if (to->operand->reg == FHEC_NO_REGISTER || !marks.all)
        return;
    const fhec_place *place = &to->layout->places[(size_t)row * to->layout->of.columns + column];
    fh_marked_give(s->state, s->warp, FHEC_FILE_R, to->operand->reg + place->reg, place->lane,
                   marks);
}

static void give_factors(struct fh_spectrum_step *s, const struct marked_fragment *a,
                         const struct marked_fragment *b, const struct fh_spectrum_marks *rows,
                         const struct fh_spectrum_marks *columns) {
    for (uint32_t i = 0; i < a->layout->of.rows; i++)
        for (uint32_t k = 0; k < a->layout->of.columns; k++)
            give(s, a, i, k, rows[i]);
    for (uint32_t k = 0; k < b->layout->of.rows; k++)
        for (uint32_t j = 0; j < b->layout->of.columns; j++)
            give(s, b, k, j, columns[j]);
}

/* Operands that are no fragments: a modulus, selectors. */
static void give_others(struct fh_spectrum_step *s) {
    for (uint32_t i = 0; i < s->instruction->operand_count; i++) {
        const fhec_operand *o = &s->instruction->operands[i];
        const bool uniform = o->kind == FHEC_OPERAND_UNIFORM;
        if (!o->read || o->has_layout || o->reg == FHEC_NO_REGISTER ||
            (!uniform && o->kind != FHEC_OPERAND_REGISTER))
            continue;
        for (uint32_t lane = 0; lane < (uniform ? 1 : FHEC_WARP_LANES); lane++)
            for (uint32_t k = 0; k < (o->count ? o->count : 1U); k++)
                fh_marked_give(s->state, s->warp, uniform ? FHEC_FILE_UR : FHEC_FILE_R, o->reg + k,
                               lane, s->whole);
    }
}

bool fh_spectrum_matrix(struct fh_spectrum_step *s) {
    struct marked_fragment a, b, c, d;
    struct fh_spectrum_marks rows[MOST_SIDE] = {{0, 0}}, columns[MOST_SIDE] = {{0, 0}};
    if (strcmp(s->instruction->klass, "matrix") != 0 || !find(s, "A", &a) || !find(s, "B", &b) ||
        !find(s, "C", &c) || !find(s, "Rd", &d) || a.layout->of.columns != b.layout->of.rows)
        return false;
    const fhec_layout *of = &d.layout->of;
    for (uint32_t i = 0; i < of->rows; i++)
        for (uint32_t j = 0; j < of->columns; j++) {
            const fhec_place *place = &d.layout->places[(size_t)i * of->columns + j];
            const struct fh_spectrum_marks marks =
                s->slots[place->reg % FH_SPECTRUM_SLOTS][place->lane];
            rows[i].values |= marks.values;
            rows[i].all |= marks.all;
            columns[j].values |= marks.values;
            columns[j].all |= marks.all;
            give(s, &c, i, j, marks);
        }
    give_factors(s, &a, &b, rows, columns);
    give_others(s);
    return true;
}

void fh_spectrum_matrix_end(struct fh_spectrum_step *s) {
    for (size_t i = 0; s->layouts && i < MOST_LAYOUTS; i++)
        free(s->layouts[i].places);
    free(s->layouts);
}
