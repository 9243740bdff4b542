/*
 * diagnose.h - reports of errors and warnings: from a source span and a row of diagnostics.def to
 * the caller's callback.
 */
#ifndef FH_DIAGNOSE_H
#define FH_DIAGNOSE_H

#include "asm_limits.h"
#include "nearest.h"
#include "source.h"

struct fh_asm;
struct fh_pending;

enum fh_diagnostic {
#define DIAGNOSTIC(name, id, severity, text) FH_D_##name,
#include "diagnostics.def"
#undef DIAGNOSTIC
    FH_D_COUNT
};

struct fh_reports {
    unsigned errors;
    const char *notes[FH_MAX_NOTES]; /* for the next report */
    size_t note_count;
    struct fh_pending *pending; /* those from within a repetition; FH_MAX_PENDING of them */
    size_t pending_count;
    unsigned repeated; /* how many were only counted */
};

/* The id ("E014") of a diagnostic; for tests. */
const char *fh_diagnostic_id(enum fh_diagnostic d);

/* %1, %2, %3 of the row are x, y, z. Notes collected by fh_note go with it. */
void fh_report(struct fh_asm *a, enum fh_diagnostic d, struct fh_span at, const char *x,
               const char *y, const char *z);
void fh_note(struct fh_asm *a, const char *text);
/* Adds the note "a ... with a similar name exists: `X`" if there is one. */
void fh_nearest_note(struct fh_asm *a, const struct fh_nearest *n, const char *what,
                     const char *prefix);
/* Delivers the diagnostics from within repetitions, if none is open any more. */
void fh_report_pending(struct fh_asm *a);

#endif
