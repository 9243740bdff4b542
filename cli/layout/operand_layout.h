/*
 * operand_layout.h - a fragment layout with its number in the library, for the printers of
 * `fhec layout`.
 */
#ifndef FH_CLI_OPERAND_LAYOUT_H
#define FH_CLI_OPERAND_LAYOUT_H

#include "fhec.h"

enum { FH_CLI_MAX_LAYOUTS = 8 }; /* operands of one instruction */

struct fh_cli_layout {
    size_t index;
    fhec_layout shape;
    uint32_t merged; /* elements of the instruction's that are one here, side by side; 0: 1 */
    bool named;      /* the instruction's registers are known: */
    uint32_t first;  /* the operand's first */
};

static inline uint32_t fh_cli_merged(const struct fh_cli_layout *layout) {
    return layout->merged ? layout->merged : 1;
}

/* The register by the number that is shown. */
static inline uint32_t fh_cli_register(const struct fh_cli_layout *layout, uint32_t reg) {
    return reg + (layout->named ? layout->first : 0);
}

/* Registers that an element has, the low word in the even one of two. */
static inline uint32_t fh_cli_words(const struct fh_cli_layout *layout) {
    return layout->shape.bits > 32 ? layout->shape.bits / 32 : 1;
}

/* Where an element of the operand lives; the arguments are in range by construction. */
static inline fhec_place fh_cli_place(const struct fh_cli_layout *layout, uint32_t row,
                                      uint32_t column) {
    fhec_place place = {0, 0, 0};
    const uint32_t merged = fh_cli_merged(layout);
    fhec_layout_place(layout->index, (fhec_element){row, column * merged}, &place);
    place.slot /= merged;
    return place;
}

/* What lives there; false for nothing: some operands use some of the lanes. */
static inline bool fh_cli_element(const struct fh_cli_layout *layout, fhec_place place,
                                  fhec_element *element) {
    const uint32_t merged = fh_cli_merged(layout);
    place.slot *= merged;
    const bool found = fhec_layout_element(layout->index, place, element) == FHEC_OK;
    element->column /= merged;
    return found;
}

#endif
