/*
 * statistics.h - what a run prints at its end: hashes and instruction counts.
 */
#ifndef FH_CLI_STATISTICS_H
#define FH_CLI_STATISTICS_H

#include <jansson.h>

#include "machine_options.h"

/* Named hashes that go out with the statistics, or alone. */
struct fh_cli_hash {
    const char *name; /* NULL: the only one, printed without a name */
    char hex[33];
};
/* Prints the hashes and the statistics that were asked for; in JSON one object holds them all,
 * and these members, if any (an object, which stays the caller's). `machine` may be NULL: no counts
 * then. */
fhec_status fh_cli_print_statistics(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                                    fhec_machine *machine, double wall_seconds,
                                    const struct fh_cli_hash *hashes, size_t hash_count,
                                    json_t *members);

/* The same of counts that need not be those of one machine, without hashes; in JSON the object
 * holds these members, too (an object, which stays the caller's). */
fhec_status fh_cli_print_statistics_and(const struct fh_cli *cli,
                                        const struct fh_cli_machine *settings,
                                        const fhec_stats *stats, double wall_seconds,
                                        json_t *members);

#endif
