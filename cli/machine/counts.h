/*
 * counts.h - instruction counts of several machines, or of one process after another, added up.
 */
#ifndef FH_CLI_COUNTS_H
#define FH_CLI_COUNTS_H

#include <jansson.h>

#include "cli.h"

/* All zero at first. stats.counts is sorted by mnemonic; it and its texts are the struct's own. */
struct fh_cli_counts {
    fhec_stats stats;
    fhec_count *counts; /* what stats.counts is */
};

/* sum += more; false without memory, when sum is not to be used but for freeing it. */
bool fh_cli_counts_add(struct fh_cli_counts *sum, const fhec_stats *more);
void fh_cli_counts_free(struct fh_cli_counts *counts); /* zero again */

/* As an object, the caller's; NULL without memory. */
json_t *fh_cli_counts_json(const struct fh_cli_counts *counts);
/* counts += what such an object has; false when it is none, or without memory. */
bool fh_cli_counts_read(const json_t *object, struct fh_cli_counts *counts);

#endif
