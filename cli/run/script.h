/*
 * script.h - launch scripts (docs/scripts.md): text that loads programs, makes buffers, launches,
 * compares. One is read once and can be run on any number of machines.
 */
#ifndef FH_CLI_SCRIPT_H
#define FH_CLI_SCRIPT_H

#include "machine_options.h"
#include "program_file.h"
#include "statistics.h"

struct fh_cli_script;

/* Reads the file; its commands, and that every `repeat` has its `end`, are checked. What is wrong
 * has been said. *script is freed by fh_cli_script_free, NULL included. */
fhec_status fh_cli_script_read(const struct fh_cli *cli, const char *path,
                               struct fh_cli_script **script);
void fh_cli_script_free(struct fh_cli_script *script);

/* What a run takes of the command line. */
struct fh_cli_script_settings {
    const struct fh_cli_machine *machine;
    const struct fh_cli_source *source; /* -I, -D and --arch, for all files; may be NULL */
    bool trap_unsupported, all_faults;
    /* The machine only notes launches (fhec_record_defer): commands that look at their results do
     * nothing. */
    bool deferred;
};

/* A script on a machine. */
struct fh_cli_script_run;

/* The machine may be freed after it is over, and before fh_cli_script_end. */
fhec_status fh_cli_script_begin(struct fh_cli *cli, const struct fh_cli_script *script,
                                const struct fh_cli_script_settings *settings,
                                fhec_machine *machine, struct fh_cli_script_run **run);
/* FHEC_DIFFERS if an `expect` was not met, which has been said, as is all else that is wrong. The
 * output files have their contents, but have yet to be committed. */
fhec_status fh_cli_script_go(struct fh_cli_script_run *run);
const struct fh_cli_memory *fh_cli_script_memory(const struct fh_cli_script_run *run);
/* The hashes that were asked for. */
const struct fh_cli_hash *fh_cli_script_hashes(const struct fh_cli_script_run *run, size_t *count);
/* Puts the output files in their places. */
fhec_status fh_cli_script_commit(struct fh_cli_script_run *run);
void fh_cli_script_end(struct fh_cli_script_run *run);

#endif
