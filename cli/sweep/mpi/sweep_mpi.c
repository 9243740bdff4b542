/*
 * sweep_mpi.c - see sweep_mpi.h.
 */
#include "sweep_mpi.h"

#include <limits.h>
#include <mpi.h>

static bool begin(int *rank, int *count) {
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return false;
    /* A rank that is lost need not be the end, where MPI can go on without it. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, count) == MPI_SUCCESS;
}

static void end(void) {
    MPI_Finalize();
}

static void abandon(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

static bool send(int to, int tag, const char *bytes, size_t length) {
    return length <= INT_MAX &&
           MPI_Send(bytes, (int)length, MPI_BYTE, to, tag, MPI_COMM_WORLD) == MPI_SUCCESS;
}

static bool look(int *from, int *tag, size_t *length) {
    MPI_Status status;
    int there = 0, bytes = 0;
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS ||
        !there || MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS)
        return false;
    *from = status.MPI_SOURCE;
    *tag = status.MPI_TAG;
    *length = (size_t)bytes;
    return true;
}

static bool receive(int from, int tag, char *bytes, size_t length) {
    return MPI_Recv(bytes, (int)length, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
           MPI_SUCCESS;
}

extern const struct fh_cli_sweep_mpi fh_cli_sweep_mpi;
__attribute__((visibility("default")))
const struct fh_cli_sweep_mpi fh_cli_sweep_mpi = {begin, end, abandon, send, look, receive};
