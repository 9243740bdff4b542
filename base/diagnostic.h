/*
 * diagnostic.h - one row of a table of diagnostics: what the assembler, the reader of objects and
 * the checker of scheduling fields keep of each of theirs.
 */
#ifndef FH_DIAGNOSTIC_H
#define FH_DIAGNOSTIC_H

#include "fhec.h"

struct fh_diagnostic_row {
    const char *id; /* stable: "E014" */
    fhec_severity severity;
    const char *text; /* a template, whose marks are the table's own */
};

/* For lists of DIAGNOSTIC(name, id, severity, text). */
#define FH_DIAGNOSTIC_ROW(name, id, severity, text) {id, FHEC_##severity, text},

#endif
