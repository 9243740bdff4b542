/*
 * operand_origins.h - a matrix operand at one moment: where each element came from, which map they
 * follow, and which of them are not where the source (.expect) or the others say.
 */
#ifndef FH_OPERAND_ORIGINS_H
#define FH_OPERAND_ORIGINS_H

#include "expectations.h"

struct fh_operand_origins {
    struct fh_fragment_shape *shape;
    struct fh_fragment fragment;
    struct fh_fragment_map map;
    char map_text[160]; /* "a[16*i + j]"; empty: there is none */
    bool *wrong;        /* of shape->count elements */
    uint32_t wrong_count;
    bool told; /* the source says where the elements come from: the map does not count */
    /* One sentence for each that is wrong: of the map's first, or of expectations. */
    char messages[4][FH_FINDING_MESSAGE];
    size_t message_count;
};

/* Of an operand with a layout that has registers, before the instruction: nothing is wrong with
 * results, which it has yet to make. To be freed in any case. False without host memory. */
bool fh_operand_origins_make(struct fh_operand_origins *origins,
                             const struct fh_origin_scene *scene, const fhec_operand *operand);
void fh_operand_origins_free(struct fh_operand_origins *origins);
/* Of the element: "a[37]". Length like snprintf. */
int fh_operand_origin_text(const struct fh_operand_origins *origins,
                           const struct fh_origin_scene *scene, uint32_t row, uint32_t column,
                           char *text, size_t size);

#endif
