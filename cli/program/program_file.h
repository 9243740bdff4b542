/*
 * program_file.h - programs from a file: an object as it is, those of a library, or a source
 * assembled in memory; the options that say which file, and how it is assembled.
 */
#ifndef FH_CLI_PROGRAM_FILE_H
#define FH_CLI_PROGRAM_FILE_H

#include <argp.h>

#include "cli.h"
#include "kernel_names.h"

struct fh_cli_outputs; /* output.h */

/* What was read under a name that the program knows: from which path, the last time, and the text,
 * ended by a NUL. NULL: there were several. */
struct fh_cli_text {
    char *name, *path, *text;
};
/* A file with a program; include_dirs and defines serve the assembler. */
struct fh_cli_source {
    const char *path;
    bool optional;     /* set by the command: there may be no FILE */
    bool several;      /* set by the command: FILE may be given more than once ... */
    const char **more; /* ... and these are the others */
    size_t more_count;
    const char **include_dirs;
    size_t include_count;
    const char **defines;
    size_t define_count;
    struct fh_cli_text *texts; /* a source that was loaded, and what it includes */
    size_t text_count;
    /* Of a file with several objects (fat_binary.h): */
    unsigned architecture; /* --arch; 0: 80 */
    uint64_t object;       /* --object, counted from 1; 0: not given */
    const char *kernel;    /* the command's: of the objects, the first one with it; NULL: any */
    char *shown;           /* what the object in hand is called in messages */
};
/* FILE, which must be given, -I, -D, --arch and --object; its input is a struct fh_cli_source. */
extern const struct argp fh_cli_source_argp;
void fh_cli_source_free(struct fh_cli_source *source);
/* Turns to the next FILE: its path is set, the texts of the one before are forgotten. False: there
 * is none. */
bool fh_cli_source_next(struct fh_cli_source *source, size_t *index);
/* FHEC_BAD_INPUT, said, if an output would overwrite the file or one that it includes. */
fhec_status fh_cli_source_spare(const struct fh_cli *cli, const struct fh_cli_source *source,
                                const struct fh_cli_outputs *outputs);
/* A copy of the line of a location, without its end; NULL if it is not known. */
char *fh_cli_source_line(const struct fh_cli_source *source, const fhec_location *at);
/* Reads an object file, or assembles a source (told apart by the ELF magic); of a fat binary, the
 * object that the options or source->kernel choose, or its only one. Everything wrong has been said
 * when this fails. cli->file is the path from then on. */
fhec_status fh_cli_load(struct fh_cli *cli, struct fh_cli_source *source, fhec_program **program);

/* The same for every object with kernels that the options leave: calls `each` with one program
 * after another, until one fails worse than FHEC_DIFFERS. The worst of their statuses. */
typedef fhec_status fh_cli_program_fn(void *user, const fhec_program *program);
fhec_status fh_cli_load_each(struct fh_cli *cli, struct fh_cli_source *source,
                             fh_cli_program_fn *each, void *user);
/* Adds all these programs to a list, which is freed by fh_cli_programs_free in any case. */
fhec_status fh_cli_load_all(struct fh_cli *cli, struct fh_cli_source *source,
                            struct fh_cli_programs *programs);
/* The program that fh_cli_load gives; or if there are several FILEs, all that are in them. The
 * texts of all are kept. */
fhec_status fh_cli_load_files(struct fh_cli *cli, struct fh_cli_source *source,
                              struct fh_cli_programs *programs);
void fh_cli_programs_free(struct fh_cli_programs *programs);

#endif
