/*
 * operand_origins.c - see operand_origins.h.
 */
#include "operand_origins.h"

#include <stdlib.h>
#include <string.h>

#include "misfits.h"

static void keep_message(struct fh_operand_origins *o, const char *message) {
    if (o->message_count < sizeof o->messages / sizeof *o->messages)
        memcpy(o->messages[o->message_count++], message, FH_FINDING_MESSAGE);
}

/* What the source says of the operand, element by element. */
static void check_expectations(struct fh_operand_origins *o, const struct fh_origin_scene *scene,
                               const fhec_operand *operand) {
    fhec_expectation e;
    for (size_t k = 0; fh_expectation_at(scene->moment->launch, scene->instruction->pc, k, &e);
         k++) {
        struct fh_unexpected u = {.which = o->wrong};
        char message[FH_FINDING_MESSAGE] = "";
        if (!e.operand || !fh_expectation_names(e.operand, operand))
            continue;
        o->told |= e.relation == FHEC_EXPECT_PLACE;
        if (!fh_expectation_holds(scene, &e, o->shape, &u, message))
            keep_message(o, message);
    }
}

/* What the other elements say, where the source says nothing. */
static void check_map(struct fh_operand_origins *o, const struct fh_origin_scene *scene,
                      const fhec_operand *operand) {
    const uint32_t columns = o->shape->layout.columns;
    struct fh_misfits misfits;
    char message[FH_FINDING_MESSAGE] = "";
    fh_misfits_judge(scene->origins, &o->fragment, &o->map, operand->name, &misfits, message);
    if (!misfits.report)
        return;
    keep_message(o, message);
    for (uint32_t i = 0; i < o->shape->count; i++)
        o->wrong[i] |= fh_element_differs(&o->fragment, &o->map, i / columns, i % columns);
}

bool fh_operand_origins_make(struct fh_operand_origins *o, const struct fh_origin_scene *scene,
                             const fhec_operand *operand) {
    *o = (struct fh_operand_origins){.shape = fh_fragment_shape_new(operand->layout)};
    if (o->shape)
        o->wrong = calloc(o->shape->count + 1u, sizeof *o->wrong);
    if (!o->wrong || !fh_fragment_make(&o->fragment, o->shape))
        return false;
    fh_fragment_gather(&o->fragment, scene->warp, operand->reg);
    if (!fh_fragment_fit(&o->fragment, &o->map))
        return false;
    if (o->map.found)
        fh_fragment_map_text(scene->origins, &o->fragment, &o->map, o->map_text,
                             sizeof o->map_text);
    if (operand->read) {
        check_expectations(o, scene, operand);
        if (!o->told)
            check_map(o, scene, operand);
    }
    for (uint32_t i = 0; i < o->shape->count; i++)
        o->wrong_count += o->wrong[i];
    return true;
}

void fh_operand_origins_free(struct fh_operand_origins *o) {
    if (o->shape)
        fh_fragment_free(&o->fragment);
    fh_fragment_shape_free(o->shape);
    free(o->wrong);
    *o = (struct fh_operand_origins){0};
}

int fh_operand_origin_text(const struct fh_operand_origins *o, const struct fh_origin_scene *scene,
                           uint32_t row, uint32_t column, char *text, size_t size) {
    const struct fh_element_origin *e =
        &o->fragment.elements[row * o->shape->layout.columns + column];
    return fh_origin_text(scene->origins, e->origin, o->shape->layout.bits, e->bit, text, size);
}
