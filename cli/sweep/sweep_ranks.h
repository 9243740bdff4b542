/*
 * sweep_ranks.h - a sweep of several processes that mpirun or srun has started: rank 0 reads the
 * plan, keeps the results and runs points like the others, which only run points.
 */
#ifndef FH_CLI_SWEEP_RANKS_H
#define FH_CLI_SWEEP_RANKS_H

#include "sweep_child.h"
#include "sweep_point.h"

struct fh_cli_sweep_ranks;

/* Whether this process is one of several ranks, by the environment that MPI starts them in. */
bool fh_cli_sweep_ranks_there(void);
/* Joins the other ranks. FHEC_BAD_INPUT: this fhec has no MPI, said by one of them. */
fhec_status fh_cli_sweep_ranks_open(const struct fh_cli *cli, struct fh_cli_sweep_ranks **ranks);
/* Leaves them; with a status that is not FHEC_OK, of which the others do not know, ends them. NULL
 * is fine. */
void fh_cli_sweep_ranks_close(struct fh_cli_sweep_ranks *ranks, fhec_status status);
unsigned fh_cli_sweep_ranks_own(const struct fh_cli_sweep_ranks *ranks); /* 0: manager */

/* ---------------------------------------------------------------- the manager's */

/* How many runs are under way elsewhere, and whether another can be given away. */
size_t fh_cli_sweep_ranks_running(const struct fh_cli_sweep_ranks *ranks);
bool fh_cli_sweep_ranks_idle(struct fh_cli_sweep_ranks *ranks);
/* Gives a run to an idle rank. The arguments are those of fh_cli_sweep_arguments. */
fhec_status fh_cli_sweep_ranks_give(struct fh_cli_sweep_ranks *ranks, size_t task,
                                    const struct fh_cli_sweep_build *build, const char *arguments,
                                    double seconds);
/* A result that has come in, with the name of the host that it is from, which is to be freed, like
 * the result. Or, with *lost, a run whose rank has not been heard of for too long. False: none. */
bool fh_cli_sweep_ranks_take(struct fh_cli_sweep_ranks *ranks, struct fh_cli_sweep_end *end,
                             char **host, bool *lost);
/* Tells the others that there is nothing more to run; what they run is ended. */
void fh_cli_sweep_ranks_stop(struct fh_cli_sweep_ranks *ranks);

/* ---------------------------------------------------------------- the others' */

/* Runs what it is given, `jobs` at once, until there is no more. */
fhec_status fh_cli_sweep_ranks_work(struct fh_cli_sweep_ranks *ranks, unsigned jobs);

#endif
