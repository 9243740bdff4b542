/*
 * message.h - everything that the tool says to a person.
 */
#ifndef FH_CLI_MESSAGE_H
#define FH_CLI_MESSAGE_H

#include "cli.h"

/* Says "fhec ntt: error: ..." (or a JSON object) and returns `status`. */
fhec_status fh_cli_error(const struct fh_cli *cli, fhec_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with one more field of the JSON object, which is released; NULL: none. */
struct json_t;
fhec_status fh_cli_error_more(const struct fh_cli *cli, fhec_status status, const char *message,
                              const char *name, struct json_t *more);
/* Says "fhec ntt: ...". Not in JSON mode: nothing but diagnostics goes there. */
void fh_cli_note(const struct fh_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A fhec_diagnostic_fn whose user is a const struct fh_cli. */
void fh_cli_diagnostic(void *cli, const fhec_diagnostic *diagnostic);
/* Says the machine's fault or error that came with `status`, and returns it. */
fhec_status fh_cli_machine_error(const struct fh_cli *cli, const fhec_machine *machine,
                                 fhec_status status);
fhec_status fh_cli_no_memory(const struct fh_cli *cli);
/* What a message about an unknown name ends with: `; did you mean "NEAR"?`, or nothing where `near`
 * is NULL (nearest.h finds it). */
struct fh_cli_hint {
    char text[300];
};
struct fh_cli_hint fh_cli_hint(const char *near);

#endif
