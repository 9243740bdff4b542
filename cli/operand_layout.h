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
};

/* Registers that an element has, the low word in the even one of two. */
static inline uint32_t fh_cli_words(const struct fh_cli_layout *layout) {
    return layout->shape.bits > 32 ? layout->shape.bits / 32 : 1;
}

/* Where an element of the operand lives; the arguments are in range by construction. */
static inline fhec_place fh_cli_place(const struct fh_cli_layout *layout, uint32_t row,
                                      uint32_t column) {
    fhec_place place = {0, 0, 0};
    fhec_layout_place(layout->index, (fhec_element){row, column}, &place);
    return place;
}

/* What lives there; false for nothing: some operands use some of the lanes. */
static inline bool fh_cli_element(const struct fh_cli_layout *layout, fhec_place place,
                                  fhec_element *element) {
    return fhec_layout_element(layout->index, place, element) == FHEC_OK;
}

#endif
