/*
 * layout_svg.h - one picture of all operands of an instruction, coloured by lane.
 */
#ifndef FH_CLI_LAYOUT_SVG_H
#define FH_CLI_LAYOUT_SVG_H

#include <stdio.h>

#include "operand_layout.h"

void fh_cli_layout_svg(const struct fh_cli_layout *layouts, size_t count, FILE *to);

#endif
