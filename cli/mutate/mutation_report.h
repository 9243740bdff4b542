/*
 * mutation_report.h - what became of the mutants: one after another, survivors with their
 * difference, and the score.
 */
#ifndef FH_CLI_MUTATION_REPORT_H
#define FH_CLI_MUTATION_REPORT_H

#include <jansson.h>

#include "mutants.h"
#include "mutation.h"

enum { FH_CLI_MUTATION_SUSPECTS = 5 };

/* How messages name the place of a mutant, which is its line, its instruction, or one that uses
 * its result. */
struct fh_cli_mutation_naming {
    bool directly;  /* a finding, a fault or the store of the first wrong element tells of it */
    size_t suspect; /* its number among the suspects of a difference, from 1; 0: none of them */
    bool repaired;  /* an edit there makes a difference's result right */
    bool elsewhere; /* an edit at another place does */
};

struct fh_cli_mutation_report {
    const struct fh_cli *cli;
    bool json;
    const struct fh_cli_mutation *mutation;
    const struct fh_cli_mutation_seen *seen;
    const json_t *programs; /* what the run without a mutant has left: texts, kernels, places */
    json_t *survivors;
    size_t told, detected, directly, repaired, elsewhere, failed;
    size_t named[FH_CLI_MUTATION_SUSPECTS]; /* directly, or by one of the first suspects */
};

/* How a mutant ended: the exit status of its run (a time limit is FHEC_CANCELLED), and what it
 * said, as JSON objects, one a line. */
void fh_cli_mutation_report_add(struct fh_cli_mutation_report *report,
                                const struct fh_cli_mutant *mutant, fhec_status status,
                                const char *said);
void fh_cli_mutation_report_end(struct fh_cli_mutation_report *report, uint64_t seed,
                                size_t not_reached);

#endif
