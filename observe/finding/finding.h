/*
 * finding.h - what checkers find: one row for each pair of places, however often it happened. The
 * checkers (checker.h) add findings; the tool prints them as text, JSON and SARIF.
 *
 * A finding has a stable id, "C012": the row of its kind in finding_ids.h, which says to which
 * checker it belongs. Its message is one sentence: what was expected, and what came.
 */
#ifndef FH_FINDING_H
#define FH_FINDING_H

#include "fhec_observe.h"

/* In the order of --check's words. */
enum fh_checker {
    FH_CHECK_INIT,
    FH_CHECK_RACE,
    FH_CHECK_SYNC,
    FH_CHECK_ASYNC,
    FH_CHECK_BOUNDS,
    FH_CHECK_OPERANDS,
    FH_CHECK_FRAGMENTS,
    FH_CHECK_LEAKS,
    FH_CHECKERS,
};
#define FH_CHECK_BIT(checker) (1U << (checker))
#define FH_CHECK_ALL          (FH_CHECK_BIT(FH_CHECKERS) - 1)
const char *fh_checker_name(enum fh_checker checker); /* "init" */

/* One instruction of one warp. */
struct fh_place {
    const fhec_program *program; /* NULL: no instruction (the host); different `pc` still make
                                    different places */
    size_t kernel;
    uint64_t launch; /* number of the launch on its machine, from 1 */
    uint32_t block[3], warp;
    uint32_t lanes; /* that it is about */
    uint64_t pc;
    fhec_word word;
};
struct fh_place fh_place_of(const fhec_event *event);

/* One line of a source, and what of the program is told of a place: kept by the findings, so that
 * the program need not live as long. */
struct fh_source_line {
    const char *file;
    uint32_t line;
};
struct fh_place_source {
    const char *kernel;   /* NULL: no instruction */
    const char *text;     /* the instruction's */
    const char *location; /* with the macros that led there (fhec_format_location); "": unknown */
    /* Where it was written, then the lines that led there, innermost first; count 0: unknown. */
    const struct fh_source_line *lines;
    size_t line_count;
};

/* An instruction among those that computed a value; several of one line are one. */
struct fh_computing {
    uint64_t pc;
    struct fh_source_line at; /* file NULL: unknown; filled in by fh_findings_add */
};

enum { FH_FINDING_MESSAGE = 512, FH_FINDING_COMPUTED = 8 };

struct fh_finding {
    unsigned kind;             /* enum fh_finding_kind, finding_ids.h */
    struct fh_place at, other; /* other.program NULL: no other instruction is involved */
    /* The memory that it is about; has_memory false: none. */
    bool has_memory;
    fhec_space space;
    uint64_t address;
    fhec_object object;               /* name NULL: it has none */
    char message[FH_FINDING_MESSAGE]; /* one sentence, without its full stop */
    const char *role;                 /* what `other` did: "was written here"; static; NULL */
    /* The last lines that computed the value, in the kernel of `at`, by pc. */
    struct fh_computing computed_by[FH_FINDING_COMPUTED];
    uint32_t computed_count;
    uint64_t count; /* so often; fh_findings_add counts */
    /* Of `at` and `other`; filled in by fh_findings_add. */
    struct fh_place_source source, other_source;
};

/* The stable id ("C060"), checker and title of a kind. */
const char *fh_finding_id(unsigned kind);
enum fh_checker fh_finding_checker(unsigned kind);
const char *fh_finding_title(unsigned kind);

struct fh_findings;
struct fh_findings *fh_findings_new(void); /* NULL without host memory */
void fh_findings_free(struct fh_findings *findings);
/* Whether one of this kind at these two instructions is there already; then it has been counted.
 * Checkers that make long messages ask first. */
bool fh_findings_again(struct fh_findings *findings, unsigned kind, const struct fh_place *at,
                       const struct fh_place *other);
/* Adds one, or counts it if its kind, kernel and pc and those of `other` are there already. Strings
 * are copied, but for `role`, and the program is asked for what `source` holds: it may end before
 * the findings do. False without host memory. Not thread safe: checkers run on one host thread. */
bool fh_findings_add(struct fh_findings *findings, const struct fh_finding *finding);
/* What an instruction has read depends on the order in which warps run, so that one order does not
 * show all: the first one that was found. NULL: there is none. */
void fh_findings_depend(struct fh_findings *findings, const struct fh_place *at);
const struct fh_place *fh_findings_order(const struct fh_findings *findings);
/* Adds those findings of another run that are not there, in whichever order their places come; how
 * many: *added. False without host memory. */
bool fh_findings_merge(struct fh_findings *findings, const struct fh_findings *more, size_t *added);
size_t fh_findings_count(const struct fh_findings *findings);
/* By kernel, pc and id, whatever the order in which they came. NULL past the end. Valid until the
 * next is added. */
const struct fh_finding *fh_findings_get(struct fh_findings *findings, size_t index);

#endif
