/*
 * sweep_build.h - which fhec runs the points of a sweep: this one, or others beside it, as those
 * with instructions of one's own are. A build is known by the hash of its executable.
 */
#ifndef FH_CLI_SWEEP_BUILD_H
#define FH_CLI_SWEEP_BUILD_H

#include "cli.h"

enum { FH_CLI_SWEEP_HASH = 33 }; /* FH_GOLDEN_HASH_CHARS */

struct fh_cli_sweep_build {
    char *name;                   /* in the plan */
    char *path;                   /* of the executable; NULL: this very fhec */
    char hash[FH_CLI_SWEEP_HASH]; /* XXH3-128 of its bytes, 32 hexadecimal digits */
    int file;                     /* open for execution, whatever becomes of the path; -1: closed */
};

/* Opens what `path` names, an executable or the folder of a build with one (NULL: this very fhec),
 * and fills in all but the name. On false `why` says what is wrong. */
enum { FH_CLI_SWEEP_WHY = 512 };
bool fh_cli_sweep_build_open(struct fh_cli_sweep_build *build, const char *path,
                             char why[FH_CLI_SWEEP_WHY]);
void fh_cli_sweep_build_close(struct fh_cli_sweep_build *build);

/* XXH3-128 of a regular file's bytes; false with errno. */
bool fh_cli_sweep_hash_file(int file, char hash[FH_CLI_SWEEP_HASH]);

#endif
