/*
 * check_run.h - --check: the checkers at work while a command runs kernels, and what they found.
 *
 *     fh_cli_check_open -> fh_cli_check_source ... -> launches -> fh_cli_check_close
 */
#ifndef FH_CLI_CHECK_RUN_H
#define FH_CLI_CHECK_RUN_H

#include "buffers.h"
#include "check_options.h"

struct fh_cli_check;
/* Reads the files of suppressions, and checks what the machine does until fh_cli_check_close, which
 * is before it is freed. The options must live as long. *check is NULL if no check is wanted, and
 * after an error, which has been said. */
fhec_status fh_cli_check_open(const struct fh_cli *cli, const struct fh_cli_check_options *options,
                              fhec_machine *machine, struct fh_cli_check **check);
/* The text of a source that `name` stands for in locations: its comments may suppress findings.
 * `check` may be NULL. */
fhec_status fh_cli_check_source(struct fh_cli_check *check, const char *name, const char *text);
/* Of `race`, when all launches are over: whether what instructions read depends on the order of
 * warps, so that a look at another one is worth it. False, too, after runs that are too long to be
 * repeated; that is said then. */
bool fh_cli_check_wants_other_order(const struct fh_cli_check *check);
/* Checks what another machine does for races until fh_cli_check_other_end, which adds what is new.
 */
fhec_status fh_cli_check_other_begin(struct fh_cli_check *check, fhec_machine *machine);
fhec_status fh_cli_check_other_end(struct fh_cli_check *check);
/* How many findings there are so far, suppressed ones among them; 0 for NULL. */
size_t fh_cli_check_count(const struct fh_cli_check *check);
/* Prints the findings that there are so far, for the case that close is never reached. */
void fh_cli_check_print(struct fh_cli_check *check, FILE *to);
/* Says what was found, and writes the file of --sarif. `memory` has the shapes of buffers, and may
 * be NULL. `status` is what became of the launches, or of the comparison of their results: it is
 * returned unless it is FHEC_OK or FHEC_DIFFERS and there are findings: then FHEC_GUEST_FAULT is.
 */
fhec_status fh_cli_check_close(struct fh_cli_check *check, const struct fh_cli_memory *memory,
                               fhec_status status);

#endif
