/*
 * origins_svg.h - fragments with the values and origins that they had in a run, as a picture.
 */
#ifndef FH_CLI_ORIGINS_SVG_H
#define FH_CLI_ORIGINS_SVG_H

#include <stdio.h>

#include "origin_survey.h"

/* One panel for each row of the survey that is a fragment, one below the other. Elements that do
 * not follow the map have a frame. */
void fh_cli_origins_svg(const struct fh_survey *survey, FILE *to);

#endif
