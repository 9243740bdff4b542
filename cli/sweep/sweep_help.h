/*
 * sweep_help.h - which options a command of a build takes, by its own --help: a plan is checked
 * against the fhec that will run it.
 */
#ifndef FH_CLI_SWEEP_HELP_H
#define FH_CLI_SWEEP_HELP_H

#include "cli.h"
#include "sweep_build.h"

enum fh_cli_sweep_takes {
    FH_CLI_SWEEP_UNKNOWN, /* there is no such option */
    FH_CLI_SWEEP_FLAG,    /* an option without a value */
    FH_CLI_SWEEP_VALUE,
    FH_CLI_SWEEP_EITHER
};

/* What the build says to `fhec WORDS... --help`; malloc'd. NULL: it refuses the words or cannot be
 * run, and `why` says so. */
char *fh_cli_sweep_help(const struct fh_cli_sweep_build *build, char *const *words, size_t count,
                        char why[FH_CLI_SWEEP_WHY]);
/* The long option of this name, which is without dashes. */
enum fh_cli_sweep_takes fh_cli_sweep_help_option(const char *help, const char *name);
/* The nearest name of a long option to a misspelt one; malloc'd, NULL: none is near. */
char *fh_cli_sweep_help_nearest(const char *help, const char *name);

#endif
