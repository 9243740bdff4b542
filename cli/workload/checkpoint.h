/*
 * checkpoint.h - what is left of a circuit's execution when its process ends, in a folder: which
 * step is next, the values that steps from there on read, and the counts so far.
 *
 *     open -> load, nothing the first time -> save, save, ... -> remove -> close
 *
 * The file is written beside its place, synchronised and renamed: at any time there is a whole one,
 * that of the last save. It ends with its own hash, and has another one of all that the execution
 * follows from. One process at a time has the folder.
 */
#ifndef FH_CLI_CHECKPOINT_H
#define FH_CLI_CHECKPOINT_H

#include "circuit_client.h"
#include "ckks_steps.h"
#include "cli.h"
#include "counts.h"

/* How far an execution is. */
struct fh_cli_run_state {
    size_t next;       /* step */
    size_t primitives; /* that have been executed */
    double seconds;    /* of the machine */
    struct fh_cli_counts counts;
};

/* XXH3-128 of what the limbs and the counts of an execution follow from: version and kernels,
 * circuit, chains, map, seed and inputs, and whether each step is compared. False without memory.
 */
#define FH_CLI_FINGERPRINT_CHARS 33U
bool fh_cli_fingerprint(const struct fh_cli_client *client,
                        const struct fh_ckks_steps_params *params, uint64_t seed, bool verified,
                        char hex[FH_CLI_FINGERPRINT_CHARS]);

struct fh_cli_checkpoint;

/* Makes the folder if there is none and locks it. *checkpoint is the caller's (close), NULL after
 * an error, which has been said: FHEC_HOST_ERROR, or FHEC_BAD_INPUT when another process has it.
 * `what` says in the file what it is of; fingerprint as above. */
fhec_status fh_cli_checkpoint_open(const struct fh_cli *cli, const char *folder, const char *what,
                                   const char *fingerprint, struct fh_cli_checkpoint **checkpoint);
void fh_cli_checkpoint_close(struct fh_cli_checkpoint *checkpoint); /* NULL is fine */

/* values[v], malloc'd, of each value that is there, of the circuit's; *found false and nothing else
 * where there is no checkpoint. FHEC_BAD_INPUT, said: damaged, or of something else. */
fhec_status fh_cli_checkpoint_load(struct fh_cli_checkpoint *checkpoint,
                                   const struct fh_cli_client *client,
                                   struct fh_cli_run_state *state, uint64_t **values, bool *found);

/* Saves what the steps stand before. room: for the largest value. */
fhec_status fh_cli_checkpoint_save(struct fh_cli_checkpoint *checkpoint,
                                   const struct fh_cli_client *client,
                                   const struct fh_cli_run_state *state,
                                   struct fh_ckks_steps *steps, uint64_t *room);

/* The execution has come to its end. */
void fh_cli_checkpoint_remove(struct fh_cli_checkpoint *checkpoint);

#endif
