/*
 * other_command.h - commands that have another command do its work in front of them: `fhec debug`,
 * `why`, `mutate` and `dap`. Which those are, and whose the arguments are.
 *
 *     fhec debug ckks hemult --batch --limbs 3    debug --batch    ckks hemult --limbs 3
 */
#ifndef FH_CLI_OTHER_COMMAND_H
#define FH_CLI_OTHER_COMMAND_H

#include <argp.h>

#include "cli.h"

struct fh_cli_other {
    const char *name, *full; /* "ntt", "fhec ntt" */
    fh_cli_command *run;
};

/* `test`, `ntt`, `bconv`, `eltwise`, `ckks` and `bigint`; NULL: it is none of them. */
const struct fh_cli_other *fh_cli_other_find(const char *name);

/* How many arguments an option of the table is that begins with `arg`; 0: it is none of the table.
 * `more`: there is an argument behind it. */
int fh_cli_own_option(const struct argp_option *options, const char *arg, bool more);

/* Arguments as main gets them: the first one is the name of the command. */
struct fh_cli_split {
    int mine_count, their_count;
    char **mine, **theirs; /* `theirs` has room for two more */
};

/* Options of the table are this command's wherever they stand, as are the name and all arguments
 * before argv[from]; all others are the other's, whose name is the first of them. To be freed even
 * after an error, which has been said: no host memory. */
fhec_status fh_cli_split(const struct fh_cli *cli, const struct argp_option *options, int argc,
                         char **argv, int from, struct fh_cli_split *split);
void fh_cli_split_free(struct fh_cli_split *split);

/* Runs it with its arguments; messages are its own from here on. */
fhec_status fh_cli_other_run(struct fh_cli *cli, const struct fh_cli_other *other,
                             const struct fh_cli_split *split);

#endif
