/*
 * report_form.h - the four forms of the report, and what they share: names of kernels, the
 * published figures, and notes on where ours differ.
 */
#ifndef FH_CLI_REPORT_FORM_H
#define FH_CLI_REPORT_FORM_H

#include "cli.h"
#include "comparison.h"
#include "report_apps.h"

struct fh_cli_report_view {
    const struct fh_comparison_params *params;
    const struct fh_comparison *report; /* without rows where only applications are asked for */
    /* Rotate of the published shape, which is not the report's; without rows where nothing is
     * beside it. */
    const struct fh_comparison *rotate;
    const struct fh_cli_apps *apps;
};

/* The map's row; NULL if it is not in the report. */
const struct fh_comparison_row *fh_cli_report_row(const struct fh_cli_report_view *view,
                                                  const char *map);
/* Whether the map has any of the kernels: others are in the report for multi-word products only. */
bool fh_cli_report_has_kernels(const struct fh_comparison_row *row);
/* The cell of a map; NULL if the map is not in the report or lacks the kernel. */
const struct fh_comparison_cell *fh_cli_report_cell(const struct fh_cli_report_view *view,
                                                    const char *map,
                                                    enum fh_comparison_kernel kernel);
uint64_t fh_cli_report_warp(const struct fh_comparison_cell *cell);   /* 0 for NULL */
uint64_t fh_cli_report_thread(const struct fh_comparison_cell *cell); /* 0 for NULL */
/* "HEMult", "NTT". */
const char *fh_cli_report_short(enum fh_comparison_kernel kernel);
/* "HEMult without Rescale, N = 2^16, 27 limbs, alpha 9, dnum 3". */
void fh_cli_report_title(const struct fh_cli_report_view *view, enum fh_comparison_kernel kernel,
                         char *text, size_t size);

/* ---------------------------------------------------------------- published figures */

/* What each of the ratios divides: the count of this map by that of the row. */
#define FH_CLI_REPORT_BASES "cuda64", "imma16"
enum { FH_CLI_REPORT_BASE_COUNT = 2 };

/* A kernel of N = 2^16 as the FHECore paper counts and times it (Tables VI and VII), and as
 * FIDESlib, the library that the paper counts, executes it: counted by `fhec cuda` (docs/own-code).
 * The paper does not say how many limbs there are; its counts are met at these. */
struct fh_cli_published {
    enum fh_comparison_kernel kernel;
    size_t limbs, alpha, dnum;   /* 0: one limb, of any chain */
    uint64_t baseline, fhec;     /* warp instructions; 0: not published */
    uint64_t fideslib[2];        /* the same of its commits 873c577 and 786c760 */
    double baseline_us, fhec_us; /* 0: not published */
};
enum { FH_CLI_PUBLISHED_COUNT = 5 };
extern const struct fh_cli_published fh_cli_published[FH_CLI_PUBLISHED_COUNT];
/* The maps that answer to them. */
#define FH_CLI_PUBLISHED_BASELINE "cuda64"
#define FH_CLI_PUBLISHED_FHEC     "fhec16"
/* The maps that stand beside the library. */
enum { FH_CLI_PUBLISHED_MAP_COUNT = 3 };
extern const char *const fh_cli_published_maps[FH_CLI_PUBLISHED_MAP_COUNT];
/* The map's kernel of that shape, on its own; NULL: the report has none. */
const struct fh_comparison_cell *fh_cli_published_cell(const struct fh_cli_report_view *view,
                                                       const struct fh_cli_published *published,
                                                       const char *map);
/* Whether all of the report's kernels have its shape; whether at least this one has. */
bool fh_cli_published_has_shape(const struct fh_cli_report_view *view,
                                const struct fh_cli_published *published);
bool fh_cli_published_applies(const struct fh_cli_report_view *view,
                              const struct fh_cli_published *published);
/* "11 + 4 limbs, dnum 3", "one limb". */
void fh_cli_published_shape(const struct fh_cli_published *published, char *text, size_t size);
/* (ours - published) / published. */
double fh_cli_published_difference(uint64_t ours, uint64_t published);

/* Sentences on every figure that differs by more than a tenth from the published one, made from
 * counts of this report. The topic is a map, or "reduction" for the quotient of both. The text is
 * valid during the call. */
typedef void fh_cli_say(void *user, enum fh_comparison_kernel kernel, const char *topic,
                        const char *text);
void fh_cli_report_notes(const struct fh_cli_report_view *view, fh_cli_say *say, void *user);

/* ---------------------------------------------------------------- forms; false: no memory */

/* {"warp": {...}, ...}: counts of all classes, as all objects of the report have them. */
json_t *fh_cli_report_counts_json(const struct fh_part_profile *part);
json_t *fh_cli_report_apps_json(const struct fh_cli_apps *apps);

bool fh_cli_report_text(const struct fh_cli_report_view *view, FILE *to, bool markdown);
bool fh_cli_report_json(const struct fh_cli_report_view *view, FILE *to);
bool fh_cli_report_svg(const struct fh_cli_report_view *view, FILE *to);

#endif
