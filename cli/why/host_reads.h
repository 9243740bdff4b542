/*
 * host_reads.h - from where in a machine a workload has read its result: which of the host's reads
 * brought an element. The plans of programs/ keep to themselves where they put their data.
 */
#ifndef FH_CLI_HOST_READS_H
#define FH_CLI_HOST_READS_H

#include "cli.h"

struct fh_cli_host_reads;

/* Keeps the newest `most` bytes that the host reads, and from where. NULL without host memory. */
struct fh_cli_host_reads *fh_cli_host_reads_begin(fhec_machine *machine, size_t most);
/* Looks for the newest read that brought `result`[index], by the values that came with it: elements
 * of `width` bytes of an array of `count`, which was read whole or in equal parts, or else, where
 * the host arranged them anew, by its own value if no other element of the read has that. Sets the
 * global address and which elements are there. */
bool fh_cli_host_reads_find(const struct fh_cli_host_reads *reads, const uint64_t *result,
                            size_t count, unsigned width, size_t index, uint64_t *address,
                            size_t *first, size_t *length);
void fh_cli_host_reads_free(struct fh_cli_host_reads *reads); /* NULL is allowed */

#endif
