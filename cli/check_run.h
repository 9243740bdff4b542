/*
 * check_run.h - --check: the checkers at work while a command runs kernels, and what they have
 * found.
 *
 *     parse -> fh_cli_check_open -> launches -> fh_cli_check_close
 */
#ifndef FH_CLI_CHECK_H
#define FH_CLI_CHECK_H

#include <argp.h>

#include "buffers.h"

struct fh_cli_check_options {
    unsigned wanted;   /* FH_CHECK_BITs; 0: no check */
    unsigned warnings; /* those of them whose findings do not change the exit status */
};

/* --check; its input is a struct fh_cli_check_options. */
extern const struct argp fh_cli_check_argp;

struct fh_cli_check;
/* Checks what the machine does until fh_cli_check_close. *check is NULL if no check is wanted. */
fhec_status fh_cli_check_open(const struct fh_cli *cli, const struct fh_cli_check_options *options,
                              fhec_machine *machine, struct fh_cli_check **check);
/* Says what was found, while the machine is still there. `memory` has the shapes of buffers, and
 * may be NULL. `status` is what became of the launches, or of the comparison of their results: it
 * is returned unless it is FHEC_OK or FHEC_DIFFERS and there are findings: then FHEC_GUEST_FAULT
 * is. */
fhec_status fh_cli_check_close(struct fh_cli_check *check, const struct fh_cli_memory *memory,
                               fhec_status status);

#endif
