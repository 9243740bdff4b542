/*
 * script_command.c - see script_command.h.
 */
#include "script_command.h"

#include "script.h"
#include "seconds.h"
#include "watched_run.h"

/* Everything between the machine's begin and its end. */
static fhec_status go(struct fh_cli_watch *watch, const struct fh_cli_script *script,
                      const struct fh_cli_script_settings *settings,
                      struct fh_cli_script_run **run) {
    fhec_status status = fh_cli_script_begin(watch->cli, script, settings, watch->machine, run);
    const double started = fh_cli_now();
    if (status == FHEC_OK)
        status = fh_cli_script_go(*run);
    const double seconds = fh_cli_now() - started;
    status = fh_cli_watch_launched(watch, status);
    if (status > FHEC_DIFFERS)
        return status;
    size_t count;
    const struct fh_cli_hash *hashes = fh_cli_script_hashes(*run, &count);
    const fhec_status printed = fh_cli_print_statistics(
        watch->cli, settings->machine, watch->machine, seconds, hashes, count, NULL);
    return printed == FHEC_OK ? status : printed;
}

fhec_status fh_cli_script_command_run(struct fh_cli *cli, struct fh_cli_run_options *given) {
    const struct fh_cli_script_settings settings = {.machine = &given->machine,
                                                    .source = &given->source,
                                                    .trap_unsupported = given->trap_unsupported,
                                                    .all_faults = given->all_faults};
    struct fh_cli_watch watch = {.cli = NULL};
    struct fh_cli_script *script = NULL;
    struct fh_cli_script_run *run = NULL;
    fhec_status status = fh_cli_script_read(cli, given->script, &script);
    if (status == FHEC_OK) {
        status = fh_cli_watch_begin(&watch, cli, given);
        if (status == FHEC_OK)
            status = go(&watch, script, &settings, &run);
        const bool complete = status <= FHEC_DIFFERS;
        status = fh_cli_watch_end(&watch, run ? fh_cli_script_memory(run) : NULL, status);
        const fhec_status committed = run && complete ? fh_cli_script_commit(run) : FHEC_OK;
        status = committed == FHEC_OK ? status : committed;
    }
    fh_cli_script_end(run);
    fh_cli_script_free(script);
    return status;
}
