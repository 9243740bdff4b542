/*
 * sweep_merge.h - results of several files in one.
 */
#ifndef FH_CLI_SWEEP_MERGE_H
#define FH_CLI_SWEEP_MERGE_H

#include "sweep_store.h"

/* Adds what the other files have and the store has not, or has as failed where they have it as
 * good. Each file is a transaction. */
fhec_status fh_cli_sweep_merge(const struct fh_cli *cli, struct fh_cli_sweep_store *store,
                               char *const *paths, size_t count);

#endif
