/*
 * why_run.h - what `fhec why` asks of a run: the journal of what ran, and the tree of one element.
 * A command that is asked has the question in its struct fh_cli, and answers it instead of doing
 * what else it would:
 *
 *     fh_cli_why_begin -> launches -> fh_cli_why_buffer or fh_cli_why_plan
 */
#ifndef FH_CLI_WHY_RUN_H
#define FH_CLI_WHY_RUN_H

#include "buffers.h"
#include "host_reads.h"
#include "slice.h"

struct fh_cli_question {
    const char *element; /* "BUFFER[i]" */
    struct fh_slice_limits limits;
    size_t format;   /* 0: text, 1: JSON, 2: for Graphviz */
    uint64_t memory; /* bytes that the journal may take */
};

/* Keeps what the machine runs from now on. */
fhec_status fh_cli_why_begin(const struct fh_cli *cli, fhec_machine *machine,
                             struct fh_journal **journal);
/* Prints the tree of an element of the buffers, which have been read back. */
fhec_status fh_cli_why_buffer(const struct fh_cli *cli, struct fh_journal *journal,
                              const struct fh_cli_memory *memory);

/* The result of launches that a plan made: "result[i]", "result[limb, i]", or an element of one of
 * the buffers that the plan had in the machine, by its name there. */
struct fh_cli_why_plan {
    const uint64_t *result;
    size_t count, columns;
    unsigned width;                        /* bytes of an element */
    const struct fh_cli_host_reads *reads; /* from where the result came */
};
fhec_status fh_cli_why_plan(const struct fh_cli *cli, struct fh_journal *journal,
                            const struct fh_cli_why_plan *plan);

#endif
