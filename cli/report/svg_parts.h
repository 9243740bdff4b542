/*
 * svg_parts.h - what drawings of numbers have in common: the sheet, colours, ticks of axes.
 */
#ifndef FH_CLI_SVG_PARTS_H
#define FH_CLI_SVG_PARTS_H

#include <stddef.h>
#include <stdio.h>

/* The beginning of a drawing, in pixels, on white, with text in one family, classes "head" (bold,
 * 20 px), "title" (bold, 14 px), "tick", "grid", and more rules of CSS. "</svg>" is the caller's.
 */
void fh_cli_svg_begin(FILE *to, int width, int height, const char *rules);

/* Text with the characters of XML replaced. */
void fh_cli_svg_text(FILE *to, const char *text);

/* Colours that differ for colour-blind readers too; there are six, then they come again. */
enum { FH_CLI_SVG_COLORS = 6 };
const char *fh_cli_svg_color(size_t index);

/* Between ticks of a linear axis from 0 to `most`: 1, 2 or 5 times a power of ten, so that at most
 * six of them fit. */
double fh_cli_svg_step(double most);

/* "5 M", "20 k", "0.25". */
enum { FH_CLI_SVG_NUMBER = 32 };
void fh_cli_svg_number(double value, char text[FH_CLI_SVG_NUMBER]);

#endif
