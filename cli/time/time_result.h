/*
 * time_result.h - what is made of a timer's results by `fhec time`: how they are printed, the
 * timeline, the cycles that are expected.
 */
#ifndef FH_CLI_TIME_RESULT_H
#define FH_CLI_TIME_RESULT_H

#include <argp.h>

#include "time_options.h"

struct fh_cli_time_result {
    size_t format;
    double expected;      /* cycles; negative: nothing is */
    const char *timeline; /* the file; NULL: none is wanted */
    uint64_t window[2];   /* both 0: not asked for */
    const char *roofline; /* the file; NULL: none is wanted */
    struct fh_issue_log kept;
};
/* --format, --timeline, --timeline-cycles, --roofline, --cycles; its input is a struct
 * fh_cli_time_result. */
extern const struct argp fh_cli_time_result_argp;
void fh_cli_time_result_free(struct fh_cli_time_result *result);

/* "A,B", the smaller one first. */
void fh_cli_pair_option(const struct argp_state *state, const char *option, const char *arg,
                        uint64_t most, uint64_t pair[2]);

/* The timer keeps what the timeline needs, if one is wanted. */
void fh_cli_time_result_keep(struct fh_cli_time_result *result, struct fh_timer *timer);
/* Writes the timeline and the roofline, if they are wanted. */
fhec_status fh_cli_time_result_write(const struct fh_cli *cli, struct fh_cli_time_result *result,
                                     const struct fh_timer *timer);
/* FHEC_DIFFERS, said, if there are other cycles than expected. */
fhec_status fh_cli_time_result_check(const struct fh_cli *cli, double expected, double cycles);

#endif
