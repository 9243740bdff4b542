/*
 * test_debug.c - fhec debug of a case: its launch (test_case.h).
 */
#include "debug_target.h"
#include "job.h"
#include "test_case.h"
#include "test_parts.h"

fhec_status fh_cli_test_debug(struct fh_cli *cli, struct fh_cli_test_run *run,
                              const struct fh_cli_test_line *lines, size_t count) {
    struct fh_cli_test_parts test = {.run = run, .cli = run->cli, .lines = lines, .count = count};
    struct fh_cli_debug_target *target = NULL;
    test.job.programs = (struct fh_cli_programs){&run->program, 1};
    test.job.max_steps = run->machine->max_steps;
    fhec_status status = fh_cli_test_read(&test);
    if (status == FHEC_OK)
        status = fh_cli_job_prepare(cli, &test.job);
    if (status == FHEC_OK)
        status = fh_cli_job_check_buffers(cli, &test.job);
    if (status == FHEC_OK)
        status = fh_cli_debug_begin(cli, run->machine, run->check, &target);
    if (status == FHEC_OK) {
        fh_cli_debug_sources(target, run->source);
        status = fh_cli_job_run(cli, &test.job, fh_cli_debug_host(target));
    }
    if (status == FHEC_OK)
        status = fh_cli_debug_show(cli, target);
    fh_cli_debug_close(target);
    fh_cli_test_parts_free(&test);
    return status;
}
