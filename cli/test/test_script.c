/*
 * test_script.c - see test_script.h.
 */
#include "test_script.h"

#include "check_run.h"
#include "profile_run.h"
#include "script.h"

static fhec_status go(struct fh_cli_test_run *run, struct fh_cli *cli,
                      const struct fh_cli_script *script, fhec_machine *machine,
                      struct fh_cli_check **check, struct fh_cli_script_run **under_way) {
    const struct fh_cli_script_settings settings = {.machine = run->machine};
    fhec_status status = fh_cli_check_open(cli, run->check, machine, check);
    if (status == FHEC_OK)
        status = fh_cli_profile_attach(run->profile, machine);
    if (status == FHEC_OK)
        status = fh_cli_script_begin(cli, script, &settings, machine, under_way);
    if (status == FHEC_OK)
        status = fh_cli_script_go(*under_way);
    fh_cli_profile_detach(run->profile);
    return status;
}

enum fh_cli_verdict fh_cli_test_script(struct fh_cli_test_run *run, const char *path) {
    struct fh_cli cli = *run->cli; /* the script says where it is */
    struct fh_cli_script *script = NULL;
    struct fh_cli_script_run *under_way = NULL;
    struct fh_cli_check *check = NULL;
    fhec_machine *machine = NULL;
    fhec_status status = fh_cli_script_read(&cli, path, &script);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(run->cli, run->machine, &machine);
    if (status == FHEC_OK)
        status = go(run, &cli, script, machine, &check, &under_way);
    const bool passed = status == FHEC_OK;
    status = fh_cli_check_close(check, under_way ? fh_cli_script_memory(under_way) : NULL, status);
    fhec_machine_free(machine);
    fh_cli_script_end(under_way);
    fh_cli_script_free(script);
    run->interrupted |= status == FHEC_CANCELLED;
    return status == FHEC_OK                                      ? FH_CLI_PASSED
           : passed && status == FHEC_GUEST_FAULT                 ? FH_CLI_FOUND
           : status == FHEC_DIFFERS || status == FHEC_GUEST_FAULT ? FH_CLI_FAILED
                                                                  : FH_CLI_MALFORMED;
}
