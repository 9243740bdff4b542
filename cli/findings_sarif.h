/*
 * findings_sarif.h - findings as a log of SARIF 2.1.0, which editors and code hosts show.
 */
#ifndef FH_CLI_FINDINGS_SARIF_H
#define FH_CLI_FINDINGS_SARIF_H

#include "findings_text.h"
#include "suppressions.h"

/* The whole log, malloc'd; those that are suppressed are in it, as such. NULL without memory. */
char *fh_cli_findings_sarif(const struct fh_cli_findings_form *form, struct fh_findings *findings,
                            struct fh_cli_suppressions *suppressions);

#endif
