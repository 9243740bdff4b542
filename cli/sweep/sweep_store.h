/*
 * sweep_store.h - the file that keeps what is known of runs: SQLite, one row a run, keyed by build,
 * command, options and hashes of files. Whoever writes has the file for himself; others may read.
 *
 * Each result is a transaction. The file is in WAL mode: what a process that is killed has
 * committed is there when the file is opened next.
 */
#ifndef FH_CLI_SWEEP_STORE_H
#define FH_CLI_SWEEP_STORE_H

#include "sweep_point.h"

/* The result of a run. Texts may be NULL. */
struct fh_cli_sweep_result {
    bool good;          /* exit status 0 and, of a command with statistics, a JSON object printed */
    const char *reason; /* why it is not good: "exit status 2", "signal 11", "timeout", ... */
    int status, signal;
    unsigned attempts; /* how many times it was started, as its worker was killed the others */
    double seconds, user_s, system_s;
    uint64_t peak_kib;
    const char *host, *ended; /* "2026-11-27T07:30:00Z" */
    const char *stats;        /* what it printed, if that is JSON */
    const char *output;       /* if it is not */
    const char *err;
};

/* A run as it is kept. Valid during the call. */
struct fh_cli_sweep_row {
    const char *build, *build_name; /* hash, name in the plan */
    struct fh_cli_sweep_key key;
    struct fh_cli_sweep_result result;
};
/* Not FHEC_OK: enough. */
typedef fhec_status fh_cli_sweep_row_fn(void *user, const struct fh_cli_sweep_row *row);

struct fh_cli_sweep_store;
/* Opens the file; to write, makes it if there is none and locks it. FHEC_HOST_ERROR: it cannot be
 * opened, is something else, or somebody else writes it. FHEC_BAD_INPUT: to read, there is none. */
fhec_status fh_cli_sweep_store_open(const struct fh_cli *cli, const char *path, bool write,
                                    struct fh_cli_sweep_store **store);
void fh_cli_sweep_store_close(struct fh_cli_sweep_store *store); /* NULL is fine */

/* All of them say what goes wrong, FHEC_HOST_ERROR. After a failure to write, as on a full disk,
 * what had been written is there. */
enum fh_cli_sweep_known { FH_CLI_SWEEP_NEW, FH_CLI_SWEEP_GOOD, FH_CLI_SWEEP_FAILED };
fhec_status fh_cli_sweep_store_known(struct fh_cli_sweep_store *store, const char *build,
                                     const struct fh_cli_sweep_key *key,
                                     enum fh_cli_sweep_known *known);
/* Replaces what there was. */
fhec_status fh_cli_sweep_store_put(struct fh_cli_sweep_store *store, const char *build,
                                   const char *build_name, const struct fh_cli_sweep_key *key,
                                   const struct fh_cli_sweep_result *result);
/* Between the two what is put is one transaction, or nothing if the process ends. */
fhec_status fh_cli_sweep_store_begin(struct fh_cli_sweep_store *store);
fhec_status fh_cli_sweep_store_end(struct fh_cli_sweep_store *store);
/* Calls `row` for the run if it is known. */
fhec_status fh_cli_sweep_store_get(struct fh_cli_sweep_store *store, const char *build,
                                   const struct fh_cli_sweep_key *key, fh_cli_sweep_row_fn *row,
                                   void *user);
/* For all runs, in an order that does not depend on that in which they ended. */
fhec_status fh_cli_sweep_store_each(struct fh_cli_sweep_store *store, fh_cli_sweep_row_fn *row,
                                    void *user);

#endif
