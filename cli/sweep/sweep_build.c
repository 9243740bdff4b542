/*
 * sweep_build.c - see sweep_build.h.
 */
#include "sweep_build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "golden.h"

bool fh_cli_sweep_hash_file(int file, char hash[FH_CLI_SWEEP_HASH]) {
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    const size_t length = (size_t)status.st_size;
    void *bytes = length ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    if (bytes == MAP_FAILED)
        return false;
    fh_golden_hash_bytes(bytes, length, hash);
    if (length)
        munmap(bytes, length);
    return true;
}

static bool wrong(char why[FH_CLI_SWEEP_WHY], const char *path, const char *what) {
    snprintf(why, FH_CLI_SWEEP_WHY, "%s: %s", path, what);
    return false;
}

/* The executable itself, or that of a folder; malloc'd. NULL with `why`. */
static char *executable(const char *path, char why[FH_CLI_SWEEP_WHY]) {
    struct stat status;
    char *name;
    const bool there = stat(path, &status) == 0;
    if (asprintf(&name, there && S_ISDIR(status.st_mode) ? "%s/fhec" : "%s", path) < 0) {
        wrong(why, path, strerror(ENOMEM));
        return NULL;
    }
    if (access(name, X_OK) == 0)
        return name;
    const int error = errno;
    snprintf(why, FH_CLI_SWEEP_WHY,
             error == ENOENT ? "there is no %s; `make ISA=FILE.isa O=FOLDER` builds a fhec with "
                               "instructions of one's own"
                             : "%s: %s",
             name, strerror(error));
    free(name);
    return NULL;
}

bool fh_cli_sweep_build_open(struct fh_cli_sweep_build *build, const char *path,
                             char why[FH_CLI_SWEEP_WHY]) {
    build->file = -1;
    build->path = path ? executable(path, why) : NULL;
    if (path && !build->path)
        return false;
    const char *name = path ? build->path : "/proc/self/exe";
    build->file = open(name, O_RDONLY | O_CLOEXEC);
    if (build->file < 0 || !fh_cli_sweep_hash_file(build->file, build->hash))
        return wrong(why, name, strerror(errno));
    return true;
}

void fh_cli_sweep_build_close(struct fh_cli_sweep_build *build) {
    if (build->file >= 0)
        close(build->file);
    build->file = -1;
    free(build->path);
    free(build->name);
}
