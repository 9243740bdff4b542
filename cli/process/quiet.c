/*
 * quiet.c - see quiet.h.
 */
#include "quiet.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct fh_cli_quiet fh_cli_quiet_begin(void) {
    struct fh_cli_quiet quiet = {-1};
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return quiet;
    fflush(stdout);
    quiet.standard = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (quiet.standard >= 0)
        dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    return quiet;
}

void fh_cli_quiet_end(struct fh_cli_quiet quiet) {
    if (quiet.standard < 0)
        return;
    fflush(stdout);
    dup2(quiet.standard, STDOUT_FILENO);
    close(quiet.standard);
}
