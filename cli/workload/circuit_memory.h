/*
 * circuit_memory.h - how much memory executing a circuit takes, host and guest together.
 */
#ifndef FH_CLI_CIRCUIT_MEMORY_H
#define FH_CLI_CIRCUIT_MEMORY_H

#include "ckks_steps.h"
#include "cli.h"

struct fh_cli_memory_use {
    size_t host_keys; /* at most so many are kept */
    size_t ahead;     /* values that the reference may be ahead; 0: there is none */
};

/* An estimate in bytes, from the shapes of the circuit: tables, keys, plaintexts, values at the
 * most crowded step. The map of params must be known. */
double fh_cli_memory_estimate(const struct fh_ckks_steps_params *params,
                              const struct fh_cli_memory_use *use);

/* FHEC_HOST_ERROR, said, when the estimate is more than what the machine has left
 * (/proc/meminfo's MemAvailable) or the process may have (RLIMIT_AS). */
fhec_status fh_cli_memory_check(const struct fh_cli *cli, const struct fh_ckks_steps_params *params,
                                const struct fh_cli_memory_use *use);

#endif
