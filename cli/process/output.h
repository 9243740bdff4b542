/*
 * output.h - output files: each appears complete or not at all.
 *
 *     add (every file, before anything runs) -> write -> print to stdout -> commit, or discard
 *
 * A file is written under a temporary name beside its place and renamed at commit, with the mode
 * and owner of the file that it replaces; symbolic links stay and lead to the new contents. A file
 * that renaming would separate from its other names, its owner or its access list is rewritten in
 * place at commit. Devices, pipes and whatever standard output is get the bytes at once.
 */
#ifndef FH_CLI_OUTPUT_H
#define FH_CLI_OUTPUT_H

#include <stdio.h>
#include <sys/stat.h>

#include "cli.h"

struct json_t;

enum fh_cli_output_method {
    FH_CLI_OUTPUT_RENAME,
    FH_CLI_OUTPUT_IN_PLACE,
    FH_CLI_OUTPUT_STDOUT,
    FH_CLI_OUTPUT_STREAM /* any other device or pipe */
};

/* Which file a name stands for, or which it would create: an entry of a folder. */
struct fh_cli_file_identity {
    dev_t device;
    ino_t inode;      /* of the file, or of the folder that it would be in */
    const char *name; /* in that folder; NULL if the file exists */
};

struct fh_cli_output {
    char *path;   /* as the user calls it */
    char *target; /* the same after all symbolic links */
    enum fh_cli_output_method method;
    struct fh_cli_file_identity identity; /* of RENAME and IN_PLACE */
    struct stat old;                      /* of the file that is there; st_nlink 0: none is */
    char *temporary;                      /* RENAME, once written: temporary.h has it */
    uint8_t *bytes;                       /* IN_PLACE, once written */
    size_t length;
};

struct fh_cli_outputs {
    struct fh_cli_output *files;
    size_t count;
};

/* One more output, "-" being stdout. FHEC_BAD_INPUT if it is the same file as one before, under
 * whatever name; FHEC_HOST_ERROR if it cannot be written. Either has been said. */
fhec_status fh_cli_output_add(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path);
/* FHEC_BAD_INPUT, said, if one of them is the file `input`, which is not to be overwritten. */
fhec_status fh_cli_output_spare(const struct fh_cli *cli, const struct fh_cli_outputs *outputs,
                                const char *input);
/* Gives the file that was added as `path` its contents. */
fhec_status fh_cli_output_write(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                                const char *path, const void *bytes, size_t length);
/* Opens the file that was added as `path`, whose bytes are written as they come; the caller closes
 * it. With `whole`, one that can be replaced appears at commit; all else is emptied at once. NULL:
 * it cannot be written, which has been said. */
FILE *fh_cli_output_open(const struct fh_cli *cli, struct fh_cli_outputs *outputs, const char *path,
                         bool whole);
/* Flushes stdout, and if nothing printed there was lost, puts the files into their places. Frees
 * the outputs in any case, as discard does, which leaves no file. */
fhec_status fh_cli_output_commit(const struct fh_cli *cli, struct fh_cli_outputs *outputs);
void fh_cli_output_discard(struct fh_cli_outputs *outputs);

/* All of that for one file whose contents are there. */
fhec_status fh_cli_output_file(const struct fh_cli *cli, const char *path, const void *bytes,
                               size_t length);

/* Prints an object, by flags of json_dumps, and the end of the line, and releases it. False: it is
 * NULL, there is no memory, or a text in it is no UTF-8; nothing has been printed. */
bool fh_cli_print_json(FILE *to, struct json_t *object, size_t flags);

/* Flushes stdout; FHEC_HOST_ERROR if anything printed there was lost, which is said once. */
fhec_status fh_cli_flush(const struct fh_cli *cli);
/* From now on the process ends with status 4 when it loses what was printed, also where argp ends
 * it (--help). `cli` must live as long as the process. */
void fh_cli_flush_at_exit(const struct fh_cli *cli);

#endif
