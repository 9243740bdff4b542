/*
 * machine_options.h - the options that every command has which runs kernels.
 */
#ifndef FH_CLI_MACHINE_OPTIONS_H
#define FH_CLI_MACHINE_OPTIONS_H

#include <argp.h>

#include "cli.h"
#include "patch_option.h"

enum fh_cli_stats { FH_CLI_STATS_NONE, FH_CLI_STATS_TEXT, FH_CLI_STATS_JSON };

struct fh_cli_machine {
    fhec_machine_options options;
    enum fh_cli_stats stats;
    uint64_t max_steps; /* 0: no limit */
    bool seeded;        /* --seed-machine: placement, contents and order follow from `seed` */
    uint64_t seed;
    bool seed_is_told; /* by the command: no message of it */
    struct fh_cli_patches patches;
};
extern const struct argp fh_cli_machine_argp;      /* its input is a struct fh_cli_machine */
extern const struct argp fh_cli_bare_machine_argp; /* the same without --stats */

/* A machine on which nothing is as a program would like it that relies on what is not promised:
 * buffers across multiples of 2^32, registers and memory full of a pattern, warps and blocks in
 * another order, all of it as the seed decides. An order that has been chosen stays. */
void fh_cli_machine_seed(fhec_machine_options *options, uint64_t seed);

/* Makes the machine and switches counting on if statistics were asked for. */
fhec_status fh_cli_machine_new(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               fhec_machine **machine);

#endif
