/*
 * watched_run.c - see watched_run.h.
 */
#include "watched_run.h"

#include "check_run.h"
#include "patch_option.h"
#include "profile_run.h"
#include "time_run.h"
#include "trace.h"

fhec_status fh_cli_watch_begin(struct fh_cli_watch *watch, struct fh_cli *cli,
                               struct fh_cli_run_options *given) {
    const struct fh_cli_source *source = &given->source;
    watch->cli = cli;
    watch->given = given;
    fhec_status status =
        fh_cli_timing_open(cli, &given->time, &given->machine.options, &watch->timer);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(cli, &given->machine, &watch->machine);
    if (status == FHEC_OK)
        status = fh_cli_check_open(cli, &given->check, watch->machine, &watch->check);
    for (size_t i = 0; i < source->text_count && status == FHEC_OK; i++)
        if (source->texts[i].text)
            status =
                fh_cli_check_source(watch->check, source->texts[i].name, source->texts[i].text);
    if (status == FHEC_OK)
        status = fh_cli_profile_open(cli, &given->profile, &watch->profile);
    if (status == FHEC_OK)
        status = fh_cli_profile_attach(watch->profile, watch->machine);
    if (status == FHEC_OK)
        status = fh_cli_timing_attach(cli, watch->timer, watch->machine);
    if (status == FHEC_OK)
        status = fh_cli_trace_open(cli, &given->trace, watch->machine, &watch->trace);
    return status;
}

fhec_status fh_cli_watch_launched(struct fh_cli_watch *watch, fhec_status status) {
    const fhec_status traced = fh_cli_trace_close(watch->cli, watch->trace, status <= FHEC_DIFFERS);
    watch->trace = NULL;
    if (status <= FHEC_DIFFERS && traced != FHEC_OK)
        status = traced;
    if (status <= FHEC_DIFFERS) {
        const fhec_status patched =
            fh_cli_patches_check(watch->cli, &watch->given->machine.patches, watch->machine);
        status = patched == FHEC_OK ? status : patched;
    }
    status = fh_cli_profile_close(watch->profile, status);
    watch->profile = NULL;
    status = fh_cli_timing_close(watch->cli, &watch->given->time, watch->timer, stdout, status);
    watch->timer = NULL;
    return status;
}

fhec_status fh_cli_watch_end(struct fh_cli_watch *watch, const struct fh_cli_memory *memory,
                             fhec_status status) {
    if (watch->profile || watch->trace || watch->timer) /* it never came to launches */
        status = fh_cli_watch_launched(watch, status);
    status = fh_cli_check_close(watch->check, memory, status);
    fhec_machine_free(watch->machine);
    watch->machine = NULL;
    return status;
}
