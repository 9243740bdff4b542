/*
 * debug_target.h - what a debugger is about: the host program of a command, run with its launches
 * only noted, and a debugger for what it did.
 *
 *     begin -> the host program, on the host machine -> open -> the face moves the debugger ->
 * close
 *
 * A command that is run with cli->debug set does that, and has the face look at it, instead of its
 * own work: `fhec ntt`, `bconv`, `eltwise`, `ckks`, `bigint` and `test`.
 */
#ifndef FH_CLI_DEBUG_TARGET_H
#define FH_CLI_DEBUG_TARGET_H

#include "debugger.h"
#include "run_options.h"

/* Who moves the debugger, and looks. */
struct fh_cli_debug_face {
    fhec_status (*run)(void *user, struct fh_cli *cli, struct fh_debugger *debugger);
    void *user;
    uint64_t memory; /* bytes that snapshots may take; 0: what debugger.h says */
};

struct fh_cli_debug_target;
struct fh_run_options;

/* A machine like the one that the settings ask for, which only notes launches; and the checks,
 * which must live as long, of when there is a debugger. Errors have been said, here and below. */
fhec_status fh_cli_debug_begin(const struct fh_cli *cli, const struct fh_cli_machine *settings,
                               const struct fh_cli_check_options *check,
                               struct fh_cli_debug_target **target);
/* Has the host program, if it runs with these options, tell what its launches are to do. */
void fh_cli_debug_options(struct fh_cli_debug_target *target, struct fh_run_options *options);
fhec_machine *fh_cli_debug_host(struct fh_cli_debug_target *target);
/* Where the sources are: those of a program that was loaded, which must stay. Those of programs/
 * are always known. */
void fh_cli_debug_sources(struct fh_cli_debug_target *target, const struct fh_cli_source *source);
/* A debugger for what the host has done, whose programs must stay as long. */
fhec_status fh_cli_debug_open(struct fh_cli_debug_target *target, uint64_t memory);
/* The same, and the face of cli->debug, whose status it returns; the debugger is gone then. */
fhec_status fh_cli_debug_show(struct fh_cli *cli, struct fh_cli_debug_target *target);
struct fh_debugger *fh_cli_debug_debugger(struct fh_cli_debug_target *target);
void fh_cli_debug_close(struct fh_cli_debug_target *target); /* NULL is allowed */

/* The launches of `fhec run` with these options, which must live as long: begun and opened. */
fhec_status fh_cli_debug_run(struct fh_cli *cli, struct fh_cli_run_options *given, uint64_t memory,
                             struct fh_cli_debug_target **target);

#endif
