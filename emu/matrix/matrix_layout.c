/*
 * matrix_layout.c - between fragments and plain matrices, by the layouts of the instruction set.
 */
#include "matrix_layout.h"

#include <assert.h>

/* The layouts are part of the instruction set, so a name that is not there is a mistake in the
 * program, not in its input. */
static size_t find(const char *insn, const char *operand, fhec_layout *layout) {
    size_t index = 0;
    fhec_status status = fhec_layout_find(insn, operand, &index);
    assert(status == FHEC_OK);
    (void)status;
    fhec_layout_get(index, layout);
    return index;
}

/* The element's word and the place of its lowest bit there. */
static uint32_t locate(size_t index, const fhec_layout *layout, uint32_t i, fhec_place *place) {
    fhec_element element = {i / layout->columns, i % layout->columns};
    fhec_layout_place(index, element, place);
    return place->slot * layout->bits;
}

static uint32_t element_mask(const fhec_layout *layout) {
    return UINT32_MAX >> (32 - layout->bits);
}

void fh_fragment_read(const char *insn, const char *operand, const fh_row *fragment,
                      uint32_t *matrix) {
    fhec_layout layout = {0};
    size_t index = find(insn, operand, &layout);
    for (uint32_t i = 0; i < layout.rows * layout.columns; i++) {
        fhec_place place = {0};
        uint32_t shift = locate(index, &layout, i, &place);
        matrix[i] = fragment[place.reg][place.lane] >> shift & element_mask(&layout);
    }
}

void fh_fragment_write(const char *insn, const char *operand, const uint32_t *matrix,
                       fh_row *fragment) {
    fhec_layout layout = {0};
    size_t index = find(insn, operand, &layout);
    for (uint32_t i = 0; i < layout.rows * layout.columns; i++) {
        fhec_place place = {0};
        uint32_t shift = locate(index, &layout, i, &place);
        uint32_t *word = &fragment[place.reg][place.lane], mask = element_mask(&layout) << shift;
        *word = (*word & ~mask) | (matrix[i] << shift & mask);
    }
}
