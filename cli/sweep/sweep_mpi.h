/*
 * sweep_mpi.h - what a sweep needs of MPI: messages of bytes between ranks. The module that has it,
 * fhec_mpi.so, is built by `make MPI=1` (cli/sweep/mpi) and exports one `fh_cli_sweep_mpi`.
 */
#ifndef FH_CLI_SWEEP_MPI_H
#define FH_CLI_SWEEP_MPI_H

#include <stdbool.h>
#include <stddef.h>

struct fh_cli_sweep_mpi {
    bool (*begin)(int *rank, int *count); /* false: MPI does not start */
    void (*end)(void);                    /* all ranks call it */
    void (*abandon)(int status);          /* ends the ranks without their consent, and this one */
    bool (*send)(int to, int tag, const char *bytes, size_t length);
    /* Whether a message is there, and which. */
    bool (*look)(int *from, int *tag, size_t *length);
    bool (*receive)(int from, int tag, char *bytes, size_t length);
};

#endif
