/*
 * test_why.c - fhec why of a case: its launch, and the tree of an element (test_case.h).
 */
#include "job.h"
#include "machine_options.h"
#include "test_case.h"
#include "test_parts.h"
#include "why_run.h"

fhec_status fh_cli_test_why(struct fh_cli_test_run *run, const struct fh_cli_test_line *lines,
                            size_t count) {
    struct fh_cli_test_parts test = {.run = run, .cli = run->cli, .lines = lines, .count = count};
    struct fh_journal *journal = NULL;
    fhec_machine *machine = NULL;
    test.job.programs = (struct fh_cli_programs){&run->program, 1};
    test.job.max_steps = run->machine->max_steps;
    fhec_status status = fh_cli_test_read(&test);
    if (status == FHEC_OK)
        status = fh_cli_job_prepare(run->cli, &test.job);
    if (status == FHEC_OK)
        status = fh_cli_job_check_buffers(run->cli, &test.job);
    if (status == FHEC_OK)
        status = fh_cli_machine_new(run->cli, run->machine, &machine);
    if (status == FHEC_OK)
        status = fh_cli_why_begin(run->cli, machine, &journal);
    if (status == FHEC_OK)
        status = fh_cli_job_run(run->cli, &test.job, machine);
    if (status == FHEC_OK)
        status = fh_cli_why_buffer(run->cli, journal, &test.memory);
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fh_cli_test_parts_free(&test);
    return status;
}
