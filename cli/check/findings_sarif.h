/*
 * findings_sarif.h - findings as a log of SARIF 2.1.0, which editors and code hosts show.
 */
#ifndef FH_CLI_FINDINGS_SARIF_H
#define FH_CLI_FINDINGS_SARIF_H

#include "findings_text.h"
#include "suppressions.h"

/* An array of them; those that are suppressed are in it, as such. NULL without memory. */
json_t *fh_cli_sarif_results(const struct fh_cli_findings_form *form, struct fh_findings *findings,
                             struct fh_cli_suppressions *suppressions);
/* The whole log, malloc'd. NULL without memory. */
char *fh_cli_findings_sarif(const struct fh_cli_findings_form *form, struct fh_findings *findings,
                            struct fh_cli_suppressions *suppressions);

/* Parts of such logs. The log takes both arrays; `more` are rules behind those of findings, and may
 * be NULL. */
char *fh_cli_sarif_log(json_t *results, json_t *more);
json_t *fh_cli_sarif_rule(const char *id, const char *name, const char *title);
json_t *fh_cli_sarif_uri(const char *path);

#endif
