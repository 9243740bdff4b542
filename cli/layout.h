/*
 * layout.h - a fragment layout with its number in the library, for the printers of `fhec layout`.
 */
#ifndef FH_CLI_LAYOUT_H
#define FH_CLI_LAYOUT_H

#include "cli.h"

enum { FH_CLI_MAX_LAYOUTS = 8 }; /* operands of one instruction */

struct fh_cli_layout {
    size_t index;
    fhec_layout shape;
};

/* Where an element of the operand lives; the arguments are in range by construction. */
fhec_place fh_cli_place(const struct fh_cli_layout *layout, uint32_t row, uint32_t column);
/* What lives there; false for nothing: some operands use some of the lanes. */
bool fh_cli_element(const struct fh_cli_layout *layout, fhec_place place, fhec_element *element);

/* One picture of all the operands given, coloured by lane. */
void fh_cli_layout_svg(const struct fh_cli_layout *layouts, size_t count, FILE *to);

#endif
