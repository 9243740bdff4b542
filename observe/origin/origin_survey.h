/*
 * origin_survey.h - the maps of all fragments of a run: for each operand and result of each matrix
 * instruction, over all warps, blocks and executions.
 *
 *     A[i][j] = x[16*i + j + 256*warp + 4096*block + 64*n]
 *
 * n counts the executions of the instruction in its warp, from 0.
 */
#ifndef FH_ORIGIN_SURVEY_H
#define FH_ORIGIN_SURVEY_H

#include "fragment_map.h"

/* What is looked at; all zero: every fragment. */
struct fh_survey_select {
    bool one_pc;
    uint64_t pc;
    uint32_t line; /* of the source, where the instruction or what led there stands; 0: any */
    bool one_warp; /* of each block */
    uint32_t warp;
    bool registers; /* registers of the instruction, whatever it is, and not fragments: */
    bool uniform;
    uint32_t reg;
};

/* An element that does not follow the map, the first time; or, of registers, any lane. */
struct fh_survey_element {
    uint32_t row, column, lane, reg;
    char *origin;
    uint64_t value;
    bool misfit;
};

struct fh_survey_row {
    const char *kernel; /* the survey's */
    fhec_location at;   /* file is the survey's; NULL: unknown */
    uint64_t pc;
    char *text;                   /* the instruction's */
    char *operand;                /* "A"; "R10": a register */
    fhec_layout layout;           /* rows 0: of a register */
    uint64_t executions, fitting; /* how often, and how often a map was found */
    char *map;                    /* "x[16*i + j]"; NULL: there is none, or not the same for all */
    struct fh_survey_element *elements; /* of the first execution that has a misfit, or the first */
    size_t element_count;
    uint32_t block[3], warp; /* of that execution */
};

struct fh_survey;
/* From the next launch on. NULL without host memory. */
struct fh_survey *fh_survey_begin(fhec_machine *machine, const struct fh_survey_select *select);
/* No more is surveyed; the rows are complete, by kernel, pc and operand. FHEC_HOST_ERROR: something
 * is missing for want of host memory. */
fhec_status fh_survey_end(struct fh_survey *survey);
size_t fh_survey_count(const struct fh_survey *survey);
const struct fh_survey_row *fh_survey_get(const struct fh_survey *survey, size_t index);
void fh_survey_free(struct fh_survey *survey); /* NULL is allowed */

#endif
