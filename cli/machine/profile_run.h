/*
 * profile_run.h - --profile: where the instructions of launches go, counted while a command runs
 * kernels and written at its end.
 *
 *     parse -> open -> (attach -> launches -> detach) for each machine -> close
 */
#ifndef FH_CLI_PROFILE_RUN_H
#define FH_CLI_PROFILE_RUN_H

#include <argp.h>
#include <jansson.h>

#include "cli.h"
#include "profile_report.h"

struct fh_cli_profile_options {
    const char *path; /* NULL: no profile */
    enum fh_profile_format format;
    bool has_format;
};

/* --profile, --profile-format; its input is a struct fh_cli_profile_options. */
extern const struct argp fh_cli_profile_argp;

struct fh_cli_profile;
/* *profile is NULL if none is wanted, which the others take. The options must live as long. */
fhec_status fh_cli_profile_open(const struct fh_cli *cli,
                                const struct fh_cli_profile_options *options,
                                struct fh_cli_profile **profile);
/* Counts what the machine launches, one machine at a time, until the other is called, or close. */
fhec_status fh_cli_profile_attach(struct fh_cli_profile *profile, fhec_machine *machine);
void fh_cli_profile_detach(struct fh_cli_profile *profile);
/* Tells of all kernels of the program, launched or not. */
void fh_cli_profile_know(struct fh_cli_profile *profile, const fhec_program *program);
/* For parts that run in processes of their own: forgets what has been counted, at the part's begin;
 * what it has counted then, NULL if no profile is wanted; and adds that in the process that
 * began it, where NULL is nothing. */
void fh_cli_profile_restart(struct fh_cli_profile *profile);
json_t *fh_cli_profile_part(const struct fh_cli_profile *profile);
void fh_cli_profile_add(struct fh_cli_profile *profile, const json_t *part);
/* Writes the file, also after a fault or Ctrl-C, and returns `status`, that of what has run; or
 * if that is FHEC_OK or FHEC_DIFFERS, what has become of the file if it is worse. */
fhec_status fh_cli_profile_close(struct fh_cli_profile *profile, fhec_status status);

#endif
