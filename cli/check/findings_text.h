/*
 * findings_text.h - a finding as lines for people and as an object for programs.
 */
#ifndef FH_CLI_FINDINGS_TEXT_H
#define FH_CLI_FINDINGS_TEXT_H

#include <jansson.h>
#include <stdio.h>

#include "buffers.h"
#include "finding.h"

/* How findings are told. */
struct fh_cli_findings_form {
    const struct fh_cli *cli;
    unsigned warnings;                  /* FH_CHECK_BITs whose findings are warnings */
    const struct fh_cli_memory *memory; /* whose buffers have shapes; NULL: none have */
};

/* "out[2, 3]", by the shape of its buffer; else "out[17]" or "out+13"; nothing without memory. */
void fh_cli_finding_memory(const struct fh_cli_findings_form *form, const struct fh_finding *f,
                           char *text, size_t size);
void fh_cli_print_finding(FILE *to, const struct fh_cli_findings_form *form,
                          const struct fh_finding *f);
/* The keys are part of the tool's interface: docs/checks.md. NULL without memory, or if a text is
 * not UTF-8. */
json_t *fh_cli_finding_json(const struct fh_cli_findings_form *form, const struct fh_finding *f);

#endif
