/*
 * layout_svg.h - one picture of all operands of an instruction, coloured by lane.
 */
#ifndef FH_CLI_LAYOUT_SVG_H
#define FH_CLI_LAYOUT_SVG_H

#include <stdio.h>

#include "operand_layout.h"

void fh_cli_layout_svg(const struct fh_cli_layout *layouts, size_t count, FILE *to);

/* Lanes of a group of four share a hue; the lane in its group sets the lightness. The eight hues
 * are spread so that neighbours differ for colour-blind readers too; lightness alternates. */
void fh_cli_lane_color(uint32_t lane, char color[16]);

#endif
